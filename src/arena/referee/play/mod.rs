//! The referee of one game between two bots.

use std::time::{Duration, Instant};

use super::connection::{BotEvent, Connection, Ending};
use super::lines::turn_of;
use super::observer::{GameEvent, Happened, Observer, PlayedTurn};
use super::player_clock::{AnswerTime, PlayerClock};
use crate::arena::engine::StartError;
use crate::game::{
    Action, Cells, End, Fault, Pack, Packs, ParseActionError, Seat, SkillNotReady, State, Turn,
    judge_faults,
};
use crate::protocol::{FORBIDDEN_IN_NAMES, writer};
use crate::record::{
    Contestant, FORMAT, FaultRecord, GameResult, Limits, Record, TurnRecord, VERSION,
};
use crate::search::endgame::adjudication;
use crate::util::clock;
use crate::util::duration::{microseconds, milliseconds};
use crate::util::sanitize::visible;
use crate::util::system::stop::Stop;

/// The settings of one game.
#[derive(Clone, Debug)]
pub struct Game {
    /// The number in its match, from 1.
    pub number: usize,
    /// The packs.
    pub packs: Packs,
    /// The source of the packs, for the record.
    pub packs_from: String,
    /// Time of each player for the game, unless it has its own.
    pub time: Duration,
    /// The most time that one turn may take.
    pub turn_time: Duration,
    /// Time by which a bot may exceed the limit of a turn, and in all turns together its time for
    /// the game: an allowance for the work of the referee and of the machine.
    pub grace: Duration,
    /// When the bots are asked: at once, or in turn.
    pub order: Order,
    /// The limits of each player, in the order of seats.
    pub seats: [SeatLimits; 2],
    /// Turns that were played before, from turn 0 on and by the rules. Both bots are asked about
    /// these turns, so that they know the game. Their answers are ignored: the clocks count the
    /// thinking times of these records instead.
    pub earlier: Vec<TurnRecord>,
    /// The number of the first turns of `earlier` that were chosen at random.
    pub opening: usize,
    /// Whether the game ends as soon as a player is proven to lose ([`adjudication`]).
    pub adjudicate: bool,
}

/// The limits of one player.
#[derive(Clone, Debug)]
pub struct SeatLimits {
    /// The engine's name in the match.
    pub engine: String,
    /// The time for the game.
    pub time: Duration,
    /// The time to say its name, during which its clock does not run.
    pub start_time: Duration,
    /// The most nodes of a decision. If it is given, the player's clock does not run.
    pub nodes: Option<u64>,
    /// The cores that it is pinned to.
    pub cores: Vec<usize>,
}

/// When the bots are asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Order {
    /// Both at once, as in the contest: both think at the same time.
    Together,
    /// One after the other, so that they can share a core.
    InTurn,
}

/// Why a game has no result.
#[derive(Debug)]
pub enum Interrupted {
    /// The game was stopped.
    Stopped,
    /// The machine did not start a bot.
    NotStarted(StartError),
}

/// A bot without a clock (a limit of nodes, a repeated turn) loses on time after three times
/// `turn_time`, which is enough on a busy machine.
const TURN_LIMITS_WITHOUT_CLOCK: u32 = 3;

/// The fault of a bot.
#[derive(Clone, PartialEq, Eq, Debug)]
struct WrongAnswer {
    fault: Fault,
    /// The description.
    reason: String,
    /// The whole answer, as it came.
    answer: Option<String>,
    /// The thinking time, if the bot was asked.
    think: Option<Duration>,
}

impl WrongAnswer {
    fn new(fault: Fault, reason: impl Into<String>) -> Self {
        Self { fault, reason: reason.into(), answer: None, think: None }
    }

    /// An invalid or late answer; `ANSWER` in `what` is replaced by the answer.
    fn answered(fault: Fault, reason: &str, answer: &str) -> Self {
        let reason = reason.replace("ANSWER", &quoted(answer));
        Self { fault, reason, answer: Some(answer.to_owned()), think: None }
    }

