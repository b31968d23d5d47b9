//! The folders of matches, and the model of their expected content.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::sync::OnceLock;

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use procfs::process::Process;
use serde_json::Value;
use tempfile::TempDir;
use tensai::arena::Folder;

use super::gate::{GAMES, Gates, begun, wait_until};
use super::operation::{Ending, FOLDERS, Meanwhile, Operation};
use super::referee::{Disk, Ended, Place, Referee, options};

/// The expected course of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Course {
    /// As in an undisturbed match.
    Undisturbed,
    /// Lost by a crash, which the record describes by this text.
    Crash(&'static str),
}

/// The description, in a record, of a bot whose supervisor was killed.
const SUPERVISOR_KILLED: &str = "no answer: its supervisor was killed \
    (signal: 9 (SIGKILL))";

/// The expected content of a folder.
struct Slot {
    name: String,
    /// The part of the match, as the words of an option.
    shard: Option<&'static str>,
    /// The bytes of the record of each finished game; none if no match is there.
    games: Option<BTreeMap<usize, Vec<u8>>>,
    /// Whether a referee was killed there: its lock and a half-written file may be left.
    may_have_leftovers: bool,
}

/// The system under test with its model.
pub struct World {
    _root: TempDir,
    place: Place,
    slots: Vec<Slot>,
    /// For each run of the program the folder of its gates and the games that it may begin.
    runs: Vec<(PathBuf, Vec<usize>)>,
}

impl World {
    /// A world without a match.
    pub fn new() -> Self {
        let root = tempfile::tempdir().unwrap();
        let place = Place::new(root.path());
        let shards = [None, None, Some("1/2"), Some("2/2")];
        let slot = |index: usize| Slot {
            name: format!("match-{index}"),
            shard: shards[index],
            games: None,
            may_have_leftovers: false,
        };
        Self { _root: root, place, slots: (0..FOLDERS).map(slot).collect(), runs: Vec::new() }
    }

    /// Starts `tensai match`, which may begin the given games: those that are not finished.
    fn start(
        &mut self,
        arguments: &[String],
        gates: &Gates,
        disk: Disk,
        games: &[usize],
    ) -> Referee {
        self.runs.push((gates.folder().to_owned(), games.to_owned()));
        self.place.start(arguments, gates, disk)
    }

    /// Carries out an operation, and checks the end of the program.
    pub fn carry_out(&mut self, operation: &Operation) {
        match operation {
            Operation::Play { folder, resume, concurrency, releases, meanwhile, ending } => {
                let arguments = self.arguments(*folder, *resume, *concurrency);
                if *resume && self.slots[*folder].games.is_none() {
                    let gates = self.place.gates();
                    let ended = self.start(&arguments, &gates, Disk::Free, &[]).wait();
                    ended.assert_refused("not the folder of a match");
                    return;
                }
                self.play(*folder, &arguments, *concurrency, releases, *meanwhile, *ending);
            }
            Operation::DiskFull { folder, manifest } => self.disk_full(*folder, *manifest),
            Operation::Merge { from, into } => self.merge(from, *into),
            Operation::Rename { folder } => {
                let from = self.path(*folder);
                self.slots[*folder].name += "-renamed";
                if from.exists() {
                    fs::rename(from, self.path(*folder)).unwrap();
                }
            }
            Operation::Delete { folder } => {
                let slot = &mut self.slots[*folder];
                slot.games = None;
                slot.may_have_leftovers = false;
                let path = self.path(*folder);
                if path.exists() {
                    fs::remove_dir_all(path).unwrap();
                }
            }
        }
    }

    /// Compares the folders with the model, and checks that no process is left.
    pub fn check(&self) {
        self.place.wait_for_silence();
        for (gates, games) in &self.runs {
            let again: Vec<usize> =
                begun(gates).into_iter().filter(|n| !games.contains(n)).collect();
            assert_eq!(again, [0; 0], "games that are finished were begun again");
        }
        let names = |path: &PathBuf| -> Vec<String> {
            let entries = fs::read_dir(path).unwrap();
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
        };
        for name in names(&self.place.work) {
            assert!(self.slots.iter().any(|slot| slot.name == name), "a foreign folder: {name}");
        }
        for (index, slot) in self.slots.iter().enumerate() {
            let path = self.path(index);
            let Some(games) = &slot.games else {
                let left = if path.exists() { names(&path) } else { Vec::new() };
                assert_eq!(left, [""; 0], "{}: no match is there", slot.name);
                continue;
            };
            let mut found = names(&path);
            found.sort();
            let is_left = |name: &String| name.starts_with(".tmp") || name.starts_with("playing-");
            found.retain(|name| !(slot.may_have_leftovers && is_left(name)));
            let mut expected: Vec<_> =
                games.keys().map(|number| format!("{number:04}.json")).collect();
            expected.push("match.json".to_owned());
            assert_eq!(found, expected, "{}", slot.name);
            Folder::at(&path).manifest().unwrap();
            for (&number, bytes) in games {
                let now = fs::read(self.record(index, number)).unwrap();
                assert!(now == *bytes, "{}: game {number} is not what it was", slot.name);
            }
        }
    }

