//! Step 3: tries every sequence of three turns. Sequences that lead to the same state are followed
//! once: the states of a turn are the keys of a hash map.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use course::field::Field;
use course::protocol::{self, Observation};
use course::simulator::{Action, Pack, Player, WIDTH};

/// Turns that are tried out. `exhaustive TURNS` sets another number.
const DEPTH: usize = 3;

/// A state at the end of a turn, and the first action of the sequence that leads to it.
#[derive(Clone, Copy)]
struct Node {
    player: Player,
    first: Action,
    /// What the chains on the way are worth.
    attack: i64,
}

/// What makes two states the same: the field, the stock, and the gauge of the skill.
fn key(player: &Player) -> (Field, u64, u32) {
    (player.field, player.stock, player.gauge)
}

/// All different states of the next turn. Of two ways to the same state, the better one stays.
fn next_turn(nodes: &[Node], pack: Pack, is_first: bool) -> Vec<Node> {
    let mut seen: HashMap<(Field, u64, u32), usize> = HashMap::new();
    let mut next: Vec<Node> = Vec::new();
    for node in nodes {
        for action in node.player.actions() {
            let Ok(step) = node.player.play_half(pack, action) else { continue };
            if step.player.is_over() {
                continue;
            }
            let first = if is_first { action } else { node.first };
            let attack = node.attack + 100 * step.sent() as i64 + 30 * i64::from(step.chain);
            let child = Node { player: step.player, first, attack };
            let index = *seen.entry(key(&child.player)).or_insert(next.len());
            if index == next.len() {
                next.push(child);
            } else if child.attack > next[index].attack {
                next[index] = child;
            }
        }
    }
    next
}

/// How good a state at the end of the sequence is, in hundredths of an ojama.
fn evaluate(node: &Node) -> i64 {
    let height = |x: usize| node.player.field.height(x) as i64;
    node.attack - (0..WIDTH).map(|x| height(x) * height(x)).sum::<i64>()
}

fn decide(packs: &[Pack], turn: &Observation, depth: usize) -> Action {
    let first = Action::Drop { position: 4, rotation: 0 };
    let mut nodes = vec![Node { player: turn.own, first, attack: 0 }];
    for (ply, &pack) in packs[turn.turn..].iter().take(depth).enumerate() {
        let next = next_turn(&nodes, pack, ply == 0);
        if next.is_empty() {
            break; // lost within the sequence: the best of the states that are left
        }
        nodes = next;
    }
    eprintln!("turn {}: {} states", turn.turn, nodes.len());
    nodes.iter().max_by_key(|node| evaluate(node)).map_or(first, |node| node.first)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let depth = std::env::args().nth(1).map_or(Ok(DEPTH), |depth| depth.parse())?;
    let mut slowest = Duration::ZERO;
    protocol::run("exhaustive", |packs, turn| {
        // Two turns take no time. More are tried as long as the clock would do for four such decisions.
        let is_short = 4 * slowest > Duration::from_millis(turn.time_left[0]);
        let start = Instant::now();
        let action = decide(packs, turn, if is_short { depth.min(2) } else { depth });
        slowest = slowest.max(start.elapsed());
        action
    })?;
    Ok(())
}
