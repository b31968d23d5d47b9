//! A field that the next layer may keep, and the rows of ojama that are still to fall on it.

use std::cmp::Reverse;

use super::features::{Evaluation, FeatureWeights};
use crate::board::{Field, FieldSummary};
use crate::game::{Chain, HEIGHT, Placement, Potential};
use crate::search::Rain;

/// The rows that are still to fall after a ply.
#[derive(Clone, Copy, Debug)]
pub struct DueRain {
    /// The number of rows.
    pub rows: u32,
    /// Whether a row falls before the next drop.
    is_next: bool,
}

impl DueRain {
    /// The rows of `rain` after `ply`.
    pub fn after(ply: usize, rain: &Rain) -> Self {
        Self { rows: rain.rows_from(ply + 1), is_next: rain.falls_at(ply + 1) }
    }

    /// `field` after the row that falls before the next drop, if one does, and the number of
    /// further rows that fall, or that end the game.
    #[inline]
    pub fn prepare(self, field: &Field) -> (Field, u8) {
        if self.rows == 0 {
            return (*field, 0);
        }
        let next_row = u32::from(self.is_next);
        let until_over = (HEIGHT as u32 + 1).saturating_sub(u32::from(field.tallest()) + next_row);
        let more = (self.rows - next_row).min(until_over);
        (after_row(*field, self.is_next), more as u8)
    }

    /// The summary of the field before [`Self::prepare`], from the summary of the field after it.
    #[inline]
    pub fn before(self, mut after: FieldSummary) -> FieldSummary {
        after.heights.iter_mut().for_each(|height| *height -= u8::from(self.is_next));
        after
    }
}

/// Returns `field`, after a row of ojama if `falls`.
pub fn after_row(mut field: Field, falls: bool) -> Field {
    if falls {
        field.rain();
    }
    field
}

/// A hash of the start of a field's longest potential chain: the trigger cell and the blocks that
/// vanish in the second round.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ChainSignature(u32);

impl ChainSignature {
    fn of(potential: &Potential) -> Self {
        let cell = potential
            .trigger
            .map_or(0, |(column, row)| (u32::from(column) << 8 | u32::from(row)) + 1);
        Self(potential.second.unwrap_or(0) as u32 ^ cell.wrapping_mul(0x9e37_79b9))
    }
}

/// The origin of a field of a layer.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Origin {
    /// A drop on the field of this index in the layer before.
    Drop(u32, Placement),
    /// The field of this index among the known fields of the layer.
    Known(u32),
}

/// A field of the next layer that may be kept.
#[derive(Clone, Copy, Debug)]
pub struct Candidate {
    /// The origin of the field.
    pub origin: Origin,
    /// The number of due rows that do not fit on the tallest column.
    missing_rows: Reverse<u32>,
    /// The longest potential chain after the next row.
    pub potential: Chain,
    /// The longest potential chain after all due rows, or after the rows that end the game.
    pub potential_after_rain: Chain,
    /// The signature of the chain of `potential`.
    pub signature: ChainSignature,
    /// The evaluation that orders fields of equal potential.
    evaluation: Evaluation,
    /// The hash of the field.
    pub hash: u64,
}

impl Candidate {
    /// The candidate with the field of `hash`, on which the rows of `coming` are still to fall.
    ///
    /// `found` is the potential of the field that [`DueRain::prepare`] returns: after the row that
    /// falls before the next drop, because that row may bury the trigger. `after` is the summary of
    /// that field. `potential_after_rain` is the potential after all due rows.
    #[inline]
    pub fn new(
        origin: Origin,
        hash: u64,
        coming: DueRain,
        weights: &FeatureWeights,
        (found, potential_after_rain): (Potential, Chain),
        after: &FieldSummary,
    ) -> Self {
        let field = coming.before(*after);
        // The due rows must fit on the tallest column.
        let missing_rows = (u32::from(field.tallest()) + coming.rows).saturating_sub(HEIGHT as u32);
        Self {
            origin,
            missing_rows: Reverse(missing_rows),
            potential: found.chain,
            potential_after_rain,
            signature: ChainSignature::of(&found),
            evaluation: weights.evaluate(&field, &found),
            hash,
        }
    }

    /// The candidate with the origin of a known field at index `index`.
    pub const fn known(self, index: u32) -> Self {
        Self { origin: Origin::Known(index), ..self }
    }

    /// Returns the group by potential.
    #[inline]
    pub const fn group(&self) -> Group {
        (self.missing_rows, self.potential)
    }

    /// Returns the group by the potential after rain.
    #[inline]
    pub const fn group_after_rain(&self) -> Group {
        (self.missing_rows, self.potential_after_rain)
    }

    /// Returns the rank of this candidate, which stands at `index` among the candidates of the
    /// layer.
    #[inline]
    pub const fn rank(&self, index: u32) -> Rank {
        Rank::new(self.potential, self.evaluation, self.hash, index)
    }
}