    /// Adds the thinking time.
    fn after(self, think: Duration) -> Self {
        Self { think: Some(think), ..self }
    }
}

/// Why a bot gave no valid answer.
enum NoAnswer {
    Wrong(WrongAnswer),
    Interrupted(Interrupted),
}

/// Plays a game and ends the bots.
///
/// # Errors
/// The game was stopped, or the machine did not start a bot.
pub fn play(
    mut bots: [impl Connection; 2],
    game: &Game,
    stop: &Stop,
    observer: &mut impl Observer,
) -> Result<Record, Interrupted> {
    let begin = bots[0].now();
    let mut record = game.begun(&bots);
    let mut wrong = [None, None];
    for seat in Seat::BOTH.map(Seat::index) {
        match introduction(&mut bots[seat], begin, game.seats[seat].start_time, stop) {
            Ok(name) => record.players[seat].name = name,
            Err(NoAnswer::Wrong(reason)) => wrong[seat] = Some(reason),
            Err(NoAnswer::Interrupted(why)) => return Err(why),
        }
    }
    let mut tell = |reason| observer.event(GameEvent { number: game.number, reason }, &());
    tell(Happened::Begun(Box::new(record.clone())));
    let mut table = GameInProgress {
        game,
        stop,
        state: State::new(),
        clocks: game.seats.each_ref().map(|limits| PlayerClock::new(limits.time)),
        turns: Vec::new(),
        unfinished: [None, None],
    };
    for bot in &bots {
        bot.send(game.packs.to_string());
    }
    for earlier in &game.earlier {
        if wrong == [None, None] {
            match table.repeat(&mut bots, earlier)? {
                // An opening belongs to the game that is watched; a game that is resumed from a
                // turn is watched from there on.
                Asked::Played(turn) if table.turns.len() <= game.opening => {
                    tell(table.event(*turn));
                }
                Asked::Played(_) => {}
                Asked::Faults(faults) => wrong = faults,
            }
        }
    }
    let opening = table.turns.len().min(game.opening);
    let (verdict, end) = loop {
        if wrong == [None, None] {
            match table.turn(&mut bots)? {
                Asked::Played(turn) => tell(table.event(*turn)),
                Asked::Faults(faults) => wrong = faults,
            }
        }
        let scores = table.state.players.map(|player| player.score);
        let faults = wrong.each_ref().map(|wrong| wrong.as_ref().map(|wrong| wrong.fault));
        if let Some(verdict) = judge_faults(faults, scores) {
            break (verdict, None);
        }
        if let Some((end, verdict)) = table.state.end() {
            break (verdict, Some(end));
        }
        if game.adjudicate {
            let packs = game.packs.from_turn(table.state.turn);
            if let Some(verdict) = adjudication::decided(&table.state.convert(), packs) {
                break (verdict, Some(End::Adjudication));
            }
        }
    };
    // Both bots are ended first: their logs are then complete, and neither can disturb what is read
    // about the other.
    bots.iter_mut().for_each(Connection::close_input);
    bots.iter_mut().for_each(Connection::end);
    let usage = bots.each_mut().map(Connection::usage);
    for (seat, bot) in bots.iter().enumerate() {
        // Answers that nobody has read belong to the log.
        while bot.log().file().is_some() && bot.unasked().is_some() {}
        table.take_info(seat, bot);
    }
    let mut seats = bots.iter();
    let faults = wrong.map(|wrong| {
        let last_words = seats.next().map(|bot| bot.log().last_lines()).unwrap_or_default();
        wrong.map(|WrongAnswer { fault, reason, answer, .. }| FaultRecord {
            fault,
            reason,
            answer,
            last_words,
        })
    });
    for (player, usage) in record.players.iter_mut().zip(usage) {
        player.usage = usage;
    }
    record.opening = opening;
    record.result = GameResult {
        verdict,
        end,
        faults,
        scores: table.state.players.map(|player| player.score),
        think_us: table.unfinished.map(|think| think.map(microseconds)),
    };
    record.turns = table.turns;
    Ok(record)
}

