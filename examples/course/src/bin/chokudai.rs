//! Step 5: the Chokudai search. It expands one state of each turn, then again one of each turn, until
//! the clock ends; next turn it goes on. First it orders the actions, then it follows the best ones.

use std::collections::{BinaryHeap, HashSet};

use course::clock::Clock;
use course::potential::{Potential, Zobrist};
use course::protocol::{self, Observation};
use course::simulator::{Action, Pack, Player};

/// Turns to look ahead, as long as no attack is found.
const DEPTH: usize = 12;
/// The chain that is worth setting off, as in step 4.
const TARGET: u32 = 10;
const SHARE: u32 = 20;
/// The part of the time after which the actions are ordered.
const ORDERING: f64 = 0.2;
/// First actions that are followed from then on.
const FOLLOWED: usize = 8;
/// States that fit into memory: 250 MB.
const MOST: usize = 1_000_000;

/// A state that waits in the heap of its turn. Heaps compare the value first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Entry {
    value: i64,
    index: usize,
}

/// What a state is worth to go to. An attack is worth more than any promise, the earlier the better:
/// if waiting costs less, there is always a greater attack further off, and none is ever made.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    Promise(i64),
    Attack { earliness: usize, sent: u64 },
}

/// A state at the end of a turn of the game, and how it is reached.
#[derive(Clone, Copy)]
struct Node {
    player: Player,
    parent: usize,
    action: Action,
    rank: Rank,
}

struct Search {
    zobrist: Zobrist,
    /// The states that wait, for each turn from the present one on.
    waiting: Vec<BinaryHeap<Entry>>,
    /// All states, parents first; the first is the present one.
    nodes: Vec<Node>,
    /// For each state, the one after the first action on the way to it.
    firsts: Vec<usize>,
    seen: HashSet<(usize, u64)>,
    /// Turns that are searched: those after the earliest attack do not matter.
    depth: usize,
    /// The way to the best state.
    plan: Vec<Action>,
}

/// How good a field is to build on.
fn evaluate(player: &Player) -> i64 {
    let potential = Potential::of(&player.field);
    100 * i64::from(potential.chain) + i64::from(potential.vanished)
}

impl Search {
    /// Takes the best waiting state of each turn in its order, again and again.
    fn run(&mut self, packs: &[Pack], clock: &mut Clock, end: f64) {
        loop {
            let mut is_idle = true;
            for ply in 0..self.depth.min(packs.len()) {
                let Some(entry) = self.waiting[ply].pop() else { continue };
                is_idle = false;
                for action in Action::drops() {
                    self.add(packs, ply, entry.index, action);
                }
                if clock.used() >= end {
                    return;
                }
            }
            if is_idle || self.nodes.len() > MOST {
                return;
            }
        }
    }

    /// Adds the state after a drop to the heap of the next turn. Returns its index, unless it is lost or
    /// known.
    fn add(&mut self, packs: &[Pack], ply: usize, parent: usize, action: Action) -> Option<usize> {
        let step = self.nodes[parent].player.play_half(packs[ply], action).ok()?;
        let player = step.player;
        if player.is_over() || !self.seen.insert((ply, self.zobrist.hash(&player.field))) {
            return None;
        }
        let value = evaluate(&player);
        let mut rank = Rank::Promise(value);
        if step.chain >= TARGET {
            rank = Rank::Attack { earliness: packs.len() - ply, sent: step.sent() };
            self.depth = self.depth.min(ply + 1);
        }
        let index = self.nodes.len();
        self.waiting[ply + 1].push(Entry { value, index });
        self.nodes.push(Node { player, parent, action, rank });
        self.firsts.push(if parent == 0 { index } else { self.firsts[parent] });
        Some(index)
    }

