//! A pack, and the ways to drop it.

use std::fmt;

use thiserror::Error;

use super::{Number, WIDTH};

/// Two by two cells that fall together; three or four of them are blocks.
///
/// The official packs leave the upper left, lower left or lower right cell empty; the rule text
/// also allows the upper right.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Pack {
    /// Upper left, upper right, lower left, lower right; 0 is empty.
    codes: [u8; 4],
}

/// Why four numbers do not form a pack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum PackError {
    /// A value above 9.
    #[error("a pack's cell is 0 to 9, found {0}")]
    Number(u8),
    /// Too few blocks.
    #[error("a pack holds 3 or 4 blocks, found {0}")]
    Blocks(usize),
}

/// The number of clockwise turns by 90 degrees before a pack falls: 0 to 3.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Rotation(u8);

/// The column of a pack's left cells: 0 to 8 from the left. The rules and the protocol call it the
/// position of the pack.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct DropColumn(u8);

/// A contiguous range of drop columns, both ends included.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DropColumns {
    /// The leftmost drop column.
    pub first: DropColumn,
    /// The rightmost drop column, not left of `first`.
    pub last: DropColumn,
}

/// Where and how a pack is dropped: one of [`Placement::COUNT`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Placement {
    /// The drop column.
    pub column: DropColumn,
    /// The rotation of the pack.
    pub rotation: Rotation,
}

impl Pack {
    /// The pack with these cells (upper left, upper right, lower left, lower right; 0 is empty).
    ///
    /// # Errors
    /// A value above 9, or fewer than three blocks.
    pub fn new(cells: [u8; 4]) -> Result<Self, PackError> {
        if let Some(&wrong) = cells.iter().find(|&&cell| cell > 9) {
            return Err(PackError::Number(wrong));
        }
        match cells.iter().filter(|&&cell| cell != 0).count() {
            3 | 4 => Ok(Self { codes: cells }),
            blocks => Err(PackError::Blocks(blocks)),
        }
    }

    /// The cells without rotation: upper left, upper right, lower left, lower right; 0 is empty.
    #[inline(always)]
    pub const fn codes(&self) -> [u8; 4] {
        self.codes
    }

    /// The cells as the protocol writes them, the upper row first; 0 is empty.
    pub const fn rows(&self) -> [[u8; 2]; 2] {
        let [a, b, c, d] = self.codes;
        [[a, b], [c, d]]
    }

    /// The left and the right column after the rotation, each as (lower cell, upper cell).
    ///
    /// Turning `[a b; c d]` once clockwise gives `[c a; d b]`.
    pub const fn columns(&self, rotation: Rotation) -> [(Option<Number>, Option<Number>); 2] {
        let [a, b, c, d] = self.codes;
        let [a, b, c, d] = [Number::new(a), Number::new(b), Number::new(c), Number::new(d)];
        match rotation.0 {
            0 => [(c, a), (d, b)],
            1 => [(d, c), (b, a)],
            2 => [(b, d), (a, c)],
            _ => [(a, b), (c, d)],
        }
    }
}

impl fmt::Debug for Pack {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.rows())
    }
}

impl Rotation {
    /// The four rotations.
    pub const ALL: [Self; 4] = [Self(0), Self(1), Self(2), Self(3)];

    /// A rotation, or `None` outside 0..=3.
    pub const fn new(quarters: u8) -> Option<Self> {
        if quarters < 4 { Some(Self(quarters)) } else { None }
    }

    /// Quarter turns clockwise, 0 to 3.
    pub const fn get(self) -> u8 {
        self.0
    }
}

impl DropColumn {
    /// The number of drop columns of a pack.
    pub const COUNT: usize = WIDTH - 1;

    /// A drop column, or `None` outside 0..=8.
    pub const fn new(column: u8) -> Option<Self> {
        if (column as usize) < Self::COUNT { Some(Self(column)) } else { None }
    }

    /// The column of the pack's left cells, 0 to 8; the right cells fall on the next column.
    pub const fn get(self) -> u8 {
        self.0
    }

