//! Weak opponents that look one turn ahead.

use std::cmp::Reverse;
use std::ops::RangeInclusive;

use super::{ActionSource, BestSoFar, Decision, Engine, Report, TurnClock, without_search};
use crate::board::Field;
use crate::game::{Action, Pack, Packs, Player, Seat, State, Step};
use crate::protocol::Observation;

/// Plays, of the actions that survive this turn, the one that sends the most ojama. Of equal
/// actions it takes the one after which the tallest column is lowest, then the one with the
/// smallest sum of squared heights, then the first one. It does not read the opponent's field or
/// the coming packs.
#[derive(Clone, Debug, Default)]
pub struct GreedyEngine {
    style: Style,
}

/// What an engine sees of its actions, and which of them it takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Style {
    /// All actions, by [`rank`].
    #[default]
    Careful,
    /// One of [`STACKER_SEES_ONE_OF`] actions, by [`careless_rank`].
    Stacker,
    /// The columns of [`BEGINNERS_COLUMNS`]: in three of four turns anywhere there where nothing
    /// vanishes, else the most ojama and the longest chain that it sees there or by the skill.
    Beginner,
}

/// The columns in which a beginner drops its packs: it leaves the edges free, so that its field is full
/// after about 50 turns, and a person's first win takes less than three minutes (experiment O-14).
const BEGINNERS_COLUMNS: RangeInclusive<u8> = 1..=7;

/// A stacker sees one of this number of actions. With 2 it wins nearly all games against a person who
/// has won the first ones (experiment O-14).
const STACKER_SEES_ONE_OF: u32 = 8;

/// The height up to which a stacker does not mind where its blocks lie, in rows.
const CARELESS_HEIGHT: u8 = 11;

/// The order of actions, the better one greater: survival, ojama sent, a low tallest column, the
/// smallest sum of the squares of the heights.
type Rank = (bool, u64, Reverse<u8>, Reverse<u32>);

fn rank(player: &Player<Field>, sent: u64) -> Rank {
    let heights = player.field.heights();
    let squares = heights.iter().map(|&height| u32::from(height).pow(2)).sum();
    (!player.field.is_over(), sent, Reverse(player.field.tallest()), Reverse(squares))
}

/// The order of actions of a stacker: as [`rank`], but up to [`CARELESS_HEIGHT`] all heights are the
/// same to it, and `whim` decides.
fn careless_rank(player: &Player<Field>, sent: u64, whim: u32) -> Rank {
    let tallest = player.field.tallest().max(CARELESS_HEIGHT);
    (!player.field.is_over(), sent, Reverse(tallest), Reverse(whim))
}

/// The order of actions of a beginner; `None` for an action that it does not see.
fn beginners_rank(
    turn: usize,
    pack: &Pack,
    action: Action,
    step: &Step<Field>,
    whim: u32,
) -> Option<Rank> {
    let is_careless = !self::whim(turn, pack, usize::from(u8::MAX)).is_multiple_of(4);
    let is_seen = match action {
        Action::Drop(placement) => BEGINNERS_COLUMNS.contains(&placement.column.get()),
        Action::Skill => !is_careless,
    };
    let chain = u64::from(step.chain.0);
    let liked = if is_careless { u64::from(chain == 0) } else { 100 * step.sent() + chain };
    is_seen.then_some((true, liked, Reverse(0), Reverse(whim)))
}

/// A number that follows from the turn, its pack and the index of an action, and looks like chance.
fn whim(turn: usize, pack: &Pack, action: usize) -> u32 {
    let numbers = [turn, action].map(|number| number as u32);
    let numbers = numbers.into_iter().chain(pack.codes().map(u32::from));
    // The hash of FNV-1a, of numbers instead of bytes, with its bits mixed at the end.
    let hash =
        numbers.fold(0x811c_9dc5_u32, |hash, number| (hash ^ number).wrapping_mul(0x0100_0193));
    (hash ^ (hash >> 15)).wrapping_mul(0x2c1b_3c6d)
}

impl GreedyEngine {
    /// An engine that sees all actions.
    pub const fn new() -> Self {
        Self { style: Style::Careful }
    }

    /// An engine for a person's first games: it piles its packs up and does not see that a column gets
    /// too high, until in one of four turns it takes the best attack that it sees.
    pub const fn beginner() -> Self {
        Self { style: Style::Beginner }
    }

    /// An engine that overlooks most of its actions, and stacks anywhere while its field is low, so that
    /// blocks lie about for chains and for the skill.
    pub const fn stacker() -> Self {
        Self { style: Style::Stacker }
    }
}

impl Engine for GreedyEngine {
    fn new_game(&mut self) {}

