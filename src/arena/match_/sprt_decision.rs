//! The decision of the test that ends a match early.

use serde::{Deserialize, Serialize};

use super::match_json::Manifest;
use super::standing::Standing;
use crate::arena::rating::{Hypothesis, Sprt};

/// The decision of the test of a match.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct TestDecision {
    /// The hypothesis that was accepted.
    pub accepted: Hypothesis,
    /// The log-likelihood ratio at the decision.
    pub llr: f64,
    /// The number of results that were tested by then: games, or pairs of games.
    pub results: u64,
}

/// The results that a test uses.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Evidence {
    /// The log-likelihood ratio.
    pub llr: f64,
    /// The number of tested results: games, or pairs of games.
    pub results: u64,
}

impl Evidence {
    /// The evidence of a standing: its pairs of games if it has pairs, else the games of the first
    /// engine.
    pub fn of(sprt: &Sprt, standing: &Standing) -> Self {
        if let Some(pairs) = standing.versions() {
            return Self { llr: sprt.llr_of_pairs(pairs), results: pairs.pairs() };
        }
        let tally = standing.rows().first().map(|first| first.tally).unwrap_or_default();
        Self { llr: sprt.llr(tally), results: tally.games() }
    }
}

/// The test of a match, if it has one: of the first of two engines against the second, or of a new
/// version against an old one by pairs of games.
///
/// The test is decided once. Games that were in progress at the decision and are finished later
/// change the standing but not the decision, which is kept in the manifest.
#[derive(Clone, Debug)]
pub struct MatchTest {
    sprt: Option<Sprt>,
    decided: Option<TestDecision>,
}

impl MatchTest {
    /// The test of a match, decided if it was decided earlier.
    pub const fn new(manifest: &Manifest) -> Self {
        Self { sprt: manifest.sprt, decided: manifest.decision }
    }

    /// The decision; `None` as long as there is none.
    pub const fn decision(&self) -> Option<TestDecision> {
        self.decided
    }

    /// Tests the standing. Must be called after each game that is played, and once after the games
    /// of a resumed match, whose order is not known.
    pub fn look(&mut self, standing: &Standing) {
        let Some(sprt) = self.sprt.filter(|_| self.decided.is_none()) else { return };
        let Evidence { llr, results } = Evidence::of(&sprt, standing);
        let accepted = sprt.accepted(llr);
        self.decided = accepted.map(|accepted| TestDecision { accepted, llr, results });
    }

    /// Whether the test is decided; then no more games are needed.
    pub const fn is_decided(&self) -> bool {
        self.decided.is_some()
    }

    /// The test with the hypothesis that was accepted, if any, and the evidence: that of the decision,
    /// or that of `standing` if the test is not decided. `None` if the match has no test.
    pub fn state(&self, standing: &Standing) -> Option<(Sprt, Option<Hypothesis>, Evidence)> {
        let sprt = self.sprt?;
        Some(match self.decided {
            Some(TestDecision { accepted, llr, results }) => {
                (sprt, Some(accepted), Evidence { llr, results })
            }
            None => (sprt, None, Evidence::of(&sprt, standing)),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::EngineConfig;
    use crate::arena::match_::{Fixture, GameSummary};
    use crate::game::Seat;

    fn game(number: usize, players: [usize; 2], winner: Seat) -> (Fixture, GameSummary) {
        let fixture = Fixture { number, round: number - 1, players };
        let verdict = crate::game::Verdict::Win(winner);
        (fixture, GameSummary::of_test(fixture, ["a", "b"].map(str::to_owned), verdict))
    }

    fn test(elo1: u32) -> (Sprt, MatchTest) {
        let engines = ["a", "b"].map(|name| EngineConfig::new(name, "tensai"));
        let sprt: Sprt = format!("elo0=0 elo1={elo1}").parse().unwrap();
        (sprt, MatchTest::new(&Manifest { sprt: Some(sprt), ..Manifest::new(engines.into()) }))
    }

    #[test]
    fn games_after_the_decision_do_not_undo_it() {
        let (sprt, mut test) = test(100);
        let mut standing = Standing::new(["a", "b"].map(str::to_owned));
        let mut number = 0;
        let mut play = |winner, standing: &mut Standing, test: &mut MatchTest| {
            number += 1;
            let (fixture, summary) = game(number, [0, 1], winner);
            standing.add(fixture, summary);
            test.look(standing);
        };
        while !test.is_decided() {
            play(Seat::First, &mut standing, &mut test);
        }
        let decision = test.state(&standing).unwrap();
        assert_eq!(decision.1, Some(Hypothesis::H1));
        assert_eq!(decision.2.results, standing.played() as u64);
        for _ in 0..3 {
            play(Seat::Second, &mut standing, &mut test);
        }
        assert_eq!(sprt.accepted(sprt.llr(standing.rows()[0].tally)), None);
        assert_eq!(test.state(&standing), Some(decision));
    }

    /// A resumed match reads its games in the order of their numbers.
    #[test]
    fn a_decision_outlives_a_game_that_ended_after_it() {
        let (sprt, mut test) = test(100);
        let mut standing = Standing::new(["a", "b"].map(str::to_owned));
        let won = (1..=11).chain([13]).map(|number| (number, Seat::First));
        for (number, winner) in won.chain([(12, Seat::Second)]) {
            let (fixture, summary) = game(number, [0, 1], winner);
            standing.add(fixture, summary);
            test.look(&standing);
        }
        let state = test.state(&standing).unwrap();
        assert_eq!((state.1, state.2.results), (Some(Hypothesis::H1), 12));
        let engines = ["a", "b"].map(|name| EngineConfig::new(name, "tensai")).into();
        let manifest = Manifest { sprt: Some(sprt), ..Manifest::new(engines) };
        let resumed = Manifest { decision: test.decision(), ..manifest.clone() };
        assert_eq!(manifest.difference(&resumed), None);
        let mut resumed = MatchTest::new(&resumed);
        resumed.look(&standing);
        assert_eq!(resumed.state(&standing), Some(state));
        let mut forgotten = MatchTest::new(&manifest);
        forgotten.look(&standing);
        assert!(!forgotten.is_decided());
    }

    #[test]
    fn versions_are_tested_by_the_pairs_that_differ() {
        let (sprt, mut test) = test(200);
        let mut standing = Standing::new(["new", "old", "x"].map(str::to_owned)).with_pairs();
        let mut number = 0;
        let mut play = |winners: [Seat; 2], standing: &mut Standing, test: &mut MatchTest| {
            for (version, winner) in winners.into_iter().enumerate() {
                number += 1;
                let (fixture, summary) = game(number, [version, 2], winner);
                standing.add(fixture, summary);
                test.look(standing);
            }
        };
        for _ in 0..50 {
            play([Seat::First; 2], &mut standing, &mut test);
        }
        let (_, verdict, evidence) = test.state(&standing).unwrap();
        assert_eq!((verdict, evidence), (None, Evidence { llr: 0.0, results: 50 }));
        while !test.is_decided() {
            play([Seat::Second, Seat::First], &mut standing, &mut test);
        }
        let (_, verdict, evidence) = test.state(&standing).unwrap();
        assert_eq!(verdict, Some(Hypothesis::H0), "the old version is stronger");
        assert!(evidence.llr <= sprt.bounds().0 && evidence.results > 51);
    }
}
