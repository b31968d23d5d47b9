//! The measures of one player at the start of a turn.

use crate::board::{ChildBuffer, Field};
use crate::game::{Cells, HEIGHT, Player, Stock, WIDTH};

/// Turns of a [`Measures::curve`]: the turns that the engine looks ahead for its opponent.
pub const TURNS_AHEAD: usize = 14;

/// The number of measures besides the curve.
pub const SINGLE: usize = 8;

/// The names of these measures, in the order of [`Measures::single`].
pub const NAMES: [&str; SINGLE] =
    ["stock", "ojama", "blocks", "sealed", "tallest", "potential", "gauge", "skill"];

/// The measures of a player, independent of its opponent.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Measures {
    /// Ojama in the player's stock.
    pub stock: Stock,
    /// Ojama on the field.
    pub ojama: u64,
    /// Number blocks on the field.
    pub blocks: u64,
    /// Number blocks that are sealed in ([`sealed`]).
    pub sealed: u64,
    /// Height of the tallest column.
    pub tallest: u64,
    /// The longest chain that the removal of one block would set off ([`Field::potential`]).
    pub potential: u64,
    /// The gauge, 0 to 100.
    pub gauge: u64,
    /// Ojama that the skill would send if it were ready.
    pub skill: Stock,
    /// The most ojama that a chain sends within one turn, within two turns, and so on.
    pub curve: [Stock; TURNS_AHEAD],
}

impl Measures {
    /// Measures a player, before the row of the coming turn has fallen.
    ///
    /// `sent` holds the most ojama that a chain can send in each of the coming turns, or up to it,
    /// the coming turn first, under the rows that are due ([`BeamResult::most_sent`]). Turns
    /// beyond its end add nothing.
    ///
    /// [`BeamResult::most_sent`]: crate::search::beam::BeamResult::most_sent
    pub fn of(player: &Player<Field>, sent: &[Stock], buffer: &mut ChildBuffer) -> Self {
        let Player { field, stock, gauge, .. } = player;
        let exploded = field.explode();
        let mut most = 0;
        Self {
            stock: *stock,
            ojama: field.ojama().into(),
            blocks: field.blocks().into(),
            sealed: sealed(&field.to_cells()).into(),
            tallest: field.tallest().into(),
            potential: field.potential(buffer).chain.0.into(),
            gauge: gauge.get().into(),
            skill: exploded.sent(),
            curve: std::array::from_fn(|turn| {
                most = most.max(sent.get(turn).copied().unwrap_or(0));
                most
            }),
        }
    }

    /// Returns all measures but the curve, in the order of [`NAMES`].
    pub const fn single(&self) -> [u64; SINGLE] {
        let Self { stock, ojama, blocks, sealed, tallest, potential, gauge, skill, .. } = *self;
        [stock, ojama, blocks, sealed, tallest, potential, gauge, skill]
    }

    /// Creates measures from [`Self::single`] and the curve.
    pub const fn from_parts(single: [u64; SINGLE], curve: [Stock; TURNS_AHEAD]) -> Self {
        let [stock, ojama, blocks, sealed, tallest, potential, gauge, skill] = single;
        Self { stock, ojama, blocks, sealed, tallest, potential, gauge, skill, curve }
    }
}

/// Counts the number blocks that are sealed in: no path over neighbouring number blocks leads from
/// a sealed block to an empty cell. A falling block reaches a sealed block only if a block under
/// the falling block vanishes.
pub fn sealed(cells: &Cells) -> u32 {
    // One word for each column, with the lowest row in the lowest bit, and an empty word on each
    // side.
    let mut numbers = [0_u32; WIDTH + 2];
    let mut open = [0_u32; WIDTH + 2];
    for (x, column) in (1..).zip(cells.columns()) {
        for (y, cell) in column[..HEIGHT].iter().enumerate() {
            numbers[x] |= u32::from(cell.number().is_some()) << y;
            open[x] |= u32::from(cell.is_empty()) << y;
        }
    }
    loop {
        let before = open;
        for x in 1..=WIDTH {
            let near = before[x - 1] | before[x] | before[x + 1];
            open[x] |= (near | near << 1 | near >> 1) & numbers[x];
        }
        if open == before {
            break;
        }
    }
    numbers.iter().zip(open).map(|(numbers, open)| (numbers & !open).count_ones()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Gauge;

    fn cells(drawing: &str) -> Cells {
        drawing.parse().unwrap()
    }

    #[test]
    fn blocks_are_sealed_by_ojama_and_walls() {
        assert_eq!(sealed(&cells("1234123412")), 0);
        assert_eq!(sealed(&cells("##########\n1234123412")), 10);
        // The hole on the right opens the block beside it, and this block opens its neighbours.
        assert_eq!(sealed(&cells("#########.\n11111#1111")), 5);
        assert_eq!(sealed(&cells("####2#####\n1234123412")), 0, "a path over the two");
        assert_eq!(sealed(&Cells::EMPTY), 0);
    }

    #[test]
    fn measures_of_a_drawn_player() {
        // The 5 and the 6 explode, and no chain follows: an ojama lies between the 8 and the 2.
        let field = Field::from_cells(&cells("..8.......\n5.#.......\n6.21......"));
        let gauge = Gauge::new(88).unwrap();
        let player = Player { field, stock: 25, gauge, score: 7 };
        let mut buffer = ChildBuffer::new();
        let measures = Measures::of(&player, &[0, 4, 2], &mut buffer);
        let [.., skill] = measures.single();
        assert_eq!(measures.single()[..5], [25, 1, 5, 0, 3]);
        assert_eq!((measures.gauge, skill), (88, 14), "two blocks explode");
        assert_eq!(measures.curve[..4], [0, 4, 4, 4]);
        assert_eq!(Measures::from_parts(measures.single(), measures.curve), measures);
    }
}
