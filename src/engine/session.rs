//! A protocol session: writes the name, then answers turns until the input ends.

use std::fmt;
use std::io::{self, BufRead, Write};

use thiserror::Error;

use super::{TimeLimits, TurnClock, Watchdog};
use crate::game::{Action, Packs, Seat};
use crate::protocol::{InputError, InputMessage, Log, Observation, Reader};
use crate::util::clock::Instant;

/// Why a session ended early.
#[derive(Debug, Error)]
pub enum ServeError {
    /// The input violates the protocol.
    #[error(transparent)]
    Input(#[from] InputError),
    /// An answer could not be written.
    #[error("cannot write an answer: {0}")]
    Output(io::Error),
    /// The input does not have the turn or game to answer.
    #[error("the input has no {0}")]
    Missing(TurnFilter),
}

/// Selects the turns of an input to answer; all turns by default. Other turns are read and skipped,
/// to analyse one turn of a recorded input.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct TurnFilter {
    /// The game, from 1.
    pub game: Option<usize>,
    /// The turn, from 0.
    pub turn: Option<usize>,
}

/// Describes the selected turns in words.
impl fmt::Display for TurnFilter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.turn, self.game) {
            (Some(turn), Some(game)) => write!(f, "turn {turn} of game {game}"),
            (Some(turn), None) => write!(f, "turn {turn}"),
            (None, Some(game)) => write!(f, "turn of game {game}"),
            (None, None) => f.write_str("turn"),
        }
    }
}

impl TurnFilter {
    fn answers(self, game: usize, turn: usize) -> bool {
        self.game.is_none_or(|only| only == game) && self.turn.is_none_or(|only| only == turn)
    }
}

/// Speaks the protocol: writes the name, reads games and turns, answers each turn.
///
/// The input overrides the bot's own simulation. A difference is written to `log`, as is a turn
/// that does not follow the previous one. If the referee stops reading, the session ends without
/// error.
///
/// # Errors
/// Fails on invalid input, on an input without the turns that `filter` selects, and if `output`
/// cannot be written.
pub fn serve(
    name: &str,
    input: impl BufRead,
    mut output: impl Write,
    log: &Log,
    watchdog: &mut Watchdog,
    limits: &TimeLimits,
    filter: TurnFilter,
) -> Result<(), ServeError> {
    if !say(&mut output, name)? {
        return Ok(());
    }
    let mut reader = Reader::new(input);
    let mut game: Option<SessionGame> = None;
    let mut games = 0;
    let mut missing = filter != TurnFilter::default();
    loop {
        match reader.next_message()? {
            InputMessage::End if missing => return Err(ServeError::Missing(filter)),
            InputMessage::End => return Ok(()),
            InputMessage::Packs(packs) => {
                games += 1;
                watchdog.new_game(&packs);
                game = Some(SessionGame { packs, limits: *limits, turn: None, last: None });
            }
            InputMessage::Turn(observation) if !filter.answers(games, observation.state.turn) => {
                if let Some(game) = &mut game {
                    game.note_time(&observation);
                    (game.turn, game.last) = (Some(observation.state.turn), None);
                }
            }
            InputMessage::Turn(observation) => {
                missing = false;
                let start = Instant::now();
                let game = game.as_mut().expect("the reader gives packs before turns");
                game.note_time(&observation);
                let clock = TurnClock::new(start, observation.time_left[0], &game.limits);
                if let Some(note) = game.check(&observation) {
                    log.line(format!("tensai: line {}: {note}", reader.line()));
                }
                let (decision, trouble) = watchdog.decide(&observation, &clock);
                if let Some(trouble) = trouble {
                    log.line(format!("tensai: turn {}: {trouble}", observation.state.turn));
                }
                if let Ok(report) = serde_json::to_string(&decision.report) {
                    log.line(format!("info {report}"));
                }
                if !say(&mut output, &decision.action.to_string())? {
                    return Ok(());
                }
                watchdog.ponder();
                game.turn = Some(observation.state.turn);
                game.last = Some((*observation, decision.action));
            }
        }
    }
}

/// Writes `line` and flushes it. Returns `false` if the reader has closed the pipe.
fn say(output: &mut impl Write, line: &str) -> Result<bool, ServeError> {
    match writeln!(output, "{line}").and_then(|()| output.flush()) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(false),
        Err(error) => Err(ServeError::Output(error)),
    }
}

