//! `tensai match`: bots against each other.

mod engines;
mod live;
mod manifest;
mod merge;
mod progress;
mod ratings;
mod report;
mod results;
mod serve;
mod settings;
mod settings_file;
pub(in crate::cli) mod slots;
pub(in crate::cli) mod spectator;
pub(in crate::cli) mod table;
mod test;

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::{fs, io};

use clap::Args;

pub(in crate::cli) use report::APART;
pub(in crate::cli) use spectator::faults;

pub(in crate::cli) use self::engines::EngineConfigs;
use self::live::Live;
pub(in crate::cli) use self::live::begun;
pub(in crate::cli) use self::manifest::pack_source;
use self::manifest::packs;
use self::progress::MatchProgress;
use self::report::Form;
#[cfg(test)]
pub(crate) use self::results::Results;
use self::serve::Serve;
pub(in crate::cli) use self::serve::{Listening, LivePage, ServeAddress};
pub use self::settings::MatchOptions;
use self::slots::GameSlots;
use self::spectator::Spectator;
use self::test::Test;
use super::arena_error::ArenaError;
use super::logs::LogArgs;
use crate::arena::{
    EngineConfig, Failure, Fixture, Folder, FolderError, GameSummary, Manifest, MatchEvent,
    Pairing, Shard, Standing, Starts, Tournament, process, trust,
};
use crate::cli::commands::format::shell_path;
use crate::cli::commands::output::print;
use crate::cli::error::CliError;
use crate::record::{RecordError, plain};
use crate::util::numbers::counted;
use crate::util::sanitize::{LINE, NAME, shown, visible};
use crate::util::system::stop::Stop;
use crate::web::pages::check_live_place;

/// The end of the help.
const TURNS: &str = "Example:
  tensai match --engine cmd=./bot name=mine --engine cmd=tensai --rounds 10

Turns are numbered from 0 to 499, as in the protocol, seats 0 and 1, games and rounds from 1.";

/// Arguments of `tensai match`.
#[derive(Args, Debug)]
#[command(after_help = TURNS)]
pub struct MatchArgs {
    #[command(flatten)]
    settings: MatchOptions,

    /// A TOML file with any of these settings; flags override it.
    ///
    /// The keys are the options except --config, --resume, --merge, --partial and --trust, without
    /// leading dashes: `true` for a flag without a value, an array of tables `engine`, a table `sprt`.
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,

    /// Resume the match in this folder: play the games that are missing.
    ///
    /// With --rounds the match gets more rounds, with --sprt another test.
    #[arg(long, value_name = "FOLDER", group = "where", conflicts_with_all = [
        "engine", "a", "b", "gauntlet", "paired", "packs", "seed", "time", "turn_time", "grace",
        "start_time", "nodes", "sequential", "openings", "adjudicate", "config", "merge",
    ])]
    resume: Option<PathBuf>,

    /// With --resume: run commands of others; read `match.json` first.
    ///
    /// The match was started by another user, on another machine or in another working folder, or
    /// its commands were changed since. The commands run with your rights.
    #[arg(long, requires = "resume")]
    trust: bool,

    /// Merge the parts of one match in these folders, and report the results.
    ///
    /// With --records the games are also copied to that folder. With --sprt the test is made on the
    /// games that are there. Games that are missing are an error, with exit code 1, unless the test
    /// is decided or --partial is given.
    #[arg(long, value_name = "FOLDER", num_args = 1.., conflicts_with_all = [
        "engine", "a", "b", "gauntlet", "paired", "rounds", "packs", "seed", "time", "turn_time",
        "grace", "start_time", "nodes", "sequential", "openings", "adjudicate", "config",
        "concurrency", "no_pin", "shard",
    ])]
    merge: Vec<PathBuf>,

    /// With --merge: succeed although games are missing.
    #[arg(long, requires = "merge")]
    partial: bool,
}

/// The folder in which the folders of matches are made.
const GAMES: &str = "games";

