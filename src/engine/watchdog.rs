//! The watchdog between an engine and the referee: it sends an answer in time even if the engine
//! hangs or panics.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;

use thiserror::Error;

use super::spare_cores::SpareCores;
use super::{ActionSource, BestSoFar, Decision, Engine, Report, TurnClock, without_search};
use crate::game::{Action, Packs, Seat};
use crate::protocol::Observation;

/// Creates an engine; called again after an engine has panicked or answered illegally.
type Maker = Arc<dyn Fn() -> Box<dyn Engine> + Send + Sync>;

/// When an engine ponders: searches during the opponent's time.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Pondering {
    /// In no turn.
    #[default]
    Never,
    /// As long as no other program wants the cores of the bot; on Linux only.
    OnSpareCores,
    /// In each turn.
    Always,
}

impl Pondering {
    /// The values by their names on the command line, each with a line of help.
    pub const NAMED: [(&str, &str, Self); 3] = [
        ("never", "In no turn", Self::Never),
        (
            "auto",
            "As long as no other program wants the cores of the bot; on Linux only",
            Self::OnSpareCores,
        ),
        ("always", "In each turn", Self::Always),
    ];
}

/// Runs an engine on a separate thread and answers by the deadline.
///
/// The answer is the engine's decision. If the engine panics, is late or answers illegally, the
/// answer is the best so far, or else the [`fallback`](without_search::fallback)
/// action. A late engine keeps running, and the
/// next turn waits for it until that turn's own deadline.
pub struct Watchdog {
    maker: Maker,
    worker: Worker,
    packs: Option<Packs>,
    /// The number of requests for a decision, by which answers are matched to requests.
    asked: u64,
    pondering: Pondering,
    spare_cores: SpareCores,
    /// Stops the engine's pondering.
    stop: Arc<AtomicBool>,
}

struct Worker {
    requests: Sender<Request>,
    answers: Receiver<(u64, Option<Decision>)>,
}

enum Request {
    Game(Packs),
    Turn {
        number: u64,
        observation: Box<Observation>,
        clock: TurnClock,
        best_so_far: Arc<BestSoFar>,
    },
    Ponder(Arc<AtomicBool>),
}

impl Watchdog {
    /// Starts the watchdog with an engine from `maker`.
    pub fn new(maker: impl Fn() -> Box<dyn Engine> + Send + Sync + 'static) -> Self {
        let maker: Maker = Arc::new(maker);
        let worker = Worker::start(Arc::clone(&maker));
        let (pondering, spare_cores) = (Pondering::default(), SpareCores::default());
        let (packs, stop) = (None, Arc::default());
        Self { maker, worker, packs, asked: 0, pondering, spare_cores, stop }
    }

    /// Sets when the engine ponders. By default it never does.
    pub fn pondering(self, pondering: Pondering) -> Self {
        Self { pondering, ..self }
    }

    /// Lets the engine ponder until the next request, if [`Pondering`] allows. Called after an
    /// answer is sent.
    pub fn ponder(&mut self) {
        let stop = Arc::new(AtomicBool::new(false));
        let ponders = match self.pondering {
            Pondering::Never => false,
            Pondering::Always => true,
            Pondering::OnSpareCores => self.spare_cores.guard(&stop),
        };
        if ponders {
            self.stop = Arc::clone(&stop);
            let _ = self.worker.requests.send(Request::Ponder(stop));
        }
    }

    /// Starts a game with `packs`.
    pub fn new_game(&mut self, packs: &Packs) {
        self.stop.store(true, Relaxed);
        self.spare_cores.new_game();
        self.packs = Some(packs.clone());
        // A worker whose thread has ended is replaced by `decide`.
        let _ = self.worker.requests.send(Request::Game(packs.clone()));
    }

