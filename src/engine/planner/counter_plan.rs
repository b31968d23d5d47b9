//! The counter-plan: a plan to survive and counterattack the opponent's next major attack.
//!
//! The own beam search maximises the attack without interference, and its fields often do not
//! survive the rows of a foreseen attack: all plans then lose alike. A beam search under the rows
//! of that attack gives the path up to the attack; a second one without rain continues from there
//! in case the attack does not come.

use super::parameters::{MAJOR, PlannerParameters};
use super::stages::{DecisionInput, own_columns};
use crate::engine::planner::memory;
use crate::engine::planner::opponent_model::discounted_ojama;
use crate::game::{Chain, OJAMA_ROW, Placement, Seat};
use crate::search::beam::{self, Attack, BeamRequest};
use crate::search::exchange::{self, KnownCounterattacks, Plan};
use crate::search::{Budget, Rain};

/// Maximum ply of an attack that is foreseen well enough for a counter-plan.
const MOST_PLIES: usize = 7;

/// The beam for a counterattack to an attack at ply `p` searches `p + COUNTERATTACK_TURNS` turns. A
/// counterattack comes after the attack, so within `COUNTERATTACK_TURNS - 1` plies after it.
const COUNTERATTACK_TURNS: usize = 9;

/// Factor on a counterattack's ojama for each ply of delay: a late counterattack does not offset
/// fallen rows.
const DELAY_FACTOR: f64 = 0.9;

/// Replays `followed`, the remaining drops of the followed plan. Returns its attack if its chain is
/// still at least `shortest`. No own row may be due.
pub(super) fn followed_attack(
    input: &DecisionInput<'_>,
    followed: &[Placement],
    shortest: Chain,
) -> Option<Attack> {
    let field = input.state[Seat::First].field;
    let seen = memory::seen_again(followed, field, input.packs, Rain::NONE);
    seen.filter(|followed| followed.chain >= shortest)
}

/// Searches the counter-plan to the soonest major attack in `theirs`, and the counterattacks to
/// that attack. No own row may be due. `budget` gives the budget of a share.
///
/// Returns `None` if there is no such attack within [`MOST_PLIES`] plies, or the beams find no
/// counterattack to it or no attack in case it does not come.
pub(super) fn counter_plan(
    input: &DecisionInput<'_>,
    theirs: &[Plan],
    parameters: &PlannerParameters,
    budget: &mut dyn FnMut(f64) -> Budget,
) -> Option<(Attack, KnownCounterattacks)> {
    let own = &input.state[Seat::First];
    let is_major = |plan: &&Plan| {
        plan.ahead == 0 && plan.attack.chain.ojama() >= MAJOR && plan.ply() <= MOST_PLIES
    };
    let threat = &theirs.iter().find(is_major)?.attack;
    let ply = threat.ply();
    let stocks = [Seat::Second, Seat::First].map(|seat| input.state[seat].stock);
    let rows = exchange::falling(stocks, ply, threat.chain.ojama()) / OJAMA_ROW;
    let rain = Rain::rows(ply + 1, rows);
    let columns = own_columns(input.is_opening);
    let mut beam = |field, packs, rain, depth| {
        let request = BeamRequest { field, packs, rain, depth, columns };
        beam::search(&request, &budget(parameters.shares.counter_plan))
    };
    let depth = parameters.depth_at(input.state.turn);
    let attacked = beam(own.field, input.packs, rain, depth.min(ply + COUNTERATTACK_TURNS));
    let is_after = |attack: &&Attack| attack.ply() > ply;
    let counterattack =
        best_discounted(attacked.attacks.iter().flatten().filter(is_after), DELAY_FACTOR)?;

    let until_attack = &counterattack.path[..=ply];
    let field = beam::walk(own.field, input.packs, until_attack, Rain::NONE).last()?.field;
    let later = input.packs.get(ply + 1..).unwrap_or_default();
    let without_rows = beam(field, later, Rain::NONE, depth.saturating_sub(ply + 1));
    let is_attack = |attack: &&Attack| attack.chain >= parameters.shortest;
    let goal = best_discounted(
        without_rows.attacks.iter().flatten().filter(is_attack),
        parameters.plans.discount,
    )?;
    let attack = Attack { path: [until_attack, &goal.path].concat(), ..goal.clone() };

    let after = counterattack.ply() - ply - 1;
    let sent = |turn| if turn < after { 0 } else { counterattack.chain.ojama() };
    let best = (0..exchange::COUNTERATTACK_TURNS).map(sent).collect();
    Some((attack, KnownCounterattacks { field: Some(field), ply, rows, best }))
}

/// The attack that sends most ojama, discounted by the factor `discount` a ply.
fn best_discounted<'a>(
    attacks: impl Iterator<Item = &'a Attack>,
    discount: f64,
) -> Option<&'a Attack> {
    let value = |attack: &Attack| discounted_ojama(attack.chain, attack.ply(), discount);
    attacks.max_by(|a, b| value(a).total_cmp(&value(b)))
}
