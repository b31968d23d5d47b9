//! `tensai dev learn`: fits the win probability and the weights of the beam.

mod beam;

use std::collections::HashSet;
use std::fmt::Write as _;
use std::num::NonZeroU64;
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};

use crate::arena::free_name;
use crate::cli::commands::arguments::JsonFlag;
use crate::cli::commands::dev::work::WorkArgs;
use crate::cli::commands::files::distinct;
use crate::cli::commands::format::bar;
use crate::cli::commands::game_files::{DistinctGames, refused};
use crate::cli::commands::output::{print, print_beside, print_data, print_json};
use crate::cli::error::CliError;
use crate::dev::training::constant::{Source, WIN_PROBABILITY};
use crate::dev::training::{Quality, TrainingPosition, data, fit, positions, report};
use crate::engine::win_probability::{WinProbability, names};
use crate::record::{check_new, plain, write_new};
use crate::util::input_file;
use crate::util::numbers::counted;
use crate::util::sanitize::shown;
use crate::util::system::stop::Stop;

/// The end of the help of `tensai dev learn`.
const EXAMPLE: &str = "Example:
  tensai dev learn data --records games/A -o positions.csv
  tensai dev learn fit positions.csv > weights.rs";

/// The subcommands of `tensai dev learn`.
#[derive(Subcommand, Debug)]
#[command(after_help = EXAMPLE)]
pub enum LearnCommand {
    /// Win probability: measure the positions of recorded games, a line each.
    Data(DataArgs),
    /// Win probability: find the weights under which the games' results are most likely.
    ///
    /// They are printed as Rust source of `src/engine/planner/win_probability/weights.rs`.
    Fit(FitArgs),
    /// Win probability: report how well it predicts the winners.
    Check(LearnCheckArgs),
    /// Beam: find the weights that make its chains longest.
    ///
    /// They are printed as Rust source of `src/search/beam/weights.rs`.
    Beam(beam::BeamArgs),
    /// Beam: report how long its chains are.
    Chains(beam::ChainsArgs),
}

/// Arguments of `tensai dev learn data`.
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  tensai dev learn data --records games/A -o positions.csv")]
pub struct DataArgs {
    /// Records of games, folders of records, of matches and of leagues, and files of the official
    /// client with their packs beside them. A game with several equal records is measured once.
    #[arg(long, value_name = "RECORD", required = true, num_args = 1..)]
    records: Vec<PathBuf>,

    /// The file for the positions. It must not exist yet.
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,

    /// Simulated drops for each player's beam in each position.
    #[arg(long, value_name = "N", default_value = "200000")]
    nodes: NonZeroU64,

    #[command(flatten)]
    work: WorkArgs,
}

/// Arguments of `tensai dev learn fit`.
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  tensai dev learn fit positions.csv > weights.rs")]
pub struct FitArgs {
    /// Files of positions. A fifth of their games, chosen by their packs, is held out.
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
}

/// Arguments of `tensai dev learn check`.
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  tensai dev learn check positions.csv --held-out")]
pub struct LearnCheckArgs {
    /// Files of positions.
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,

    /// Check only the games that `fit` holds out.
    #[arg(long)]
    held_out: bool,

    #[command(flatten)]
    report: JsonFlag,
}

/// Runs `command`.
pub fn run(command: &LearnCommand) -> Result<(), CliError> {
    // The long commands handle signals themselves, between two steps.
    if !matches!(command, LearnCommand::Data(_) | LearnCommand::Beam(_)) {
        Stop::at_once()?;
    }
    match command {
        LearnCommand::Data(args) => measure(args),
        LearnCommand::Fit(args) => learn(args),
        LearnCommand::Check(args) => check(args),
        LearnCommand::Beam(args) => beam::learn(args),
        LearnCommand::Chains(args) => beam::chains(args),
    }
}

fn measure(args: &DataArgs) -> Result<(), CliError> {
    check_new(&args.output)?;
    let (mut records, mut files) = (DistinctGames::default(), Vec::new());
    for path in &args.records {
        files.extend(records.files(path)?);
    }
    args.work.choose_backend();
    let threads = args.work.threads();
    let stop = Stop::on_signals()?;
    let progress = bar(files.len());
    let (mut all, mut games, mut names) = (Vec::new(), 0, HashSet::new());
    for (done, file) in files.iter().enumerate() {
        if stop.is_asked() {
            progress.finish_and_clear();
            let (all, output) = (files.len(), shown(&args.output));
            let done = format!("{done} of {all} records were measured, {output} is not written");
            return Err(CliError::stopped(done));
        }
        for record in records.read(file)? {
            // Games of different folders may have equal names.
            let name = free_name(game(file), &mut names);
            let measured = positions(&name, &record, args.nodes.get(), threads);
            let measured = measured.map_err(|reason| refused(file, &reason))?;
            games += usize::from(!measured.is_empty());
            all.extend(measured);
        }
        progress.inc(1);
    }
    progress.finish_and_clear();
    records.tell_repeated();
    if all.is_empty() {
        let reason = "there is no position to learn from: games must last five turns and one turn \
                    after their opening, and be played to their end";
        return Err(CliError::Refused(reason.to_owned()));
    }
    let mut origin = format!("tensai dev learn data --nodes {} --records", args.nodes);
    for path in &args.records {
        let _ = write!(origin, " {}", last_name(path));
    }
    write_new([(args.output.clone(), data::write(&origin, &all))])?;
    let (positions, games) = (counted(all.len(), "position"), counted(games, "game"));
    print_beside(&args.output, &format!("{}: {positions} of {games}\n", shown(&args.output)))
}

