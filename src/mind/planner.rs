//! The bot's mind: a plan from beam search, checked every turn by a duel search.
//!
//! 1. A beam search finds what strikes the own field allows, now and in the coming turns, under
//!    the rain that is due.
//! 2. A smaller one finds what the opponent can do. The best own strike, seen against that, becomes
//!    the plan, unless the one being followed is better.
//! 3. If a long chain can be set off now, a further search asks what the opponent, struck, can
//!    answer with: then it goes out, or is held back.
//! 4. All actions of both sides are searched four plies deep (or three, or two, if time is short).
//!    The plan's action is played unless another is better by a margin.

use std::cmp::Ordering;
use std::time::{Duration, Instant};

use super::plan::{Plan, worth};
use super::{Candidate, Clock, Decision, Draft, Mind, Report, safe};
use crate::game::{Action, Chain, Field, OJAMA_ROW, Pack, Packs, Player, Positions, Seat, State};
use crate::protocol::Sight;
use crate::search::beam::{self, Answer, Question, Strike};
use crate::search::duel::{self, Advice, Verdict};
use crate::search::{Budget, Rain, threats};

/// What can be set about the mind.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Settings {
    /// Turns that the beam looks ahead.
    pub depth: usize,
    /// A strike a turn later is worth so much of one now. 0.8 won 35 of 50 games against 0.85,
    /// which won 24 of 40 against 0.9; 0.75 won 26 of 50 against 0.85 (`notes/experiments.md`).
    pub discount: f64,
    /// The plan's action is played unless another is better by so many tenths of an ojama. The main
    /// seed's 30 ojama at first, 10 later; here 25: 10 won 25 of 60 games against it.
    pub margin: i64,
    /// The opening lasts so many turns: the outer columns stay closed to the plan, and while
    /// nothing falls no duel is searched.
    pub opening: usize,
    /// A planned strike shorter than this is no strike.
    pub shortest: Chain,
    /// A strike later than the opponent's first chain of 11 is worth so much of one before
    /// it: the rows may bury it. 0.5 won 37 of 60 games against 1, 0.25 won 33 of 60.
    pub late: f64,
}

impl Default for Settings {
    fn default() -> Self {
        Self { depth: 16, discount: 0.8, margin: 250, opening: 8, shortest: Chain(6), late: 0.5 }
    }
}

/// The mind of the bot; the field's encoding is `F`.
pub struct Planner<F> {
    settings: Settings,
    packs: Option<Packs>,
    plan: Option<Plan>,
    encoding: std::marker::PhantomData<F>,
}

/// Shares of a turn's budget: the own beam, the opponent's beam, the test of a strike; the duel
/// takes what is left. Chosen by hand, not by matches.
const OWN_BEAM: f64 = 0.55;
const OPPONENTS_BEAM: f64 = 0.10;
const STRIKE_TEST: f64 = 0.08;

/// The coming turns share the time that is left as if the game lasted so many more turns: most
/// games between strong bots are decided by turn 30, and so time is never quite used up.
const TURNS_TO_COME: f64 = 24.0;

/// The first turn may take this part of the game's time, as long as the opponent can do nothing.
const FIRST_TURN: f64 = 0.11;

/// With less usable time than this, nothing is searched: even a search that is cut short at once
/// takes some milliseconds, and hundreds of turns may still come.
const TOO_LITTLE: Duration = Duration::from_millis(5);

/// The four-ply duel simulates some 15 million drops, the three-ply one half a million. They are
/// tried in turn while this many drops, or the time for them, are left.
const DROPS_OF_DEPTH: [u64; 3] = [20_000, 400_000, 17_000_000];

/// A first guess of drops a second, to choose the depth of the duel by.
const DROPS_A_SECOND: f64 = 25e6;

impl<F: Field> Planner<F> {
    /// A mind before its first game.
    pub const fn new(settings: Settings) -> Self {
        Self { settings, packs: None, plan: None, encoding: std::marker::PhantomData }
    }

    /// The share of the usable budget that this turn takes.
    fn share(&self, sight: &Sight, clock: &Clock) -> f64 {
        if clock.nodes().is_some() {
            return 1.0;
        }
        let usable = clock.usable().as_secs_f64().max(1e-3);
        let left = sight.time_left[0].as_secs_f64();
        let share = if sight.state.turn == 0 { FIRST_TURN } else { 1.0 / TURNS_TO_COME };
        (left * share / usable).min(1.0)
    }

