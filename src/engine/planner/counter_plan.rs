//! The counter-plan: a plan to survive and answer the opponent's next major attack.
//!
//! The own beam search maximises the attack without interference, and its fields often do not
//! survive the rows of a foreseen attack: all plans then lose alike. A beam search under the rows
//! of that attack gives the path up to the attack; a second one without rain continues from there
//! in case the attack does not come.

use super::{MAJOR, Planner, Position};
use crate::engine::memory;
use crate::engine::opponent_model::worth;
use crate::engine::pondering::positions;
use crate::engine::time_manager::TimeManager;
use crate::game::OJAMA_ROW;
use crate::search::Rain;
use crate::search::beam::{self, Attack, Question};
use crate::search::exchange::{self, Found, Plan};

/// The share of a turn's budget for each of the two beams.
const PART: f64 = 0.05;

/// The share of both beams, taken from the own beam's share.
pub const STURDY: f64 = 2.0 * PART;

/// Maximum ply of an attack that is foreseen well enough for a counter-plan.
const FORESEEN: usize = 7;

/// Depth of the search for an answer, in plies after the attack's ply index. The answer comes in
/// the plies after the attack.
const ANSWER: usize = 9;

/// Factor on an answer's worth for each ply of delay: a late answer does not offset fallen rows.
const LATER: f64 = 0.9;

impl Planner {
    /// Adds to `ours` the followed plan, if it is missing, and the counter-plan to the opponent's
    /// soonest major attack. Returns the answer found to that attack. To be called when no own row
    /// is due.
    pub(super) fn prepare(
        &self,
        position: &Position<'_>,
        ours: &mut Vec<Plan>,
        theirs: &[Plan],
        time_manager: &mut TimeManager<'_>,
    ) -> Option<Found> {
        let own = &position.state.players[0];
        let seen = memory::seen_again(&self.followed, own.field, position.packs, Rain::NONE);
        add(ours, seen.filter(|followed| followed.chain >= self.settings.shortest));

        let is_heavy = |plan: &&Plan| {
            plan.ahead == 0 && plan.attack.chain.ojama() >= MAJOR && plan.ply() <= FORESEEN
        };
        let threat = &theirs.iter().find(is_heavy)?.attack;
        let ply = threat.ply();
        let rows = threat.chain.ojama() / OJAMA_ROW;
        let rain = Rain::rows(ply + 1, rows);
        let positions = positions(position.is_quiet);
        let mut beam = |field, packs, rain, depth| {
            let question = Question { field, packs, rain, depth, positions };
            time_manager.aside(PART, |budget| beam::search(&question, budget))
        };
        let depth = self.settings.depth;
        let attacked = beam(own.field, position.packs, rain, depth.min(ply + ANSWER));
        let is_after = |attack: &&Attack| attack.ply() > ply;
        let answer = most_worth(attacked.attacks.iter().flatten().filter(is_after), LATER)?;

        let way = &answer.path[..=ply];
        let field = beam::walk(own.field, position.packs, way, Rain::NONE).last()?.field;
        let later = position.packs.get(ply + 1..).unwrap_or_default();
        let dry = beam(field, later, Rain::NONE, depth.saturating_sub(ply + 1));
        let is_attack = |attack: &&Attack| attack.chain >= self.settings.shortest;
        let goal =
            most_worth(dry.attacks.iter().flatten().filter(is_attack), self.settings.discount)?;
        add(ours, Some(Attack { path: [way, &goal.path].concat(), ..goal.clone() }));
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

fn add(plans: &mut Vec<Plan>, attack: Option<Attack>) {
    let is_new = |attack: &Attack| plans.iter().all(|plan| plan.attack.path != attack.path);
    if let Some(attack) = attack.filter(is_new) {
        plans.push(attack.into());
    }
}

/// The attack with the highest worth at the factor `discount` a ply.
fn most_worth<'a>(attacks: impl Iterator<Item = &'a Attack>, discount: f64) -> Option<&'a Attack> {
    let worth = |attack: &Attack| worth(attack.chain, attack.ply(), discount);
    attacks.max_by(|a, b| worth(a).total_cmp(&worth(b)))
}
