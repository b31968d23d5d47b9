//! The content of a shared text: a game or a position.
//!
//! It holds, in this order: the version; the packs, as a seed or one by one; the position, if the
//! game begins in one; the names and the actions. A game of 40 turns on the packs of a seed has
//! some 100 characters, a position some 100 too, most of them for the blocks on both fields.

use super::coder::{Adaptive, Coder, LinkReader, LinkWriter};
use crate::game::{
    Action, Cell, Cells, DropColumn, Gauge, HEIGHT, Number, Pack, Packs, Placement, Player, ROWS,
    Rotation, State, TURNS, WIDTH,
};
use crate::web::api::data::{
    GameData, PositionData, SEEDS, StartedGame, known_packs, packs_of, packs_text,
};
use crate::web::api::error::ClientError;

/// The version of the format, and the number of versions that a text can name.
const VERSION: [u32; 2] = [0, 8];

/// The number of packs after the turns of a game that are shared if no seed names the packs: the
/// depth of the bot's beam.
const AHEAD: usize = 16;

/// The most bytes of a name.
const NAME: usize = 30;

/// Bits of stocks and scores, whose largest number is a thousand million.
const BITS: u32 = 30;

/// Bits of seeds.
const SEED_BITS: u32 = SEEDS.trailing_zeros();

/// The number of actions.
const ACTIONS: u32 = Placement::COUNT as u32 + 1;

/// The content of a shared link.
#[derive(Clone, PartialEq, Debug)]
pub struct SharedGame {
    seed: Option<u64>,
    /// The packs from the first turn on; empty if a seed names them.
    packs: Vec<Pack>,
    /// The state in which the game begins, if it is not the start by the rules.
    start: Option<State<Cells>>,
    names: [String; 2],
    actions: Vec<[Action; 2]>,
}

impl SharedGame {
    /// A game.
    pub fn of_game(data: &GameData, game: &StartedGame) -> Self {
        let packs = game.packs.from_turn(game.start.turn);
        Self {
            seed: game.seed,
            packs: listed(packs, game.seed, game.actions.len() + AHEAD),
            start: data.start.is_some().then_some(game.start),
            names: data.names.each_ref().map(|name| cut(name)),
            actions: game.actions.clone(),
        }
    }

    /// A position.
    pub fn of_position(position: &PositionData) -> Result<Self, ClientError> {
        let state = position.state("position")?;
        let packs = packs_of(&position.packs, "position.packs")?;
        let known = known_packs(state.turn, packs, "position.packs")?;
        let packs = known.from_turn(state.turn);
        let is_known =
            |seed: &u64| *seed < SEEDS && Packs::from_seed(*seed).from_turn(state.turn) == packs;
        let seed = position.seed.filter(is_known);
        Ok(Self {
            seed,
            packs: listed(packs, seed, AHEAD),
            start: Some(state),
            names: [String::new(), String::new()],
            actions: Vec::new(),
        })
    }

    /// The game; it may break the rules.
    pub fn game(&self) -> Result<GameData, ClientError> {
        let turn = self.start.map_or(0, |state| state.turn);
        let packs = match self.seed {
            Some(seed) => packs_text(Packs::from_seed(seed).from_turn(turn)),
            None => packs_text(&self.packs),
        };
        let actions = self.actions.iter().map(|actions| actions.map(|action| action.to_string()));
        Ok(GameData {
            packs,
            seed: self.seed,
            start: self.start.map(|state| PositionData::of(&state, &[], None)),
            actions: actions.collect(),
            names: self.names.clone(),
            ..GameData::default()
        })
    }
}

/// The first `most` packs, or none if a seed names them.
fn listed(packs: &[Pack], seed: Option<u64>, most: usize) -> Vec<Pack> {
    match seed {
        Some(_) => Vec::new(),
        None => packs[..packs.len().min(most)].to_vec(),
    }
}

/// The first characters of a name, at most [`NAME`] bytes.
fn cut(name: &str) -> String {
    name[..name.floor_char_boundary(NAME)].to_owned()
}

/// Packs the shared content.
pub fn pack(shared: &SharedGame) -> String {
    let mut writer = LinkWriter::default();
    // Each part is unpacked unchanged.
    let _ = code(&mut writer, shared);
    writer.text()
}

/// Unpacks a text; `None` if it was not packed by [`pack`].
pub fn unpack(text: &str) -> Option<SharedGame> {
    let nothing = SharedGame {
        seed: None,
        packs: Vec::new(),
        start: None,
        names: [String::new(), String::new()],
        actions: Vec::new(),
    };
    let mut reader = LinkReader::new(text)?;
    let shared = code(&mut reader, &nothing)?;
    let most = shared.actions.len() + AHEAD;
    (reader.is_at_end() && shared.packs.len() <= most).then_some(shared)
}