/// A game in progress.
struct SessionGame {
    packs: Packs,
    limits: TimeLimits,
    /// The number of the last turn.
    turn: Option<usize>,
    /// The last turn and its answer; `None` if the turn was skipped.
    last: Option<(Observation, Action)>,
}

impl SessionGame {
    /// Notes the time for the game, which is the time left in turn 0.
    fn note_time(&mut self, observation: &Observation) {
        if observation.state.turn == 0 {
            self.limits.game = Some(observation.time_left[0]);
        }
    }

    /// Describes the difference between `observation` and the expected observation, if there is
    /// one.
    fn check(&self, observation: &Observation) -> Option<String> {
        let turn = observation.state.turn;
        match self.turn {
            None if turn != 0 => return Some(format!("the game begins with turn {turn}")),
            Some(before) if turn != before + 1 => {
                return Some(format!("turn {turn} follows turn {before}"));
            }
            _ => {}
        }
        let (last, action) = self.last.as_ref()?;
        // The own player's stock and gauge depend on the opponent; the rest can be simulated.
        let expected =
            last.state[Seat::First].step(self.packs.get(turn - 1)?, *action).ok()?.player;
        let received = &observation.state[Seat::First];
        if received.field != expected.field {
            let place = differing_column(&received.field.heights(), &expected.field.heights());
            Some(format!(
                "turn {turn}: the own field is not as simulated{place}; the input is used"
            ))
        } else if received.score != expected.score {
            let (received, expected) = (received.score, expected.score);
            Some(format!(
                "turn {turn}: the own score is {received}, not {expected} as simulated; \
                 the input is used"
            ))
        } else {
            None
        }
    }
}

/// Describes the first column in which two fields differ in height; empty if none does.
fn differing_column(received: &[u8], expected: &[u8]) -> String {
    let column = (0..received.len()).find(|&x| received[x] != expected[x]);
    column.map_or_else(String::new, |x| {
        format!(" (column {x} is {} high, not {})", received[x], expected[x])
    })
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};
    use std::time::Duration;

    use super::*;
    use crate::engine::{BestSoFar, Decision, Engine, Report};
    use crate::game::{Cells, State};
    use crate::protocol;

    /// Notes the usable time of each turn.
    struct Noting(Arc<Mutex<Vec<u128>>>);

    impl Engine for Noting {
        fn new_game(&mut self) {}

        fn decide(
            &mut self,
            _: &Packs,
            _: &Observation,
            clock: &TurnClock,
            _: &BestSoFar,
        ) -> Decision {
            self.0.lock().unwrap().push(clock.usable().as_millis());
            Decision { action: "3 1".parse().unwrap(), report: Report::default() }
        }
    }

    /// The usable times of an input of turns with these numbers and times left in milliseconds.
    fn usable(turns: &[(usize, u64)], reserve: Option<Duration>) -> Vec<u128> {
        let mut input = Packs::from_seed(1).to_string();
        for &(turn, left) in turns {
            let state = State::<Cells> { turn, ..State::new() };
            input += &protocol::writer::turn(&state, Seat::First, [Duration::from_millis(left); 2]);
        }
        let noted = Arc::new(Mutex::new(Vec::new()));
        let engine = Arc::clone(&noted);
        let mut watchdog = Watchdog::new(move || Box::new(Noting(Arc::clone(&engine))));
        let limits = TimeLimits { reserve, ..TimeLimits::default() };
        let (log, filter) = (Log::new(io::sink()), TurnFilter::default());
        serve("t", input.as_bytes(), io::sink(), &log, &mut watchdog, &limits, filter).unwrap();
        let noted = noted.lock().unwrap();
        noted.clone()
    }

    #[test]
    fn the_first_turn_has_the_time_of_the_game() {
        assert_eq!(usable(&[(0, 180_000), (1, 2800)], None), [18_500, 1300]);
        assert_eq!(usable(&[(0, 2800), (1, 2700)], None), [2100, 2000]);
        assert_eq!(usable(&[(7, 2800)], None), [1300], "the time of the game is unknown");
        assert_eq!(usable(&[(0, 2800)], Some(Duration::from_secs(1))), [1800]);
    }
}
