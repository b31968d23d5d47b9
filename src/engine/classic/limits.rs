//! The shares of a decision's drops, and the depths that the drops or the time allow.

use std::time::Duration;

use super::opponent::PLIES;
use crate::engine::time_manager::TimeManager;
use crate::game::TURNS;
use crate::search::DROPS_OF_DEPTH;

/// The shares of a turn's drops, for games that limit drops instead of time. The exhaustive
/// searches take the rest. Chosen by hand, close to the parts of the time in a game with a clock.
pub mod share {
    /// The opening beam, the only search of its turn.
    pub const OPENING: f64 = 1.0;
    /// The own beam of a later turn, for chains or for the skill.
    pub const BEAM: f64 = 0.3;
    /// The opponent's beam.
    pub const OPPONENT: f64 = 0.08;
    /// Each of the two beams in the test of attacking first.
    pub const ATTACK: f64 = 0.08;
    /// Each beam that finds the counterattack to an attack of the opponent.
    pub const ANSWER: f64 = 0.03;
}

/// Limits of depth when time is short, each entry `(milliseconds, own plies, opponent's plies)`.
/// The first entry whose milliseconds exceed the time left for each remaining turn applies
/// (published).
const SHORT: [(u128, usize, usize); 4] = [(5, 2, 2), (10, 3, 2), (30, 3, 3), (100, 4, 3)];

/// The most plies when time is too short for beams (y.s.: 2 to 3).
const WITHOUT_BEAMS: usize = 3;

/// Returns the plies of the own search and of the opponent's, each at most `most`. With a limit of
/// drops, they follow from the drops left; else from the time `left` in the game at `turn`, and
/// from whether it suffices for `beams`.
pub fn plies(
    time_manager: &TimeManager<'_>,
    most: usize,
    beams: bool,
    left: Duration,
    turn: usize,
) -> [usize; 2] {
    if time_manager.counts_drops() {
        let left = time_manager.drops_left();
        let deeper = DROPS_OF_DEPTH.iter().filter(|&&drops| drops <= left).count();
        return [most.min(1 + deeper); 2];
    }
    let most = if beams { most } else { most.min(WITHOUT_BEAMS) };
    let each = left.as_millis() / (TURNS - turn.min(TURNS - 1)) as u128;
    let short = SHORT.iter().find(|(least, ..)| each < *least);
    let (own, opponents) = short.map_or((PLIES, PLIES), |&(_, own, opponents)| (own, opponents));
    [most.min(own), most.min(opponents)]
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;
    use crate::engine::{TimeLimits, TurnClock};

    fn at(left_ms: u64, turn: usize, nodes: Option<u64>) -> [usize; 2] {
        let left = Duration::from_millis(left_ms);
        let rules = TimeLimits { nodes, ..TimeLimits::default() };
        let clock = TurnClock::new(Instant::now(), left, &rules);
        plies(&TimeManager::new(&clock, clock.usable()), 4, left_ms >= 30_000, left, turn)
    }

    #[test]
    fn a_short_clock_makes_shallow_searches() {
        assert_eq!(at(180_000, 0, None), [4, 4]);
        assert_eq!(at(45_000, 30, None), [4, 3]);
        assert_eq!(at(29_999, 30, None), [3, 3], "without beams");
        assert_eq!(at(29_999, 450, None), [3, 3], "with few turns to come too");
        assert_eq!(at(4_000, 30, None), [3, 2]);
        assert_eq!(at(2_000, 30, None), [2, 2]);
        assert_eq!(at(0, 499, None), [2, 2]);
    }

    #[test]
    fn few_drops_make_shallow_searches() {
        let of = |nodes| at(180_000, 0, Some(nodes));
        assert_eq!([1_000, 20_000, 400_000, 20_000_000].map(of), [[1; 2], [2; 2], [3; 2], [4; 2]]);
    }
}
