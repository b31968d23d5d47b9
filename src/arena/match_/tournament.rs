//! Plays the games of a match.

use std::io;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::mpsc::{self, Sender};
use std::thread;
use std::time::Duration;

use super::manifest::Manifest;
use super::schedule::{Fixture, PackSource};
use crate::arena::cores::Cores;
use crate::arena::engine::{EngineConfig, StartError};
use crate::arena::match_::{Folder, FolderError};
use crate::arena::process::Bot;
use crate::arena::referee::ErrorLog;
use crate::arena::referee::opening;
use crate::arena::referee::{Game, Interrupted, Order, SeatLimits, Watch, play};
use crate::arena::referee::{LogFile, LogFolder};
use crate::game::{Cells, Fault, Pack, Seat, Turn};
use crate::record::{Record, TurnRecord, plain};
use crate::util::sanitize::{NAME, visible};
use crate::util::system::stop::Stop;

/// The games of a match, and the resources for playing them.
pub struct Tournament<'a> {
    /// The match.
    pub manifest: &'a Manifest,
    /// The source of the packs.
    pub packs: &'a PackSource,
    /// The folder to which the records are written.
    pub folder: &'a Folder,
    /// The number of games played at the same time.
    pub concurrency: NonZeroUsize,
    /// The cores that games are pinned to; `None` if they are not pinned.
    pub cores: Option<&'a Cores>,
    /// The folder of the engines' logs, if there is one.
    pub logs: Option<&'a LogFolder>,
    /// The number of games that were played before those of the match, as in a tuning. In the names
    /// of logs, and for the engines, the games of the match are numbered from the next number on.
    pub games_before: usize,
}

/// An event of a match.
pub enum MatchEvent {
    /// A turn was played.
    Turn {
        /// The game's number.
        number: usize,
        /// The turn.
        turn: Box<Turn<Cells>>,
        /// The record of the turn, without the bots' `info`.
        played: TurnRecord,
        /// The pack of the turn after it.
        next: Option<Pack>,
        /// The names to show.
        names: [String; 2],
        /// The time that each player has left; `None` without a clock.
        left: [Option<Duration>; 2],
    },
    /// A game is finished. Its record is written, unless the match ends because the record cannot
    /// be written.
    Finished(Fixture, Box<Record>),
}

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
    "{}: no start in game {number}: expected its name within {limit:?}: {what}; the SPRT does not \
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
    pub what: String,
}

