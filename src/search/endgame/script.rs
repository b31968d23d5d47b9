//! A script: a fixed line of actions, independent of the opponent's actions.

use std::cmp::Reverse;

use fnv::FnvHashMap;

use crate::board::{ChildBuffer, Field};
use crate::game::{Action, Chain, DropColumns, Pack, Placement, Player, Stock};
use crate::search::Rain;
use crate::search::child::Child;

/// The actions of a player that considers only its own field: the actions of `path`, then
/// [`lowest`]. Two runs of a script differ only by the rows that fall on the player.
#[derive(Debug)]
pub struct Script {
    start: Player<Field>,
    path: Vec<Action>,
    /// The plies played so far, by ply and by the bits of the rain up to that ply.
    played: FnvHashMap<(usize, u64), Played>,
}

/// A ply of a script.
#[derive(Clone, Copy, Debug)]
pub struct Played {
    field: Field,
    /// The score so far.
    pub score: u64,
    /// The chain set off in the ply.
    pub chain: Chain,
    /// The ojama sent in the ply.
    pub sent: Stock,
    /// Whether the player is past the danger line.
    pub is_over: bool,
}

impl Script {
    /// The script of `start` that begins with `path`.
    ///
    /// # Panics
    /// If `path` holds the skill anywhere but first, or if the gauge does not allow it.
    pub fn new(start: Player<Field>, path: Vec<Action>) -> Self {
        let skill = path.iter().position(|&action| action == Action::Skill);
        assert!(skill.is_none_or(|ply| ply == 0 && start.gauge.allows_skill()));
        Self { start, path, played: FnvHashMap::default() }
    }

    /// The number of plies of `path`.
    pub const fn given(&self) -> usize {
        self.path.len()
    }

    /// Plays the script up to `ply` under `rain` and returns the result of that ply. Rain after
    /// `ply` has no effect.
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
        let child = match action.unwrap_or_else(|| Action::Drop(lowest(&field, &packs[ply]))) {
            Action::Drop(drop) => Child::of_drop(drop, field.drop_pack(&packs[ply], drop)),
            Action::Skill => Child::of_skill(&field),
        };
        let played = Played {
            field: child.field,
            score: score + child.score(),
            chain: child.chain,
            sent: child.sent(),
            is_over: child.field.is_over(),
        };
        self.played.insert((ply, bits), played);
        played
    }
}

/// Returns the drop of `pack` after which the tallest column of `field` is lowest. Ties go to the
/// longer chain, then to the smaller sum of squared heights. The row of the ply has already fallen
/// on `field`.
pub fn lowest(field: &Field, pack: &Pack) -> Placement {
    let mut buffer = ChildBuffer::new();
    field.children(pack, DropColumns::ALL, &mut buffer);
    let rank = |placement: &Placement| {
        let dropped = buffer.child(*placement);
        let heights = dropped.field.heights();
        let squares: u32 = heights.iter().map(|&height| u32::from(height).pow(2)).sum();
        (heights.into_iter().max(), Reverse(dropped.chain), squares)
    };
    match Placement::all().min_by_key(rank) {
        Some(placement) => placement,
        None => unreachable!("there are placements"),
    }
}
