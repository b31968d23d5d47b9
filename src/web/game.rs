//! A recorded game as JSON for the page.

use serde::Serialize;

use super::bot_info::Said;
use super::changes::{changes, pairs, places};
use crate::board::{ChildBuffer, Field};
use crate::game::trace::Trace;
use crate::game::{
    Action, Cell, Cells, HEIGHT, Pack, Placement, Player, ROWS, Seat, State, Verdict,
};
use crate::record::{Record, plain};

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
    /// All packs, four characters each: upper left, upper right, lower left, lower right.
    packs: String,
    /// Milliseconds that each player has for the game; `None` without a clock.
    time: [Option<u64>; 2],
    /// Each seat's longest chain.
    longest: [usize; 2],
    scores: [u64; 2],
    turns: Vec<Turn>,
    /// The faults that ended the game, in words.
    faults: Vec<String>,
}

/// A turn. Pairs are in the order of seats; values are those after the turn.
#[derive(Serialize, Debug)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Turn {
    /// Answers.
    actions: [String; 2],
    /// The packs above the fields, rotated as they are dropped, as changes of a field.
    hover: [String; 2],
    /// The steps of the turn. The fields as they are before it, which the page shows first, are no
    /// step here.
    steps: Vec<Step>,
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
    info: [Option<Said>; 2],
}

fn is_silent(said: &[Option<Said>; 2]) -> bool {
    said.iter().all(Option::is_none)
}

/// The kind of a step; then for each seat the changes of the field, and the marked places, if the
/// kind marks any.
///
/// Kinds: `r` a row of ojama has fallen; `d` the packs have landed, or the blocks that the skill
/// will blow up are marked; `x` these blocks are gone; `m` the pairs of a round are marked; `f`
/// these pairs are gone.
type Step = (char, [String; 2], [String; 2]);

impl PageGame {
    /// Converts a record; `number` is the game's number on the page.
    ///
    /// # Errors
    /// Describes the first turn that breaks the rules.
    pub fn new(record: &Record, number: usize) -> Result<Self, String> {
        let packs = record.packs()?;
        let played = record.replay()?;
        let mut state = State::<Cells>::new();
        let mut turns = Vec::with_capacity(played.len());
        let mut longest = [0, 0];
        for (index, (recorded, played)) in record.turns.iter().zip(&played).enumerate() {
            let pack = packs.get(index).ok_or("no pack is left")?;
            let actions = [0, 1].map(|seat: usize| recorded.answers[seat].parse::<Action>());
            let [Ok(first), Ok(second)] = actions else {
                return Err("an answer is not an action".into());
            };
            let actions = [first, second];
            let before = state.players;
            let traces = [0, 1].map(|seat: usize| Trace::new(&before[seat], pack, actions[seat]));
            let after = played.after.players;
            let said = [0, 1].map(|seat: usize| {
                let info = recorded.info[seat].as_ref()?;
                Some(Said::new(info, &before[seat], packs.from_turn(index)))
            });
            let chains = traces.each_ref().map(|trace| trace.rounds.len());
            longest = [0, 1].map(|seat| longest[seat].max(chains[seat]));
            turns.push(Turn {
                actions: actions.map(|action| action.to_string()),
                hover: actions.map(|action| hover(pack, action)),
                steps: steps(&before, &traces),
                stocks: after.map(|player| player.stock),
                gauges: after.map(|player| player.gauge.get()),
                scores: after.map(|player| player.score),
                chains,
                explosions: played.steps.map(|step| step.explosion.0),
                sent: played.steps.map(|step| step.sent()),
                potentials: potentials(after),
                think_ms: recorded.think_us.map(|time| time / 1000),
                left_ms: Seat::BOTH
                    .map(|seat| record.time_left(seat, index + 1).as_millis() as u64),
                info: said,
            });
            state = played.after;
        }
        let faults = Seat::BOTH.into_iter().filter_map(|seat| {
            let fault = record.result.faults[seat.index()].as_ref()?;
            Some(format!("{}: {}: {}", record.name(seat), fault.fault.name(), plain(&fault.what)))
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
            packs: record.packs.as_flattened().as_flattened().iter().map(u8::to_string).collect(),
            time: [0, 1].map(|seat: usize| {
                let player = &record.players[seat];
                let time = player.time_ms.unwrap_or(record.limits.game_ms);
                player.nodes.is_none().then_some(time)
            }),
            longest,
            scores: state.players.map(|player| player.score),
            turns,
            faults: faults.collect(),
        })
    }
}

/// The pack above the field, before it falls: in the two topmost rows, which no row of ojama
/// reaches.
fn hover(pack: &Pack, action: Action) -> String {
    let Action::Drop(Placement { position, rotation }) = action else { return String::new() };
    let mut columns = [[Cell::Empty; ROWS]; crate::game::WIDTH];
    let left = usize::from(position.get());
    for (x, (lower, upper)) in (left..).zip(pack.columns(rotation)) {
        columns[x][0] = lower.map_or(Cell::Empty, Cell::Block);
        columns[x][1] = upper.map_or(Cell::Empty, Cell::Block);
    }
    let mut text = String::new();
    for (x, column) in columns.iter().enumerate() {
        for (y, cell) in column[..2].iter().enumerate().filter(|(_, cell)| !cell.is_empty()) {
            text.extend(super::changes::place((x, ROWS - 2 + y)));
            text.push(cell.symbol());
        }
    }
    text
}

/// The steps of both players, side by side: a player with fewer rounds waits for the other.
fn steps(before: &[Player<Cells>; 2], traces: &[Trace; 2]) -> Vec<Step> {
    let mut fields = before.map(|player| player.field);
    let mut steps = Vec::new();
    let mut add = |kind: char, next: [Option<&Cells>; 2], marks: [String; 2]| {
        let changed = [0, 1].map(|seat: usize| {
            let next = next[seat].unwrap_or(&fields[seat]);
            changes(&fields[seat], next)
        });
        for (field, next) in fields.iter_mut().zip(next) {
            *field = *next.unwrap_or(field);
        }
        steps.push((kind, changed, marks));
    };
    let none = || [String::new(), String::new()];
    let [first, second] = traces;
    if first.rained.is_some() || second.rained.is_some() {
        add('r', [first.rained.as_ref(), second.rained.as_ref()], none());
    }
    let bursts = traces.each_ref().map(|trace| trace.explosion.as_ref());
    let exploding =
        bursts.map(|burst| burst.map_or_else(String::new, |burst| places(&burst.places)));
    add('d', [Some(&first.acted), Some(&second.acted)], exploding);
    if bursts.iter().any(Option::is_some) {
        add('x', bursts.map(|burst| burst.map(|burst| &burst.after)), none());
    }
    for round in 0..first.rounds.len().max(second.rounds.len()) {
        let rounds = [first.rounds.get(round), second.rounds.get(round)];
        let marked = rounds.map(|round| round.map_or_else(String::new, |r| pairs(&r.pairs)));
        add('m', [None, None], marked);
        add('f', rounds.map(|round| round.map(|round| &round.after)), none());
    }
    steps
}

/// The potentials of both fields, computed with the fast simulator.
fn potentials(players: [Player<Cells>; 2]) -> [u8; 2] {
    let mut buffer = ChildBuffer::new();
    players.map(|player| match player.field.tallest() as usize {
        // A player past the danger line has lost, so the potential does not matter.
        HEIGHT.. => 0,
        _ => Field::from_cells(&player.field).potential(&mut buffer).chain.0,
    })
}
