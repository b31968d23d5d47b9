//! The bot's mind: a plan from beam search, checked every turn by a duel search.
//!
//! 1. A beam search finds what strikes the own field allows, now and in the coming turns, under
//!    the rain that is due; the best becomes the plan, unless the one being followed is better.
//! 2. A smaller one finds what the opponent can do.
//! 3. If the plan strikes now, two further searches ask whether the opponent, struck, can answer
//!    with more, and whether it would have struck first.
//! 4. All actions of both sides are searched four plies deep (or three, or two, if time is short).
//!    The plan's action is played unless another is better by a margin.

use std::time::Instant;

use super::plan::{Plan, worth};
use super::{Clock, Decision, Draft, Mind, Report, safe};
use crate::game::{Action, Chain, Field, OJAMA_ROW, Pack, Packs, Player, Positions, Seat, State};
use crate::protocol::Sight;
use crate::search::beam::{self, Answer, Question};
use crate::search::duel::{self, Advice, Verdict};
use crate::search::{Budget, Rain, threats};

/// What can be set about the mind.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Settings {
    /// Turns that the beam looks ahead.
    pub depth: usize,
    /// A strike a turn later is worth so much of one now.
    pub discount: f64,
    /// The plan's action is played unless another is better by so many tenths of an ojama.
    pub margin: i64,
    /// The opening lasts so many turns: the outer columns stay closed to the plan, and while
    /// nothing falls no duel is searched.
    pub opening: usize,
    /// A planned strike shorter than this is no strike.
    pub shortest: Chain,
}

impl Default for Settings {
    fn default() -> Self {
        Self { depth: 16, discount: 0.9, margin: 250, opening: 8, shortest: Chain(6) }
    }
}

/// The mind of the bot; the field's encoding is `F`.
pub struct Planner<F> {
    settings: Settings,
    packs: Option<Packs>,
    plan: Option<Plan>,
    encoding: std::marker::PhantomData<F>,
}

/// Shares of a turn's budget: the own beam, the opponent's beam, each test of a strike, the duel
/// takes what is left.
const OWN_BEAM: f64 = 0.55;
const OPPONENTS_BEAM: f64 = 0.10;
const STRIKE_TEST: f64 = 0.08;

/// The coming turns share the time that is left as if the game lasted so many more turns: most
/// games between strong bots are decided by turn 30, and so time is never quite used up.
const TURNS_TO_COME: f64 = 24.0;

/// The first turn may take this part of the game's time, as long as the opponent can do nothing.
const FIRST_TURN: f64 = 0.11;

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

    /// Looks for a better plan than the one being followed.
    fn update_plan(&mut self, state: &State<F>, answer: &Answer) {
        let Settings { discount, shortest, .. } = self.settings;
        let own = &state[Seat::First];
        let value = |chain: Chain, ply: usize| worth(chain, ply, discount);
        let best =
            answer.strikes.iter().flatten().filter(|strike| strike.chain >= shortest).max_by_key(
                |strike| (value(strike.chain, strike.ply()), std::cmp::Reverse(strike.ply())),
            );
        let Some(best) = best else { return };
        let followed = self.plan.as_ref().map_or(i64::MIN, |plan| value(plan.chain(), plan.ply()));
        if value(best.chain, best.ply()) > followed {
            self.plan = Some(Plan::new(best, &own.field));
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
        let state: State<F> = sight.state.convert();
        let own = &state[Seat::First];
        let opponent = &state[Seat::Second];
        draft.put(safe::action(own, pack));
        if self.plan.as_ref().is_some_and(|plan| !plan.fits(&sight.state[Seat::First])) {
            self.plan = None;
        }

        let share = self.share(sight, clock);
        let mut allowance = Allowance { clock, share, begun: 0.0, spent: 0 };
        let quiet = turn < self.settings.opening
            && [own, opponent].iter().all(|player| player.stock < OJAMA_ROW);
        let mut report = Report { turn, ..Report::default() };

        // 1. The own beam.
        let part = if quiet { 1.0 - OPPONENTS_BEAM } else { OWN_BEAM };
        let budget = allowance.part(part);
        let rain = Rain::of_stock(own.stock);
        let answer = self.ask(own, packs, rain, self.settings.depth, quiet, &budget);
        allowance.book(&budget);
        self.update_plan(&state, &answer);
        report.width = Some(answer.width);
        let building = answer.building.map(|(placement, _)| Action::Drop(placement));
        let mut choice = self.plan.as_ref().map(Plan::action).or(building);
        if let Some(action) = choice {
            draft.put(action);
        }

        // 2. The opponent's beam.
        let budget = allowance.part(OPPONENTS_BEAM);
        let theirs = self.ask(opponent, packs, Rain::of_stock(opponent.stock), 10, quiet, &budget);
        allowance.book(&budget);
        let strongest = theirs.strikes.iter().flatten().max_by_key(|strike| strike.chain);
        report.opponent_chain = strongest.map(|strike| strike.chain.0);
        report.opponent_turn = strongest.map(|strike| turn + strike.ply());

        // 3. Is it time to strike?
        let mut source = if self.plan.is_some() { "plan" } else { "building" };
        let mut strike_bonus = 0;
        if let Some(strike) = answer.strikes.first().and_then(Option::as_ref)
            && strike.chain >= STRIKE
            && strike.chain > theirs.longest_within(1)
        {
            let timing = self.time_strike(&state, packs, strike.chain, &theirs, &mut allowance);
            strike_bonus = timing.bonus;
            let plan_is_later = self.plan.as_ref().is_none_or(|plan| plan.ply() > 0);
            if timing.strike && plan_is_later {
                self.plan = Some(Plan::new(strike, &own.field));
                choice = self.plan.as_ref().map(Plan::action);
                source = "strike";
            } else if timing.hold && !plan_is_later {
                self.plan = self.later_plan(&answer, &own.field);
                choice = self.plan.as_ref().map(Plan::action).or(building);
            }
        }
        if let Some(action) = choice {
            draft.put(action);
        }

        // 4. The duel.
        let verdicts = if quiet {
            None
        } else {
            let advice = Advice { exact: choice, strike_bonus };
            deepest_duel(&state, packs, advice, &mut allowance)
        };
        let mut action = choice.unwrap_or_else(|| safe::action(own, pack));
        if let Some((depth, verdicts)) = &verdicts {
            let best = &verdicts[0];
            let chosen = verdicts.iter().find(|verdict| Some(verdict.action) == choice);
            let margin = self.settings.margin;
            let keeps = chosen.is_some_and(|chosen| chosen.value + margin >= best.value);
            if !keeps {
                action = best.action;
                source = "duel";
            }
            report.depth = Some(*depth);
            report.best_value = Some(best.value);
            report.value = if keeps { chosen.map(|chosen| chosen.value) } else { Some(best.value) };
        }

        if let Some(plan) = &self.plan {
            report.plan_chain = Some(plan.chain().0);
            report.plan_turn = Some(turn + plan.ply());
            report.plan = plan.path().map(|drop| Action::Drop(drop).to_string()).collect();
        }
        self.plan = self
            .plan
            .take()
            .filter(|plan| plan.action() == action)
            .and_then(|plan| plan.followed(&sight.state[Seat::First], pack));
        report.action = action.to_string();
        report.source = source;
        report.nodes = allowance.spent;
        report.time_ms = clock.elapsed_ms();
        Decision { action, report }
    }
}

