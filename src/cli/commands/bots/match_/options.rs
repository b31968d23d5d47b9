//! The options of a match: flags, and the keys of a file of options.

use std::num::{NonZeroU64, NonZeroUsize};
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use serde::{Deserialize, Deserializer};

use super::engines::EngineConfigs;
use super::serve::{ServeAddress, from_file};
use crate::arena::Shard;
use crate::cli::commands::bots::logs::LogArgs;
use crate::util::duration;

/// The headings of the options in the help of a command that has many.
pub const ENGINES: &str = "Engines";
/// As [`ENGINES`].
pub const SCHEDULE: &str = "Schedule";
/// As [`ENGINES`].
pub const CLOCKS: &str = "Clocks";
/// As [`ENGINES`].
pub const RUNNING: &str = "Running";
/// As [`ENGINES`].
pub const RESULTS: &str = "Results";

/// How many games are played at a time, and on which cores.
#[derive(Args, Deserialize, Clone, Debug, Default)]
#[serde(default, rename_all = "kebab-case")]
pub struct SlotArgs {
    /// Games at a time [default: one for each set of cores].
    ///
    /// Cores that another match of the same user has claimed are not used. If too few cores are
    /// free for one game, or for the number given here, the bots are not pinned, and a message says
    /// so.
    #[arg(long, value_name = "N", help_heading = RUNNING)]
    pub concurrency: Option<NonZeroUsize>,

    /// Do not pin the bots to cores.
    ///
    /// They may then run on any core, including the cores of other matches.
    #[arg(long, help_heading = RUNNING, hide_short_help = true)]
    pub no_pin: bool,
}

/// Where browsers watch the games.
#[derive(Args, Deserialize, Clone, Debug, Default)]
#[serde(default, rename_all = "kebab-case")]
pub struct ServeArgs {
    /// Show the games in browsers [default: 127.0.0.1:7475].
    ///
    /// A port alone is enough. The page shows the standing, and the games turn by turn. Standard error
    /// has the address of the page, with a token. If another program uses port 7475, any free port is
    /// taken.
    #[arg(long, value_name = "ADDRESS", num_args = 0..=1, default_missing_value = "", help_heading = RUNNING)]
    #[serde(deserialize_with = "from_file")]
    pub serve: Option<ServeAddress>,
}

/// The format of the results.
#[derive(Args, Deserialize, Clone, Copy, Debug, Default)]
#[serde(default, rename_all = "kebab-case")]
pub struct FormArgs {
    /// Print the results as JSON.
    #[arg(long, help_heading = RESULTS)]
    pub json: bool,
}

/// How games are played and shown: the options that `match` and `match resume` share.
#[derive(Args, Clone, Debug, Default)]
pub struct PlayArgs {
    /// The logs of the bots.
    #[command(flatten)]
    pub logs: LogArgs,

    /// How many games are played at a time, and on which cores.
    #[command(flatten)]
    pub slots: SlotArgs,

    /// Where browsers watch the games.
    #[command(flatten)]
    pub serve: ServeArgs,

    /// The format of the results.
    #[command(flatten)]
    pub form: FormArgs,
}

/// The options of a new match.
#[derive(Args, Deserialize, Clone, Debug, Default)]
#[serde(default, rename_all = "kebab-case")]
pub struct MatchOptions {
    /// The engines.
    #[command(flatten)]
    #[serde(rename = "engine")]
    pub engines: EngineConfigs,

    /// The first bot's command [default: this program].
    ///
    /// Short for --engine cmd=COMMAND.
    #[arg(long, value_name = "COMMAND", conflicts_with = "engine", help_heading = ENGINES)]
    pub a: Option<String>,

    /// The second bot's command [default: a random bot].
    #[arg(long, value_name = "COMMAND", conflicts_with = "engine", help_heading = ENGINES)]
    pub b: Option<String>,

    /// Only the first engine plays, against each other.
    #[arg(long, help_heading = ENGINES)]
    pub gauntlet: bool,

    /// Compare the first two engines by pairs of games against the others.
    ///
    /// The first engine is the new version, the second the old one. Both play each of the further
    /// engines on the same packs. The results are the pairs of games in which one version did
    /// better than the other; --sprt then tests these pairs.
    #[arg(long, conflicts_with = "gauntlet", help_heading = ENGINES, hide_short_help = true)]
    pub paired: bool,

    /// Number of rounds [default: 1; with --sprt up to 10000].
    ///
    /// Each pair plays once a round, on other packs than in the rounds before.
    /// With --sprt the match ends when the test is decided.
    #[arg(long, value_name = "N", visible_alias = "games", help_heading = SCHEDULE)]
    #[serde(alias = "games")]
    pub rounds: Option<NonZeroUsize>,