    /// The first actions as states, the best first, each with the best state that it leads to.
    fn order(&self) -> Vec<(usize, usize)> {
        let mut best: Vec<(Rank, usize, usize)> = Vec::new();
        let mut place = vec![usize::MAX; self.nodes.len()];
        for (index, node) in self.nodes.iter().enumerate().skip(1) {
            let first = self.firsts[index];
            if first == index {
                place[index] = best.len();
                best.push((node.rank, first, index));
            }
            let entry = &mut best[place[first]];
            *entry = (*entry).max((node.rank, first, index));
        }
        best.sort_by(|a, b| b.cmp(a));
        best.iter().map(|&(_, first, best)| (first, best)).collect()
    }

    /// The drops that lead to a state.
    fn way(&self, mut index: usize) -> Vec<Action> {
        let mut way = Vec::new();
        while index != 0 {
            way.push(self.nodes[index].action);
            index = self.nodes[index].parent;
        }
        way.reverse();
        way
    }

    /// Makes the state after the action that was played the first one, with all that was found below
    /// it. If the turn went another way, because ojama came, only the plan is left: it comes first.
    fn go_on(&mut self, own: &Player, packs: &[Pack]) {
        let expected = self.plan.first().and_then(|&action| {
            let is_it = |node: &Node| node.parent == 0 && node.action == action;
            let child = 1 + self.nodes.iter().skip(1).position(is_it)?;
            let player = &self.nodes[child].player;
            (player.field == own.field && player.stock == own.stock).then_some(child)
        });
        let old = std::mem::take(&mut self.nodes);
        let mut moved: Vec<Option<usize>> = vec![None; old.len()];
        self.firsts.clear();
        self.seen.clear();
        self.waiting.remove(0);
        self.waiting.push(BinaryHeap::new());
        self.depth = DEPTH;
        let root = Node { player: *own, parent: 0, action: Action::Skill, rank: Rank::Promise(0) };
        self.nodes.push(root);
        self.firsts.push(0);
        if let Some(child) = expected {
            moved[child] = Some(0);
            for (index, node) in old.into_iter().enumerate().skip(child + 1) {
                let Some(parent) = moved[node.parent] else { continue };
                if let Rank::Attack { earliness, .. } = node.rank {
                    self.depth = self.depth.min(packs.len() - earliness + 1);
                }
                let index_now = self.nodes.len();
                moved[index] = Some(index_now);
                self.nodes.push(Node { parent, ..node });
                self.firsts.push(if parent == 0 { index_now } else { self.firsts[parent] });
            }
        }
        for heap in &mut self.waiting {
            let stays = |entry: Entry| Some(Entry { index: moved[entry.index]?, ..entry });
            *heap = heap.drain().filter_map(stays).collect();
        }
        if expected.is_none() {
            self.waiting[0].push(Entry { value: 0, index: 0 });
            let mut index = Some(0);
            for (ply, &action) in self.plan.clone().iter().enumerate().skip(1).take(DEPTH) {
                index = index.and_then(|index| self.add(packs, ply - 1, index, action));
            }
        }
    }

    fn decide(&mut self, packs: &[Pack], turn: &Observation) -> Action {
        let mut clock = Clock::new(turn, SHARE);
        let packs = &packs[turn.turn..];
        self.go_on(&turn.own, packs);
        self.run(packs, &mut clock, ORDERING);
        let followed: Vec<usize> =
            self.order().iter().take(FOLLOWED).map(|&(first, _)| first).collect();
        for heap in &mut self.waiting[1..] {
            heap.retain(|entry| followed.contains(&self.firsts[entry.index]));
        }
        self.run(packs, &mut clock, 1.0);
        let best = self.order().first().map_or(0, |&(_, best)| best);
        self.plan = self.way(best);
        self.plan.first().copied().unwrap_or(Action::Drop { position: 4, rotation: 0 })
    }
}

fn main() -> std::io::Result<()> {
    let mut search = Search {
        zobrist: Zobrist::default(),
        waiting: vec![BinaryHeap::new(); DEPTH + 1],
        nodes: Vec::new(),
        firsts: Vec::new(),
        seen: HashSet::new(),
        depth: DEPTH,
        plan: Vec::new(),
    };
    protocol::run("chokudai", |packs, turn| search.decide(packs, turn))
}
