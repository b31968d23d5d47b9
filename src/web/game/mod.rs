//! A recorded game as JSON for the page.
//!
//! Fields are written as changes. A cell is two characters: the column as a digit, and the row from
//! the bottom as a letter from `a`.

mod bot_info;

use serde::Serialize;

use crate::board::{ChildBuffer, Field};
use crate::game::trace::{CellIndex, Trace};
use crate::game::{
    self, Action, Cell, Cells, Pack, Packs, Placement, Player, ROWS, Seat, State, Verdict, WIDTH,
};
use crate::record::{Record, plain};
use crate::web::game::bot_info::BotInfo;

/// A game. A page contains thousands of turns, so a turn names each list once for both seats.
#[derive(Serialize, Debug)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct PageGame {
    number: usize,
    names: [String; 2],
    outcome: String,
    /// The winner's seat, or `None` for a draw and for a game that is not over.
    winner: Option<usize>,
    /// Whether the game was stopped, or is still running.
    cut: bool,
    date: String,
    packs_from: String,
    /// All packs from the first turn on, four characters each: upper left, upper right, lower left,
    /// lower right.
    packs: String,
    /// Milliseconds that each player has for the game; `None` without a clock.
    time: [Option<u64>; 2],
    /// Each seat's longest chain.
    longest: [usize; 2],
    scores: [u64; 2],
    /// The state before the first turn, unless the game begins with empty fields.
    #[serde(skip_serializing_if = "Option::is_none")]
    start: Option<Start>,
    turns: Vec<PageTurn>,
    /// The faults that ended the game, in words.
    faults: Vec<String>,
}

/// The state before the first turn of a game. Pairs are in the order of seats.
#[derive(Serialize, Debug)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Start {
    /// The number of the first turn.
    turn: usize,
    /// Fields, as changes from empty ones.
    fields: [String; 2],
    /// Stocks.
    stocks: [u64; 2],
    /// Gauges.
    gauges: [u8; 2],
    /// Scores.
    scores: [u64; 2],
    /// Potentials.
    potentials: [u8; 2],
}

/// A turn. Pairs are in the order of seats; values are those after the turn.
#[derive(Serialize, Debug)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct PageTurn {
    /// Answers.
    actions: [String; 2],
    /// The packs above the fields, rotated as they are dropped, as changes of a field.
    hover: [String; 2],
    /// The steps of the turn. The fields as they are before it, which the page shows first, are no
    /// step here.
    steps: Vec<PageStep>,
    /// Stocks.
    stocks: [u64; 2],
    /// Gauges.
    gauges: [u8; 2],
    /// Scores.
    scores: [u64; 2],
    /// Chains.
    chains: [usize; 2],
    /// Blocks that exploded.
    explosions: [u8; 2],
    /// Ojama sent.
    sent: [u64; 2],
    /// Potentials.
    potentials: [u8; 2],
    /// Milliseconds thought.
    think_ms: [u64; 2],
    /// Milliseconds left.
    left_ms: [u64; 2],
    /// The bots' `info`.
    #[serde(skip_serializing_if = "is_silent")]
    info: [Option<BotInfo>; 2],
}

fn is_silent(infos: &[Option<BotInfo>; 2]) -> bool {
    infos.iter().all(Option::is_none)
}

/// The kind of a step; then for each seat the changes of the field, and the marked cells, if the
/// kind marks any.
///
/// Kinds: `r` a row of ojama has fallen; `d` the packs have landed, or the blocks that the skill
/// will blow up are marked; `x` these blocks are gone; `m` the pairs of a round are marked; `f`
/// these pairs are gone.
type PageStep<const N: usize = 2> = (char, [String; N], [String; N]);

/// A played turn, and the actions that led to it.
struct PlayedTurn<'a> {
    before: State<Cells>,
    actions: [Action; 2],
    turn: &'a game::Turn<Cells>,
}

impl PageGame {
    /// Converts a record; `number` is the game's number on the page.
    ///
    /// # Errors
    /// Describes the first turn that breaks the rules.
    pub fn new(record: &Record, number: usize) -> Result<Self, String> {
        let (packs, turns) = (record.packs()?, record.replay()?);
        Self::of_turns(record, number, &packs, &State::new(), &turns, 0)
    }

