//! Plays the games of a match.

use std::io;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::mpsc::{self, Sender};
use std::thread;
use std::time::Duration;

use super::match_json::Manifest;
use super::schedule::{Fixture, PackSource};
use crate::arena::cores::Cores;
use crate::arena::engine::{EngineConfig, StartError};
use crate::arena::match_::{Folder, FolderError};
use crate::arena::process::{Bot, EXIT_TIMEOUT};
use crate::arena::referee::opening;
use crate::arena::referee::{ErrorLog, Game, Interrupted, LogFile, LogFolder, Order, SeatLimits};
use crate::arena::referee::{GameEvent, Happened, Observer, play};
use crate::game::{Fault, Seat};
use crate::record::{Record, plain};
use crate::util::sanitize::{NAME, visible};
use crate::util::system::stop::Stop;

/// What games are played with.
#[derive(Clone, Copy)]
pub struct Resources<'a> {
    /// The number of games played at the same time.
    pub concurrency: NonZeroUsize,
    /// The cores that games are pinned to; `None` if they are not pinned.
    pub cores: Option<&'a Cores>,
    /// The folder of the engines' logs, if there is one.
    pub logs: Option<&'a LogFolder>,
}

/// Decides which games are played, and takes their results: a match, a league.
pub trait GameSource {
    /// The next game. Messages for the user are given to `tell`.
    ///
    /// # Errors
    /// A file cannot be written; this ends the games.
    fn next(&mut self, tell: &mut dyn FnMut(&str)) -> Result<Next, Failure>;

    /// Takes the result of a game, whose record is written. Breaks if no further game is needed;
    /// games in progress then have no result.
    ///
    /// # Errors
    /// A file cannot be written; this ends the games.
    fn finished(&mut self, game: &NextGame, record: &Record) -> Result<ControlFlow<()>, Failure>;
}

/// What a [`GameSource`] has next.
pub enum Next {
    /// A game.
    Game(NextGame),
    /// No game yet: it is asked again in a moment.
    Wait,
    /// No game any more.
    End,
}

/// A game that is to be played.
pub struct NextGame {
    /// The game.
    pub fixture: Fixture,
    /// The engines and the settings.
    pub manifest: Arc<Manifest>,
    /// The source of the packs.
    pub packs: Arc<PackSource>,
}

/// Plays games, several at a time, and writes their records.
///
/// A thread plays a game. The thread that calls [`run`](Self::run) decides which game is next and calls
/// the observer, so that no game waits for an observer that is slow.
pub struct Tournament<'a> {
    /// The folder to which the records are written.
    pub folder: &'a Folder,
    /// What the games are played with.
    pub resources: Resources<'a>,
    /// The number of games that were played before those of the match, as in a tuning. In the names
    /// of logs, and for the engines, the games of the match are numbered from the next number on.
    pub games_before: usize,
}

/// The pause before a source that has no game yet is asked again.
const PAUSE: Duration = Duration::from_millis(200);

/// An error that ends a match at once.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// A bot cannot be started.
    #[error(transparent)]
    Start(#[from] StartError),
    /// The machine lacks what a further game at the same time needs.
    #[error("cannot begin a game: {0}: play fewer games at a time")]
    Thread(io::Error),
    /// A record or a log cannot be written.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// An engine of a match with an SPRT has the fault [`Fault::NoStart`].
    #[error(transparent)]
    NoStart(#[from] Box<NoStart>),
}

/// An engine of a match with an SPRT that has the fault [`Fault::NoStart`].
#[derive(Debug, thiserror::Error)]
#[error(
    "{}: no start in game {number}: expected its name within {limit:?}: {reason}; the SPRT does not \
     count this game: correct the engine",
    visible(engine, NAME)
)]
pub struct NoStart {
    /// The engine.
    pub engine: String,
    /// The game's number.
    pub number: usize,
    /// The time to say its name.
    pub limit: Duration,
    /// The description of the fault, with the last line on the engine's standard error.
    pub reason: String,
}

/// The number of cores that a game of the match takes at most.
pub fn cores_of_a_game(manifest: &Manifest) -> NonZeroUsize {
    let schedule = manifest.schedule();
    // All pairs that meet play in each round.
    let cores = schedule.fixtures().take(schedule.games_of_a_round()).map(|fixture| {
        let threads = fixture.players.map(|player| manifest.engines[player].threads);
        cores_of_pair(threads, manifest.sequential)
    });
    cores.max().unwrap_or(NonZeroUsize::MIN)
}

/// The number of cores that a game between two engines with these `threads` takes, if they
/// think at the same time or, if `sequential`, in turn.
pub fn cores_of_pair([a, b]: [NonZeroUsize; 2], sequential: bool) -> NonZeroUsize {
    if sequential { a.max(b) } else { a.saturating_add(b.get()) }
}

