//! Verifies an attack of this turn: searches the opponent's counterattack with wider beams.
//!
//! The beams of an exchange are narrow, so the counterattack that they find is a lower bound. An
//! attack cannot be taken back. A separate beam therefore searches the opponent's counterattack to
//! the heaviest attack of this turn. If such an attack is about to be chosen, a further beam
//! searches the counterattack with extra time.

use super::parameters::{BudgetShares, MAJOR};
use super::stages::DecisionInput;
use crate::engine::time_manager::TimeManager;
use crate::game::{DropColumns, OJAMA_ROW, Seat, Stock};
use crate::search::beam::{self, BeamRequest};
use crate::search::exchange::{self, KnownCounterattacks, Plan};
use crate::search::{Budget, Rain};

/// Returns the ojama of the heaviest major attack in `ours` for this turn; `None` if `ours` has no
/// such attack.
pub(super) fn heaviest(ours: &[Plan]) -> Option<Stock> {
    ours.iter().filter_map(major).max()
}

/// Searches the counterattack to `plan`, which is about to be chosen, with extra time. Returns
/// `None` if `plan` is no major attack of this turn, or under a node limit.
pub(super) fn verify_again(
    input: &DecisionInput<'_>,
    plan: &Plan,
    shares: &BudgetShares,
    time_manager: &mut TimeManager<'_>,
) -> Option<KnownCounterattacks> {
    let sent = major(plan)?;
    let budget = time_manager.extra(shares.verify_again)?;
    let found = search_counterattacks(input, sent, &budget);
    time_manager.end_extra(budget);
    Some(found)
}

/// Returns the ojama that `plan` sends if it is a major attack of this turn.
pub(super) fn major(plan: &Plan) -> Option<Stock> {
    let sent = plan.attack.chain.ojama();
    (plan.ply() == 0 && sent >= MAJOR).then_some(sent)
}

/// Searches the counterattacks of the opponent to an attack of this turn that sends `sent` ojama,
/// after any drop of the opponent.
pub(super) fn search_counterattacks(
    input: &DecisionInput<'_>,
    sent: Stock,
    budget: &Budget,
) -> KnownCounterattacks {
    let stocks = [Seat::First, Seat::Second].map(|seat| input.state[seat].stock);
    let rows = exchange::falling(stocks, 0, sent) / OJAMA_ROW;
    let request = BeamRequest {
        field: input.state[Seat::Second].rained(),
        packs: input.packs,
        rain: Rain::rows(1, rows),
        depth: exchange::COUNTERATTACK_TURNS + 1,
        columns: DropColumns::ALL,
    };
    let mut counterattack = beam::search(&request, budget);
    // A chain of the opponent in this turn is no counterattack.
    counterattack.attacks.drain(..counterattack.attacks.len().min(1));
    KnownCounterattacks { field: None, ply: 0, rows, best: counterattack.most_sent() }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::board::Field;
    use crate::engine::{TimeLimits, TurnClock};
    use crate::game::{Cells, Chain, Packs, Player, State};
    use crate::search::beam::Attack;
    use crate::util::clock::ManualClock;

    /// A 1 beside the 9 sets off a chain of four.
    const READY: &str = "
        4.........
        3.........
        2.........
        9.........
        8#........
        7#........
        6#........";

    #[test]
    fn verifies_a_major_attack_again_under_a_time_limit() {
        let field: Cells = READY.parse().unwrap();
        let opponent = Player { field: Field::from_cells(&field), ..Player::new() };
        let mut state = State::new();
        state.players[1] = opponent;
        let packs = Packs::from_seed(3);
        let input = DecisionInput {
            state,
            packs: packs.from_turn(0),
            is_opening: false,
            is_timed: true,
            is_opponent_short_of_time: false,
        };
        let plan = |chain: u8, ply: usize| -> Plan { Attack::some(chain, ply).into() };
        // Each reading of the clock advances it by 100 µs, so that a search ends.
        let manual = ManualClock::leak(Duration::from_micros(100));
        let clock = |nodes| {
            let rules = TimeLimits { nodes, ..TimeLimits::default() };
            TurnClock::new(manual.now(), Duration::from_secs(20), &rules)
                .with_source(manual.source())
        };
        let (timed, counted) = (clock(None), clock(Some(1_000_000)));
        let shares = &BudgetShares::default();
        let mut time_manager = TimeManager::new(&timed, Duration::from_millis(100));
        let found = verify_again(&input, &plan(12, 0), shares, &mut time_manager).unwrap();
        assert_eq!((found.ply, found.rows), (0, Chain(12).ojama() / OJAMA_ROW));
        assert_eq!(found.best.len(), exchange::COUNTERATTACK_TURNS);
        assert!(found.best[exchange::COUNTERATTACK_TURNS - 1] > 0 && found.best.is_sorted());
        assert!(time_manager.taken_extra() >= Duration::from_millis(50));
        for light in [plan(12, 1), plan(8, 0)] {
            let found = verify_again(&input, &light, shares, &mut time_manager);
            assert_eq!(found.map(|found| found.rows), None);
        }
        let mut time_manager = TimeManager::new(&counted, Duration::from_millis(100));
        assert!(verify_again(&input, &plan(12, 0), shares, &mut time_manager).is_none());
        let plans = [plan(12, 0), plan(13, 2)];
        assert_eq!(heaviest(&plans), Some(Chain(12).ojama()), "the other attack comes later");
        let budget = time_manager.share(shares.verify);
        let found = search_counterattacks(&input, Chain(12).ojama(), &budget);
        drop(budget);
        assert_eq!(found.rows, Chain(12).ojama() / OJAMA_ROW);
        assert!(time_manager.spent() <= 1_000_000 && time_manager.spent() > 0);
    }
}