    fn path(&self, folder: usize) -> PathBuf {
        self.place.work.join(&self.slots[folder].name)
    }

    fn record(&self, folder: usize, number: usize) -> PathBuf {
        self.path(folder).join(format!("{number:04}.json"))
    }

    /// The arguments that play a match in a folder.
    fn arguments(&self, folder: usize, resume: bool, concurrency: usize) -> Vec<String> {
        let Slot { name, shard, .. } = &self.slots[folder];
        let mut arguments = if resume { Vec::new() } else { options() };
        arguments.push(if resume { "resume" } else { "--records" }.to_owned());
        arguments.push(name.clone());
        if let Some(shard) = shard {
            arguments.push(format!("--shard={shard}"));
        }
        let more = ["--json", "--no-pin"].map(str::to_owned);
        arguments.extend(more);
        arguments.push(format!("--concurrency={concurrency}"));
        arguments
    }

    /// The games of a folder's part of the match that are not finished.
    fn missing(&self, folder: usize) -> Vec<usize> {
        let slot = &self.slots[folder];
        let is_in_part = |number: &usize| match slot.shard {
            None => true,
            Some(shard) => (number % 2 == 1) == (shard == "1/2"),
        };
        let is_finished =
            |number: &usize| slot.games.as_ref().is_some_and(|games| games.contains_key(number));
        (1..=GAMES).filter(is_in_part).filter(|number| !is_finished(number)).collect()
    }

    /// The number of finished games of a folder.
    fn played(&self, folder: usize) -> usize {
        self.slots[folder].games.as_ref().map_or(0, BTreeMap::len)
    }

    /// Adds a new record to the model, after a check that the game has the expected course.
    fn adopt(&mut self, folder: usize, number: usize, course: Course) {
        let bytes = fs::read(self.record(folder, number)).unwrap();
        let record: Value = serde_json::from_slice(&bytes).unwrap();
        match course {
            Course::Undisturbed => {
                let (record, expected) = (comparable(record), &undisturbed()[number - 1]);
                let differs = |key: &str| record[key] != expected[key];
                let keys = record.as_object().unwrap().keys();
                let differing: Vec<&String> = keys.filter(|key| differs(key)).collect();
                let (found, wanted) = (&record["result"], &expected["result"]);
                assert!(
                    record == *expected,
                    "game {number}: {differing:?} differ; result {found} instead of {wanted}"
                );
            }
            Course::Crash(what) => {
                let fault = &record["result"]["faults"][0];
                assert_eq!((&fault["fault"], &fault["what"]), (&"crash".into(), &what.into()));
            }
        }
        let games = self.slots[folder].games.get_or_insert_default();
        assert!(games.insert(number, bytes).is_none(), "game {number} was played again");
    }

