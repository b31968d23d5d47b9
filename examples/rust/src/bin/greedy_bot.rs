//! Plays the drop with the longest chain now. It looks one turn ahead and knows no opponent.

use std::cmp::Reverse;

use starter_kit::protocol::{self, Observation};
use starter_kit::simulator::{Action, Pack, Step, OJAMA_ROW};

/// The skill pays from one row of ojama on, which the explosion of a single 5 sends.
const SKILL_PAYS: u64 = OJAMA_ROW;

/// Orders drops, the best one highest: survive, long chain, low columns.
///
/// The height rule breaks ties between equal chains: first the tallest column, then the sum of the
/// squared heights, which is lowest on a flat field.
fn quality(step: &Step) -> (bool, u32, Reverse<usize>, Reverse<usize>) {
    let field = &step.player.field;
    let squares = field.0.iter().map(|column| column.len() * column.len()).sum();
    (!step.player.is_over(), step.chain, Reverse(field.tallest()), Reverse(squares))
}

fn decide(packs: &[Pack], turn: &Observation) -> Action {
    let (own, pack) = (&turn.own, packs[turn.turn]);
    let steps = Action::drops().filter_map(|drop| Some((drop, own.play_half(pack, drop).ok()?)));
    // The first of equal drops stays (from the left, and the smallest rotation); `max_by_key` would
    // take the last one.
    let (best, best_step) = steps
        .reduce(|best, next| if quality(&next.1) > quality(&best.1) { next } else { best })
        .expect("a drop is always legal");
    if let Ok(skill) = own.play_half(pack, Action::Skill) {
        let pays = skill.sent() >= SKILL_PAYS && skill.sent() > best_step.sent();
        if !skill.player.is_over() && (pays || best_step.player.is_over()) {
            return Action::Skill;
        }
    }
    best
}

fn main() -> std::io::Result<()> {
    protocol::run("greedy-rust", decide)
}
