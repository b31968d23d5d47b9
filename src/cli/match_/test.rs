//! The test that ends a match early, and how it was decided.

use crate::arena::{Manifest, Standing};
use crate::rating::{Sprt, SprtDecision};

/// The test of a match, if it has one: of the first of two engines against the second, or of a new
/// version against an old one by pairs of games.
///
/// The test is decided once. Games that were in progress at the decision and are finished later
/// change the standing but not the decision.
#[derive(Clone, Debug)]
pub struct Test {
    sprt: Option<Sprt>,
    decided: Option<(SprtDecision, Evidence)>,
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
    /// The test of a match before the first game.
    pub const fn new(manifest: &Manifest) -> Self {
        Self { sprt: manifest.sprt, decided: None }
    }

    /// Tests the standing. Must be called after each game.
    pub fn look(&mut self, standing: &Standing) {
        let Some(sprt) = self.sprt.filter(|_| self.decided.is_none()) else { return };
        let evidence = Evidence::of(&sprt, standing);
        let verdict = sprt.verdict_of(evidence.llr);
        if verdict != SprtDecision::Continue {
            self.decided = Some((verdict, evidence));
        }
    }

    /// Whether the test is decided; then no more games are needed.
    pub const fn is_decided(&self) -> bool {
        self.decided.is_some()
    }

    /// The test with its present verdict and the evidence for it: that of the decision, or that of
    /// `standing` if the test is not decided. `None` if the match has no test.
    pub fn state(&self, standing: &Standing) -> Option<(Sprt, SprtDecision, Evidence)> {
        let sprt = self.sprt?;
        let undecided = || (SprtDecision::Continue, Evidence::of(&sprt, standing));
        let (verdict, evidence) = self.decided.unwrap_or_else(undecided);
        Some((sprt, verdict, evidence))
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
