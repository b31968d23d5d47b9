//! Plays a match, new or resumed, and prints the results.

use std::fs;
use std::io;
use std::path::PathBuf;

use super::new_match::packs;
use super::options::PlayArgs;
use super::progress::MatchProgress;
use super::report;
use super::serve::{Listening, LivePage};
use super::slots::GameSlots;
use super::spectator::{self, Spectator};
use super::{check_starts, check_tested};
use crate::arena::rating::Sprt;
use crate::arena::{
    Failure, Folder, FolderError, FolderKind, GameEvent, GameSummary, Happened, Manifest, Observer,
    OpenMatch, Resources, Shard, process, trust,
};
use crate::cli::commands::bots::arena_error;
use crate::cli::commands::format::shell_path;
use crate::cli::commands::output::print;
use crate::cli::error::CliError;
use crate::record::{Record, RecordError};
use crate::util::sanitize::shown;
use crate::util::system::stop::Stop;

/// The folder in which the folders of matches are made.
const GAMES: &str = "games";

/// A match that is to be played.
pub struct Plan {
    /// The match.
    pub manifest: Manifest,
    /// Its folder; `None` for a new one.
    pub folder: Option<PathBuf>,
    /// The part that is played; `None` for the whole match.
    pub shard: Option<Shard>,
    /// How it is played and shown.
    pub play: PlayArgs,
}

/// The test that the words of --sprt describe, for a match of `engines` engines.
///
/// # Errors
/// The test is wrong, or the match has more than two engines and no pairs of games.
pub fn sprt(
    words: Option<&[String]>,
    engines: usize,
    is_paired: bool,
) -> Result<Option<Sprt>, CliError> {
    let Some(words) = words else { return Ok(None) };
    let sprt = Sprt::from_words(words);
    let sprt = sprt.map_err(|error| CliError::Refused(format!("--sprt: {error}")))?;
    if engines != 2 && !is_paired {
        let reason = format!(
            "--sprt compares two engines, found {engines}: add --paired if the first two are \
             versions that play the others"
        );
        return Err(CliError::Refused(reason));
    }
    Ok(Some(sprt))
}

/// Refuses a part of a match that has a test. Each part would test only its own games, and stop by
/// its own decision. With several tests, the probabilities of an error would exceed `alpha` and
/// `beta`, and the merged games would depend on when each part stopped.
///
/// # Errors
/// A part is to be played of a match with a test.
pub fn check_shard(shard: Option<Shard>, manifest: &Manifest) -> Result<(), CliError> {
    if shard.is_none() || manifest.sprt.is_none() {
        return Ok(());
    }
    let reason = "--shard: this match has an SPRT, which a part cannot decide: play the parts with a \
                number of --rounds and without --sprt, and test what has come by `match merge \
                FOLDER... --sprt`";
    Err(CliError::Refused(reason.to_owned()))
}

impl Plan {
    /// Plays the missing games and prints the results.
    ///
    /// # Errors
    /// The match cannot be played, it was stopped, or an engine never started.
    pub fn play(self) -> Result<(), CliError> {
        let Self { manifest, folder, shard, play } = self;
        // All checks come before the first write.
        folder.as_deref().map_or(Ok(()), |path| FolderKind::Match.check(path))?;
        let packs = packs(&manifest)?;
        for engine in &manifest.engines {
            process::command(engine)?;
        }
        let listening = play.serve.serve.map(Listening::at).transpose()?;
        let logs = play.logs.open()?;
        let stop = Stop::on_signals()?;
        // The user has given these commands or trusts them.
        let mac = trust::mac(&manifest.engines);
        let manifest = Manifest { mac, parts: shard.map(Shard::count), ..manifest };
        let part = shard.unwrap_or(Shard::WHOLE);
        let folder = match &folder {
            Some(path) => Folder::open(path, part)?,
            None => new_folder(&manifest)?,
        };
        let mut games = OpenMatch::begin(folder, &manifest, packs, part)?;
        check_tested(games.manifest(), games.standing())?;
        let missing = games.missing();
        let slots = GameSlots::new(&play.slots, games.manifest(), missing);
        let resources = Resources {
            concurrency: slots.concurrency,
            cores: slots.cores.as_ref(),
            logs: logs.as_ref(),
        };
        let json = play.form.json;
        // A single game is shown turn by turn, several games only by their results.
        let alone = match games.part() {
            &[only] if !json => Some(only),
            _ => None,
        };
        let planned = games.part().len();
        let sprt = games.manifest().sprt;
        let mut watchers = Watchers {
            page: listening.map(|listening| LivePage::new(listening, "the match")),
            spectator: alone.map(|_| Spectator::default()),
            progress: match alone {
                Some(_) => None,
                None => Some(MatchProgress::new(planned - missing, planned, sprt)),
            },
            latest: None,
        };
        watchers.show_finished(&games)?;
        let result = games.play(resources, 0, &stop, &mut watchers);
        let Watchers { page, spectator, progress, latest } = watchers;
        if let Some(page) = page {
            page.end();
        }
        drop((spectator, progress));
        let (manifest, standing, test) = (games.manifest(), games.standing(), games.test());
        let folder = games.folder();
        if let Some(only) = alone {
            let kept = folder.record_path(only.number);
            let kept = Some(kept).filter(|path| path.exists());
            let record = match latest {
                Some(record) => Some(*record),
                None => folder.record(only, manifest)?,
            };
            if let Some(record) = record {
                spectator::report(&record, kept.as_deref())?;
            }
        } else {
            report::print(json, manifest, planned, standing, test)?;
            if !json {
                print(&format!("records: {}\n", shown(&folder.path())))?;
            }
        }
        let resume = || resume_command(&play, shard, &games);
        if let Err(failure) = result {
            return Err(broken(&failure, &games, resume));
        }
        if stop.is_asked() && !test.is_decided() {
            return Err(arena_error::interrupted(standing.played(), &resume()));
        }
        check_starts(standing.starts())
    }
}

