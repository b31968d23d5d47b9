//! The processes of external engines, which play against a person.
//!
//! A session is the process of one engine in one game of a page. The engine gets the packs, and
//! then each turn in which its side decides, as in a match. A turn that does not follow the last
//! one (the person took a turn back or began another game), and a turn after a crash, begins with a
//! new process: each turn carries the whole position.

use std::collections::HashMap;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use serde::Serialize;

use super::limits::{SESSION_ID, SESSIONS};
use crate::arena::process::{Bot, EXIT_TIMEOUT};
use crate::arena::{BotEvent, Connection as _, EngineConfig, ErrorLog, turn_of};
use crate::game::{Action, Cells, Pack, Packs, Seat, State, TURNS};
use crate::protocol::writer;
use crate::record::JsonText;
use crate::search::SearchControl;
use crate::util::duration::milliseconds;
use crate::util::sanitize::{LINE, NAME, quoted, visible};
use crate::util::system::stop::Stop;
use crate::web::api::{ApiError, DecideParams, ErrorCode};

/// The time for the game that an engine without a limit gets in the input: the contest's.
const GAME_TIME: Duration = Duration::from_secs(180);

/// The time after which an engine counts as hanging if its time is not limited: three turn limits
/// of the contest, as in matches without a clock.
const HANGING: Duration = Duration::from_secs(60);

/// The longest time that a page can give an engine for an answer.
const LONGEST: Duration = Duration::from_secs(600);

/// The time by which an engine may exceed a limit, for the work of this machine.
const GRACE: Duration = Duration::from_secs(1);

/// The time in which an engine must print its name, unless the engine has its own.
const START_TIME: Duration = Duration::from_secs(10);

/// What an engine decided, as `decide` answers.
#[derive(Serialize)]
pub struct SessionDecision {
    /// The action.
    action: String,
    /// What the engine wrote about the turn, if it did.
    report: Option<JsonText>,
    /// Milliseconds that the decision took.
    time_ms: u64,
}

/// The sessions of a server.
pub struct Sessions {
    engines: Vec<EngineConfig>,
    table: Mutex<SessionTable>,
    changed: Condvar,
}

#[derive(Default)]
struct SessionTable {
    /// The sessions with the time of their last request; `None` while a request uses one.
    slots: HashMap<Key, Option<(Box<Session>, Instant)>>,
    /// Whether the server ends, so that no process is started any more.
    ends: bool,
}

/// A session: the id that the page has chosen, the engine's index, and the side that it plays.
type Key = (String, usize, usize);

/// A running engine.
struct Session {
    bot: Bot,
    packs: Packs,
    /// The turn of the last request.
    turn: Option<usize>,
}

impl Sessions {
    /// Sessions of these engines, none of which runs.
    pub fn new(engines: Vec<EngineConfig>) -> Self {
        Self { engines, table: Mutex::default(), changed: Condvar::new() }
    }

    /// The names of the engines.
    pub fn names(&self) -> Vec<String> {
        self.engines.iter().map(|engine| visible(&engine.name, NAME).to_string()).collect()
    }

    /// Asks the engine `name` for its action.
    ///
    /// # Errors
    /// There is no such engine, the parameters are wrong, the engine fails, too many are in use, or
    /// `control` was stopped.
    pub fn decide(
        &self,
        name: &str,
        params: &DecideParams,
        control: &SearchControl,
    ) -> Result<SessionDecision, ApiError> {
        let index = self.names().iter().position(|own| own == name).ok_or_else(|| {
            let reason = format!("`engine`: this server has no engine {}", quoted(name));
            ApiError::bad_request(reason)
        })?;
        let id = params.session.clone().unwrap_or_default();
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_".contains(c);
        if id.len() > SESSION_ID || !id.chars().all(is_plain) {
            let reason = format!(
                "`session`: expected at most {SESSION_ID} letters, digits, `-` and `_`, found {}",
                quoted(&id)
            );
            return Err(ApiError::bad_request(reason));
        }
        if params.nodes.is_some() || params.level.is_some() {
            let reason = "`nodes` and `level`: expected none for an engine of the server, which takes \
                        `time_ms`";
            return Err(ApiError::bad_request(reason));
        }
        let limit = params.time_ms.map(Duration::from_millis);
        if limit.is_some_and(|limit| limit.is_zero() || limit > LONGEST) {
            let (most, found) = (LONGEST.as_millis(), limit.unwrap_or_default().as_millis());
            let reason = format!("`time_ms`: expected 1 to {most}, found {found}");
            return Err(ApiError::bad_request(reason));
        }
        let (state, packs) = params.position.searched()?;
        if let Some((end, _)) = state.end() {
            let reason = format!("`position`: the game is over: {}", end.name());
            return Err(ApiError::bad_position(reason));
        }
        let known = packs.from_turn(state.turn);
        let packs = whole(known, state.turn, params.position.seed);
        let seat = Seat::from(params.seat);
        let key = (id, index, seat.index());
        let begin = Instant::now();
        let session = self.take(&key)?;
        let session = session.filter(|session| session.continues(known, state.turn));
        let answer = self.engines.get(index).ok_or("").map_err(ApiError::internal);
        let answer = answer.and_then(|engine| {
            let mut session = match session {
                Some(session) => session,
                None => {
                    // A page asks about a position, of which no game has a number.
                    let engine = engine.clone().in_game(1, 1, seat);
                    Box::new(Session::start(&engine, packs, control)?)
                }
            };
            let answer = session.ask(engine, &state, seat, limit, control)?;
            Ok((session, answer))
        });
        // A session that has failed is dropped, which ends its process.
        let (session, answer) = match answer {
            Ok((session, answer)) => (Some(session), Ok(answer)),
            Err(error) => (None, Err(error)),
        };
        self.put(key, session);
        let (action, report) = answer?;
        let time_ms = milliseconds(begin.elapsed());
        Ok(SessionDecision { action: action.to_string(), report, time_ms })
    }

