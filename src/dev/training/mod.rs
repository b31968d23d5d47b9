//! Training: the win probability from recorded games, and the weights of a beam from its chains.
//!
//! * [`TrainingPosition`], [`positions`]: the positions of a game that the model is fitted to;
//! * [`data`]: the file that holds positions;
//! * [`fit()`]: the weights under which the games are most likely, by Newton's method;
//! * [`constant`]: the weights as Rust source;
//! * [`Quality`] and [`report`]: how well win probabilities predict the winners;
//! * [`chains`]: the lengths of the chains that beams find with given weights;
//! * [`Climb`]: a search for the weights with the longest chains, by comparison.

mod beam_spsa;
pub mod chains;
mod check;
pub mod constant;
pub mod data;
mod fit;

use std::hash::Hasher as _;
use std::num::NonZeroUsize;

use fnv::FnvHasher;
use serde_json::Value;

use crate::board::{ChildBuffer, Field};
use crate::engine::win_probability::{Features, Measures, TURNS_AHEAD};
use crate::game::{DropColumns, Player, Seat, State};
use crate::record::Record;
use crate::search::beam::{self, BeamRequest};
use crate::search::{Budget, Payoff, Rain};
use crate::util::parallel::map_shared_out;

pub use beam_spsa::Climb;
pub use check::{Quality, report};
pub use fit::fit;

/// The first turn used: before it, both fields are almost empty.
const FIRST_TURN: usize = 4;

/// The last turn used: later turns of a few games would outweigh all others.
const LAST_TURN: usize = 120;

/// One game in this many is held out, chosen by its packs, so that no game with the same packs is
/// among the games used for the fit.
const HELD_OUT: u64 = 5;

/// The start of a turn, and the result of its game.
#[derive(Clone, PartialEq, Debug)]
pub struct TrainingPosition {
    /// The folder and file of the game's record.
    pub game: String,
    /// A hash of the game's packs.
    pub packs: u64,
    /// The turn, 0 to 499.
    pub turn: usize,
    /// 1 if the first player won, 0 if the second, 0.5 for a draw.
    pub result: f64,
    /// The measures of both players.
    pub players: [Measures; 2],
    /// The value of the plan that each player followed, -1 (lost) to 1 (won), by its own report;
    /// `None` if it reported none.
    pub plans: [Option<Payoff>; 2],
}

/// A position as one of its players sees it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PlayersView {
    /// The turn, 0 to 499.
    pub turn: usize,
    /// The features.
    pub features: Features,
    /// The opponent's stock minus the player's, in ojama.
    pub stock_difference: f64,
    /// 1 if the player won, 0 if it lost, 0.5 for a draw.
    pub result: f64,
}

impl TrainingPosition {
    /// Returns whether the position's game is held out from the fit.
    pub const fn is_held_out(&self) -> bool {
        self.packs.is_multiple_of(HELD_OUT)
    }

    /// Returns the position as each player sees it.
    pub fn views(&self) -> [PlayersView; 2] {
        Seat::BOTH.map(|seat| {
            let [own, opponent] = [seat, seat.other()].map(|seat| &self.players[seat.index()]);
            let features = Features::between(own, opponent, self.turn);
            PlayersView {
                turn: self.turn,
                features: features.with_plan(self.plans[seat.index()], self.turn),
                stock_difference: opponent.stock as f64 - own.stock as f64,
                result: if seat == Seat::First { self.result } else { 1.0 - self.result },
            }
        })
    }
}

