//! Thinking about a turn again.

use std::time::{Duration, Instant};

use crate::board::Field;
use crate::engine::{
    BestSoFar, Decision, Engine, Planner, PlannerParameters, TimeLimits, TurnClock,
};
use crate::game::{Action, DropColumns, Pack, Packs, Player, Seat, State};
use crate::protocol::Observation;
use crate::search::alpha_beta::{self as search, Verdict};
use crate::search::beam::{self, Attack, Question};
use crate::search::{Budget, Rain, threats};

/// What a turn may be thought about with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Limits {
    /// What the player had then: its time left, as it was told, the most for a turn, and the nodes
    /// for a decision if it was given any.
    Recorded {
        /// The most that a turn may take.
        turn: Duration,
        /// Simulated drops a decision.
        nodes: Option<u64>,
    },
    /// So much time for this decision.
    Time(Duration),
    /// So many simulated drops for this decision, whatever the time.
    Nodes(u64),
}

/// What there is to say about a turn.
#[derive(Clone, Debug)]
pub struct Thought {
    /// What the engine would play, never having seen the turns before.
    pub decision: Decision,
    /// Plies of the alpha_beta.
    pub plies: usize,
    /// All actions by their value in the alpha-beta, best first. Exact are the values of the best one, of
    /// the decision and of the action asked for; the others are bounds from above.
    pub verdicts: Vec<Verdict>,
}

/// Drops for the alpha-beta where time is limited: enough for four plies, a second of work at most.
const DROPS_OF_DUEL: u64 = 20_000_000;

/// Drops for each player's outlook where time is limited: some tenths of a second.
const DROPS_OF_ATTACKS: u64 = 5_000_000;

/// Drops from which an alpha-beta of four and of three plies is tried: what they take, roughly.
const DROPS_OF_PLIES: [u64; 2] = [15_000_000, 400_000];

/// Turns that an [`outlook`] reaches: as many as the engine's own beam looks ahead.
const DEPTH: usize = 16;

/// Thinks about a turn as the bot's engine does, with the exact value of the action `played` as well.
///
/// # Panics
/// If the packs have none for the turn.
pub fn think(
    observation: &Observation,
    packs: &Packs,
    played: Option<Action>,
    limits: Limits,
) -> Thought {
    let (observation, clock) = limits.clock(observation);
    let mut engine = Planner::new(PlannerParameters::default());
    engine.new_game(packs);
    let decision = engine.decide(&observation, &clock, &BestSoFar::default());

    let state: State<Field> = observation.state.convert();
    let packs = packs.from_turn(state.turn);
    let drops = clock.nodes().unwrap_or(DROPS_OF_DUEL);
    let (plies, verdicts) = alpha_beta(&state, packs, [played, Some(decision.action)], drops);
    Thought { decision, plies, verdicts }
}

/// The longest chains that the player, and that its opponent, can set off in each of the coming
/// turns: what a search finds that is asked for nothing else.
pub fn outlook(
    observation: &Observation,
    packs: &Packs,
    limits: Limits,
) -> [Vec<Option<Attack>>; 2] {
    let packs = packs.from_turn(observation.state.turn);
    let (_, clock) = limits.clock(observation);
    let drops = clock.nodes().unwrap_or(DROPS_OF_ATTACKS);
    let state: State<Field> = observation.state.convert();
    Seat::BOTH.map(|seat| attacks(&state[seat], packs, DEPTH, drops))
}

impl Limits {
    /// The clock, and the observation as it tells of the time.
    fn clock(self, observation: &Observation) -> (Observation, TurnClock) {
        let mut observation = *observation;
        let rules = match self {
            Self::Recorded { turn, nodes } => TimeLimits { turn, nodes, ..TimeLimits::default() },
            Self::Nodes(nodes) => TimeLimits { nodes: Some(nodes), ..TimeLimits::default() },
            Self::Time(time) => {
                // With so much left for the game, a turn is worth all that it may take.
                const PLENTY: u32 = 1000;
                observation.time_left[0] = time.saturating_mul(PLENTY);
                TimeLimits { turn: time, reserve: Duration::ZERO, nodes: None }
            }
        };
        (observation, TurnClock::new(Instant::now(), observation.time_left[0], &rules))
    }
}

