//! Tests of the referee with scripted bots, on a clock that only the scripts move: no test takes
//! time, or depends on the machine.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;

use serde_json::json;

use super::*;
use crate::arena::referee::Ending;
use crate::arena::referee::ErrorLog;
use crate::game::{End, Verdict};
use crate::record::Usage;
use crate::util::clock::ManualClock;

const MS: Duration = Duration::from_millis(1);
const SECOND: Duration = Duration::from_secs(1);

/// A line, and the delay after the question with which it comes.
type Timed = (Duration, &'static str);

/// The line in place of which a scripted bot closes its output.
const CLOSES: &str = "closes";

/// A bot that answers as its script says.
struct Scripted {
    clock: &'static ManualClock,
    log: ErrorLog,
    /// The lines that it answers to a turn.
    script: Box<dyn Fn(usize) -> Vec<Timed>>,
    /// The lines that it has written or will write, in order.
    lines: RefCell<VecDeque<(Instant, String)>>,
    /// The texts that it was sent.
    sent: Rc<RefCell<Vec<String>>>,
}

impl Scripted {
    fn new(
        clock: &'static ManualClock,
        name: Timed,
        script: impl Fn(usize) -> Vec<Timed> + 'static,
    ) -> Self {
        let lines = RefCell::new(VecDeque::from([(clock.now() + name.0, name.1.to_owned())]));
        let (log, sent) = (ErrorLog::default(), Rc::default());
        Self { clock, log, script: Box::new(script), lines, sent }
    }
}

impl Connection for Scripted {
    fn command(&self) -> &str {
        "script"
    }

    fn log(&self) -> &ErrorLog {
        &self.log
    }

    fn now(&self) -> Instant {
        self.clock.now()
    }

    fn send(&self, text: String) {
        self.sent.borrow_mut().push(text);
        // The packs come before the turns.
        let Some(turn) = self.sent.borrow().len().checked_sub(2) else { return };
        let lines = (self.script)(turn);
        self.lines.borrow_mut().extend(
            lines.into_iter().map(|(delay, line)| (self.clock.now() + delay, line.to_owned())),
        );
        self.log.push(format!("info {}", json!({ "turn": turn, "note": turn * turn })));
    }

    fn unasked(&self) -> Option<String> {
        let mut lines = self.lines.borrow_mut();
        let (_, line) = lines.pop_front_if(|(at, _)| *at <= self.clock.now())?;
        Some(line)
    }

    fn listen(&mut self, until: Instant, _: &Stop) -> BotEvent {
        let until = until.max(self.clock.now());
        let line = self.lines.borrow_mut().pop_front_if(|(at, _)| *at <= until);
        self.clock.advance_to(line.as_ref().map_or(until, |(at, _)| *at));
        match line {
            Some((at, line)) if line == CLOSES => BotEvent::Closed(at),
            Some((at, line)) => BotEvent::Line(at, line),
            None => BotEvent::Nothing,
        }
    }

    fn ending(&mut self) -> Ending {
        Ending::ClosedOutput
    }

    fn close_input(&mut self) {}

    fn end(&mut self) {}

    fn usage(&mut self) -> Option<Usage> {
        None
    }
}

/// Fills one column after the other, in a millisecond a turn: it survives a bot that fills only the
/// first.
fn fills_all(turn: usize) -> Vec<Timed> {
    let drops = ["0 0", "2 0", "4 0", "6 0", "8 0"];
    vec![(MS, drops[turn % drops.len()])]
}

/// Fills the first column, with the delay `delay(turn)`: it passes the danger line after some
/// turns.
fn fills_one(delay: impl Fn(usize) -> Duration + 'static) -> impl Fn(usize) -> Vec<Timed> {
    move |turn| vec![(delay(turn), "0 0")]
}

/// A game of one minute for each bot, without grace.
fn game() -> Game {
    let limits = |engine: &str| SeatLimits {
        engine: engine.to_owned(),
        time: 60 * SECOND,
        start_time: 10 * SECOND,
        nodes: None,
        cores: Vec::new(),
    };
    Game {
        number: 1,
        packs: Packs::from_seed(1),
        packs_from: "seed 1".to_owned(),
        time: 60 * SECOND,
        turn_time: 20 * SECOND,
        grace: Duration::ZERO,
        order: Order::Together,
        seats: [limits("first"), limits("second")],
        earlier: Vec::new(),
        opening: 0,
        adjudicate: false,
    }
}

/// Plays a game; returns the record, and the milliseconds left that each bot was sent, by turns.
fn played(game: &Game, bots: [Scripted; 2]) -> (Record, [Vec<u64>; 2]) {
    let sent = bots.each_ref().map(|bot| Rc::clone(&bot.sent));
    let record = play(bots, game, &Stop::default(), &mut ()).unwrap();
    record.check().unwrap();
    let left = |text: &String| text.lines().nth(1).unwrap().parse().unwrap();
    let times_sent = sent.map(|sent| sent.borrow().iter().skip(1).map(left).collect());
    (record, times_sent)
}

/// The fault by which the first bot loses, its description, and the turns played.
fn fault(game: &Game, script: impl Fn(usize) -> Vec<Timed> + 'static) -> (Fault, String, usize) {
    let clock = ManualClock::leak(Duration::ZERO);
    let bots =
        [Scripted::new(clock, (MS, "odd"), script), Scripted::new(clock, (MS, "even"), fills_all)];
    let (record, _) = played(game, bots);
    assert_eq!(record.result.verdict, Verdict::Win(Seat::Second));
    let [Some(fault), None] = &record.result.faults else { panic!("{:?}", record.result) };
    (fault.fault, fault.reason.clone(), record.turns.len())
}

#[test]
fn a_late_name_costs_no_time_on_the_clock() {
    let clock = ManualClock::leak(Duration::ZERO);
    let mut game = game();
    game.seats[0].time = 900 * MS;
    let late = Scripted::new(clock, (SECOND, "late"), fills_one(|_| MS));
    let other = Scripted::new(clock, (MS, "other"), fills_all);
    let (record, times_sent) = played(&game, [late, other]);
    assert_eq!(record.result.end, Some(End::DangerLine));
    assert_eq!((times_sent[0][0], times_sent[0][1]), (900, 899));
    assert_eq!((times_sent[1][0], times_sent[1][1]), (60_000, 59_999));
}

#[test]
fn a_name_later_than_its_limit_is_no_start() {
    let mut game = game();
    game.seats[0].start_time = 500 * MS;
    let bots = |names: [Duration; 2]| {
        let clock = ManualClock::leak(Duration::ZERO);
        names.map(|delay| Scripted::new(clock, (delay, "a bot"), fills_all))
    };
    let (record, _) = played(&game, bots([501 * MS, MS]));
    let [Some(found), None] = &record.result.faults else { panic!("{:?}", record.result) };
    assert_eq!((found.fault, &*found.reason), (Fault::NoStart, "no name within 500ms"));
    // The result is the same if the other bot, which is heard first, takes longer and may do so.
    game.seats[0].start_time = 10 * SECOND;
    game.seats[1].start_time = 200 * MS;
    let (record, _) = played(&game, bots([SECOND, 600 * MS]));
    let [None, Some(found)] = &record.result.faults else { panic!("{:?}", record.result) };
    assert_eq!((found.fault, &*found.reason), (Fault::NoStart, "no name within 200ms"));
    // A name that arrived in time counts as in time, even if the referee reads it later.
    let (record, _) = played(&game, bots([SECOND, 200 * MS]));
    assert_eq!(record.result.faults, [None, None]);
}

#[test]
fn a_bot_that_is_slow_by_a_second_is_out_of_time() {
    let mut game = game();
    game.turn_time = 500 * MS;
    let slow = || fills_one(|turn| if turn == 2 { 1500 * MS } else { MS });
    let reason = "500.0ms were left, no answer came".to_owned();
    assert_eq!(fault(&game, slow()), (Fault::OutOfTime, reason, 2));
    game.grace = SECOND;
    let clock = ManualClock::leak(Duration::ZERO);
    let slow = Scripted::new(clock, (MS, "slow"), slow());
    let other = Scripted::new(clock, (MS, "other"), fills_all);
    let (record, times_sent) = played(&game, [slow, other]);
    assert_eq!(record.result.end, Some(End::DangerLine), "the grace allows the late answer");
    assert_eq!(record.turns[2].think_us, [1_500_000, 1000]);
    assert_eq!(times_sent[0][..4], [60_000, 59_999, 59_998, 58_498], "the clock counts it whole");
    assert_eq!(times_sent[1][3], 59_997);
}

#[test]
fn a_silent_bot_is_out_of_time() {
    let mut game = game();
    game.seats[0].time = 500 * MS;
    let reason = "500.0ms were left, no answer came".to_owned();
    assert_eq!(fault(&game, |_| Vec::new()), (Fault::OutOfTime, reason, 0));
}

#[test]
fn the_time_of_the_game_runs_out() {
    let mut game = game();
    game.seats[0].time = 3500 * MS;
    let reason = "500.0ms were left, no answer came".to_owned();
    assert_eq!(fault(&game, fills_one(|_| SECOND)), (Fault::OutOfTime, reason, 3));
}

#[test]
fn the_grace_of_the_game_counts_once() {
    let mut game = game();
    game.seats[0].time = 3500 * MS;
    game.grace = 1200 * MS;
    // 500 ms beyond the time of the game in turn 3; 1 s more in turn 4 is too much.
    let reason = "no time was left, no answer came".to_owned();
    assert_eq!(fault(&game, fills_one(|_| SECOND)), (Fault::OutOfTime, reason, 4));
}

#[test]
fn the_time_of_a_silent_second_bot_is_its_own() {
    let mut game = game();
    game.seats[1].time = SECOND;
    let clock = ManualClock::leak(Duration::ZERO);
    let slow = Scripted::new(clock, (MS, "slow"), |_| vec![(5 * SECOND, "0 0")]);
    let silent = Scripted::new(clock, (MS, "silent"), |_| Vec::new());
    let (record, _) = played(&game, [slow, silent]);
    assert_eq!(record.result.think_us, [Some(5_000_000), Some(1_000_000)]);
}

/// The referee hears of the second bot's end only after the first one's answer.
#[test]
fn a_bot_that_ends_after_its_time_is_out_of_time() {
    for (delay, fault) in [(400 * MS, Fault::Crash), (1400 * MS, Fault::OutOfTime)] {
        let mut game = game();
        game.seats[1].time = SECOND;
        let clock = ManualClock::leak(Duration::ZERO);
        let slow = Scripted::new(clock, (MS, "slow"), |_| vec![(5 * SECOND, "0 0")]);
        let ends = Scripted::new(clock, (MS, "ends"), move |_| vec![(delay, CLOSES)]);
        let (record, _) = played(&game, [slow, ends]);
        let found = record.result.faults[1].as_ref().unwrap();
        assert_eq!(found.fault, fault, "{}", found.reason);
        let think = microseconds(delay.min(SECOND));
        assert_eq!(record.result.think_us, [Some(5_000_000), Some(think)]);
    }
}

/// The referee waits for the first bot, which may take longer than the second one.
#[test]
fn a_late_answer_is_out_of_time_if_the_referee_reads_it_later() {
    let clock = ManualClock::leak(Duration::ZERO);
    let mut game = game();
    game.seats[1].time = SECOND;
    let first = Scripted::new(clock, (MS, "first"), fills_one(|_| 5 * SECOND));
    let second = Scripted::new(clock, (MS, "second"), fills_one(|_| 2 * SECOND));
    let (record, _) = played(&game, [first, second]);
    let [None, Some(found)] = &record.result.faults else { panic!("{:?}", record.result) };
    let reason = "1.0s were left, the answer `0 0` came after 2.0s";
    assert_eq!((found.fault, &*found.reason), (Fault::OutOfTime, reason));
    assert_eq!(record.result.verdict, Verdict::Win(Seat::First));
}

#[test]
fn a_second_answer_is_invalid() {
    let reason = "answered `1 0` before it was asked".to_owned();
    let twice = |_| vec![(MS, "0 0"), (MS, "1 0")];
    assert_eq!(fault(&game(), twice), (Fault::Invalid, reason, 1));
}

/// The turn of a fault belongs to the input, unless the bot has written a line before it was asked.
#[test]
fn the_input_of_a_record_is_the_text_that_was_sent() {
    let in_turn = |at: usize, lines: &'static [&'static str]| {
        move |turn| match turn == at {
            true => lines.iter().map(|&line| (MS, line)).collect(),
            false => fills_all(turn),
        }
    };
    let twice = in_turn(3, &["0 0", "fish"]);
    let scripts = [in_turn(4, &["fish"]), in_turn(4, &[]), in_turn(4, &[CLOSES]), twice];
    for order in [Order::Together, Order::InTurn] {
        let game = Game { order, ..game() };
        for pair in (0..16).map(|pair| [pair / 4, pair % 4]) {
            let clock = ManualClock::leak(Duration::ZERO);
            let bots = pair.map(|script| Scripted::new(clock, (MS, "a bot"), scripts[script]));
            let sent = bots.each_ref().map(|bot| Rc::clone(&bot.sent));
            let (record, _) = played(&game, bots);
            assert_eq!(record.turns.len(), 4, "{pair:?}");
            for (seat, sent) in Seat::BOTH.into_iter().zip(sent) {
                let is_early = pair[seat.index()] == 3;
                // The packs and turns 0 to 4, or 0 to 3.
                assert_eq!(sent.borrow().len(), if is_early { 5 } else { 6 }, "{pair:?}");
                assert!(record.input(seat).unwrap() == sent.borrow().concat(), "{pair:?} {seat:?}");
            }
        }
    }
}

