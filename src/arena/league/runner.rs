//! Plays the games of a league.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Instant;

use super::league_json::{League, Member};
use super::list::List;
use super::pairing::{RatedEngine, next_pair};
use super::results::{LeagueResults, rate};
use crate::arena::league::league_folder::{LeagueFolder, RunningGames};
use crate::arena::match_::{GameSource, Next, NextGame, Resources, Tournament, cores_of_pair};
use crate::arena::process::{self, OpenFolder};
use crate::arena::{
    Cores, EngineConfig, Failure, Fixture, Folder, FolderError, Observer, PackSource, Shard,
};
use crate::record::{Readers, Record, RecordError, replace_in_folder};
use crate::util::sanitize::quoted;
use crate::util::system::stop::Stop;

/// Reads the packs of a league; the error says why they cannot be read, in one line.
pub type PackReader = fn(&League) -> Result<PackSource, String>;

/// The bounds of a league's run. Without bounds the league runs until it is stopped.
#[derive(Clone, Copy, Debug, Default)]
pub struct Bounds {
    /// The number of games that are begun.
    pub games: Option<usize>,
    /// When no further game begins.
    pub until: Option<Instant>,
}

/// A league of which this process plays the games.
pub struct LeagueRunner {
    folder: LeagueFolder,
    /// The folder of the league, held open so that it may be renamed.
    home: OpenFolder,
    /// The folder of the records, which this process has locked.
    games: Arc<Folder>,
    /// The commands that the user has given or trusted when the run began.
    trusted: Vec<EngineConfig>,
    read_packs: PackReader,
    bounds: Bounds,
    /// The number of cores of this run, if games are pinned.
    cores: Option<usize>,
    state: LeagueState,
}

/// The part of a [`LeagueRunner`] that changes while the league runs.
struct LeagueState {
    league: League,
    /// The packs of `league`.
    packs: Arc<PackSource>,
    results: LeagueResults,
    /// The games in progress, and the interrupted ones, which are played again.
    running: BTreeMap<usize, [String; 2]>,
    /// The numbers of the interrupted games, which have not begun again.
    interrupted: BTreeSet<usize>,
    /// The number of games that this run has begun.
    begun: usize,
    /// The messages about the present state, which are shown once.
    shown: BTreeSet<String>,
}

impl LeagueRunner {
    /// Opens the folder of a league, of which this process plays the games until this is dropped.
    /// The commands of `league`, its definition, are trusted.
    ///
    /// # Errors
    /// The packs cannot be read, another process plays its games, or a file cannot be read.
    pub fn open(
        folder: &LeagueFolder,
        league: League,
        read_packs: PackReader,
    ) -> Result<Self, FolderError> {
        let refused = |reason| FolderError::Refused { path: folder.path().to_owned(), reason };
        let packs = Arc::new(read_packs(&league).map_err(refused)?);
        let games = Folder::open(folder.games(), Shard::WHOLE).map_err(|error| match error {
            FolderError::Busy { holder, .. } => {
                let who = holder.pid.map(|pid| format!("process {pid}"));
                let who = who.unwrap_or_else(|| "another process".to_owned());
                refused(format!("{who} runs the league: wait until it has ended, or stop it"))
            }
            error => error,
        })?;
        let home = OpenFolder::open(folder.path());
        let home = home.map_err(RecordError::file(folder.path(), "read"))?;
        let results = folder.results(&league)?;
        let mut running = folder.interrupted()?;
        running.retain(|&number, _| !results.has(number));
        let interrupted = running.keys().copied().collect();
        let trusted = league.active().map(|member| member.engine.clone()).collect();
        let (begun, shown) = (0, BTreeSet::new());
        let state = LeagueState { league, packs, results, running, interrupted, begun, shown };
        let (folder, games) = (folder.clone(), Arc::new(games));
        let (bounds, cores) = (Bounds::default(), None);
        Ok(Self { folder, home, games, trusted, read_packs, bounds, cores, state })
    }

    /// The latest finished games, at most `most`, oldest first.
    ///
    /// # Errors
    /// A record cannot be read.
    pub fn latest(&self, most: usize) -> Result<Vec<(usize, Record)>, FolderError> {
        let mut numbers: Vec<usize> = self.state.results.numbers().rev().take(most).collect();
        numbers.reverse();
        numbers.into_iter().map(|number| Ok((number, self.folder.record(number)?))).collect()
    }

    /// The definition.
    pub const fn league(&self) -> &League {
        &self.state.league
    }

    /// The rating list.
    pub fn list(&self) -> List {
        List::new(&self.state.league, &self.state.results)
    }

    /// The folder of the league; the current path if it was renamed.
    pub fn folder(&self) -> LeagueFolder {
        let path = self.folder.path();
        match self.home.is_at(path) {
            true => self.folder.clone(),
            false => self.home.moved_to().map_or_else(|| self.folder.clone(), LeagueFolder::at),
        }
    }

