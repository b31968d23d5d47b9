//! Positions of games for other programs, as JSON Lines.

use std::num::NonZeroUsize;

use serde::{Deserialize, Serialize};

use super::player_game::parsed;
use crate::arena::rating::Tally;
use crate::game::{Cells, HEIGHT, Pack, Player, Seat, State, WIDTH};
use crate::record::Record;

/// A player's view of a turn, and the player's action. A line of `tensai stats positions` is such
/// an object.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Position {
    /// The number of the game in this output, from 1.
    pub game: usize,
    /// The path of the game's record, shown as in messages.
    pub file: String,
    /// The turn, 0 to 499.
    pub turn: usize,
    /// The player's seat, 0 or 1.
    pub seat: usize,
    /// The name of the player's engine.
    pub engine: String,
    /// The packs to come: that of the turn, then those of the following turns. Each has two rows of
    /// two numbers, the upper row first; 0 is empty. There are fewer at the end of the game.
    pub packs: Vec<[[u8; 2]; 2]>,
    /// The player's side before the turn.
    pub own: PlayerPosition,
    /// The opponent's side before the turn.
    pub opponent: PlayerPosition,
    /// The player's action, as the protocol writes it: `POSITION ROTATION` or `S`.
    pub action: String,
    /// The length of the action's chain; 0 if there was none.
    pub chain: u8,
    /// Blocks that the skill blew up.
    pub explosion: u8,
    /// Ojama that the action sent, before the offset.
    pub sent: u64,
    /// The time that the player took for the answer, in microseconds.
    pub think_us: u64,
    /// The player's result of the game: 1 won, 0.5 drawn, 0 lost.
    pub result: f64,
}

/// The side of a player at the beginning of a turn, before a row of ojama falls.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct PlayerPosition {
    /// The field: 16 rows, the topmost first, each of 10 cells from the left. A cell is 0 if it is
    /// empty, 1 to 9 for a block, 11 for ojama, as in the protocol.
    pub field: [[u8; WIDTH]; HEIGHT],
    /// Ojama that wait to fall on the player.
    pub stock: u64,
    /// The skill gauge, 0 to 100.
    pub gauge: u8,
    /// The score.
    pub score: u64,
    /// The time left for the game, in milliseconds; `null` if the player's clock did not run.
    pub left_ms: Option<u64>,
}

impl PlayerPosition {
    fn of(player: &Player<Cells>, record: &Record, seat: Seat, turn: usize) -> Self {
        let runs = record.players[seat.index()].nodes.is_none();
        Self {
            field: player.field.rows().map(|row| row.map(|cell| cell.code())),
            stock: player.stock,
            gauge: player.gauge.get(),
            score: player.score,
            left_ms: runs.then(|| record.time_left(seat, turn).as_millis() as u64),
        }
    }
}

/// The positions of a game: for each turn that the engines decided, that of the first player and
/// that of the second; the turns of a random opening are left out. `game` and `file` identify the
/// game, `packs` is the number of packs to come of each position.
///
/// # Errors
/// Describes the first turn that breaks the rules.
pub fn positions(
    game: usize,
    file: &str,
    record: &Record,
    packs: NonZeroUsize,
) -> Result<Vec<Position>, String> {
    let all_packs = record.packs()?;
    let mut state = State::new();
    let mut positions = Vec::with_capacity(2 * record.turns.len());
    for (turn, played) in record.replay()?.into_iter().enumerate() {
        if turn < record.opening {
            state = played.after;
            continue;
        }
        let next = all_packs.from_turn(turn).iter().take(packs.get()).map(Pack::rows);
        let next: Vec<_> = next.collect();
        let sides = Seat::BOTH.map(|seat| PlayerPosition::of(&state[seat], record, seat, turn));
        for seat in Seat::BOTH {
            let (index, step) = (seat.index(), &played.steps[seat.index()]);
            positions.push(Position {
                game,
                file: file.to_owned(),
                turn,
                seat: index,
                engine: record.name(seat),
                packs: next.clone(),
                own: sides[index].clone(),
                opponent: sides[seat.other().index()].clone(),
                action: parsed(&record.turns[turn].answers[index])?.to_string(),
                chain: step.chain.0,
                explosion: step.explosion.0,
                sent: step.sent(),
                think_us: record.turns[turn].think_us[index],
                result: Tally::of(record.result.verdict, seat).points(),
            });
        }
        state = played.after;
    }
    Ok(positions)
}

#[cfg(test)]
mod tests {
    use super::super::samples::exchange;
    use super::*;

    #[test]
    fn positions_are_those_before_the_turn() {
        let record = exchange();
        let all = positions(3, "x.json", &record, NonZeroUsize::MIN).unwrap();
        assert_eq!(all.len(), 6);
        // The second player in turn 2, after the first one's chain of two.
        let position = &all[5];
        assert_eq!((position.game, position.turn, position.seat), (3, 2, 1));
        assert_eq!(position.packs, [[[4, 0], [8, 1]]]);
        assert_eq!(position.own.field[15], [2, 3, 0, 0, 8, 1, 0, 0, 0, 0]);
        assert_eq!(position.own.field[14], [9, 0, 0, 0, 4, 0, 0, 0, 0, 0]);
        assert_eq!((position.own.stock, position.opponent.stock), (1, 0));
        assert_eq!((position.opponent.score, position.opponent.gauge), (2, 8));
        assert_eq!(position.own.left_ms, Some(180_000 - 6));
        assert_eq!((&*position.action, position.chain, position.sent), ("0 0", 2, 1));
        assert_eq!(position.result, 0.0);
        assert_eq!(all[4].result, 1.0);
        assert_eq!(all[5].own, all[4].opponent);
        let with_opening = Record { opening: 1, ..exchange() };
        let decided = positions(3, "x.json", &with_opening, NonZeroUsize::MIN).unwrap();
        assert_eq!(decided, all[2..], "no engine decided the first turn");
    }

    #[test]
    fn a_position_reads_back_from_json() {
        let packs = NonZeroUsize::new(600).unwrap();
        let all = positions(1, "x.json", &exchange(), packs).unwrap();
        assert_eq!(all[2].packs.len(), 499, "all that are left");
        for position in all {
            let json = serde_json::to_string(&position).unwrap();
            assert_eq!(serde_json::from_str::<Position>(&json).unwrap(), position);
        }
    }
}
