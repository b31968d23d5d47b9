//! Text for chains, drops and values, shared by several commands.

use std::fmt::Write as _;
use std::io;
use std::path::Path;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

use crate::game::{Action, Cells, Chain, Step};
use crate::search::alpha_beta::{LOSS, WIN};
use crate::search::beam::Attack;
use crate::search::{Ojama, OjamaTenths};
use crate::util::message;
use crate::util::numbers::counted;

/// A progress bar of `steps` steps on standard error; hidden unless that is a terminal that can
/// move its cursor.
pub fn bar(steps: usize) -> ProgressBar {
    match message::can_move_cursor(&io::stderr()) {
        true => ProgressBar::new(steps as u64),
        false => ProgressBar::hidden(),
    }
}

/// Tells on standard error which stage of a long work runs: by a spinner on a terminal that can move
/// its cursor, else by a line a stage, so that a log is not silent for minutes.
pub struct Stages(Option<ProgressBar>);

impl Stages {
    /// Begins to tell the stages.
    pub fn start() -> Self {
        let can_move_cursor = message::can_move_cursor(&io::stderr());
        Self(can_move_cursor.then(|| {
            let spinner = ProgressBar::new_spinner();
            if let Ok(style) = ProgressStyle::with_template("{spinner} {elapsed}  {msg}") {
                spinner.set_style(style);
            }
            spinner.enable_steady_tick(Duration::from_millis(200));
            spinner
        }))
    }

    /// A stage begins.
    pub fn begin(&self, stage: &str) {
        match &self.0 {
            Some(spinner) => spinner.set_message(stage.to_owned()),
            None => message::line(format_args!("tensai: {stage} ...")),
        }
    }

    /// The work is done, or has failed.
    pub fn end(&self) {
        if let Some(spinner) = &self.0 {
            spinner.finish_and_clear();
        }
    }
}

/// Formats a path as a word of a shell's command.
pub fn shell_path(path: &Path) -> String {
    let path = path.to_string_lossy().into_owned();
    shlex::try_quote(&path).map_or(path.clone(), |quoted| quoted.into_owned())
}

/// Formats a chain and the number of ojama that it sends.
pub fn chain(chain: Chain) -> String {
    format!("a chain of {} ({} ojama)", chain.0, chain.ojama())
}

/// Formats the actions of `line` as answers, separated by commas.
pub fn answers(line: &[Action]) -> String {
    line.iter().map(Action::to_string).collect::<Vec<String>>().join(", ")
}

/// Formats a value of the alpha-beta search in ojama; for the value of an ended game, how it ends.
pub fn value(value: OjamaTenths) -> String {
    /// More than the plies of any alpha-beta search.
    const PLIES: OjamaTenths = OjamaTenths(100);
    if value >= WIN - PLIES {
        format!("wins in {}", (WIN - value).0 + 1)
    } else if value <= LOSS + PLIES {
        format!("loses in {}", (value - LOSS).0 + 1)
    } else if value.0.abs() >= WIN.0 / 4 {
        // Both players end in the same turn, and the score decides.
        if value.0 > 0 { "ends ahead" } else { "ends behind" }.to_owned()
    } else {
        format!("{:+.1}", Ojama::from(value).0)
    }
}

/// Formats a line for each turn with an attack; the first of `attacks` belongs to `turn`.
pub fn attack_lines(attacks: &[Option<Attack>], turn: usize) -> String {
    let mut text = String::new();
    for (turn, attack) in (turn..).zip(attacks) {
        if let Some(attack) = attack {
            let path: Vec<Action> = Action::drops(&attack.path).collect();
            let _ =
                writeln!(text, "    turn {turn:>3}: {}: {}", chain(attack.chain), answers(&path));
        }
    }
    text
}

/// Formats the effect of an action as the end of a sentence.
pub fn effect(step: &Step<Cells>) -> String {
    let mut text = String::new();
    if step.explosion.0 > 0 {
        let _ = write!(text, ", {} blown up", counted(step.explosion.0, "block"));
    }
    if step.chain.0 > 0 {
        let _ = write!(text, ", a chain of {}", step.chain.0);
    }
    if step.sent() > 0 {
        let _ = write!(text, ", {} ojama sent", step.sent());
    }
    if step.player.field.is_over() {
        text += ", past the danger line";
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_written_in_ojama() {
        assert_eq!(value(OjamaTenths(-125)), "-12.5");
        assert_eq!(value(OjamaTenths(0)), "+0.0");
        assert_eq!(value(WIN), "wins in 1");
        assert_eq!(value(LOSS + OjamaTenths(3)), "loses in 4");
        assert_eq!(value(OjamaTenths(LOSS.0 / 2)), "ends behind");
    }
}