    /// Plays games until the `bounds` are reached or `stop` is asked for. The definition is read before
    /// each game.
    ///
    /// # Errors
    /// A bot cannot be started, or a file cannot be written; this ends the other games too.
    pub fn run(
        &mut self,
        resources: Resources<'_>,
        bounds: Bounds,
        stop: &Stop,
        observer: &mut impl Observer<Self>,
    ) -> Result<(), Failure> {
        self.bounds = bounds;
        self.cores = resources.cores.map(Cores::count);
        let folder = Arc::clone(&self.games);
        Tournament { folder: &folder, resources, games_before: 0 }.run(self, stop, observer)
    }

    /// Reads the definition, and its packs if they are others than before.
    fn renew(&mut self) -> Result<(), String> {
        let league = LeagueFolder::at(self.home.path()).league().map_err(|error| match error {
            FolderError::Refused { reason, .. } => reason,
            error => error.to_string(),
        })?;
        let state = &mut self.state;
        if (&league.packs, league.seed) != (&state.league.packs, state.league.seed) {
            state.packs = Arc::new((self.read_packs)(&league)?);
        }
        state.league = league;
        Ok(())
    }

    /// Why an active engine cannot play, if so.
    fn problem(&self, member: &Member) -> Option<String> {
        if !member.is_active() {
            return None;
        }
        if !self.trusted.contains(&member.engine) && !member.is_own() {
            return Some(
                "its command may not be yours; stop the league and run it with --trust".to_owned(),
            );
        }
        process::command(&member.engine).err().map(|error| error.to_string())
    }

    /// Writes the file of the games in progress.
    fn write_running(&self) -> Result<(), FolderError> {
        let file = LeagueFolder::at(self.home.path()).running();
        let text = RunningGames::text(&self.state.running);
        replace_in_folder(&file, &text, Readers::All).map_err(|error| {
            let path = self.folder.path();
            if !self.home.is_at(path) && self.home.moved_to().is_none() {
                return FolderError::Gone { path: path.to_owned() };
            }
            match error {
                RecordError::File { verb, source, .. } => {
                    RecordError::file(&self.folder().running(), verb)(source).into()
                }
                error => error.into(),
            }
        })
    }
}

impl GameSource for LeagueRunner {
    /// Chooses the next game, and writes that it is in progress.
    fn next(&mut self, tell: &mut dyn FnMut(&str)) -> Result<Next, Failure> {
        let is_over = self.bounds.until.is_some_and(|until| Instant::now() >= until);
        if is_over || self.bounds.games.is_some_and(|games| self.state.begun >= games) {
            return Ok(Next::End);
        }
        let mut messages = BTreeSet::new();
        if let Err(reason) = self.renew() {
            messages.insert(format!("{reason}: the league goes on as it was"));
        }
        let members = self.state.league.engines.iter();
        let plays: Vec<bool> = members
            .map(|member| {
                let problem = self.problem(member);
                if let Some(problem) = &problem {
                    let name = quoted(&member.engine.name);
                    messages.insert(format!("engine {name} is left out: {problem}"));
                }
                member.is_active() && problem.is_none()
            })
            .collect();
        if let Some(cores) = self.cores {
            messages.extend(self.state.unpinned(&plays, cores));
        }
        let planned = self.state.plan(&plays);
        if planned.is_none() {
            messages.insert("fewer than two engines can play: waiting for `league add`".to_owned());
        }
        messages.difference(&self.state.shown).for_each(|message| tell(message));
        self.state.shown = messages;
        let Some(planned) = planned else { return Ok(Next::Wait) };
        self.state.begun += 1;
        self.write_running()?;
        Ok(Next::Game(planned))
    }

    /// Counts the game. A game that was stopped stays in the file of the games in progress.
    fn finished(&mut self, game: &NextGame, record: &Record) -> Result<ControlFlow<()>, Failure> {
        let number = game.fixture.number;
        let names = game.fixture.players.map(|player| &*game.manifest.engines[player].name);
        self.state.results.add(number, names, record);
        self.state.running.remove(&number);
        self.write_running()?;
        Ok(ControlFlow::Continue(()))
    }
}