/// Candidates of a layer with the same number of missing rows and the same potential, or potential
/// after rain. The greater group has fewer missing rows; of equal ones, the longer chain.
pub type Group = (Reverse<u32>, Chain);

/// The order of the candidates of a group, the greatest first: the longer potential, the greater
/// evaluation, then the greater hash, which makes the order of equal evaluations deterministic. Of
/// equal fields, the one that stands first among the candidates has the greater rank.
///
/// One number, because a layer has hundreds of thousands of candidates: sorting their indices with
/// a comparison that reads the candidates takes three times as long.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Rank(u128);

impl Rank {
    /// The bits of a index.
    const INDEX_BITS: u32 = 24;

    /// The number of indices: more than the candidates of the widest layer.
    pub const INDICES: u32 = 1 << Self::INDEX_BITS;

    #[inline]
    const fn new(potential: Chain, evaluation: Evaluation, hash: u64, index: u32) -> Self {
        debug_assert!(index < Self::INDICES);
        let best = (potential.0 as u128) << 32 | evaluation.ordinal() as u128;
        let index = (Self::INDICES - 1 - index) as u128;
        Self((best << 64 | hash as u128) << Self::INDEX_BITS | index)
    }

    /// Returns the index of the candidate.
    #[inline]
    pub const fn index(self) -> u32 {
        Self::INDICES - 1 - (self.0 as u32 & (Self::INDICES - 1))
    }
}

#[cfg(test)]
pub mod samples {
    use super::*;
    use crate::board::ChildBuffer;

    /// Without the 4, the 9 falls on the 1. In `HIGH`, the 1 lies on four more blocks.
    pub const LOW: &str = "9.........\n4.........\n1...222222\n";
    pub const HIGH: &str =
        "9.........\n4.........\n1.........\n3.........\n3.........\n3.........\n3.........\n";

    /// A candidate with the field of `drawing`, on which `rows` rows are due from ply 1 on.
    pub fn candidate(parent: u32, drawing: &str, rows: u64) -> Candidate {
        let field: Field = drawing.parse().unwrap();
        let coming = DueRain::after(0, &Rain::rows(1, rows));
        evaluated(parent, &field, coming)
    }

    pub fn evaluated(parent: u32, field: &Field, coming: DueRain) -> Candidate {
        let placement = Placement::all().next().unwrap();
        let (later, rows) = coming.prepare(field);
        let found = later.potential_after(rows, &mut ChildBuffer::new());
        let (origin, weights) = (Origin::Drop(parent, placement), FeatureWeights::learned());
        Candidate::new(origin, field.hash(), coming, weights, found, &later.summary())
    }
}

#[cfg(test)]
mod tests {
    use super::samples::{HIGH, LOW, candidate, evaluated};
    use super::*;

    #[test]
    fn rows_beside_the_trigger_end_the_potential_after_rain() {
        let potentials = |drawing, rows| {
            let Candidate { potential, potential_after_rain, .. } = candidate(0, drawing, rows);
            (potential.0, potential_after_rain.0)
        };
        assert_eq!(potentials(LOW, 1), (1, 1), "no row after the next one");
        assert_eq!(potentials(LOW, 3), (1, 0));
        assert_eq!(potentials(HIGH, 3), (1, 1));
        assert_eq!(potentials(HIGH, 7), (1, 0));
        let tall = ".........3\n".repeat(12) + "9........3\n4........3\n1........3\n";
        assert_eq!(potentials(&tall, 3), (1, 1), "the game ends before the trigger is enclosed");
    }

    #[test]
    fn a_rank_orders_by_potential_evaluation_hash_and_index() {
        let with = |drawing| candidate(0, drawing, 0);
        let (short, long) = (with("3.........\n"), with(LOW));
        assert!(short.rank(0) < long.rank(9), "potential");
        let mut other = with(LOW);
        other.hash = long.hash.wrapping_add(1);
        assert_eq!(long.rank(0) < other.rank(9), long.hash < other.hash);
        assert!(long.rank(0) < with(&LOW.replace("1...", "1..2")).rank(9), "evaluation");
        assert!(long.rank(1) < long.rank(0), "the first of two equal fields");
        for index in [0, 1, 4_718_591, Rank::INDICES - 1] {
            assert_eq!(long.rank(index).index(), index);
        }
    }

    /// The 4 holds the 9 above the 1; the next row fills its last empty neighbour.
    #[test]
    fn a_trigger_that_the_next_row_buries_has_no_potential() {
        let field: Field = "9.........\n43........\n13........\n".parse().unwrap();
        let potential = |rain: Rain| evaluated(0, &field, DueRain::after(0, &rain)).potential;
        assert_eq!(potential(Rain::NONE), Chain(1));
        assert_eq!(potential(Rain::NONE.with(0)), Chain(1), "the row has fallen");
        assert_eq!(potential(Rain::NONE.with(2)), Chain(1), "a drop comes before the row");
        assert_eq!(potential(Rain::NONE.with(1)), Chain(0));
    }
}
