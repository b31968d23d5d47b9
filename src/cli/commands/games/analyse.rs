//! `tensai analyse`: the chains, potential, triggers and skill of drawn fields.

use std::fmt::Write as _;
use std::io;
use std::num::NonZeroU64;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use serde::Serialize;

use super::search_args::SearchArgs;
use crate::analysis::render::{self, Colors};
use crate::analysis::{Situation, Trigger, attacks, triggers};
use crate::board::{ChildBuffer, Field};
use crate::cli::commands::arguments::JsonFlag;
use crate::cli::commands::color::colors;
use crate::cli::commands::format::{attack_lines, chain};
use crate::cli::commands::output::{print, print_json};
use crate::cli::error::CliError;
use crate::game::{Action, Cells, Chain, Gauge, Pack, Player, Potential, State, reference};
use crate::search::beam::Attack;
use crate::util::input_file;
use crate::util::numbers::counted;
use crate::util::sanitize::shown;
use crate::util::system::stop::Stop;

/// The end of the short help.
const EXAMPLE: &str = "Example:\n  tensai analyse field.toml --triggers 5\n\n\
    `tensai analyse --help` shows the form of the file. Turns count from the `turn`\n\
    of the file, 0 without one.";

/// The end of `tensai help analyse`, with the form of the input.
const INPUT: &str = "\
The input is a situation in TOML. A field has a line for each row from the top,
ten of `.` for empty, `#` for ojama, 1 to 9; rows above the drawn ones are
empty. The packs come from this turn on, upper row first, with 0 or `.` for
empty. Only the drawing of the own field is required:

    packs = [\"12/34\", \".5/67\"]

    [own]
    gauge = 80
    stock = 0
    field = \"\"\"
    .5........
    #3......1.
    \"\"\"

    [opponent]
    field = \"\"\"
    9.........
    \"\"\"

Without packs the report has no chains of the coming turns.
`tensai replay situation` makes such a file of a recorded turn.

Example:
  tensai analyse field.toml --triggers 5";

/// Arguments of `tensai analyse`.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLE, after_long_help = INPUT)]
pub struct AnalyseArgs {
    /// The situation: one or two drawn fields, and the coming packs [default: standard input].
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,

    /// Number of triggers to list.
    #[arg(long, value_name = "N", default_value_t = 10)]
    triggers: usize,

    #[command(flatten)]
    search: SearchArgs,

    #[command(flatten)]
    report: JsonFlag,
}

/// Turns in which chains are searched; the bot searches the same number.
const DEPTH: usize = 16;

/// Simulated drops for the search of each field's chains, unless `--nodes` is given. The search
/// takes some tenths of a second.
const NODES: u64 = 5_000_000;

/// Minimum length of a chain whose trigger is listed.
const SHORTEST: Chain = Chain(2);

/// Draws the fields and prints the analysis of each.
pub fn run(args: &AnalyseArgs) -> Result<(), CliError> {
    Stop::at_once()?;
    let (name, text) = input(args.file.as_deref())?;
    let refused = |error| CliError::Refused(format!("{name}: {error}"));
    if text.trim_start().starts_with('{') {
        let reason = "expected a situation in TOML, found JSON: `tensai replay situation GAME TURN` \
                      makes a situation of a recorded turn";
        return Err(CliError::Refused(format!("{name}: {reason}")));
    }
    let situation: Situation = text.parse().map_err(refused)?;
    let players = situation.given_players().map_err(refused)?;
    args.search.start()?;
    let colors = colors();
    let look = |(player, name)| Look { name, player, situation: &situation, args };
    let looks = players.iter().zip(names(players.len())).map(look);
    if args.report.json {
        return print_json(&looks.map(|look| look.report()).collect::<Vec<_>>());
    }
    let mut text = drawing(&players, &situation.packs, colors);
    text += &looks.map(|look| look.text()).collect::<String>();
    print(&text)
}

/// Reads the input. Returns the name under which messages refer to it, and its text.
fn input(file: Option<&Path>) -> Result<(String, String), CliError> {
    let name = file.map_or_else(|| "standard input".to_owned(), |file| shown(file).to_string());
    let read = match file {
        Some(file) => input_file::read(file, input_file::BY_HAND),
        None => input_file::read_all(io::stdin().lock(), input_file::BY_HAND),
    };
    let bytes = read.map_err(CliError::unreadable(&name))?;
    Ok((name, String::from_utf8_lossy(&bytes).into_owned()))
}

const fn names(fields: usize) -> [&'static str; 2] {
    if fields == 1 { ["field", ""] } else { ["first field", "second field"] }
}

/// Draws the fields and the packs.
fn drawing(players: &[Player<Cells>], packs: &[Pack], colors: Colors) -> String {
    let fields = match players {
        [first, second] => {
            let state = State { turn: 0, players: [*first, *second] };
            render::fields(&state, &names(2).map(str::to_owned), colors)
        }
        players => players.iter().map(|player| render::one(player, names(1)[0], colors)).collect(),
    };
    if packs.is_empty() {
        return fields;
    }
    fields + &render::packs("packs", packs.iter().take(DEPTH), colors)
}

/// One field and the options of its analysis.
struct Look<'a> {
    name: &'a str,
    player: &'a Player<Cells>,
    situation: &'a Situation,
    args: &'a AnalyseArgs,
}

