//! Drawn fields and packs, in a format for people.

use thiserror::Error;

use super::{Cell, Cells, CellsError, HEIGHT, Pack, PackError, WIDTH};
use crate::foreign_text::quoted;

/// One or two fields, and the coming packs.
///
/// As text, each field has a line for each row from the top, `.` for empty and `#` for ojama, and a
/// blank line separates two fields. The packs follow, each as in a pack file (two lines of two
/// numbers and a line `END`) or as a word such as `12/34`, upper row first, 0 or `.` for empty.
/// Words may share a line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Situation {
    /// The player's field, and the opponent's if there is a second one.
    pub fields: Vec<Cells>,
    /// The packs, the next one first; may be empty.
    pub packs: Vec<Pack>,
}

/// Why a text is not a situation.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("line {line}: expected {expected}, found {found}")]
pub struct SituationError {
    /// The line, from 1.
    pub line: usize,
    /// The expected content.
    pub expected: String,
    /// The actual content.
    pub found: String,
}

impl SituationError {
    fn new(line: usize, expected: impl Into<String>, found: &str) -> Self {
        Self { line, expected: expected.into(), found: quoted(found) }
    }
}

/// The number of a field's first line, and the field's rows.
type Drawing = (usize, Vec<[Cell; WIDTH]>);

impl std::str::FromStr for Situation {
    type Err = SituationError;

    fn from_str(text: &str) -> Result<Self, SituationError> {
        let mut drawings: Vec<Drawing> = Vec::new();
        let mut packs = Vec::new();
        let mut is_open = false;
        let mut lines = (1..).zip(text.lines().map(str::trim)).peekable();
        while let Some((number, line)) = lines.next() {
            if line.is_empty() {
                is_open = false;
            } else if is_row(line) && packs.is_empty() {
                if !is_open {
                    drawings.push((number, Vec::new()));
                    is_open = true;
                }
                if let Some((_, rows)) = drawings.last_mut() {
                    rows.push(row(number, line)?);
                }
            } else if line.contains('/') {
                is_open = false;
                for word in line.split_whitespace() {
                    packs.push(word_pack(number, word)?);
                }
            } else if let Some(upper) = pack_row(line) {
                is_open = false;
                let mut due = |expected: &str| match lines.next() {
                    Some((number, line)) => Ok((number, line)),
                    None => Err(SituationError {
                        line: number + 1,
                        expected: expected.to_owned(),
                        found: "the end".to_owned(),
                    }),
                };
                let expected = "the pack's lower row, two numbers from 0 to 9";
                let (at, line) = due(expected)?;
                let lower =
                    pack_row(line).ok_or_else(|| SituationError::new(at, expected, line))?;
                packs.push(pack(at, [upper, lower].concat(), line)?);
                let (at, line) = due("`END`")?;
                if line != "END" {
                    return Err(SituationError::new(at, "`END`", line));
                }
            } else {
                let expected = if packs.is_empty() {
                    "a row of a field (10 of `.`, `#`, 1 to 9) or a pack such as `12/34`"
                } else {
                    "a pack such as `12/34`, or two lines of two numbers and `END`"
                };
                return Err(SituationError::new(number, expected, line));
            }
        }
        let fields: Vec<Cells> = drawings.iter().map(field).collect::<Result<_, _>>()?;
        match (fields.len(), drawings.get(2)) {
            (0, _) => Err(SituationError {
                line: 1,
                expected: "a drawn field".to_owned(),
                found: "none".to_owned(),
            }),
            (_, Some((line, _))) => Err(SituationError {
                line: *line,
                expected: "one field or two".to_owned(),
                found: "a third field".to_owned(),
            }),
            _ => Ok(Self { fields, packs }),
        }
    }
}

/// Whether a line is meant as a row of a field: one word without a slash, and not `END`.
fn is_row(line: &str) -> bool {
    !line.contains(char::is_whitespace) && !line.contains('/') && line != "END"
}

fn row(number: usize, line: &str) -> Result<[Cell; WIDTH], SituationError> {
    let cells: Option<Vec<Cell>> = line.chars().map(Cell::from_symbol).collect();
    let cells = cells.and_then(|cells| cells.try_into().ok());
    cells.ok_or_else(|| SituationError::new(number, "10 cells of `.`, `#` or 1 to 9", line))
}

