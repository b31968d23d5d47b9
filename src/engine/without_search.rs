//! Actions without a search: the fallback, and the last turn of a game.

use crate::board::Field;
use crate::game::{Action, Pack, Placement, Player};

/// The fallback, a legal answer that survives the turn if any action does: the drop of `pack` that leaves the tallest column of `player` lowest, after this turn's
/// row of ojama; of equals, the drop with the longest chain. Returns the skill if it survives and
/// no drop does.
pub fn fallback(player: &Player<Field>, pack: &Pack) -> Action {
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

/// Returns the action of `player` that survives the last turn with the highest score. If no action
/// survives, returns the one with the highest score: the opponent may die too. Of equal actions it
/// returns the first one. Experiment E-36.
pub(super) fn last_turn(player: &Player<Field>, pack: &Pack) -> Action {
    let steps = Action::all().filter_map(|action| {
        let after = player.step(pack, action).ok()?.player;
        Some(((!after.field.is_over(), after.score), action))
    });
    let best = steps.reduce(|best, next| if next.0 > best.0 { next } else { best });
    best.expect("every drop is a legal action").1
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
        let chosen = player(&tower, 0).step(&pack, fallback(&player(&tower, 0), &pack)).unwrap();
        assert!(!chosen.player.field.is_over());
    }

    #[test]
    fn the_fallback_is_the_skill_if_only_the_skill_survives() {
        let pack = Pack::new([4, 4, 4, 0]).unwrap();
        let full = "3535353535\n".repeat(16);
        assert_eq!(fallback(&player(&full, 80), &pack), Action::Skill);
        assert_ne!(fallback(&player(&full, 79), &pack), Action::Skill, "the gauge is too low");
    }

    fn score_after(player: &Player<Field>, pack: &Pack, action: Action) -> Option<u64> {
        Some(player.step(pack, action).ok()?.player.score)
    }

    #[test]
    fn the_highest_score_is_played_though_the_chain_is_short() {
        let pack = Pack::new([1, 2, 3, 0]).unwrap();
        let before = player("8.........", 0);
        let scores = || Action::all().filter_map(|action| score_after(&before, &pack, action));
        let chosen = score_after(&before, &pack, last_turn(&before, &pack));
        assert_eq!(chosen, scores().max());
        assert_ne!(scores().min(), scores().max(), "some drops score, others do not");
    }

    #[test]
    fn survival_comes_before_the_score() {
        let pack = Pack::new([4, 4, 4, 0]).unwrap();
        let full = player(&"3535353535\n".repeat(16), 80);
        assert_eq!(last_turn(&full, &pack), Action::Skill, "only the skill survives");
        let dying = player(&"3535353535\n".repeat(16), 79);
        let chosen = last_turn(&dying, &pack);
        assert!(matches!(chosen, Action::Drop(_)), "{chosen} is legal though no action survives");
    }
}