/// Searches by alpha-beta as deep as the drops allow, at least two plies, with exact values of the given
/// actions. Returns the plies, and all actions, best first.
///
/// # Panics
/// Without a pack.
fn alpha_beta(
    state: &State<Field>,
    packs: &[Pack],
    exact: [Option<Action>; 2],
    drops: u64,
) -> (usize, Vec<Verdict>) {
    let deeper = [4, 3].into_iter().zip(DROPS_OF_PLIES);
    let deeper = deeper.filter(|&(plies, least)| drops >= least && packs.len() >= plies);
    let least = (packs.len().min(2), u64::MAX);
    let tries = deeper.map(|(plies, _)| (plies, drops)).chain([least]);
    let found = tries.map(|(plies, drops)| {
        let verdicts = to_depth(state, packs, exact, plies, drops)?;
        Some((plies, verdicts))
    });
    found.flatten().next().expect("two plies are searched to their end")
}

/// The alpha-beta search to a depth, unless that takes more drops.
fn to_depth(
    state: &State<Field>,
    packs: &[Pack],
    exact: [Option<Action>; 2],
    plies: usize,
    drops: u64,
) -> Option<Vec<Verdict>> {
    let budget = || Budget::new(drops, None);
    let threats = threats::search(&state[Seat::Second], packs, plies, &budget())?;
    let search = |exact| search::search(state, packs, &threats, exact, &budget());
    let [first, second] = exact;
    let mut verdicts = search(first)?;
    let best = verdicts.first()?.value;
    // One action at a time can be asked about.
    let missing = second.filter(|&action| Some(action) != first);
    let known = |action| verdicts.iter().any(|v| v.action == action && v.value == best);
    if let Some(action) = missing.filter(|&action| !known(action)) {
        let value = search(second)?.iter().find(|verdict| verdict.action == action)?.value;
        verdicts.iter_mut().filter(|v| v.action == action).for_each(|v| v.value = value);
        verdicts.sort_by_key(|verdict| std::cmp::Reverse(verdict.value));
    }
    Some(verdicts)
}

/// The longest chain that a player can set off in each of the coming turns, under the rows that
/// are due, as far as so many drops find them.
pub fn attacks(
    player: &Player<Field>,
    packs: &[Pack],
    depth: usize,
    drops: u64,
) -> Vec<Option<Attack>> {
    let rain = Rain::of_stock(player.stock);
    let positions = DropColumns::ALL;
    let question = Question { field: player.field, packs, rain, depth, positions };
    beam::search(&question, &Budget::new(drops, None)).attacks
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Chain;
    use crate::search::alpha_beta::LOSS;

    #[test]
    fn values_of_what_is_asked_for_are_exact() {
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
        let value = |verdicts: &[Verdict], action| {
            verdicts.iter().find(|verdict| verdict.action == action).unwrap().value
        };
        for text in ["0 0", "3 2", "8 1"] {
            let action: Action = text.parse().unwrap();
            let other: Action = "5 3".parse().unwrap();
            let (_, once) = alpha_beta(&state, packs, [Some(action), None], 1000);
            let (plies, twice) = alpha_beta(&state, packs, [Some(other), Some(action)], 1000);
            assert_eq!(plies, 2);
            assert_eq!(value(&twice, action), value(&once, action));
            assert!(twice.is_sorted_by_key(|verdict| std::cmp::Reverse(verdict.value)));
            assert!(value(&twice, action) > LOSS);
        }
    }

    #[test]
    fn the_last_turns_are_thought_about_too() {
        let state = State { turn: 499, ..State::new() };
        let observation = Observation { state, time_left: [Duration::from_secs(9); 2] };
        let thought = think(&observation, &Packs::from_seed(1), None, Limits::Nodes(100));
        assert_eq!((thought.plies, thought.verdicts.len()), (1, 36));
        let [own, opponents] = outlook(&observation, &Packs::from_seed(1), Limits::Nodes(100));
        assert_eq!((own.len(), opponents.len()), (1, 1));
        assert!(thought.verdicts.iter().all(|verdict| verdict.chain == Chain(0)));
    }
}
