//! A beam search for the actions with which a victim survives, or survives longest.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use fnv::FnvHashSet;

use super::{After, EndgameNode, MateSearch};
use crate::game::Action;
use crate::search::Budget;

/// The result of a survival search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SurvivalResult {
    /// The number of plies that the victim survives.
    pub plies: usize,
    /// The action of the victim in each of these plies. Unless the victim escapes, every action
    /// tried after `path` ends in death.
    pub path: Vec<Action>,
    /// The end of the search.
    pub end: SurvivalEnd,
}

/// The end of a survival search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SurvivalEnd {
    /// The victim survives until no more rows fall, or survives the attacker.
    Escapes,
    /// No escape was found.
    Dies,
    /// There is no escape: the given path is fatal, or all actions after it were tried.
    SurelyDies,
}

impl SurvivalResult {
    /// Whether no escape was found.
    pub fn is_death(&self) -> bool {
        self.end != SurvivalEnd::Escapes
    }

    /// A greater rank is better for the victim: an escape, then more plies.
    pub fn rank(&self) -> (bool, usize) {
        (!self.is_death(), self.plies)
    }
}

/// The widths of the sweeps.
const WIDTHS: [usize; 5] = [2, 12, 60, 300, 1500];

/// Searches for an escape after `path`, the first actions of the victim, in sweeps of growing
/// width. Ends when an escape is found, when all actions were tried, or when `budget` is spent.
pub fn survive(
    mate_search: &mut MateSearch<'_>,
    path: &[Action],
    budget: &Budget,
) -> SurvivalResult {
    let (root, from) = match walk(mate_search, path, budget) {
        Ok(root) => (root, path.len()),
        Err(result) => return result,
    };
    let mut best: Option<SurvivalResult> = None;
    for width in WIDTHS {
        let Some(mut result) = sweep(mate_search, root, from, width, budget) else { break };
        result.path.splice(0..0, path.iter().copied());
        let is_done = result.end != SurvivalEnd::Dies;
        // A wider sweep may miss a path that a narrower one found.
        if is_done || best.as_ref().is_none_or(|best| best.rank() <= result.rank()) {
            best = Some(result);
        }
        if is_done {
            break;
        }
    }
    // Not even the narrowest sweep was completed, so no death is known.
    best.unwrap_or(SurvivalResult {
        plies: path.len(),
        path: path.to_vec(),
        end: SurvivalEnd::Escapes,
    })
}

/// Returns the node after the actions of `path`, or the result if the search ends within `path`.
fn walk(
    mate_search: &mut MateSearch<'_>,
    path: &[Action],
    budget: &Budget,
) -> Result<EndgameNode, SurvivalResult> {
    let mut node = mate_search.root;
    for (ply, action) in path.iter().enumerate() {
        let result = |plies, end| Err(SurvivalResult { plies, path: path[..plies].to_vec(), end });
        if ply == mate_search.packs.len() {
            return result(ply, SurvivalEnd::Escapes);
        }
        // Within the path, a ply without a row is no escape: the rest of the path must be played.
        let goes_on = node.let_rain(ply) || ply + 1 < path.len();
        let outcomes = mate_search.outcomes(&node, goes_on, ply, budget);
        let Some((_, after)) = outcomes.into_iter().flatten().find(|(of, _)| of == action) else {
            return result(ply, SurvivalEnd::Escapes);
        };
        match after {
            After::Goes(next) => node = next,
            After::Escaped => return result(ply + 1, SurvivalEnd::Escapes),
            After::Died => return result(ply, SurvivalEnd::SurelyDies),
        }
    }
    Ok(node)
}

/// Runs one sweep of `width` from `root` at the ply `from`; `None` if the budget runs out.
fn sweep(
    mate_search: &mut MateSearch<'_>,
    root: EndgameNode,
    from: usize,
    width: usize,
    budget: &Budget,
) -> Option<SurvivalResult> {
    let mut trail: Vec<Vec<(usize, Action)>> = Vec::new();
    let mut layer = vec![root];
    let mut next: Vec<(EndgameNode, usize, Action)> = Vec::new();
    let mut is_whole = true;
    for ply in from..mate_search.packs.len() {
        next.clear();
        for (parent, node) in layer.iter_mut().enumerate() {
            let fell = node.let_rain(ply);
            for (action, after) in mate_search.outcomes(node, fell, ply, budget)? {
                match after {
                    After::Died => {}
                    After::Goes(node) => next.push((node, parent, action)),
                    After::Escaped => {
                        let mut path = path_to(&trail, parent);
                        path.push(action);
                        return Some(SurvivalResult {
                            plies: ply + 1,
                            path,
                            end: SurvivalEnd::Escapes,
                        });
                    }
                }
            }
        }
        if next.is_empty() {
            let end = if is_whole { SurvivalEnd::SurelyDies } else { SurvivalEnd::Dies };
            return Some(SurvivalResult { plies: ply, path: path_to(&trail, 0), end });
        }
        // A heap orders only the nodes that are kept. Of equally dangerous nodes the first one
        // comes first: the order of the parents, then of the actions.
        let ranked = next.iter().enumerate();
        let ranked = ranked.map(|(index, (node, ..))| Reverse((node.danger(), index)));
        let mut ranked: BinaryHeap<_> = ranked.collect();
        let (mut seen, mut origins) = (FnvHashSet::default(), Vec::new());
        layer.clear();
        while let Some(Reverse((_, index))) = ranked.pop() {
            let (node, parent, action) = next[index];
            if !seen.insert(node.key(ply)) {
                continue;
            }
            if layer.len() == width {
                is_whole = false;
                break;
            }
            layer.push(node);
            origins.push((parent, action));
        }
        trail.push(origins);
    }
    Some(SurvivalResult {
        plies: mate_search.packs.len(),
        path: path_to(&trail, 0),
        end: SurvivalEnd::Escapes,
    })
}

/// Returns the actions that lead to the node of index `node` in the last layer.
fn path_to(trail: &[Vec<(usize, Action)>], mut node: usize) -> Vec<Action> {
    let mut path: Vec<Action> = trail
        .iter()
        .rev()
        .map(|layer| {
            let (parent, action) = layer[node];
            node = parent;
            action
        })
        .collect();
    path.reverse();
    path
}
