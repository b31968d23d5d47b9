//! Selects the drops of a layer whose fields are evaluated.
//!
//! The evaluation of a field takes as long as fifteen drops. Almost no field is kept after a drop
//! that sets off a chain: the fewer, the more blocks vanish and the further back the parent stands
//! in its layer. Such fields are evaluated only if their parent stands near the front. Experiment
//! B-09 has the kept parts; B-20 looks for other fields that need no evaluation.

use crate::board::{Field, FieldSummary};
use crate::game::{Chain, Dropped, HEIGHT, Pack};

/// After a drop by which exactly two blocks vanish, the field is evaluated if its parent stands in
/// the first `1 / PART_OF_TWO` of the layer. Experiment B-09.
const PART_OF_TWO: usize = 2;

/// After a drop by which more blocks vanish in at most two rounds, the field is evaluated if its
/// parent stands in the first `1 / PART_OF_MORE` of the layer. Experiment B-09.
const PART_OF_MORE: usize = 8;

/// In layers of fewer fields, all drops are evaluated, because they cost little.
pub const NARROW: usize = 8;

/// The limits by which the drops of one layer are evaluated.
pub struct EvaluationFilter {
    /// After a vanish of two blocks, the field is evaluated if the index of its parent is below
    /// this.
    two: usize,
    /// As `two`, after any other chain of at most two rounds.
    more: usize,
    /// As `two`, after any drop.
    all: usize,
    /// The blocks of the pack.
    blocks: u32,
}

impl EvaluationFilter {
    /// The filter for the drops of `pack` on a layer of `fields` fields, best first.
    pub fn of(fields: usize, pack: &Pack) -> Self {
        let blocks = pack.codes().into_iter().filter(|&code| code != 0).count() as u32;
        let all = if fields < NARROW { fields } else { 0 };
        Self { two: fields / PART_OF_TWO, more: fields / PART_OF_MORE, all, blocks }
    }

    /// Whether the field `dropped`, the result of a drop on the layer's field of index `parent` and
    /// summary `field`, is evaluated. On a nearly full field every drop is evaluated, because only
    /// drops whose blocks vanish may survive.
    #[inline]
    pub fn holds(&self, parent: u32, field: &FieldSummary, dropped: &Dropped<Field>) -> bool {
        let parent = parent as usize;
        if dropped.chain == Chain(0) || parent < self.all {
            return true;
        }
        if parent >= self.two {
            return usize::from(field.tallest()) + 2 > HEIGHT;
        }
        let gone = field.blocks + self.blocks - dropped.field.blocks();
        let most = match dropped.chain {
            Chain(1) if gone == 2 => self.two,
            Chain(1 | 2) => self.more,
            _ => 0,
        };
        parent < most || usize::from(field.tallest()) + 2 > HEIGHT
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Field;
    use crate::game::Action;

    /// Whether the drop of `pack` beside the 9 of the field at index `parent` of 800 is evaluated.
    fn is_ranked(parent: u32, drawing: &str, pack: [u8; 4]) -> bool {
        let (field, pack): (Field, _) = (drawing.parse().unwrap(), Pack::new(pack).unwrap());
        let Ok(Action::Drop(placement)) = "1 0".parse() else { unreachable!() };
        let dropped = field.drop_pack(&pack, placement);
        EvaluationFilter::of(800, &pack).holds(parent, &field.summary(), &dropped)
    }

    /// Beside the 9 falls: no 1; a 1; a 1 with a 6 and a 4.
    const PACKS: [[u8; 4]; 3] = [[0, 4, 2, 4], [0, 4, 1, 4], [0, 4, 1, 6]];

    #[test]
    fn fewer_drops_are_evaluated_when_more_blocks_vanish() {
        let ranked =
            |pack| (0..800).filter(|&index| is_ranked(index, "9.........\n", pack)).count();
        assert_eq!(PACKS.map(ranked), [800, 400, 100]);
    }

    #[test]
    fn every_drop_on_a_nearly_full_field_is_evaluated() {
        let tall = |height| ".........3\n".repeat(height - 1) + "9........3\n";
        let ranked = |height| PACKS.map(|pack| is_ranked(799, &tall(height), pack));
        assert_eq!(ranked(HEIGHT - 2), [true, false, false]);
        assert_eq!(ranked(HEIGHT - 1), [true; 3]);
    }
}