    fn table(&self) -> MutexGuard<'_, SessionTable> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes a session for a request; `None` if it has to be started.
    fn take(&self, key: &Key) -> Result<Option<Box<Session>>, ApiError> {
        /// A request that was stopped gives its session back within this time.
        const TIMEOUT: Duration = Duration::from_secs(10);
        let busy = |reason: &str| ApiError::new(ErrorCode::Busy, reason);
        let is_used = |table: &mut SessionTable| matches!(table.slots.get(key), Some(None));
        let waited = self.changed.wait_timeout_while(self.table(), TIMEOUT, is_used);
        let (mut table, waited) = waited.unwrap_or_else(PoisonError::into_inner);
        if waited.timed_out() {
            return Err(busy("this session is deciding already"));
        }
        if table.ends {
            return Err(ApiError::new(ErrorCode::Stopped, "stopped: the server ends"));
        }
        if let Some((session, _)) = table.slots.insert(key.clone(), None).flatten() {
            return Ok(Some(session));
        }
        let mut oldest = None;
        if table.slots.len() > SESSIONS {
            let slots = table.slots.iter();
            let idle = slots.filter_map(|(key, slot)| slot.as_ref().map(|(_, since)| (since, key)));
            let Some(key_of_oldest) = idle.min().map(|(_, key)| key.clone()) else {
                table.slots.remove(key);
                let reason = format!("{SESSIONS} engines are deciding already: try again later");
                return Err(busy(&reason));
            };
            oldest = table.slots.remove(&key_of_oldest);
        }
        drop(table);
        // Ending a process takes some time, in which other requests continue.
        drop(oldest);
        Ok(None)
    }

    /// Gives a session back, or drops it.
    fn put(&self, key: Key, session: Option<Box<Session>>) {
        let mut table = self.table();
        let mut late = None;
        match session {
            Some(session) if !table.ends => {
                table.slots.insert(key, Some((session, Instant::now())));
            }
            session => {
                late = session;
                table.slots.remove(&key);
            }
        }
        drop(table);
        drop(late);
        self.changed.notify_all();
    }

    /// Ends the sessions that no request has used for `time`.
    pub fn end_idle(&self, time: Duration) {
        let is_old = |_: &Key, slot: &mut Option<(_, Instant)>| {
            slot.as_ref().is_some_and(|(_, since)| since.elapsed() >= time)
        };
        let old: Vec<_> =
            self.table().slots.extract_if(is_old).filter_map(|(_, slot)| slot).collect();
        end(old);
    }

    /// Ends all sessions, and starts none from here on. Waits until those in use are given back.
    pub fn end_all(&self) {
        /// Longer than a request needs to notice that it is stopped, and to end its engine.
        const TIMEOUT: Duration = Duration::from_secs(60);
        let mut table = self.table();
        table.ends = true;
        let idle = table.slots.extract_if(|_, slot| slot.is_some());
        let idle = idle.filter_map(|(_, slot)| slot).collect();
        drop(table);
        end(idle);
        let any_used = |table: &mut SessionTable| table.slots.values().any(Option::is_none);
        drop(self.changed.wait_timeout_while(self.table(), TIMEOUT, any_used));
    }
}

/// Ends processes in parallel, as each may take some time.
fn end(sessions: Vec<(Box<Session>, Instant)>) {
    thread::scope(|scope| {
        for session in sessions {
            scope.spawn(move || drop(session));
        }
    });
}

/// The packs of a whole game, of which `known` are those from `turn` on. An engine reads all packs
/// at its start. Packs that are not known are repetitions of known ones.
fn whole(known: &[Pack], turn: usize, seed: Option<u64>) -> Packs {
    if let Some(all) = seed.map(Packs::from_seed)
        && all.from_turn(turn).starts_with(known)
    {
        return all;
    }
    let before = known.iter().cycle().take(turn);
    let packs: Vec<Pack> = before.chain(known.iter().cycle()).take(TURNS).copied().collect();
    Packs::new(packs).unwrap_or_else(|_| Packs::from_seed(0))
}

