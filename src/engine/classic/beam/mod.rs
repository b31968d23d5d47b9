//! The beam search of y.s.'s bot, shared by all its beams.
//!
//! The value of a field is the best result of a drop of the next pack, not of a possible later
//! pack: all drops of the next pack are tried on it. The slots of a layer are given by the length
//! of the chain found so, the longest first, and no length takes more slots than its cap. The cap
//! keeps fields of different structure. A chain does not end a line: the search continues after it.

use rayon::prelude::*;

use super::presets::{Parameters, Shape};
use crate::board::{ChildBuffer, Field};
use crate::game::{
    Chain, DropColumns, Dropped, Gauge, HEIGHT, OJAMA_ROW, Pack, Placement, Player, State, Stock,
};
use crate::search::transposition::fnv_1;
use crate::search::{Budget, TranspositionTable};

/// The measure by which the beam orders fields.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Aim {
    /// Long chains.
    Chain {
        /// A field with a block in this row or above it is worth nothing.
        height_limit: Option<u8>,
    },
    /// A skill that blows up many blocks.
    Skill,
}

/// A chain whose fields displace all others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Target {
    /// The first layer that can set off this chain keeps only fields that can set it off.
    pub chain: Chain,
    /// Fields whose chain is shorter by up to this are kept as well.
    pub kept: u8,
    /// The search ends with the layer that can set off this chain; 0 for none.
    pub last: Chain,
}

/// The input of a beam.
#[derive(Clone, Copy, Debug)]
pub struct ClassicBeamRequest<'a> {
    /// The player that builds, before the row that is due has fallen.
    pub player: Player<Field>,
    /// The other player's stock.
    pub others_stock: Stock,
    /// The packs from the coming turn on.
    pub packs: &'a [Pack],
    /// Depth, width and cap. The time is in the budget.
    pub shape: Shape,
    /// The columns in which packs may be dropped.
    pub columns: DropColumns,
    /// The first drop, if it is fixed.
    pub first: Option<Placement>,
    /// A ply, and the ojama that arrive at its end.
    pub attack: Option<(usize, Stock)>,
    /// A chain to reach as soon as possible.
    pub target: Option<Target>,
    /// The measure of a field.
    pub aim: Aim,
}

impl<'a> ClassicBeamRequest<'a> {
    /// The request of the beam at the start of a game, as y.s.'s bot searches then. Two columns on
    /// each side are closed, and a field with a block in row 14 or above is worth nothing. The first
    /// layer that can set off a chain of 12 keeps only fields that can set off a chain of 12 or 11.
    pub fn opening(state: &State<Field>, packs: &'a [Pack], parameters: &Parameters) -> Self {
        let [own, opponent] = &state.players;
        Self {
            columns: DropColumns::without_sides(parameters.closed),
            target: Some(Target {
                chain: parameters.target,
                kept: parameters.kept,
                last: parameters.final_target,
            }),
            aim: Aim::Chain { height_limit: Some(parameters.height_limit) },
            ..Self::later(own, opponent.stock, packs, parameters.opening)
        }
    }

    /// The request of a beam for the longest chains of `player` in a later turn. All columns are
    /// open, and the beam has no target. `others_stock` is the other player's stock.
    pub const fn later(
        player: &Player<Field>,
        others_stock: Stock,
        packs: &'a [Pack],
        shape: Shape,
    ) -> Self {
        Self {
            player: *player,
            others_stock,
            packs,
            shape,
            columns: DropColumns::ALL,
            first: None,
            attack: None,
            target: None,
            aim: Aim::Chain { height_limit: None },
        }
    }
}

/// The result of a beam.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ClassicBeamResult {
    /// The drops to the best field of the deepest layer.
    pub path: Vec<Placement>,
    /// The value of that field.
    pub value: i64,
    /// The turns after which the target can first be set off.
    pub target_depth: Option<usize>,
    /// For each depth, the longest chain that can be set off there; depth 0 is the coming turn.
    pub longest: Vec<Chain>,
    /// Fields in the widest layer.
    pub widest: usize,
    /// Whether time or drops ran out.
    pub cut: bool,
    /// Fields that were reached again.
    pub hits: u64,
}

