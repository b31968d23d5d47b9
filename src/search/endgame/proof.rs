//! An exhaustive search of a victim's actions.

use super::{After, MateSearch, Node};
use crate::search::{Bound, Budget, TranspositionTable};

/// Searches all actions of the victim. A new search begins in `table`.
///
/// Returns the greatest number of plies that the victim survives if it cannot escape, `Some(None)`
/// if it can, and `None` if `budget` runs out.
pub fn prove(
    mate_search: &mut MateSearch<'_>,
    table: &mut TranspositionTable,
    budget: &Budget,
) -> Option<Option<usize>> {
    table.new_search();
    let root = mate_search.root;
    let mut proof = Proof { mate_search, budget, seen: table, longest: 0 };
    let escapes = proof.escapes(root, 0)?;
    Some((!escapes).then_some(proof.longest))
}

struct Proof<'s, 'a> {
    mate_search: &'s mut MateSearch<'a>,
    budget: &'s Budget,
    /// The keys of the nodes without an escape.
    seen: &'s TranspositionTable,
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
        for child in self.mate_search.children(&node, ply, self.budget)? {
            match self.mate_search.after(&node, fell, &child, ply) {
                After::Died => {}
                After::Escaped => return Some(true),
                After::Goes(node) => next.push(node),
            }
        }
        // The most likely escape first.
        next.sort_by_cached_key(Node::danger);
        for node in next {
            if self.escapes(node, ply + 1)? {
                return Some(true);
            }
        }
        self.seen.put(key, Bound::Exact(0), self.mate_search.packs.len() - ply);
        Some(false)
    }
}