/// A chain from this length on is a strike, whose time is to be chosen (main seed: 8).
const STRIKE: Chain = Chain(8);

/// What the tests before a strike say.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Timing {
    /// Strike now, whatever the plan says.
    strike: bool,
    /// Do not strike now.
    hold: bool,
    /// For all first actions that strike, in the duel.
    bonus: i64,
}

impl<F: Field> Planner<F> {
    fn ask(
        &self,
        player: &Player<F>,
        packs: &[Pack],
        rain: Rain,
        depth: usize,
        quiet: bool,
        budget: &Budget,
    ) -> Answer {
        // Two columns on each side stay closed in the opening: 20 drops instead of 36, and a field
        // that is built upwards, so that its trigger stays above the first rows (main seed).
        let positions = if quiet { Positions::without_sides(2) } else { Positions::ALL };
        beam::search(&Question { field: player.field, packs, rain, depth, positions }, budget)
    }

    /// Whether to set off, now, a chain that is longer than what the opponent can set off now.
    ///
    /// `c3` is what the opponent has within five turns if it is left alone, `c4` what it has within
    /// ten under the rows that the strike makes fall (main seed).
    fn time_strike(
        &self,
        state: &State<F>,
        packs: &[Pack],
        c1: Chain,
        theirs: &Answer,
        allowance: &mut Allowance<'_>,
    ) -> Timing {
        let opponent = &state[Seat::Second];
        let Some((pack, later)) = packs.split_first() else {
            return Timing { strike: true, hold: false, bonus: 0 };
        };
        let c3 = theirs.longest_within(5);
        let budget = allowance.part(STRIKE_TEST);
        // The opponent drops this turn's pack before the first row falls on it.
        let rows = (opponent.stock + c1.ojama()) / OJAMA_ROW;
        let packs: Vec<Pack> =
            std::iter::once(*pack).chain(later.iter().copied()).take(11).collect();
        let c4 =
            self.ask(opponent, &packs, Rain::rows(1, rows), 11, false, &budget).longest_within(11);
        allowance.book(&budget);
        let difference = 10 * (c1.ojama() as i64 - c4.ojama() as i64);
        if c4 > c1 {
            Timing { strike: false, hold: true, bonus: difference }
        } else if c3 >= c1 && c4 < c1 {
            Timing { strike: true, hold: false, bonus: difference }
        } else {
            Timing { strike: false, hold: false, bonus: 0 }
        }
    }

    /// The best plan that does not strike now.
    fn later_plan(&self, answer: &Answer, field: &F) -> Option<Plan> {
        let Settings { discount, shortest, .. } = self.settings;
        let later = answer.strikes.iter().skip(1).flatten();
        later
            .filter(|strike| strike.chain >= shortest)
            .max_by_key(|strike| worth(strike.chain, strike.ply(), discount))
            .map(|strike| Plan::new(strike, field))
    }
}

/// The duel as deep as the budget allows: two plies, then three, then four.
fn deepest_duel<F: Field>(
    state: &State<F>,
    packs: &[Pack],
    advice: Advice,
    allowance: &mut Allowance<'_>,
) -> Option<(usize, Vec<Verdict>)> {
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