    /// The plan to set off the strike that is worth most; of equals, the soonest.
    fn best<'a>(
        &self,
        strikes: impl Iterator<Item = &'a Strike>,
        rival: usize,
        field: &F,
    ) -> Option<Plan> {
        let strikes = strikes.filter(|strike| strike.chain >= self.settings.shortest);
        let worth = |strike: &&Strike| self.worth(strike.chain, strike.ply(), rival);
        let best = strikes
            .max_by(|a, b| worth(a).total_cmp(&worth(b)).then_with(|| b.ply().cmp(&a.ply())))?;
        Some(Plan::new(best, field))
    }

    /// What it is worth to set off a chain so many turns ahead, when the opponent can strike after
    /// `rival` turns.
    fn worth(&self, chain: Chain, ply: usize, rival: usize) -> f64 {
        let Settings { discount, late, .. } = self.settings;
        worth(chain, ply, discount) * if ply > rival { late } else { 1.0 }
    }

    /// Takes up a better plan than the one being followed, if there is one.
    fn update_plan(&mut self, field: &F, answer: &Answer, rival: usize) {
        let worth = |plan: &Plan| self.worth(plan.chain(), plan.ply(), rival);
        let followed = self.plan.as_ref().map_or(-1.0, worth);
        let found = self.best(answer.strikes.iter().flatten(), rival, field);
        if let Some(better) = found.filter(|plan| worth(plan) > followed) {
            self.plan = Some(better);
        }
    }
}

/// The budgets of one decision's searches.
struct Allowance<'a> {
    clock: &'a Clock,
    share: f64,
    begun: f64,
    spent: u64,
}

impl Allowance<'_> {
    /// A budget of a part of the turn's, after what was handed out before.
    fn part(&mut self, part: f64) -> Budget {
        self.begun = (self.begun + part).min(1.0);
        match self.clock.nodes() {
            Some(nodes) => Budget::new((nodes as f64 * part) as u64, None),
            None => Budget::new(u64::MAX, Some(self.clock.after(self.begun * self.share))),
        }
    }

    /// A budget of all that is left.
    fn rest(&mut self) -> Budget {
        match self.clock.nodes() {
            Some(nodes) => Budget::new(nodes.saturating_sub(self.spent), None),
            None => Budget::new(u64::MAX, Some(self.clock.after(self.share))),
        }
    }

    /// Drops that may still be simulated, by estimate where time is what limits.
    fn drops_left(&self) -> u64 {
        match self.clock.nodes() {
            Some(nodes) => nodes.saturating_sub(self.spent),
            None => {
                let end = self.clock.after(self.share);
                let left = end.saturating_duration_since(Instant::now());
                (left.as_secs_f64() * DROPS_A_SECOND) as u64
            }
        }
    }

    fn book(&mut self, budget: &Budget) {
        self.spent += budget.spent();
    }
}

impl<F: Field> Mind for Planner<F> {
    fn new_game(&mut self, packs: &Packs) {
        self.packs = Some(packs.clone());
        self.plan = None;
    }

    fn decide(&mut self, sight: &Sight, clock: &Clock, draft: &Draft) -> Decision {
        let turn = sight.state.turn;
        let packs = self.packs.clone();
        let packs = packs.as_ref().map_or(&[][..], |packs| packs.from_turn(turn));
        let Some(pack) = packs.first() else {
            unreachable!("a game's packs are known before its turns, of which it has as many")
        };
        let me = &sight.state[Seat::First];
        let state: State<F> = sight.state.convert();
        let safe = safe::action(&state[Seat::First], pack);
        draft.put(safe);
        self.plan = self.plan.take().filter(|plan| plan.fits(me));

        if clock.nodes().is_none() && clock.usable() < TOO_LITTLE {
            self.plan = None;
            let action = safe.to_string();
            let report = Report { turn, action, source: "safe", ..Report::default() };
            return Decision { action: safe, report };
        }

        let position = Position {
            packs,
            is_quiet: turn < self.settings.opening
                && state.players.iter().all(|player| player.stock < OJAMA_ROW),
            state,
        };
        let share = self.share(sight, clock);
        let mut allowance = Allowance { clock, share, begun: 0.0, spent: 0 };
        let mut report = Report { turn, ..Report::default() };

        let choice = self.choose(&position, &mut allowance, draft, &mut report);
        let action = if position.is_quiet {
            choice.action.unwrap_or(safe)
        } else {
            self.check(&position, choice, &mut allowance, &mut report).unwrap_or(safe)
        };

        if let Some(plan) = &self.plan {
            report.plan_chain = Some(plan.chain().0);
            report.plan_turn = Some(turn + plan.ply());
            report.plan = plan.path().map(|drop| Action::Drop(drop).to_string()).collect();
        }
        let followed = self.plan.take().filter(|plan| plan.action() == action);
        self.plan = followed.and_then(|plan| plan.followed(me, pack));
        report.action = action.to_string();
        report.nodes = allowance.spent;
        report.time_ms = clock.elapsed_ms();
        Decision { action, report }
    }
}