    /// Plays a match up to `ending`.
    fn play(
        &mut self,
        folder: usize,
        arguments: &[String],
        concurrency: usize,
        releases: &[usize],
        meanwhile: Meanwhile,
        ending: Ending,
    ) {
        let gates = self.place.gates();
        let waiting = self.missing(folder);
        let referee = self.start(arguments, &gates, Disk::Free, &waiting);
        let mut run = Run { folder, gates, referee, waiting, concurrency };
        // The manifest exists before the first game begins.
        let games = &mut self.slots[folder].games;
        if !run.waiting.is_empty() {
            games.get_or_insert_default();
        }
        for release in releases {
            let in_progress = run.in_progress();
            if !in_progress.is_empty() {
                let number = in_progress[release % in_progress.len()];
                run.finish(self, number, Course::Undisturbed);
            }
        }
        if run.in_progress().is_empty() {
            // All games are played: the match ends by itself.
            return self.assert_complete(folder, &run.referee.wait());
        }
        self.meanwhile(folder, meanwhile);
        match ending {
            Ending::Finish => run.finish_all(self),
            Ending::Interrupt => run.stop(self, Signal::SIGINT),
            Ending::Terminate => run.stop(self, Signal::SIGTERM),
            Ending::StopTwice => {
                run.referee.signal(Signal::SIGINT);
                run.referee.signal(Signal::SIGTERM);
                // The second signal ends the program at once, unless it has ended.
                let code = run.referee.wait().status.code();
                assert_eq!(code, Some(130));
                self.slots[folder].may_have_leftovers = true;
            }
            Ending::KillReferee => {
                run.referee.signal(Signal::SIGKILL);
                run.referee.wait();
                self.slots[folder].may_have_leftovers = true;
            }
            Ending::KillRefereeInMidWrite => {
                let in_progress = run.in_progress();
                in_progress.iter().for_each(|&number| run.gates.open(number));
                run.referee.signal(Signal::SIGKILL);
                run.referee.wait();
                self.slots[folder].may_have_leftovers = true;
                for number in in_progress {
                    if self.record(folder, number).exists() {
                        self.adopt(folder, number, Course::Undisturbed);
                    }
                }
            }
            Ending::KillBot => {
                let number = run.in_progress()[0];
                kill(run.gates.wait_for_bot(number), Signal::SIGKILL).unwrap();
                let what = "no answer: ended with signal: 9 (SIGKILL)";
                run.finish(self, number, Course::Crash(what));
                run.finish_all(self);
            }
            Ending::KillSupervisor => {
                let number = run.in_progress()[0];
                let bot = Process::new(run.gates.wait_for_bot(number).as_raw()).unwrap();
                let supervisor = Process::new(bot.stat().unwrap().ppid).unwrap();
                kill(Pid::from_raw(supervisor.pid), Signal::SIGKILL).unwrap();
                // A signal takes effect when its process runs next; the bot could play on until then.
                let is_dead =
                    || supervisor.stat().map_or(true, |stat| matches!(stat.state, 'Z' | 'X'));
                wait_until("the end of a supervisor", is_dead);
                run.finish(self, number, Course::Crash(SUPERVISOR_KILLED));
                run.finish_all(self);
            }
        }
    }

    /// Runs the event while games are in progress in a folder.
    fn meanwhile(&mut self, folder: usize, meanwhile: Meanwhile) {
        let gates = self.place.gates();
        (1..=GAMES).for_each(|number| gates.open(number));
        match meanwhile {
            Meanwhile::Nothing => {}
            Meanwhile::OtherFolder => {
                let other = (folder + 1) % FOLDERS;
                let arguments = self.arguments(other, false, 1);
                let missing = self.missing(other);
                let ended = self.start(&arguments, &gates, Disk::Free, &missing).wait();
                for number in missing {
                    self.adopt(other, number, Course::Undisturbed);
                }
                self.assert_complete(other, &ended);
            }
            Meanwhile::SameFolder | Meanwhile::SameFolderResumed => {
                let resume = meanwhile == Meanwhile::SameFolderResumed;
                let arguments = self.arguments(folder, resume, 1);
                let ended = self.start(&arguments, &gates, Disk::Free, &[]).wait();
                ended.assert_refused(&self.slots[folder].name);
            }
            Meanwhile::Report => {
                let name = &self.slots[folder].name;
                let arguments = ["merge", name, "--partial", "--json"].map(str::to_owned);
                let ended = self.start(&arguments, &gates, Disk::Free, &[]).wait();
                assert_eq!(ended.stderr, "");
                self.assert_complete(folder, &ended);
            }
        }
    }

    /// Plays on a disk without space for records, or without space for the manifest.
    fn disk_full(&mut self, folder: usize, manifest: bool) {
        let missing = self.missing(folder);
        if missing.is_empty() && !manifest {
            return;
        }
        let gates = self.place.gates();
        (1..=GAMES).for_each(|number| gates.open(number));
        let arguments = self.arguments(folder, false, 1);
        let disk = Disk::Blocks(if manifest { 0 } else { 8 });
        let ended = self.start(&arguments, &gates, disk, &missing).wait();
        if missing.is_empty() && ended.status.success() {
            return self.assert_complete(folder, &ended); // nothing had to be written
        }
        assert_eq!(ended.status.code(), Some(2), "{}", ended.stderr);
        assert!(ended.last_line().starts_with("tensai: "), "{}", ended.stderr);
        assert!(ended.last_line().contains(&self.slots[folder].name), "{}", ended.stderr);
        if !manifest {
            self.slots[folder].games.get_or_insert_default();
        }
    }