impl LeagueState {
    /// Plans the next game of the engines that may play: an interrupted game, or a new one by the
    /// rule of [`next_pair`]. The game counts as running.
    fn plan(&mut self, plays: &[bool]) -> Option<NextGame> {
        while let Some(number) = self.interrupted.pop_first() {
            let names = self.running.get(&number)?.clone();
            let indices = names.each_ref().map(|name| self.league.index_of(name));
            if let [Some(a), Some(b)] = indices
                && plays[a]
                && plays[b]
            {
                return Some(self.next_game(number, [a, b]));
            }
            // An engine has gone meanwhile, and the number is free for another pair.
            self.running.remove(&number);
        }
        let names = self.league.names();
        let cross = self.results.cross(&names);
        let mut met: Vec<Vec<u64>> =
            cross.iter().map(|row| row.iter().map(|tally| tally.games()).collect()).collect();
        for pair in self.running.values() {
            let indices = pair.each_ref().map(|name| self.league.index_of(name));
            if let [Some(a), Some(b)] = indices {
                met[a][b] += 1;
                met[b][a] += 1;
            }
        }
        let candidate = |(rating, &plays): (Option<super::Rating>, &bool)| RatedEngine {
            plays,
            rating: rating.map_or(0.0, |rating| rating.elo),
            error: rating.map_or(f64::INFINITY, |rating| rating.error),
        };
        let candidates: Vec<RatedEngine> =
            rate(&cross).into_iter().zip(plays).map(candidate).collect();
        let players = next_pair(&candidates, |a, b| met[a][b])?;
        let is_free =
            |number: &usize| !self.results.has(*number) && !self.running.contains_key(number);
        let number = (1..).find(is_free)?;
        let names = players.map(|index| names[index].to_owned());
        self.running.insert(number, names);
        Some(self.next_game(number, players))
    }

    /// Returns a message for each engine whose games need more than `cores` cores, the cores of
    /// this run. `plays` says for each engine whether it may play. Such an engine may join while
    /// the league runs.
    fn unpinned(&self, plays: &[bool], cores: usize) -> Vec<String> {
        let League { engines, sequential, .. } = &self.league;
        let threads = |engine: usize| engines[engine].engine.threads;
        let playing: Vec<usize> = (0..plays.len()).filter(|&engine| plays[engine]).collect();
        let message = |&engine: &usize| {
            let others = playing.iter().filter(|&&other| other != engine);
            let others = others.filter(|&&other| threads(other) <= threads(engine));
            let needed =
                others.map(|&other| cores_of_pair([threads(engine), threads(other)], *sequential));
            let needed = needed.max().filter(|needed| needed.get() > cores)?;
            Some(format!(
                "engine {}: its games need up to {needed} cores, and this run has {cores}: such \
                 games are not pinned and take time from the others",
                quoted(&engines[engine].engine.name)
            ))
        };
        playing.iter().filter_map(message).collect()
    }

    /// The game `number` of the engines of these indices. Its packs follow from its number alone.
    fn next_game(&self, number: usize, players: [usize; 2]) -> NextGame {
        let fixture = Fixture { number, round: number - 1, players };
        let manifest = Arc::new(self.league.manifest());
        NextGame { fixture, manifest, packs: Arc::clone(&self.packs) }
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroUsize;
    use std::path::Path;

    use super::*;

    fn state(running: &[(usize, [&str; 2])]) -> LeagueState {
        let mut league = League::new();
        for name in ["a", "b", "c"] {
            league.add(EngineConfig::new(name, "tensai"), Path::new("/")).unwrap();
        }
        let running: BTreeMap<usize, [String; 2]> =
            running.iter().map(|&(number, names)| (number, names.map(str::to_owned))).collect();
        LeagueState {
            packs: Arc::new(PackSource { files: Vec::new(), seed: Some(league.seed) }),
            league,
            results: LeagueResults::default(),
            interrupted: running.keys().copied().collect(),
            running,
            begun: 0,
            shown: BTreeSet::new(),
        }
    }

    #[test]
    fn interrupted_games_come_first_and_keep_their_number() {
        let mut state = state(&[(2, ["c", "a"]), (4, ["b", "c"])]);
        let mut next = |plays| {
            let planned = state.plan(plays).unwrap();
            (planned.fixture.number, planned.fixture.round, planned.fixture.players)
        };
        assert_eq!(next(&[true; 3]), (2, 1, [2, 0]));
        assert_eq!(next(&[true; 3]), (4, 3, [1, 2]));
        // `c` has two games in progress, `a` and `b` have one each; all are connected.
        assert_eq!(next(&[true; 3]), (1, 0, [0, 1]));
    }

    #[test]
    fn an_engine_with_more_threads_than_cores_is_named() {
        let mut state = state(&[]);
        state.league.engines[1].engine.threads = NonZeroUsize::new(3).unwrap();
        let named = |plays: [bool; 3], cores| -> Vec<String> {
            let messages = state.unpinned(&plays, cores);
            messages.iter().map(|message| message.split(':').next().unwrap().to_owned()).collect()
        };
        let nobody = [""; 0];
        assert_eq!(named([true; 3], 4), nobody);
        assert_eq!(named([true; 3], 3), ["engine `b`"]);
        assert_eq!(named([true, false, true], 2), nobody, "`b` does not play");
        assert_eq!(named([true; 3], 1), ["engine `a`", "engine `b`", "engine `c`"]);
    }

    #[test]
    fn an_interrupted_game_of_an_engine_that_has_gone_is_paired_anew() {
        let mut state = state(&[(1, ["c", "a"])]);
        let planned = state.plan(&[true, true, false]).unwrap();
        assert_eq!((planned.fixture.number, planned.fixture.players), (1, [0, 1]));
        assert_eq!(state.running[&1], ["a", "b"]);
        assert!(state.plan(&[true, false, false]).is_none());
    }
}
