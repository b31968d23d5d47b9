//! The action of a game's last turn, after which only survival and the score count.

use crate::board::Field;
use crate::game::{Action, Pack, Player};

/// Returns the action of `player` that survives the last turn with the highest score. If no action
/// survives, returns the one with the highest score: the opponent may die too. Of equal actions it
/// returns the first one. Experiment E-36.
pub(super) fn action(player: &Player<Field>, pack: &Pack) -> Action {
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

    fn score_after(player: &Player<Field>, pack: &Pack, action: Action) -> Option<u64> {
        Some(player.step(pack, action).ok()?.player.score)
    }

    #[test]
    fn the_highest_score_is_played_though_the_chain_is_short() {
        let pack = Pack::new([1, 2, 3, 0]).unwrap();
        let before = player("8.........", 0);
        let scores = || Action::all().filter_map(|action| score_after(&before, &pack, action));
        let chosen = score_after(&before, &pack, action(&before, &pack));
        assert_eq!(chosen, scores().max());
        assert_ne!(scores().min(), scores().max(), "some drops score, others do not");
    }

    #[test]
    fn survival_comes_before_the_score() {
        let pack = Pack::new([4, 4, 4, 0]).unwrap();
        let full = player(&"3535353535\n".repeat(16), 80);
        assert_eq!(action(&full, &pack), Action::Skill, "only the skill survives");
        let dying = player(&"3535353535\n".repeat(16), 79);
        let chosen = action(&dying, &pack);
        assert!(matches!(chosen, Action::Drop(_)), "{chosen} is legal though no action survives");
    }
}
