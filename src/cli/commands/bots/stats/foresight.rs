//! `tensai stats foresight`: what engines foresaw of counterattacks and of their plans' values.

use std::num::NonZeroU8;

use clap::Args;

use super::GamesArgs;
use crate::arena::statistics::{Drift, ForeseenCounterattacks, Foresight, ForesightCollector};
use crate::cli::commands::game_files::{for_each_game, refused};
use crate::cli::commands::output::{print, print_json};
use crate::cli::commands::table;
use crate::cli::error::CliError;
use crate::game::Chain;
use crate::util::numbers::counted;

/// Arguments of `tensai stats foresight`.
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  tensai stats foresight games/A\n\n\
    Reads the plans in `info` lines of tensai's bot. Other engines are left out.")]
pub struct ForesightArgs {
    #[command(flatten)]
    games: GamesArgs,

    /// Rounds of the shortest chain that counts as an attack.
    #[arg(long, value_name = "ROUNDS", default_value = "10")]
    chain: NonZeroU8,

    /// Print the figures as JSON (docs/cli.md).
    #[arg(long)]
    json: bool,
}

/// Reads the games and prints what their engines foresaw.
pub fn run(args: &ForesightArgs) -> Result<(), CliError> {
    let mut collector = ForesightCollector::default();
    let mut games = 0_usize;
    for_each_game(&args.games.paths, |file, game| {
        let Some(record) = game else { return Ok(()) };
        games += 1;
        let added = collector.add(record, Chain(args.chain.get()));
        added.map_err(|reason| refused(file, &reason))
    })?;
    let foresight = collector.foresight();
    if args.json {
        return print_json(&foresight);
    }
    let width = table::width();
    let mut text: String = foresight.iter().map(|of| section(of, width)).collect();
    text += &counted(games, "game");
    if foresight.is_empty() {
        text += ": no engine has told its plans in `info` lines";
    } else if foresight.iter().all(|of| of.counterattacks.is_empty()) {
        let chain = args.chain;
        text += &format!(": no first attack of {chain} rounds or more was planned, see --chain");
    }
    print(&(text + "\n"))
}

/// The two tables of an engine against an opponent.
fn section(foresight: &Foresight, width: Option<usize>) -> String {
    let Foresight { engine, opponent, counterattacks, drift } = foresight;
    let attacks: Vec<Vec<String>> = counterattacks.iter().map(attack_row).collect();
    let changes: Vec<Vec<String>> = drift.iter().map(drift_row).collect();
    let attacks = table::continued(&ATTACK_COLUMNS, &attacks, 1, width);
    let changes = table::continued(&DRIFT_COLUMNS, &changes, 1, width);
    format!(
        "{engine} against {opponent}: counterattacks to its first attacks, in ojama\n{attacks}\n\
         {engine} against {opponent}: change of a followed plan's value in a turn\n{changes}\n"
    )
}

const ATTACK_COLUMNS: [&str; 7] =
    ["turns ahead", "attacks", "without a later plan", "made", "mean", "greatest", "value"];

fn attack_row(of: &ForeseenCounterattacks) -> Vec<String> {
    let whole = |value: Option<f64>| value.map_or_else(String::new, |value| format!("{value:.0}"));
    vec![
        of.turns_ahead.to_string(),
        of.attacks.to_string(),
        of.without_later_plan.to_string(),
        whole(of.made),
        whole(of.mean),
        whole(of.greatest),
        format!("{:.2}", of.value),
    ]
}

const DRIFT_COLUMNS: [&str; 3] = ["turns that remain", "plans", "change"];

fn drift_row(of: &Drift) -> Vec<String> {
    let turns = match of.to {
        None => format!("{} and more", of.from),
        Some(to) if to == of.from => to.to_string(),
        Some(to) => format!("{} to {to}", of.from),
    };
    let change = of.change.map_or_else(String::new, |change| format!("{change:+.2}"));
    vec![turns, of.plans.to_string(), change]
}
