//! Step 5: the Chokudai search. It expands one state of each turn, then again one of each turn, until
//! the clock ends; and it searches twice, first to order the actions, then to decide.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashSet};

use course::clock::Clock;
use course::field::OJAMA;
use course::potential::{Potential, Zobrist};
use course::protocol::{self, Observation};
use course::simulator::{Action, Pack, Player};

const DEPTH: usize = 12;
/// The chain that is worth setting off on a field without ojama, and the least one.
const TARGET: [u32; 2] = [10, 6];
const SHARE: u32 = 20;
/// The part of the time that the first search gets.
const ORDERING: f64 = 0.2;
/// First actions that the second search follows.
const FOLLOWED: usize = 8;

/// A state that waits in the heap of its turn. Heaps compare the value first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Entry {
    value: i64,
    index: usize,
}

struct Search<'a> {
    packs: &'a [Pack],
    zobrist: &'a Zobrist,
    /// The states that wait, for each turn.
    waiting: Vec<BinaryHeap<Entry>>,
    /// All states: the player, and the first action as an index of `Action::drops`.
    nodes: Vec<(Player, usize)>,
    seen: HashSet<(usize, u64)>,
    /// The chain that is worth setting off: one round less for each row of ojama on the field.
    target: u32,
    /// For each first action, the best value that it leads to.
    best: Vec<i64>,
}

/// How good a field is to build on.
fn evaluate(player: &Player) -> i64 {
    let potential = Potential::of(&player.field);
    100 * i64::from(potential.chain) + i64::from(potential.vanished)
}

impl Search<'_> {
    fn new<'a>(own: &Player, packs: &'a [Pack], zobrist: &'a Zobrist) -> Search<'a> {
        let rows = (own.field.count(OJAMA) + own.stock as u32) / 10;
        let target = TARGET[0].saturating_sub(rows).max(TARGET[1]);
        let waiting = vec![BinaryHeap::new(); packs.len() + 1];
        let best = vec![i64::MIN; Action::drops().count()];
        Search { packs, zobrist, waiting, nodes: Vec::new(), seen: HashSet::new(), target, best }
    }

    /// Takes the best waiting state of each turn in its order, again and again.
    fn run(&mut self, clock: &mut Clock, end: f64) {
        loop {
            let mut is_idle = true;
            for ply in 0..self.packs.len() {
                let Some(entry) = self.waiting[ply].pop() else { continue };
                is_idle = false;
                self.expand(ply, entry.index);
                if clock.used() >= end {
                    return;
                }
            }
            if is_idle {
                return;
            }
        }
    }

    /// Adds the states after all drops to the heap of the next turn.
    fn expand(&mut self, ply: usize, index: usize) {
        let (parent, first) = self.nodes[index];
        for action in Action::drops() {
            self.add(ply, parent, action, first);
        }
    }

    fn add(&mut self, ply: usize, parent: Player, action: Action, first: usize) {
        let Ok(step) = parent.play_half(self.packs[ply], action) else { return };
        let player = step.player;
        if player.is_over() || !self.seen.insert((ply, self.zobrist.hash(&player.field))) {
            return;
        }
        let value = evaluate(&player);
        // An attack is worth more than any promise. A turn of waiting costs 40 ojama: with a lower price
        // there is always a greater attack further off, and none is ever set off.
        let attack = if step.chain >= self.target { 20_000 - 800 * ply as i64 } else { 0 };
        self.best[first] = self.best[first].max(attack + 20 * step.sent() as i64 + value);
        self.waiting[ply + 1].push(Entry { value, index: self.nodes.len() });
        self.nodes.push((player, first));
    }
}

fn decide(packs: &[Pack], turn: &Observation, zobrist: &Zobrist) -> Action {
    let mut clock = Clock::new(turn, SHARE);
    let drops: Vec<Action> = Action::drops().collect();
    let packs = &packs[turn.turn..(turn.turn + DEPTH).min(packs.len())];
    let mut order: Vec<usize> = (0..drops.len()).collect();
    for (end, followed) in [(ORDERING, drops.len()), (1.0, FOLLOWED)] {
        let mut search = Search::new(&turn.own, packs, zobrist);
        for &first in &order[..followed] {
            search.add(0, turn.own, drops[first], first);
        }
        search.run(&mut clock, end);
        order.sort_by_key(|&first| Reverse(search.best[first]));
    }
    drops[order[0]]
}

fn main() -> std::io::Result<()> {
    let zobrist = Zobrist::default();
    protocol::run("chokudai", |packs, turn| decide(packs, turn, &zobrist))
}
