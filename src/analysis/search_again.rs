//! Searches a turn again.

use std::sync::Arc;
use std::time::Duration;

use crate::board::Field;
use crate::engine::{
    BestSoFar, Decision, Engine, Planner, PlannerParameters, TimeLimits, TurnClock,
};
use crate::game::{Action, Cells, DropColumns, Pack, Packs, Player, Seat, State};
use crate::protocol::Observation;
use crate::record::Limits;
use crate::search::alpha_beta::{self as search, RootMove};
use crate::search::beam::{self, Attack, BeamRequest};
use crate::search::{Budget, Rain, SearchControl, TranspositionTable, threats};
use crate::util::clock::Instant;

/// The limits of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SearchLimits {
    /// The limits that the player had in the game: the time left that it was sent, the time for the
    /// game and the most time for a turn, and its nodes for a decision, if they were limited.
    Recorded {
        /// The time of the player for the game; `None` if it is unknown.
        game: Option<Duration>,
        /// The most time that a turn may take.
        turn: Duration,
        /// The most simulated drops of a decision.
        nodes: Option<u64>,
    },
    /// The time for this decision.
    Time(Duration),
    /// The most simulated drops of this decision, without a time limit.
    Nodes(u64),
}

/// The result of searching a turn again.
#[derive(Clone, Debug)]
pub struct SearchedAgain {
    /// The decision of an engine that has not seen the turns before.
    pub decision: Decision,
    /// Plies of the alpha-beta search.
    pub plies: usize,
    /// All actions by their value in the alpha-beta search, best first. The values of the best
    /// action, of the decision and of the requested action are exact; the others are upper bounds.
    pub root_moves: Vec<RootMove>,
}

/// Drops of the alpha-beta search under a time limit: enough for four plies, at most a second of
/// work.
const DROPS_OF_ALPHA_BETA: u64 = 20_000_000;

/// Drops of each player's outlook under a time limit: some tenths of a second.
const DROPS_OF_ATTACKS: u64 = 5_000_000;

/// The least drops with which an alpha-beta search of four and of three plies is tried: roughly the
/// number that it takes.
const DROPS_OF_PLIES: [u64; 2] = [15_000_000, 400_000];

/// Turns that an [`outlook`] reaches, equal to the depth of the engine's own beam in decisions that
/// are not quick.
const DEPTH: usize = 16;

/// The observation of the player in a seat. Its clock does not matter, because drops are limited,
/// or the time of the decision alone.
pub fn observation(mut state: State<Cells>, seat: Seat) -> Observation {
    state.players.rotate_left(seat.index());
    Observation { state, time_left: [Duration::from_millis(Limits::CONTEST.game_ms); 2] }
}

/// Decides a turn with an engine that has not seen the turns before; `None` if `control` has
/// stopped the search.
///
/// # Panics
/// If `packs` has no pack for the turn.
pub fn decide(
    engine: &mut dyn Engine,
    observation: &Observation,
    packs: &Packs,
    limits: SearchLimits,
    control: &Arc<SearchControl>,
) -> Option<Decision> {
    let (observation, clock) = limits.clock(observation);
    let clock = clock.with_control(Arc::clone(control));
    engine.new_game();
    let decision = engine.decide(packs, &observation, &clock, &BestSoFar::default());
    (!control.is_stopped()).then_some(decision)
}

/// Searches a turn as the bot's engine does, and also finds the exact value of the action `played`;
/// `None` if `control` has stopped the search.
///
/// # Panics
/// If `packs` has no pack for the turn.
pub fn search_again(
    observation: &Observation,
    packs: &Packs,
    played: Option<Action>,
    limits: SearchLimits,
    control: &Arc<SearchControl>,
) -> Option<SearchedAgain> {
    let mut engine = Planner::new(PlannerParameters::default());
    let decision = decide(&mut engine, observation, packs, limits, control)?;

    let state: State<Field> = observation.state.convert();
    let packs = packs.from_turn(state.turn);
    let drops = limits.nodes().unwrap_or(DROPS_OF_ALPHA_BETA);
    let exact = [played, Some(decision.action)];
    let (plies, root_moves) = alpha_beta(&state, packs, exact, drops, control)?;
    Some(SearchedAgain { decision, plies, root_moves })
}