impl Tournament<'_> {
    /// The number of cores that a game of the match takes at most.
    pub fn cores_of_a_game(manifest: &Manifest) -> NonZeroUsize {
        let schedule = manifest.schedule();
        // All pairs that meet play in each round.
        let cores = schedule.fixtures().take(schedule.games_of_a_round()).map(|fixture| {
            let threads = fixture.players.map(|player| manifest.engines[player].threads);
            Self::cores_of_pair(threads, manifest.sequential)
        });
        cores.max().unwrap_or(NonZeroUsize::MIN)
    }

    /// The number of cores that a game between two engines with these `threads` takes, if they
    /// think at the same time or, if `sequential`, in turn.
    pub fn cores_of_pair([a, b]: [NonZeroUsize; 2], sequential: bool) -> NonZeroUsize {
        if sequential { a.max(b) } else { a.saturating_add(b.get()) }
    }

    /// Plays the games of `fixtures` until all are played, `on_event` breaks, or `stop` is asked
    /// for. Games in progress at a stop have no result.
    ///
    /// # Errors
    /// A bot cannot be started, a record cannot be written, or a bot of a match with an SPRT has the
    /// fault [`Fault::NoStart`]; this stops the match too.
    pub fn run(
        &self,
        fixtures: impl ExactSizeIterator<Item = Fixture> + Send,
        stop: &Stop,
        mut on_event: impl FnMut(MatchEvent) -> ControlFlow<()>,
    ) -> Result<(), Failure> {
        let threads = self.concurrency.get().min(fixtures.len());
        let fixtures = Mutex::new(fixtures);
        let next = || fixtures.lock().unwrap_or_else(PoisonError::into_inner).next();
        let (sender, events) = mpsc::channel();
        let mut result = Ok(());
        thread::scope(|scope| {
            for _ in 0..threads {
                let own = sender.clone();
                let plays = move || {
                    let sender = own;
                    while !stop.is_asked()
                        && let Some(fixture) = next()
                    {
                        let record = match self.game(fixture, stop, &sender) {
                            Ok(Some(record)) => record,
                            Ok(None) => return,
                            Err(failure) => {
                                let _ = sender.send(Err(failure));
                                return;
                            }
                        };
                        if let Some(failure) = self.no_start(fixture, &record) {
                            let _ = sender.send(Err(Box::new(failure).into()));
                            return;
                        }
                        let kept = self.folder.keep(fixture.number, &record);
                        let kept = kept.and_then(|()| self.logs.map_or(Ok(()), LogFolder::check));
                        // The game has a result even if its record cannot be written.
                        let _ = sender.send(Ok(MatchEvent::Finished(fixture, Box::new(record))));
                        if let Err(failure) = kept {
                            let _ = sender.send(Err(failure.into()));
                            return;
                        }
                    }
                };
                if let Err(source) = thread::Builder::new().spawn_scoped(scope, plays) {
                    let _ = sender.send(Err(Failure::Thread(source)));
                }
            }
            drop(sender);
            for event in events {
                match event {
                    Ok(event) => {
                        if on_event(event).is_break() {
                            stop.ask();
                        }
                    }
                    // The test may have been decided while the bot started.
                    Err(Failure::NoStart(_)) if stop.is_asked() => {}
                    Err(failure) => {
                        stop.ask();
                        if result.is_ok() {
                            result = Err(failure);
                        }
                    }
                }
            }
        });
        result
    }

    /// Plays one game; `None` if it was stopped.
    fn game(
        &self,
        fixture: Fixture,
        stop: &Stop,
        events: &Sender<Result<MatchEvent, Failure>>,
    ) -> Result<Option<Record>, Failure> {
        let manifest = self.manifest;
        let engines = fixture.players.map(|player| &manifest.engines[player]);
        let order = if manifest.sequential { Order::InTurn } else { Order::Together };
        let threads = engines.map(|engine| engine.threads);
        let wanted = Self::cores_of_pair(threads, manifest.sequential);
        let taken = self.cores.and_then(|cores| cores.take(wanted));
        let cores = taken.as_ref().map_or(&[][..], |taken| taken.numbers());
        let part = |from: usize, count: usize| cores.get(from..from + count).unwrap_or_default();
        let cores = match order {
            Order::Together => {
                [part(0, threads[0].get()), part(threads[0].get(), threads[1].get())]
            }
            Order::InTurn => threads.map(|threads| part(0, threads.get())),
        };
        let (packs_from, packs) = self.packs.of_round(fixture.round);
        let seed = manifest.seed.unwrap_or_default().wrapping_add(fixture.round as u64);
        let opening = opening::draw(&packs, manifest.openings, seed);
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
            Bot::start_logged(&started[seat], cores[seat], log)
        };
        let bots = [start(0)?, start(1)?];
        let mut reporter = TurnReporter { number: fixture.number, events };
        match play(bots, &game, stop, &mut reporter) {
            Ok(record) => Ok(Some(record)),
            Err(Interrupted::Stopped) => Ok(None),
            Err(Interrupted::NotStarted(error)) => Err(error.into()),
        }
    }

    /// Makes the log of the engine in a seat of a game.
    fn log(&self, number: usize, seat: usize) -> Result<Option<LogFile>, FolderError> {
        self.logs.map(|logs| logs.of_game(number, seat)).transpose()
    }

    /// The engine that has the fault [`Fault::NoStart`] in a game of a match with an SPRT; `None` for
    /// any other game.
    ///
    /// Such a game says nothing about strength: if the program of one version is broken, a few of
    /// these games would make the test accept the other version.
    fn no_start(&self, fixture: Fixture, record: &Record) -> Option<NoStart> {
        let manifest = self.manifest;
        manifest.sprt?;
        let mut faults = fixture.players.into_iter().zip(&record.result.faults);
        let (player, fault) = faults.find_map(|(player, fault)| {
            let fault = fault.as_ref().filter(|fault| fault.fault == Fault::NoStart)?;
            Some((player, fault))
        })?;
        let engine = &manifest.engines[player];
        let mut what = fault.what.clone();
        if let Some(line) = fault.last_words.last() {
            what = format!("{what}: {}", plain(line));
        }
        Some(NoStart {
            engine: engine.name.clone(),
            number: fixture.number,
            limit: manifest.start_time_of(engine),
            what,
        })
    }
}

/// Returns `engine` with `TENSAI_PONDER=never`, unless that variable is set: two engines that think
/// in turn share their cores.
fn without_pondering(mut engine: EngineConfig) -> EngineConfig {
    engine.env.entry("TENSAI_PONDER".to_owned()).or_insert_with(|| "never".to_owned());
    engine
}

/// Sends the turns of a game as events.
struct TurnReporter<'a> {
    number: usize,
    events: &'a Sender<Result<MatchEvent, Failure>>,
}

impl Watch for TurnReporter<'_> {
    fn turn(
        &mut self,
        turn: &Turn<Cells>,
        played: &TurnRecord,
        next: Option<&Pack>,
        names: &[String; 2],
        left: [Option<Duration>; 2],
    ) {
        let event = MatchEvent::Turn {
            number: self.number,
            turn: Box::new(*turn),
            played: played.clone(),
            next: next.copied(),
            names: names.clone(),
            left,
        };
        // Nobody receives the event once the match is over.
        let _ = self.events.send(Ok(event));
    }
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
            Tournament::cores_of_a_game(&manifest).get()
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
