//! The stages of a decision, from its input to their results.
//!
//! [`Planner::run_stages`] runs them in order. The beam searches of both sides and the plans to
//! compare are below it; `selection`, `endgame_stage` and `alpha_beta_stage` are the later stages.

use super::alpha_beta_stage::{self, CheckedAction};
use super::endgame_stage::{self, EndgameResult};
use super::memory::Memory;
use super::parameters::PlannerParameters;
use super::selection::{Payoffs, Selection, SelectionRule};
use super::{Planner, counter_plan, opponent_model, win_probability};
use crate::board::Field;
use crate::engine::time_manager::TimeManager;
use crate::engine::{ActionSource, BestSoFar, TurnClock};
use crate::game::{Action, DropColumns, OJAMA_ROW, Pack, Placement, Seat, State, Stock};
use crate::protocol::Observation;
use crate::search::beam::{self, Attack, BeamRequest, BeamResult};
use crate::search::exchange::{KnownCounterattacks, Plan};
use crate::search::{Budget, Probability, Rain};

/// The input of a decision.
pub(super) struct DecisionInput<'a> {
    pub state: State<Field>,
    /// The packs from this turn on, at least one.
    pub packs: &'a [Pack],
    /// Whether this turn is of the opening without rows ([`is_opening`]).
    pub is_opening: bool,
    /// Whether the limit is time, not drops.
    pub is_timed: bool,
    /// Whether the opponent is short of time compared with us: it then searches less, so waiting
    /// costs us nothing.
    pub is_opponent_short_of_time: bool,
}

impl<'a> DecisionInput<'a> {
    /// The input of the turn of `observation`, with `packs` from its turn on.
    pub fn new(
        observation: &Observation,
        packs: &'a [Pack],
        clock: &TurnClock,
        parameters: &PlannerParameters,
    ) -> Self {
        let is_timed = clock.nodes().is_none();
        let state: State<Field> = observation.state.convert();
        let stocks = state.players.each_ref().map(|player| player.stock);
        Self {
            state,
            packs,
            is_opening: is_opening(state.turn, parameters.opening, stocks),
            is_timed,
            is_opponent_short_of_time: is_timed
                && parameters.time.is_opponent_short_of_time(observation.time_left),
        }
    }

    /// Whether at least one row is due on either side.
    pub fn is_rain_due(&self) -> bool {
        self.state.players.iter().any(|player| player.stock >= OJAMA_ROW)
    }
}

/// The results of the stages of one decision.
pub(super) struct Stages {
    /// The chosen plan; `None` if all actions but one lose.
    pub choice: Option<Choice>,
    pub endgame: EndgameResult,
    /// `None` if there was no alpha-beta search.
    pub checked: Option<CheckedAction>,
}

/// The chosen plan: the results of its four stages.
pub(super) struct Choice {
    pub searches: BothSearches,
    pub plans: Plans,
    pub selection: Selection,
}

impl Stages {
    /// Returns the action to play and the stage that found it (`Report::source`); `None` if no
    /// stage found an action.
    pub fn action(&self) -> Option<(Action, ActionSource)> {
        if let Some(win) = self.endgame.win {
            return Some((win, ActionSource::Mate));
        }
        if let Some(checked) = self.checked.as_ref().filter(|checked| !checked.is_choice) {
            return Some((checked.played.action, ActionSource::AlphaBeta));
        }
        if let Some(survival) = self.endgame.survival {
            return Some((survival, ActionSource::Survival));
        }
        let choice = self.choice.as_ref()?;
        let has_plan = choice.plan().is_some();
        let source = if has_plan { ActionSource::Plan } else { ActionSource::Building };
        Some((choice.action()?, source))
    }
}

impl Choice {
    /// The attack of the plan, if there is a plan.
    pub fn plan(&self) -> Option<&Attack> {
        self.selection.plan.map(|plan| &self.plans.own[plan].attack)
    }

