//! Which planes say what a cell holds.

use crate::game::hash;
use crate::simd::{Isa, Vector, Words};

/// Every plane through the same operation.
macro_rules! each {
    ($planes:expr, $operation:ident) => {{
        let mut planes = *$planes;
        let mut i = 0;
        while i < planes.len() {
            planes[i] = planes[i].$operation();
            i += 1;
        }
        planes
    }};
}
pub(crate) use each;

/// What vanishes, in two parts that a round joins with one shift less.
#[derive(Clone, Copy, Debug)]
pub struct Vanishing<V> {
    /// Cells that vanish.
    pub cells: V,
    /// Cells directly under ones that vanish.
    pub under: V,
}

/// [`Encoding::MASKS`] of some codes.
const fn masks<const N: usize>(codes: [u16; 12]) -> [[Words; N]; 12] {
    let mut masks = [[Words::EMPTY; N]; 12];
    let mut number = 0;
    while number < 12 {
        let mut i = 0;
        while i < N {
            masks[number][i] = Words::splat(0u64.wrapping_sub((codes[number] >> i & 1) as u64));
            i += 1;
        }
        number += 1;
    }
    masks
}

/// An encoding of cells in `N` planes. Bit `i` of a cell's code is its bit in plane `i`; empty is
/// all zeros.
pub trait Encoding<const N: usize>: Copy + Send + Sync + 'static {
    /// Code of each number, 0 to 11; that of 10 is one that no cell has.
    const CODES: [u16; 12];
    /// The bits of each code as all-ones or all-zeros planes: a load is cheaper than making them
    /// from the code.
    const MASKS: &'static [[Words; N]; 12];
    /// Filled cells.
    fn filled<V: Vector>(planes: &[V; N]) -> V;
    /// Ojama cells.
    fn ojama<V: Vector>(planes: &[V; N]) -> V;
    /// Cells with a five.
    fn fives<V: Vector>(planes: &[V; N]) -> V;
    /// Cells with the given number, 1 to 9; none for 10.
    fn number<I: Isa>(isa: I, planes: &[Words; N], number: u8) -> I::V;
    /// Cells that sum to ten with the cell of `others` at the same place.
    fn tens<V: Vector>(planes: &[V; N], others: &[V; N]) -> V;
    /// Cells that sum to ten with one of their eight neighbours: what vanishes. The planes are also
    /// given moved down and up by one row, since closing holes yields them anyway.
    fn vanishing_of<V: Vector>(below: &[V; N], planes: &[V; N], above: &[V; N]) -> Vanishing<V>;
    /// Cells that sum to ten with one of their eight neighbours: what vanishes.
    #[inline(always)]
    fn vanishing<V: Vector>(planes: &[V; N]) -> V {
        let found = Self::vanishing_of(&each!(planes, up), planes, &each!(planes, down));
        found.cells | found.under.up()
    }
    /// The planes of [`Paired`], for the hash that all encodings share; in `room` if they must be
    /// made.
    fn paired<'a, I: Isa>(
        isa: I,
        planes: &'a [Words; N],
        room: &'a mut [Words; 4],
    ) -> &'a [Words; 4];
}

/// A cell's eight neighbours, of all cells given.
#[inline(always)]
pub fn ring<V: Vector>(cells: V) -> V {
    let vertical = cells.up() | cells.down();
    let column = vertical | cells;
    vertical | column.to_left() | column.to_right()
}

/// Four planes. Two blocks that sum to ten share the three bits of their kind and differ in the
/// sign; a five is its own complement and is told by kind 3, the only one with both low bits. Empty
/// and ojama have kinds of their own and one sign, so that neither ever pairs.
///
/// ```text
/// kind (planes 0, 1, 2)   0 empty   1: 1, 9   2: 2, 8   4: 3, 7   5: 4, 6   3 five   6 ojama
/// sign (plane 3)          0         0, 1      0, 1      0, 1      0, 1      0        0
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Paired;

/// Codes of [`Paired`], which are those that the hash is defined by: see [`hash::CODES`].
const PAIRED_CODES: [u16; 12] = {
    let mut codes = [0; 12];
    let mut number = 0;
    while number < 12 {
        codes[number] = hash::CODES[number] as u16;
        number += 1;
    }
    codes
};

impl Paired {
    /// The sign a partner must not have.
    #[inline(always)]
    fn own_sign<V: Vector>(planes: &[V; 4]) -> V {
        planes[3] ^ (planes[0] & planes[1])
    }

    /// Where kinds agree and the sign of `a` differs from `own` of the partner.
    #[inline(always)]
    fn agree<V: Vector>(a: &[V; 4], kinds: [V; 3], own: V) -> V {
        let differ = (a[0] ^ kinds[0]) | (a[1] ^ kinds[1]) | (a[2] ^ kinds[2]);
        (a[3] ^ own).without(differ)
    }
}

