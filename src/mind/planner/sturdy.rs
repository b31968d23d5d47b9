//! A plan that is built to be struck.
//!
//! Beams look for what sends most if nothing comes in between, and what is built that way often
//! does not outlive the rows of a strike that is foreseen: all plans are then lost alike. So one
//! more plan is looked for. A beam under the rows of that strike tells where the field should be
//! when it comes; from there a dry one tells what to do if it does not come.

use super::{HEAVY, Planner, Position};
use crate::game::OJAMA_ROW;
use crate::mind::ahead::positions;
use crate::mind::allowance::Allowance;
use crate::mind::memory;
use crate::mind::prospects::worth;
use crate::search::Rain;
use crate::search::beam::{self, Question, Strike};
use crate::search::exchange::{self, Found, Plan};

/// The share of a turn's budget for each of the two beams.
const PART: f64 = 0.05;

/// The share of both, which the own beam goes without.
pub const STURDY: f64 = 2.0 * PART;

/// One that is so many plies away is foreseen well enough.
const FORESEEN: usize = 7;

/// Plies that are looked ahead from that of the strike on, itself the first: it is answered in those
/// after it.
const ANSWER: usize = 9;

/// A ply later an answer is worth so much less: what is answered late has fallen.
const LATER: f64 = 0.9;

impl Planner {
    /// Adds to the own plans the one that is followed, should it not be among them any more, and
    /// one that is built to be struck by the soonest heavy strike of the opponent; what is known of
    /// the answer to that. For when nothing is about to fall.
    pub(super) fn prepare(
        &self,
        position: &Position<'_>,
        ours: &mut Vec<Plan>,
        theirs: &[Plan],
        allowance: &mut Allowance<'_>,
    ) -> Option<Found> {
        let own = &position.state.players[0];
        let seen = memory::seen_again(&self.followed, own.field, position.packs, Rain::NONE);
        add(ours, seen.filter(|followed| followed.chain >= self.settings.shortest));

        let is_heavy = |plan: &&Plan| {
            plan.ahead == 0 && plan.strike.chain.ojama() >= HEAVY && plan.ply() <= FORESEEN
        };
        let threat = &theirs.iter().find(is_heavy)?.strike;
        let ply = threat.ply();
        let rows = threat.chain.ojama() / OJAMA_ROW;
        let rain = Rain::rows(ply + 1, rows);
        let positions = positions(position.is_quiet);
        let mut beam = |field, packs, rain, depth| {
            let question = Question { field, packs, rain, depth, positions };
            allowance.aside(PART, |budget| beam::search(&question, budget))
        };
        let depth = self.settings.depth;
        let struck = beam(own.field, position.packs, rain, depth.min(ply + ANSWER));
        let is_after = |strike: &&Strike| strike.ply() > ply;
        let answer = most_worth(struck.strikes.iter().flatten().filter(is_after), LATER)?;

        let way = &answer.path[..=ply];
        let field = beam::walk(own.field, position.packs, way, Rain::NONE).last()?.field;
        let later = position.packs.get(ply + 1..).unwrap_or_default();
        let dry = beam(field, later, Rain::NONE, depth.saturating_sub(ply + 1));
        let is_strike = |strike: &&Strike| strike.chain >= self.settings.shortest;
        let goal =
            most_worth(dry.strikes.iter().flatten().filter(is_strike), self.settings.discount)?;
        add(ours, Some(Strike { path: [way, &goal.path].concat(), ..goal.clone() }));
        let after = answer.ply() - ply - 1;
        let sent = |turn| if turn < after { 0 } else { answer.chain.ojama() };
        Some(Found {
            field: Some(field),
            ply,
            rows,
            best: (0..exchange::ANSWER).map(sent).collect(),
        })
    }
}

fn add(plans: &mut Vec<Plan>, strike: Option<Strike>) {
    let is_new = |strike: &Strike| plans.iter().all(|plan| plan.strike.path != strike.path);
    if let Some(strike) = strike.filter(is_new) {
        plans.push(strike.into());
    }
}

/// The strike that is worth most.
fn most_worth<'a>(strikes: impl Iterator<Item = &'a Strike>, discount: f64) -> Option<&'a Strike> {
    let worth = |strike: &Strike| worth(strike.chain, strike.ply(), discount);
    strikes.max_by(|a, b| worth(a).total_cmp(&worth(b)))
}
