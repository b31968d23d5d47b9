//! Which of a layer's drops are worth being ranked.
//!
//! To rank a field takes as long as fifteen drops, and of those on which a drop has set something
//! off next to none are kept, the fewer the more has vanished and the further back the parent
//! stands in its layer. Kept of all that were ranked, in dry layers of 500 fields or more (40
//! decisions, ten million drops each), by the eighth of the layer that the parent stands in:
//!
//! | | first | second | fourth | eighth |
//! |---|---|---|---|---|
//! | nothing vanished | 36 % | 16 % | 8 % | 3 % |
//! | one round, two blocks | 11 % | 4 % | 1.7 % | 0.5 % |
//! | one round, more blocks, or two rounds | 2.6 % | 0.8 % | 0.6 % | 0.3 % |
//! | three rounds and more | 0.2 % | 0.0 % | 0.1 % | 0.1 % |

use crate::board::Field;
use crate::game::{Chain, Dropped, HEIGHT, Pack};

/// Where two blocks have vanished and nothing else, fields are ranked whose parent stands in this
/// part of its layer, ...
///
/// For 160 fields, five million drops and half a million under rows, chains on average by turn from
/// the empty field, from those of turn 8 and under rows: all ranked 10.90, 14.98 and 8.33; the first
/// two lines of the table ranked 11.02, 15.07 and 8.37; half of the second and an eighth of the
/// third 11.10, 15.15 and 8.38; a third and an eighth 11.10, 15.15 and 8.35; of the first line only
/// three quarters as well, 11.08, 15.14; half 11.04, 15.11 (B-09).
const PART_OF_TWO: usize = 2;

/// ... where more has vanished in at most two rounds, in this part.
const PART_OF_MORE: usize = 8;

/// Layers of fewer fields are ranked whole: they cost little.
const NARROW: usize = 8;

/// What is ranked of a layer's drops.
pub struct EvaluationFilter {
    /// Parents before these places have such fields ranked; ...
    two: usize,
    more: usize,
    /// ... and before this one all.
    all: usize,
    /// The blocks of the pack.
    blocks: u32,
}

impl EvaluationFilter {
    /// Of a layer of so many fields, best first, on which a pack is dropped.
    pub fn of(fields: usize, pack: &Pack) -> Self {
        let blocks = pack.codes().into_iter().filter(|&code| code != 0).count() as u32;
        let all = if fields < NARROW { fields } else { 0 };
        Self { two: fields / PART_OF_TWO, more: fields / PART_OF_MORE, all, blocks }
    }

    /// Whether what a drop made of a field of the layer is: on a field that is nearly full always,
    /// as what makes room may be all that survives.
    pub fn holds(&self, parent: u32, field: &Field, dropped: &Dropped<Field>) -> bool {
        let parent = parent as usize;
        if dropped.chain == Chain(0) || parent < self.all {
            return true;
        }
        let gone = field.blocks() + self.blocks - dropped.field.blocks();
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

    /// Whether it is ranked what a pack makes of a field, one of 800, falling beside its nine.
    fn is_ranked(parent: u32, drawing: &str, pack: [u8; 4]) -> bool {
        let (field, pack): (Field, _) = (drawing.parse().unwrap(), Pack::new(pack).unwrap());
        let Ok(Action::Drop(placement)) = "1 0".parse() else { unreachable!() };
        let dropped = field.drop_pack(&pack, placement);
        EvaluationFilter::of(800, &pack).holds(parent, &field, &dropped)
    }

    /// Beside the nine falls something else, a one, or a one with a six and a four.
    const PACKS: [[u8; 4]; 3] = [[0, 4, 2, 4], [0, 4, 1, 4], [0, 4, 1, 6]];

    #[test]
    fn the_more_has_vanished_the_fewer_are_ranked() {
        let ranked =
            |pack| (0..800).filter(|&place| is_ranked(place, "9.........\n", pack)).count();
        assert_eq!(PACKS.map(ranked), [800, 400, 100]);
    }

    #[test]
    fn all_is_ranked_of_a_field_that_is_nearly_full() {
        let tall = |height| ".........3\n".repeat(height - 1) + "9........3\n";
        let ranked = |height| PACKS.map(|pack| is_ranked(799, &tall(height), pack));
        assert_eq!(ranked(HEIGHT - 2), [true, false, false]);
        assert_eq!(ranked(HEIGHT - 1), [true; 3]);
    }
}