    /// Returns the decision of a turn, by the hard deadline of `clock`, and a message if the
    /// engine's own decision is not used.
    pub fn decide(
        &mut self,
        observation: &Observation,
        clock: &TurnClock,
    ) -> (Decision, Option<String>) {
        self.stop.store(true, Relaxed);
        self.asked += 1;
        let best_so_far = Arc::new(BestSoFar::default());
        let mut decided = self.ask(observation, clock, &best_so_far);
        if decided.as_ref().is_err_and(|trouble| *trouble == Trouble::PanickedBefore) {
            // A new engine decides this turn.
            self.restart();
            decided = self.ask(observation, clock, &best_so_far);
        }
        let trouble = match decided {
            Ok(decision) if is_legal(&decision.action, observation) => return (decision, None),
            Ok(decision) => Trouble::Illegal(decision.action),
            Err(trouble) => trouble,
        };
        if trouble != Trouble::Late {
            self.restart();
        }
        let kept = best_so_far.get().filter(|action| is_legal(action, observation));
        let action = kept.unwrap_or_else(|| self.safe_action(observation));
        let report = Report {
            turn: observation.state.turn,
            action: action.to_string(),
            source: ActionSource::Fallback,
            time_ms: clock.elapsed_ms(),
            ..Report::default()
        };
        (Decision { action, report }, Some(trouble.to_string()))
    }

    /// Replaces the worker, with a new engine.
    fn restart(&mut self) {
        self.worker = Worker::start(Arc::clone(&self.maker));
        if let Some(packs) = &self.packs {
            let _ = self.worker.requests.send(Request::Game(packs.clone()));
        }
    }

    /// Asks the worker for a decision, and waits for it.
    fn ask(
        &self,
        observation: &Observation,
        clock: &TurnClock,
        best_so_far: &Arc<BestSoFar>,
    ) -> Result<Decision, Trouble> {
        let request = Request::Turn {
            number: self.asked,
            observation: Box::new(*observation),
            clock: clock.clone(),
            best_so_far: Arc::clone(best_so_far),
        };
        self.worker.requests.send(request).map_err(|_| Trouble::PanickedBefore)?;
        self.wait(clock)
    }

    /// Waits for the decision of the last request until the hard deadline of `clock`.
    fn wait(&self, clock: &TurnClock) -> Result<Decision, Trouble> {
        loop {
            match clock.source().recv_until(&self.worker.answers, clock.hard()) {
                Ok((number, Some(decision))) if number == self.asked => return Ok(decision),
                Ok((number, None)) if number == self.asked => return Err(Trouble::Panicked),
                // Of an earlier turn, in which the engine was late.
                Ok((_, Some(_))) => {}
                Ok((_, None)) => return Err(Trouble::PanickedBefore),
                Err(RecvTimeoutError::Disconnected) => return Err(Trouble::Panicked),
                Err(RecvTimeoutError::Timeout) => return Err(Trouble::Late),
            }
        }
    }

    /// Returns the fallback action.
    fn safe_action(&self, observation: &Observation) -> Action {
        let pack = self.packs.as_ref().and_then(|packs| packs.get(observation.state.turn));
        let any = || "0 0".parse().unwrap_or(Action::Skill);
        pack.map_or_else(any, |pack| {
            without_search::fallback(&observation.state[Seat::First].convert(), pack)
        })
    }
}

/// Why the engine's decision is not used. Only a late engine is kept; otherwise a new one starts.
#[derive(PartialEq, Eq, Debug, Error)]
enum Trouble {
    #[error("the engine is late")]
    Late,
    #[error("the engine has panicked")]
    Panicked,
    /// In an earlier turn, in which it was late.
    #[error("two engines in a row have panicked")]
    PanickedBefore,
    #[error("the engine chose `{0}`, which is illegal")]
    Illegal(Action),
}

fn is_legal(action: &Action, observation: &Observation) -> bool {
    *action != Action::Skill || observation.state[Seat::First].gauge.allows_skill()
}

