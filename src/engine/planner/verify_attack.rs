//! A closer look at how an attack now would be answered.
//!
//! The beams of an exchange are many and narrow, and what they find of an answer is a bound from
//! below. What is sent now cannot be taken back: so the opponent's answer to the heaviest attack of
//! this turn is looked for by a beam of its own; and where such an attack is about to be chosen,
//! once more by a beam with as much time again as the turn has.

use super::{MAJOR, Position};
use crate::engine::time_manager::TimeManager;
use crate::game::{DropColumns, OJAMA_ROW, Seat, Stock};
use crate::search::Rain;
use crate::search::beam::{self, Answer, Question};
use crate::search::exchange::{self, Found, Plan};

/// Its share of a turn's budget, of what the alpha-beta search would have.
const PART: f64 = 0.08;

/// The time of the last look before an attack, beyond what the turn has: so many times that. Games
/// last some 30 turns, in which two or three attacks are major, and end with 40 % of their time
/// unused. Of five attacks that were answered with more, at 45 s a game, three are put off with four
/// times the drops and a fourth with this look besides; a look four times as long alters nothing
/// (E-15).
const AGAIN: f64 = 1.0;

/// What the opponent can answer to the heaviest attack that we may plan for this turn, from
/// whatever it drops in it; `None` if there is none that is worth a look.
pub(super) fn answers(
    position: &Position<'_>,
    ours: &[Plan],
    time_manager: &mut TimeManager<'_>,
) -> Option<Found> {
    let sent = ours.iter().filter_map(major).max()?;
    Some(look(position, sent, |question| {
        time_manager.aside(PART, |budget| beam::search(question, budget))
    }))
}

/// The same for a plan that is about to be chosen, if it is such an attack, with time beyond what
/// was planned; `None` also where drops are counted.
pub(super) fn again(
    position: &Position<'_>,
    plan: &Plan,
    time_manager: &mut TimeManager<'_>,
) -> Option<Found> {
    let sent = major(plan)?;
    time_manager
        .beyond(AGAIN, |budget| look(position, sent, |question| beam::search(question, budget)))
}

/// What a plan sends if it is a major attack in this turn.
pub(super) fn major(plan: &Plan) -> Option<Stock> {
    let sent = plan.attack.chain.ojama();
    (plan.ply() == 0 && sent >= MAJOR).then_some(sent)
}

fn look(
    position: &Position<'_>,
    sent: Stock,
    search: impl FnOnce(&Question<'_>) -> Answer,
) -> Found {
    let stocks = [Seat::First, Seat::Second].map(|seat| position.state[seat].stock);
    let rows = exchange::falling(stocks, 0, sent) / OJAMA_ROW;
    let question = Question {
        field: position.state[Seat::Second].rained(),
        packs: position.packs,
        rain: Rain::rows(1, rows),
        depth: exchange::ANSWER + 1,
        positions: DropColumns::ALL,
    };
    let mut answer = search(&question);
    // What it sends in this turn is no answer.
    answer.attacks.drain(..answer.attacks.len().min(1));
    Found { field: None, ply: 0, rows, best: answer.most_sent() }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::board::Field;
    use crate::clock::ManualClock;
    use crate::engine::{TimeLimits, TurnClock};
    use crate::game::{Cells, Chain, Packs, Player, State};
    use crate::search::beam::Attack;

    /// A block beside each of these sets off a chain.
    const READY: &str = "
        4.........
        3.........
        2.........
        9.........
        8#........
        7#........
        6#........";

    #[test]
    fn a_heavy_attack_now_is_looked_at_once_more_where_time_limits() {
        let field: Cells = READY.parse().unwrap();
        let opponent = Player { field: Field::from_cells(&field), ..Player::new() };
        let mut state = State::new();
        state.players[1] = opponent;
        let packs = Packs::from_seed(3);
        let position = Position {
            state,
            packs: packs.from_turn(0),
            is_quiet: false,
            is_timed: true,
            is_pressed: false,
        };
        let plan = |chain: u8, ply: usize| -> Plan { Attack::some(chain, ply).into() };
        // Each look at the clock takes a moment, so that a search ends.
        let manual = ManualClock::leak(Duration::from_micros(100));
        let clock = |nodes| {
            let rules = TimeLimits { nodes, ..TimeLimits::default() };
            TurnClock::new(manual.now(), Duration::from_secs(20), &rules)
                .with_source(manual.source())
        };
        let (timed, counted) = (clock(None), clock(Some(1_000_000)));
        let mut time_manager = TimeManager::new(&timed, Duration::from_millis(100));
        let found = again(&position, &plan(12, 0), &mut time_manager).unwrap();
        assert_eq!((found.ply, found.rows), (0, Chain(12).ojama() / OJAMA_ROW));
        assert_eq!(found.best.len(), exchange::ANSWER);
        assert!(found.best[exchange::ANSWER - 1] > 0 && found.best.is_sorted());
        assert!(time_manager.taken_beyond() >= Duration::from_millis(50));
        for light in [plan(12, 1), plan(8, 0)] {
            assert_eq!(again(&position, &light, &mut time_manager).map(|found| found.rows), None);
        }
        let mut time_manager = TimeManager::new(&counted, Duration::from_millis(100));
        assert!(again(&position, &plan(12, 0), &mut time_manager).is_none());
        let found = answers(&position, &[plan(12, 0), plan(13, 2)], &mut time_manager).unwrap();
        assert_eq!(found.rows, Chain(12).ojama() / OJAMA_ROW);
        assert!(time_manager.spent() <= 1_000_000 && time_manager.spent() > 0);
    }
}
