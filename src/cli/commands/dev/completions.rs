//! `tensai dev completions` and `tensai dev man`: completions of shells, and manual pages.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;
use clap_complete::Shell;
use clap_mangen::Man;

use crate::cli::commands::output::{print, print_data};
use crate::cli::error::CliError;
use crate::record::{Readers, replace_in_folder};
use crate::util::numbers::counted;
use crate::util::sanitize::shown;

/// Arguments of `tensai dev completions`.
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  tensai dev completions bash \\\n      \
                  > ~/.local/share/bash-completion/completions/tensai")]
pub struct CompletionsArgs {
    /// The shell.
    #[arg(value_name = "SHELL", value_enum)]
    shell: Shell,
}

/// Arguments of `tensai dev man`.
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  tensai dev man ~/.local/share/man/man1")]
pub struct ManArgs {
    /// The folder for the pages, tensai.1, tensai-match.1 and so on. It is made if it does not
    /// exist; earlier pages are overwritten.
    #[arg(value_name = "DIR")]
    dir: PathBuf,
}

/// Prints the completions of `command`.
pub fn completions(args: &CompletionsArgs, command: clap::Command) -> Result<(), CliError> {
    // Hidden commands are started by the program itself; clap_complete would offer them.
    let offered = command.get_subcommands().filter(|command| !command.is_hide_set()).cloned();
    let mut command = clap::Command::new("tensai")
        .disable_help_flag(true)
        .version(env!("CARGO_PKG_VERSION"))
        .args(command.get_arguments().cloned())
        .groups(command.get_groups().cloned())
        .subcommands(offered);
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command, "tensai", &mut script);
    print_data(&String::from_utf8_lossy(&script))
}

/// Writes the pages of `command` and its subcommands.
pub fn man(args: &ManArgs, command: clap::Command) -> Result<(), CliError> {
    let name = || shown(&args.dir).to_string();
    let refused = |error| CliError::Refused(format!("{}: cannot write: {error}", name()));
    fs::create_dir_all(&args.dir).map_err(refused)?;
    let mut command = command.disable_help_subcommand(true);
    command.build();
    let count = write_pages(&command, &args.dir)?;
    print(&format!("{}: {}\n", name(), counted(count, "page")))
}

/// The program and its version, at the foot of each page.
const SOURCE: &str = concat!("tensai ", env!("CARGO_PKG_VERSION"));

/// Writes the pages of `command` and its subcommands. Returns their number.
fn write_pages(command: &clap::Command, dir: &Path) -> Result<usize, CliError> {
    let mut count = 1;
    for subcommand in command.get_subcommands().filter(|command| !command.is_hide_set()) {
        count += write_pages(subcommand, dir)?;
    }
    let page = Man::new(command.clone()).source(SOURCE);
    let mut text = Vec::new();
    page.render(&mut text)?;
    let path = dir.join(page.get_filename());
    replace_in_folder(&path, &String::from_utf8_lossy(&text), Readers::All)?;
    Ok(count)
}
