//! Games and positions as requests carry them, and their conversion into those of the rules.

use serde::{Deserialize, Serialize};

use super::client_error::ApiError;
use crate::game::{
    Action, Cells, Gauge, HEIGHT, Pack, Packs, Player, Seat, State, Stock, TURNS, Turn,
};
use crate::record::{Contestant, GameResult, Limits, play_answers};

/// The upper bound of the seeds of packs, not included: 2^53, up to which JavaScript's numbers are
/// exact.
pub const SEEDS: u64 = 1 << 53;

/// The most simulated drops of a search: about a minute of one thread.
pub const MOST_NODES: u64 = 1_000_000_000;

/// The greatest stock and score of a custom position, far beyond those of any game.
const MOST_POINTS: u64 = 1_000_000_000;

/// A seat as a number, 0 or 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(try_from = "u8", into = "u8")]
#[cfg_attr(test, schemars(with = "u8"))]
pub struct SeatNumber(u8);

impl TryFrom<u8> for SeatNumber {
    type Error = String;

    fn try_from(number: u8) -> Result<Self, String> {
        match number {
            0 | 1 => Ok(Self(number)),
            _ => Err(format!("expected a seat, 0 or 1, found {number}")),
        }
    }
}

impl From<SeatNumber> for u8 {
    fn from(seat: SeatNumber) -> Self {
        seat.0
    }
}

impl From<SeatNumber> for Seat {
    fn from(seat: SeatNumber) -> Self {
        if seat.0 == 0 { Self::First } else { Self::Second }
    }
}

impl From<Seat> for SeatNumber {
    fn from(seat: Seat) -> Self {
        Self(seat.index() as u8)
    }
}

/// A game: the packs and the actions of both players. States follow by the rules.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct GameData {
    /// The packs from the first turn of the game on, four digits each: upper left, upper right,
    /// lower left, lower right; 0 is empty. A game from turn 0 usually has 500. The game ends when
    /// no pack is left.
    pub packs: String,
    /// The seed of the packs, if they are those of a seed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// The position in which the game begins; none for the start of a game by the rules. The packs
    /// of the position are not used: `packs` has those of the game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<PositionData>,
    /// The actions of each turn, in the order of seats.
    #[serde(default)]
    pub actions: Vec<[String; 2]>,
    /// The names of the players; `player 0` and `player 1` are shown for empty names.
    #[serde(default)]
    pub names: [String; 2],
    /// Whole milliseconds that each player took for each turn; missing turns took none. A record
    /// has microseconds, which its import cuts off.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub think_ms: Vec<[u64; 2]>,
    /// The parts of a record that are not in these fields. A page that changes the game leaves
    /// out [`GameDetails::result`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub details: Option<Box<GameDetails>>,
}

/// The parts of a game's record that are not in the fields of [`GameData`].
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct GameDetails {
    /// When the game began, as `2026-11-21T08:00:00Z`; the present time if it is empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub date: String,
    /// The game's number in its match, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub number: Option<usize>,
    /// The source of the packs in words.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub packs_from: String,
    /// The time limits; [`Limits::CONTEST`] if there are none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limits: Option<Limits>,
    /// The players' commands, limits and used resources.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub players: Option<[Contestant; 2]>,
    /// The number of turns before the clocks started, which both players played alike.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub opening: usize,
    /// The result. Needed only where a fault or the referee's adjudication ended the game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<GameResult>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
const fn is_zero(number: &usize) -> bool {
    *number == 0
}

/// The game between two turns.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct PositionData {
    /// The number of the turn to play next, 0 to 499; 500 only in results, after the last turn.
    pub turn: usize,
    /// The packs from this turn on, as in [`GameData::packs`].
    #[serde(default)]
    pub packs: String,
    /// The seed of the packs, if they are all packs of a seed from this turn on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// Both players, in the order of seats.
    pub players: [PlayerData; 2],
}

/// A player of a [`PositionData`].
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct PlayerData {
    /// The field: a line for each row from the top, ten of `.`, `1` to `9` and `#`. Rows above
    /// those given are empty.
    #[serde(default)]
    pub field: String,
    /// Ojama that wait to fall.
    #[serde(default)]
    pub stock: u64,
    /// The gauge, 0 to 100.
    #[serde(default)]
    pub gauge: u8,
    /// The score.
    #[serde(default)]
    pub score: u64,
}