impl MatchArgs {
    /// Returns the settings and the match, from the flags, the file of settings or the folder to
    /// resume.
    fn planned(&self) -> Result<(MatchOptions, Manifest), CliError> {
        let mut settings = self.settings.clone();
        if let Some(path) = &self.resume {
            settings.records = Some(path.clone());
            let manifest = settings.resumed(Folder::at(path).manifest()?)?;
            if !self.trust && !trust::fits(manifest.seal.as_deref(), &manifest.engines) {
                let commands = quoted_commands(&manifest.engines, "match.json");
                return Err(ArenaError::Untrusted { path: path.clone(), commands }.into());
            }
            check_shard(&settings, &manifest)?;
            if let Some(parts) = manifest.parts.filter(|_| settings.shard.is_none()) {
                let path = shown(path);
                return Err(CliError::Refused(format!(
                    "{path}: it holds a match in {parts} parts: --shard I/{parts} goes on with part I, \
                     --shard 1/1 plays all games that are missing"
                )));
            }
            return Ok((settings, manifest));
        }
        if let Some(path) = &self.config {
            settings = settings.over(MatchOptions::read(path)?);
        }
        let manifest = settings.manifest()?;
        if settings.shard.is_some() && settings.records.is_none() {
            let what = "--shard: the parts of a match share it: give --records FOLDER or --resume \
                        FOLDER";
            return Err(CliError::Refused(what.to_owned()));
        }
        check_shard(&settings, &manifest)?;
        Ok((settings, manifest))
    }
}

impl MatchOptions {
    /// The format of the results.
    const fn form(&self) -> Form {
        match (self.json, self.csv) {
            (true, _) => Form::Json,
            (_, true) => Form::Csv,
            _ => Form::Table,
        }
    }

    /// The options of the logs.
    fn log_args(&self) -> LogArgs {
        LogArgs { logs: self.logs.clone(), logs_protocol: self.logs_protocol }
    }

    /// The command that plays the missing games.
    fn resume_command(&self, folder: &Folder, manifest: &Manifest) -> String {
        let path = shell_path(&folder.path());
        let shard = self.shard.map_or_else(String::new, |shard| format!(" --shard {shard}"));
        // Without a key the commands have no seal.
        let trust = if manifest.seal.is_none() { " --trust" } else { "" };
        let logs = self.log_args().words();
        format!("tensai match --resume {path}{shard}{logs}{trust}")
    }
}

