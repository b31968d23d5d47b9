//! The views of `--verbose`: `-m` of y.s.'s bot, as text for people.

use std::fmt::Write as _;
use std::io::{self, Write as _};

use super::opponent::{Skill, Tables};
use crate::board::Field;
use crate::engine::Report;
use crate::game::{Action, Cells, HEIGHT, Player, State};
use crate::search::Rain;

/// The output of the views: standard error, unbuffered. It must be read: otherwise the engine
/// blocks when the pipe is full, and the watchdog answers.
pub struct Screen;

impl Screen {
    /// Writes a view.
    pub fn show(&self, view: &str) {
        let _ = writeln!(io::stderr().lock(), "{view}");
    }
}

/// Formats both players at the start of a turn.
pub fn position(state: &State<Field>) -> String {
    let mut text = format!("turn {}: we, and the opponent\n", state.turn);
    let about = |player: &Player<Field>| {
        format!(
            "stock {}, gauge {}, blocks {}, ojama {}, blown up by the skill {}",
            player.stock,
            player.gauge.get(),
            player.field.blocks(),
            player.field.ojama(),
            player.field.explosion().0,
        )
    };
    for player in &state.players {
        let _ = writeln!(text, "  {}", about(player));
    }
    let fields = state.players.map(|player| player.field.to_cells());
    text + &side_by_side(&fields)
}

/// Formats a line: the actions, and the own field after each of them.
pub fn line(name: &str, line: &[(Action, Field)]) -> String {
    let actions: Vec<String> = line.iter().map(|(action, _)| format!("{action:<10}")).collect();
    let fields: Vec<Cells> = line.iter().map(|(_, field)| field.to_cells()).collect();
    format!("{name}\n  {}\n{}", actions.join("  ").trim_end(), side_by_side(&fields))
}

/// Formats the opponent's tables, one entry a line: by ply, rain and use of the skill.
pub fn tables(tables: &Tables) -> String {
    let mut text = String::from("the opponent's tables (rain: a digit a ply)\n");
    for ply in 0..tables.plies() {
        for rain in Rain::all(ply) {
            for skill in [Skill::Never, Skill::Earlier, Skill::Now] {
                let worst = tables.at(ply, skill, rain);
                if !worst.alive {
                    continue;
                }
                let digit = |at| if rain.falls_at(at) { '1' } else { '0' };
                let rain: String = (0..=ply).map(digit).collect();
                let skill = format!("{skill:?}").to_lowercase();
                let _ = writeln!(
                    text,
                    "  ply {} rain {rain:<4} skill {skill:<7} chain {:>2} skill sends {:>4} \
                     sent {:>4} drain {:>3} blocks {:>3} ojama {:>3} blown up {:>3}",
                    ply + 1,
                    worst.chain.0,
                    worst.skill_sent,
                    worst.sent,
                    worst.drain,
                    worst.blocks,
                    worst.ojama,
                    worst.explosion,
                );
            }
        }
    }
    text
}

/// Formats the decision in a line, like `-tm` of y.s.'s bot.
pub fn summary(report: &Report) -> String {
    let mut text = format!("turn {}: {} by {}", report.turn, report.action, report.source);
    let Some(classic) = &report.classic else { return text };
    let _ = write!(text, ", phase {}", classic.phase);
    if let (Some(own), Some(opponent)) = (classic.own_plies, classic.opponent_plies) {
        let _ = write!(text, ", plies {own}/{opponent}");
    }
    if let (Some(action), Some(value)) = (&classic.best_move, classic.best_value) {
        let _ = write!(text, ", best {action} worth {value}");
    }
    if let (Some(action), Some(value)) = (&classic.beam_move, classic.beam_value) {
        let _ = write!(text, ", beam {action} worth {value}");
    }
    if let Some(attack) = &classic.attack {
        let shown = |chain: Option<u8>| chain.map_or("-".to_owned(), |chain| chain.to_string());
        let _ = write!(
            text,
            ", chains {} {} {} {}",
            attack.c1,
            attack.c2,
            shown(attack.c3),
            shown(attack.c4)
        );
    }
    let _ = write!(text, ", {} ms", report.time_ms);
    text
}

/// Formats fields side by side, with the danger line marked.
fn side_by_side(fields: &[Cells]) -> String {
    let tallest = fields.iter().flat_map(Cells::heights).max().unwrap_or(0);
    let mut text = String::new();
    for y in (0..HEIGHT.max(tallest.into())).rev() {
        let margin = if y >= HEIGHT { '!' } else { ' ' };
        let rows = fields.iter().map(|field| field.row(y).map(|cell| cell.symbol()));
        let rows: Vec<String> = rows.map(String::from_iter).collect();
        let _ = writeln!(text, "{margin} {}", rows.join("  "));
    }
    text
}
