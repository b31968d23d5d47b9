//! `tensai match`: bots against each other.

mod progress;
mod report;
mod settings;
mod single;

use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::PathBuf;

use clap::Args;

pub(super) use report::{plain_table, print_table};

use self::progress::Progress;
use self::report::Form;
use self::settings::Settings;
use self::single::Spectator;
use super::CliError;
use crate::arena::{
    Cores, Event, Fixture, Folder, Manifest, Shard, Standing, Stop, Summary, Tournament,
};
use crate::rating::Verdict;

/// What is played, where it is kept and how it is told.
#[derive(Args, Debug)]
pub struct MatchArgs {
    #[command(flatten)]
    settings: Settings,

    /// A TOML file that says the same as these flags (names without dashes in front; an array of
    /// tables `engine`); flags come before it.
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,

    /// The folder of the match: its records, and what is needed to go on with it. One that has
    /// a part of the same match already is gone on with [default: a new one in games/].
    #[arg(long, value_name = "FOLDER", group = "where")]
    records: Option<PathBuf>,

    /// Go on with the match in this folder: plays what is missing.
    #[arg(long, value_name = "FOLDER", group = "where", conflicts_with_all = [
        "engine", "a", "b", "gauntlet", "rounds", "packs", "seed", "time", "turn_time", "grace",
        "start_time", "nodes", "sequential", "sprt", "config", "merge",
    ])]
    resume: Option<PathBuf>,

    /// Play only a part of the games, for one of several machines, such as 1/4 up to 4/4.
    #[arg(long, value_name = "I/N", requires = "where")]
    shard: Option<Shard>,

    /// Unite the games in these folders, which hold parts of one match, and report; with --records
    /// they are copied to that folder too.
    #[arg(long, value_name = "FOLDER", num_args = 1.., conflicts_with_all = [
        "engine", "a", "b", "gauntlet", "rounds", "packs", "seed", "time", "turn_time", "grace",
        "start_time", "nodes", "sequential", "sprt", "config", "concurrency", "no_pin", "shard",
    ])]
    merge: Vec<PathBuf>,

    /// Games at a time [default: as many as have cores of their own].
    #[arg(long, value_name = "N")]
    concurrency: Option<NonZeroUsize>,

    /// Let the bots run on any core.
    #[arg(long)]
    no_pin: bool,

    /// Print the results as JSON.
    #[arg(long, conflicts_with = "csv")]
    json: bool,

    /// Print the results as CSV, a line for each game.
    #[arg(long)]
    csv: bool,
}

/// Where the folders of matches go.
const GAMES: &str = "games";

