//! What a player does, whatever the other does.

use std::cmp::Reverse;

use fnv::FnvHashMap;

use crate::board::{ChildBuffer, Field};
use crate::game::{Action, Chain, DropColumns, Pack, Placement, Player, Stock};
use crate::search::Rain;

/// The actions of a player that looks at nothing but its own field: given ones, then [`lowest`].
/// Only the rows that fall on it make one course of it differ from another.
#[derive(Debug)]
pub struct Line {
    start: Player<Field>,
    path: Vec<Action>,
    /// By ply and by the plies, up to it, at which a row fell.
    played: FnvHashMap<(usize, u64), Played>,
}

/// A ply of a line.
#[derive(Clone, Copy, Debug)]
pub struct Played {
    field: Field,
    /// The score so far.
    pub score: u64,
    /// The chain set off in the ply.
    pub chain: Chain,
    /// The ojama sent in it.
    pub sent: Stock,
    /// Whether the player is past the danger line.
    pub is_over: bool,
}

impl Line {
    /// A line of a player. The skill may be its first action only, and only if the gauge allows it.
    ///
    /// # Panics
    /// If the skill is where it may not be.
    pub fn new(start: Player<Field>, path: Vec<Action>) -> Self {
        let skill = path.iter().position(|&action| action == Action::Skill);
        assert!(skill.is_none_or(|ply| ply == 0 && start.gauge.allows_skill()));
        Self { start, path, played: FnvHashMap::default() }
    }

    /// Plies whose actions were given.
    pub const fn given(&self) -> usize {
        self.path.len()
    }

    /// The ply when rows have fallen at the given plies, of which those up to it matter.
    pub fn at(&mut self, ply: usize, rain: Rain, packs: &[Pack]) -> Played {
        let bits = rain.bits() & ((2 << ply) - 1);
        if let Some(&played) = self.played.get(&(ply, bits)) {
            return played;
        }
        let (mut field, score) = match ply.checked_sub(1) {
            None => (self.start.field, self.start.score),
            Some(before) => {
                let before = self.at(before, rain, packs);
                (before.field, before.score)
            }
        };
        if rain.falls_at(ply) {
            field.rain();
        }
        let action = self.path.get(ply).copied();
        let played = match action.unwrap_or_else(|| Action::Drop(lowest(&field, &packs[ply]))) {
            Action::Drop(placement) => {
                let dropped = field.drop_pack(&packs[ply], placement);
                Played {
                    field: dropped.field,
                    score: score + dropped.chain.score(),
                    chain: dropped.chain,
                    sent: dropped.chain.ojama(),
                    is_over: dropped.field.is_over(),
                }
            }
            Action::Skill => {
                let exploded = field.explode();
                Played {
                    field: exploded.field,
                    score: score + exploded.chain.score() + exploded.explosion.score(),
                    chain: exploded.chain,
                    sent: exploded.sent(),
                    is_over: exploded.field.is_over(),
                }
            }
        };
        self.played.insert((ply, bits), played);
        played
    }
}

/// The drop after which a field, its row fallen, stands lowest; the longer chain, then the emptier
/// field, decides between equals.
pub fn lowest(field: &Field, pack: &Pack) -> Placement {
    let mut room = ChildBuffer::new();
    field.children(pack, DropColumns::ALL, &mut room);
    let rank = |placement: &Placement| {
        let dropped = room.child(*placement);
        let heights = dropped.field.heights();
        let squares: u32 = heights.iter().map(|&height| u32::from(height).pow(2)).sum();
        (heights.into_iter().max(), Reverse(dropped.chain), squares)
    };
    match Placement::all().min_by_key(rank) {
        Some(placement) => placement,
        None => unreachable!("there are placements"),
    }
}
