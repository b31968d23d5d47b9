//! The test that ends a match early, and how it was decided.

use crate::arena::rating::{Sprt, SprtDecision};
use crate::arena::{Hypothesis, Manifest, Standing, TestDecision};

/// The test of a match, if it has one: of the first of two engines against the second, or of a new
/// version against an old one by pairs of games.
///
/// The test is decided once. Games that were in progress at the decision and are finished later
/// change the standing but not the decision, which is kept in the manifest.
#[derive(Clone, Debug)]
pub struct Test {
    sprt: Option<Sprt>,
    decided: Option<TestDecision>,
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

impl Test {
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
        let accepted = match sprt.verdict_of(llr) {
            SprtDecision::Continue => return,
            SprtDecision::AcceptH0 => Hypothesis::H0,
            SprtDecision::AcceptH1 => Hypothesis::H1,
        };
        self.decided = Some(TestDecision { accepted, llr, results });
    }

    /// Whether the test is decided; then no more games are needed.
    pub const fn is_decided(&self) -> bool {
        self.decided.is_some()
    }

    /// The test with its present verdict and the evidence for it: that of the decision, or that of
    /// `standing` if the test is not decided. `None` if the match has no test.
    pub fn state(&self, standing: &Standing) -> Option<(Sprt, SprtDecision, Evidence)> {
        let sprt = self.sprt?;
        let Some(TestDecision { accepted, llr, results }) = self.decided else {
            return Some((sprt, SprtDecision::Continue, Evidence::of(&sprt, standing)));
        };
        let verdict = match accepted {
            Hypothesis::H0 => SprtDecision::AcceptH0,
            Hypothesis::H1 => SprtDecision::AcceptH1,
        };
        Some((sprt, verdict, Evidence { llr, results }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::{EngineConfig, Fixture, GameSummary};
    use crate::game::Seat;

    fn game(number: usize, players: [usize; 2], winner: Seat) -> (Fixture, GameSummary) {
        let fixture = Fixture { number, round: number - 1, players };
        let verdict = crate::game::Verdict::Win(winner);
        (fixture, GameSummary::of_test(fixture, ["a", "b"].map(str::to_owned), verdict))
    }

    fn test(elo1: u32) -> (Sprt, Test) {
        let engines = ["a", "b"].map(|name| EngineConfig::new(name, "tensai"));
        let sprt: Sprt = format!("elo0=0 elo1={elo1}").parse().unwrap();
        (sprt, Test::new(&Manifest { sprt: Some(sprt), ..Manifest::new(engines.into()) }))
    }

    #[test]
    fn games_after_the_decision_do_not_undo_it() {
        let (sprt, mut test) = test(100);
        let mut standing = Standing::new(["a", "b"].map(str::to_owned));
        let mut number = 0;
        let mut play = |winner, standing: &mut Standing, test: &mut Test| {
            number += 1;
            let (fixture, summary) = game(number, [0, 1], winner);
            standing.add(fixture, summary);
            test.look(standing);
        };
        while !test.is_decided() {
            play(Seat::First, &mut standing, &mut test);
        }
        let decision = test.state(&standing).unwrap();
        assert_eq!(decision.1, SprtDecision::AcceptH1);
        assert_eq!(decision.2.results, standing.played() as u64);
        for _ in 0..3 {
            play(Seat::Second, &mut standing, &mut test);
        }
        assert_eq!(sprt.verdict(standing.rows()[0].tally), SprtDecision::Continue);
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
        assert_eq!((state.1, state.2.results), (SprtDecision::AcceptH1, 12));
        let engines = ["a", "b"].map(|name| EngineConfig::new(name, "tensai")).into();
        let manifest = Manifest { sprt: Some(sprt), ..Manifest::new(engines) };
        let resumed = Manifest { decision: test.decision(), ..manifest.clone() };
        assert_eq!(manifest.difference(&resumed), None);
        let mut resumed = Test::new(&resumed);
        resumed.look(&standing);
        assert_eq!(resumed.state(&standing), Some(state));
        let mut forgotten = Test::new(&manifest);
        forgotten.look(&standing);
        assert!(!forgotten.is_decided());
    }

    #[test]
    fn versions_are_tested_by_the_pairs_that_differ() {
        let (sprt, mut test) = test(200);
        let mut standing = Standing::new(["new", "old", "x"].map(str::to_owned)).with_pairs();
        let mut number = 0;
        let mut play = |winners: [Seat; 2], standing: &mut Standing, test: &mut Test| {
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
        assert_eq!(
            (verdict, evidence),
            (SprtDecision::Continue, Evidence { llr: 0.0, results: 50 })
        );
        while !test.is_decided() {
            play([Seat::Second, Seat::First], &mut standing, &mut test);
        }
        let (_, verdict, evidence) = test.state(&standing).unwrap();
        assert_eq!(verdict, SprtDecision::AcceptH0, "the old version is stronger");
        assert!(evidence.llr <= sprt.bounds().0 && evidence.results > 51);
    }
}
