//! A closer look at how a strike now would be answered.
//!
//! The beams of an exchange are many and narrow, and what they find of an answer is a bound from
//! below. What is sent now cannot be taken back: so the opponent's answer to the heaviest strike of
//! this turn is looked for by a beam of its own; and where such a strike is about to be chosen,
//! once more by a beam with as much time again as the turn has.

use super::{HEAVY, Position};
use crate::game::{DropColumns, OJAMA_ROW, Seat, Stock};
use crate::mind::allowance::Allowance;
use crate::search::Rain;
use crate::search::beam::{self, Answer, Question};
use crate::search::exchange::{self, Found, Plan};

/// Its share of a turn's budget, of what the duel would have.
const PART: f64 = 0.08;

/// The time of the last look before a strike, beyond what the turn has: so many times that. Games
/// last some 30 turns, in which two or three strikes are heavy, and end with 40 % of their time
/// unused. Of five strikes that were answered with more, at 45 s a game, three are put off with four
/// times the drops and a fourth with this look besides; a look four times as long alters nothing
/// (`notes/experiments.md`).
const AGAIN: f64 = 1.0;

/// What the opponent can answer to the heaviest strike that we may plan for this turn, from
/// whatever it drops in it; `None` if there is none that is worth a look.
pub(super) fn answers(
    position: &Position<'_>,
    ours: &[Plan],
    allowance: &mut Allowance<'_>,
) -> Option<Found> {
    let sent = ours.iter().filter_map(heavy).max()?;
    Some(look(position, sent, |question| {
        allowance.aside(PART, |budget| beam::search(question, budget))
    }))
}

/// The same for a plan that is about to be chosen, if it is such a strike, with time beyond what
/// was planned; `None` also where drops are counted.
pub(super) fn again(
    position: &Position<'_>,
    plan: &Plan,
    allowance: &mut Allowance<'_>,
) -> Option<Found> {
    let sent = heavy(plan)?;
    allowance
        .beyond(AGAIN, |budget| look(position, sent, |question| beam::search(question, budget)))
}

/// What a plan sends if it is a heavy strike in this turn.
pub(super) fn heavy(plan: &Plan) -> Option<Stock> {
    let sent = plan.strike.chain.ojama();
    (plan.ply() == 0 && sent >= HEAVY).then_some(sent)
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
    answer.strikes.drain(..answer.strikes.len().min(1));
    Found { field: None, ply: 0, rows, best: answer.most_sent() }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::board::Field;
    use crate::clock::ManualClock;
    use crate::game::{Cells, Chain, Packs, Player, State};
    use crate::mind::{Clock, TimeRules};
    use crate::search::beam::Strike;

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
    fn a_heavy_strike_now_is_looked_at_once_more_where_time_limits() {
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
        let plan = |chain: u8, ply: usize| -> Plan { Strike::some(chain, ply).into() };
        // Each look at the clock takes a moment, so that a search ends.
        let manual = ManualClock::leak(Duration::from_micros(100));
        let clock = |nodes| {
            let rules = TimeRules { nodes, ..TimeRules::default() };
            Clock::new(manual.now(), Duration::from_secs(20), &rules).with_source(manual.source())
        };
        let (timed, counted) = (clock(None), clock(Some(1_000_000)));
        let mut allowance = Allowance::new(&timed, Duration::from_millis(100));
        let found = again(&position, &plan(12, 0), &mut allowance).unwrap();
        assert_eq!((found.ply, found.rows), (0, Chain(12).ojama() / OJAMA_ROW));
        assert_eq!(found.best.len(), exchange::ANSWER);
        assert!(found.best[exchange::ANSWER - 1] > 0 && found.best.is_sorted());
        assert!(allowance.taken_beyond() >= Duration::from_millis(50));
        for light in [plan(12, 1), plan(8, 0)] {
            assert_eq!(again(&position, &light, &mut allowance).map(|found| found.rows), None);
        }
        let mut allowance = Allowance::new(&counted, Duration::from_millis(100));
        assert!(again(&position, &plan(12, 0), &mut allowance).is_none());
        let found = answers(&position, &[plan(12, 0), plan(13, 2)], &mut allowance).unwrap();
        assert_eq!(found.rows, Chain(12).ojama() / OJAMA_ROW);
        assert!(allowance.spent() <= 1_000_000 && allowance.spent() > 0);
    }
}