/// The analysis of a field, as `--json` prints it.
#[derive(Serialize)]
struct FieldReport {
    /// The gauge, 0 to 100.
    gauge: u64,
    /// Ojama that wait to fall.
    stock: u64,
    /// The best chain of each turn that has one of three or more.
    attacks: Vec<AnalysedAttack>,
    /// Rounds of the longest chain that the removal of one block sets off.
    potential: u64,
    /// Column from the left and row from the bottom of that block, both from 0; null for none.
    potential_trigger: Option<[u64; 2]>,
    /// The blocks that set off a chain.
    triggers: Vec<AnalysedTrigger>,
    /// Blocks that the skill blows up.
    skill_blocks: u64,
    /// Ojama that these blocks send.
    skill_ojama: u64,
    /// Rounds of the chain after the skill.
    skill_chain: u64,
}

/// A chain within the coming turns.
#[derive(Serialize)]
struct AnalysedAttack {
    /// The turn, counted from that of the situation.
    turn: usize,
    /// Rounds of the chain.
    chain: u64,
    /// Ojama that the chain sends.
    ojama: u64,
    /// The drops that lead to it, as answers.
    drops: Vec<String>,
}

/// A block that sets off a chain.
#[derive(Serialize)]
struct AnalysedTrigger {
    /// The column, 0 to 9.
    column: usize,
    /// The number of the block.
    block: u8,
    /// Rounds of its chain after 0, 1, 2 and more rows of ojama.
    chains: Vec<u64>,
    /// Rows of ojama after which less than half of the chain is left; null if it survives.
    buried_by: Option<usize>,
}

