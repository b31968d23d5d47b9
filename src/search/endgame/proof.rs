//! An exhaustive search of a victim's actions.

use super::{After, EndgameNode, MateSearch};
use crate::search::{Bound, Budget, TranspositionTable};

/// The result of a search of all actions of a victim.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Proof {
    /// The victim can escape.
    Escapes,
    /// The victim cannot escape.
    Dies {
        /// The greatest number of plies that it survives.
        plies: usize,
    },
    /// The budget ran out.
    Unfinished,
}

/// Searches all actions of the victim. A new search begins in `table`.
pub fn prove(
    mate_search: &mut MateSearch<'_>,
    table: &mut TranspositionTable,
    budget: &Budget,
) -> Proof {
    table.new_search();
    let root = mate_search.root;
    let mut search = ProofSearch { mate_search, budget, seen: table, longest: 0 };
    match search.escapes(root, 0) {
        Some(true) => Proof::Escapes,
        Some(false) => Proof::Dies { plies: search.longest },
        None => Proof::Unfinished,
    }
}

struct ProofSearch<'s, 'a> {
    mate_search: &'s mut MateSearch<'a>,
    budget: &'s Budget,
    /// The keys of the nodes without an escape.
    seen: &'s TranspositionTable,
    longest: usize,
}

impl ProofSearch<'_, '_> {
    /// Returns whether the victim can escape from `node`, or `None` if the budget runs out.
    fn escapes(&mut self, mut node: EndgameNode, ply: usize) -> Option<bool> {
        self.longest = self.longest.max(ply);
        let key = node.key(ply);
        if self.seen.get(key).is_some() {
            return Some(false);
        }
        let fell = node.let_rain(ply);
        let mut next = Vec::new();
        for (_, after) in self.mate_search.outcomes(&node, fell, ply, self.budget)? {
            match after {
                After::Died => {}
                After::Escaped => return Some(true),
                After::Goes(node) => next.push(node),
            }
        }
        // The most likely escape first.
        next.sort_by_cached_key(EndgameNode::danger);
        for node in next {
            if self.escapes(node, ply + 1)? {
                return Some(true);
            }
        }
        self.seen.put(key, Bound::Exact(0), self.mate_search.packs.len() - ply);
        Some(false)
    }
}
