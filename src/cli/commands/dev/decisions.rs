//! `tensai bench --decisions`: decisions with few nodes against those with many. The options of the
//! benches of recorded games.

use std::num::{NonZeroU64, NonZeroUsize};
use std::path::PathBuf;
use std::thread;
use std::time::{Duration, Instant};

use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;

use crate::analysis::RecordedGame;
use crate::analysis::playouts::PLAYOUTS;
use crate::board::Backend;
use crate::cli::commands::arguments::JsonFlag;
use crate::cli::commands::bots::arena_error::ArenaError;
use crate::cli::commands::game_files::{for_each_game, refused};
use crate::cli::commands::output::{print, print_json};
use crate::cli::error::CliError;
use crate::dev::reference_decisions::{self, MeasuredDecision, YardstickFigures};
use crate::engine::PlannerParameters;
use crate::util::interval::SPREAD_95;
use crate::util::system::stop::Stop;

/// Nodes of a decision, unless `--nodes` is given.
const NODES: NonZeroU64 = NonZeroU64::new(50_000).expect("it is not 0");

/// The first turns of the phases of a game, and the turn after the last phase.
const PHASES: [usize; 5] = [0, 10, 20, 30, 500];

/// The options with which `bench` compares no decisions. The options that need `--decisions` name
/// them: clap ignores `requires` where another given option conflicts with the required one.
const WITHOUT_DECISIONS: [&str; 4] = ["blunders", "engine", "beam", "passes"];

/// The options of `tensai bench --decisions` and `--blunders`.
#[derive(Args, Debug)]
pub struct YardstickArgs {
    /// Compare the engine's decisions with those at --factor times the nodes.
    ///
    /// How many agree, and how many ojama the others lose. Each decision is searched without the
    /// turns before it.
    #[arg(long, groups = ["engine_nodes", "recorded"], conflicts_with_all = ["engine", "passes"])]
    pub decisions: bool,

    /// Plant blunders of four kinds in recorded games, and count those that a review ranks first.
    ///
    /// The engine plays each game on after the blunder, and a review of all turns of the player
    /// orders them by their loss, as `replay blunders` does.
    #[arg(long, groups = ["engine_nodes", "recorded"], conflicts_with_all = ["engine", "passes"])]
    pub blunders: bool,

    /// Playouts with the planted blunder, and with the review's best action.
    #[arg(long, value_name = "N", default_value_t = PLAYOUTS, requires = "blunders")]
    #[arg(conflicts_with_all = ["decisions", "engine", "beam", "passes"])]
    pub playouts: NonZeroUsize,

    /// Recorded games, or folders of them [default: 24 built-in games].
    #[arg(value_name = "GAME", requires = "recorded")]
    games: Vec<PathBuf>,

    /// Number of positions, spread over all turns of the games.
    #[arg(long, value_name = "N", default_value = "500", requires = "decisions")]
    #[arg(conflicts_with_all = WITHOUT_DECISIONS)]
    positions: NonZeroUsize,

    /// Nodes of the reference, as a multiple of --nodes.
    #[arg(long, value_name = "N", default_value = "16", requires = "decisions")]
    #[arg(conflicts_with_all = WITHOUT_DECISIONS)]
    factor: NonZeroU64,

    /// Set a parameter of the engine; the reference keeps the default values.
    ///
    /// May be repeated; `tensai --help-parameters` lists the names.
    #[arg(long = "parameter", value_name = "NAME=VALUE", requires = "decisions")]
    #[arg(conflicts_with_all = WITHOUT_DECISIONS)]
    parameters: Vec<String>,

    /// Positions or games at a time [default: one for each core].
    #[arg(long, value_name = "N", value_parser = crate::cli::commands::arguments::threads, requires = "recorded")]
    threads: Option<NonZeroUsize>,
}

/// The report as `--json` prints it.
#[derive(Serialize)]
struct YardstickReport {
    backend: String,
    /// Nodes of a decision.
    nodes: u64,
    /// Nodes of the reference.
    reference_nodes: u64,
    /// The figures of all decisions.
    #[serde(flatten)]
    all: YardstickRow,
    /// The figures by phase of the game.
    phases: Vec<GamePhase>,
    /// A hash of the actions.
    signature: String,
    /// Time of all searches in seconds.
    seconds: f64,
    /// The decisions that differ from the reference, in the order of games and turns.
    differing: Vec<Differing>,
}

/// The figures of several decisions.
#[derive(Serialize)]
struct YardstickRow {
    /// Number of decisions.
    decisions: usize,
    /// Share of the decisions that are those of the reference, 0 to 1.
    agreement: f64,
    /// Mean loss of a decision, in ojama.
    mean_loss: f64,
    /// Standard error of the mean loss.
    error: f64,
}

/// A phase of the game.
#[derive(Serialize)]
struct GamePhase {
    /// First turn of the phase.
    from: usize,
    /// Last turn of the phase.
    to: usize,
    #[serde(flatten)]
    figures: YardstickRow,
}