fn field((first, rows): &Drawing) -> Result<Cells, SituationError> {
    let bottom = first + rows.len() - 1;
    let field = Cells::from_rows(rows).map_err(|error| match error {
        CellsError::Floating { column, row } => SituationError {
            line: bottom + 1 - row,
            expected: "a block under every block".to_owned(),
            found: format!("none under column {column}"),
        },
        error => SituationError {
            line: *first,
            expected: "a field".to_owned(),
            found: error.to_string(),
        },
    })?;
    match usize::from(field.heights().into_iter().max().unwrap_or(0)) {
        ..=HEIGHT => Ok(field),
        height => Err(SituationError {
            line: bottom + 1 - height,
            expected: format!("a field of at most {HEIGHT} rows"),
            found: format!("a block in row {height}"),
        }),
    }
}

/// Parses two numbers with blanks between them.
fn pack_row(line: &str) -> Option<Vec<u8>> {
    let numbers = line.split_whitespace().map(|word| match word.as_bytes() {
        [digit @ b'0'..=b'9'] => Some(digit - b'0'),
        _ => None,
    });
    let numbers: Vec<u8> = numbers.collect::<Option<_>>()?;
    (numbers.len() == 2).then_some(numbers)
}

fn word_pack(line: usize, word: &str) -> Result<Pack, SituationError> {
    let codes = |row: &str| -> Option<Vec<u8>> {
        let code = |symbol: char| match symbol {
            '.' => Some(0),
            _ => symbol.to_digit(10).map(|digit| digit as u8),
        };
        row.chars().map(code).collect::<Option<Vec<u8>>>().filter(|codes| codes.len() == 2)
    };
    let cells = word.split_once('/').and_then(|(upper, lower)| {
        let rows = [codes(upper)?, codes(lower)?];
        Some(rows.concat())
    });
    let cells = cells.ok_or_else(|| {
        SituationError::new(line, "a pack such as `12/34`, upper row first", word)
    })?;
    pack(line, cells, word)
}

fn pack(line: usize, cells: Vec<u8>, found: &str) -> Result<Pack, SituationError> {
    let cells = cells.try_into().unwrap_or_default();
    Pack::new(cells).map_err(|error: PackError| SituationError {
        line,
        expected: "a pack of 3 or 4 blocks".to_owned(),
        found: format!("{} ({error})", quoted(found)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_and_packs_are_read() {
        let situation: Situation = "
            5.........
            #3......1.

            9.........

            12/34 .5/55
            1 2
            3 0
            END"
        .parse()
        .unwrap();
        assert_eq!(situation.fields.len(), 2);
        assert_eq!(situation.fields[0].heights()[..3], [2, 1, 0]);
        let codes: Vec<[u8; 4]> = situation.packs.iter().map(Pack::codes).collect();
        assert_eq!(codes, [[1, 2, 3, 4], [0, 5, 5, 5], [1, 2, 3, 0]]);
    }

    #[test]
    fn errors_name_their_line() {
        for (text, message) in [
            ("", "line 1: expected a drawn field, found none"),
            (
                "..........\n.........",
                "line 2: expected 10 cells of `.`, `#` or 1 to 9, found `.........`",
            ),
            (
                "5.........\n..........",
                "line 1: expected a block under every block, found none under column 0",
            ),
            (
                "..........\n\n12/3",
                "line 3: expected a pack such as `12/34`, upper row first, found `12/3`",
            ),
            (
                "..........\n\n10/30",
                "line 3: expected a pack of 3 or 4 blocks, found `10/30` (a pack holds 3 or 4 blocks, found 2)",
            ),
            (
                "..........\n1 2\n",
                "line 3: expected the pack's lower row, two numbers from 0 to 9, found the end",
            ),
            ("..........\n1 2\n3 4\nEMD\n", "line 4: expected `END`, found `EMD`"),
            (
                "..........\n\n..........\n\n..........",
                "line 5: expected one field or two, found a third field",
            ),
            (
                "..........\n1 2 3",
                "line 2: expected a row of a field (10 of `.`, `#`, 1 to 9) or a pack such as `12/34`, found `1 2 3`",
            ),
        ] {
            assert_eq!(text.parse::<Situation>().unwrap_err().to_string(), message);
        }
        let tower = "5.........\n".repeat(17);
        let message = tower.parse::<Situation>().unwrap_err().to_string();
        assert_eq!(message, "line 1: expected a field of at most 16 rows, found a block in row 17");
        let high = "..........\n".repeat(20);
        assert!(high.parse::<Situation>().is_err());
    }
}
