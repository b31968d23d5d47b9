//! The search of step 5 as a function, for the bots that look for the plans of both players.

use std::collections::{BinaryHeap, HashSet};

use crate::clock::Clock;
use crate::potential::{Potential, Zobrist};
use crate::simulator::{Action, Pack, Player};

/// Actions from this turn on, and the ojama that the last one sends.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Plan {
    pub actions: Vec<Action>,
    pub sent: u64,
}

/// The greatest attack of each turn, where it is greater than all before it; then the way to the
/// greatest potential, which sends nothing. `incoming` are ojama that arrive at the end of each turn.
pub fn plans(
    player: &Player,
    packs: &[Pack],
    incoming: &[u64],
    zobrist: &Zobrist,
    (clock, end): (&mut Clock, f64),
) -> Vec<Plan> {
    let depth = packs.len();
    let mut nodes = vec![(*player, 0, Action::Skill)]; // state, index of the parent, action
    let mut seen = HashSet::new();
    let mut attacks = vec![(0, 0); depth]; // ojama, index of the node
    let mut waiting = vec![BinaryHeap::new(); depth + 1];
    waiting[0].push((0, 0));
    'search: while waiting[..depth].iter().any(|heap| !heap.is_empty()) {
        for ply in 0..depth {
            let Some((_, parent)) = waiting[ply].pop() else { continue };
            for action in Action::drops() {
                let Ok(step) = nodes[parent].0.play_half(packs[ply], action) else { continue };
                let mut player = step.player;
                player.stock += incoming.get(ply).unwrap_or(&0);
                if player.is_over() || !seen.insert((ply, zobrist.hash(&player.field))) {
                    continue;
                }
                attacks[ply] = attacks[ply].max((step.sent(), nodes.len()));
                let potential = Potential::of(&player.field);
                waiting[ply + 1].push((100 * potential.chain + potential.vanished, nodes.len()));
                nodes.push((player, parent, action));
            }
            if clock.used() >= end {
                break 'search;
            }
        }
    }
    let mut found: Vec<(u64, usize)> = Vec::new();
    for attack in attacks {
        if attack.0 > found.last().map_or(0, |last| last.0) {
            found.push(attack);
        }
    }
    let last = waiting.iter().rev().find_map(|heap| heap.peek());
    found.extend(last.map(|&(_, index)| (0, index)));
    let plan = |(sent, mut index): (u64, usize)| {
        let mut actions = Vec::new();
        while index != 0 {
            actions.push(nodes[index].2);
            index = nodes[index].1;
        }
        actions.reverse();
        Plan { actions, sent }
    };
    found.into_iter().map(plan).filter(|plan| !plan.actions.is_empty()).collect()
}
