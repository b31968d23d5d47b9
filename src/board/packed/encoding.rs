//! The content of a cell in four planes.
//!
//! Two blocks that sum to ten share the three bits of their kind and differ in the sign. A five is
//! its own complement and has kind 3, the only kind with both low bits. Empty and ojama each have
//! a kind of their own and only one sign, so that neither ever forms a pair.
//!
//! ```text
//! kind (planes 0, 1, 2)   0 empty   1: 1, 9   2: 2, 8   4: 3, 7   5: 4, 6   3 five   6 ojama
//! sign (plane 3)          0         0, 1      0, 1      0, 1      0, 1      0        0
//! ```
//!
//! Bit `i` of a cell's code ([`hash::CODES`]) is its bit in plane `i`; empty is all zeros.

use super::super::simd::{Isa, Vector, Words};
use super::Planes;
use super::layout::Lanes as _;
use crate::game::hash;

/// Applies an operation to every plane.
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
pub(super) use each;

/// The cells that vanish: `cells`, and the cells directly above `under`. A round works on planes
/// raised by one row and joins the two with one shift.
#[derive(Clone, Copy, Debug)]
pub(super) struct Vanishing<V> {
    /// Cells that vanish.
    pub cells: V,
    /// Cells directly under cells that vanish.
    pub under: V,
}

/// The bits of each number's code as all-ones or all-zeros planes: a load is cheaper than making
/// them from the code. The number 10 has a code that no cell has.
pub(super) static MASKS: [Planes; 12] = {
    let mut masks = [[Words::EMPTY; 4]; 12];
    let mut number = 0;
    while number < 12 {
        let mut i = 0;
        while i < 4 {
            masks[number][i] =
                Words::splat(0u64.wrapping_sub((hash::CODES[number] >> i & 1) as u64));
            i += 1;
        }
        number += 1;
    }
    masks
};

/// The eight neighbours of each given cell.
#[inline(always)]
pub(super) fn ring<V: Vector>(cells: V) -> V {
    let vertical = cells.up() | cells.down();
    let column = vertical | cells;
    vertical | column.to_left() | column.to_right()
}

/// The sign that a partner must not have.
#[inline(always)]
fn own_sign<V: Vector>(planes: &[V; 4]) -> V {
    planes[3] ^ (planes[0] & planes[1])
}

/// The cells whose kinds agree and in which the sign of `a` differs from `own` of the partner.
#[inline(always)]
fn agree<V: Vector>(a: &[V; 4], kinds: [V; 3], own: V) -> V {
    let differ = (a[0] ^ kinds[0]) | (a[1] ^ kinds[1]) | (a[2] ^ kinds[2]);
    (a[3] ^ own).without(differ)
}

/// Filled cells.
#[inline(always)]
pub(super) fn filled<V: Vector>(planes: &[V; 4]) -> V {
    planes[0] | planes[1] | planes[2]
}

/// Ojama cells.
#[inline(always)]
pub(super) fn ojama<V: Vector>(planes: &[V; 4]) -> V {
    planes[1] & planes[2]
}

/// Cells with a number block.
#[inline(always)]
pub(super) fn blocks<V: Vector>(planes: &[V; 4]) -> V {
    filled(planes).without(ojama(planes))
}

/// Fives, and numbers beside a five: the blocks that the skill blows up.
#[inline(always)]
pub(super) fn blown_up<V: Vector>(planes: &[V; 4]) -> V {
    let fives = planes[0] & planes[1];
    (fives | ring(fives)) & blocks(planes)
}

/// Cells with the given number, 1 to 9; none for 10.
#[inline(always)]
pub(super) fn number<I: Isa>(isa: I, planes: &Planes, number: u8) -> I::V {
    let code = &MASKS[usize::from(number)];
    let differ = |i: usize| isa.load(&planes[i]) ^ isa.load(&code[i]);
    isa.splat(u64::MAX).without((differ(0) | differ(1)) | (differ(2) | differ(3)))
}

/// Cells that sum to ten with the cell at their position in `others`.
#[inline(always)]
pub(super) fn tens<V: Vector>(planes: &[V; 4], others: &[V; 4]) -> V {
    agree(planes, [others[0], others[1], others[2]], own_sign(others))
}

/// The cells that vanish: they sum to ten with one of their eight neighbours. The planes are also
/// given moved down and up by one row, because closing holes yields them anyway.
#[inline(always)]
pub(super) fn vanishing_of<V: Vector>(
    below: &[V; 4],
    planes: &[V; 4],
    above: &[V; 4],
) -> Vanishing<V> {
    let own = own_sign(planes);
    let right = [planes[0].to_left(), planes[1].to_left(), planes[2].to_left()];
    let right_own = own.to_left();
    let vertical = agree(above, [planes[0], planes[1], planes[2]], own);
    let level = agree(planes, right, right_own);
    let falling = agree(above, right, right_own);
    let rising = agree(below, right, right_own);
    let rights = (level | falling) | rising;
    Vanishing {
        cells: (vertical | level) | (rising.down() | rights.to_right()),
        under: vertical | falling,
    }
}

/// The cells that vanish: they sum to ten with one of their eight neighbours.
#[inline(always)]
pub(super) fn vanishing<V: Vector>(planes: &[V; 4]) -> V {
    let found = vanishing_of(&each!(planes, up), planes, &each!(planes, down));
    found.cells | found.under.up()
}
