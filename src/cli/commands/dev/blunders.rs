//! `tensai dev blunders`: how often a review names the turn that spoiled a game.

use std::num::{NonZeroU64, NonZeroUsize};
use std::time::Instant;

use clap::Args;
use serde::Serialize;

use super::recorded_games::RecordedGamesArgs;
use crate::analysis::ReviewMark;
use crate::analysis::playouts::PLAYOUTS;
use crate::cli::commands::arguments::JsonFlag;
use crate::cli::commands::format;
use crate::cli::commands::output::{print, print_json};
use crate::cli::error::CliError;
use crate::dev::planted_blunders::{
    BlunderKind, ReviewEffort, ReviewedBlunder, plant, review_planted,
};
use crate::util::system::stop::Stop;

/// Arguments of `tensai dev blunders`.
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  tensai dev blunders --nodes 100000")]
pub struct BlundersArgs {
    #[command(flatten)]
    of: RecordedGamesArgs,

    /// Simulated drops of the review for each turn.
    #[arg(long, value_name = "N", default_value = "2000000")]
    nodes: NonZeroU64,

    /// Playouts with the planted blunder, and with the review's best action.
    #[arg(long, value_name = "N", default_value_t = PLAYOUTS)]
    playouts: NonZeroUsize,

    #[command(flatten)]
    output: JsonFlag,
}

/// The rank up to which a turn counts as among the first.
const AMONG: usize = 3;

/// The report as `--json` prints it.
#[derive(Serialize)]
struct BlundersReport {
    backend: String,
    /// Simulated drops of the review for each turn.
    nodes: u64,
    /// The counts of all kinds together.
    #[serde(flatten)]
    all: RankCounts,
    /// The counts of the blunders before which the game was not lost already: the win probability
    /// was high enough for a mark. The others cost nothing, and a review ranks them last.
    open: RankCounts,
    /// The counts by kind.
    kinds: Vec<KindCounts>,
    /// Time in seconds.
    seconds: f64,
    /// All blunders, in the order of games.
    blunders: Vec<ReviewedBlunder>,
}

/// How many blunders the review ranks first, and among the first three, and how many of them
/// playouts confirm.
#[derive(Serialize)]
struct RankCounts {
    planted: usize,
    first: usize,
    first_three: usize,
    confirmed: usize,
}

/// The counts of a kind.
#[derive(Serialize)]
struct KindCounts {
    kind: &'static str,
    #[serde(flatten)]
    counts: RankCounts,
}

impl RankCounts {
    fn of<'a>(blunders: impl Iterator<Item = &'a ReviewedBlunder> + Clone) -> Self {
        let up_to = |rank| blunders.clone().filter(|blunder| blunder.rank <= rank).count();
        Self {
            planted: blunders.clone().count(),
            first: up_to(1),
            first_three: up_to(AMONG),
            confirmed: blunders.clone().filter(|blunder| blunder.is_confirmed).count(),
        }
    }
}

/// Plants blunders, reviews them and prints the counts.
pub fn run(args: &BlundersArgs) -> Result<(), CliError> {
    let backend = args.of.work.choose_backend();
    let (games, threads) = (args.of.games()?, args.of.work.threads());
    let nodes = args.nodes.get();
    let stop = Stop::on_signals()?;
    let begin = Instant::now();
    let is_stopped = || stop.is_asked();
    let planted = plant(&games, nodes, threads, &is_stopped);
    let bar = format::bar(planted.len());
    let effort = ReviewEffort { nodes, playouts: args.playouts };
    let reviewed = review_planted(&games, &planted, effort, threads, &is_stopped, &|| bar.inc(1));
    bar.finish_and_clear();
    let of_kind = |kind: BlunderKind| {
        let of_kind = reviewed.iter().filter(move |blunder| blunder.planted.kind == kind);
        KindCounts { kind: kind.name(), counts: RankCounts::of(of_kind) }
    };
    let report = BlundersReport {
        backend: backend.to_string(),
        nodes,
        all: RankCounts::of(reviewed.iter()),
        open: RankCounts::of(
            reviewed.iter().filter(|blunder| blunder.before >= ReviewMark::INACCURACY),
        ),
        kinds: BlunderKind::ALL.map(of_kind).into(),
        seconds: begin.elapsed().as_secs_f64(),
        blunders: reviewed,
    };
    if args.output.json {
        print_json(&report)?;
    } else {
        print(&text(&report))?;
    }
    if stop.is_asked() {
        let (done, all) = (report.blunders.len(), planted.len());
        let done = format!("{done} of {all} blunders were reviewed");
        return Err(CliError::stopped(done));
    }
    Ok(())
}

fn text(report: &BlundersReport) -> String {
    let line = |name: &str, counts: &RankCounts| {
        let RankCounts { planted, first, first_three, confirmed } = counts;
        let name = name.replace('_', " ");
        format!("{name:16}{planted:9}{first:9}{first_three:14}{confirmed:13}\n")
    };
    let mut text = format!("backend         {}\n", report.backend);
    text += &format!("drops           {} a turn\n", report.nodes);
    text += "kind              planted    first    first three    confirmed\n";
    for KindCounts { kind, counts } in &report.kinds {
        text += &line(kind, counts);
    }
    text += &line("all", &report.all);
    text += &line("game not lost", &report.open);
    text + &format!("time            {:.1} s\n", report.seconds)
}
