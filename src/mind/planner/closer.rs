//! A closer look at how a strike now would be answered.
//!
//! The beams of an exchange are many and narrow, and what they find of an answer is a bound from
//! below. What is sent now cannot be taken back: so the opponent's answer to the heaviest strike of
//! this turn is looked for by a beam of its own.

use super::Position;
use crate::game::{Field, Positions, Seat, Stock};
use crate::mind::allowance::Allowance;
use crate::search::Rain;
use crate::search::beam::{self, Question};
use crate::search::exchange::{self, Found, Plan};

/// Its share of a turn's budget, of what the duel would have.
const PART: f64 = 0.08;

/// The ojama of a strike that is looked at.
const HEAVY: Stock = 30;

/// What the opponent can answer to the heaviest strike that we may plan for this turn, from whatever
/// it drops in it; `None` if there is none that is worth a look.
pub(super) fn answers<F: Field>(
    position: &Position<'_, F>,
    ours: &[Plan],
    allowance: &mut Allowance<'_>,
) -> Option<Found<F>> {
    let now = ours.iter().filter(|plan| plan.ply() == 0);
    let sent = now.map(|plan| plan.strike.chain.ojama()).max().filter(|&sent| sent >= HEAVY)?;
    let stocks = [Seat::First, Seat::Second].map(|seat| position.state[seat].stock);
    let rows = exchange::rows(stocks, 0, sent);
    let opponent = &position.state[Seat::Second];
    let now = u64::from(Rain::of_stock(opponent.stock).falls_at(0));
    let question = Question {
        field: opponent.field,
        packs: position.packs,
        rain: Rain::from_bits(Rain::rows(1, rows).bits() | now),
        depth: exchange::ANSWER + 1,
        positions: Positions::ALL,
    };
    let answer = allowance.aside(PART, |budget| beam::search(&question, budget));
    let mut most = 0;
    let later = answer.strikes.iter().skip(1).map(|strike| {
        most = most.max(strike.as_ref().map_or(0, |strike| strike.chain.ojama()));
        most
    });
    Some(Found { field: None, ply: 0, rows, best: later.collect() })
}