/// What there is to decide about.
struct Position<'a, F> {
    state: State<F>,
    /// From this turn on.
    packs: &'a [Pack],
    /// In the opening, with nothing about to fall: nobody can do anything to the other yet.
    is_quiet: bool,
}

/// What the plan, or building for want of one, says.
#[derive(Clone, Copy)]
struct Choice {
    action: Option<Action>,
    /// For the duel: added to the value of a first action that strikes.
    strike_bonus: i64,
}

impl<F: Field> Planner<F> {
    /// Steps 1 to 3: the plan, and whether it is time to strike.
    fn choose(
        &mut self,
        position: &Position<'_, F>,
        allowance: &mut Allowance<'_>,
        draft: &Draft,
        report: &mut Report,
    ) -> Choice {
        let [own, opponent] = &position.state.players;

        // 1. The own beam.
        let part = if position.is_quiet { 1.0 - OPPONENTS_BEAM } else { OWN_BEAM };
        let rain = Rain::of_stock(own.stock);
        let answer = position.ask(own, rain, self.settings.depth, part, allowance);
        report.width = Some(answer.width);

        // 2. The opponent's beam.
        let rain = Rain::of_stock(opponent.stock);
        let theirs = position.ask(opponent, rain, FORESIGHT, OPPONENTS_BEAM, allowance);
        let strongest = theirs.strikes.iter().flatten().max_by_key(|strike| strike.chain);
        report.opponent_chain = strongest.map(|strike| strike.chain.0);
        report.opponent_turn = strongest.map(|strike| report.turn + strike.ply());
        let rival = theirs.first_of(RIVAL).unwrap_or(usize::MAX);
        self.update_plan(&own.field, &answer, rival);
        report.source = if self.plan.is_some() { "plan" } else { "building" };
        let building = answer.building.map(|(placement, _)| Action::Drop(placement));
        let planned = |plan: &Option<Plan>| plan.as_ref().map(Plan::action).or(building);
        let mut choice = Choice { action: planned(&self.plan), strike_bonus: 0 };
        choice.action.inspect(|&action| draft.put(action));

        // 3. Is it time to strike?
        if let Some(strike) = answer.strikes.first().and_then(Option::as_ref)
            && strike.chain >= STRIKE
            && strike.chain > theirs.longest_within(1)
        {
            let timing = position.time_strike(strike.chain, &theirs, allowance);
            choice.strike_bonus = timing.bonus;
            let plan_is_later = self.plan.as_ref().is_none_or(|plan| plan.ply() > 0);
            if timing.strike && plan_is_later {
                self.plan = Some(Plan::new(strike, &own.field));
                report.source = "strike";
            } else if timing.hold && !plan_is_later {
                self.plan = self.best(answer.strikes.iter().skip(1).flatten(), rival, &own.field);
            }
            choice.action = planned(&self.plan);
            choice.action.inspect(|&action| draft.put(action));
        }
        choice
    }

