//! A single game: shown while it is played, and reported at its end.

use std::io::{self, Write as _};
use std::path::Path;

use indicatif::{ProgressBar, ProgressStyle};

use crate::analysis::render;
use crate::arena::{GameEvent, Happened, Observer, PlayedTurn};
use crate::cli::commands::color::colors;
use crate::cli::commands::format::bar;
use crate::cli::commands::output::print;
use crate::cli::error::CliError;
use crate::game::{Cells, Chain, Seat, State, TURNS, Turn};
use crate::record::{Record, plain};
use crate::util::message;
use crate::util::numbers::counted;
use crate::util::sanitize::{screen, shown};

/// Shows a game while it is played: drawn on a terminal, with a line of progress on standard error.
pub struct Spectator {
    progress: ProgressBar,
    names: [String; 2],
    can_move_cursor: bool,
    is_rendered: bool,
}

impl Default for Spectator {
    /// A spectator before the first turn.
    fn default() -> Self {
        let progress = bar(TURNS);
        let style = ProgressStyle::with_template("turn {pos}  {elapsed}  {msg}");
        if let Ok(style) = style {
            progress.set_style(style);
        }
        Self {
            progress,
            names: [const { String::new() }; 2],
            can_move_cursor: message::can_move_cursor(&io::stdout()),
            is_rendered: false,
        }
    }
}

impl Spectator {
    /// Shows what happens in the game.
    pub fn show(&mut self, event: &GameEvent) {
        match &event.reason {
            Happened::Begun(record) => self.names = Seat::BOTH.map(|seat| record.name(seat)),
            Happened::Turn(played) => self.turn(played),
            Happened::Finished(_) => {}
        }
    }

    /// Shows a turn that was played.
    fn turn(&mut self, PlayedTurn { turn, next, left, .. }: &PlayedTurn) {
        let state: &State<Cells> = &turn.after;
        // Turns are numbered from 0, and `after` is the state before the next turn.
        let number = state.turn.saturating_sub(1);
        self.progress.set_position(number as u64);
        let attacks_line = attacks(turn, &self.names);
        if !attacks_line.is_empty() {
            // Without a terminal only the attacks are printed, a line each.
            if !self.can_move_cursor && self.progress.is_hidden() {
                message::line(format_args!("turn {number}: {attacks_line}"));
            }
            self.progress.set_message(attacks_line);
        }
        if self.can_move_cursor {
            let drawing =
                screen(&render::state(state, next.as_ref(), &self.names, *left, colors()));
            self.progress.suspend(|| {
                let mut out = io::stdout().lock();
                // Moves to the start of the last drawing. A failure to write to the terminal only
                // ends the drawing.
                let back = if self.is_rendered { "\x1b[H" } else { "\x1b[2J\x1b[H" };
                let clear = "\x1b[K\n";
                let _ = write!(out, "{back}{}\x1b[J", drawing.replace('\n', clear));
                let _ = out.flush();
            });
            self.is_rendered = true;
        }
    }
}

impl Observer for Spectator {
    fn event(&mut self, event: GameEvent, (): &()) {
        self.show(&event);
    }
}

impl Drop for Spectator {
    fn drop(&mut self) {
        self.progress.finish_and_clear();
    }
}

/// Describes the chains of three and more of a turn, and the skills that blow up a block.
fn attacks(turn: &Turn<Cells>, names: &[String; 2]) -> String {
    let texts = turn.steps.iter().zip(names).filter_map(|(step, name)| {
        let what = match (step.explosion.0, step.chain) {
            (0, Chain(..3)) => return None,
            (0, chain) => format!("chain of {}", chain.0),
            (blocks, chain) => {
                format!("skill, {} and chain of {}", counted(blocks, "block"), chain.0)
            }
        };
        Some(format!("{name}: {what}, {} ojama sent", step.sent()))
    });
    texts.collect::<Vec<_>>().join("; ")
}

/// Prints the end and result of a game, and the path of its record if it is kept.
pub fn report(record: &Record, path: Option<&Path>) -> Result<(), CliError> {
    let names = Seat::BOTH.map(|seat| record.name(seat));
    let played = record.replay().map_err(CliError::Refused)?;
    let used = Seat::BOTH.map(|seat| record.used(seat));
    let mut text = String::new();
    if !message::can_move_cursor(&io::stdout()) {
        let left = Seat::BOTH.map(|seat| record.clock_at_end(seat));
        let state = played.last().map_or_else(State::new, |turn| turn.after);
        text += &render::state(&state, None, &names, left, colors());
    }
    text += &format!("{} - {}: {}\n", names[0], names[1], record.outcome());
    let chains = longest_chains(&played);
    for seat in [0, 1] {
        let chain = chains[seat].map_or_else(String::new, |(turn, chain)| {
            format!(", longest chain {} at turn {turn}", chain.0)
        });
        let score = record.result.scores[seat];
        let usage = record.players[seat].usage.map_or_else(String::new, |usage| {
            let busy = usage.cpu_ms as f64 / usage.wall_ms.max(1) as f64;
            format!(", {} MB, {busy:.2} cores", usage.peak_kib.div_ceil(1024))
        });
        let used = used[seat].as_secs_f64();
        let name = &names[seat];
        text += &format!("  {name}: score {score}{chain}, {used:.1} s used{usage}\n");
    }
    for line in faults(record) {
        text += &format!("  {line}\n");
    }
    if let Some(path) = path {
        text += &format!("  record: {}\n", shown(path));
    }
    print(&text)
}

/// Lists each bot's fault, its last words and its log, as lines.
pub fn faults(record: &Record) -> Vec<String> {
    let turn = record.turns.len();
    let mut lines = Vec::new();
    for seat in Seat::BOTH {
        if let Some(fault) = &record.result.faults[seat.index()] {
            let name = record.name(seat);
            let (kind, what) = (fault.fault.name(), plain(&fault.reason));
            lines.push(format!("{name}: {kind} at turn {turn}: {what}"));
            lines.extend(fault.last_words.iter().map(|line| format!("  | {}", plain(line))));
            let log = &record.players[seat.index()].log;
            lines.extend(log.iter().map(|path| format!("  log: {}", shown(path))));
        }
    }
    lines
}

/// Returns the turn and the number of rounds of each seat's longest chain.
fn longest_chains(turns: &[Turn<Cells>]) -> [Option<(usize, Chain)>; 2] {
    [0, 1].map(|seat: usize| {
        let chains =
            turns.iter().enumerate().map(|(turn, played)| (turn, played.steps[seat].chain));
        let fired = chains.filter(|(_, chain)| chain.0 > 0);
        fired.max_by_key(|&(turn, chain)| (chain, std::cmp::Reverse(turn)))
    })
}