    /// The drops of the plan, from this turn on. Without a plan, the best drop for building alone,
    /// if there is one.
    pub fn path(&self) -> &[Placement] {
        let building = || match &self.searches.found[0].building {
            Some((drop, _)) => std::slice::from_ref(drop),
            None => &[],
        };
        self.plan().map_or_else(building, |plan| &plan.path)
    }

    /// The first drop of [`Self::path`].
    pub fn action(&self) -> Option<Action> {
        self.path().first().copied().map(Action::Drop)
    }
}

impl Planner {
    /// Runs the stages of a decision, each with the results of those before it.
    pub(super) fn run_stages(
        &mut self,
        input: &DecisionInput<'_>,
        best_so_far: &BestSoFar,
        time_manager: &mut TimeManager<'_>,
    ) -> Stages {
        let parameters = &self.parameters.for_drops(time_manager.expected_drops(self.rate));
        let Self { followed, memory, curves, table, .. } = self;

        // A nearly full field: is there only one action that does not lose?
        let forced = alpha_beta_stage::forced(input, parameters.margin, table, time_manager);
        if forced.is_some() {
            skip_both_searches(input, memory, followed, parameters);
            return Stages { choice: None, endgame: EndgameResult::default(), checked: forced };
        }

        // The plan: the attacks of both sides, those that are compared, their payoffs, the choice.
        let (searches, foreseen) =
            search_both_sides(input, memory, followed, parameters, self.rate, time_manager);
        let plans = Plans::choose(input, &searches.found[0], foreseen, followed, parameters);
        let payoffs = Payoffs::search(input, &plans, parameters, curves, time_manager);
        let rule = SelectionRule::new(parameters, followed, input.is_rain_due());
        let selection = Selection::choose(input, &plans, payoffs, &rule, time_manager);
        let choice = Choice { searches, plans, selection };
        let planned = choice.action();
        planned.inspect(|&action| best_so_far.put(action));
        if input.is_opening {
            let endgame = EndgameResult::default();
            return Stages { choice: Some(choice), endgame, checked: None };
        }

        // A proven win, or survival where the plan is fatal.
        let (path, attacks) = (choice.path(), memory[0].attacks());
        let endgame =
            endgame_stage::search(input, path, attacks, &parameters.shares, table, time_manager);
        if endgame.win.is_some() {
            return Stages { choice: Some(choice), endgame, checked: None };
        }

        // All actions of both sides against the action so far.
        let action = endgame.survival.or(planned);
        let checked =
            alpha_beta_stage::check(input, action, parameters.margin, table, time_manager);
        Stages { choice: Some(choice), endgame, checked }
    }
}

/// The results of both sides' beam searches, own side first.
pub(super) struct BothSearches {
    /// The attacks within reach, the remembered ones included.
    pub found: [BeamResult; 2],
    /// Number of fields that each beam reused from the previous turn's tree.
    pub reused: [usize; 2],
    /// Whether the own beam ended because it found nothing new.
    pub found_nothing_new: bool,
}

/// The plans that follow from the opponent's beam search alone.
pub(super) struct ForeseenPlans {
    /// See [`Plans::opponent`].
    opponent: Vec<Plan>,
    /// The counter-plan to them, if no own row is due and it has one, with its counterattacks.
    counter: Option<(Attack, KnownCounterattacks)>,
}

