//! `tensai completions` and `tensai man`: completions of shells, and manual pages.

use std::fs;
use std::path::PathBuf;

use clap::{Args, CommandFactory as _};
use clap_complete::Shell;

use super::{Cli, CliError, print, print_data};
use crate::foreign_text::shown;
use crate::wording::counted;

/// Arguments of `tensai completions`.
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  \
                  tensai completions bash > ~/.local/share/bash-completion/completions/tensai")]
pub struct CompletionsArgs {
    /// The shell.
    #[arg(value_name = "SHELL", value_enum)]
    shell: Shell,
}

/// Arguments of `tensai man`.
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  tensai man ~/.local/share/man/man1")]
pub struct ManArgs {
    /// The folder for the pages, tensai.1, tensai-match.1 and so on. It is made if it does not
    /// exist; earlier pages are overwritten.
    #[arg(value_name = "DIR")]
    dir: PathBuf,
}

/// Prints the completions.
pub fn completions(args: &CompletionsArgs) -> Result<(), CliError> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "tensai", &mut script);
    print_data(&String::from_utf8_lossy(&script))
}

/// Writes the pages.
pub fn man(args: &ManArgs) -> Result<(), CliError> {
    let name = || shown(&args.dir).to_string();
    let refused = |error| CliError::Refused(format!("{}: cannot write: {error}", name()));
    fs::create_dir_all(&args.dir).map_err(refused)?;
    clap_mangen::generate_to(Cli::command(), &args.dir).map_err(refused)?;
    let pages = fs::read_dir(&args.dir).map_err(refused)?.flatten();
    let ours = |name: &str| name.starts_with("tensai") && name.ends_with(".1");
    let count = pages.filter(|page| page.file_name().to_str().is_some_and(ours)).count();
    print(&format!("{}: {}\n", name(), counted(count, "page")))
}