    /// All drop columns, from the left.
    pub fn all() -> impl Iterator<Item = Self> {
        DropColumns::ALL.iter()
    }
}

impl DropColumns {
    /// All drop columns.
    pub const ALL: Self =
        Self { first: DropColumn(0), last: DropColumn(DropColumn::COUNT as u8 - 1) };

    /// The drop columns whose packs do not touch the `columns` outermost columns of the field at
    /// each side; `columns` is capped at 4, so that at least one drop column remains.
    pub const fn without_sides(columns: u8) -> Self {
        let columns = if columns > 4 { 4 } else { columns };
        let last = DropColumn::COUNT as u8 - 1 - columns;
        Self { first: DropColumn(columns), last: DropColumn(last) }
    }

    /// The drop columns, from the left.
    pub fn iter(self) -> impl Iterator<Item = DropColumn> {
        (self.first.0..=self.last.0).map(DropColumn)
    }

    /// The placements at these drop columns, in the order of [`Placement::all`].
    pub fn placements(self) -> impl Iterator<Item = Placement> {
        let placement = |column| Rotation::ALL.map(|rotation| Placement { column, rotation });
        self.iter().flat_map(placement)
    }

    /// Splits the range into at most `parts` contiguous ranges of nearly equal length, from the
    /// left.
    pub fn split(self, parts: usize) -> Vec<Self> {
        let all: Vec<DropColumn> = self.iter().collect();
        let size = all.len().div_ceil(parts.max(1));
        all.chunks(size).map(|part| Self { first: part[0], last: part[part.len() - 1] }).collect()
    }
}

impl Placement {
    /// The number of placements of a pack.
    pub const COUNT: usize = DropColumn::COUNT * Rotation::ALL.len();

    /// The placement of the given index: drop columns from the left, each with its four rotations.
    pub const fn from_index(index: usize) -> Option<Self> {
        if index >= Self::COUNT {
            return None;
        }
        let (column, rotation) = (DropColumn((index / 4) as u8), Rotation((index % 4) as u8));
        Some(Self { column, rotation })
    }

    /// The index in the order of [`Placement::all`].
    pub const fn index(self) -> usize {
        self.column.0 as usize * Rotation::ALL.len() + self.rotation.0 as usize
    }

    /// All placements: drop columns from the left, each with its four rotations.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..Self::COUNT).filter_map(Self::from_index)
    }
}

impl fmt::Debug for Placement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.column.0, self.rotation.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rotation_follows_the_rule_text() {
        let pack = Pack::new([1, 2, 3, 4]).unwrap();
        let once = Pack::new([3, 1, 4, 2]).unwrap();
        for quarters in 0..4u8 {
            let turned = pack.columns(Rotation((quarters + 1) % 4));
            assert_eq!(once.columns(Rotation(quarters)), turned, "{quarters} quarters more");
        }
    }

    #[test]
    fn packs_hold_three_or_four_blocks() {
        assert_eq!(Pack::new([1, 2, 0, 0]), Err(PackError::Blocks(2)));
        assert_eq!(Pack::new([1, 2, 3, 11]), Err(PackError::Number(11)));
        assert!(Pack::new([1, 0, 3, 9]).is_ok(), "an empty upper right cell is allowed");
    }

    #[test]
    fn drop_columns_split_into_neighbours() {
        let split = |parts| -> Vec<Vec<u8>> {
            let parts = DropColumns::without_sides(2).split(parts);
            parts.into_iter().map(|part| part.iter().map(DropColumn::get).collect()).collect()
        };
        assert_eq!(split(1), [vec![2, 3, 4, 5, 6]]);
        assert_eq!(split(2), [vec![2, 3, 4], vec![5, 6]]);
        assert_eq!(split(99).len(), 5);
        assert_eq!(DropColumns::ALL.placements().count(), Placement::COUNT);
    }

    #[test]
    fn placements_are_numbered_in_order() {
        let all: Vec<Placement> = Placement::all().collect();
        assert_eq!(all.len(), 36);
        assert!(all.is_sorted());
        assert!(all.iter().enumerate().all(|(index, placement)| placement.index() == index));
    }
}