#[test]
fn a_bot_with_limited_nodes_has_no_clock_but_must_not_hang() {
    let clock = ManualClock::leak(Duration::ZERO);
    let mut game = game();
    game.seats[0].nodes = Some(1000);
    let slow = Scripted::new(clock, (MS, "slow"), fills_one(|_| 59 * SECOND));
    let other = Scripted::new(clock, (MS, "other"), fills_all);
    let (record, times_sent) = played(&game, [slow, other]);
    assert_eq!(record.result.end, Some(End::DangerLine));
    assert!(times_sent[0].iter().all(|&left| left == 60_000));
    let reason = "60.0s were left, no answer came".to_owned();
    assert_eq!(fault(&game, |_| Vec::new()), (Fault::OutOfTime, reason, 0));
}

#[test]
fn bots_that_are_asked_one_after_the_other_have_a_clock_of_their_own() {
    let clock = ManualClock::leak(Duration::ZERO);
    let mut game = game();
    game.order = Order::InTurn;
    game.seats[1].time = SECOND;
    let first = Scripted::new(clock, (MS, "first"), fills_one(|_| 2 * SECOND));
    let second = Scripted::new(clock, (MS, "second"), fills_all);
    let (record, times_sent) = played(&game, [first, second]);
    assert_eq!(record.result.end, Some(End::DangerLine));
    assert_eq!((times_sent[0][1], times_sent[1][1]), (58_000, 999));
}

#[test]
fn info_is_stored_with_the_turns_that_it_names() {
    let clock = ManualClock::leak(Duration::ZERO);
    let bots = [
        Scripted::new(clock, (MS, "first"), fills_one(|_| MS)),
        Scripted::new(clock, (MS, "second"), fills_all),
    ];
    let (record, _) = played(&game(), bots);
    assert!(record.turns.len() > 5);
    for (turn, played) in record.turns.iter().enumerate() {
        for info in &played.info {
            assert_eq!(info.as_ref().unwrap().value()["note"], turn * turn);
        }
    }
}

#[test]
fn a_message_shows_control_characters_and_the_record_keeps_the_whole_answer() {
    let answer = "\u{0}0 0\u{7}".to_owned() + &"x".repeat(100);
    let wrong = WrongAnswer::answered(Fault::Invalid, "answered ANSWER: no", &answer);
    let shown = format!("answered `\\u{{0}}0 0\\u{{7}}{}… (105 bytes)`: no", "x".repeat(34));
    assert_eq!(wrong.reason, shown);
    assert_eq!(wrong.answer, Some(answer));
}