    /// Converts the turns of a game that began in the state `start`, without the first `skipped` of
    /// them. The turns are those of `record`, whose packs count from the first turn on.
    ///
    /// # Errors
    /// An answer of the record is no action, or a pack is missing.
    pub fn of_turns(
        record: &Record,
        number: usize,
        packs: &Packs,
        start: &State<Cells>,
        played: &[game::Turn<Cells>],
        skipped: usize,
    ) -> Result<Self, String> {
        let before = |index: usize| match index.checked_sub(1) {
            None => *start,
            Some(last) => played[last].after,
        };
        let begin = before(skipped.min(played.len()));
        let mut turns = Vec::with_capacity(played.len());
        let mut longest = [0, 0];
        for (index, turn) in played.iter().enumerate() {
            let answers = record.turns.get(index).ok_or("a turn of the record is missing")?;
            let actions = [0, 1].map(|seat: usize| answers.answers[seat].parse::<Action>());
            let [Ok(first), Ok(second)] = actions else {
                return Err("an answer is not an action".into());
            };
            longest = [0, 1].map(|seat| turn.steps[seat].chain.0.max(longest[seat]));
            if index >= skipped {
                let played = PlayedTurn { before: before(index), actions: [first, second], turn };
                turns.push(PageTurn::new(record, packs, index, &played)?);
            }
        }
        let faults = Seat::BOTH.into_iter().filter_map(|seat| {
            let fault = record.result.faults[seat.index()].as_ref()?;
            Some(format!("{}: {}: {}", record.name(seat), fault.fault.name(), plain(&fault.reason)))
        });
        Ok(Self {
            number,
            names: Seat::BOTH.map(|seat| record.name(seat)),
            outcome: record.outcome(),
            winner: match record.result.verdict {
                Verdict::Win(seat) => Some(seat.index()),
                Verdict::Draw => None,
            },
            cut: record.is_cut_short(),
            date: plain(&record.date),
            packs_from: plain(&record.packs_from),
            packs: record.packs[skipped.min(record.packs.len())..]
                .as_flattened()
                .as_flattened()
                .iter()
                .map(u8::to_string)
                .collect(),
            time: [0, 1].map(|seat: usize| {
                let player = &record.players[seat];
                let time = player.time_ms.unwrap_or(record.limits.game_ms);
                player.nodes.is_none().then_some(time)
            }),
            start: (begin != State::new()).then(|| Start::new(&begin)),
            longest: longest.map(usize::from),
            scores: played.last().map_or(start, |turn| &turn.after).players.map(|p| p.score),
            turns,
            faults: faults.collect(),
        })
    }

    /// Leaves out the clocks, of a game that was played without.
    pub const fn forget_clocks(&mut self) {
        self.time = [None, None];
    }
}

impl PageTurn {
    /// The turn at `index` of the record.
    fn new(
        record: &Record,
        packs: &Packs,
        index: usize,
        played: &PlayedTurn<'_>,
    ) -> Result<Self, String> {
        let PlayedTurn { before, actions, turn } = played;
        let packs = packs.from_turn(before.turn);
        let pack = packs.first().ok_or("no pack is left")?;
        let traces =
            [0, 1].map(|seat: usize| Trace::new(&before.players[seat], pack, actions[seat]));
        let recorded = &record.turns[index];
        let infos = [0, 1].map(|seat: usize| {
            let info = recorded.info[seat].as_ref()?;
            Some(BotInfo::new(&info.value(), &before.players[seat], packs))
        });
        let after = turn.after.players;
        Ok(Self {
            actions: actions.map(|action| action.to_string()),
            hover: actions.map(|action| hover(pack, action)),
            steps: steps(&before.players, &traces),
            stocks: after.map(|player| player.stock),
            gauges: after.map(|player| player.gauge.get()),
            scores: after.map(|player| player.score),
            chains: traces.each_ref().map(|trace| trace.rounds.len()),
            explosions: turn.steps.map(|step| step.explosion.0),
            sent: turn.steps.map(|step| step.sent()),
            potentials: potentials(after),
            think_ms: recorded.think_us.map(|time| time / 1000),
            left_ms: Seat::BOTH.map(|seat| record.time_left(seat, index + 1).as_millis() as u64),
            info: infos,
        })
    }
}

impl Start {
    fn new(state: &State<Cells>) -> Self {
        let players = &state.players;
        Self {
            turn: state.turn,
            fields: players.map(|player| changes(&Cells::EMPTY, &player.field)),
            stocks: players.map(|player| player.stock),
            gauges: players.map(|player| player.gauge.get()),
            scores: players.map(|player| player.score),
            potentials: potentials(*players),
        }
    }
}

/// The pack above the field, before it falls: in the two topmost rows, which no row of ojama
/// reaches.
fn hover(pack: &Pack, action: Action) -> String {
    let Action::Drop(Placement { column, rotation }) = action else { return String::new() };
    let mut columns = [[Cell::Empty; ROWS]; WIDTH];
    let left = usize::from(column.get());
    for (x, (lower, upper)) in (left..).zip(pack.columns(rotation)) {
        columns[x][0] = lower.map_or(Cell::Empty, Cell::Block);
        columns[x][1] = upper.map_or(Cell::Empty, Cell::Block);
    }
    let mut text = String::new();
    for (x, column) in columns.iter().enumerate() {
        for (y, cell) in column[..2].iter().enumerate().filter(|(_, cell)| !cell.is_empty()) {
            text.extend(cell_code((x, ROWS - 2 + y)));
            text.push(cell.symbol());
        }
    }
    text
}

