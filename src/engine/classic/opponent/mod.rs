//! Tables of everything that the opponent can do within four plies.
//!
//! At a ply either one row of ten falls on the opponent or none does, for any number of ojama sent
//! to it. Each line of its actions is searched under every such rain. Rows that its own stock makes
//! fall are not optional. Lines with the same rain and the same use of the skill (never, earlier or
//! just now) share an entry. An entry keeps, for each quantity by itself, the worst value for us;
//! the values of an entry need not come from one line.
//!
//! A later improvement of y.s. halves the search: the most that can be sent to the opponent at the
//! first ply is known, so that a row at the second ply is often impossible.

use rayon::prelude::*;

use crate::board::{ChildBuffer, Field};
use crate::game::{
    Chain, DropColumns, Dropped, Gauge, HEIGHT, Number, OJAMA_ROW, Pack, Placement, Player, Stock,
};
use crate::search::transposition::fnv_1;
use crate::search::{Budget, Rain, TranspositionTable};

/// The most plies.
pub const PLIES: usize = 4;

/// Whether the opponent has used its skill.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Skill {
    /// In no ply so far.
    Never,
    /// In an earlier ply.
    Earlier,
    /// In this ply.
    Now,
}

/// The worst case for us over all lines with the same rain and the same use of the skill that the
/// opponent survives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WorstCase {
    /// Whether the opponent survives. If not, the other fields have no meaning.
    pub alive: bool,
    /// Whether the opponent can set off a chain at this ply, so that its gauge rises.
    pub fires: bool,
    /// The longest chain at this ply.
    pub chain: Chain,
    /// The most ojama that the skill sends at this ply, without its chain.
    pub skill_sent: Stock,
    /// The most ojama sent up to and including this ply.
    pub sent: Stock,
    /// The most points taken from our gauge up to and including this ply.
    pub drain: u16,
    /// The fewest blocks on the opponent's field, including ojama.
    pub blocks: u16,
    /// The fewest ojama on the opponent's field.
    pub ojama: u16,
    /// The most blocks that the opponent's skill would blow up next.
    pub explosion: u16,
}

/// The tables, indexed by ply, use of the skill, and rain up to and including that ply.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tables {
    plies: usize,
    table: [[[WorstCase; 1 << PLIES]; 3]; PLIES],
    /// Whether a rain was searched, by ply and [`Rain::index`].
    looked_at: [[bool; 1 << PLIES]; PLIES],
}

impl WorstCase {
    const NONE: Self = Self {
        alive: false,
        fires: false,
        chain: Chain(0),
        skill_sent: 0,
        sent: 0,
        drain: 0,
        blocks: u16::MAX,
        ojama: u16::MAX,
        explosion: 0,
    };

    /// Returns the worse of both for each field.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        Self {
            alive: self.alive | other.alive,
            fires: self.fires | other.fires,
            chain: self.chain.max(other.chain),
            skill_sent: self.skill_sent.max(other.skill_sent),
            sent: self.sent.max(other.sent),
            drain: self.drain.max(other.drain),
            blocks: self.blocks.min(other.blocks),
            ojama: self.ojama.min(other.ojama),
            explosion: self.explosion.max(other.explosion),
        }
    }
}

impl Tables {
    fn new(plies: usize) -> Self {
        let table = [[[WorstCase::NONE; 1 << PLIES]; 3]; PLIES];
        Self { plies, table, looked_at: [[false; 1 << PLIES]; PLIES] }
    }

    /// Returns the number of plies that were searched.
    pub const fn plies(&self) -> usize {
        self.plies
    }

    /// Returns the worst case at `ply` for one use of the skill.
    pub fn at(&self, ply: usize, skill: Skill, rain: Rain) -> &WorstCase {
        &self.table[ply][skill as usize][rain.index(ply)]
    }

    /// Returns whether a rain up to and including `ply` was searched. If not, its entries have no
    /// meaning.
    pub fn has(&self, ply: usize, rain: Rain) -> bool {
        ply < self.plies && self.looked_at[ply][rain.index(ply)]
    }

    /// Returns the worst case at `ply` over all uses of the skill.
    pub fn any(&self, ply: usize, rain: Rain) -> WorstCase {
        let at = |skill| *self.at(ply, skill, rain);
        at(Skill::Never).or(at(Skill::Earlier)).or(at(Skill::Now))
    }

    fn merge(mut self, other: &Self) -> Self {
        let all = self.table.as_flattened_mut().as_flattened_mut();
        for (worst, other) in all.iter_mut().zip(other.table.as_flattened().as_flattened()) {
            *worst = worst.or(*other);
        }
        let rains = self.looked_at.as_flattened_mut().iter_mut();
        rains.zip(other.looked_at.as_flattened()).for_each(|(rain, other)| *rain |= other);
        self
    }
}