/// All who watch a match.
struct Watchers {
    page: Option<LivePage>,
    spectator: Option<Spectator>,
    progress: Option<MatchProgress>,
    latest: Option<Box<Record>>,
}

impl Watchers {
    /// Shows the standing, and the latest games that were finished before.
    fn show_finished(&self, games: &OpenMatch) -> Result<(), CliError> {
        let Some(page) = &self.page else { return Ok(()) };
        // The standing comes first for each reader.
        show_standing(page, games);
        for (fixture, record) in games.latest(LivePage::FINISHED)? {
            page.finished(fixture.number, fixture.round + 1, &record);
        }
        Ok(())
    }
}

impl Observer<OpenMatch> for Watchers {
    fn event(&mut self, event: GameEvent, games: &OpenMatch) {
        if let Some(page) = &self.page {
            page.event(&event, games.manifest().schedule().round_of(event.number) + 1);
            if matches!(event.reason, Happened::Finished(_)) {
                show_standing(page, games);
            }
        }
        if let Some(progress) = &mut self.progress {
            progress.event(&event, games.standing());
        }
        if let Some(spectator) = &mut self.spectator {
            spectator.show(&event);
        }
        if let Happened::Finished(record) = event.reason {
            self.latest = Some(record);
        }
    }
}

/// Shows the results that `--json` prints, without the games.
fn show_standing(page: &LivePage, games: &OpenMatch) {
    let mut results = report::results(games.manifest(), games.standing(), games.test());
    results.games = Vec::<&GameSummary>::new();
    page.standing(&results);
}

/// The command that plays the missing games.
fn resume_command(play: &PlayArgs, shard: Option<Shard>, games: &OpenMatch) -> String {
    let path = shell_path(&games.folder().path());
    let shard = shard.map_or_else(String::new, |shard| format!(" --shard {shard}"));
    // Without a key the commands have no MAC.
    let trust = if games.manifest().mac.is_none() { " --trust" } else { "" };
    let logs = play.logs.words();
    format!("tensai match resume {path}{shard}{logs}{trust}")
}

/// The error for a `failure` that ended the match early, with the command that resumes it.
fn broken(failure: &Failure, games: &OpenMatch, resume: impl Fn() -> String) -> CliError {
    let is_gone = matches!(failure, Failure::Folder(FolderError::Gone { .. }));
    let (folder, standing) = (games.folder(), games.standing());
    let kept = games.part().iter().map(|fixture| fixture.number);
    let kept = kept.filter(|&it| standing.has(it) && folder.record_path(it).exists()).count();
    let kept = if is_gone { 0 } else { kept };
    let resume = (!is_gone).then(resume);
    arena_error::broken(failure, standing.played(), kept, resume)
}

/// Makes a new folder for a match, named after its date. No other process gets the same folder.
fn new_folder(manifest: &Manifest) -> Result<Folder, FolderError> {
    let games = PathBuf::from(GAMES);
    fs::create_dir_all(&games).map_err(RecordError::file(&games, "create"))?;
    let stem = manifest.date.replace(':', "");
    let mut path = games.join(&stem);
    FolderKind::Match.check(&path)?;
    let mut copy = 1;
    while let Err(error) = fs::create_dir(&path) {
        if error.kind() != io::ErrorKind::AlreadyExists {
            return Err(RecordError::file(&path, "create")(error).into());
        }
        copy += 1;
        path = games.join(format!("{stem}-{copy}"));
    }
    Folder::open(path, Shard::WHOLE)
}
