//! `tensai match`: bots against each other.

mod live;
mod progress;
mod report;
mod settings;
pub(super) mod single;
mod test;

use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::PathBuf;

use clap::Args;

pub(super) use report::{plain_table, table_text};
pub(super) use single::faults;

use self::live::Live;
use self::progress::Progress;
use self::report::Form;
use self::settings::Settings;
use self::single::Spectator;
use self::test::Test;
use super::arena::ArenaError;
use super::{CliError, print};
use crate::arena::{
    Cores, Event, Fixture, Folder, Manifest, Shard, Standing, Stop, Summary, Tournament,
};
use crate::foreign_text::{NAME, shown, visible};
use crate::message;
use crate::view::check_live_place;

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

    /// Keep a page of the match in this file, which a browser shows while the games run (as
    /// `tensai view` makes it): the latest finished games, and those in progress.
    #[arg(long, value_name = "FILE", conflicts_with = "merge")]
    live: Option<PathBuf>,

    /// Print the results as JSON.
    #[arg(long, conflicts_with = "csv")]
    json: bool,

    /// Print the results as CSV, a line for each game.
    #[arg(long)]
    csv: bool,
}

/// Where the folders of matches go.
const GAMES: &str = "games";

impl MatchArgs {
    /// What the results are written as.
    const fn form(&self) -> Form {
        match (self.json, self.csv) {
            (true, _) => Form::Json,
            (_, true) => Form::Csv,
            _ => Form::Table,
        }
    }

    /// The match, and where it is kept.
    fn planned(&self) -> Result<(Manifest, Folder), CliError> {
        if let Some(path) = &self.resume {
            let folder = Folder::at(path);
            return Ok((folder.manifest()?, folder));
        }
        let mut settings = self.settings.clone();
        if let Some(path) = &self.config {
            settings = settings.over(Settings::read(path)?);
        }
        let manifest = settings.manifest()?;
        let folder = self.records.clone().unwrap_or_else(|| free_folder(&manifest));
        Ok((manifest, Folder::at(folder)))
    }

    /// Games at a time, and whether each has cores of its own.
    fn crowd(&self, manifest: &Manifest, cores: &Cores) -> (NonZeroUsize, bool) {
        let a_game = Tournament::cores_of_a_game(manifest);
        let fitting = NonZeroUsize::new(cores.count() / a_game).unwrap_or(NonZeroUsize::MIN);
        let concurrency = self.concurrency.unwrap_or(fitting);
        let fits = a_game.saturating_mul(concurrency).get() <= cores.count();
        if !fits && !self.no_pin {
            message::line(format_args!(
                "tensai: {concurrency} at a time, a game needs {a_game} cores for itself, and \
                 there are {}: the bots are not pinned and take time from each other",
                cores.count()
            ));
        }
        (concurrency, fits && !self.no_pin)
    }

    /// The command that plays what is missing.
    fn resume_command(&self, folder: &Folder) -> String {
        let path = folder.path().to_string_lossy().into_owned();
        let path = shlex::try_quote(&path).map_or(path.clone(), |quoted| quoted.into_owned());
        let shard = self.shard.map_or_else(String::new, |shard| format!(" --shard {shard}"));
        format!("tensai match --resume {path}{shard}")
    }
}

