//! An exhaustive search of one player's actions against the threats of the opponent.
//!
//! Both players act at once in each ply. The opponent has two options: it sends the most that it
//! can ([`Threats`], for exactly the rows that have fallen on it in this line), or nothing. The
//! search assumes the option that is worse for us. The opponent sends its most only once in a line.
//! All of our own actions are tried, with alpha-beta pruning and a transposition table.

mod leaf_value;

use std::cmp::Reverse;

use self::leaf_value::{Balance, Leaf};
pub use self::leaf_value::{LOSS, WIN};
use self::leaf_value::{loss_after, win_after};
use super::child::Child;
use super::root::{self, RootValue};
use super::threats::Threat;
use super::transposition::fnv_1;
use super::{Bound, Budget, OjamaTenths, Rain, Threats, TranspositionTable};
use crate::board::{ChildBuffer, Field};
use crate::game::{Action, Chain, DropColumns, Gauge, Pack, Placement, State};

/// The result of the search for one first action.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RootMove {
    /// The action.
    pub action: Action,
    /// The chain that it sets off.
    pub chain: Chain,
    /// The value of the action. An upper bound if an action tried before is at least as good, and
    /// the action is not the one that was to be searched exactly.
    pub value: OjamaTenths,
}

/// Searches the first player's actions to the depth of `threats`.
///
/// Returns the root moves in descending order of value, of equal ones an exact one first, or `None`
/// if `budget` runs out. The first root move does not depend on the threads. The action `exact`, if
/// given, is tried first and gets its exact value. The other first actions are searched on all
/// threads ([`root::search`]). A new search begins in `table`.
pub fn search(
    state: &State<Field>,
    packs: &[Pack],
    threats: &Threats,
    exact: Option<Action>,
    table: &mut TranspositionTable,
    budget: &Budget,
) -> Option<Vec<RootMove>> {
    table.new_search();
    let [own, opponent] = &state.players;
    let (table, balance) = (&*table, Balance::new(own, opponent));
    let start = || Search {
        packs,
        threats,
        budget,
        balance,
        opponents_gauge: opponent.gauge,
        table,
        buffer: ChildBuffer::new(),
    };
    let mut root = Node {
        field: own.field,
        gauge: own.gauge,
        opponents_gauge: opponent.gauge,
        net: own.stock as i64 - opponent.stock as i64,
        opponents_rain: Rain::NONE,
        opponents_attack: OpponentsAttack::None,
    };
    root.let_rain(0);
    let mut children = start().children(&root, 0)?;
    children.sort_by_key(|child| Some(child.action) != exact);
    let values = root::search(&children, LOSS.0, start, |search, child, alpha| {
        search.worst(&root, child, 0, OjamaTenths(alpha), WIN).map(|value| value.0)
    })?;
    let root_move = |found: RootValue| {
        let Child { action, chain, .. } = children[found.index];
        RootMove { action, chain, value: OjamaTenths(found.value) }
    };
    Some(values.into_iter().map(root_move).collect())
}

/// The game in one line of the search, after the row of the ply has fallen.
#[derive(Clone, Copy)]
struct Node {
    field: Field,
    gauge: Gauge,
    /// The opponent's gauge, drained by our chains, but not charged by the opponent's chains.
    opponents_gauge: Gauge,
    /// Our stock minus the opponent's: one of them is 0.
    net: i64,
    /// The plies at which a row has fallen on the opponent.
    opponents_rain: Rain,
    /// How the opponent has sent its most in this line.
    opponents_attack: OpponentsAttack,
}

/// How the opponent has sent its most in a line. It sends its most only once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum OpponentsAttack {
    /// Not yet.
    None,
    Chain,
    Skill,
}

impl OpponentsAttack {
    /// How the most of `threat` is sent if chains of ours have drained `drained` of the gauge before.
    fn of(threat: &Threat, drained: u8) -> Self {
        if threat.is_of_skill(drained) { Self::Skill } else { Self::Chain }
    }
}

impl Node {
    /// Lets the row that is due at `ply` fall, on us or on the opponent.
    fn let_rain(&mut self, ply: usize) {
        self.opponents_rain.fall(&mut self.field, &mut self.net, ply);
    }

    fn key(&self, ply: usize) -> u64 {
        let small = (ply as u64) << 56
            | (self.opponents_attack as u64) << 48
            | self.opponents_rain.bits() << 40
            | u64::from(self.gauge.get()) << 32
            | u64::from(self.opponents_gauge.get()) << 24;
        fnv_1([self.field.hash(), small, self.net as u64])
    }
}

struct Search<'a> {
    packs: &'a [Pack],
    threats: &'a Threats,
    budget: &'a Budget,
    balance: Balance,
    /// The opponent's gauge at the start.
    opponents_gauge: Gauge,
    table: &'a TranspositionTable,
    buffer: ChildBuffer,
}

