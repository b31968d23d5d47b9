//! Step 9: the heart of y.s.'s bot. A beam plans, but up to four plies of both sides, searched
//! exhaustively with alpha-beta and a transposition table, decide whether the plan is safe to follow.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use course::clock::Clock;
use course::field::{Field, OJAMA};
use course::potential::Zobrist;
use course::protocol::{self, Observation};
use course::search::{plans, Plan};
use course::simulator::{Action, Pack, Player, GAUGE_SKILL, OJAMA_ROW};

const PLIES: usize = 4;
const DEPTH: usize = 12;
const SHARE: u32 = 20;
/// The parts of a turn's time after which the beam, the opponent's plies and the own plies end.
const BEAM: f64 = 0.3;
const OPPONENT: f64 = 0.45;
const OWN: f64 = 1.5;
/// The plan is followed unless another action is better by this number of tenths of an ojama.
const MARGIN: i64 = 100;
const DISCOUNT: f64 = 1.11;
/// An attack of fewer ojama is small: it gives away what a larger one needs, and costs tenths of an ojama
/// for each that it sends.
const SMALL: u64 = 18;
const WASTE: i64 = 7;
/// Rows up to which a column is free.
const FREE: usize = 12;
const LOST: i64 = 100_000;

/// A state of the own search.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Node {
    field: Field,
    /// Ojama that wait: own ones above zero, the opponent's below.
    balance: i64,
    gauge: u32,
    ply: usize,
    /// Whether the opponent has attacked: it can do so once in four plies.
    has_struck: bool,
    /// Whether rows fall on the opponent.
    is_hit: bool,
}

struct Duel<'a> {
    packs: &'a [Pack],
    threats: Threats,
    /// Values, each with whether it is exact or only a lower or upper bound.
    table: Table<Node, (i64, std::cmp::Ordering)>,
    plies: usize,
    clock: &'a mut Clock,
}

impl Duel<'_> {
    /// The state after an own action, before the opponent strikes, and what a small attack wastes.
    fn play(&self, node: &Node, action: Action) -> Option<(Node, i64)> {
        let stock = node.balance.max(0) as u64;
        let player = Player { field: node.field, stock, gauge: node.gauge, score: 0 };
        let step = player.play_half(self.packs[node.ply], action).ok()?;
        if step.player.is_over() {
            return None;
        }
        // What falls on the opponent in this ply has left its stock; it stays in the balance.
        let fallen = (stock - step.player.stock) as i64;
        let balance = node.balance - fallen - step.sent() as i64;
        let child = Node {
            field: step.player.field,
            balance,
            gauge: step.player.gauge,
            ply: node.ply + 1,
            has_struck: node.has_struck,
            is_hit: node.is_hit || balance <= -(OJAMA_ROW as i64),
        };
        let sent = step.sent();
        Some((child, if sent < SMALL { WASTE * sent as i64 } else { 0 }))
    }

    /// Whether the plies of this depth do not end in time. The first one always ends.
    fn is_late(&mut self) -> bool {
        self.plies > 1 && self.clock.is_late() || self.plies > 2 && self.clock.used() >= OWN
    }

    /// The own turn: the best action counts. Values in tenths of an ojama.
    fn best(&mut self, node: &Node, mut alpha: i64, beta: i64) -> i64 {
        use std::cmp::Ordering::{Equal, Greater, Less};
        if node.ply == self.plies.min(self.packs.len()) {
            let own = i64::from(node.field.count(OJAMA));
            let heights = node.field.tallest().saturating_sub(FREE) as i64;
            return -10 * (own + node.balance) - 20 * heights;
        }
        if self.is_late() {
            return 0; // these plies will not be complete, and nobody reads their values
        }
        let floor = alpha;
        match self.table.get(node) {
            Some(&(value, Equal)) => return value,
            Some(&(value, Greater)) if value >= beta => return value,
            Some(&(value, Less)) if value <= alpha => return value,
            _ => {}
        }
        let mut best = -LOST + node.ply as i64;
        let skill = (node.gauge >= GAUGE_SKILL).then_some(Action::Skill);
        for action in Action::drops().chain(skill) {
            let Some((child, waste)) = self.play(node, action) else { continue };
            let value = self.struck(&child, alpha + waste, beta + waste) - waste;
            best = best.max(value);
            alpha = alpha.max(value);
            if alpha >= beta {
                break; // the opponent will not let it come to this
            }
        }
        let bound = if best >= beta {
            Greater
        } else if best <= floor {
            Less
        } else {
            Equal
        };
        self.table.insert(*node, (best, bound));
        best
    }

    /// The opponent's turn: it sends what it can, or nothing. The worse case for us counts.
    fn struck(&mut self, node: &Node, alpha: i64, beta: i64) -> i64 {
        let calm = self.best(node, alpha, beta);
        let sent = self.threats.0[usize::from(node.is_hit)][node.ply - 1] as i64;
        if node.has_struck || sent < OJAMA_ROW as i64 || calm <= alpha {
            return calm;
        }
        let hit = Node { balance: node.balance + sent, has_struck: true, ..*node };
        calm.min(self.best(&hit, alpha, beta.min(calm)))
    }
}

