//! A closer look at how a strike now would be answered.
//!
//! The beams of an exchange are many and narrow, and what they find of an answer is a bound from
//! below. What is sent now cannot be taken back: so the opponent's answer to the heaviest strike of
//! this turn is looked for by a beam of its own.

use super::Position;
use crate::game::{Field, OJAMA_ROW, Positions, Seat, Stock};
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
    let rows = exchange::falling(stocks, 0, sent) / OJAMA_ROW;
    let question = Question {
        field: position.state[Seat::Second].rained(),
        packs: position.packs,
        rain: Rain::rows(1, rows),
        depth: exchange::ANSWER + 1,
        positions: Positions::ALL,
    };
    let mut answer = allowance.aside(PART, |budget| beam::search(&question, budget));
    // What it sends in this turn is no answer.
    answer.strikes.drain(..answer.strikes.len().min(1));
    Some(Found { field: None, ply: 0, rows, best: answer.most_sent() })
}