impl Worker {
    /// Starts a thread with a new engine. The thread ends when its channel closes, or after a panic
    /// in a decision.
    fn start(maker: Maker) -> Self {
        let (requests, incoming) = mpsc::channel();
        let (outgoing, answers) = mpsc::channel();
        thread::spawn(move || {
            let mut engine = maker();
            let mut game = None;
            for request in incoming {
                match request {
                    Request::Game(packs) => {
                        engine.new_game();
                        game = Some(packs);
                    }
                    Request::Ponder(stop) => {
                        let Some(packs) = &game else { continue };
                        let ponder = || on_search_thread(|| engine.ponder(packs, &stop));
                        if catch_unwind(AssertUnwindSafe(ponder)).is_err() {
                            // No turn is asked for: a new engine decides the next one.
                            engine = maker();
                            engine.new_game();
                        }
                    }
                    Request::Turn { number, observation, clock, best_so_far } => {
                        let decide = || {
                            let packs = game.as_ref().expect("a game begins before its turns");
                            on_search_thread(|| {
                                engine.decide(packs, &observation, &clock, &best_so_far)
                            })
                        };
                        let decision = catch_unwind(AssertUnwindSafe(decide)).ok();
                        let panicked = decision.is_none();
                        if outgoing.send((number, decision)).is_err() || panicked {
                            return;
                        }
                    }
                }
            }
        });
        Self { requests, answers }
    }
}