/// The longest chains that the player, and that its opponent, can set off in each of the coming
/// turns, found by a beam search whose only goal is the longest chains. The result has no meaning
/// once `control` has stopped the search.
pub fn outlook(
    observation: &Observation,
    packs: &Packs,
    limits: SearchLimits,
    control: &Arc<SearchControl>,
) -> [Vec<Option<Attack>>; 2] {
    let packs = packs.from_turn(observation.state.turn);
    let drops = limits.nodes().unwrap_or(DROPS_OF_ATTACKS);
    let state: State<Field> = observation.state.convert();
    Seat::BOTH.map(|seat| attacks(&state[seat], packs, DEPTH, drops, control))
}

impl SearchLimits {
    /// The most simulated drops, if they are limited.
    const fn nodes(self) -> Option<u64> {
        match self {
            Self::Recorded { nodes, .. } => nodes,
            Self::Nodes(nodes) => Some(nodes),
            Self::Time(_) => None,
        }
    }

    /// The clock, and the observation with the time left that belongs to it.
    fn clock(self, observation: &Observation) -> (Observation, TurnClock) {
        let mut observation = *observation;
        let rules = match self {
            Self::Recorded { game, turn, nodes } => {
                TimeLimits { game, turn, nodes, ..TimeLimits::default() }
            }
            Self::Nodes(nodes) => TimeLimits { nodes: Some(nodes), ..TimeLimits::default() },
            Self::Time(time) => {
                // With this time left for the game, the engine uses the whole limit of the turn.
                const PLENTY: u32 = 1000;
                observation.time_left[0] = time.saturating_mul(PLENTY);
                TimeLimits { turn: time, reserve: Some(Duration::ZERO), ..TimeLimits::default() }
            }
        };
        (observation, TurnClock::new(Instant::now(), observation.time_left[0], &rules))
    }
}

/// Runs the alpha-beta search as deep as `drops` allows, at least to two plies, with exact values
/// of the actions `exact`. Returns the plies, and all actions, best first; `None` if `control` has
/// stopped the search.
///
/// # Panics
/// If `packs` is empty.
fn alpha_beta(
    state: &State<Field>,
    packs: &[Pack],
    exact: [Option<Action>; 2],
    drops: u64,
    control: &Arc<SearchControl>,
) -> Option<(usize, Vec<RootMove>)> {
    let deeper = [4, 3].into_iter().zip(DROPS_OF_PLIES);
    let deeper = deeper.filter(|&(plies, least)| drops >= least && packs.len() >= plies);
    let least = (packs.len().min(2), u64::MAX);
    let tries = deeper.map(|(plies, _)| (plies, drops)).chain([least]);
    let mut table = TranspositionTable::default();
    let found = tries.map(|(plies, drops)| {
        let budget = || Budget::new(drops, None).with_control(Some(Arc::clone(control)));
        let root_moves = to_depth(state, packs, exact, plies, &mut table, &budget)?;
        Some((plies, root_moves))
    });
    let found = found.flatten().next().filter(|_| !control.is_stopped());
    assert!(found.is_some() || control.is_stopped(), "two plies are searched to their end");
    found
}

/// The alpha-beta search to `plies` plies; `None` if a search takes more than its `budget`.
fn to_depth(
    state: &State<Field>,
    packs: &[Pack],
    exact: [Option<Action>; 2],
    plies: usize,
    table: &mut TranspositionTable,
    budget: &dyn Fn() -> Budget,
) -> Option<Vec<RootMove>> {
    let threats = threats::search(&state[Seat::Second], packs, plies, table, &budget())?;
    let mut search = |exact| search::search(state, packs, &threats, exact, table, &budget());
    let [first, second] = exact;
    let mut root_moves = search(first)?;
    let best = root_moves.first()?.action;
    // One search finds the exact values of the best action and of one more.
    let missing = second.filter(|&action| Some(action) != first && action != best);
    if let Some(action) = missing {
        let value = search(second)?.iter().find(|root_move| root_move.action == action)?.value;
        root_moves.iter_mut().filter(|v| v.action == action).for_each(|v| v.value = value);
        root_moves.sort_by_key(|root_move| std::cmp::Reverse(root_move.value));
    }
    Some(root_moves)
}

