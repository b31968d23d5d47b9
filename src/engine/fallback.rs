//! The fallback: a legal answer without a search, which survives the turn if any action does.

use crate::board::Field;
use crate::game::{Action, Pack, Placement, Player};

/// Returns the drop of `pack` that leaves the tallest column of `player` lowest, after this turn's
/// row of ojama; of equals, the drop with the longest chain. Returns the skill if it survives and
/// no drop does.
pub fn action(player: &Player<Field>, pack: &Pack) -> Action {
    let danger = |action: &Action| {
        let step = player.step(pack, *action).ok()?;
        let over = step.player.field.is_over();
        Some((over, step.player.field.tallest(), std::cmp::Reverse(step.chain)))
    };
    let drops = Placement::all().map(Action::Drop);
    // The skill is used only if no drop survives, because it costs the gauge.
    let best = drops.min_by_key(danger).unwrap_or(Action::Skill);
    let dies = |action| player.step(pack, action).is_ok_and(|step| step.player.field.is_over());
    let skill_saves = player.gauge.allows_skill() && dies(best) && !dies(Action::Skill);
    if skill_saves { Action::Skill } else { best }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Gauge;

    fn player(drawing: &str, gauge: u8) -> Player<Field> {
        let field = drawing.parse().unwrap();
        Player { field, gauge: Gauge::new(gauge).unwrap(), ..Player::new() }
    }

    #[test]
    fn the_fallback_stays_below_the_danger_line() {
        let pack = Pack::new([1, 2, 3, 0]).unwrap();
        let tower = "333333333.\n".repeat(15);
        let chosen = player(&tower, 0).step(&pack, action(&player(&tower, 0), &pack)).unwrap();
        assert!(!chosen.player.field.is_over());
    }

    #[test]
    fn the_fallback_is_the_skill_if_only_the_skill_survives() {
        let pack = Pack::new([4, 4, 4, 0]).unwrap();
        let full = "3535353535\n".repeat(16);
        assert_eq!(action(&player(&full, 80), &pack), Action::Skill);
        assert_ne!(action(&player(&full, 79), &pack), Action::Skill, "the gauge is too low");
    }
}
