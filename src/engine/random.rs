//! The random engine, the weakest opponent.

use std::num::NonZeroU64;

use rand::{RngExt as _, SeedableRng as _};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::{ActionSource, BestSoFar, Decision, Engine, Report, TurnClock};
use crate::game::{Action, Pack, Packs, Placement, Seat};
use crate::protocol::Observation;

/// An engine that drops every pack at random, uniformly over all placements, and never uses the
/// skill.
///
/// A drop follows from the seed, the seat, the number of the game, its packs and the turn. So the drops
/// of two games differ, also on the same packs, as do those of two such engines in one game, and a game
/// that is played again has the same drops. A drop does not depend on the turns that were answered before it.
#[derive(Clone, Debug)]
pub struct RandomEngine {
    /// The hash of the seed, the game's number and the seat.
    own: Hash,
}

/// The FNV-1a hash of some bytes: equal on every machine and with every version of the compiler.
#[derive(Clone, Copy, Debug)]
struct Hash(u64);

impl Hash {
    const EMPTY: Self = Self(0xcbf2_9ce4_8422_2325);

    /// The hash of the bytes so far and `bytes`.
    fn with(self, bytes: impl IntoIterator<Item = u8>) -> Self {
        const PRIME: u64 = 0x0100_0000_01b3;
        let next = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(PRIME);
        Self(bytes.into_iter().fold(self.0, next))
    }
}

impl RandomEngine {
    /// Creates an engine whose drops follow from `seed`, from `seat`, and from `game`, the number of the
    /// game, from 1.
    pub fn new(seed: u64, seat: Seat, game: NonZeroU64) -> Self {
        /// Steps of an odd number reach each seed once; with this one, those of a few games and seeds of
        /// users lie far apart. The first game has the seed itself.
        const STEP: u64 = 0x9e37_79b9_7f4a_7c15;
        let seed = seed.wrapping_add((game.get() - 1).wrapping_mul(STEP));
        let seat = u8::from(seat == Seat::Second);
        Self { own: Hash::EMPTY.with(seed.to_le_bytes()).with([seat]) }
    }
}

impl Engine for RandomEngine {
    fn new_game(&mut self) {}

    fn decide(
        &mut self,
        packs: &Packs,
        observation: &Observation,
        _clock: &TurnClock,
        _best_so_far: &BestSoFar,
    ) -> Decision {
        let turn = observation.state.turn;
        let game = self.own.with(packs.from_turn(0).iter().flat_map(Pack::codes));
        let seed = game.with((turn as u64).to_le_bytes()).0;
        let index = Xoshiro256PlusPlus::seed_from_u64(seed).random_range(0..Placement::COUNT);
        let action = Placement::from_index(index).map_or(Action::Skill, Action::Drop);
        let report = Report {
            turn,
            action: action.to_string(),
            source: ActionSource::Random,
            ..Report::default()
        };
        Decision { action, report }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::engine::TimeLimits;
    use crate::game::{Cells, State};
    use crate::util::clock::Instant;

    /// The drops from a turn of a game on to its hundredth, on the packs of a seed.
    fn drops(seed: u64, seat: Seat, game: u64, packs: u64, from: usize) -> Vec<String> {
        let mut engine = RandomEngine::new(seed, seat, NonZeroU64::new(game).unwrap());
        let packs = Packs::from_seed(packs);
        let time_left = [Duration::from_secs(10); 2];
        let clock = TurnClock::new(Instant::now(), time_left[0], &TimeLimits::default());
        let drop = |turn| {
            let state = State::<Cells> { turn, ..State::new() };
            let observation = Observation { state, time_left };
            engine.decide(&packs, &observation, &clock, &BestSoFar::default()).action.to_string()
        };
        (from..100).map(drop).collect()
    }

    #[test]
    fn drops_differ_by_seed_seat_game_and_packs_and_are_the_same_again() {
        let played = drops(0, Seat::First, 1, 1, 0);
        assert_eq!(drops(0, Seat::First, 1, 1, 0), played);
        assert_eq!(drops(0, Seat::First, 1, 1, 40), played[40..], "earlier turns are not needed");
        for (seed, seat, game, packs) in [
            (0, Seat::First, 1, 2),
            (0, Seat::First, 2, 1),
            (0, Seat::Second, 1, 1),
            (1, Seat::First, 1, 1),
        ] {
            let other = drops(seed, seat, game, packs, 0);
            let equal = played.iter().zip(&other).filter(|(one, other)| one == other).count();
            // Of 100 drops with 36 placements, three are equal on average.
            assert!(
                equal < 20,
                "seed {seed}, {seat:?}, game {game}, packs {packs}: {equal} equal drops"
            );
        }
        let distinct: std::collections::BTreeSet<_> = played.iter().collect();
        assert!(distinct.len() > 20, "{distinct:?}");
    }
}
