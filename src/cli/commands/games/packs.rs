//! `tensai packs`: generates and checks the packs of games.

use std::path::PathBuf;

use clap::{Args, Subcommand, value_parser};

use crate::cli::commands::files::{check_each, distinct, packs_file, packs_in};
use crate::cli::commands::output::print_data;
use crate::cli::error::CliError;
use crate::game::{Packs, TURNS};
use crate::record::{Destination, try_write_new};
use crate::util::sanitize::shown;
use crate::util::system::stop::Stop;

/// The end of the help of `tensai packs`.
const EXAMPLE: &str = "Example:
  tensai packs generate --seed 7 -o game.pack
  tensai packs check game.pack";

/// The most games of one call: their files have some 600 megabytes.
const MOST: u64 = 100_000;

/// The subcommands of `tensai packs`.
#[derive(Subcommand, Debug)]
#[command(after_help = EXAMPLE)]
pub enum PacksCommand {
    /// Generate the packs of games as the contest's server did.
    Generate(GenerateArgs),
    /// Check whether files hold the packs of a game, and whether the contest's server could have
    /// made them.
    Check(PacksCheckArgs),
}

/// Arguments of `tensai packs generate`.
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  tensai packs generate --seed 7 -o game.pack")]
pub struct GenerateArgs {
    /// The seed of the first game's packs; each further game uses the next seed.
    #[arg(long, value_name = "SEED", default_value_t = 0)]
    seed: u64,

    /// Number of games, each with a file of packs; at most 100,000.
    #[arg(long, value_name = "N", default_value_t = 1)]
    #[arg(value_parser = value_parser!(u64).range(1..=MOST))]
    count: u64,

    /// The file for the packs of one game, or the folder for `pack_0000.pack` and so on. No file
    /// may exist yet [default: standard output, for one game].
    #[arg(short, long, value_name = "FILE|FOLDER")]
    output: Option<PathBuf>,
}

/// Arguments of `tensai packs check`.
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  tensai packs check game.pack")]
pub struct PacksCheckArgs {
    /// Files of packs, and folders of such files.
    #[arg(value_name = "FILE|FOLDER", required = true)]
    paths: Vec<PathBuf>,
}

/// Runs `command`.
pub fn run(command: &PacksCommand) -> Result<(), CliError> {
    match command {
        PacksCommand::Generate(args) => generate(args),
        PacksCommand::Check(args) => check(args),
    }
}

fn generate(args: &GenerateArgs) -> Result<(), CliError> {
    let count = args.count;
    let last = args.seed.checked_add(count - 1);
    let last = last.ok_or_else(|| {
        let seed = args.seed;
        let reason = format!("--seed {seed} with --count {count}: the last seed is above 2^64 - 1");
        CliError::Refused(reason)
    })?;
    let packs = (args.seed..=last).map(|seed| Packs::from_seed(seed).to_string());
    let Some(path) = &args.output else {
        if count > 1 {
            let reason = "the packs of several games need a folder: give one with `-o FOLDER`";
            return Err(CliError::Refused(reason.to_owned()));
        }
        return print_data(&packs.collect::<String>());
    };
    if count > 1 && !matches!(Destination::of(path), Ok(Destination::File(_)) | Err(_)) {
        let reason = format!("{}: the packs of several games need a folder", shown(path));
        return Err(CliError::Refused(reason));
    }
    let is_folder = count > 1 || path.is_dir() || path.as_os_str().to_string_lossy().ends_with('/');
    let name = |number: usize| match is_folder {
        true => path.join(format!("pack_{number:04}.pack")),
        false => path.clone(),
    };
    let stop = Stop::on_signals()?;
    // Files get their names only when all are generated, so that a stop before that leaves none.
    let files = (0..).map(name).zip(packs).map(|file| match stop.is_asked() {
        false => Ok(file),
        true => Err(CliError::stopped("no file was written")),
    });
    try_write_new(files)?;
    Ok(())
}

fn check(args: &PacksCheckArgs) -> Result<(), CliError> {
    // A folder that cannot be read is an error like a wrong file; the others are still checked.
    let files = args.paths.iter().flat_map(|path| match packs_in(path) {
        Ok(files) => files.into_iter().map(Ok).collect(),
        Err(error) => vec![Err(error)],
    });
    check_each(distinct(files), |file| {
        let oddities = packs_file(file)?.oddities();
        let found = match oddities.is_empty() {
            true => "as the contest's server made them".to_owned(),
            false => {
                let oddities = oddities.join(", ");
                format!("legal, but not as the contest's server made them: {oddities}")
            }
        };
        Ok(format!("{}: {TURNS} packs, {found}", shown(file)))
    })
}