/// The steps of the players, side by side: a player with fewer rounds waits for the other.
fn steps<const N: usize>(before: &[Player<Cells>; N], traces: &[Trace; N]) -> Vec<PageStep<N>> {
    let mut fields = before.map(|player| player.field);
    let mut steps = Vec::new();
    let mut add = |kind: char, next: [Option<&Cells>; N], marks: [String; N]| {
        let changed = std::array::from_fn(|seat| {
            let next = next[seat].unwrap_or(&fields[seat]);
            changes(&fields[seat], next)
        });
        for (field, next) in fields.iter_mut().zip(next) {
            *field = *next.unwrap_or(field);
        }
        steps.push((kind, changed, marks));
    };
    let none = || [const { String::new() }; N];
    let rained = traces.each_ref().map(|trace| trace.rained.as_ref());
    if rained.iter().any(Option::is_some) {
        add('r', rained, none());
    }
    let bursts = traces.each_ref().map(|trace| trace.explosion.as_ref());
    let exploding =
        bursts.map(|burst| burst.map_or_else(String::new, |burst| cell_codes(&burst.cells)));
    add('d', traces.each_ref().map(|trace| Some(&trace.acted)), exploding);
    if bursts.iter().any(Option::is_some) {
        add('x', bursts.map(|burst| burst.map(|burst| &burst.after)), none());
    }
    for round in 0..traces.iter().map(|trace| trace.rounds.len()).max().unwrap_or(0) {
        let rounds = traces.each_ref().map(|trace| trace.rounds.get(round));
        let marked = rounds.map(|round| round.map_or_else(String::new, |r| pairs(&r.pairs)));
        add('m', [None; N], marked);
        add('f', rounds.map(|round| round.map(|round| &round.after)), none());
    }
    steps
}

/// The steps of one player's half of a turn: the kind, the changes, the marked cells.
pub fn steps_of_one(player: &Player<Cells>, trace: Trace) -> Vec<(char, String, String)> {
    let steps = steps(&[*player], &[trace]);
    steps.into_iter().map(|(kind, [changes], [marks])| (kind, changes, marks)).collect()
}

/// The potentials of both fields, computed with the fast simulator.
fn potentials(players: [Player<Cells>; 2]) -> [u8; 2] {
    let mut buffer = ChildBuffer::new();
    players.map(|player| {
        // A player past the danger line has lost, so the potential does not matter.
        if player.field.is_over() {
            return 0;
        }
        Field::from_cells(&player.field).potential(&mut buffer).chain.0
    })
}

/// The two characters of a cell.
fn cell_code((x, y): CellIndex) -> [char; 2] {
    [char::from(b'0' + x as u8), char::from(b'a' + y as u8)]
}

/// The changes that turn `from` into `to`: for each cell that differs, its cell and its new
/// content as in drawings (`.`, a digit, `#`).
fn changes(from: &Cells, to: &Cells) -> String {
    let cell_codes = (0..WIDTH).flat_map(|x| (0..ROWS).map(move |y| (x, y)));
    let mut text = String::new();
    for (x, y) in cell_codes {
        let cell = to.columns()[x][y];
        if from.columns()[x][y] != cell {
            text.extend(cell_code((x, y)));
            text.push(cell.symbol());
        }
    }
    text
}

/// The cells of pairs, two for each pair.
fn pairs(pairs: &[[CellIndex; 2]]) -> String {
    cell_codes(pairs.as_flattened())
}

/// The given cells, one after the other.
fn cell_codes(cell_codes: &[CellIndex]) -> String {
    cell_codes.iter().flat_map(|&at| cell_code(at)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_column_has_a_potential_and_a_lost_field_has_none() {
        // Without the 5, the 9 falls on a 1.
        let player = |rows: usize| {
            let ones = "1.........\n".repeat(rows - 2);
            let field = format!("9.........\n5.........\n{ones}").parse().unwrap();
            Player { field, ..Player::<Cells>::new() }
        };
        assert_eq!(potentials([player(16), player(17)]), [1, 0]);
    }

    #[test]
    fn only_changed_cells_are_written() {
        let [from, to]: [Cells; 2] =
            ["5.........\n#.........", "#........7"].map(|drawing| drawing.parse().unwrap());
        assert_eq!(changes(&from, &to), "0b.9a7");
        assert_eq!(changes(&to, &to), "");
        assert_eq!(pairs(&[[(0, 2), (9, 18)]]), "0c9s");
    }
}