/// Returns the positions of a game that the model is fitted to. Returns no positions of a game that
/// a fault ended or that was stopped. Adjudicated games are used.
///
/// Each player's curve comes from a beam of `drops` drops. The result does not depend on `threads`.
///
/// # Errors
/// The message names the turn that breaks the rules.
///
/// # Panics
/// If a thread cannot be started.
pub fn positions(
    game: &str,
    record: &Record,
    drops: u64,
    threads: NonZeroUsize,
) -> Result<Vec<TrainingPosition>, String> {
    if record.result.end.is_none() {
        return Ok(Vec::new());
    }
    let result = record.result.verdict.score(Seat::First);
    let packs = record.packs()?;
    let mut hasher = FnvHasher::default();
    record.packs.as_flattened().as_flattened().iter().for_each(|&cell| hasher.write_u8(cell));
    let hash = hasher.finish();
    let states = record.replay()?.into_iter().map(|turn| turn.after);
    // The drops of an opening are random, and no player decides them.
    let turns = FIRST_TURN.max(record.opening)..=LAST_TURN;
    let states = states.filter(|state| turns.contains(&state.turn) && state.end().is_none());
    let states: Vec<State<Field>> = states.map(|state| state.convert()).collect();
    let measured = |state: &State<Field>| {
        let ahead = packs.from_turn(state.turn);
        let measure = |player: &Player<Field>| {
            let rain = Rain::of_stock(player.stock);
            let (depth, columns) = (TURNS_AHEAD, DropColumns::ALL);
            let request = BeamRequest { field: player.field, packs: ahead, rain, depth, columns };
            let found = beam::search(&request, &Budget::new(drops, None));
            Measures::of(player, &found.most_sent(), &mut ChildBuffer::new())
        };
        let players = state.players.each_ref().map(measure);
        let info = record.turns.get(state.turn).map(|turn| &turn.info);
        let value = |seat: Seat| {
            info.and_then(|info| followed_value(&info[seat.index()].as_ref()?.value()))
        };
        TrainingPosition {
            game: game.to_owned(),
            packs: hash,
            turn: state.turn,
            result,
            players,
            plans: Seat::BOTH.map(value),
        }
    };
    Ok(map_shared_out(&states, threads, measured))
}

/// Returns the value of the plan that a bot follows by its `info`, limited to -1 to 1; `None` if
/// `info` has none, as the schema `info.json` defines it.
fn followed_value(info: &Value) -> Option<Payoff> {
    let [chain, turn] = ["plan_chain", "plan_turn"].map(|name| info.get(name));
    let plans = info.get("plans")?.as_array()?;
    let plan = plans.iter().find(|plan| plan.get("chain") == chain && plan.get("turn") == turn)?;
    Some(Payoff(plan.get("value")?.as_f64()?.clamp(-1.0, 1.0)))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_value_of_the_followed_plan_is_found() {
        let plans = json!([
            { "chain": 9, "turn": 12, "value": 0.4 },
            { "chain": 12, "turn": 14, "value": 1.03 },
            { "chain": 12, "turn": 15 },
        ]);
        let value = |chain: u8, turn: usize| {
            let info = json!({ "plan_chain": chain, "plan_turn": turn, "plans": plans });
            followed_value(&info).map(|Payoff(value)| value)
        };
        assert_eq!([value(9, 12), value(12, 14)], [Some(0.4), Some(1.0)]);
        assert_eq!([value(9, 14), value(12, 15)], [None, None]);
        for info in [json!({}), json!({ "plans": 3 }), json!("text"), json!({ "plans": [{}] })] {
            assert_eq!(followed_value(&info), None, "{info}");
        }
    }

    #[test]
    fn both_players_see_their_own_plan() {
        let player = |stock| Measures { stock, ..Measures::default() };
        let position = TrainingPosition {
            game: String::new(),
            packs: 0,
            turn: 9,
            result: 1.0,
            players: [player(3), player(40)],
            plans: [None, Some(Payoff(-0.25))],
        };
        let [first, second] = position.views();
        assert_eq!((first.result, first.stock_difference), (1.0, 37.0));
        assert_eq!((second.result, second.stock_difference), (0.0, -37.0));
        let plain = Features::between(&player(40), &player(3), 9);
        assert_eq!(second.features, plain.with_plan(Some(Payoff(-0.25)), 9));
        assert_eq!(first.features, Features::between(&player(3), &player(40), 9));
    }
}
