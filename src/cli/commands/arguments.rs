//! Arguments that several commands have.

use clap::Args;

pub use crate::cli::arguments::{
    backend, planner_parameters, seat, setting, start_threads, threads,
};
use crate::game::Gauge;

/// The option `--json` of the commands that report.
#[derive(Args, Debug, Clone, Copy)]
pub struct JsonFlag {
    /// Print the report as JSON; docs/cli.md lists its keys.
    #[arg(long)]
    pub json: bool,
}

/// Parses a gauge.
pub fn gauge(text: &str) -> Result<Gauge, String> {
    let gauge = text.parse().ok().and_then(Gauge::new);
    gauge.ok_or_else(|| "expected a gauge, 0 to 100".to_owned())
}
