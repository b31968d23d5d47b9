//! The test that ends a match early, and how it was decided.

use crate::arena::{Manifest, Standing};
use crate::rating::{Sprt, SprtDecision, Tally};

/// The test of a match, if it has one.
///
/// It is decided once. Games that were in progress at the decision and are finished later change
/// the standing but not the decision.
#[derive(Clone, Debug)]
pub struct Test {
    sprt: Option<Sprt>,
    decided: Option<Decision>,
}

/// The decision of a test.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Decision {
    /// The accepted hypothesis.
    pub verdict: SprtDecision,
    /// The first engine's games up to the decision.
    pub tally: Tally,
}

impl Test {
    /// The test of a match before the first game.
    pub const fn new(manifest: &Manifest) -> Self {
        Self { sprt: manifest.sprt, decided: None }
    }

    /// Tests the standing. Must be called after each game.
    pub fn look(&mut self, standing: &Standing) {
        let Some((sprt, first)) = self.sprt.zip(standing.rows().first()) else { return };
        let verdict = sprt.verdict(first.tally);
        if self.decided.is_none() && verdict != SprtDecision::Continue {
            self.decided = Some(Decision { verdict, tally: first.tally });
        }
    }

    /// The decision; after it no more games are needed.
    pub const fn decided(&self) -> Option<Decision> {
        self.decided
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::{EngineConfig, Fixture, Summary};
    use crate::game::Seat;

    fn game(number: usize, winner: Seat) -> (Fixture, Summary) {
        let fixture = Fixture { number, round: number - 1, players: [0, 1] };
        let verdict = crate::game::Verdict::Win(winner);
        (fixture, Summary::of_test(fixture, ["a", "b"].map(str::to_owned), verdict))
    }

    #[test]
    fn games_after_the_decision_do_not_undo_it() {
        let engines = ["a", "b"].map(|name| EngineConfig::new(name, "tensai"));
        let sprt = Sprt::from_words(&["elo0=0", "elo1=100"].map(str::to_owned)).unwrap();
        let manifest = Manifest { sprt: Some(sprt), ..Manifest::new(engines.into()) };
        let mut standing = Standing::new(["a", "b"].map(str::to_owned));
        let mut test = Test::new(&manifest);
        let mut number = 0;
        let mut play = |winner, standing: &mut Standing, test: &mut Test| {
            number += 1;
            let (fixture, summary) = game(number, winner);
            standing.add(fixture, summary);
            test.look(standing);
        };
        while test.decided().is_none() {
            play(Seat::First, &mut standing, &mut test);
        }
        let decision = test.decided().unwrap();
        assert_eq!(decision.verdict, SprtDecision::AcceptH1);
        assert_eq!(decision.tally.games(), standing.played() as u64);
        for _ in 0..3 {
            play(Seat::Second, &mut standing, &mut test);
        }
        assert_eq!(sprt.verdict(standing.rows()[0].tally), SprtDecision::Continue);
        assert_eq!(test.decided(), Some(decision));
    }
}
