//! Step 2: plays the best action of one turn. What "best" means is the evaluation: one number for the
//! state after an action.

use course::protocol::{self, Observation};
use course::simulator::{Action, Pack, Step, WIDTH};

/// How good the state after an action is, in hundredths of an ojama.
fn evaluate(step: &Step) -> i64 {
    if step.player.is_over() {
        return -1_000_000;
    }
    let field = &step.player.field;
    let attack = 100 * step.sent() as i64;
    // What the skill would blow up, and the gauge for it. 80 of the gauge are worth 8 ojama, so the
    // skill is kept until it sends more than that.
    let mut exploded = *field;
    let skill = 3 * i64::from(exploded.explode().0) + 10 * i64::from(step.player.gauge);
    // Columns are free up to row 10. The square makes one tall column worse than two of middling height.
    let above = |x: usize| field.height(x).saturating_sub(10) as i64;
    let danger: i64 = (0..WIDTH).map(|x| 20 * above(x) * above(x)).sum();
    attack + skill - danger
}

fn decide(packs: &[Pack], turn: &Observation) -> Action {
    let mut best = (i64::MIN, Action::Skill);
    for action in turn.own.actions() {
        let Ok(step) = turn.own.play_half(packs[turn.turn], action) else { continue };
        let value = evaluate(&step);
        if value > best.0 {
            best = (value, action);
        }
    }
    best.1
}

fn main() -> std::io::Result<()> {
    protocol::run("greedy", decide)
}