impl Game {
    /// The record of the game before its first turn, without the bots' names.
    fn begun(&self, bots: &[impl Connection; 2]) -> Record {
        let contestant = |seat: usize| {
            let limits = &self.seats[seat];
            Contestant {
                name: String::new(),
                command: bots[seat].command().to_owned(),
                engine: Some(limits.engine.clone()),
                time_ms: Some(limits.time).filter(|&time| time != self.time).map(milliseconds),
                nodes: limits.nodes,
                cores: limits.cores.clone(),
                usage: None,
                log: bots[seat].log().file().map(|file| file.path().to_string_lossy().into_owned()),
            }
        };
        Record {
            format: FORMAT.to_owned(),
            version: VERSION,
            date: clock::date(),
            number: Some(self.number),
            packs_from: self.packs_from.clone(),
            packs: self.packs.from_turn(0).iter().map(Pack::rows).collect(),
            limits: Limits {
                game_ms: milliseconds(self.time),
                turn_ms: milliseconds(self.turn_time),
                grace_ms: milliseconds(self.grace),
            },
            players: [contestant(0), contestant(1)],
            opening: 0,
            turns: Vec::new(),
            result: GameResult::cut_short([0, 0]),
        }
    }
}

/// Waits for the bot's name, for at most `limit` after `begin`.
fn introduction(
    bot: &mut impl Connection,
    begin: Instant,
    limit: Duration,
    stop: &Stop,
) -> Result<String, NoAnswer> {
    let no_start = |reason: String| Err(NoAnswer::Wrong(WrongAnswer::new(Fault::NoStart, reason)));
    match bot.listen(begin + limit, stop) {
        BotEvent::Stopped => Err(NoAnswer::Interrupted(Interrupted::Stopped)),
        BotEvent::Nothing => no_start(format!("no name within {limit:?}")),
        BotEvent::Closed(_) => match bot.ending() {
            Ending::Refused(reason) => {
                let command = bot.command().to_owned();
                let refused = StartError::Machine { command, reason };
                Err(NoAnswer::Interrupted(Interrupted::NotStarted(refused)))
            }
            ending => no_start(format!("no name: {ending}")),
        },
        // The name may have arrived while the referee waited for the other seat.
        BotEvent::Line(at, _) if at > begin + limit => {
            no_start(format!("no name within {limit:?}"))
        }
        BotEvent::Line(_, name) => match name.chars().find(|c| FORBIDDEN_IN_NAMES.contains(*c)) {
            None => Ok(name),
            Some(c) => no_start(format!(
                "sent the name {}, but a name may not contain `{c}`",
                quoted(&name)
            )),
        },
    }
}

/// The result of asking both bots for their answers to a turn.
enum Asked {
    /// Both answers were legal, and the turn was played.
    Played(Box<Turn<Cells>>),
    /// The fault of each bot; `None` if the bot has none. At least one bot has a fault.
    Faults([Option<WrongAnswer>; 2]),
}

/// A game in progress.
struct GameInProgress<'a> {
    game: &'a Game,
    stop: &'a Stop,
    state: State<Cells>,
    clocks: [PlayerClock; 2],
    turns: Vec<TurnRecord>,
    /// Each bot's thinking time in the turn that a fault ended, if the bot was asked.
    unfinished: [Option<Duration>; 2],
}

