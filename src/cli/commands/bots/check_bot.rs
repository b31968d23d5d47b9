//! `tensai check-bot`: plays a bot through situations in which bots fail.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use serde_json::json;

use super::logs::LogArgs;
use crate::arena::EngineConfig;
use crate::arena::bot_check::{
    BotChecker, BotSituation, CheckInterrupted, CheckLimits, Finding, SITUATIONS, Severity,
    SituationResult,
};
use crate::cli::commands::output::{list, print, print_json};
use crate::cli::error::CliError;
use crate::game::Packs;
use crate::util::duration;
use crate::util::numbers::counted;
use crate::util::sanitize::{LINE, quoted, shown, visible};
use crate::util::suggestion::{closest, hint};
use crate::util::system::stop::Stop;

/// Arguments of `tensai check-bot`.
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  tensai check-bot \"python3 bot.py\" --dir bots/mine\n\n\
    Turns are numbered from 0 to 499.\n\
    Exit code: 0 without a fault, 1 with a fault or if the bot does not start.")]
pub struct CheckBotArgs {
    #[command(flatten)]
    check: CheckArgs,

    #[command(flatten)]
    logs: LogArgs,

    /// List the situations.
    #[arg(long, conflicts_with_all = ["CheckArgs", "LogArgs"])]
    list: bool,

    /// Print the results, or the list, as JSON.
    #[arg(long)]
    json: bool,
}

/// The bot and its limits.
#[derive(Args, Debug)]
struct CheckArgs {
    /// The bot's command: words as in a shell, without a shell; `tensai` is this program. Or the
    /// name of a known opponent, such as level3.
    #[arg(value_name = "COMMAND", required_unless_present = "list")]
    command: Option<String>,

    /// The folder that the bot runs in [default: the current one].
    #[arg(long, value_name = "FOLDER")]
    dir: Option<PathBuf>,

    /// An environment variable for the bot; may be repeated.
    ///
    /// PYTHONUNBUFFERED is empty unless it is given here: where a user has set it, it would hide
    /// that a bot in Python does not flush.
    #[arg(long, value_name = "NAME=VALUE", value_parser = variable)]
    env: Vec<(String, String)>,

    /// Play only this situation; may be repeated.
    #[arg(long, value_name = "SITUATION", value_parser = situation)]
    only: Vec<&'static str>,

    /// Time of the bot for a game. The situation `short-clock` gives it a sixtieth of this time.
    #[arg(long, value_name = "TIME", default_value = "180s", value_parser = duration::parse_limit)]
    time: Duration,

    /// Time of the bot for a turn.
    #[arg(long, value_name = "TIME", default_value = "20s", value_parser = duration::parse_limit)]
    turn_time: Duration,

    /// Time in which the bot must print its name.
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = duration::parse_limit)]
    start_time: Duration,

    /// Time by which the bot may exceed a limit.
    #[arg(long, value_name = "TIME", default_value = "100ms", value_parser = duration::parse)]
    grace: Duration,

    /// The seed of the packs.
    #[arg(long, value_name = "SEED", default_value_t = 0)]
    seed: u64,
}

fn variable(text: &str) -> Result<(String, String), String> {
    let pair = text.split_once('=').filter(|(name, _)| !name.is_empty());
    let pair = pair.map(|(name, value)| (name.to_owned(), value.to_owned()));
    pair.ok_or_else(|| "expected NAME=VALUE".to_owned())
}

fn situation(text: &str) -> Result<&'static str, String> {
    let names = SITUATIONS.map(|situation| situation.name);
    names.into_iter().find(|&name| name == text).ok_or_else(|| {
        let near = hint(closest(text, names));
        format!("expected a situation of `tensai check-bot --list`{near}")
    })
}

