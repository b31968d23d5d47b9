//! `tensai dev decisions`: decisions with few nodes against those with many.

use std::num::{NonZeroU64, NonZeroUsize};
use std::time::Instant;

use clap::Args;
use serde::Serialize;

use super::recorded_games::RecordedGamesArgs;
use crate::board::Backend;
use crate::cli::commands::arguments::{JsonFlag, planner_parameters, setting};
use crate::cli::commands::format;
use crate::cli::commands::output::{print, print_json};
use crate::cli::error::CliError;
use crate::dev::reference_decisions::{self, AgreementFigures, MeasuredDecision};
use crate::util::interval::SPREAD_95;
use crate::util::system::stop::Stop;

/// The first turns of the phases of a game, and the turn after the last phase.
const PHASES: [usize; 5] = [0, 10, 20, 30, 500];

/// Arguments of `tensai dev decisions`.
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  tensai dev decisions --nodes 3000000")]
pub struct DecisionsArgs {
    #[command(flatten)]
    of: RecordedGamesArgs,

    /// Nodes of a decision.
    #[arg(long, value_name = "N", default_value = "50000")]
    nodes: NonZeroU64,

    /// Nodes of the reference, as a multiple of --nodes.
    #[arg(long, value_name = "N", default_value = "16")]
    factor: NonZeroU64,

    /// Number of positions, spread over all turns of the games.
    #[arg(long, value_name = "N", default_value = "500")]
    positions: NonZeroUsize,

    /// Set a parameter of the engine; the reference keeps the default values.
    ///
    /// May be repeated; `tensai --help-parameters` lists the names.
    #[arg(long = "parameter", value_name = "NAME=VALUE", value_parser = setting)]
    parameters: Vec<String>,

    #[command(flatten)]
    output: JsonFlag,
}

/// The report as `--json` prints it.
#[derive(Serialize)]
struct AgreementReport {
    backend: String,
    /// Nodes of a decision.
    nodes: u64,
    /// Nodes of the reference.
    reference_nodes: u64,
    /// The figures of all decisions.
    #[serde(flatten)]
    all: AgreementFigures,
    /// The figures by phase of the game.
    phases: Vec<GamePhase>,
    /// A hash of the actions.
    signature: String,
    /// Time of all searches in seconds.
    seconds: f64,
    /// The decisions that differ from the reference, in the order of games and turns.
    differing: Vec<MeasuredDecision>,
}

/// A phase of the game.
#[derive(Serialize)]
struct GamePhase {
    /// First turn of the phase.
    from: usize,
    /// Last turn of the phase.
    to: usize,
    #[serde(flatten)]
    figures: AgreementFigures,
}

/// Measures the decisions and prints the figures.
pub fn run(args: &DecisionsArgs) -> Result<(), CliError> {
    let backend = args.of.work.choose_backend();
    let parameters = planner_parameters(&args.parameters);
    let games = args.of.games()?;
    let positions = reference_decisions::positions(&games, args.positions.get());
    let (nodes, factor) = (args.nodes.get(), args.factor.get());
    let threads = args.of.work.threads();
    let stop = Stop::on_signals()?;
    let begin = Instant::now();
    let bar = format::bar(positions.len());
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
        AgreementReport::new(backend, [nodes, nodes.saturating_mul(factor)], &measured, seconds);
    if args.output.json {
        print_json(&report)?;
    } else {
        print(&text(&report))?;
    }
    if measured.len() < positions.len() {
        let done = format!("{} of {} positions were searched", measured.len(), positions.len());
        return Err(CliError::stopped(done));
    }
    Ok(())
}

impl AgreementReport {
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
            GamePhase { from, to: end - 1, figures: AgreementFigures::of(within) }
        };
        let differing = measured.iter().filter(|decision| decision.action != decision.reference);
        Self {
            backend: backend.to_string(),
            nodes,
            reference_nodes,
            all: AgreementFigures::of(measured.iter()),
            phases: PHASES.array_windows().map(phase).collect(),
            signature: format!("{:016x}", reference_decisions::signature(measured)),
            seconds,
            differing: differing.copied().collect(),
        }
    }
}

fn text(report: &AgreementReport) -> String {
    let line = |figures: &AgreementFigures| {
        let AgreementFigures { decisions, agreement, mean_loss, error } = figures;
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