impl ClassicBeamResult {
    /// Returns the turns after which a chain of at least this length can be set off.
    pub fn depth_of(&self, chain: Chain) -> Option<usize> {
        self.longest.iter().position(|&longest| longest >= chain)
    }

    /// Returns the longest chain at any depth.
    pub fn best(&self) -> Chain {
        self.longest.iter().copied().max().unwrap_or_default()
    }

    /// Returns the number of layers reached after the coming turn.
    pub fn depth(&self) -> usize {
        self.path.len()
    }
}

/// A field that the beam keeps.
#[derive(Clone, Copy)]
struct KeptField {
    field: Field,
    /// The own stock minus the other player's.
    net: i64,
    gauge: Gauge,
    /// The longest chain that could be set off on the way to this field.
    best: Chain,
}

/// A field that the beam may keep: how it is reached, and its value.
#[derive(Clone, Copy)]
struct BeamCandidate {
    parent: u32,
    placement: Placement,
    /// The class that the cap limits: the length of the chain; in skill mode, the blocks blown up.
    class: u8,
    best: Chain,
    value: i64,
}

/// The best result of a drop of the next pack.
struct Now {
    chain: Chain,
    /// 100 for each ojama of the chain, plus the blocks that it leaves.
    value: i64,
}

/// Searches layer by layer. A new search begins in `table`.
pub fn search(
    request: &ClassicBeamRequest<'_>,
    table: &mut TranspositionTable,
    budget: &Budget,
) -> ClassicBeamResult {
    table.new_search();
    let player = &request.player;
    let net = player.stock as i64 - request.others_stock as i64;
    let root = KeptField { field: player.field, net, gauge: player.gauge, best: Chain(0) };
    let root = request.rained(root);
    let mut result = ClassicBeamResult::default();
    let Some(pack) = request.packs.first() else { return result };
    let now = can_fire(&root.field, pack, &mut ChildBuffer::new());
    result.longest.push(now.map_or(Chain(0), |now| now.chain));

    let mut layer = vec![root];
    let mut trail: Vec<Vec<(u32, Placement)>> = Vec::new();
    let last = request.packs.len().saturating_sub(1);
    for ply in 0..request.shape.depth.min(last) {
        let (mut candidates, whole) = request.expand(&layer, ply, table, budget);
        result.cut |= !whole;
        let Some(longest) = candidates.iter().map(|candidate| Chain(candidate.class)).max() else {
            break;
        };
        result.longest.push(if request.aim == Aim::Skill { Chain(0) } else { longest });
        let reached = request.target.filter(|target| longest >= target.chain);
        if let Some(target) = reached.filter(|_| result.target_depth.is_none()) {
            result.target_depth = Some(ply + 1);
            let least = target.chain.0.saturating_sub(target.kept);
            candidates.retain(|candidate| candidate.class >= least);
        }
        let best = candidates.iter().max_by(|a, b| a.value.cmp(&b.value).then(b.order(a)));
        let best = *best.expect("the longest chain is among them");
        result.path = path(&trail, best.parent);
        result.path.push(best.placement);
        result.value = best.value;
        if !whole || request.target.is_some_and(|t| t.last.0 > 0 && longest >= t.last) {
            break;
        }
        deal(&mut candidates, request.shape);
        result.widest = result.widest.max(candidates.len());
        layer = request.descend(&layer, &candidates, ply);
        trail.push(candidates.iter().map(|kept| (kept.parent, kept.placement)).collect());
    }
    result.hits = table.hits();
    result
}