/// Packs as a text, four digits each.
pub fn packs_text(packs: &[Pack]) -> String {
    packs.iter().flat_map(Pack::codes).map(|code| char::from(b'0' + code)).collect()
}

/// Reads packs from a text of four digits each; `field` is named in errors.
pub fn packs_of(text: &str, field: &str) -> Result<Vec<Pack>, ApiError> {
    let invalid = |reason: String| ApiError::bad_request(format!("`{field}`: {reason}"));
    let (packs, rest) = text.as_bytes().as_chunks::<4>();
    if !rest.is_empty() {
        let found = text.len();
        return Err(invalid(format!("expected four digits a pack, found a text of {found} bytes")));
    }
    if packs.len() > TURNS {
        return Err(invalid(format!("expected at most {TURNS} packs, found {}", packs.len())));
    }
    let pack = |(index, digits): (usize, &[u8; 4])| {
        // A character that is no digit becomes a number that no cell has.
        let cells = digits.map(|digit| digit.wrapping_sub(b'0'));
        Pack::new(cells).map_err(|error| invalid(format!("pack {index}: {error}")))
    };
    packs.iter().enumerate().map(pack).collect()
}

impl PlayerData {
    /// The data of a player.
    pub fn of(player: &Player<Cells>) -> Self {
        Self {
            field: player.field.to_string().trim_end().to_owned(),
            stock: player.stock,
            gauge: player.gauge.get(),
            score: player.score,
        }
    }

    /// The player; `place` is named in errors.
    fn player(&self, place: &str) -> Result<Player<Cells>, ApiError> {
        let invalid = |key: &str, reason: String| {
            ApiError::bad_position(format!("`{place}.{key}`: {reason}"))
        };
        let field: Cells =
            self.field.parse().map_err(|error| invalid("field", format!("{error}")))?;
        let height = usize::from(field.tallest());
        if height > HEIGHT {
            let reason = format!("expected at most {HEIGHT} rows, found a block in row {height}");
            return Err(invalid("field", reason));
        }
        for (key, number) in [("stock", self.stock), ("score", self.score)] {
            if number > MOST_POINTS {
                let reason = format!("expected at most {MOST_POINTS}, found {number}");
                return Err(invalid(key, reason));
            }
        }
        let gauge = Gauge::new(self.gauge)
            .ok_or_else(|| invalid("gauge", format!("expected 0 to 100, found {}", self.gauge)))?;
        Ok(Player { field, stock: self.stock as Stock, gauge, score: self.score })
    }
}

impl PositionData {
    /// The data of a state and the packs from its turn on.
    pub fn of(state: &State<Cells>, packs: &[Pack], seed: Option<u64>) -> Self {
        Self {
            turn: state.turn,
            packs: packs_text(packs),
            seed,
            players: state.players.each_ref().map(PlayerData::of),
        }
    }

    /// The state; `place` is named in errors.
    pub fn state(&self, place: &str) -> Result<State<Cells>, ApiError> {
        if self.turn >= TURNS {
            let (most, found) = (TURNS - 1, self.turn);
            let reason = format!("`{place}.turn`: expected 0 to {most}, found {found}");
            return Err(ApiError::bad_position(reason));
        }
        let player = |seat: usize| self.players[seat].player(&format!("{place}.players[{seat}]"));
        Ok(State { turn: self.turn, players: [player(0)?, player(1)?] })
    }

    /// The state, and the packs from its turn on, at least one.
    pub fn searched(&self) -> Result<(State<Cells>, Packs), ApiError> {
        let state = self.state("position")?;
        let packs = packs_of(&self.packs, "position.packs")?;
        if packs.is_empty() {
            let reason = "`position.packs`: expected the pack of the turn, found none";
            return Err(ApiError::bad_position(reason));
        }
        let packs = known_packs(self.turn, packs, "position.packs")?;
        Ok((state, packs))
    }
}