/// A decision that differs from the reference.
#[derive(Serialize)]
struct Differing {
    /// Number of the game, from 1.
    game: usize,
    /// The turn, 0 to 499.
    turn: usize,
    /// The seat, 0 or 1.
    seat: usize,
    /// The action with few nodes.
    answer: String,
    /// The action of the reference.
    reference: String,
    /// The loss of `answer` against `reference`, in ojama.
    lost: f64,
}

impl From<YardstickFigures> for YardstickRow {
    fn from(figures: YardstickFigures) -> Self {
        let YardstickFigures { decisions, agreement, mean_loss, error } = figures;
        Self { decisions, agreement, mean_loss, error }
    }
}

/// Measures the decisions and prints the figures.
pub fn run(
    args: &YardstickArgs,
    backend: Backend,
    nodes: Option<NonZeroU64>,
    output: JsonFlag,
) -> Result<(), CliError> {
    let mut parameters = PlannerParameters::default();
    for setting in &args.parameters {
        let refused = |what| CliError::Refused(format!("--parameter: {what}"));
        parameters.set(setting).map_err(refused)?;
    }
    let games = args.games()?;
    let positions = reference_decisions::positions(&games, args.positions.get());
    let (nodes, factor) = (nodes.unwrap_or(NODES).get(), args.factor.get());
    let threads = args.threads();
    let stop = Stop::on_signals()?;
    let begin = Instant::now();
    let bar = progress(positions.len());
    let measured = reference_decisions::measure(
        &positions,
        &parameters,
        nodes,
        factor,
        threads,
        &|| stop.is_asked(),
        &|| bar.inc(1),
    );
    bar.finish_and_clear();
    let seconds = begin.elapsed().as_secs_f64();
    let report =
        YardstickReport::new(backend, [nodes, nodes.saturating_mul(factor)], &measured, seconds);
    if output.json {
        print_json(&report)?;
    } else {
        print(&text(&report))?;
    }
    if measured.len() < positions.len() {
        let what = format!("{} of {} positions were searched", measured.len(), positions.len());
        return Err(ArenaError::StoppedAfter(what).into());
    }
    Ok(())
}

impl YardstickArgs {
    /// The recorded games that were played to their end; the built-in games if none are given.
    pub fn games(&self) -> Result<Vec<RecordedGame>, CliError> {
        if self.games.is_empty() {
            return Ok(reference_decisions::built_in_games());
        }
        let mut games = Vec::new();
        for_each_game(&self.games, |file, game| {
            if let Some(record) = game {
                let game = RecordedGame::of_record(record);
                games.push(game.map_err(|what| refused(file, &what))?);
            }
            Ok(())
        })?;
        Ok(games)
    }

    /// The number of threads: one for each core, unless it is given.
    pub fn threads(&self) -> NonZeroUsize {
        let cores = || thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        self.threads.unwrap_or_else(cores)
    }
}

impl YardstickReport {
    fn new(
        backend: Backend,
        [nodes, reference_nodes]: [u64; 2],
        measured: &[MeasuredDecision],
        seconds: f64,
    ) -> Self {
        let phase = |ends: &[usize; 2]| {
            let [from, end] = *ends;
            let within =
                measured.iter().filter(move |decision| (from..end).contains(&decision.turn));
            GamePhase { from, to: end - 1, figures: YardstickFigures::of(within).into() }
        };
        let differing = measured.iter().filter(|decision| decision.action != decision.reference);
        let differing = differing.map(|decision| Differing {
            game: decision.game,
            turn: decision.turn,
            seat: decision.seat.index(),
            answer: decision.action.to_string(),
            reference: decision.reference.to_string(),
            lost: decision.lost.0,
        });
        Self {
            backend: backend.to_string(),
            nodes,
            reference_nodes,
            all: YardstickFigures::of(measured.iter()).into(),
            phases: PHASES.array_windows().map(phase).collect(),
            signature: format!("{:016x}", reference_decisions::signature(measured)),
            seconds,
            differing: differing.collect(),
        }
    }
}

fn text(report: &YardstickReport) -> String {
    let line = |figures: &YardstickRow| {
        let YardstickRow { decisions, agreement, mean_loss, error } = figures;
        format!(
            "{decisions:9}  {:8.1} %  {mean_loss:9.2} ± {:.2}\n",
            agreement * 100.0,
            // Half of the 95 % interval.
            SPREAD_95 * error
        )
    };
    let mut text = format!("backend            {}\n", report.backend);
    text += &format!("drops              {}, reference {}\n", report.nodes, report.reference_nodes);
    text += "turns        positions   agreement   mean loss in ojama\n";
    for GamePhase { from, to, figures } in &report.phases {
        if figures.decisions > 0 {
            text += &format!("{:11}{}", format!("{from} to {to}"), line(figures));
        }
    }
    text += &format!("{:11}{}", "all", line(&report.all));
    text += &format!("signature          {}\n", report.signature);
    text + &format!("time               {:.1} s\n", report.seconds)
}

/// A bar on standard error, if that is a terminal.
pub fn progress(positions: usize) -> ProgressBar {
    let bar = ProgressBar::new(positions as u64);
    if let Ok(style) = ProgressStyle::with_template("{wide_bar} {pos} of {len}  {elapsed}") {
        bar.set_style(style);
    }
    bar.enable_steady_tick(Duration::from_millis(500));
    bar
}