/// What the thread of a game sends.
enum Sent {
    /// Something happened in the game.
    Event(GameEvent),
    /// The game has ended: its record, unless it was stopped or failed, and the failure, if there is
    /// one. A game has a result even if its record cannot be written.
    Ended(NextGame, Option<Box<Record>>, Option<Failure>),
}

/// Sends the events of a game on.
impl Observer for Sender<Sent> {
    fn event(&mut self, event: GameEvent, (): &()) {
        // The receiver lives as long as the threads of the games.
        let _ = self.send(Sent::Event(event));
    }
}

impl Tournament<'_> {
    /// Plays the games of `source` until it has no more, it breaks, or `stop` is asked for. Games in
    /// progress at a stop have no result.
    ///
    /// # Errors
    /// A bot cannot be started, a record cannot be written, or a bot of a match with an SPRT has the
    /// fault [`Fault::NoStart`]; this stops the other games too.
    pub fn run<S: GameSource>(
        &self,
        source: &mut S,
        stop: &Stop,
        observer: &mut impl Observer<S>,
    ) -> Result<(), Failure> {
        let (sender, sent) = mpsc::channel();
        let mut result = Ok(());
        let mut fail = |failure| {
            // The test may have been decided while the bot started.
            if matches!(failure, Failure::NoStart(_)) && stop.is_asked() {
                return;
            }
            stop.ask();
            if result.is_ok() {
                result = Err(failure);
            }
        };
        thread::scope(|scope| {
            let (mut running, mut is_over) = (0, false);
            loop {
                while running < self.resources.concurrency.get() && !is_over && !stop.is_asked() {
                    let game = match source.next(&mut |text| observer.message(text)) {
                        Ok(Next::Game(game)) => game,
                        Ok(Next::Wait) => break,
                        Ok(Next::End) => {
                            is_over = true;
                            break;
                        }
                        Err(failure) => {
                            fail(failure);
                            break;
                        }
                    };
                    let mut sender = sender.clone();
                    let plays = move || {
                        let (record, failure) = self.played(&game, stop, &mut sender);
                        let _ = sender.send(Sent::Ended(game, record.map(Box::new), failure));
                    };
                    match thread::Builder::new().spawn_scoped(scope, plays) {
                        Ok(_) => running += 1,
                        Err(source) => fail(Failure::Thread(source)),
                    }
                }
                if running == 0 && (is_over || stop.is_asked()) {
                    break;
                }
                match sent.recv_timeout(PAUSE) {
                    Err(_) => {}
                    Ok(Sent::Event(event)) => observer.event(event, source),
                    Ok(Sent::Ended(game, record, failure)) => {
                        running -= 1;
                        if let Some(record) = record {
                            let taken = source.finished(&game, &record);
                            let number = game.fixture.number;
                            let reason = Happened::Finished(record);
                            observer.event(GameEvent { number, reason }, source);
                            match taken {
                                Ok(ControlFlow::Continue(())) => {}
                                Ok(ControlFlow::Break(())) => stop.ask(),
                                Err(failure) => fail(failure),
                            }
                        }
                        if let Some(failure) = failure {
                            fail(failure);
                        }
                    }
                }
            }
        });
        result
    }

    /// Plays one game and writes its record; `None` without a failure if it was stopped.
    fn played(
        &self,
        game: &NextGame,
        stop: &Stop,
        events: &mut Sender<Sent>,
    ) -> (Option<Record>, Option<Failure>) {
        let record = match self.game(game, stop, events) {
            Ok(Some(record)) => record,
            Ok(None) => return (None, None),
            Err(failure) => return (None, Some(failure)),
        };
        if let Some(failure) = no_start(game, &record) {
            return (None, Some(Box::new(failure).into()));
        }
        let kept = self.folder.keep(game.fixture.number, &record);
        let kept = kept.and_then(|()| self.resources.logs.map_or(Ok(()), LogFolder::check));
        (Some(record), kept.err().map(Failure::from))
    }

    /// Plays one game; `None` if it was stopped.
    fn game(
        &self,
        NextGame { fixture, manifest, packs }: &NextGame,
        stop: &Stop,
        events: &mut Sender<Sent>,
    ) -> Result<Option<Record>, Failure> {
        let engines = fixture.players.map(|player| &manifest.engines[player]);
        let order = if manifest.sequential { Order::InTurn } else { Order::Together };
        let threads = engines.map(|engine| engine.threads);
        let wanted = cores_of_pair(threads, manifest.sequential);
        let taken = self.resources.cores.and_then(|cores| cores.take(wanted));
        let cores = taken.as_ref().map_or(&[][..], |taken| taken.numbers());
        let part = |from: usize, count: usize| cores.get(from..from + count).unwrap_or_default();
        let cores = match order {
            Order::Together => {
                [part(0, threads[0].get()), part(threads[0].get(), threads[1].get())]
            }
            Order::InTurn => threads.map(|threads| part(0, threads.get())),
        };
        let (packs_from, packs) = packs.of_round(fixture.round);
        let seed = manifest.seed.unwrap_or_default().wrapping_add(fixture.round as u64);
        let opening = opening::generate(&packs, manifest.openings, seed);
        let mut seats = engines.iter().zip(cores).map(|(engine, cores)| SeatLimits {
            engine: engine.name.clone(),
            time: manifest.time_of(engine),
            start_time: manifest.start_time_of(engine),
            nodes: engine.nodes.map(std::num::NonZeroU64::get),
            cores: cores.to_vec(),
        });
        let mut seat = || seats.next().expect("two engines play");
        let game = Game {
            number: fixture.number,
            packs,
            packs_from,
            time: Duration::from_millis(manifest.game_ms),
            turn_time: Duration::from_millis(manifest.turn_ms),
            grace: Duration::from_millis(manifest.grace_ms),
            order,
            seats: [seat(), seat()],
            opening: opening.len(),
            earlier: opening,
            adjudicate: manifest.adjudicate,
        };
        let number = self.games_before + fixture.number;
        let started = Seat::BOTH.map(|seat| {
            let engine = engines[seat.index()].clone();
            let engine = engine.with_turn_time(game.turn_time);
            match order {
                Order::Together => engine,
                Order::InTurn => without_pondering(engine),
            }
            .in_game(number, manifest.pairing.unit(number), seat)
        });
        let logs = [self.log(number, 0)?, self.log(number, 1)?];
        let start = |seat: usize| {
            let log = ErrorLog::with_file(logs[seat].clone());
            Bot::start(&started[seat], cores[seat], EXIT_TIMEOUT, log)
        };
        let bots = [start(0)?, start(1)?];
        match play(bots, &game, stop, events) {
            Ok(record) => Ok(Some(record)),
            Err(Interrupted::Stopped) => Ok(None),
            Err(Interrupted::NotStarted(error)) => Err(error.into()),
        }
    }

    /// Makes the log of the engine in a seat of a game.
    fn log(&self, number: usize, seat: usize) -> Result<Option<LogFile>, FolderError> {
        self.resources.logs.map(|logs| logs.of_game(number, seat)).transpose()
    }
}