/// Returns the most ojama that a player can send in the coming turn.
pub fn most_sent(player: &Player<Field>, pack: &Pack) -> Stock {
    let field = player.rained();
    let mut buffer = ChildBuffer::new();
    field.children(pack, DropColumns::ALL, &mut buffer);
    let chains = Placement::all().map(|placement| buffer.chain(placement).ojama());
    let by_skill = player.gauge.allows_skill().then(|| field.explode().sent());
    chains.chain(by_skill).max().unwrap_or(0)
}

/// The input of the search.
#[derive(Clone, Copy, Debug)]
pub struct OpponentRequest<'a> {
    /// The opponent.
    pub player: &'a Player<Field>,
    /// Our stock.
    pub others_stock: Stock,
    /// The packs from the coming turn on.
    pub packs: &'a [Pack],
    /// Plies to search, 1 to [`PLIES`].
    pub plies: usize,
    /// The most ojama that we can send at the first ply; `None` searches every rain.
    pub sendable: Option<Stock>,
}

/// Searches all lines. Returns `None` if the budget does not suffice. A new search begins in
/// `table`.
pub fn search(
    request: &OpponentRequest<'_>,
    table: &mut TranspositionTable,
    budget: &Budget,
) -> Option<Tables> {
    table.new_search();
    let plies = request.plies.min(PLIES).min(request.packs.len());
    let player = request.player;
    let net = player.stock as i64 - request.others_stock as i64;
    let mut root = OpponentNode {
        field: player.field,
        gauge: player.gauge,
        net,
        rain: Rain::NONE,
        skill: Skill::Never,
        sent: 0,
        drain: 0,
        ojama: player.field.ojama() as u16,
    };
    root.let_rain(0);
    // A row that falls on us reduces the ojama that have to be offset first.
    let row = OJAMA_ROW as i64;
    let owed = if net <= -row { root.net + row } else { root.net };
    let row_at_second = request.sendable.is_none_or(|sent| owed + sent as i64 >= row);
    let tasks = DropColumns::ALL.split(rayon::current_num_threads());
    let seen = &*table;
    let parts: Vec<Option<Tables>> = tasks
        .into_par_iter()
        .map(|columns| {
            let mut part = TableSearch {
                packs: request.packs,
                budget,
                seen,
                row_at_second,
                tables: Tables::new(plies),
                buffer: ChildBuffer::new(),
            };
            // One of the tasks also tries the skill.
            let skill = columns.first == DropColumns::ALL.first;
            part.try_all(&root, columns, skill, 0).then_some(part.tables)
        })
        .collect();
    parts.into_iter().try_fold(Tables::new(plies), |sum, part| Some(sum.merge(&part?)))
}

/// A position of the opponent, after the row of this ply has fallen.
#[derive(Clone, Copy)]
struct OpponentNode {
    field: Field,
    gauge: Gauge,
    /// The opponent's stock minus ours.
    net: i64,
    rain: Rain,
    skill: Skill,
    sent: Stock,
    drain: u16,
    ojama: u16,
}

impl OpponentNode {
    /// Drops the row that is due at `ply`, if one is.
    fn let_rain(&mut self, ply: usize) {
        if self.net >= OJAMA_ROW as i64 {
            self.net -= OJAMA_ROW as i64;
            self.fall(ply);
        }
    }

    /// Drops a row at `ply`.
    fn fall(&mut self, ply: usize) {
        self.field.rain();
        self.rain = self.rain.with(ply);
        self.ojama += OJAMA_ROW as u16;
    }

    /// Returns the node after `chain`, which leaves `field` and sends `sent` ojama.
    fn after(&self, field: Field, chain: Chain, sent: Stock) -> Self {
        Self {
            field,
            gauge: self.gauge.charged(chain),
            net: self.net - sent as i64,
            sent: self.sent + sent,
            drain: self.drain + u16::from(chain.drain()),
            ..*self
        }
    }

    fn key(&self, ply: usize) -> u64 {
        let small = (ply as u64) << 56
            | self.rain.bits() << 48
            | (self.skill as u64) << 40
            | u64::from(self.drain) << 16
            | u64::from(self.gauge.get());
        fnv_1([self.field.hash(), small, self.net as u64, self.sent])
    }
}

/// A thread's part of the search: the lines that begin with a drop in some columns.
struct TableSearch<'a> {
    packs: &'a [Pack],
    budget: &'a Budget,
    seen: &'a TranspositionTable,
    row_at_second: bool,
    tables: Tables,
    buffer: ChildBuffer,
}