    fn decide(
        &mut self,
        packs: &Packs,
        observation: &Observation,
        clock: &TurnClock,
        _best_so_far: &BestSoFar,
    ) -> Decision {
        let turn = observation.state.turn;
        let state: State<Field> = observation.state.convert();
        let own = &state[Seat::First];
        let pack = packs.get(turn);
        let best = pack.and_then(|pack| {
            let steps = Action::all().enumerate().filter_map(|(index, action)| {
                let whim = whim(turn, pack, index);
                let step = own.step(pack, action).ok()?;
                let (player, sent) = (&step.player, step.sent());
                let rank = match self.style {
                    Style::Careful => Some(rank(player, sent)),
                    Style::Stacker => {
                        let is_seen = whim.is_multiple_of(STACKER_SEES_ONE_OF);
                        is_seen.then(|| careless_rank(player, sent, whim))
                    }
                    Style::Beginner => beginners_rank(turn, pack, action, &step, whim),
                };
                Some((rank?, action))
            });
            // `max_by_key` takes the last of equal actions.
            steps.collect::<Vec<_>>().into_iter().rev().max_by_key(|&(rank, _)| rank)
        });
        let action = best.map_or_else(
            || pack.map_or(Action::Skill, |pack| without_search::fallback(own, pack)),
            |(_, action)| action,
        );
        let report = Report {
            turn,
            action: action.to_string(),
            source: ActionSource::Greedy,
            nodes: Action::all().count() as u64,
            time_ms: clock.elapsed_ms(),
            ..Report::default()
        };
        Decision { action, report }
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;
    use crate::engine::TimeLimits;
    use crate::game::{Cells, Gauge, Pack, TURNS};

    fn decide(field: &str, gauge: u8, pack: [u8; 4]) -> Action {
        let field: Cells = field.parse().unwrap();
        let mut state = State::new();
        state.players[0].field = field;
        state.players[0].gauge = Gauge::new(gauge).unwrap();
        let packs = Packs::new(vec![Pack::new(pack).unwrap(); TURNS]).unwrap();
        let time_left = [Duration::from_secs(1); 2];
        let clock = TurnClock::new(Instant::now(), time_left[0], &TimeLimits::default());
        let observation = Observation { state, time_left };
        GreedyEngine::new().decide(&packs, &observation, &clock, &BestSoFar::default()).action
    }

    #[test]
    fn plays_the_action_that_sends_the_most_ojama() {
        // As in the tests of `State`: the pack's 1 meets the 9, and two more rounds follow.
        let field = "3.........\n2.........\n9.........\n84........\n74........";
        let player = State { turn: 0, players: [Player::new(); 2] };
        let mut own: Player<Cells> = player.players[0];
        own.field = field.parse().unwrap();
        let pack = Pack::new([1, 1, 1, 0]).unwrap();
        let chosen = own.step(&pack, decide(field, 0, [1, 1, 1, 0])).unwrap();
        let best = Action::all().filter_map(|action| own.step(&pack, action).ok());
        let most = best.map(|step| step.sent()).max().unwrap();
        assert!(most > 0);
        assert_eq!(chosen.sent(), most);
    }

    #[test]
    fn uses_the_skill_where_it_sends_more() {
        let fives = "5555555555\n1212121212\n5555555555";
        assert_eq!(decide(fives, 80, [1, 1, 1, 0]), Action::Skill);
        assert_ne!(decide(fives, 79, [1, 1, 1, 0]), Action::Skill);
    }

    #[test]
    fn keeps_the_field_low() {
        let tower = "1.........\n".repeat(12);
        let Action::Drop(drop) = decide(&tower, 0, [1, 1, 1, 0]) else {
            panic!("no skill is ready")
        };
        assert!(drop.column.get() > 0);
    }

    /// The tallest column after twelve turns of `engine` alone.
    fn tallest(mut engine: GreedyEngine, packs: &Packs) -> u8 {
        let mut state = State::<Cells>::new();
        for turn in 0..12 {
            state.turn = turn;
            let time_left = [Duration::from_secs(1); 2];
            let clock = TurnClock::new(Instant::now(), time_left[0], &TimeLimits::default());
            let observation = Observation { state, time_left };
            let decision = engine.decide(packs, &observation, &clock, &BestSoFar::default());
            let own = state.players[0];
            state.players[0] = own.step(packs.get(turn).unwrap(), decision.action).unwrap().player;
        }
        state.players[0].field.tallest()
    }

    #[test]
    fn a_stacker_stacks_anywhere_and_higher() {
        let mut sums = [0, 0];
        for packs in (0..20).map(Packs::from_seed) {
            sums[0] += u32::from(tallest(GreedyEngine::new(), &packs));
            sums[1] += u32::from(tallest(GreedyEngine::stacker(), &packs));
        }
        assert!(sums[0] < sums[1], "{sums:?}");
    }

    /// Alone, its field is full after about 80 turns.
    #[test]
    fn a_beginner_piles_up_and_attacks_now_and_then() {
        const GAMES: u64 = 20;
        let mut engine = GreedyEngine::beginner();
        let (mut turns, mut attacks, mut quiet) = (0, 0, 0);
        for packs in (0..GAMES).map(Packs::from_seed) {
            let mut state: State<Field> = State::new();
            while !state.players[0].field.is_over() && state.turn < TURNS {
                let time_left = [Duration::from_secs(1); 2];
                let clock = TurnClock::new(Instant::now(), time_left[0], &TimeLimits::default());
                let observation = Observation { state: state.convert(), time_left };
                let decision = engine.decide(&packs, &observation, &clock, &BestSoFar::default());
                if let Action::Drop(placement) = decision.action {
                    assert!(BEGINNERS_COLUMNS.contains(&placement.column.get()));
                }
                let pack = packs.get(state.turn).unwrap();
                let step = state.players[0].step(pack, decision.action).unwrap();
                turns += 1;
                attacks += u64::from(step.sent() > 0);
                quiet += u64::from(step.chain.0 == 0);
                (state.players[0], state.turn) = (step.player, state.turn + 1);
            }
        }
        assert!((50..100).contains(&(turns / GAMES)), "{turns} turns");
        assert!(attacks > GAMES, "{attacks} attacks");
        assert!(3 * quiet > 2 * turns, "{quiet} of {turns} turns without a chain");
    }
}