    /// Merges folders.
    fn merge(&mut self, from: &[usize], into: usize) {
        let name = |folder: usize| self.slots[folder].name.clone();
        let mut arguments = vec!["merge".to_owned()];
        arguments.extend(from.iter().map(|&folder| name(folder)));
        arguments.extend(["--records".to_owned(), name(into)]);
        arguments.extend(["--partial", "--json"].map(str::to_owned));
        let gates = self.place.gates();
        let ended = self.start(&arguments, &gates, Disk::Free, &[]).wait();
        if from.iter().any(|&folder| self.slots[folder].games.is_none()) {
            return ended.assert_refused("not the folder of a match");
        }
        let mut united = self.slots[into].games.clone().unwrap_or_default();
        for &folder in from {
            for (&number, bytes) in self.slots[folder].games.iter().flatten() {
                united.entry(number).or_insert_with(|| bytes.clone());
            }
        }
        self.slots[into].games = Some(united);
        self.assert_complete(into, &ended);
    }

    /// Asserts that a command has succeeded and reported the games of a folder.
    fn assert_complete(&self, folder: usize, ended: &Ended) {
        assert!(ended.status.success(), "{}", ended.stderr);
        let report: Value = serde_json::from_str(&ended.stdout).unwrap();
        assert_eq!(report["played"], self.played(folder), "{}", ended.stdout);
    }
}

/// A match that is being played.
struct Run {
    folder: usize,
    gates: Gates,
    referee: Referee,
    /// The games that are not finished, in the order in which they are begun.
    waiting: Vec<usize>,
    concurrency: usize,
}

impl Run {
    /// The games in progress, all with their bots at the gate.
    fn in_progress(&self) -> Vec<usize> {
        let games: Vec<usize> = self.waiting.iter().copied().take(self.concurrency).collect();
        games.iter().for_each(|&number| {
            self.gates.wait_for_bot(number);
        });
        games
    }

    /// Opens the gate of a game in progress, and waits for its record.
    fn finish(&mut self, world: &mut World, number: usize, course: Course) {
        self.gates.open(number);
        let record = world.record(self.folder, number);
        wait_until(&format!("the record of game {number}"), || record.exists());
        world.adopt(self.folder, number, course);
        self.waiting.retain(|&other| other != number);
    }

    /// Plays all games.
    fn finish_all(self, world: &mut World) {
        let Self { folder, gates, referee, waiting, .. } = self;
        waiting.iter().for_each(|&number| gates.open(number));
        let ended = referee.wait();
        for number in waiting {
            world.adopt(folder, number, Course::Undisturbed);
        }
        world.assert_complete(folder, &ended);
    }

    /// Stops the match, which prints the command that resumes it.
    fn stop(self, world: &World, signal: Signal) {
        self.referee.signal(signal);
        let ended = self.referee.wait();
        assert_eq!(ended.status.code(), Some(130), "{}", ended.stderr);
        let Slot { name, shard, .. } = &world.slots[self.folder];
        let shard = shard.map_or_else(String::new, |shard| format!(" --shard {shard}"));
        let played = world.played(self.folder);
        let line = format!(
            "tensai: stopped after {played} game{}; finished games are kept; resume with: tensai \
             match resume {name}{shard}",
            if played == 1 { "" } else { "s" }
        );
        assert_eq!(ended.last_line(), line);
    }
}

/// The games of an undisturbed match, in a form that can be compared.
fn undisturbed() -> &'static [Value] {
    static GAMES_PLAYED: OnceLock<Vec<Value>> = OnceLock::new();
    GAMES_PLAYED.get_or_init(|| {
        let mut world = World::new();
        let gates = world.place.gates();
        (1..=GAMES).for_each(|number| gates.open(number));
        let arguments = world.arguments(0, false, 1);
        let games: Vec<usize> = (1..=GAMES).collect();
        let ended = world.start(&arguments, &gates, Disk::Free, &games).wait();
        assert!(ended.status.success(), "{}", ended.stderr);
        let read = |number| fs::read(world.record(0, number)).unwrap();
        let games: Vec<Value> = (1..=GAMES)
            .map(|number| comparable(serde_json::from_slice(&read(number)).unwrap()))
            .collect();
        let crashes = games.iter().filter(|game| !game["result"]["faults"][0].is_null()).count();
        assert!((1..GAMES).contains(&crashes), "{crashes} games of {GAMES} end by a crash");
        games
    })
}

/// Returns a record without the values that differ between runs: dates, times and resources.
fn comparable(mut record: Value) -> Value {
    let remove = |value: &mut Value, key: &str| {
        value.as_object_mut().unwrap().remove(key);
    };
    remove(&mut record, "date");
    record["result"].as_object_mut().unwrap().remove("think_us");
    for player in record["players"].as_array_mut().unwrap() {
        remove(player, "usage");
    }
    for turn in record["turns"].as_array_mut().unwrap() {
        remove(turn, "think_us");
        remove(turn, "info");
    }
    record
}