/// Searches the attacks of both sides, and renews both memories; chooses the opponent's plans, and
/// searches the counter-plan to them. `followed` are the remaining drops of the followed plan,
/// `rate` the drops a second of the decision before.
///
/// The own beam needs nothing of the other searches, which run beside it if they can.
pub(super) fn search_both_sides(
    input: &DecisionInput<'_>,
    memory: &mut [Memory; 2],
    followed: &[Placement],
    parameters: &PlannerParameters,
    rate: f64,
    time_manager: &mut TimeManager<'_>,
) -> (BothSearches, ForeseenPlans) {
    let [own, opponent] = &input.state.players;
    let [own_memory, opponents_memory] = memory;
    let known = [own_memory.tree(own), opponents_memory.tree(opponent)];
    let reused = [known[0].fields(), known[1].fields()];

    let shares = &parameters.shares;
    let own_share = if input.is_opening { shares.opening_own_beam() } else { shares.own_beam };
    let depth = parameters.depth_at(input.state.turn);
    let request = own_request(own.field, own.stock, input.packs, depth, input.is_opening);
    let own_beam = |budget: &Budget| beam::search_on(&request, &known[0], budget);

    let factor = if input.is_opponent_short_of_time { shares.short_of_time } else { 1.0 };
    let opponents_share = factor * shares.opponents_beam;
    let mut opponents_beam = |budget: &Budget| {
        let request = opponents_request(opponent.field, opponent.stock, input.packs);
        let (mut theirs, tree) = beam::search_on(&request, &known[1], budget);
        opponents_memory.renew(opponent, input.packs, &[], &mut theirs, tree);
        theirs
    };
    let foreseen = |theirs: &BeamResult, budget: &mut dyn FnMut(f64) -> Budget| {
        let no_rows_due = opponent.stock < OJAMA_ROW;
        let model = &parameters.plans.opponent;
        let opponent =
            opponent_model::opponent_plans(theirs, parameters.shortest, no_rows_due, model);
        let counter = (own.stock < OJAMA_ROW)
            .then(|| counter_plan::counter_plan(input, &opponent, parameters, budget));
        ForeseenPlans { opponent, counter: counter.flatten() }
    };

    let (mut ours, own_tree, theirs, plans, found_nothing_new);
    if time_manager.runs_beside() {
        let counter_plans = if own.stock < OJAMA_ROW { shares.counter_plans() } else { 0.0 };
        let budget = time_manager.beam_beside(own_share, opponents_share + counter_plans, rate);
        ((ours, own_tree), (theirs, plans)) = rayon::join(
            || own_beam(&budget),
            || {
                let mut beside = time_manager.beside();
                let theirs = opponents_beam(&beside.share(opponents_share));
                let plans = foreseen(&theirs, &mut |share| beside.share(share));
                (theirs, plans)
            },
        );
        found_nothing_new = time_manager.end_beam(budget);
    } else {
        let budget = time_manager.beam(own_share);
        (ours, own_tree) = own_beam(&budget);
        found_nothing_new = time_manager.end_beam(budget);
        let budget = time_manager.beam(opponents_share);
        theirs = opponents_beam(&budget);
        time_manager.end_beam(budget);
        plans = foreseen(&theirs, &mut |share| time_manager.share(share));
    }
    own_memory.renew(own, input.packs, followed, &mut ours, own_tree);
    (BothSearches { found: [ours, theirs], reused, found_nothing_new }, plans)
}

/// Carries both memories over to this turn without a search. `followed` are the remaining drops of
/// the followed plan.
pub(super) fn skip_both_searches(
    input: &DecisionInput<'_>,
    memory: &mut [Memory; 2],
    followed: &[Placement],
    parameters: &PlannerParameters,
) {
    let depth = parameters.depth_at(input.state.turn);
    let sides = input.state.players.iter().zip(memory).zip([followed, &[]]);
    for ((player, memory), followed) in sides {
        let attacks = vec![None; depth.min(input.packs.len())];
        let mut nothing_new = BeamResult { attacks, ..BeamResult::default() };
        let tree = memory.tree(player);
        memory.renew(player, input.packs, followed, &mut nothing_new, tree);
    }
}

/// Depth of the opponent's beam, in turns.
const OPPONENTS_DEPTH: usize = win_probability::TURNS_AHEAD;

