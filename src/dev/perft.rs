//! Counts all action sequences of one player within a few turns.

use std::collections::BTreeMap;

use fnv::FnvHashSet;

use crate::board::{Backend, ChildBuffer, Field};
use crate::game::{Chain, DropColumns, Explosion, Gauge, Pack, Placement, Player};
use crate::search::Rain;

/// The counts of all action sequences of one player.
///
/// A line ends at the given depth, or with the action that leaves a block above row 16.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Perft {
    /// The number of lines.
    pub leaves: u64,
    /// The number of lines that end above row 16.
    pub deaths: u64,
    /// The number of different states (field, gauge, score) at the ends of lines.
    pub states: u64,
    /// The number of actions at all plies by chain. An action counts once for each sequence of
    /// actions before it.
    pub chains: BTreeMap<Chain, u64>,
    /// The sum of a hash of each line's final state and last chain. It does not depend on the order
    /// of the lines.
    pub hash: u64,
}

/// Counts all sequences of `depth` actions: every drop, and the skill if the gauge allows it.
///
/// A row of ojama falls at the plies of `rain`, regardless of the player's stock.
pub fn perft(
    backend: Backend,
    player: &Player<Field>,
    packs: &[Pack],
    depth: usize,
    rain: Rain,
) -> Perft {
    let depth = depth.min(packs.len());
    let buffers = (0..depth).map(|_| ChildBuffer::of(backend)).collect();
    let mut count = Count {
        backend,
        packs: &packs[..depth],
        rain,
        buffers,
        perft: Perft::default(),
        seen: FnvHashSet::default(),
    };
    count.line(player, 0, Chain(0));
    Perft { states: count.seen.len() as u64, ..count.perft }
}

struct Count<'a> {
    backend: Backend,
    packs: &'a [Pack],
    rain: Rain,
    /// The buffer of each ply.
    buffers: Vec<ChildBuffer>,
    perft: Perft,
    seen: FnvHashSet<u64>,
}

impl Count<'_> {
    fn line(&mut self, player: &Player<Field>, ply: usize, chain: Chain) {
        let over = player.field.is_over();
        let Some(pack) = self.packs.get(ply).filter(|_| !over) else {
            self.perft.leaves += 1;
            self.perft.deaths += u64::from(over);
            let state = key(player);
            self.seen.insert(state);
            self.perft.hash = self.perft.hash.wrapping_add(mix(state ^ u64::from(chain.0)));
            return;
        };
        let mut field = player.field;
        if self.rain.falls_at(ply) {
            field.rain();
        }
        field.children(pack, DropColumns::ALL, &mut self.buffers[ply]);
        for placement in Placement::all() {
            let child = self.buffers[ply].child(placement);
            let gauge = player.gauge.charged(child.chain);
            self.go_on(player, child.field, child.chain, Explosion(0), gauge, ply);
        }
        if player.gauge.allows_skill() {
            let after = self.backend.explode(&field);
            let gauge = Gauge::default().charged(after.chain);
            self.go_on(player, after.field, after.chain, after.explosion, gauge, ply);
        }
    }

    fn go_on(
        &mut self,
        player: &Player<Field>,
        field: Field,
        chain: Chain,
        explosion: Explosion,
        gauge: Gauge,
        ply: usize,
    ) {
        *self.perft.chains.entry(chain).or_default() += 1;
        let score = player.score + chain.score() + explosion.score();
        self.line(&Player { field, gauge, score, ..*player }, ply + 1, chain);
    }
}

/// Returns a key of the player's field, score and gauge.
fn key(player: &Player<Field>) -> u64 {
    mix(player.field.hash() ^ mix(player.score << 8 | u64::from(player.gauge.get())))
}

/// Mixes every bit into all others (the finalizer of SplitMix64).
const fn mix(mut x: u64) -> u64 {
    x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ x >> 31
}