/// The most ojama that the opponent can send in each ply: undisturbed, and with a row of ojama that
/// falls in every ply.
#[derive(Clone, Copy, Default)]
struct Threats([[u64; PLIES]; 2]);

impl Threats {
    /// Tries all sequences of the opponent's actions; a field that came up in a ply is not tried again.
    fn of(opponent: &Player, packs: &[Pack], clock: &mut Clock) -> Self {
        let mut threats = Self::default();
        for (rows, most) in threats.0.iter_mut().enumerate() {
            let mut layer = vec![*opponent];
            for (ply, most) in most.iter_mut().enumerate().take(packs.len()) {
                let mut seen: Table<Field, ()> = Table::default();
                let mut next = Vec::new();
                for player in &layer {
                    if ply >= 2 && clock.used() > OPPONENT || ply >= 1 && clock.is_late() {
                        break;
                    }
                    let stock = if rows == 1 && ply > 0 { OJAMA_ROW } else { player.stock };
                    let player = Player { stock, ..*player };
                    for action in player.actions() {
                        let Ok(step) = player.play_half(packs[ply], action) else { continue };
                        if step.player.is_over() {
                            continue;
                        }
                        *most = step.sent().max(*most);
                        if seen.insert(step.player.field, ()).is_none() {
                            next.push(step.player);
                        }
                    }
                }
                layer = next;
            }
        }
        threats
    }
}

fn decide(packs: &[Pack], turn: &Observation, zobrist: &Zobrist) -> Action {
    let mut clock = Clock::new(turn, SHARE);
    let packs = &packs[turn.turn..];
    let near = &packs[..DEPTH.min(packs.len())];
    let ours = plans(&turn.own, near, &[], zobrist, (&mut clock, BEAM));
    let worth =
        |plan: &Plan| (100.0 * plan.sent as f64 / DISCOUNT.powi(plan.actions.len() as i32)) as i64;
    // An attack of one row or less is no plan: then the plan is to build.
    let goal = ours
        .iter()
        .filter(|plan| plan.sent == 0 || plan.sent >= SMALL)
        .max_by_key(|plan| worth(plan));
    let planned = goal.map(|plan| plan.actions[0]);

    let packs = &packs[..PLIES.min(packs.len())];
    let threats = Threats::of(&turn.opponent, packs, &mut clock);
    let balance = turn.own.stock as i64 - turn.opponent.stock as i64;
    let root = Node {
        field: turn.own.field,
        balance,
        gauge: turn.own.gauge,
        ply: 0,
        has_struck: false,
        is_hit: turn.opponent.stock >= OJAMA_ROW,
    };
    let mut duel = Duel { packs, threats, table: Table::default(), plies: 1, clock: &mut clock };
    let mut values: Vec<(i64, Action)> = Vec::new();
    // One ply deeper each time, as long as the clock allows.
    while duel.plies <= packs.len() && !duel.is_late() {
        duel.table.clear();
        let value = |action| {
            let (child, waste) = duel.play(&root, action)?;
            Some((duel.struck(&child, -LOST, LOST) - waste, action))
        };
        let deeper = turn.own.actions().filter_map(value).collect();
        if duel.is_late() {
            break;
        }
        values = deeper;
        duel.plies += 1;
    }
    let best = values.iter().max_by_key(|(value, _)| *value).copied();
    let Some((most, action)) = best else { return Action::Drop { position: 4, rotation: 0 } };
    let is_safe = |planned: &Action| {
        values.iter().any(|(value, action)| action == planned && most - value <= MARGIN)
    };
    planned.filter(is_safe).unwrap_or(action)
}

/// The hash of Fowler, Noll and Vo, taking eight bytes at a time instead of one.
#[derive(Default)]
struct Fnv(u64);

impl Hasher for Fnv {
    fn finish(&self) -> u64 {
        self.0 ^ self.0 >> 29
    }
    fn write_u64(&mut self, word: u64) {
        self.0 = (self.0 ^ word).wrapping_mul(0x0100_0000_01b3).rotate_left(23);
    }
    fn write(&mut self, bytes: &[u8]) {
        // The columns of a field come here as one piece.
        for eight in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..eight.len()].copy_from_slice(eight);
            self.write_u64(u64::from_le_bytes(word));
        }
    }
}

type Table<K, V> = HashMap<K, V, BuildHasherDefault<Fnv>>;

fn main() -> std::io::Result<()> {
    let zobrist = Zobrist::default();
    protocol::run("duel", |packs, turn| decide(packs, turn, &zobrist))
}