/// Whether `turn` is one of the opening without rows: before turn `opening`, the end of the
/// opening, and no row is due on a player with one of `stocks`. Neither side can hurt the other
/// yet.
pub fn is_opening(turn: usize, opening: usize, stocks: [Stock; 2]) -> bool {
    turn < opening && stocks.iter().all(|&stock| stock < OJAMA_ROW)
}

/// Returns the drop columns of the own plans. In a turn of the opening two columns on each side
/// stay closed: a pack has 20 drops instead of 36, and the field is built upwards, so that its
/// trigger stays above the first rows (y.s.).
pub const fn own_columns(is_opening: bool) -> DropColumns {
    if is_opening { DropColumns::without_sides(2) } else { DropColumns::ALL }
}

/// Returns the request of the own beam, of `depth` turns, on `field` with the rows of `stock`.
pub fn own_request(
    field: Field,
    stock: Stock,
    packs: &[Pack],
    depth: usize,
    is_opening: bool,
) -> BeamRequest<'_> {
    let (rain, columns) = (Rain::of_stock(stock), own_columns(is_opening));
    BeamRequest { field, packs, rain, depth, columns }
}

/// Returns the request of the opponent's beam on `field` with the rows of `stock`. The opponent may
/// use all columns, in a turn of the opening too: without its outer columns, its attacks came a
/// turn or two sooner than foreseen.
pub fn opponents_request(field: Field, stock: Stock, packs: &[Pack]) -> BeamRequest<'_> {
    let (rain, columns) = (Rain::of_stock(stock), DropColumns::ALL);
    BeamRequest { field, packs, rain, depth: OPPONENTS_DEPTH, columns }
}

/// The plans of both sides.
pub(super) struct Plans {
    /// The own attacks that may be planned, soonest first, then the followed plan and the
    /// counter-plan unless they are among them.
    pub own: Vec<Plan>,
    /// The attacks that the opponent may plan, soonest first.
    pub opponent: Vec<Plan>,
    /// The likelihood of each plan of the opponent; the sum is 1.
    pub likelihoods: Vec<Probability>,
    /// Our counterattacks to the opponent's soonest major attack, if the counter-plan has any.
    pub own_counterattacks: Option<KnownCounterattacks>,
}

impl Plans {
    /// Chooses the own plans among the attacks that the own beam found (`ours`), and adds the
    /// followed plan and the counter-plan, if no own row is due. `followed` are the remaining drops
    /// of the followed plan.
    fn choose(
        input: &DecisionInput<'_>,
        ours: &BeamResult,
        ForeseenPlans { opponent, counter }: ForeseenPlans,
        followed: &[Placement],
        parameters: &PlannerParameters,
    ) -> Self {
        let shortest = parameters.shortest;
        let model = &parameters.plans.opponent;
        let mut own = opponent_model::own_plans(ours, shortest, model);
        let likelihoods = opponent_model::likelihoods(&opponent, model);
        if input.state[Seat::First].stock < OJAMA_ROW {
            add(&mut own, counter_plan::followed_attack(input, followed, shortest));
        }
        let own_counterattacks = counter.map(|(attack, counterattacks)| {
            add(&mut own, Some(attack));
            counterattacks
        });
        Self { own, opponent, likelihoods, own_counterattacks }
    }
}

/// Adds `attack` to `plans`, unless a plan has its path.
fn add(plans: &mut Vec<Plan>, attack: Option<Attack>) {
    if let Some(attack) = attack
        && plans.iter().all(|plan| plan.attack.path != attack.path)
    {
        plans.push(attack.into());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_turn_is_of_the_opening_while_no_row_is_due() {
        let is_opening_at = |turn, stocks| is_opening(turn, 8, stocks);
        assert!(is_opening_at(0, [0, 0]) && is_opening_at(7, [OJAMA_ROW - 1; 2]));
        assert!(!is_opening_at(8, [0, 0]));
        assert!(!is_opening_at(0, [OJAMA_ROW, 0]) && !is_opening_at(0, [0, OJAMA_ROW]));
    }
}