impl ClassicBeamRequest<'_> {
    /// Returns `node` after the row that is due has fallen.
    fn rained(&self, mut node: KeptField) -> KeptField {
        if node.net >= OJAMA_ROW as i64 {
            node.net -= OJAMA_ROW as i64;
            node.field.rain();
        }
        node
    }

    /// Returns the node after a drop, with the coming row fallen.
    fn child(&self, node: &KeptField, dropped: Dropped<Field>, ply: usize) -> KeptField {
        let arriving = self.attack.filter(|&(at, _)| at == ply).map_or(0, |(_, stock)| stock);
        let net = node.net - dropped.chain.ojama() as i64 + arriving as i64;
        let gauge = node.gauge.charged(dropped.chain);
        self.rained(KeptField { field: dropped.field, net, gauge, best: node.best })
    }

    /// Returns the candidates of the next layer, and whether the budget sufficed for all.
    fn expand(
        &self,
        layer: &[KeptField],
        ply: usize,
        table: &TranspositionTable,
        budget: &Budget,
    ) -> (Vec<BeamCandidate>, bool) {
        let columns = match self.first.filter(|_| ply == 0) {
            Some(first) => DropColumns { first: first.column, last: first.column },
            None => self.columns,
        };
        let parts = columns.split(rayon::current_num_threads());
        let parts: Vec<(Vec<BeamCandidate>, bool)> = parts
            .into_par_iter()
            .map(|columns| self.try_columns(layer, columns, ply, table, budget))
            .collect();
        let whole = parts.iter().all(|(_, whole)| *whole);
        (parts.into_iter().flat_map(|(candidates, _)| candidates).collect(), whole)
    }

    /// Tries the drops in some columns: a thread's part of the work.
    fn try_columns(
        &self,
        layer: &[KeptField],
        columns: DropColumns,
        ply: usize,
        table: &TranspositionTable,
        budget: &Budget,
    ) -> (Vec<BeamCandidate>, bool) {
        let (pack, next) = (&self.packs[ply], &self.packs[ply + 1]);
        let mut buffer = ChildBuffer::new();
        let mut children: Vec<(Placement, Dropped<Field>)> = Vec::with_capacity(Placement::COUNT);
        let mut candidates = Vec::new();
        for (parent, node) in (0..).zip(layer) {
            node.field.children(pack, columns, &mut buffer);
            children.clear();
            children.extend(columns.placements().map(|drop| (drop, buffer.child(drop))));
            for &(placement, dropped) in &children {
                if self.first.is_some_and(|first| ply == 0 && first != placement)
                    || dropped.field.is_over()
                {
                    continue;
                }
                let child = self.child(node, dropped, ply);
                let key = [child.field.hash(), child.net as u64, ply as u64];
                if !table.is_new(fnv_1(key), 0) {
                    continue;
                }
                let made =
                    BeamCandidate { parent, placement, class: 0, best: child.best, value: 0 };
                candidates.extend(self.valued(made, &child, next, &mut buffer));
            }
            if !budget.spend((children.len() * (1 + Placement::COUNT)) as u64) {
                return (candidates, false);
            }
        }
        (candidates, true)
    }

    /// Returns the candidate with its value, or `None` if chains are the aim and every drop of the
    /// next pack loses.
    fn valued(
        &self,
        made: BeamCandidate,
        node: &KeptField,
        next: &Pack,
        buffer: &mut ChildBuffer,
    ) -> Option<BeamCandidate> {
        match self.aim {
            Aim::Chain { height_limit } => {
                let now = can_fire(&node.field, next, buffer)?;
                let best = node.best.max(now.chain);
                let too_high = height_limit.is_some_and(|limit| node.field.tallest() >= limit);
                // Y.s.: ojama of the longest chain on the way x 1000 + ojama of the chain now x
                // 100 + blocks left.
                let value = 1000 * best.ojama() as i64 + now.value;
                let value = if too_high { 0 } else { value };
                Some(BeamCandidate { class: now.chain.0, best, value, ..made })
            }
            // Y.s.: the beam's value is changed to one for an efficient skill, which the account
            // does not give; published: (blocks blown up + blocks) x the gauge, up to the gauge
            // that the skill needs.
            Aim::Skill => {
                let blown_up = node.field.explosion().0;
                let blocks = i64::from(blown_up) + i64::from(node.field.blocks());
                let value = blocks * i64::from(node.gauge.get().min(Gauge::SKILL));
                Some(BeamCandidate { class: blown_up, value, ..made })
            }
        }
    }

    /// Returns the next layer. Its drops are simulated again, which is cheaper than keeping all
    /// fields.
    fn descend(&self, layer: &[KeptField], kept: &[BeamCandidate], ply: usize) -> Vec<KeptField> {
        let make = |candidate: &BeamCandidate| {
            let node = &layer[candidate.parent as usize];
            let dropped = node.field.drop_pack(&self.packs[ply], candidate.placement);
            KeptField { best: candidate.best, ..self.child(node, dropped, ply) }
        };
        kept.par_iter().map(make).collect()
    }
}

