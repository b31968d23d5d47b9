//! `tensai packs`: the packs of games.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};

use super::arena::{ArenaError, check_each, files_in};
use super::{CliError, packs_file, print_data};
use crate::arena::Stop;
use crate::foreign_text::shown;
use crate::game::{Packs, TURNS};
use crate::record::try_write_new;

/// What is done with packs.
#[derive(Subcommand, Debug)]
pub enum PacksCommand {
    /// Draw the packs of games as the contest's server did.
    Generate(GenerateArgs),
    /// See whether files hold the packs of a game, and whether the contest's server could have made
    /// them.
    Check(CheckArgs),
}

/// How many packs are drawn, and where they go.
#[derive(Args, Debug)]
pub struct GenerateArgs {
    /// The seed of the first game's packs; each further game has the next.
    #[arg(long, value_name = "SEED", default_value_t = 0)]
    seed: u64,

    /// Games to draw packs for, each in a file.
    #[arg(long, value_name = "N", default_value = "1")]
    count: NonZeroUsize,

    /// The file for the packs of one game, or the folder for `pack_0000.pack` and so on; no file
    /// may be there yet [default: standard output, for one game].
    #[arg(short, long, value_name = "FILE|FOLDER")]
    output: Option<PathBuf>,
}

/// What is looked at.
#[derive(Args, Debug)]
pub struct CheckArgs {
    /// Files of packs, and folders of them.
    #[arg(value_name = "FILE|FOLDER", required = true)]
    paths: Vec<PathBuf>,
}

/// Does it.
pub fn run(command: &PacksCommand) -> Result<(), CliError> {
    match command {
        PacksCommand::Generate(args) => generate(args),
        PacksCommand::Check(args) => check(args),
    }
}

fn generate(args: &GenerateArgs) -> Result<(), CliError> {
    let count = args.count.get();
    let last = args.seed.checked_add(count as u64 - 1);
    let last =
        last.ok_or_else(|| CliError::Refused("there are no seeds beyond 2^64".to_owned()))?;
    let packs = (args.seed..=last).map(|seed| Packs::from_seed(seed).to_string());
    let Some(path) = &args.output else {
        if count > 1 {
            let what = "the packs of several games need a folder: give one with `-o FOLDER`";
            return Err(CliError::Refused(what.to_owned()));
        }
        return print_data(&packs.collect::<String>());
    };
    let is_folder = count > 1 || path.is_dir() || path.as_os_str().to_string_lossy().ends_with('/');
    let name = |number: usize| match is_folder {
        true => path.join(format!("pack_{number:04}.pack")),
        false => path.clone(),
    };
    let stop = Stop::on_signals()?;
    // Files are given their names when all are drawn: of a stop before that nothing is left.
    let files = (0..).map(name).zip(packs).map(|file| match stop.is_asked() {
        false => Ok(file),
        true => Err(ArenaError::StoppedAfter("no file was written".to_owned())),
    });
    try_write_new(files)?;
    Ok(())
}

fn check(args: &CheckArgs) -> Result<(), CliError> {
    // A folder that cannot be read is wrong as a file is: the others are still looked at.
    let files = args.paths.iter().flat_map(|path| match files_in(path) {
        Ok(files) => files.into_iter().map(Ok).collect(),
        Err(error) => vec![Err(error)],
    });
    check_each(files, |file| look(&file?))
}

/// What there is to say about a file of packs.
fn look(file: &Path) -> Result<String, CliError> {
    let oddities = packs_file(file)?.oddities();
    let (file, odd) = (shown(file), oddities.join(", "));
    Ok(match odd.is_empty() {
        true => format!("{file}: {TURNS} packs, as the contest's server made them"),
        false => format!(
            "{file}: {TURNS} packs, legal, but not as the contest's server made them: {odd}"
        ),
    })
}
