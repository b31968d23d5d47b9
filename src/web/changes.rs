//! Fields as text, and only what changes in them.
//!
//! A place is two characters: the column as a digit, the row from the bottom as a letter from `a`.

use crate::game::trace::Place;
use crate::game::{Cells, ROWS, WIDTH};

/// A place's two characters.
pub fn place((x, y): Place) -> [char; 2] {
    [char::from(b'0' + x as u8), char::from(b'a' + y as u8)]
}

/// What makes one field into another: for each cell that differs its place and its new content, as
/// drawings show it (`.`, a digit, `#`).
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

/// Pairs that vanish, for each both places.
pub fn pairs(pairs: &[[Place; 2]]) -> String {
    places(pairs.as_flattened())
}

/// Places, one after the other.
pub fn places(places: &[Place]) -> String {
    places.iter().flat_map(|&at| place(at)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_changes_is_said() {
        let [from, to]: [Cells; 2] =
            ["5.........\n#.........", "#........7"].map(|drawing| drawing.parse().unwrap());
        assert_eq!(changes(&from, &to), "0b.9a7");
        assert_eq!(changes(&to, &to), "");
        assert_eq!(pairs(&[[(0, 2), (9, 18)]]), "0c9s");
    }
}
