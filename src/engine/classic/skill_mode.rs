//! Decides when the engine gives up chains for the skill, and when it returns to chains.

use super::beam::ClassicBeamResult;
use crate::board::Field;
use crate::game::{Chain, OJAMA_ROW, State, Stock};

/// The data that the decision about the skill depends on.
#[derive(Clone, Copy, Debug)]
pub struct Outlook<'a> {
    /// Our beam of the turn.
    pub own: &'a ClassicBeamResult,
    /// The opponent's beam of the turn.
    pub opponents: &'a ClassicBeamResult,
    /// Ojama on our field.
    pub ojama: u32,
    /// The opponent's stock.
    pub opponents_stock: Stock,
    /// Blocks that our skill would blow up.
    pub explosion: u8,
    /// See [`super::Parameters::give_up_below`].
    pub give_up_below: Chain,
}

/// Turns within which the chains of both sides' beams count (y.s.).
const WITHIN: usize = 10;

/// With at most this many ojama on our field, short chains are no reason to give up (published):
/// early in the game and right after an attack, nothing is lost yet.
const FRESH_FIELD: u32 = 10;

/// Bounds of the conditions under which chains are given up with ojama on the field; all must hold
/// (y.s.).
const MUCH_OJAMA: u32 = 20;
const AFTER_AN_ATTACK: Stock = 20;
const OPPONENTS_CHAIN: Chain = Chain(12);
const OWN_CHAIN: Chain = Chain(9);
const FEW_TO_BLOW_UP: u8 = 10;

/// Lengths of our chains, each with a number of turns. A chain is too late if it comes at least
/// that many turns after the opponent's chain of 12 (y.s.).
const LATE: [(Chain, usize); 5] =
    [(Chain(12), 3), (Chain(11), 3), (Chain(10), 2), (Chain(9), 1), (Chain(8), 0)];

/// A score that rises by this many points in a turn means a chain that changes the game (y.s.:
/// "beyond a certain length"; published: 10, a chain of 6).
const GREAT_SCORE: u64 = 10;

/// The turns of a chain that cannot be set off.
const NEVER: usize = 1000;

impl Outlook<'_> {
    /// Returns whether chains are given up.
    pub fn gives_up(&self) -> bool {
        let own = |chain| depth_of(self.own, chain);
        let opponents = depth_of(self.opponents, OPPONENTS_CHAIN);
        let within = |result: &ClassicBeamResult| {
            result.longest.iter().take(WITHIN + 1).copied().max().unwrap_or_default()
        };
        let no_chains = within(self.own) < self.give_up_below && self.ojama > FRESH_FIELD;
        // The account states this condition the wrong way round, as its own remark beside it shows:
        // with a chain of 9 in reach and few blocks to blow up, chains are the better choice.
        let chains_are_better = within(self.own) >= OWN_CHAIN && self.explosion < FEW_TO_BLOW_UP;
        let outpaced = self.ojama >= MUCH_OJAMA
            && self.opponents_stock <= AFTER_AN_ATTACK
            && within(self.opponents) >= OPPONENTS_CHAIN
            && !chains_are_better
            && LATE.iter().all(|&(chain, turns)| own(chain) >= opponents + turns);
        no_chains || outpaced
    }
}

/// Returns the turns until `chain` can be set off, or [`NEVER`] beyond [`WITHIN`] turns.
fn depth_of(result: &ClassicBeamResult, chain: Chain) -> usize {
    result.depth_of(chain).filter(|&depth| depth <= WITHIN).unwrap_or(NEVER)
}

/// The state that a turn begins with if nothing important happened in the turn before.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ExpectedState {
    scores: [u64; 2],
    ojama: [u32; 2],
    rows_waiting: [Stock; 2],
}

impl ExpectedState {
    /// Returns the expected start of the turn after `state`.
    pub fn after(state: &State<Field>) -> Self {
        let falls = |i: usize| state.players[i].stock >= OJAMA_ROW;
        Self {
            scores: [0, 1].map(|i: usize| state.players[i].score),
            ojama: [0, 1].map(|i: usize| {
                state.players[i].field.ojama() + if falls(i) { OJAMA_ROW as u32 } else { 0 }
            }),
            rows_waiting: [0, 1]
                .map(|i: usize| (state.players[i].stock / OJAMA_ROW).saturating_sub(1)),
        }
    }

