//! Tests: the bot loses no game on time if the machine stalls for a second.
//!
//! The engine plays whole games on a manual clock that advances with each reading and jumps at a
//! stall, so that no result depends on the speed of the machine.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use super::{
    BestSoFar, Decision, Engine, Planner, PlannerParameters, TimeLimits, TurnClock, Watchdog,
};
use crate::game::{Cells, Packs, State};
use crate::protocol::Observation;
use crate::util::clock::ManualClock;

const SECOND: Duration = Duration::from_secs(1);

/// The time by which each reading advances the clock: a search reads it 10,000 times a second.
const TICK: Duration = Duration::from_micros(100);

/// The point of a turn at which the machine stalls.
#[derive(Clone, Copy)]
enum Stall {
    /// After the referee has written the turn, before the bot has read it.
    Asked,
    /// While the engine decides, at this time after the bot has read the turn, or at the answer if
    /// the engine answers sooner.
    Deciding(Duration),
    /// After the engine has decided, before the answer is sent.
    Decided,
}

/// A planner on threads of its own: on one, each game is played the same way.
struct OnThreads(Planner, rayon::ThreadPool);

impl OnThreads {
    fn new(threads: usize) -> Self {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        Self(Planner::new(PlannerParameters::default()), pool)
    }
}

impl Engine for OnThreads {
    fn new_game(&mut self) {
        self.0.new_game();
    }

    fn decide(
        &mut self,
        packs: &Packs,
        observation: &Observation,
        clock: &TurnClock,
        best_so_far: &BestSoFar,
    ) -> Decision {
        self.1.install(|| self.0.decide(packs, observation, clock, best_so_far))
    }

    fn ponder(&mut self, packs: &Packs, stop: &Arc<AtomicBool>) {
        self.1.install(|| self.0.ponder(packs, stop));
    }
}

/// A turn as the referee measures it.
#[derive(Debug)]
struct Taken {
    time: Duration,
    /// Simulated drops.
    nodes: u64,
}

/// The error of an answer after the deadline.
#[derive(Debug)]
struct Late(#[expect(dead_code, reason = "for the message of a test that fails")] String);

/// Plays `turns` turns of a game in which both players play the bot's answers. `game` is the time
/// of a player for the game; `stalls` returns the stall of a turn.
fn play(
    game: Duration,
    turns: usize,
    reserve: Duration,
    stalls: impl Fn(usize) -> Option<Stall>,
) -> Result<Vec<Taken>, Late> {
    play_on(1, game, turns, reserve, stalls)
}

/// As [`play`], on `threads` threads, each of which advances the clock.
fn play_on(
    threads: usize,
    game: Duration,
    turns: usize,
    reserve: Duration,
    stalls: impl Fn(usize) -> Option<Stall>,
) -> Result<Vec<Taken>, Late> {
    let clock = ManualClock::leak(TICK);
    let rules = TimeLimits { reserve: Some(reserve), ..TimeLimits::default() };
    let mut watchdog = Watchdog::new(move || Box::new(OnThreads::new(threads)));
    let packs = Packs::from_seed(86);
    watchdog.new_game(&packs);
    let (mut state, mut left, mut taken) = (State::<Cells>::new(), game, Vec::new());
    for turn in 0..turns {
        let asked = clock.now();
        let stall = stalls(turn);
        match stall {
            Some(Stall::Asked) => clock.advance(SECOND),
            Some(Stall::Deciding(delay)) => clock.stall_after(delay, SECOND),
            Some(Stall::Decided) | None => {}
        }
        let of_turn = TurnClock::new(clock.now(), left, &rules).with_source(clock.source());
        let observation = Observation { state, time_left: [left; 2] };
        let Decision { action, report } = watchdog.decide(&observation, &of_turn).0;
        if clock.take_stall().is_some() || matches!(stall, Some(Stall::Decided)) {
            clock.advance(SECOND);
        }
        let time = clock.now() - asked;
        if time >= left.min(rules.turn) {
            return Err(Late(format!("turn {turn}: {time:?} of {left:?}")));
        }
        assert!(stall.is_none() || time >= SECOND, "turn {turn} stalled");
        left -= time;
        taken.push(Taken { time, nodes: report.nodes });
        let after = state.play(packs.get(turn).unwrap(), [action; 2]).unwrap().after;
        state =
            if after.end().is_none() { after } else { State { turn: turn + 1, ..State::new() } };
    }
    Ok(taken)
}

fn default_reserve() -> Duration {
    TimeLimits::default().reserve()
}

/// Stalls in the first turns, at the first attacks and late in the game; before, during and after
/// the decision. The last one comes when no time but the reserve is left.
#[test]
fn five_stalls_of_a_second_cost_no_game() {
    let ms = Duration::from_millis;
    let stalls = [
        (0, Stall::Deciding(ms(100))),
        (9, Stall::Deciding(ms(250))),
        (20, Stall::Asked),
        (30, Stall::Deciding(ms(30))),
        (45, Stall::Decided),
    ];
    let at = |turn| stalls.iter().find(|stall| stall.0 == turn).map(|stall| stall.1);
    let taken = play(10 * SECOND, 120, default_reserve(), at).unwrap();
    let searched = taken.iter().filter(|turn| turn.nodes > 0).count();
    assert!(searched > 30, "{searched} turns were searched");
    let total: Duration = taken.iter().map(|turn| turn.time).sum();
    assert!(total > 8 * SECOND, "time used: {total:?}");
}

/// A game with 100 ms more than the reserve: a stall at any point of a turn is survived.
#[test]
fn a_stall_of_a_second_is_survived_with_the_reserve_alone() {
    let ms = Duration::from_millis;
    for stalled in [0, 1, 20] {
        for stall in [Stall::Asked, Stall::Deciding(ms(0)), Stall::Deciding(ms(3)), Stall::Decided]
        {
            let at = |turn| (turn == stalled).then_some(stall);
            play(ms(1600), 25, default_reserve(), at).unwrap();
        }
    }
}

/// Searches that run at the same time end in time, before, during and after a stall.
#[test]
fn no_answer_is_late_on_several_threads() {
    let ms = Duration::from_millis;
    for threads in [2, 7] {
        let at = |turn| (turn % 15 == 9).then_some(Stall::Deciding(ms(30)));
        let taken = play_on(threads, 10 * SECOND, 60, default_reserve(), at).unwrap();
        let searched = taken.iter().filter(|turn| turn.nodes > 0).count();
        assert!(searched > 30, "{threads} threads: {searched} turns were searched");
    }
}

/// Shows that the tests above detect a reserve that is too small.
#[test]
fn a_stall_costs_the_game_with_a_smaller_reserve() {
    let ms = Duration::from_millis;
    for stall in [Stall::Asked, Stall::Deciding(ms(3)), Stall::Decided] {
        let at = |turn| (turn == 20).then_some(stall);
        play(ms(1600), 25, ms(200), at).unwrap_err();
    }
}