/// Runs `work` on one of the search threads. On another thread, each parallel step of a search is
/// handed to them and waited for: hundreds of times in a decision, and on a core that both share.
/// Experiment B-19.
fn on_search_thread<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    rayon::scope(|_| work())
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicU64;
    use std::time::Duration;

    use super::*;
    use crate::engine::TimeLimits;
    use crate::game::State;
    use crate::util::clock::ManualClock;

    /// An engine whose behaviour depends on the turn.
    struct Troublesome {
        clock: &'static ManualClock,
        /// Set after the watchdog has answered the turn in which the engine is late.
        answered: Arc<AtomicBool>,
    }

    impl Engine for Troublesome {
        fn new_game(&mut self) {}

        fn decide(
            &mut self,
            _packs: &Packs,
            observation: &Observation,
            _clock: &TurnClock,
            best_so_far: &BestSoFar,
        ) -> Decision {
            let answer = |text: &str| Decision {
                action: text.parse().unwrap(),
                report: Report { source: ActionSource::Plan, ..Report::default() },
            };
            match observation.state.turn {
                0 => answer("3 1"),
                1 => panic!("as the test wants"),
                2 => answer("S"),
                3 => {
                    best_so_far.put("5 2".parse().unwrap());
                    self.clock.advance(Duration::from_millis(1500));
                    while !self.answered.load(Relaxed) {
                        thread::yield_now();
                    }
                    answer("0 0")
                }
                5 => {
                    self.clock.advance(Duration::from_millis(1500));
                    while !self.answered.load(Relaxed) {
                        thread::yield_now();
                    }
                    panic!("as the test wants");
                }
                _ => answer("7 3"),
            }
        }
    }

    /// An engine that ponders until it is stopped, and counts how often it ponders.
    struct Ponderer(Arc<AtomicU64>);

    impl Engine for Ponderer {
        fn new_game(&mut self) {}

        fn decide(
            &mut self,
            _packs: &Packs,
            _observation: &Observation,
            _clock: &TurnClock,
            _best_so_far: &BestSoFar,
        ) -> Decision {
            Decision { action: "3 1".parse().unwrap(), report: Report::default() }
        }

        fn ponder(&mut self, _packs: &Packs, stop: &Arc<AtomicBool>) {
            while !stop.load(Relaxed) {
                thread::yield_now();
            }
            self.0.fetch_add(1, Relaxed);
        }
    }

    /// The answer to a turn on a clock that stands still, and the message about it.
    fn asked(watchdog: &mut Watchdog, turn: usize) -> (String, Option<String>) {
        let left = Duration::from_secs(20);
        let manual = ManualClock::leak(Duration::ZERO);
        let clock = TurnClock::new(manual.now(), left, &TimeLimits::default());
        let state = State { turn, ..State::new() };
        let observation = Observation { state, time_left: [left; 2] };
        let (decision, trouble) =
            watchdog.decide(&observation, &clock.with_source(manual.source()));
        (decision.action.to_string(), trouble)
    }

    #[test]
    fn a_request_stops_pondering() {
        for (pondering, count_of_three) in [(Pondering::Always, 3), (Pondering::Never, 0)] {
            let count = Arc::new(AtomicU64::new(0));
            let counted = Arc::clone(&count);
            let maker = move || Box::new(Ponderer(Arc::clone(&counted))) as Box<dyn Engine>;
            let mut watchdog = Watchdog::new(maker).pondering(pondering);
            let packs = Packs::from_seed(1);
            watchdog.new_game(&packs);
            for turn in 0..3 {
                assert_eq!(asked(&mut watchdog, turn), ("3 1".to_owned(), None));
                watchdog.ponder();
            }
            watchdog.new_game(&packs);
            assert_eq!(asked(&mut watchdog, 0).1, None);
            assert_eq!(count.load(Relaxed), count_of_three);
        }
    }

    /// An engine that panics while it ponders, and answers with the number of games that it knows.
    struct PanickingPonderer(u8);

    impl Engine for PanickingPonderer {
        fn new_game(&mut self) {
            self.0 += 1;
        }

        fn decide(
            &mut self,
            _packs: &Packs,
            _observation: &Observation,
            _clock: &TurnClock,
            _best_so_far: &BestSoFar,
        ) -> Decision {
            let action = format!("{} 0", self.0).parse().unwrap();
            Decision { action, report: Report::default() }
        }

        fn ponder(&mut self, _packs: &Packs, _stop: &Arc<AtomicBool>) {
            panic!("as the test wants");
        }
    }

    #[test]
    fn a_panic_while_pondering_costs_no_turn() {
        let maker = || Box::new(PanickingPonderer(0)) as Box<dyn Engine>;
        let mut watchdog = Watchdog::new(maker).pondering(Pondering::Always);
        watchdog.new_game(&Packs::from_seed(1));
        for turn in 0..3 {
            assert_eq!(asked(&mut watchdog, turn), ("1 0".to_owned(), None));
            watchdog.ponder();
        }
    }

    #[test]
    fn an_answer_is_sent_despite_a_panic_an_illegal_answer_or_a_hang() {
        let manual = ManualClock::leak(Duration::ZERO);
        let answered = Arc::new(AtomicBool::new(false));
        let gate = Arc::clone(&answered);
        let maker = move || Troublesome { clock: manual, answered: Arc::clone(&gate) };
        let mut watchdog = Watchdog::new(move || Box::new(maker()));
        watchdog.new_game(&Packs::from_seed(1));
        let rules = TimeLimits { reserve: Some(Duration::ZERO), ..TimeLimits::default() };
        let mut ask = |turn, left| {
            let state = State { turn, ..State::new() };
            let clock = TurnClock::new(manual.now(), Duration::from_millis(left), &rules);
            let clock = clock.with_source(manual.source());
            let observation = Observation { state, time_left: [Duration::from_millis(left); 2] };
            let (decision, trouble) = watchdog.decide(&observation, &clock);
            (decision.action.to_string(), decision.report.source, trouble.is_some())
        };
        assert_eq!(ask(0, 9000), ("3 1".to_owned(), ActionSource::Plan, false));
        assert_eq!((ask(1, 9000).1, ask(1, 9000).2), (ActionSource::Fallback, true), "panic");
        assert_eq!(
            (ask(2, 9000).1, ask(2, 9000).2),
            (ActionSource::Fallback, true),
            "illegal skill"
        );
        assert_eq!(
            ask(3, 400),
            ("5 2".to_owned(), ActionSource::Fallback, true),
            "late, with a best_so_far"
        );
        answered.store(true, Relaxed);
        assert_eq!(
            ask(4, 9000),
            ("7 3".to_owned(), ActionSource::Plan, false),
            "the late answer is dropped"
        );
        answered.store(false, Relaxed);
        assert_eq!(ask(5, 400).1, ActionSource::Fallback, "late");
        answered.store(true, Relaxed);
        assert_eq!(
            ask(6, 9000),
            ("7 3".to_owned(), ActionSource::Plan, false),
            "a late panic costs no turn"
        );
    }
}