/// The longest chain that a player can set off in each of the coming turns, under the rows that are
/// due, as far as a beam search of `drops` drops finds them. The result has no meaning once
/// `control` has stopped the search.
pub fn attacks(
    player: &Player<Field>,
    packs: &[Pack],
    depth: usize,
    drops: u64,
    control: &Arc<SearchControl>,
) -> Vec<Option<Attack>> {
    let rain = Rain::of_stock(player.stock);
    let columns = DropColumns::ALL;
    let request = BeamRequest { field: player.field, packs, rain, depth, columns };
    let budget = Budget::new(drops, None).with_control(Some(Arc::clone(control)));
    beam::search(&request, &budget).attacks
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Chain;
    use crate::search::alpha_beta::LOSS;

    #[test]
    fn values_of_requested_actions_are_exact() {
        let mut state = State::<Field>::new();
        let field = "
            6.........
            43........
            285.......
            17428.....";
        state.players[0].field = field.parse().unwrap();
        state.players[1].field = field.parse().unwrap();
        state.players[0].stock = 23;
        let packs = Packs::from_seed(5);
        let packs = packs.from_turn(0);
        let value = |root_moves: &[RootMove], action| {
            root_moves.iter().find(|root_move| root_move.action == action).unwrap().value
        };
        for text in ["0 0", "3 2", "8 1"] {
            let action: Action = text.parse().unwrap();
            let other: Action = "5 3".parse().unwrap();
            let searched = |exact| alpha_beta(&state, packs, exact, 1000, &Arc::default()).unwrap();
            let (_, once) = searched([Some(action), None]);
            let (plies, twice) = searched([Some(other), Some(action)]);
            assert_eq!(plies, 2);
            assert_eq!(value(&twice, action), value(&once, action));
            assert!(twice.is_sorted_by_key(|root_move| std::cmp::Reverse(root_move.value)));
            assert!(value(&twice, action) > LOSS);
        }
    }

    #[test]
    fn a_control_counts_and_stops() {
        let observation = Observation { state: State::new(), time_left: [Duration::ZERO; 2] };
        let packs = Packs::from_seed(1);
        let limits = SearchLimits::Nodes(20_000);
        let control = Arc::default();
        // On several threads the drops of two searches of a turn differ.
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        let searched = |limits, control: &Arc<SearchControl>| {
            pool.install(|| search_again(&observation, &packs, None, limits, control))
        };
        let watched = searched(limits, &control).unwrap();
        assert!(control.nodes() >= watched.decision.report.nodes, "{}", control.nodes());
        let mut unwatched = searched(limits, &Arc::default()).unwrap();
        unwatched.decision.report.time_ms = watched.decision.report.time_ms;
        assert_eq!(watched.decision.report, unwatched.decision.report);
        control.stop();
        assert!(searched(limits, &control).is_none());
        let nodes = control.nodes();
        assert!(searched(SearchLimits::Nodes(u64::MAX), &control).is_none());
        assert!(control.nodes() < nodes + 100_000, "it ends soon");
    }

    #[test]
    fn the_last_turns_are_searched_too() {
        let state = State { turn: 499, ..State::new() };
        let observation = Observation { state, time_left: [Duration::from_secs(9); 2] };
        let (packs, control) = (Packs::from_seed(1), Arc::default());
        let thought =
            search_again(&observation, &packs, None, SearchLimits::Nodes(100), &control).unwrap();
        assert_eq!((thought.plies, thought.root_moves.len()), (1, 36));
        let [own, opponents] = outlook(&observation, &packs, SearchLimits::Nodes(100), &control);
        assert_eq!((own.len(), opponents.len()), (1, 1));
        assert!(thought.root_moves.iter().all(|root_move| root_move.chain == Chain(0)));
    }
}
