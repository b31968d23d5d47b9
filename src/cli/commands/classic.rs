//! The options of `--engine classic`: a preset of y.s.'s bot, and the data that it prints.

use clap::Args;

use crate::cli::arguments::named;
use crate::engine::classic::{Parameters, Preset};
use crate::engine::{Classic, Engine};

/// The options of `--engine classic`.
#[derive(Args, Debug, Clone)]
pub struct ClassicArgs {
    /// Print the data behind each decision of the classic engine.
    ///
    /// Fields, lines and the opponent's tables go to standard error.
    #[arg(long)]
    verbose: bool,

    /// The parameters of the classic engine [default: submission].
    ///
    /// They are those of y.s.'s bot: as it last played online on four cores, or as it was submitted
    /// for one core.
    #[arg(long, value_parser = named(&Preset::NAMED))]
    preset: Option<Preset>,
}

impl ClassicArgs {
    /// Makes the engine that the options describe.
    pub fn engine(&self) -> Box<dyn Engine> {
        let parameters = Parameters::of(self.preset.unwrap_or_default());
        Box::new(Classic::new(parameters, self.verbose))
    }
}