    /// Step 4: the duel, which keeps the choice unless something else is better by the margin.
    /// `None` if there is neither a choice nor anything to compare it with.
    fn check(
        &self,
        position: &Position<'_, F>,
        choice: Choice,
        allowance: &mut Allowance<'_>,
        report: &mut Report,
    ) -> Option<Action> {
        let advice = Advice { exact: choice.action, strike_bonus: choice.strike_bonus };
        let Some((depth, verdicts)) = deepest_duel(position, advice, allowance) else {
            return choice.action;
        };
        let best = verdicts.first()?;
        let chosen = verdicts.iter().find(|verdict| Some(verdict.action) == choice.action);
        let kept = chosen.filter(|chosen| chosen.value + self.settings.margin >= best.value);
        if kept.is_none() {
            report.source = "duel";
        }
        report.depth = Some(depth);
        report.value = Some(kept.unwrap_or(best).value);
        report.best_value = Some(best.value);
        let candidates = verdicts
            .iter()
            .take(CANDIDATES)
            .map(|verdict| Candidate { action: verdict.action.to_string(), value: verdict.value });
        report.candidates = candidates.collect();
        Some(kept.unwrap_or(best).action)
    }
}

/// First actions that are told of.
const CANDIDATES: usize = 6;

/// A chain of the opponent from this length on comes before whatever is planned behind it. With 8
/// instead, counting late strikes half lost 26 of 40 games.
const RIVAL: Chain = Chain(11);

/// Turns that are looked ahead for the opponent (main seed: 10).
const FORESIGHT: usize = 10;

/// A chain from this length on is a strike, whose time is to be chosen (main seed: 8).
const STRIKE: Chain = Chain(8);

/// What the tests before a strike say.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Timing {
    /// Strike now, whatever the plan says.
    strike: bool,
    /// Do not strike now.
    hold: bool,
    /// For all first actions that strike, in the duel.
    bonus: i64,
}

impl<F: Field> Position<'_, F> {
    /// A beam for one of the players, with a part of the turn's budget.
    fn ask(
        &self,
        player: &Player<F>,
        rain: Rain,
        depth: usize,
        part: f64,
        allowance: &mut Allowance<'_>,
    ) -> Answer {
        // Two columns on each side stay closed in the opening: 20 drops instead of 36, and a field
        // that is built upwards, so that its trigger stays above the first rows (main seed).
        let positions = if self.is_quiet { Positions::without_sides(2) } else { Positions::ALL };
        let budget = allowance.part(part);
        let question = Question { field: player.field, packs: self.packs, rain, depth, positions };
        let answer = beam::search(&question, &budget);
        allowance.book(&budget);
        answer
    }

    /// Whether to set off, now, a chain that is longer than what the opponent can set off now.
    ///
    /// `c3` is what the opponent has within five turns if it is left alone, `c4` what it has within
    /// ten under the rows that the strike makes fall (main seed).
    fn time_strike(&self, c1: Chain, theirs: &Answer, allowance: &mut Allowance<'_>) -> Timing {
        let opponent = &self.state[Seat::Second];
        let c3 = theirs.longest_within(5);
        // The first row of the strike falls a turn after it, unless rows are falling already.
        let falling = usize::from(opponent.stock < OJAMA_ROW);
        let rain = Rain::rows(falling, (opponent.stock + c1.ojama()) / OJAMA_ROW);
        let struck = self.ask(opponent, rain, FORESIGHT + 1, STRIKE_TEST, allowance);
        let c4 = struck.longest_within(FORESIGHT + 1);
        let bonus = 10 * (c1.ojama() as i64 - c4.ojama() as i64);
        match c4.cmp(&c1) {
            Ordering::Greater => Timing { strike: false, hold: true, bonus },
            Ordering::Less if c3 >= c1 => Timing { strike: true, hold: false, bonus },
            _ => Timing::default(),
        }
    }
}

/// The duel as deep as the budget allows: two plies, then three, then four.
fn deepest_duel<F: Field>(
    position: &Position<'_, F>,
    advice: Advice,
    allowance: &mut Allowance<'_>,
) -> Option<(usize, Vec<Verdict>)> {
    let Position { state, packs, .. } = position;
    let mut deepest = None;
    for (plies, drops) in (2..=threats::PLIES).zip(DROPS_OF_DEPTH) {
        if allowance.drops_left() < drops {
            break;
        }
        let budget = allowance.rest();
        let verdicts = threats::search(&state[Seat::Second], packs, plies, &budget)
            .and_then(|threats| duel::search(state, packs, &threats, advice, &budget));
        allowance.book(&budget);
        match verdicts {
            Some(verdicts) => deepest = Some((plies, verdicts)),
            None => break,
        }
    }
    deepest
}