/// Plays the games and reports them.
pub fn run(args: &MatchArgs) -> Result<(), CliError> {
    if !args.merge.is_empty() {
        return merge(args);
    }
    let (manifest, folder) = args.planned()?;
    // All that can be wrong is looked for before anything is written.
    args.live.as_deref().map_or(Ok(()), check_live_place)?;
    let packs = settings::packs(&manifest)?;
    for engine in &manifest.engines {
        engine.command()?;
    }
    let stop = Stop::on_signals()?;
    let begun = folder.begin(&manifest)?;
    let manifest = Manifest { date: begun.date, ..manifest };
    let (mut standing, mut test) = (nobody_played(&manifest), Test::new(&manifest));
    for fixture in manifest.schedule().fixtures() {
        if let Some(record) = folder.record(fixture, &manifest)? {
            standing.add(fixture, Summary::new(fixture, &record));
            test.look(&standing);
        }
    }
    let shard = args.shard.unwrap_or(Shard::WHOLE);
    let part: Vec<Fixture> =
        manifest.schedule().fixtures().filter(|fixture| shard.has(fixture.number)).collect();
    let is_missing = |fixture: &&Fixture| !standing.has(fixture.number);
    let missing: Vec<Fixture> = part.iter().filter(is_missing).copied().collect();
    let cores = Cores::of_this_machine();
    let (concurrency, pinned) = args.crowd(&manifest, &cores);
    let tournament = Tournament {
        manifest: &manifest,
        packs: &packs,
        folder: &folder,
        concurrency,
        cores: Some(&cores).filter(|_| pinned),
    };
    let form = args.form();
    // One game is watched, several are counted.
    let alone = match part[..] {
        [only] if form == Form::Table => Some(only),
        _ => None,
    };
    let mut spectator = alone.map(|_| Spectator::default());
    let mut progress = match alone {
        Some(_) => None,
        None => Some(Progress::new(part.len() - missing.len(), part.len(), manifest.sprt)),
    };
    let live = args.live.clone().map(|path| Live::new(path, &manifest, &packs));
    let mut live = live.transpose()?;
    if let Some(live) = &mut live {
        live.remember(&folder, &standing)?;
    }
    let mut result = Ok(());
    if test.decided().is_none() {
        result = tournament.run(missing.into_iter(), &stop, |event| {
            if let Some(live) = &mut live {
                live.event(&event);
            }
            match event {
                Event::Turn { turn, next, names, left, .. } => {
                    if let Some(spectator) = &mut spectator {
                        spectator.turn(&turn, next.as_ref(), &names, left);
                    }
                }
                Event::Finished(fixture, record) => {
                    standing.add(fixture, Summary::new(fixture, &record));
                    test.look(&standing);
                    if let Some(progress) = &mut progress {
                        progress.finished(fixture, &record, &standing);
                    }
                    if test.decided().is_some() {
                        return ControlFlow::Break(());
                    }
                }
            }
            ControlFlow::Continue(())
        });
    }
    let live_ended = live.map_or(Ok(()), Live::end);
    result?;
    drop((spectator, progress));
    if let Some(only) = alone {
        if let Some(record) = folder.record(only, &manifest)? {
            single::report(&record, &folder.record_path(only.number))?;
        }
    } else {
        report::print(form, &manifest, &standing, &test)?;
        if form == Form::Table {
            print(&format!("records: {}\n", shown(folder.path())))?;
        }
    }
    if stop.is_asked() && test.decided().is_none() {
        let resume = args.resume_command(&folder);
        return Err(ArenaError::Interrupted { played: standing.played(), resume }.into());
    }
    live_ended
}

/// The standing before the first game, under names that can be shown.
fn nobody_played(manifest: &Manifest) -> Standing {
    Standing::new(manifest.engines.iter().map(|engine| visible(&engine.name, NAME).to_string()))
}

/// `--merge`: unites parts of a match.
fn merge(args: &MatchArgs) -> Result<(), CliError> {
    let folders: Vec<Folder> = args.merge.iter().map(Folder::at).collect();
    let mut manifests = folders.iter().map(Folder::manifest).collect::<Result<Vec<_>, _>>()?;
    let mut manifest = manifests.remove(0);
    for (other, folder) in manifests.iter().zip(&folders[1..]) {
        if let Some(what) = manifest.difference(other) {
            let (path, first) = (shown(folder.path()), shown(folders[0].path()));
            let what = format!("{path}: not a part of the match in {first}: {what}");
            return Err(CliError::Refused(what));
        }
        manifest.rounds = manifest.rounds.max(other.rounds);
    }
    let united = args.records.as_ref().map(Folder::at);
    if let Some(united) = &united {
        manifest = united.begin(&manifest)?;
    }
    let (mut standing, mut test) = (nobody_played(&manifest), Test::new(&manifest));
    for fixture in manifest.schedule().fixtures() {
        for folder in united.iter().chain(&folders) {
            if let Some(record) = folder.record(fixture, &manifest)? {
                if let Some(united) = united.as_ref().filter(|&united| united != folder) {
                    united.keep(fixture.number, &record)?;
                }
                standing.add(fixture, Summary::new(fixture, &record));
                test.look(&standing);
                break;
            }
        }
    }
    report::print(args.form(), &manifest, &standing, &test)
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