impl GameInProgress<'_> {
    /// Asks both bots and plays the turn, or returns the faults of the answers.
    fn turn(&mut self, bots: &mut [impl Connection; 2]) -> Result<Asked, Interrupted> {
        if self.stop.is_asked() {
            return Err(Interrupted::Stopped);
        }
        let answers = match self.game.order {
            Order::Together => {
                let sent = Seat::BOTH.map(|seat| self.ask(&bots[seat.index()], seat));
                let mut sent = sent.into_iter();
                Seat::BOTH.map(|seat| {
                    let sent = sent.next().expect("there is one for each seat");
                    sent.and_then(|sent| self.hear(&mut bots[seat.index()], seat.index(), sent))
                })
            }
            Order::InTurn => Seat::BOTH.map(|seat| {
                let bot = &mut bots[seat.index()];
                let sent = self.ask(bot, seat)?;
                self.hear(bot, seat.index(), sent)
            }),
        };
        let (actions, think) = match answers {
            [Ok((first, a)), Ok((second, b))] => ([first, second], [a, b]),
            answers => {
                let mut wrong = [None, None];
                for (seat, answer) in answers.into_iter().enumerate() {
                    let wrong = &mut wrong[seat];
                    match answer {
                        Ok((_, think)) => self.unfinished[seat] = Some(think),
                        Err(NoAnswer::Wrong(reason)) => {
                            self.unfinished[seat] = reason.think;
                            *wrong = Some(reason);
                        }
                        Err(NoAnswer::Interrupted(why)) => return Err(why),
                    }
                }
                return Ok(Asked::Faults(wrong));
            }
        };
        // The clocks count the recorded microseconds, so that the record gives exactly the times
        // that were sent.
        let think_us = think.map(microseconds);
        let answers = actions.map(|action| action.to_string());
        let record = TurnRecord { answers, think_us, info: [None, None] };
        Ok(Asked::Played(Box::new(self.go_on(actions, record))))
    }

    /// Plays a turn with legal actions.
    fn go_on(&mut self, actions: [Action; 2], record: TurnRecord) -> Turn<Cells> {
        let pack = self.game.packs.get(self.state.turn).expect("a game has a pack for each turn");
        let turn = self.state.play(pack, actions).expect("no skill comes too early");
        for (seat, think) in record.think_us.into_iter().enumerate() {
            if self.game.seats[seat].nodes.is_none() {
                self.clocks[seat].count(Duration::from_micros(think));
            }
        }
        self.turns.push(record);
        self.state = turn.after;
        turn
    }

    /// The event of the turn that was played last, `turn`.
    fn event(&self, turn: Turn<Cells>) -> Happened {
        let record = self.turns.last().expect("a turn was played").clone();
        let next = self.game.packs.get(self.state.turn).copied();
        let left = [0, 1].map(|seat: usize| {
            Some(self.clocks[seat].left()).filter(|_| self.game.seats[seat].nodes.is_none())
        });
        Happened::Turn(Box::new(PlayedTurn { turn, record, next, left }))
    }

    /// Asks both bots about an earlier turn, ignores their answers, and plays the recorded turn; or
    /// returns the fault of each bot that gave no answer.
    fn repeat(
        &mut self,
        bots: &mut [impl Connection; 2],
        turn: &TurnRecord,
    ) -> Result<Asked, Interrupted> {
        if self.stop.is_asked() {
            return Err(Interrupted::Stopped);
        }
        let timeout = self.game.turn_time * TURN_LIMITS_WITHOUT_CLOCK;
        let mut wrong = [None, None];
        for seat in Seat::BOTH {
            self.send_turn(&bots[seat.index()], seat);
        }
        for (bot, wrong) in bots.iter_mut().zip(&mut wrong) {
            *wrong = match bot.listen(bot.now() + timeout, self.stop) {
                BotEvent::Line(..) => None,
                BotEvent::Stopped => return Err(Interrupted::Stopped),
                BotEvent::Nothing => {
                    let reason = format!("no answer came within {timeout:.1?}");
                    Some(WrongAnswer::new(Fault::OutOfTime, reason))
                }
                BotEvent::Closed(_) => {
                    Some(WrongAnswer::new(Fault::Crash, format!("no answer: {}", bot.ending())))
                }
            };
        }
        if wrong != [None, None] {
            return Ok(Asked::Faults(wrong));
        }
        let actions = turn.answers.each_ref().map(|answer| answer.parse());
        let [Ok(first), Ok(second)] = actions else {
            unreachable!("turns that were played have answers")
        };
        Ok(Asked::Played(Box::new(self.go_on([first, second], turn.clone()))))
    }

    /// Sends the turn to a bot, unless the bot has written a line before it was asked.
    fn ask(&self, bot: &impl Connection, seat: Seat) -> Result<Instant, NoAnswer> {
        if let Some(line) = bot.unasked() {
            let reason = "answered ANSWER before it was asked";
            return Err(NoAnswer::Wrong(WrongAnswer::answered(Fault::Invalid, reason, &line)));
        }
        self.send_turn(bot, seat);
        Ok(bot.now())
    }

    fn send_turn(&self, bot: &impl Connection, seat: Seat) {
        let left = self.clocks.map(|clock| clock.left());
        bot.send(writer::turn(&self.state, seat, left));
    }

    /// Adds the `info` lines of a bot to the turns that they name.
    fn take_info(&mut self, seat: usize, bot: &impl Connection) {
        for info in bot.log().take_info() {
            // An `info` about an earlier turn does not belong to the answer that was recorded
            // there.
            let turn = turn_of(&info).filter(|&turn| turn >= self.game.earlier.len());
            let turn = turn.and_then(|turn| self.turns.get_mut(turn));
            if let Some(turn) = turn {
                turn.info[seat] = Some(info);
            }
        }
    }

    /// Waits for a bot's answer; returns it with the thinking time.
    fn hear(
        &self,
        bot: &mut impl Connection,
        seat: usize,
        sent: Instant,
    ) -> Result<(Action, Duration), NoAnswer> {
        let Game { turn_time, grace, .. } = *self.game;
        let AnswerTime { limit, allowed } = match self.game.seats[seat].nodes {
            None => self.clocks[seat].answer_time(turn_time, grace),
            Some(_) => {
                let limit = turn_time * TURN_LIMITS_WITHOUT_CLOCK;
                AnswerTime { limit, allowed: limit + grace }
            }
        };
        let late = |found: String| match limit {
            Duration::ZERO => format!("no time was left, {found}"),
            _ => format!("{limit:.1?} were left, {found}"),
        };
        match bot.listen(sent + allowed, self.stop) {
            BotEvent::Line(at, line) => {
                let think = at.saturating_duration_since(sent);
                if think > allowed {
                    let reason = late(format!("the answer ANSWER came after {think:.1?}"));
                    let wrong = WrongAnswer::answered(Fault::OutOfTime, &reason, &line);
                    return Err(NoAnswer::Wrong(wrong.after(think)));
                }
                let gauge = self.state.players[seat].gauge;
                let action = line.parse().map_err(|error: ParseActionError| error.to_string());
                let action = action.and_then(|action| match action {
                    Action::Skill if !gauge.allows_skill() => Err(SkillNotReady(gauge).to_string()),
                    action => Ok((action, think)),
                });
                action.map_err(|error| {
                    let reason = format!("answered ANSWER: {error}");
                    NoAnswer::Wrong(
                        WrongAnswer::answered(Fault::Invalid, &reason, &line).after(think),
                    )
                })
            }
            BotEvent::Closed(at) if at <= sent + allowed => {
                let think = at.saturating_duration_since(sent);
                let reason = format!("no answer: {}", bot.ending());
                Err(NoAnswer::Wrong(WrongAnswer::new(Fault::Crash, reason).after(think)))
            }
            // The bot may have closed its output after its time was over.
            BotEvent::Closed(_) | BotEvent::Nothing => {
                let reason = late("no answer came".to_owned());
                // The referee may have waited for the other bot before.
                let think = bot.now().saturating_duration_since(sent).min(allowed);
                Err(NoAnswer::Wrong(WrongAnswer::new(Fault::OutOfTime, reason).after(think)))
            }
            BotEvent::Stopped => Err(NoAnswer::Interrupted(Interrupted::Stopped)),
        }
    }
}

/// The line in quotes, cut to the length that a message allows.
fn quoted(line: &str) -> String {
    const SHOWN: usize = 60;
    format!("`{}`", visible(line, SHOWN))
}

#[cfg(test)]
mod tests;
