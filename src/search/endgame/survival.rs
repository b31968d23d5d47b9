//! A way to live, or to live long.

use fnv::FnvHashSet;

use super::{After, MateSearch, Node};
use crate::game::Action;
use crate::search::Budget;

/// What was found of a victim's life.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SurvivalResult {
    /// Plies that it lives through.
    pub plies: usize,
    /// How: an action for each of them. After them all that was tried ends in death, unless it
    /// escapes.
    pub path: Vec<Action>,
    /// How it ends.
    pub end: End,
}

/// How a siege ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// The victim lives to a turn in which nothing falls any more, or outlives the attacker.
    Escapes,
    /// No way out was found.
    Dies,
    /// There is none: every way was tried.
    SurelyDies,
}

impl SurvivalResult {
    /// Whether no way out is known.
    pub fn is_death(&self) -> bool {
        self.end != End::Escapes
    }

    /// What is better for the victim: to escape, else to live long.
    pub fn rank(&self) -> (bool, usize) {
        (!self.is_death(), self.plies)
    }
}

/// Widths of the beam, one after the other.
const WIDTHS: [usize; 5] = [2, 12, 60, 300, 1500];

/// Looks for a way out by beams of growing width, until one is found, or everything was tried, or
/// the budget is spent. After `path`, which the victim is made to play, it is free.
pub fn survive(siege: &mut MateSearch<'_>, path: &[Action], budget: &Budget) -> SurvivalResult {
    let (root, from) = match walk(siege, path, budget) {
        Ok(root) => (root, path.len()),
        Err(fate) => return fate,
    };
    let mut best: Option<SurvivalResult> = None;
    for width in WIDTHS {
        let Some(mut fate) = sweep(siege, root, from, width, budget) else { break };
        fate.path.splice(0..0, path.iter().copied());
        let is_done = fate.end != End::Dies;
        // A wider beam may have lost what a narrower one found.
        if is_done || best.as_ref().is_none_or(|best| best.rank() <= fate.rank()) {
            best = Some(fate);
        }
        if is_done {
            break;
        }
    }
    // Not even the narrowest sweep: nothing bad is known.
    best.unwrap_or(SurvivalResult { plies: path.len(), path: path.to_vec(), end: End::Escapes })
}

/// The node after some actions, or how they end the siege.
fn walk(
    siege: &mut MateSearch<'_>,
    path: &[Action],
    budget: &Budget,
) -> Result<Node, SurvivalResult> {
    let mut node = siege.root;
    for (ply, action) in path.iter().enumerate() {
        let fate = |plies, end| Err(SurvivalResult { plies, path: path[..plies].to_vec(), end });
        if ply == siege.packs.len() {
            return fate(ply, End::Escapes);
        }
        let fell = node.let_rain(ply);
        let children = siege.children(&node, ply, budget).unwrap_or_default();
        let Some(child) = children.iter().find(|child| child.action == *action) else {
            return fate(ply, End::Escapes);
        };
        // That nothing falls now says nothing of what the rest of the path does.
        let after = siege.after(&node, fell || ply + 1 < path.len(), child, ply);
        match after {
            After::Goes(next) => node = next,
            After::Escaped => return fate(ply + 1, End::Escapes),
            After::Died => return fate(ply, End::SurelyDies),
        }
    }
    Ok(node)
}

/// One beam from a node at a ply; `None` if the budget runs out.
fn sweep(
    siege: &mut MateSearch<'_>,
    root: Node,
    from: usize,
    width: usize,
    budget: &Budget,
) -> Option<SurvivalResult> {
    let mut trail: Vec<Vec<(usize, Action)>> = Vec::new();
    let mut layer = vec![root];
    let mut is_whole = true;
    for ply in from..siege.packs.len() {
        let mut next: Vec<(Node, usize, Action)> = Vec::new();
        for (parent, node) in layer.iter_mut().enumerate() {
            let fell = node.let_rain(ply);
            for child in siege.children(node, ply, budget)? {
                match siege.after(node, fell, &child, ply) {
                    After::Died => {}
                    After::Goes(node) => next.push((node, parent, child.action)),
                    After::Escaped => {
                        let mut path = way(&trail, parent);
                        path.push(child.action);
                        return Some(SurvivalResult { plies: ply + 1, path, end: End::Escapes });
                    }
                }
            }
        }
        if next.is_empty() {
            let end = if is_whole { End::SurelyDies } else { End::Dies };
            return Some(SurvivalResult { plies: ply, path: way(&trail, 0), end });
        }
        next.sort_by_cached_key(|(node, parent, action)| (node.danger(), *parent, *action));
        let mut seen = FnvHashSet::default();
        next.retain(|(node, ..)| seen.insert(node.key(ply)));
        is_whole &= next.len() <= width;
        next.truncate(width);
        layer = next.iter().map(|(node, ..)| *node).collect();
        trail.push(next.into_iter().map(|(_, parent, action)| (parent, action)).collect());
    }
    Some(SurvivalResult { plies: siege.packs.len(), path: way(&trail, 0), end: End::Escapes })
}

/// The actions that lead to a node of the last layer.
fn way(trail: &[Vec<(usize, Action)>], mut node: usize) -> Vec<Action> {
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
