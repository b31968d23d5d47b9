//! One game of two bots.

use std::time::{Duration, Instant, SystemTime};

use super::bot::{Bot, Heard};
use crate::game::{Action, Cells, Fault, Pack, Packs, Seat, State, Turn, judge_faults};
use crate::protocol::writer;
use crate::record::{
    Contestant, FORMAT, FaultRecord, GameResult, Limits, Record, TurnRecord, VERSION,
};

/// What is played.
#[derive(Clone, Debug)]
pub struct Game {
    /// The packs.
    pub packs: Packs,
    /// Where they come from, for the record.
    pub packs_from: String,
    /// Time of each player for the game.
    pub time: Duration,
    /// The most that one turn may take.
    pub turn_time: Duration,
    /// By how much a limit may be passed: what the referee's own work, and the machine's, may add.
    pub grace: Duration,
    /// How long a bot may take to say its name, which no clock counts.
    pub start_time: Duration,
}

/// Somebody who watches a game.
pub trait Watch {
    /// A turn was played, with the time that both have left.
    fn turn(
        &mut self,
        turn: &Turn<Cells>,
        next: Option<&Pack>,
        names: &[String; 2],
        left: [Duration; 2],
    );
}

/// Plays a game and ends the bots. Both think at the same time.
pub fn play(mut bots: [Bot; 2], game: &Game, watch: &mut impl Watch) -> Record {
    let date = humantime::format_rfc3339_seconds(SystemTime::now()).to_string();
    let start = Instant::now() + game.start_time;
    let mut faults = [None, None];
    let mut names = [String::new(), String::new()];
    for seat in Seat::BOTH.map(Seat::index) {
        match bots[seat].listen(start) {
            Heard::Line(_, name) => names[seat] = name,
            Heard::Nothing => {
                let what = format!("no name within {:?}", game.start_time);
                faults[seat] = Some((Fault::OutOfTime, what));
            }
            Heard::Closed => {
                let what = format!("no name: {}", bots[seat].ending());
                faults[seat] = Some((Fault::Invalid, what));
            }
        }
    }
    let mut table = Table { game, state: State::new(), left: [game.time; 2], turns: Vec::new() };
    for bot in &bots {
        bot.send(game.packs.to_string());
    }
    let result = loop {
        if faults == [None, None] {
            faults = match table.turn(&mut bots) {
                Ok(turn) => {
                    let next = game.packs.get(table.state.turn);
                    watch.turn(&turn, next, &names, table.left);
                    [None, None]
                }
                Err(faults) => faults,
            };
        }
        let scores = table.state.players.map(|player| player.score);
        let kinds = [0, 1].map(|seat| faults[seat].as_ref().map(|(fault, _)| *fault));
        if let Some(verdict) = judge_faults(kinds, scores) {
            let mut seats = bots.iter();
            let faults = faults.map(|fault| {
                let last_words = seats.next().map(|bot| bot.log().last_lines()).unwrap_or_default();
                fault.map(|(fault, what)| FaultRecord { fault, what, last_words })
            });
            break GameResult { verdict, end: None, faults, scores };
        }
        if let Some((end, verdict)) = table.state.end() {
            break GameResult { verdict, end: Some(end), faults: [None, None], scores };
        }
    };
    for (seat, bot) in bots.iter().enumerate() {
        table.take_info(seat, bot);
    }
    let contestant = |seat: usize| Contestant {
        name: names[seat].clone(),
        command: bots[seat].command().to_owned(),
    };
    let milliseconds = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
    Record {
        format: FORMAT.to_owned(),
        version: VERSION,
        date,
        packs_from: game.packs_from.clone(),
        packs: game.packs.from_turn(0).iter().map(Pack::rows).collect(),
        limits: Limits {
            game_ms: milliseconds(game.time),
            turn_ms: milliseconds(game.turn_time),
            grace_ms: milliseconds(game.grace),
        },
        players: [contestant(0), contestant(1)],
        turns: table.turns,
        result,
    }
}

/// What a bot did wrong, in words.
type Wrong = (Fault, String);

/// A game in progress.
struct Table<'a> {
    game: &'a Game,
    state: State<Cells>,
    left: [Duration; 2],
    turns: Vec<TurnRecord>,
}

impl Table<'_> {
    /// Asks both bots and plays the turn.
    fn turn(&mut self, bots: &mut [Bot; 2]) -> Result<Turn<Cells>, [Option<Wrong>; 2]> {
        let mut sent = [Instant::now(); 2];
        let mut unasked = [None, None];
        for seat in Seat::BOTH {
            let bot = &bots[seat.index()];
            unasked[seat.index()] = bot.unasked();
            bot.send(writer::turn(&self.state, seat, self.left));
            sent[seat.index()] = Instant::now();
        }
        let heard = [0, 1].map(|seat| match unasked[seat].take() {
            Some(line) => Err((Fault::Invalid, format!("answered `{line}` before it was asked"))),
            None => self.hear(&mut bots[seat], seat, sent[seat]),
        });
        let (actions, think) = match heard {
            [Ok((first, a)), Ok((second, b))] => ([first, second], [a, b]),
            wrong => return Err(wrong.map(Result::err)),
        };
        let pack = self.game.packs.get(self.state.turn).expect("a game has a pack for each turn");
        let turn = self.state.play(pack, actions).map_err(|refused| {
            refused.map(|why| Some((Fault::Invalid, format!("answered `S`: {}", why?))))
        })?;
        for (left, think) in self.left.iter_mut().zip(think) {
            *left = left.saturating_sub(think);
        }
        let microseconds = |time: Duration| u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
        self.turns.push(TurnRecord {
            answers: actions.map(|action| action.to_string()),
            think_us: think.map(microseconds),
            info: [None, None],
        });
        self.state = turn.after;
        Ok(turn)
    }

    /// Adds what a bot said about its moves to the turns that it names.
    fn take_info(&mut self, seat: usize, bot: &Bot) {
        for info in bot.log().take_info() {
            let turn = info.get("turn").and_then(serde_json::Value::as_u64);
            let turn = turn.and_then(|turn| self.turns.get_mut(usize::try_from(turn).ok()?));
            if let Some(turn) = turn {
                turn.info[seat] = Some(info);
            }
        }
    }

    /// A bot's answer, and how long it took.
    fn hear(&self, bot: &mut Bot, seat: usize, sent: Instant) -> Result<(Action, Duration), Wrong> {
        let limit = self.left[seat].min(self.game.turn_time);
        let allowed = limit + self.game.grace;
        let late = |found: String| (Fault::OutOfTime, format!("{limit:.1?} were left, {found}"));
        match bot.listen(sent + allowed) {
            Heard::Line(at, line) => {
                let think = at.saturating_duration_since(sent);
                if think > allowed {
                    return Err(late(format!("the answer came after {think:.1?}")));
                }
                let action = line.parse();
                let action = action
                    .map_err(|error| (Fault::Invalid, format!("answered `{line}`: {error}")))?;
                Ok((action, think))
            }
            Heard::Nothing => Err(late("no answer came".to_owned())),
            Heard::Closed => Err((Fault::Invalid, format!("no answer: {}", bot.ending()))),
        }
    }
}