impl TableSearch<'_> {
    /// Tries all actions at a node. Returns false if the budget is spent.
    fn try_all(
        &mut self,
        node: &OpponentNode,
        columns: DropColumns,
        skill: bool,
        ply: usize,
    ) -> bool {
        self.tables.looked_at[ply][node.rain.index(ply)] = true;
        if skill && node.gauge.allows_skill() {
            let exploded = node.field.explode();
            let by_skill = exploded.explosion.ojama();
            let spent = OpponentNode { gauge: Gauge::default(), skill: Skill::Now, ..*node };
            let after =
                spent.after(exploded.field, exploded.chain, by_skill + exploded.chain.ojama());
            if !self.go_on(&after, exploded.chain, by_skill, ply) {
                return false;
            }
        }
        let pack = &self.packs[ply];
        let node = &OpponentNode { skill: node.skill.later(), ..*node };
        node.field.children(pack, columns, &mut self.buffer);
        if !self.budget.spend(4 * columns.iter().count() as u64) {
            return false;
        }
        if ply + 1 == self.tables.plies {
            self.last_drops(node, pack, columns, ply);
            return true;
        }
        let drops = columns.placements();
        let children: Vec<Dropped<Field>> = drops.map(|drop| self.buffer.child(drop)).collect();
        children.into_iter().all(|Dropped { field, chain }| {
            self.go_on(&node.after(field, chain, chain.ojama()), chain, 0, ply)
        })
    }

    /// Records the result of an action, and searches the next ply with a row and without one.
    /// Returns false if the budget is spent.
    fn go_on(&mut self, after: &OpponentNode, chain: Chain, skill_sent: Stock, ply: usize) -> bool {
        if after.field.is_over() {
            return true;
        }
        let entry = self.entry(ply, after);
        *entry = entry.or(WorstCase {
            alive: true,
            fires: chain > Chain(0),
            chain,
            skill_sent,
            sent: after.sent,
            drain: after.drain,
            blocks: after.ojama + after.field.blocks() as u16,
            ojama: after.ojama,
            explosion: u16::from(after.field.explosion().0),
        });
        let next = ply + 1;
        let left = self.tables.plies - next;
        if left == 0 || !self.seen.is_new(after.key(ply), left) {
            return true;
        }
        let mut after_rain = *after;
        after_rain.let_rain(next);
        if !self.try_all(&after_rain, DropColumns::ALL, true, next) {
            return false;
        }
        if after_rain.rain != after.rain || (next == 1 && !self.row_at_second) {
            return true;
        }
        let mut hit = OpponentNode { net: 0, ..*after };
        hit.fall(next);
        self.try_all(&hit, DropColumns::ALL, true, next)
    }

    fn entry(&mut self, ply: usize, node: &OpponentNode) -> &mut WorstCase {
        &mut self.tables.table[ply][node.skill as usize][node.rain.index(ply)]
    }

    /// Tries the drops of the last ply, which take most of the time. It simulates a field only if
    /// that field can still change the table.
    fn last_drops(&mut self, node: &OpponentNode, pack: &Pack, columns: DropColumns, ply: usize) {
        let codes = pack.codes();
        let falling = codes.iter().filter(|&&code| code != 0).count() as u16;
        let fives = codes.iter().filter(|&&code| code == Number::FIVE.get()).count() as u16;
        // The largest explosion without a chain: each five of the pack has up to eight neighbours.
        let most_explosion = u16::from(node.field.explosion().0) + falling + 8 * fives;
        let blocks = node.ojama + node.field.blocks() as u16;
        let in_danger = usize::from(node.field.tallest()) + 2 > HEIGHT;
        let mut entry = *self.entry(ply, node);
        for placement in columns.placements() {
            let chain = self.buffer.chain(placement);
            let quiet = chain == Chain(0);
            if quiet && !in_danger && entry.alive && most_explosion <= entry.explosion {
                entry.blocks = entry.blocks.min(blocks + falling);
                entry.ojama = entry.ojama.min(node.ojama);
                entry.sent = entry.sent.max(node.sent);
                entry.drain = entry.drain.max(node.drain);
                continue;
            }
            let field = self.buffer.child(placement).field;
            if in_danger && field.is_over() {
                continue;
            }
            let left = if quiet { blocks + falling } else { node.ojama + field.blocks() as u16 };
            entry = entry.or(WorstCase {
                alive: true,
                fires: !quiet,
                chain,
                skill_sent: 0,
                sent: node.sent + chain.ojama(),
                drain: node.drain + u16::from(chain.drain()),
                blocks: left,
                ojama: node.ojama,
                explosion: if left - node.ojama <= entry.explosion {
                    0
                } else {
                    u16::from(field.explosion().0)
                },
            });
        }
        *self.entry(ply, node) = entry;
    }
}

impl Skill {
    /// Returns the use of the skill as the next ply sees it.
    const fn later(self) -> Self {
        match self {
            Self::Never => Self::Never,
            Self::Earlier | Self::Now => Self::Earlier,
        }
    }
}

#[cfg(test)]
mod tests;
