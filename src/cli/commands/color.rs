//! Whether drawings have colors: `--color` and the variables of the environment.

use std::io;

use anstream::{AutoStream, ColorChoice};
use clap::Args;

use crate::analysis::render::Colors;

/// The option `--color`, which every command has.
#[derive(Args, Debug, Clone, Copy)]
pub struct ColorArgs {
    /// Draw with colors.
    ///
    /// auto: if standard output is a terminal, unless NO_COLOR is set or TERM is `dumb`;
    /// CLICOLOR_FORCE turns colors on without a terminal.
    #[arg(
        long,
        visible_alias = "colour",
        value_enum,
        value_name = "WHEN",
        default_value = "auto",
        global = true
    )]
    color: clap::ColorChoice,
}

impl ColorArgs {
    /// Makes the choice of the whole process.
    pub fn choose(self) {
        let choice = match self.color {
            clap::ColorChoice::Auto => ColorChoice::Auto,
            clap::ColorChoice::Always => ColorChoice::Always,
            clap::ColorChoice::Never => ColorChoice::Never,
        };
        choice.write_global();
    }
}

/// Whether drawings on standard output have colors.
pub fn colors() -> Colors {
    match AutoStream::choice(&io::stdout()) {
        ColorChoice::Never => Colors::Off,
        _ => Colors::On,
    }
}
