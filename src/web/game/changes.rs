//! Encodes changes of fields as text.
//!
//! A place is two characters: the column as a digit, and the row from the bottom as a letter from
//! `a`.

use crate::game::trace::Place;
use crate::game::{Cells, ROWS, WIDTH};

/// The two characters of a place.
pub fn place((x, y): Place) -> [char; 2] {
    [char::from(b'0' + x as u8), char::from(b'a' + y as u8)]
}

/// The changes that turn `from` into `to`: for each cell that differs, its place and its new
/// content as in drawings (`.`, a digit, `#`).
pub fn changes(from: &Cells, to: &Cells) -> String {
    let places = (0..WIDTH).flat_map(|x| (0..ROWS).map(move |y| (x, y)));
    let mut text = String::new();
    for (x, y) in places {
        let cell = to.columns()[x][y];
        if from.columns()[x][y] != cell {
            text.extend(place((x, y)));
            text.push(cell.symbol());
        }
    }
    text
}

/// The places of pairs, two for each pair.
pub fn pairs(pairs: &[[Place; 2]]) -> String {
    places(pairs.as_flattened())
}

/// The given places, one after the other.
pub fn places(places: &[Place]) -> String {
    places.iter().flat_map(|&at| place(at)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_changed_cells_are_written() {
        let [from, to]: [Cells; 2] =
            ["5.........\n#.........", "#........7"].map(|drawing| drawing.parse().unwrap());
        assert_eq!(changes(&from, &to), "0b.9a7");
        assert_eq!(changes(&to, &to), "");
        assert_eq!(pairs(&[[(0, 2), (9, 18)]]), "0c9s");
    }
}
