//! The settings of a league's games: what `league init` and `league set` take, and their text.

use std::num::NonZeroU64;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

use clap::Args;

use crate::arena::PackSource;
use crate::arena::league::League;
use crate::cli::commands::bots::match_::pack_source;
use crate::util::duration;
use crate::util::sanitize::{quoted, shown};

/// Settings of a league's games; those that are not given stay as they are.
#[derive(Args, Clone, PartialEq, Eq, Debug, Default)]
pub struct SettingsArgs {
    /// Time of each engine for a game [default of a new league: 10s].
    #[arg(long, value_name = "TIME", value_parser = duration::parse_limit)]
    time: Option<Duration>,

    /// Time of each engine for a turn [default of a new league: 20s].
    #[arg(long, value_name = "TIME", value_parser = duration::parse_limit)]
    turn_time: Option<Duration>,

    /// Time by which an engine may exceed a limit before it loses on time [default of a new league:
    /// 100ms].
    #[arg(long, value_name = "TIME", value_parser = duration::parse)]
    grace: Option<Duration>,

    /// Time in which an engine must send its name; no clock counts it [default of a new league: 10s].
    #[arg(long, value_name = "TIME", value_parser = duration::parse_limit)]
    start_time: Option<Duration>,

    /// Nodes that each engine may use for a decision, instead of time, unless it has its own; `none`
    /// for time again. The engine must obey the variable TENSAI_NODES, as this program does.
    #[arg(long, value_name = "N|none")]
    nodes: Option<Nodes>,

    /// Ask one engine after the other, on one core, instead of both at once; `=false` for both at once
    /// again.
    #[arg(long, value_name = "true|false", num_args = 0..=1, require_equals = true)]
    #[arg(default_missing_value = "true")]
    sequential: Option<bool>,

    /// Begin each game with N random drops, alike for both, 0 to 20 [default of a new league: 0].
    #[arg(long, value_name = "N")]
    openings: Option<usize>,

    /// End a game as soon as one engine is proven to lose; `=false` to play games to their end again.
    #[arg(long, value_name = "true|false", num_args = 0..=1, require_equals = true)]
    #[arg(default_missing_value = "true")]
    adjudicate: Option<bool>,

    /// A file of packs, or a folder of such files. Each game uses the next file in the order of their
    /// names; after the last file the first is used again.
    #[arg(long, value_name = "FILE|FOLDER")]
    packs: Option<PathBuf>,

    /// Draw the packs: those of game 1 from this seed, those of each further game from the next seed
    /// [default of a new league: 0].
    #[arg(long, value_name = "SEED", conflicts_with = "packs")]
    seed: Option<u64>,
}

/// A limit of nodes, or `none`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Nodes(Option<NonZeroU64>);

impl FromStr for Nodes {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "none" => Ok(Self(None)),
            _ => text
                .parse()
                .map(|nodes| Self(Some(nodes)))
                .map_err(|_| format!("expected a number from 1 or `none`, found {}", quoted(text))),
        }
    }
}

impl SettingsArgs {
    /// Gives a league these settings. A relative path is one of the folder `here`.
    ///
    /// # Errors
    /// A setting is out of range, or the packs cannot be read.
    pub fn apply(&self, league: &mut League, here: &Path) -> Result<(), String> {
        let times = [
            (&mut league.game_ms, self.time),
            (&mut league.turn_ms, self.turn_time),
            (&mut league.grace_ms, self.grace),
            (&mut league.start_ms, self.start_time),
        ];
        for (field, time) in times {
            *field = time.map_or(*field, duration::milliseconds);
        }
        league.nodes = self.nodes.map_or(league.nodes, |Nodes(nodes)| nodes);
        league.sequential = self.sequential.unwrap_or(league.sequential);
        league.openings = self.openings.unwrap_or(league.openings);
        league.adjudicate = self.adjudicate.unwrap_or(league.adjudicate);
        if let Some(path) = &self.packs {
            league.packs = Some(here.join(path));
        }
        if let Some(seed) = self.seed {
            (league.seed, league.packs) = (seed, None);
        }
        league.check()?;
        if self.packs.is_some() { packs(league).map(drop) } else { Ok(()) }
    }
}

/// Reads the packs of a league.
///
/// # Errors
/// A file or folder cannot be read, or a file holds no packs; the message says which.
pub fn packs(league: &League) -> Result<PackSource, String> {
    // Given packs are repeated.
    let seed = league.packs.is_none().then_some(league.seed);
    pack_source(league.packs.as_deref(), seed, usize::MAX).map_err(|error| error.to_string())
}

/// The settings for people, each in a line, as the words of their options.
pub fn text(league: &League) -> String {
    let time = |ms| humantime::format_duration(Duration::from_millis(ms)).to_string();
    let lines = [
        ("time", time(league.game_ms)),
        ("turn-time", time(league.turn_ms)),
        ("grace", time(league.grace_ms)),
        ("start-time", time(league.start_ms)),
        ("nodes", league.nodes.map_or_else(|| "none".to_owned(), |nodes| nodes.to_string())),
        ("sequential", league.sequential.to_string()),
        ("openings", league.openings.to_string()),
        ("adjudicate", league.adjudicate.to_string()),
        match &league.packs {
            Some(path) => ("packs", shown(path).to_string()),
            None => ("seed", league.seed.to_string()),
        },
    ];
    lines.iter().map(|(name, value)| format!("{name:<10}  {value}\n")).collect()
}
