//! Arguments that several commands have.

use clap::Args;

pub use crate::cli::arguments::{
    backend, planner_parameters, seat, setting, start_threads, threads,
};

/// The option `--json` of the commands that report.
#[derive(Args, Debug, Clone, Copy)]
pub struct JsonFlag {
    /// Print the report as JSON; docs/cli.md lists its keys.
    #[arg(long)]
    pub json: bool,
}
