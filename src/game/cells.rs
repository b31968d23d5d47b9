//! A field in plain form, and as a drawing.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::{Cell, HEIGHT, ROWS, WIDTH};

/// A field in plain form: [`WIDTH`] columns from the left, each of [`ROWS`] cells from the bottom.
///
/// A block never stands over an empty cell. Rows above the [`HEIGHT`]th are occupied only in the
/// middle of a turn, or in the field of a player that has lost.
///
/// As text, a field is one line for each row from the top, `.` for empty and `#` for ojama. It
/// parses from that text; rows above the drawn ones are empty:
///
/// ```
/// let cells: tensai::game::Cells = "
///     .5........
///     #3......1.
/// ".parse().unwrap();
/// assert_eq!(cells.heights()[..3], [1, 2, 0]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Cells {
    columns: [[Cell; ROWS]; WIDTH],
}

/// Why rows of cells are not a field.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum CellsError {
    /// A block, or ojama, over an empty cell.
    #[error("column {column}, row {row} from the bottom: a block stands over an empty cell")]
    Floating {
        /// Column from the left, from 0.
        column: usize,
        /// Row from the bottom, from 1.
        row: usize,
    },
    /// A drawing has a row that is too long or too short.
    #[error("row {row} of the drawing: expected {WIDTH} cells, found {found}")]
    Width {
        /// Row of the drawing from the top, from 1.
        row: usize,
        /// The number of cells in the row.
        found: usize,
    },
    /// A drawing has too many rows.
    #[error("expected at most {ROWS} rows, found {0}")]
    Height(usize),
    /// A character is no symbol of a cell.
    #[error(
        "row {row} of the drawing: expected `.`, 1 to 9 or `#`, found `{}`",
        symbol.escape_debug()
    )]
    Symbol {
        /// Row of the drawing from the top, from 1.
        row: usize,
        /// The character.
        symbol: char,
    },
}

impl Cells {
    /// The field at the start of a game.
    pub const EMPTY: Self = Self { columns: [[Cell::Empty; ROWS]; WIDTH] };

    /// The field with the given columns from the left, each from the bottom.
    ///
    /// # Errors
    /// A block over an empty cell.
    pub fn from_columns(columns: [[Cell; ROWS]; WIDTH]) -> Result<Self, CellsError> {
        for (x, column) in columns.iter().enumerate() {
            let height = column.iter().position(|cell| cell.is_empty()).unwrap_or(ROWS);
            if let Some(above) = column[height..].iter().position(|cell| !cell.is_empty()) {
                return Err(CellsError::Floating { column: x, row: height + above + 1 });
            }
        }
        Ok(Self { columns })
    }

    /// The field with the given rows, the topmost first, the last one on the ground.
    ///
    /// # Errors
    /// More than [`ROWS`] rows, or a block over an empty cell.
    pub fn from_rows(rows: &[[Cell; WIDTH]]) -> Result<Self, CellsError> {
        if rows.len() > ROWS {
            return Err(CellsError::Height(rows.len()));
        }
        let mut columns = [[Cell::Empty; ROWS]; WIDTH];
        for (y, row) in rows.iter().rev().enumerate() {
            for (column, &cell) in columns.iter_mut().zip(row) {
                column[y] = cell;
            }
        }
        Self::from_columns(columns)
    }

    /// The lowest [`HEIGHT`] rows as the protocol sends them, the topmost first.
    pub fn rows(&self) -> [[Cell; WIDTH]; HEIGHT] {
        std::array::from_fn(|row| self.row(HEIGHT - 1 - row))
    }

    /// The row at height `y` from the bottom (0 to [`ROWS`] - 1), from the left.
    pub fn row(&self, y: usize) -> [Cell; WIDTH] {
        self.columns.map(|column| column[y])
    }

    /// The columns from the left, each from the bottom.
    #[inline]
    pub const fn columns(&self) -> &[[Cell; ROWS]; WIDTH] {
        &self.columns
    }

    /// The columns, for the simulator in [`super::reference`], which leaves no gap in them.
    #[inline]
    pub(super) const fn columns_mut(&mut self) -> &mut [[Cell; ROWS]; WIDTH] {
        &mut self.columns
    }

    /// The number of blocks and ojama in each column.
    #[inline]
    pub fn heights(&self) -> [u8; WIDTH] {
        self.columns.map(|column| column.iter().take_while(|cell| !cell.is_empty()).count() as u8)
    }

    /// All cells that are not empty: column from the left, row from the bottom, content.
    #[inline]
    pub fn occupied(&self) -> impl Iterator<Item = (usize, usize, Cell)> {
        self.columns.iter().enumerate().flat_map(|(x, column)| {
            let standing = column.iter().take_while(|cell| !cell.is_empty());
            standing.enumerate().map(move |(y, &cell)| (x, y, cell))
        })
    }
}

impl FromStr for Cells {
    type Err = CellsError;

    fn from_str(drawing: &str) -> Result<Self, CellsError> {
        let mut rows = Vec::new();
        let lines = drawing.lines().map(str::trim).filter(|line| !line.is_empty());
        for (line, row) in lines.zip(1..) {
            let symbols: Vec<char> = line.chars().collect();
            let width = CellsError::Width { row, found: symbols.len() };
            let symbols: [char; WIDTH] = symbols.try_into().map_err(|_| width)?;
            let mut cells = [Cell::Empty; WIDTH];
            for (cell, symbol) in cells.iter_mut().zip(symbols) {
                *cell = Cell::from_symbol(symbol).ok_or(CellsError::Symbol { row, symbol })?;
            }
            rows.push(cells);
        }
        Self::from_rows(&rows)
    }
}

impl fmt::Display for Cells {
    /// Draws [`HEIGHT`] rows, or more where blocks stand higher.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tallest = self.heights().into_iter().max().unwrap_or(0);
        for y in (0..HEIGHT.max(tallest.into())).rev() {
            let row: String = self.row(y).map(Cell::symbol).iter().collect();
            writeln!(f, "{row}")?;
        }
        Ok(())
    }
}

impl fmt::Debug for Cells {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\n{self}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_drawing_reads_back() {
        let drawing = "..........\n".repeat(14) + "4.........\n" + "#23456789.\n";
        let cells: Cells = drawing.parse().unwrap();
        assert_eq!(cells.to_string(), drawing);
        assert_eq!(cells.heights(), [2, 1, 1, 1, 1, 1, 1, 1, 1, 0]);
        assert_eq!(Cells::from_rows(&cells.rows()), Ok(cells));
    }

    #[test]
    fn a_bad_drawing_is_refused_with_its_place() {
        let parse = |drawing: &str| drawing.parse::<Cells>().unwrap_err();
        assert_eq!(parse("5.........\n.........."), CellsError::Floating { column: 0, row: 2 });
        assert_eq!(parse("..........\n...."), CellsError::Width { row: 2, found: 4 });
        assert_eq!(parse("....x....."), CellsError::Symbol { row: 1, symbol: 'x' });
        assert_eq!(parse(&"..........\n".repeat(20)), CellsError::Height(20));
    }
}