impl Encoding<4> for Paired {
    const CODES: [u16; 12] = PAIRED_CODES;
    const MASKS: &'static [[Words; 4]; 12] = &masks(PAIRED_CODES);

    #[inline(always)]
    fn filled<V: Vector>(planes: &[V; 4]) -> V {
        planes[0] | planes[1] | planes[2]
    }

    #[inline(always)]
    fn ojama<V: Vector>(planes: &[V; 4]) -> V {
        planes[1] & planes[2]
    }

    #[inline(always)]
    fn fives<V: Vector>(planes: &[V; 4]) -> V {
        planes[0] & planes[1]
    }

    #[inline(always)]
    fn number<I: Isa>(isa: I, planes: &[Words; 4], number: u8) -> I::V {
        let code = &Self::MASKS[usize::from(number)];
        let differ = |i: usize| isa.load(&planes[i]) ^ isa.load(&code[i]);
        isa.splat(u64::MAX).without((differ(0) | differ(1)) | (differ(2) | differ(3)))
    }

    #[inline(always)]
    fn tens<V: Vector>(planes: &[V; 4], others: &[V; 4]) -> V {
        Paired::agree(planes, [others[0], others[1], others[2]], Paired::own_sign(others))
    }

    #[inline(always)]
    fn vanishing_of<V: Vector>(below: &[V; 4], planes: &[V; 4], above: &[V; 4]) -> Vanishing<V> {
        let own = Paired::own_sign(planes);
        let right = [planes[0].to_left(), planes[1].to_left(), planes[2].to_left()];
        let right_own = own.to_left();
        let vertical = Paired::agree(above, [planes[0], planes[1], planes[2]], own);
        let level = Paired::agree(planes, right, right_own);
        let falling = Paired::agree(above, right, right_own);
        let rising = Paired::agree(below, right, right_own);
        let rights = (level | falling) | rising;
        Vanishing {
            cells: (vertical | level) | (rising.down() | rights.to_right()),
            under: vertical | falling,
        }
    }

    #[inline(always)]
    fn paired<'a, I: Isa>(_: I, planes: &'a [Words; 4], _: &'a mut [Words; 4]) -> &'a [Words; 4] {
        planes
    }
}

/// Eleven planes: 0 anything, 1 to 9 the numbers, 10 ojama. Derived planes (rings) are made on
/// demand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct OneHot;

impl Encoding<11> for OneHot {
    const CODES: [u16; 12] = [0, 3, 5, 9, 17, 33, 65, 129, 257, 513, 0, 1025];
    const MASKS: &'static [[Words; 11]; 12] = &masks(Self::CODES);

    #[inline(always)]
    fn filled<V: Vector>(planes: &[V; 11]) -> V {
        planes[0]
    }

    #[inline(always)]
    fn ojama<V: Vector>(planes: &[V; 11]) -> V {
        planes[10]
    }

    #[inline(always)]
    fn fives<V: Vector>(planes: &[V; 11]) -> V {
        planes[5]
    }

    #[inline(always)]
    fn number<I: Isa>(isa: I, planes: &[Words; 11], number: u8) -> I::V {
        if (1..=9).contains(&number) {
            isa.load(&planes[usize::from(number)])
        } else {
            isa.splat(0)
        }
    }

    #[inline(always)]
    fn tens<V: Vector>(planes: &[V; 11], others: &[V; 11]) -> V {
        let mut tens = planes[5] & others[5];
        let mut n = 1;
        while n < 5 {
            tens = tens | (planes[n] & others[10 - n]) | (planes[10 - n] & others[n]);
            n += 1;
        }
        tens
    }

    #[inline(always)]
    fn vanishing_of<V: Vector>(below: &[V; 11], planes: &[V; 11], above: &[V; 11]) -> Vanishing<V> {
        let ring = |n: usize| {
            let vertical = below[n] | above[n];
            let column = vertical | planes[n];
            vertical | column.to_left() | column.to_right()
        };
        let mut cells = planes[5] & ring(5);
        let mut n = 1;
        while n < 5 {
            cells = cells | (planes[n] & ring(10 - n)) | (planes[10 - n] & ring(n));
            n += 1;
        }
        Vanishing { cells, under: cells.without(cells) }
    }

    #[inline(always)]
    fn paired<'a, I: Isa>(
        isa: I,
        planes: &'a [Words; 11],
        room: &'a mut [Words; 4],
    ) -> &'a [Words; 4] {
        let p = |i: usize| isa.load(&planes[i]);
        isa.store((p(1) | p(9)) | (p(4) | p(6)) | p(5), &mut room[0]);
        isa.store((p(2) | p(8)) | (p(5) | p(10)), &mut room[1]);
        isa.store((p(3) | p(7)) | (p(4) | p(6)) | p(10), &mut room[2]);
        isa.store((p(6) | p(7)) | (p(8) | p(9)), &mut room[3]);
        room
    }
}