impl BeamCandidate {
    /// Orders candidates of equal value: the one found first comes first.
    fn order(&self, other: &Self) -> std::cmp::Ordering {
        (self.parent, self.placement).cmp(&(other.parent, other.placement))
    }
}

/// Keeps the candidates of the next layer: the longest chains first, and within a length the best
/// values. No length takes more than `shape.cap` slots, and the layer at most `shape.width`.
fn deal(candidates: &mut Vec<BeamCandidate>, shape: Shape) {
    candidates.sort_unstable_by(|a, b| {
        b.class.cmp(&a.class).then(b.value.cmp(&a.value)).then(a.order(b))
    });
    let mut of_class = [0usize; 256];
    candidates.retain(|candidate| {
        let count = &mut of_class[usize::from(candidate.class)];
        *count += 1;
        *count <= shape.cap
    });
    candidates.truncate(shape.width);
}

/// Returns the drops to a field of the last layer.
fn path(trail: &[Vec<(u32, Placement)>], field: u32) -> Vec<Placement> {
    let mut at = field;
    let back = trail.iter().rev().map(|layer| {
        let (parent, placement) = layer[at as usize];
        at = parent;
        placement
    });
    let mut path: Vec<Placement> = back.collect();
    path.reverse();
    path
}

/// Returns the result of the greatest value among the drops of a pack, or `None` if every drop ends
/// the game.
fn can_fire(field: &Field, pack: &Pack, buffer: &mut ChildBuffer) -> Option<Now> {
    field.children(pack, DropColumns::ALL, buffer);
    let in_danger = usize::from(field.tallest()) + 2 > HEIGHT;
    let blocks = i64::from(field.blocks());
    let falling = pack.codes().iter().filter(|&&code| code != 0).count() as i64;
    let mut best: Option<Now> = None;
    let mut consider = |placement: Placement, chain: Chain| {
        let sent = 100 * chain.ojama() as i64;
        // Each round removes at least two blocks: a drop that cannot be better is not simulated.
        let most = sent + blocks + falling - 2 * i64::from(chain.0);
        if best.as_ref().is_some_and(|best| most <= best.value) {
            return;
        }
        let quiet = chain == Chain(0) && !in_danger;
        let left = if quiet {
            blocks + falling
        } else {
            let child = buffer.child(placement).field;
            if in_danger && child.is_over() {
                return;
            }
            i64::from(child.blocks())
        };
        let value = sent + left;
        if best.as_ref().is_none_or(|best| value > best.value) {
            best = Some(Now { chain, value });
        }
    };
    let chains = Placement::all().map(|placement| buffer.chain(placement));
    let longest = chains.max().unwrap_or_default();
    for placement in Placement::all().filter(|&drop| buffer.chain(drop) == longest) {
        consider(placement, longest);
    }
    for placement in Placement::all() {
        consider(placement, buffer.chain(placement));
    }
    best
}

/// Returns the longest chain that a player can set off in the coming turn and survive.
pub fn longest_now(player: &Player<Field>, pack: &Pack) -> Chain {
    let field = player.rained();
    let mut buffer = ChildBuffer::new();
    field.children(pack, DropColumns::ALL, &mut buffer);
    let alive = Placement::all().filter(|&drop| !buffer.child(drop).field.is_over());
    alive.map(|drop| buffer.chain(drop)).max().unwrap_or_default()
}

#[cfg(test)]
mod tests;
