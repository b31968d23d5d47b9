//! What is measured of one player at the start of a turn.

use crate::board::{ChildBuffer, Field};
use crate::game::{Cells, HEIGHT, Player, Stock, WIDTH};

/// Turns of a [`Measures::curve`]: as far as the engine looks ahead for its opponent.
pub const TURNS_AHEAD: usize = 14;

/// Measures beside the curve.
pub const SINGLE: usize = 8;

/// Their names, in the order of [`Measures::single`].
pub const NAMES: [&str; SINGLE] =
    ["stock", "ojama", "blocks", "sealed", "tallest", "potential", "gauge", "skill"];

/// A player in numbers, whoever the opponent is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Measures {
    /// Ojama that wait to fall.
    pub stock: Stock,
    /// Ojama on the field.
    pub ojama: u64,
    /// Number blocks on the field.
    pub blocks: u64,
    /// Number blocks that are sealed in ([`sealed`]).
    pub sealed: u64,
    /// Height of the tallest column.
    pub tallest: u64,
    /// The chain that the removal of one block would set off ([`Field::potential`]).
    pub potential: u64,
    /// The gauge, 0 to 100.
    pub gauge: u64,
    /// Ojama that the skill would send, were it ready.
    pub skill: Stock,
    /// The most ojama that a chain sends within one turn, two turns and so on.
    pub curve: [Stock; TURNS_AHEAD],
}

impl Measures {
    /// Measures a player, the row of the coming turn not fallen yet.
    ///
    /// `sent` holds the most ojama that a chain can send in each of the coming turns, or up to it,
    /// the coming turn first, under the rows that are due ([`Answer::most_sent`]); beyond its end
    /// nothing more is found.
    ///
    /// [`Answer::most_sent`]: crate::search::beam::Answer::most_sent
    pub fn of(player: &Player<Field>, sent: &[Stock], room: &mut ChildBuffer) -> Self {
        let Player { field, stock, gauge, .. } = player;
        let exploded = field.explode();
        let mut most = 0;
        Self {
            stock: *stock,
            ojama: field.ojama().into(),
            blocks: field.blocks().into(),
            sealed: sealed(&field.to_cells()).into(),
            tallest: field.tallest().into(),
            potential: field.potential(room).chain.0.into(),
            gauge: gauge.get().into(),
            skill: exploded.sent(),
            curve: std::array::from_fn(|turn| {
                most = most.max(sent.get(turn).copied().unwrap_or(0));
                most
            }),
        }
    }

    /// All but the curve, in the order of [`NAMES`].
    pub const fn single(&self) -> [u64; SINGLE] {
        let Self { stock, ojama, blocks, sealed, tallest, potential, gauge, skill, .. } = *self;
        [stock, ojama, blocks, sealed, tallest, potential, gauge, skill]
    }

    /// The measures that [`Self::single`] and the curve tell of.
    pub const fn from_parts(single: [u64; SINGLE], curve: [Stock; TURNS_AHEAD]) -> Self {
        let [stock, ojama, blocks, sealed, tallest, potential, gauge, skill] = single;
        Self { stock, ojama, blocks, sealed, tallest, potential, gauge, skill, curve }
    }
}

/// The number blocks that are sealed in: no way over neighbouring number blocks leads from them to
/// an empty cell. Nothing that falls reaches them unless something under them vanishes.
pub fn sealed(cells: &Cells) -> u32 {
    // A column each, its lowest row in the lowest bit; on both sides a column without cells.
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
        // The hole on the right opens the block beside it, and that one its neighbours.
        assert_eq!(sealed(&cells("#########.\n11111#1111")), 5);
        assert_eq!(sealed(&cells("####2#####\n1234123412")), 0, "a way over the two");
        assert_eq!(sealed(&Cells::EMPTY), 0);
    }

    #[test]
    fn a_player_is_measured() {
        // The six goes, then eight and two meet.
        let field = Field::from_cells(&cells("..8.......\n5.#.......\n6.21......"));
        let gauge = Gauge::new(88).unwrap();
        let player = Player { field, stock: 25, gauge, score: 7 };
        let mut room = ChildBuffer::new();
        let measures = Measures::of(&player, &[0, 4, 2], &mut room);
        let [.., skill] = measures.single();
        assert_eq!(measures.single()[..5], [25, 1, 5, 0, 3]);
        assert_eq!((measures.gauge, skill), (88, 14), "two blocks explode");
        assert_eq!(measures.curve[..4], [0, 4, 4, 4]);
        assert_eq!(Measures::from_parts(measures.single(), measures.curve), measures);
    }
}