/// The engine that has the fault [`Fault::NoStart`] in a game of a match with an SPRT; `None` for
/// any other game.
///
/// Such a game says nothing about strength: if the program of one version is broken, a few of
/// these games would make the test accept the other version.
fn no_start(NextGame { fixture, manifest, .. }: &NextGame, record: &Record) -> Option<NoStart> {
    manifest.sprt?;
    let mut faults = fixture.players.into_iter().zip(&record.result.faults);
    let (player, fault) = faults.find_map(|(player, fault)| {
        let fault = fault.as_ref().filter(|fault| fault.fault == Fault::NoStart)?;
        Some((player, fault))
    })?;
    let engine = &manifest.engines[player];
    let mut reason = fault.reason.clone();
    if let Some(line) = fault.last_words.last() {
        reason = format!("{reason}: {}", plain(line));
    }
    Some(NoStart {
        engine: engine.name.clone(),
        number: fixture.number,
        limit: manifest.start_time_of(engine),
        reason,
    })
}

/// Returns `engine` with `TENSAI_PONDER=never`, unless that variable is set: two engines that think
/// in turn share their cores.
fn without_pondering(mut engine: EngineConfig) -> EngineConfig {
    engine.env.entry("TENSAI_PONDER".to_owned()).or_insert_with(|| "never".to_owned());
    engine
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::Pairing;

    #[test]
    fn a_game_takes_the_cores_of_the_greatest_pair_that_meets() {
        let cores = |pairing, threads: [usize; 3]| {
            let engine = |threads| EngineConfig {
                threads: NonZeroUsize::new(threads).unwrap(),
                ..EngineConfig::new(format!("threads {threads}"), "tensai")
            };
            let manifest = Manifest { pairing, ..Manifest::new(threads.map(engine).into()) };
            cores_of_a_game(&manifest).get()
        };
        assert_eq!(cores(Pairing::Paired, [2, 2, 1]), 3, "the versions do not meet");
        assert_eq!(cores(Pairing::Gauntlet, [1, 3, 3]), 4, "neither do the opponents");
        assert_eq!(cores(Pairing::RoundRobin, [1, 3, 3]), 6);
    }

    #[test]
    fn a_given_tensai_ponder_is_kept() {
        let engine = EngineConfig::new("a", "tensai");
        assert_eq!(without_pondering(engine.clone()).env["TENSAI_PONDER"], "never");
        let env = [("TENSAI_PONDER".to_owned(), "always".to_owned())].into();
        let engine = EngineConfig { env, ..engine };
        assert_eq!(without_pondering(engine).env["TENSAI_PONDER"], "always");
    }
}
