//! The hash of a field's cells, defined once so that every encoding computes the same.
//!
//! Cells are numbered with a code of four bits ([`code`]), and the four bits of all cells are
//! written as four planes of 256 bits, in which a column has a lane of 24 bits ([`bit`]). The hash
//! folds pairs of the planes' words by full 128-bit products, so that it costs eight
//! multiplications and every bit of every cell reaches every bit of the hash.

use super::Cell;

/// Four planes of 256 bits: bit k of the code of every cell.
pub type CodePlanes = [[u64; 4]; 4];

/// The code of a cell: 0 for empty, its number, or 10 for ojama.
pub const fn code(cell: Cell) -> u8 {
    match cell {
        Cell::Empty => 0,
        Cell::Block(number) => number.get(),
        Cell::Ojama => 10,
    }
}

/// The bit of a plane for column `x` from the left and row `y` from the bottom.
pub const fn bit(x: usize, y: usize) -> usize {
    x * 24 + y
}

/// The hash of the cells with the given code planes.
pub fn finish(planes: &CodePlanes) -> u64 {
    /// Odd constants without a pattern: the fractional digits of pi, in hexadecimal.
    const SALT: [u64; 4] = [
        0x243f_6a88_85a3_08d3,
        0x1319_8a2e_0370_7345,
        0xa409_3822_299f_31d1,
        0x082e_fa98_ec4e_6c89,
    ];
    let mut hash = 0;
    for (word, &salt) in SALT.iter().enumerate() {
        let [a, b, c, d] = planes.map(|plane| plane[word]);
        hash = fold(hash ^ fold(a ^ salt, b ^ SALT[3 - word]) ^ c, d ^ salt.rotate_left(32));
    }
    fold(hash ^ SALT[0], SALT[1])
}

/// Both halves of the product, xored.
const fn fold(a: u64, b: u64) -> u64 {
    let product = a as u128 * b as u128;
    product as u64 ^ (product >> 64) as u64
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use proptest::prelude::*;
    use rand::SeedableRng as _;
    use rand::rngs::SmallRng;

    use super::*;
    use crate::game::{Cells, Field as _, Packs, Placement};

    /// A thousand random games' fields: equal hashes only for equal fields.
    #[test]
    fn different_fields_hash_differently() {
        let mut rng = SmallRng::seed_from_u64(1);
        let mut seen = HashMap::new();
        for _ in 0..1000 {
            let packs = Packs::generate(&mut rng);
            let mut field = Cells::EMPTY;
            for pack in packs.from_turn(0).iter().take(40) {
                let placement = Placement::from_index(rng.random_range(0..Placement::COUNT));
                field = field.drop_pack(pack, placement.unwrap()).field;
                if field.is_over() {
                    break;
                }
                assert_eq!(*seen.entry(field.hash()).or_insert(field), field);
            }
        }
        assert!(seen.len() > 25_000, "{} fields", seen.len());
    }

    proptest! {
        /// Flipping a bit of the input flips about half of the hash's bits, wherever it is.
        #[test]
        fn every_bit_counts(planes: CodePlanes, plane in 0..4usize, bit in 0..240usize) {
            let mut flipped = planes;
            flipped[plane][bit / 64] ^= 1 << (bit % 64);
            let changed = (finish(&planes) ^ finish(&flipped)).count_ones();
            prop_assert!((8..=56).contains(&changed), "{changed} bits");
        }
    }
}