/// Plays the games and prints the results.
pub fn run(args: &MatchArgs) -> Result<(), CliError> {
    if !args.merge.is_empty() {
        return merge::run(args);
    }
    let (settings, manifest) = args.planned()?;
    // All checks come before the first write.
    check_live(&settings)?;
    let packs = packs(&manifest)?;
    for engine in &manifest.engines {
        process::command(engine)?;
    }
    let listening = settings.serve.map(Listening::at).transpose()?;
    let logs = settings.log_args().open()?;
    let stop = Stop::on_signals()?;
    let shard = settings.shard.unwrap_or(Shard::WHOLE);
    // The user has given these commands or trusts them.
    let seal = trust::seal(&manifest.engines);
    let manifest = Manifest { seal, parts: settings.shard.map(Shard::count), ..manifest };
    let folder = match &settings.records {
        Some(path) => Folder::open(path, shard)?,
        None => new_folder(&manifest)?,
    };
    let begun = folder.begin(&manifest)?;
    // The folder's match may have more rounds.
    let manifest = Manifest { rounds: manifest.rounds, ..begun.clone() };
    let (mut standing, mut test) = (empty_standing(&manifest), Test::new(&manifest));
    let part: Vec<Fixture> = manifest.schedule().part(shard).collect();
    let recorded = folder.numbers()?;
    // Only those of this part: a folder with a thousand parts has many others.
    for &fixture in part.iter().filter(|fixture| recorded.contains(&fixture.number)) {
        if let Some(record) = folder.record(fixture, &manifest)? {
            let (expected, of_round) = packs.of_round(fixture.round);
            if record.packs().as_ref() != Ok(&of_round) {
                return Err(other_packs(&folder, fixture, expected).into());
            }
            standing.add(fixture, GameSummary::new(fixture, &record));
        }
    }
    check_tested(&manifest, &standing)?;
    test.look(&standing);
    let is_missing = |fixture: &&Fixture| !standing.has(fixture.number);
    let missing: Vec<Fixture> = part.iter().filter(is_missing).copied().collect();
    let slots = GameSlots::new(&settings, &manifest, missing.len());
    let tournament = Tournament {
        manifest: &manifest,
        packs: &packs,
        folder: &folder,
        concurrency: slots.concurrency,
        cores: slots.cores.as_ref(),
        logs: logs.as_ref(),
        games_before: 0,
    };
    let form = settings.form();
    // A single game is shown turn by turn, several games only by their results.
    let alone = match part[..] {
        [only] if form == Form::Table => Some(only),
        _ => None,
    };
    let mut spectator = alone.map(|_| Spectator::default());
    let mut progress = match alone {
        Some(_) => None,
        None => Some(MatchProgress::new(part.len() - missing.len(), part.len(), manifest.sprt)),
    };
    let live = settings.live.clone().map(|path| Live::new(path, &manifest, &packs));
    let mut live = live.transpose()?;
    if let Some(live) = &mut live {
        live.remember(&folder, &standing)?;
    }
    let serve = listening.map(|listening| Serve::new(listening, &manifest, &packs));
    if let Some(serve) = &serve {
        serve.remember(&folder, &standing, &test)?;
    }
    // Kept at once: the running games may take long to end.
    let keep = |decision| match decision == begun.decision {
        true => Ok(()),
        false => folder.renew(&Manifest { decision, ..begun.clone() }),
    };
    let mut decision_kept = keep(test.decision());
    let mut result = Ok(());
    let mut latest = None;
    if !test.is_decided() {
        result = tournament.run(missing.into_iter(), &stop, |event| {
            if let Some(live) = &mut live {
                live.event(&event);
            }
            if let Some(serve) = &serve {
                serve.event(&event);
            }
            match event {
                MatchEvent::Turn { number, turn, next, names, left, .. } => {
                    if let Some(progress) = &mut progress {
                        progress.turn(number, turn.after.turn.saturating_sub(1));
                    }
                    if let Some(spectator) = &mut spectator {
                        spectator.turn(&turn, next.as_ref(), &names, left);
                    }
                }
                MatchEvent::Finished(fixture, record) => {
                    standing.add(fixture, GameSummary::new(fixture, &record));
                    test.look(&standing);
                    if let Some(serve) = &serve {
                        serve.standing(&standing, &test);
                    }
                    if let Some(progress) = &mut progress {
                        progress.finished(fixture, &record, &standing);
                    }
                    latest = Some(record);
                    if test.is_decided() {
                        decision_kept = keep(test.decision());
                        return ControlFlow::Break(());
                    }
                }
            }
            ControlFlow::Continue(())
        });
    }
    let live_ended = live.map_or(Ok(()), Live::end);
    if let Some(serve) = serve {
        serve.end();
    }
    drop((spectator, progress));
    let decision = test.decision();
    let manifest = Manifest { decision, ..manifest };
    if let Some(only) = alone {
        let kept = folder.record_path(only.number);
        let kept = Some(kept).filter(|path| path.exists());
        let record = match latest {
            Some(record) => Some(*record),
            None => folder.record(only, &manifest)?,
        };
        if let Some(record) = record {
            spectator::report(&record, kept.as_deref())?;
        }
    } else {
        report::print(form, &manifest, part.len(), &standing, &test)?;
        if form == Form::Table {
            print(&format!("records: {}\n", shown(&folder.path())))?;
        }
    }
    if let Err(failure) = result {
        return Err(broken(failure, &settings, &folder, &manifest, &standing).into());
    }
    if stop.is_asked() && !test.is_decided() {
        let resume = settings.resume_command(&folder, &manifest);
        return Err(ArenaError::Interrupted { played: standing.played(), resume }.into());
    }
    decision_kept?;
    live_ended?;
    check_starts(standing.starts())
}

/// Checks that each engine has started in at least one of its games: the results of an engine that
/// never starts say nothing about its strength.
pub(in crate::cli) fn check_starts(starts: &Starts) -> Result<(), CliError> {
    let engines: Vec<String> = starts
        .never()
        .map(|(name, games, what)| {
            format!("{name} has not started in {}: {}", counted(games, "game"), plain(what))
        })
        .collect();
    if engines.is_empty() { Ok(()) } else { Err(CliError::Failed(engines.join("; "))) }
}

/// Refuses to test games in which an engine did not start: they say nothing about strength, and a
/// broken program of one version would make the test accept the other version.
pub(in crate::cli) fn check_tested(
    manifest: &Manifest,
    standing: &Standing,
) -> Result<(), CliError> {
    let found = standing.first_no_start().filter(|_| manifest.sprt.is_some());
    let Some((game, engine, what)) = found else { return Ok(()) };
    let (engine, what) = (visible(engine, NAME), plain(what));
    Err(CliError::Refused(format!(
        "--sprt: {engine} did not start in game {game} ({what}): a test does not count such games: \
         correct the engine, remove their records, and play them again"
    )))
}

