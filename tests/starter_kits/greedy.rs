//! The rule of the greedy bots, once more: each kit's greedy bot must answer like this one.

use std::cmp::Reverse;

use tensai::game::{Action, Cells, Pack, Placement, Player, Step};

/// The ojama from which on the skill pays: one row.
const SKILL_PAYS: u64 = 10;

/// The order of drops: alive, chain, tallest column, squared heights.
type Quality = (bool, u8, Reverse<u8>, Reverse<u32>);

fn quality(step: &Step<Cells>) -> Quality {
    let field = &step.player.field;
    let squares = field.heights().into_iter().map(|height| u32::from(height).pow(2)).sum();
    (!field.is_over(), step.chain.0, Reverse(field.tallest()), Reverse(squares))
}

/// The action of a greedy bot.
pub fn greedy(own: &Player<Cells>, pack: &Pack) -> Action {
    let mut best: Option<(Action, Step<Cells>)> = None;
    for action in Placement::all().map(Action::Drop) {
        let step = own.step(pack, action).unwrap();
        if best.as_ref().is_none_or(|(_, best)| quality(&step) > quality(best)) {
            best = Some((action, step));
        }
    }
    let (action, best) = best.unwrap();
    if let Ok(skill) = own.step(pack, Action::Skill) {
        let pays = skill.sent() >= SKILL_PAYS && skill.sent() > best.sent();
        if !skill.player.field.is_over() && (pays || best.player.field.is_over()) {
            return Action::Skill;
        }
    }
    action
}