impl Search<'_> {
    /// Returns all children of `node`, in descending order of the ojama sent; `None` if the budget
    /// is spent.
    fn children(&mut self, node: &Node, ply: usize) -> Option<Vec<Child>> {
        let pack = &self.packs[ply];
        node.field.children(pack, DropColumns::ALL, &mut self.buffer);
        if !self.budget.spend(Placement::COUNT as u64) {
            return None;
        }
        let mut children: Vec<Child> = Child::all(&node.field, node.gauge, &self.buffer).collect();
        children.sort_by_key(|child| Reverse(child.sent()));
        Some(children)
    }

    /// Returns the value of the end of the game at `ply`, or `None` if the game continues. `over`
    /// says whether we are past the danger line, `alive` whether the opponent can survive the ply.
    fn end(&self, over: bool, alive: bool, ply: usize) -> Option<OjamaTenths> {
        match (over, alive) {
            (true, true) => Some(loss_after(ply)),
            (false, false) => Some(win_after(ply)),
            (true, false) => Some(self.balance.mutual_end()),
            (false, true) => None,
        }
    }

    /// Returns the node after `child` if the opponent sends nothing, and the node if it sends its
    /// most; `None` if it cannot send anything.
    fn unattacked_and_attacked(
        &self,
        node: &Node,
        child: &Child,
        ply: usize,
    ) -> (Node, Option<Node>) {
        let drained = self.opponents_gauge.get() - node.opponents_gauge.get();
        let threat = self.threats.at(ply, node.opponents_rain);
        let most = threat.drained(drained);
        let unattacked = Node {
            field: child.field,
            gauge: child.gauge_after(node.gauge),
            opponents_gauge: node.opponents_gauge.drained(child.chain),
            net: node.net - child.sent() as i64,
            ..*node
        };
        let may_attack = node.opponents_attack == OpponentsAttack::None && most.ojama > 0;
        let attacked = may_attack.then(|| Node {
            gauge: unattacked.gauge.drained(most.chain),
            net: unattacked.net + most.ojama as i64,
            opponents_attack: OpponentsAttack::of(&threat, drained),
            ..unattacked
        });
        (unattacked, attacked)
    }

    /// Returns the value of `child`: the lower value of the opponent's two options.
    fn worst(
        &mut self,
        node: &Node,
        child: &Child,
        ply: usize,
        alpha: OjamaTenths,
        beta: OjamaTenths,
    ) -> Option<OjamaTenths> {
        let alive = self.threats.at(ply, node.opponents_rain).alive;
        if let Some(value) = self.end(child.field.is_over(), alive, ply) {
            return Some(value);
        }
        let (unattacked, attacked) = self.unattacked_and_attacked(node, child, ply);
        let mut value = WIN;
        if let Some(attacked) = attacked {
            value = self.value(attacked, ply + 1, alpha, beta)?;
            if value <= alpha {
                return Some(value);
            }
        }
        Some(value.min(self.value(unattacked, ply + 1, alpha, beta.min(value))?))
    }

    /// Returns the value of `node`, exact between `alpha` and `beta`.
    fn value(
        &mut self,
        mut node: Node,
        ply: usize,
        mut alpha: OjamaTenths,
        beta: OjamaTenths,
    ) -> Option<OjamaTenths> {
        if ply == self.threats.plies() {
            return Some(self.leaf(&node, node.field.ojama().into()));
        }
        let key = node.key(ply);
        if let Some(value) = self.table.get(key).and_then(|bound| bound.cutoff(alpha.0, beta.0)) {
            return Some(OjamaTenths(value));
        }
        node.let_rain(ply);
        let (floor, mut best) = (alpha, LOSS);
        let is_last = ply + 1 == self.threats.plies();
        // Most of the work is in the last ply, so its actions are neither sorted nor stored.
        if is_last {
            best = self.last_ply(&node, ply, beta)?;
        } else {
            for child in self.children(&node, ply)? {
                best = best.max(self.worst(&node, &child, ply, alpha, beta)?);
                alpha = alpha.max(best);
                if alpha >= beta {
                    break;
                }
            }
        }
        // The last ply is searched without `alpha`.
        let floor = if is_last { i64::MIN } else { floor.0 };
        let left = self.threats.plies() - ply;
        self.table.put(key, Bound::of(best.0, floor, beta.0), left);
        Some(best)
    }

    /// Returns the best value of the actions at the last ply, or any value of at least `beta`.
    fn last_ply(&mut self, node: &Node, ply: usize, beta: OjamaTenths) -> Option<OjamaTenths> {
        // No action adds or removes ojama.
        let ojama = node.field.ojama().into();
        let alive = self.threats.at(ply, node.opponents_rain).alive;
        node.field.children(&self.packs[ply], DropColumns::ALL, &mut self.buffer);
        if !self.budget.spend(Placement::COUNT as u64) {
            return None;
        }
        let mut best = LOSS;
        for child in Child::all(&node.field, node.gauge, &self.buffer) {
            let value = self.end(child.field.is_over(), alive, ply).unwrap_or_else(|| {
                let (unattacked, attacked) = self.unattacked_and_attacked(node, &child, ply);
                let value = self.leaf(&unattacked, ojama);
                attacked.map_or(value, |attacked| value.min(self.leaf(&attacked, ojama)))
            });
            best = best.max(value);
            if best >= beta {
                break;
            }
        }
        Some(best)
    }

    /// Returns the value of `node` at the end of a line; its field holds `ojama` ojama.
    fn leaf(&self, node: &Node, ojama: i64) -> OjamaTenths {
        self.balance.value(&Leaf {
            ojama,
            explosion: || node.field.explosion(),
            gauge: node.gauge,
            opponents_gauge: node.opponents_gauge,
            net: node.net,
            opponents_rows: node.opponents_rain.bits().count_ones(),
            is_attacked_by_skill: node.opponents_attack == OpponentsAttack::Skill,
        })
    }
}

#[cfg(test)]
mod tests;
