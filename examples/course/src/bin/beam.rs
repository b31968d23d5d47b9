//! Step 4: looks ten turns ahead by keeping only the best states of each turn: a beam. A state is good
//! if one more block would set off a long chain, its potential.

use std::collections::HashSet;

use course::clock::Clock;
use course::potential::{Potential, Zobrist};
use course::protocol::{self, Observation};
use course::simulator::{Action, Pack, Player};

/// Turns to look ahead.
const DEPTH: usize = 10;
/// The chain that is worth setting off. One of 10 rounds sends 25 ojama.
const TARGET: u32 = 10;
/// A turn gets this part of the time left.
const SHARE: u32 = 20;

#[derive(Clone, Copy)]
struct Node {
    player: Player,
    first: Action,
    value: i64,
}

/// How good a field is to build on: the length of its longest chain, then its blocks.
fn evaluate(player: &Player) -> i64 {
    let potential = Potential::of(&player.field);
    100 * i64::from(potential.chain) + i64::from(potential.vanished)
}

fn decide(packs: &[Pack], turn: &Observation, zobrist: &Zobrist) -> Action {
    let mut clock = Clock::new(turn, SHARE);
    let first = Action::Drop { position: 4, rotation: 0 };
    let mut layer = vec![Node { player: turn.own, first, value: 0 }];
    let mut best = layer[0];
    for (ply, &pack) in packs[turn.turn..].iter().take(DEPTH).enumerate() {
        let mut next: Vec<Node> = Vec::new();
        let mut seen = HashSet::new();
        let mut attack = (TARGET - 1, None);
        layer.sort_by_key(|node| -node.value);
        // Width by time: each layer may use an equal part of the turn's time, best states first.
        let end = (ply + 1) as f64 / DEPTH as f64;
        for node in &layer {
            for action in node.player.actions() {
                let Ok(step) = node.player.play_half(pack, action) else { continue };
                let player = step.player;
                if player.is_over() || !seen.insert(zobrist.hash(&player.field)) {
                    continue; // lost, or a state that this layer has
                }
                let first = if ply == 0 { action } else { node.first };
                if step.chain > attack.0 {
                    attack = (step.chain, Some(first));
                }
                next.push(Node { player, first, value: evaluate(&player) });
            }
            if clock.used() >= end {
                break;
            }
        }
        // The earliest attack of the target's length is good enough.
        if let Some(first) = attack.1 {
            return first;
        }
        let Some(&top) = next.iter().max_by_key(|node| node.value) else { break };
        best = top;
        layer = next;
    }
    best.first
}

fn main() -> std::io::Result<()> {
    let zobrist = Zobrist::default();
    protocol::run("beam", |packs, turn| decide(packs, turn, &zobrist))
}