    /// A file or a folder of packs [default: replays/packs if it exists].
    ///
    /// Each round uses the next file in the order of their names; after the last file the first is
    /// used again. Without files, packs are generated as the contest's server did.
    #[arg(long, value_name = "FILE|FOLDER", help_heading = SCHEDULE)]
    pub packs: Option<PathBuf>,

    /// Generate the packs from this seed.
    ///
    /// Each further round uses the next seed.
    #[arg(long, value_name = "SEED", conflicts_with = "packs", help_heading = SCHEDULE)]
    pub seed: Option<u64>,

    /// Time of each bot for a game [default: 10s].
    #[arg(long, value_name = "TIME", value_parser = duration::parse_limit, help_heading = CLOCKS)]
    #[serde(with = "duration::optional_limit")]
    pub time: Option<Duration>,

    /// Time of each bot for a turn [default: 20s].
    #[arg(long, value_name = "TIME", value_parser = duration::parse_limit, help_heading = CLOCKS, hide_short_help = true)]
    #[serde(with = "duration::optional_limit")]
    pub turn_time: Option<Duration>,

    /// Time by which a bot may exceed a limit [default: 100ms].
    ///
    /// Beyond it the bot loses on time.
    #[arg(long, value_name = "TIME", value_parser = duration::parse, help_heading = CLOCKS, hide_short_help = true)]
    #[serde(with = "duration::optional")]
    pub grace: Option<Duration>,

    /// Time in which a bot must send its name [default: 10s].
    ///
    /// It is not taken from the game's time.
    #[arg(long, value_name = "TIME", value_parser = duration::parse_limit, help_heading = CLOCKS, hide_short_help = true)]
    #[serde(with = "duration::optional_limit")]
    pub start_time: Option<Duration>,

    /// Nodes that each bot may use for a decision, instead of time.
    ///
    /// The bot must obey the variable TENSAI_NODES, as this program does. Results then do not
    /// depend on other work on the machine.
    #[arg(long, value_name = "N", help_heading = CLOCKS)]
    pub nodes: Option<NonZeroU64>,

    /// Ask one bot after the other, on one core, instead of both at once.
    #[arg(long, help_heading = CLOCKS, hide_short_help = true)]
    pub sequential: bool,

    /// Begin each game with N random drops, alike for both [default: 0].
    ///
    /// N is 0 to 20; the drops follow from the seed of the round. The bots are asked about these
    /// turns, but their answers do not count and their clocks do not run. Engines that play alike
    /// then meet different positions.
    #[arg(long, value_name = "N", help_heading = SCHEDULE, hide_short_help = true)]
    pub openings: Option<usize>,

    /// End a game as soon as one bot is proven to lose.
    ///
    /// The bot passes the danger line with every action, if the other bot only drops its packs
    /// where they lie lowest.
    #[arg(long, help_heading = SCHEDULE, hide_short_help = true)]
    pub adjudicate: bool,

    /// End the match when an SPRT is decided [default: elo0=0 elo1=10 alpha=0.05 beta=0.05].
    ///
    /// The test decides whether the first of two engines, or with --paired the new version, is
    /// stronger by elo1 or only by elo0.
    #[arg(long, value_name = "KEY=VALUE", num_args = 0..=4, help_heading = SCHEDULE)]
    #[serde(deserialize_with = "sprt_words")]
    pub sprt: Option<Vec<String>>,

    /// The folder of the match [default: a new one in games/].
    ///
    /// It holds the records and the data to resume the match. A folder with a part of the same
    /// match is resumed. A folder in which another process plays the same games is refused.
    #[arg(long, value_name = "FOLDER", help_heading = RESULTS)]
    pub records: Option<PathBuf>,

    /// Play only part I of N, such as 1/4 up to 4/4, for several machines.
    ///
    /// Needs --records, because all parts belong to one match. Every part meets every pair of engines
    /// equally often. Not with --sprt, which `match merge` takes instead.
    #[arg(long, value_name = "I/N", help_heading = SCHEDULE, hide_short_help = true)]
    #[serde(deserialize_with = "shard")]
    pub shard: Option<Shard>,

    /// How the games are played and shown.
    #[command(flatten)]
    #[serde(skip)]
    pub play: PlayArgs,
}

/// Reads a part from a file, as the same text as the flag's value.
fn shard<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Shard>, D::Error> {
    let text = String::deserialize(deserializer)?;
    text.parse().map(Some).map_err(serde::de::Error::custom)
}

/// Reads the test from a table of a file, as the words of the flag.
fn sprt_words<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Vec<String>>, D::Error> {
    let table = std::collections::BTreeMap::<String, f64>::deserialize(deserializer)?;
    Ok(Some(table.into_iter().map(|(key, value)| format!("{key}={value}")).collect()))
}