impl Look<'_> {
    fn text(&self) -> String {
        let field = &self.player.field;
        let mut text = format!("\n{}\n", self.name);
        if reference::pairs(field).is_some() {
            text += "  the field has neighbours that sum to 10: they vanish with the next action; \
                     potential and skill are computed before they vanish, triggers after\n";
        }
        text += &self.chains();
        text += &self.potential();
        text += &self.triggers();
        text + &self.skill()
    }

    /// Lists the best chains by turn.
    fn chains(&self) -> String {
        if self.situation.packs.is_empty() {
            return "  chains by turn: no packs are given\n".to_owned();
        }
        let (turns, found) = self.found();
        let first = self.situation.turn;
        let mut text = format!(
            "  the best chains within {} (turn {first} is the next)\n",
            counted(turns, "turn")
        );
        let lines = attack_lines(&found, first);
        text += if lines.is_empty() { "    none of three or more\n" } else { &lines };
        text
    }

    /// Number of turns in which chains were searched, and the best chain of each.
    fn found(&self) -> (usize, Vec<Option<Attack>>) {
        let drops = self.args.search.nodes.map_or(NODES, NonZeroU64::get);
        let player: Player<Field> = self.player.convert();
        let turns = self.situation.packs.len().min(DEPTH);
        (turns, attacks(&player, &self.situation.packs, turns, drops, &Arc::default()))
    }

    /// The analysis, as `--json` prints it.
    fn report(&self) -> FieldReport {
        let field = Field::from_cells(&self.player.field);
        let Potential { chain: potential, trigger, .. } = field.potential(&mut ChildBuffer::new());
        let exploded = self.player.field.explode();
        let turns = (self.situation.turn..).zip(self.found().1);
        let attack = |(turn, attack): (usize, Option<Attack>)| {
            let Attack { path, chain, .. } = attack?;
            let drops = Action::drops(&path).map(|drop| drop.to_string()).collect();
            Some(AnalysedAttack { turn, chain: chain.0.into(), ojama: chain.ojama(), drops })
        };
        let trigger_report = |trigger: &Trigger| AnalysedTrigger {
            column: trigger.column,
            block: trigger.number.get(),
            chains: trigger.chains.iter().map(|chain| chain.0.into()).collect(),
            buried_by: trigger.buried_by(),
        };
        let triggers = triggers(&self.player.field, SHORTEST);
        FieldReport {
            gauge: self.player.gauge.get().into(),
            stock: self.player.stock,
            attacks: turns.filter_map(attack).collect(),
            potential: potential.0.into(),
            potential_trigger: trigger.map(|(column, row)| [column.into(), row.into()]),
            triggers: triggers.iter().take(self.args.triggers).map(trigger_report).collect(),
            skill_blocks: exploded.explosion.0.into(),
            skill_ojama: exploded.explosion.ojama(),
            skill_chain: exploded.chain.0.into(),
        }
    }

    /// Describes the potential of the field.
    fn potential(&self) -> String {
        let field = Field::from_cells(&self.player.field);
        let Potential { chain: length, trigger, .. } = field.potential(&mut ChildBuffer::new());
        match trigger {
            Some((column, row)) => format!(
                "  potential: {}, if the block in column {column}, row {} from the bottom, is \
                 removed\n",
                chain(length),
                row + 1
            ),
            None => "  potential: none\n".to_owned(),
        }
    }

    /// Lists the blocks that set off a chain, and the number of rows of ojama that buries each.
    fn triggers(&self) -> String {
        let found = triggers(&self.player.field, SHORTEST);
        if found.is_empty() {
            return format!("  triggers: no single block sets off a chain of {}\n", SHORTEST.0);
        }
        let mut text = String::from(
            "  triggers: a single block, and its chain after 0, 1, 2, ... rows of ojama\n    \
             column  block  chain  buried by   chains\n",
        );
        for trigger in found.iter().take(self.args.triggers) {
            let buried = match trigger.buried_by() {
                Some(rows) => counted(rows, "row"),
                None => "never".to_owned(),
            };
            let chains: Vec<String> =
                trigger.chains.iter().map(|chain| chain.0.to_string()).collect();
            // Writing to a string cannot fail.
            let _ = writeln!(
                text,
                "    {:>6}{:>7}{:>7}  {buried:<10}  {}",
                trigger.column,
                trigger.number.get(),
                trigger.chain().0,
                chains.join(" ")
            );
        }
        if found.len() > self.args.triggers {
            let _ = writeln!(text, "    and {} more", found.len() - self.args.triggers);
        }
        text
    }

    /// Describes the effect of the skill.
    fn skill(&self) -> String {
        let exploded = self.player.field.explode();
        let blocks = exploded.explosion;
        let mut text = format!("  skill: {}, {} ojama", counted(blocks.0, "block"), blocks.ojama());
        if exploded.chain.0 > 0 {
            let _ = write!(text, ", then {}", chain(exploded.chain));
        }
        let gauge = self.player.gauge;
        if !gauge.allows_skill() {
            let _ = write!(text, "; it needs a gauge of {}, found {}", Gauge::SKILL, gauge.get());
        }
        text + "\n"
    }
}