    /// Returns whether `state` is as expected: no long chain, and no row more or less.
    pub fn is_met(&self, state: &State<Field>) -> bool {
        (0..2).all(|i| {
            let player = &state.players[i];
            player.score < self.scores[i] + GREAT_SCORE
                && player.field.ojama() == self.ojama[i]
                && player.stock / OJAMA_ROW == self.rows_waiting[i]
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Field;
    use crate::game::Player;

    /// A beam that finds the chains `longest` at depths 0, 1, ...
    fn beam(longest: &[u8]) -> ClassicBeamResult {
        ClassicBeamResult {
            longest: longest.iter().copied().map(Chain).collect(),
            ..ClassicBeamResult::default()
        }
    }

    fn outlook<'a>(own: &'a ClassicBeamResult, opponents: &'a ClassicBeamResult) -> Outlook<'a> {
        let give_up_below = Chain(8);
        Outlook { own, opponents, ojama: 20, opponents_stock: 0, explosion: 30, give_up_below }
    }

    #[test]
    fn chains_are_given_up_without_a_long_one() {
        let (short, long, none) = (beam(&[2, 3, 7]), beam(&[2, 3, 8]), beam(&[0]));
        assert!(outlook(&short, &none).gives_up());
        assert!(!outlook(&long, &none).gives_up());
        assert!(!Outlook { ojama: 10, ..outlook(&short, &none) }.gives_up(), "a fresh field");
    }

    #[test]
    fn chains_are_given_up_if_the_opponent_is_faster() {
        // The opponent has a chain of 12 after two turns; we have a chain of 8 and 9 after three
        // turns, and none of 12.
        let opponents = beam(&[3, 5, 12]);
        let own = beam(&[1, 2, 4, 9, 9, 9]);
        assert!(outlook(&own, &opponents).gives_up());
        assert!(!Outlook { ojama: 19, ..outlook(&own, &opponents) }.gives_up());
        assert!(!Outlook { opponents_stock: 21, ..outlook(&own, &opponents) }.gives_up());
        assert!(!Outlook { explosion: 9, ..outlook(&own, &opponents) }.gives_up());
        assert!(!outlook(&own, &beam(&[3, 5, 11])).gives_up(), "the opponent has no chain of 12");
        let sooner = [
            beam(&[1, 8, 4, 9]),        // 8 before its 12
            beam(&[1, 2, 9, 9]),        // 9 as soon as its 12
            beam(&[1, 2, 4, 10]),       // 10 one turn later
            beam(&[1, 2, 4, 9, 11]),    // 11 two turns later
            beam(&[1, 2, 4, 9, 9, 12]), // 12 three turns later is late, 11 too
        ];
        let given_up = sooner.map(|own| outlook(&own, &opponents).gives_up());
        assert_eq!(given_up, [false, false, false, false, true]);
    }

    #[test]
    fn skill_mode_ends_when_something_happens() {
        let row = "##########".parse::<Field>().unwrap();
        let player = Player { field: row, stock: 25, gauge: Default::default(), score: 100 };
        let state = State { turn: 30, players: [player, Player { stock: 0, ..player }] };
        let expected = ExpectedState::after(&state);
        let two = "##########\n##########".parse().unwrap();
        let allowed = State {
            players: [Player { field: two, stock: 17, score: 109, ..player }, state.players[1]],
            ..state
        };
        assert!(expected.is_met(&allowed));
        let with = |change: fn(&mut State<Field>)| {
            let mut state = allowed;
            change(&mut state);
            expected.is_met(&state)
        };
        assert!(!with(|state| state.players[0].score = 110), "we have set off a chain of six");
        assert!(!with(|state| state.players[1].score = 110), "so has the opponent");
        assert!(!with(|state| state.players[1].stock = 10), "a row waits for the opponent");
        assert!(!with(|state| state.players[0].stock = 9), "none waits for us");
    }
}