/// Plays the games and reports them.
pub fn run(args: &MatchArgs) -> Result<(), CliError> {
    if !args.merge.is_empty() {
        return merge(args);
    }
    let (manifest, folder) = match &args.resume {
        Some(path) => {
            let folder = Folder::at(path);
            (folder.manifest()?, folder)
        }
        None => {
            let mut settings = args.settings.clone();
            if let Some(path) = &args.config {
                settings = settings.over(Settings::read(path)?);
            }
            let manifest = settings.manifest()?;
            let folder = args.records.clone().unwrap_or_else(|| free_folder(&manifest));
            (manifest, Folder::at(folder))
        }
    };
    // All that can be wrong is looked for before anything is written.
    let packs = settings::packs(&manifest)?;
    for engine in &manifest.engines {
        engine.command()?;
    }
    let stop = Stop::on_signals()?;
    let mut standing = Standing::new(manifest.engines.iter().map(|engine| engine.name.clone()));
    if folder.has_match() {
        gather(&folder, &manifest, &mut standing)?;
    }
    folder.begin(&manifest)?;
    let shard = args.shard.unwrap_or(Shard::WHOLE);
    let is_part = |fixture: &Fixture| shard.has(fixture.number);
    let planned = manifest.schedule().fixtures().filter(is_part).count();
    let missing: Vec<Fixture> = manifest
        .schedule()
        .fixtures()
        .filter(|fixture| is_part(fixture) && !standing.has(fixture.number))
        .collect();
    let cores = Cores::of_this_machine();
    let a_game = Tournament::cores_of_a_game(&manifest);
    let fitting = NonZeroUsize::new(cores.count() / a_game).unwrap_or(NonZeroUsize::MIN);
    let concurrency = args.concurrency.unwrap_or(fitting);
    let pinned = !args.no_pin && a_game.saturating_mul(concurrency).get() <= cores.count();
    if !pinned && !args.no_pin {
        eprintln!(
            "tensai: {concurrency} at a time, a game needs {a_game} cores for itself, and there \
             are {}: the bots are not pinned and take time from each other",
            cores.count()
        );
    }
    let tournament = Tournament {
        manifest: &manifest,
        packs: &packs,
        folder: &folder,
        concurrency,
        cores: Some(&cores).filter(|_| pinned),
    };
    let form = match (args.json, args.csv) {
        (true, _) => Form::Json,
        (_, true) => Form::Csv,
        _ => Form::Table,
    };
    let decided = |standing: &Standing| {
        let first = standing.rows().first();
        manifest
            .sprt
            .as_ref()
            .zip(first)
            .is_some_and(|(sprt, first)| sprt.verdict(first.tally) != Verdict::Continue)
    };
    let alone = planned == 1 && form == Form::Table;
    let mut spectator = alone.then(|| Spectator::new(false));
    let progress = (!alone).then(|| Progress::new(standing.played(), planned, manifest.sprt));
    let mut last = None;
    let was_decided = decided(&standing);
    if !was_decided {
        tournament.run(missing.into_iter(), &stop, |event| {
            match event {
                Event::Turn { turn, next, names, left, .. } => {
                    if let Some(spectator) = &mut spectator {
                        spectator.turn(&turn, next.as_ref(), &names, left);
                    }
                }
                Event::Finished(fixture, record) => {
                    standing.add(fixture, Summary::new(fixture, &record));
                    if let Some(progress) = &progress {
                        progress.finished(fixture, &record, &standing);
                    }
                    last = Some(record);
                    if decided(&standing) {
                        return ControlFlow::Break(());
                    }
                }
            }
            ControlFlow::Continue(())
        })?;
    }
    drop((spectator, progress));
    if alone {
        if last.is_none() {
            let only = manifest.schedule().fixtures().find(is_part);
            let record = only.map(|fixture| folder.record(fixture, &manifest)).transpose()?;
            last = record.flatten().map(Box::new);
        }
        if let (Some(record), Some(game)) = (&last, standing.games().next()) {
            single::report(record, &folder.record_path(game.number))?;
        }
    } else {
        report::print(form, &manifest, &standing)?;
        if form == Form::Table {
            println!("records: {}", folder.path().display());
        }
    }
    if stop.is_asked() && !decided(&standing) {
        let shard = args.shard.map_or_else(String::new, |shard| format!(" --shard {shard}"));
        let path = folder.path().to_string_lossy().into_owned();
        let path = shlex::try_quote(&path).map_or(path.clone(), |quoted| quoted.into_owned());
        let resume = format!("tensai match --resume {path}{shard}");
        return Err(CliError::Interrupted { played: standing.played(), resume });
    }
    Ok(())
}

/// Adds the games that a folder has.
fn gather(folder: &Folder, manifest: &Manifest, standing: &mut Standing) -> Result<(), CliError> {
    for fixture in manifest.schedule().fixtures() {
        if let Some(record) = folder.record(fixture, manifest)? {
            standing.add(fixture, Summary::new(fixture, &record));
        }
    }
    Ok(())
}

/// `--merge`: unites parts of a match.
fn merge(args: &MatchArgs) -> Result<(), CliError> {
    let folders: Vec<Folder> = args.merge.iter().map(Folder::at).collect();
    let mut manifests = folders.iter().map(Folder::manifest).collect::<Result<Vec<_>, _>>()?;
    let mut manifest = manifests.remove(0);
    for (other, folder) in manifests.iter().zip(&folders[1..]) {
        if let Some(what) = manifest.difference(other) {
            let (path, first) = (folder.path().display(), folders[0].path().display());
            let what = format!("{path}: not a part of the match in {first}: {what}");
            return Err(CliError::Refused(what));
        }
        manifest.rounds = manifest.rounds.max(other.rounds);
    }
    let mut standing = Standing::new(manifest.engines.iter().map(|engine| engine.name.clone()));
    let united = args.records.as_ref().map(Folder::at);
    if let Some(united) = &united {
        united.begin(&manifest)?;
        gather(united, &manifest, &mut standing)?;
    }
    for folder in &folders {
        for fixture in manifest.schedule().fixtures() {
            if standing.has(fixture.number) {
                continue;
            }
            if let Some(record) = folder.record(fixture, &manifest)? {
                if let Some(united) = &united {
                    united.keep(fixture.number, &record)?;
                }
                standing.add(fixture, Summary::new(fixture, &record));
            }
        }
    }
    let form = if args.json {
        Form::Json
    } else if args.csv {
        Form::Csv
    } else {
        Form::Table
    };
    report::print(form, &manifest, &standing)
}

/// A folder for a match that is not there yet, named after its date.
fn free_folder(manifest: &Manifest) -> PathBuf {
    let stem = manifest.date.replace(':', "");
    let names = std::iter::once(stem.clone());
    let mut names = names.chain((2..).map(|copy| format!("{stem}-{copy}")));
    let free =
        names.find_map(|name| Some(PathBuf::from(GAMES).join(name)).filter(|path| !path.exists()));
    free.unwrap_or_else(|| PathBuf::from(GAMES).join(stem))
}