fn learn(args: &FitArgs) -> Result<(), CliError> {
    let files = once_each(&args.files);
    let (origins, all) = read(&files)?;
    let (held_out, learned): (Vec<&TrainingPosition>, Vec<&TrainingPosition>) =
        all.iter().partition(|position| position.is_held_out());
    if learned.is_empty() {
        let reason = "all games are held out (a fifth of all games, chosen by their packs)";
        return Err(CliError::Refused(reason.to_owned()));
    }
    let chance = fit(learned.iter().copied());
    let mut quality_lines = String::new();
    for (name, positions) in [("learned from", &learned), ("held out", &held_out)] {
        if positions.is_empty() {
            let _ = writeln!(quality_lines, "{name}: no game");
            continue;
        }
        let views = positions.iter().flat_map(|position| position.views());
        let predicted = views.map(|view| (chance.of(&view.features).0, view.result));
        let Quality { positions: count, loss, accuracy, correlation } = Quality::of(predicted);
        let accuracy = accuracy * 100.0;
        let _ = writeln!(
            quality_lines,
            "{name}: {} of {}, log-loss {loss:.4}, accuracy {accuracy:.1} %, \
             correlation {correlation:.3}",
            counted(count, "position"),
            counted(games(positions), "game")
        );
    }
    let mut commands = String::new();
    let names_of_files: Vec<String> = files.iter().map(|file| last_name(file)).collect();
    for (origin, name) in origins.iter().zip(&names_of_files) {
        let _ = writeln!(commands, "{origin} -o {name}");
    }
    let _ = writeln!(commands, "tensai dev learn fit {}", names_of_files.join(" "));
    let source = Source {
        title: WIN_PROBABILITY,
        features: "super::FEATURES",
        names: "super::names",
        origin: &(commands + &quality_lines),
    };
    print_data(&source.file(&names(), chance.weights()))
}

fn check(args: &LearnCheckArgs) -> Result<(), CliError> {
    let (_, all) = read(&once_each(&args.files))?;
    let positions: Vec<&TrainingPosition> =
        all.iter().filter(|position| !args.held_out || position.is_held_out()).collect();
    if positions.is_empty() {
        return Err(CliError::Refused("none of the games is held out".to_owned()));
    }
    let report = report(WinProbability::learned(), &positions);
    if args.report.json { print_json(&report) } else { print(&report.to_string()) }
}

/// The `files` without those that are named again, whose positions would count twice.
fn once_each(files: &[PathBuf]) -> Vec<PathBuf> {
    distinct(files.iter().cloned().map(Ok)).into_iter().flatten().collect()
}

/// Reads the positions of all `files`. Also returns the command that made each file.
fn read(files: &[PathBuf]) -> Result<(Vec<String>, Vec<TrainingPosition>), CliError> {
    let (mut origins, mut all) = (Vec::new(), Vec::new());
    for file in files {
        let (origin, positions) = data::read(&text_of(file, input_file::POSITIONS)?)
            .map_err(|reason| refused(file, &reason))?;
        if positions.is_empty() {
            return Err(refused(file, "it contains no position"));
        }
        origins.push(plain(&origin));
        all.extend(positions);
    }
    Ok((origins, all))
}

fn games(positions: &[&TrainingPosition]) -> usize {
    let games: std::collections::BTreeSet<&str> = positions.iter().map(|p| &*p.game).collect();
    games.len()
}

/// Reads the text of a file of at most `most` bytes.
fn text_of(path: &Path, most: u64) -> Result<String, CliError> {
    input_file::read_text(path, most).map_err(CliError::unreadable(shown(path)))
}

/// Names a game by the folder and the name of its record.
fn game(file: &Path) -> String {
    let folder = file.parent().map(last_name).unwrap_or_default();
    let name = file.file_stem().unwrap_or_default().to_string_lossy();
    if folder.is_empty() { name.into_owned() } else { format!("{folder}/{name}") }
}

/// The last part of `path`, made visible. The folders before it are left out because they are
/// private.
fn last_name(path: &Path) -> String {
    shown(path.file_name().unwrap_or_default()).to_string()
}