/// Checks the bot and prints the findings.
pub fn run(args: &CheckBotArgs) -> Result<(), CliError> {
    let width = SITUATIONS.iter().map(|situation| situation.name.len()).max().unwrap_or(0);
    let check = &args.check;
    let Some(command) = &check.command else {
        if args.json {
            let list = SITUATIONS.map(
                |BotSituation { name, about, .. }| json!({ "situation": name, "about": about }),
            );
            return print_json(&list);
        }
        let row = |situation: &BotSituation| {
            (format!("{:width$} ", situation.name), situation.about.to_owned())
        };
        return print(&list(SITUATIONS.iter().map(row)));
    };
    let mut env: BTreeMap<String, String> = check.env.iter().cloned().collect();
    env.entry("PYTHONUNBUFFERED".to_owned()).or_default();
    let engine = EngineConfig { dir: check.dir.clone(), env, ..EngineConfig::new("bot", command) };
    // An empty command is refused below, and does not stand for this program.
    let engine = match command.trim() {
        "" => engine,
        _ => engine.completed().map_err(CliError::Refused)?,
    };
    let engine = engine.with_turn_time(check.turn_time);
    let limits = CheckLimits {
        game: check.time,
        turn: check.turn_time,
        start: check.start_time,
        grace: check.grace,
    };
    let stop = Stop::on_signals()?;
    let packs = Packs::from_seed(check.seed);
    let checker = BotChecker::new(&engine, limits, packs, &stop)?;
    let logs = args.logs.open()?;
    let mut checker = checker.with_logs(logs.as_ref());
    let chosen: Vec<_> = SITUATIONS
        .iter()
        .filter(|situation| check.only.is_empty() || check.only.contains(&situation.name))
        .collect();
    let mut results = Vec::new();
    for situation in &chosen {
        let checked = checker.check(situation).map_err(|interrupted| match interrupted {
            CheckInterrupted::Stopped => {
                let done =
                    format!("{} of {} played", results.len(), counted(chosen.len(), "situation"));
                CliError::stopped(done)
            }
            CheckInterrupted::Log(error) => error.into(),
            CheckInterrupted::NotStarted(error) => error.into(),
        })?;
        if !args.json {
            let number = results.len() + 1;
            let total = chosen.len();
            print(&format!("{number:>2}/{total} {}", text(&checked, width)))?;
        }
        results.push(checked);
        if checker.is_unable_to_start() {
            break;
        }
    }
    let count = |severity| results.iter().filter(|c| c.worst() == severity).count();
    let faults = count(Some(Severity::Fault));
    if args.json {
        let bot = json!({
            "command": command,
            "name": checker.name(),
            "faults": faults,
            "situations": results,
        });
        print_json(&bot)?;
    } else {
        let name = checker
            .name()
            .map_or_else(String::new, |name| format!(", which is called {}", quoted(name)));
        print(&format!(
            "`{}`{name}: {}, {} good, {} with a remark, {} with a fault\n",
            visible(command, LINE),
            counted(results.len(), "situation"),
            count(None),
            count(Some(Severity::Remark)),
            faults,
        ))?;
    }
    match faults {
        0 => Ok(()),
        _ if checker.is_unable_to_start() && results.len() < chosen.len() => {
            Err(CliError::Failed(format!(
                "the bot does not start: {} of {} played",
                results.len(),
                counted(chosen.len(), "situation")
            )))
        }
        faults => Err(CliError::Failed(format!(
            "the bot has a fault in {} of {}",
            faults,
            counted(results.len(), "situation")
        ))),
    }
}

/// The lines about a situation.
fn text(checked: &SituationResult, width: usize) -> String {
    let result = match checked.worst() {
        None => "good",
        Some(Severity::Remark) => "remark",
        Some(Severity::Fault) => "FAULT",
    };
    let mut text = format!("{:width$}  {result}\n", checked.situation);
    if !checked.findings.is_empty() {
        text += &format!("      situation: {}\n", checked.about);
    }
    for Finding { turn, reason, rule, log, .. } in &checked.findings {
        let turn = turn.map_or_else(String::new, |turn| format!("turn {turn}: "));
        text += &format!("      {turn}{reason}\n      protocol: {rule}\n");
        for line in log {
            text += &format!("        | {}\n", visible(line, LINE));
        }
    }
    if !checked.findings.is_empty() {
        for log in &checked.logs {
            text += &format!("      log: {}\n", shown(log));
        }
    }
    text
}