/// Codes the shared content; `None` if a reader finds a value that no writer has.
fn code(coder: &mut impl Coder, shared: &SharedGame) -> Option<SharedGame> {
    let [version, versions] = VERSION;
    if coder.uniform(version, versions) != version {
        return None;
    }
    let is_drawn = flag(coder, shared.start.is_some());
    let start = match is_drawn {
        false => None,
        true => Some(state(coder, shared.start.as_ref().unwrap_or(&State::new()))?),
    };
    let has_seed = flag(coder, shared.seed.is_some());
    let (mut seed, mut packs) = (None, Vec::new());
    if has_seed {
        seed = Some(coder.number(shared.seed.unwrap_or_default(), SEED_BITS));
    } else {
        packs = listed_packs(coder, &shared.packs)?;
    }
    let names = [name(coder, &shared.names[0])?, name(coder, &shared.names[1])?];
    let length = coder.number(shared.actions.len() as u64, 9) as usize;
    let mut actions = Vec::with_capacity(length.min(TURNS));
    for turn in 0..length {
        let given = shared.actions.get(turn).copied().unwrap_or([Action::Skill; 2]);
        actions.push(given.map(|given| action(coder, given)));
    }
    (length <= TURNS).then_some(SharedGame { seed, packs, start, names, actions })
}

fn flag(coder: &mut impl Coder, flag: bool) -> bool {
    coder.uniform(flag.into(), 2) == 1
}

fn action(coder: &mut impl Coder, action: Action) -> Action {
    let index = match action {
        Action::Drop(Placement { column, rotation }) => column.get() * 4 + rotation.get(),
        Action::Skill => Placement::COUNT as u8,
    };
    let index = coder.uniform(index.into(), ACTIONS) as u8;
    match (DropColumn::new(index / 4), Rotation::new(index % 4)) {
        (Some(column), Some(rotation)) => Action::Drop(Placement { column, rotation }),
        _ => Action::Skill,
    }
}

fn name(coder: &mut impl Coder, name: &str) -> Option<String> {
    let length = coder.number(name.len() as u64, 5) as usize;
    let byte = |at: usize| {
        let byte = name.as_bytes().get(at).copied().unwrap_or_default();
        coder.uniform(byte.into(), 1 << 8) as u8
    };
    let bytes = (0..length).map(byte).collect();
    String::from_utf8(bytes).ok().filter(|name| name.len() <= NAME)
}

fn listed_packs(coder: &mut impl Coder, packs: &[Pack]) -> Option<Vec<Pack>> {
    let count = coder.number(packs.len() as u64, 9) as usize;
    if count > TURNS {
        return None;
    }
    // The empty cell, or 4 for none.
    let mut holes = Adaptive::<5>::new();
    let pack = |at: usize| {
        let codes = packs.get(at).map_or([0; 4], Pack::codes);
        let hole = holes.code(coder, codes.iter().position(|&code| code == 0).unwrap_or(4));
        let mut coded = [0; 4];
        for cell in (0..4).filter(|&cell| cell != hole) {
            coded[cell] = 1 + coder.uniform(u32::from(codes[cell].saturating_sub(1)), 9) as u8;
        }
        Pack::new(coded).ok()
    };
    (0..count).map(pack).collect()
}

fn state(coder: &mut impl Coder, state: &State<Cells>) -> Option<State<Cells>> {
    let turn = coder.uniform(state.turn as u32, TURNS as u32) as usize;
    let players = [player(coder, &state.players[0])?, player(coder, &state.players[1])?];
    Some(State { turn, players })
}

fn player(coder: &mut impl Coder, player: &Player<Cells>) -> Option<Player<Cells>> {
    let field = field(coder, &player.field)?;
    let stock = coder.number(player.stock, BITS);
    let gauge = Gauge::new(coder.uniform(player.gauge.get().into(), 101) as u8)?;
    let score = coder.number(player.score, BITS);
    Some(Player { field, stock, gauge, score })
}

/// The field, column by column: each height by its difference from the column before, each cell by
/// whether its neighbours below and on the left are ojama.
fn field(coder: &mut impl Coder, field: &Cells) -> Option<Cells> {
    /// The weight of a height by its difference from the height of the column before.
    const WEIGHTS: [u32; HEIGHT + 1] = [9, 7, 4, 3, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1];
    let heights = field.heights();
    let mut columns = [[Cell::Empty; ROWS]; WIDTH];
    let mut is_ojama = [const { Adaptive::<2>::new() }; 4];
    let mut numbers = Adaptive::<9>::new();
    let mut before = HEIGHT / 4;
    for x in 0..WIDTH {
        let weights: [u32; HEIGHT + 1] = std::array::from_fn(|y| WEIGHTS[y.abs_diff(before)]);
        let height = coder.weighted(heights[x].into(), &weights);
        before = height;
        for y in 0..height {
            let given = field.columns()[x][y];
            let below = y.checked_sub(1).is_some_and(|below| columns[x][below] == Cell::Ojama);
            let left = x.checked_sub(1).is_some_and(|left| columns[left][y] == Cell::Ojama);
            let context = usize::from(below) * 2 + usize::from(left);
            let ojama = usize::from(given == Cell::Ojama);
            columns[x][y] = match is_ojama[context].code(coder, ojama) {
                1 => Cell::Ojama,
                _ => {
                    let number = given.number().map_or(1, Number::get);
                    let number = numbers.code(coder, usize::from(number) - 1) as u8;
                    Cell::Block(Number::new(number + 1)?)
                }
            };
        }
    }
    Cells::from_columns(columns).ok()
}