/// Refuses a part of a match that has a test. Each part would test only its own games, and stop by
/// its own decision. With several tests, the probabilities of an error would exceed `alpha` and
/// `beta`, and the merged games would depend on when each part stopped.
fn check_shard(settings: &MatchOptions, manifest: &Manifest) -> Result<(), CliError> {
    if settings.shard.is_none() || manifest.sprt.is_none() {
        return Ok(());
    }
    let what = "--shard: this match has an SPRT, which a part cannot decide: play the parts with a \
                number of --rounds and without --sprt, and test what has come by --merge FOLDER... \
                --sprt";
    Err(CliError::Refused(what.to_owned()))
}

/// Quotes the commands of `engines`, which stand in the file `file`. Only the first few are quoted,
/// to limit the length of the message.
pub(in crate::cli) fn quoted_commands(engines: &[EngineConfig], file: &str) -> String {
    const LISTED: usize = 6;
    let commands = engines.iter().take(LISTED).map(quoted_command);
    let commands = commands.collect::<Vec<_>>().join(", ");
    match engines.len().checked_sub(LISTED) {
        None | Some(0) => commands,
        Some(more) => format!("{commands} and {more} more in {file}"),
    }
}

/// Checks that the page of the match may be written to its place. It must not take the name of one
/// of the match's own files, which may not exist yet.
fn check_live(settings: &MatchOptions) -> Result<(), CliError> {
    let Some(live) = &settings.live else { return Ok(()) };
    check_live_place(live)?;
    let Some(records) = &settings.records else { return Ok(()) };
    let is_json = live.extension().is_some_and(|kind| kind == "json");
    let takes_a_record = is_json && live.parent() == Some(records);
    if live == records || takes_a_record {
        let (live, records) = (shown(live), shown(records));
        let what =
            format!("--live: {live}: the records in {records} use such names: give another name");
        return Err(CliError::Refused(what));
    }
    Ok(())
}

/// Quotes the command of `engine`, with its variables and folder.
fn quoted_command(engine: &EngineConfig) -> String {
    let dir = engine
        .dir
        .as_ref()
        .map_or_else(String::new, |dir| format!(" in {}", visible(&dir.to_string_lossy(), NAME)));
    let env = engine.env.iter().map(|(name, value)| format!("{name}={value} "));
    let command = env.collect::<String>() + &engine.cmd;
    format!("`{}`{dir}", visible(&command, LINE))
}

/// The error for a `failure` that ended the match early, with the command that resumes it.
fn broken(
    failure: Failure,
    settings: &MatchOptions,
    folder: &Folder,
    manifest: &Manifest,
    standing: &Standing,
) -> ArenaError {
    let is_gone = matches!(failure, Failure::Folder(FolderError::Gone { .. }));
    let numbers = manifest.schedule().fixtures().map(|fixture| fixture.number);
    let is_kept = |&number: &usize| standing.has(number) && folder.record_path(number).exists();
    let kept = if is_gone { 0 } else { numbers.filter(is_kept).count() };
    let resume = (!is_gone).then(|| settings.resume_command(folder, manifest));
    ArenaError::Broken { failure, played: standing.played(), kept, resume }
}

/// The standing before the first game, with names made visible.
fn empty_standing(manifest: &Manifest) -> Standing {
    let names = manifest.engines.iter().map(|engine| visible(&engine.name, NAME).to_string());
    let standing = Standing::new(names);
    if manifest.pairing == Pairing::Paired { standing.with_pairs() } else { standing }
}

/// The error of a record that is not on the packs of its round (`expected`).
fn other_packs(folder: &Folder, fixture: Fixture, expected: String) -> RecordError {
    let path = folder.record_path(fixture.number);
    RecordError::OtherPacks { path, round: fixture.round + 1, expected }
}

/// Makes a new folder for a match, named after its date. No other process gets the same folder.
fn new_folder(manifest: &Manifest) -> Result<Folder, FolderError> {
    let games = PathBuf::from(GAMES);
    let failed =
        |path: &Path, source| FolderError::File { path: path.to_owned(), verb: "create", source };
    fs::create_dir_all(&games).map_err(|source| failed(&games, source))?;
    let stem = manifest.date.replace(':', "");
    let mut path = games.join(&stem);
    let mut copy = 1;
    while let Err(error) = fs::create_dir(&path) {
        if error.kind() != io::ErrorKind::AlreadyExists {
            return Err(failed(&path, error));
        }
        copy += 1;
        path = games.join(format!("{stem}-{copy}"));
    }
    Folder::open(path, Shard::WHOLE)
}
