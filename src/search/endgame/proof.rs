//! All that a victim can do.

use super::{After, MateSearch, Node};
use crate::search::{Budget, TranspositionTable};

/// Positions remembered: 16 bytes each, and the table's own.
const TABLE: usize = 1 << 20;

/// The plies that the victim lives through at most if it cannot escape; `Some(None)` if it can, and
/// `None` if the budget does not suffice to tell.
pub fn prove(siege: &mut MateSearch<'_>, budget: &Budget) -> Option<Option<usize>> {
    let root = siege.root;
    let mut proof = Proof { siege, budget, seen: TranspositionTable::new(TABLE), longest: 0 };
    let escapes = proof.escapes(root, 0)?;
    Some((!escapes).then_some(proof.longest))
}

struct Proof<'s, 'a> {
    siege: &'s mut MateSearch<'a>,
    budget: &'s Budget,
    /// Nodes from which there is no escape.
    seen: TranspositionTable<()>,
    longest: usize,
}

impl Proof<'_, '_> {
    fn escapes(&mut self, mut node: Node, ply: usize) -> Option<bool> {
        self.longest = self.longest.max(ply);
        let key = node.key(ply);
        if self.seen.get(key).is_some() {
            return Some(false);
        }
        let fell = node.let_rain(ply);
        let mut next = Vec::new();
        for child in self.siege.children(&node, ply, self.budget)? {
            match self.siege.after(&node, fell, &child, ply) {
                After::Died => {}
                After::Escaped => return Some(true),
                After::Goes(node) => next.push(node),
            }
        }
        // The likeliest escape first.
        next.sort_by_cached_key(Node::danger);
        for node in next {
            if self.escapes(node, ply + 1)? {
                return Some(true);
            }
        }
        self.seen.put(key, ());
        Some(false)
    }
}