/// Checks that at most one player has a stock, as between turns of a game: the searches know no
/// other positions.
pub fn check_stocks(state: &State<Cells>) -> Result<(), ApiError> {
    match state.players.each_ref().map(|player| player.stock) {
        [0, _] | [_, 0] => Ok(()),
        [first, second] => Err(ApiError::bad_position(format!(
            "`position.players`: expected a `stock` of 0 for one player, because stocks offset each \
             other, found {first} and {second}"
        ))),
    }
}

/// Checks a number of simulated drops.
pub fn checked_nodes(nodes: u64) -> Result<u64, ApiError> {
    match nodes {
        1..=MOST_NODES => Ok(nodes),
        _ => {
            let reason = format!("`nodes`: expected 1 to {MOST_NODES}, found {nodes}");
            Err(ApiError::bad_request(reason))
        }
    }
}

/// The packs of a game of which those from `turn` on are known; `field` is named in errors.
pub fn known_packs(turn: usize, packs: Vec<Pack>, field: &str) -> Result<Packs, ApiError> {
    let (most, found) = (TURNS - turn, packs.len());
    Packs::known(turn, packs).ok_or_else(|| {
        let reason = format!("`{field}`: expected at most {most} packs from turn {turn} on, found");
        ApiError::bad_request(format!("{reason} {found}"))
    })
}

/// A game that was played again by the rules.
#[derive(Clone, PartialEq, Debug)]
pub struct StartedGame {
    /// The packs; those before the first turn are not known.
    pub packs: Packs,
    /// The seed of the packs, if they are those of a seed.
    pub seed: Option<u64>,
    /// The state before the first turn.
    pub start: State<Cells>,
    /// The actions of the turns that were played.
    pub actions: Vec<[Action; 2]>,
    /// The turns that were played.
    pub turns: Vec<Turn<Cells>>,
    /// Why the turns end before the actions do, if an action breaks the rules.
    pub problem: Option<String>,
}

impl StartedGame {
    /// Plays a game up to its first action that breaks the rules.
    ///
    /// # Errors
    /// The packs or the start are wrong.
    pub fn up_to_a_problem(game: &GameData) -> Result<Self, ApiError> {
        let start = match &game.start {
            None => State::new(),
            Some(position) => position.state("game.start")?,
        };
        let packs = known_packs(start.turn, packs_of(&game.packs, "game.packs")?, "game.packs")?;
        let of_seed = |&seed: &u64| {
            let all = || Packs::from_seed(seed);
            seed < SEEDS && all().from_turn(start.turn) == packs.from_turn(start.turn)
        };
        let (seed, at_first) = (game.seed.filter(of_seed), start);
        let mut played = Self {
            packs,
            seed,
            start: at_first,
            actions: Vec::new(),
            turns: Vec::new(),
            problem: None,
        };
        for actions in &game.actions {
            let state = played.state();
            match play_answers(state, &played.packs, actions) {
                Ok((actions, turn)) => {
                    played.actions.push(actions);
                    played.turns.push(turn);
                }
                Err(reason) => {
                    played.problem = Some(format!("turn {}: {reason}", state.turn));
                    break;
                }
            }
        }
        Ok(played)
    }

    /// Plays a whole game.
    ///
    /// # Errors
    /// As [`Self::up_to_a_problem`]; also fails if an action breaks the rules.
    pub fn whole(game: &GameData) -> Result<Self, ApiError> {
        let played = Self::up_to_a_problem(game)?;
        match &played.problem {
            Some(problem) => Err(ApiError::illegal(problem)),
            None => Ok(played),
        }
    }

    /// The state after the last turn.
    pub fn state(&self) -> &State<Cells> {
        self.turns.last().map_or(&self.start, |turn| &turn.after)
    }

    /// The state before the turn `turn`, if the game has it.
    pub fn before(&self, turn: usize) -> Option<&State<Cells>> {
        match turn.checked_sub(self.start.turn)? {
            0 => Some(&self.start),
            played => self.turns.get(played - 1).map(|turn| &turn.after),
        }
    }

    /// The number of turns of an opening of at most `most` turns: both players act alike in all of
    /// them.
    pub fn opening(&self, most: usize) -> usize {
        let alike = self.actions.iter().take_while(|[first, second]| first == second);
        alike.take(most).count()
    }
}
