//! A weak opponent that looks one turn ahead.

use std::cmp::Reverse;

use super::{ActionSource, BestSoFar, Decision, Engine, Report, TurnClock, without_search};
use crate::board::Field;
use crate::game::{Action, Packs, Player, Seat, State};
use crate::protocol::Observation;

/// Plays, of the actions that survive this turn, the one that sends the most ojama. Of equal
/// actions it takes the one after which the tallest column is lowest, then the one with the
/// smallest sum of squared heights, then the first one. It does not read the opponent's field or
/// the coming packs.
#[derive(Clone, Debug, Default)]
pub struct GreedyEngine {
    /// Whether it overlooks every second column, other ones in the next turn.
    overlooks: bool,
}

/// The order of actions, the better one greater: survival, ojama sent, a low tallest column, the
/// smallest sum of the squares of the heights.
fn rank(player: &Player<Field>, sent: u64) -> (bool, u64, Reverse<u8>, Reverse<u32>) {
    let heights = player.field.heights();
    let squares = heights.iter().map(|&height| u32::from(height).pow(2)).sum();
    (!player.field.is_over(), sent, Reverse(player.field.tallest()), Reverse(squares))
}

impl GreedyEngine {
    /// An engine that sees all actions.
    pub const fn new() -> Self {
        Self { overlooks: false }
    }

    /// An engine that overlooks the drops in every second column, as a beginner does: an opponent that
    /// a person beats in one of the first games. It sees the skill.
    pub const fn beginner() -> Self {
        Self { overlooks: true }
    }

    /// Whether it sees `action` in `turn`.
    fn sees(&self, turn: usize, action: Action) -> bool {
        match action {
            Action::Drop(drop) if self.overlooks => {
                (usize::from(drop.column.get()) + turn).is_multiple_of(2)
            }
            _ => true,
        }
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
            let seen = Action::all().filter(|&action| self.sees(turn, action));
            let steps = seen.filter_map(|action| {
                let step = own.step(pack, action).ok()?;
                Some((rank(&step.player, step.sent()), action))
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

    #[test]
    fn a_beginner_overlooks_every_second_column_and_sees_the_skill() {
        let beginner = GreedyEngine::beginner();
        let seen = |turn| Action::all().filter(|&action| beginner.sees(turn, action)).count();
        assert_eq!((seen(0), seen(1)), (5 * 4 + 1, 4 * 4 + 1));
        assert!(beginner.sees(0, Action::Skill));
        assert!(Action::all().all(|action| GreedyEngine::new().sees(1, action)));
    }
}