/// Ends an engine. Returns the error, with the engine's last line on standard error.
fn failed(engine: &EngineConfig, bot: &mut Bot, reason: &str) -> ApiError {
    // The last lines may arrive until the process has ended.
    bot.end();
    let name = visible(&engine.name, NAME);
    let last = bot.log().last_lines().pop().filter(|line| !line.is_empty());
    let last = last.map_or_else(String::new, |line| {
        format!("; its last line on standard error: {}", visible(&line, LINE))
    });
    ApiError::new(ErrorCode::Engine, format!("{name}: {reason}{last}"))
}

impl Session {
    /// Starts an engine and sends it the packs.
    fn start(
        engine: &EngineConfig,
        packs: Packs,
        control: &SearchControl,
    ) -> Result<Self, ApiError> {
        let bot = Bot::start(engine, &[], EXIT_TIMEOUT, ErrorLog::default());
        let bot = bot.map_err(|error| ApiError::new(ErrorCode::Engine, error.to_string()))?;
        let mut session = Self { bot, packs, turn: None };
        let limit = engine.start_time.unwrap_or(START_TIME);
        match session.listen(limit, control) {
            BotEvent::Line(..) => {
                session.bot.send(session.packs.to_string());
                Ok(session)
            }
            BotEvent::Stopped => Err(ApiError::stopped()),
            BotEvent::Nothing => {
                let reason = format!("did not start: no name within {limit:.1?}");
                Err(failed(engine, &mut session.bot, &reason))
            }
            BotEvent::Closed(_) => {
                let reason = format!("did not start: {}", session.bot.ending());
                Err(failed(engine, &mut session.bot, &reason))
            }
        }
    }

    /// Whether the engine may be asked for `turn` next, in a game of which the packs `known` are
    /// those from `turn` on.
    fn continues(&self, known: &[Pack], turn: usize) -> bool {
        self.turn.is_some_and(|last| last + 1 == turn)
            && self.packs.from_turn(turn).starts_with(known)
    }

    /// Asks for the action of a turn. With a `limit`, the input says that this much time is
    /// left.
    fn ask(
        &mut self,
        engine: &EngineConfig,
        state: &State<Cells>,
        seat: Seat,
        limit: Option<Duration>,
        control: &SearchControl,
    ) -> Result<(Action, Option<JsonText>), ApiError> {
        let turn = state.turn;
        if let Some(line) = self.bot.unasked() {
            let reason = format!("turn {turn}: answered {} before it was asked", quoted(&line));
            return Err(failed(engine, &mut self.bot, &reason));
        }
        self.bot.send(writer::turn(state, seat, [limit.unwrap_or(GAME_TIME); 2]));
        self.turn = Some(turn);
        // With a number of nodes the engine has no clock.
        let limit = limit.filter(|_| engine.nodes.is_none()).map_or(HANGING, |it| it + GRACE);
        let invalid =
            |bot: &mut Bot, reason: &str| failed(engine, bot, &format!("turn {turn}: {reason}"));
        match self.listen(limit, control) {
            BotEvent::Line(_, line) => {
                let action = line.parse::<Action>().map_err(|error| error.to_string());
                let action = action.and_then(|action| {
                    let pack = self.packs.get(turn).ok_or("no pack is left")?;
                    let played = state[seat].step(pack, action);
                    played.map(|_| action).map_err(|why| why.to_string())
                });
                let action = action.map_err(|why| {
                    invalid(&mut self.bot, &format!("answered {}: {why}", quoted(&line)))
                })?;
                let of_turn = |info: &JsonText| turn_of(info) == Some(turn);
                Ok((action, self.bot.log().take_info().into_iter().rev().find(of_turn)))
            }
            BotEvent::Stopped => Err(ApiError::stopped()),
            BotEvent::Nothing => {
                Err(invalid(&mut self.bot, &format!("no answer within {limit:.1?}")))
            }
            BotEvent::Closed(_) => {
                let ending = self.bot.ending();
                Err(invalid(&mut self.bot, &format!("no answer: {ending}")))
            }
        }
    }

    /// Waits for a line of the engine, for at most `limit` or until `control` is stopped.
    fn listen(&mut self, limit: Duration, control: &SearchControl) -> BotEvent {
        /// The time until a stop is noticed.
        const SLICE: Duration = Duration::from_millis(50);
        let never = Stop::default();
        let until = self.bot.now() + limit;
        loop {
            let slice = until.min(self.bot.now() + SLICE);
            match self.bot.listen(slice, &never) {
                BotEvent::Nothing if control.is_stopped() => return BotEvent::Stopped,
                BotEvent::Nothing if self.bot.now() < until => {}
                event => return event,
            }
        }
    }
}
