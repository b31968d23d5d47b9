//! The requests of the beams that find both sides' plans, in a decision and in pondering.

use super::win_probability;
use crate::board::Field;
use crate::game::{DropColumns, OJAMA_ROW, Pack, Stock};
use crate::search::Rain;
use crate::search::beam::BeamRequest;

/// Depth of the opponent's beam, in turns.
const OPPONENTS_DEPTH: usize = win_probability::TURNS_AHEAD;

/// Whether `turn` is quiet: it is before turn `opening`, the end of the opening, and no row is due
/// on a player with one of `stocks`. Neither side can hurt the other yet.
pub fn is_quiet(turn: usize, opening: usize, stocks: [Stock; 2]) -> bool {
    turn < opening && stocks.iter().all(|&stock| stock < OJAMA_ROW)
}

/// Returns the drop columns of the own plans. In a quiet turn two columns on each side stay closed:
/// a pack has 20 drops instead of 36, and the field is built upwards, so that its trigger stays
/// above the first rows (y.s.).
pub const fn own_columns(is_quiet: bool) -> DropColumns {
    if is_quiet { DropColumns::without_sides(2) } else { DropColumns::ALL }
}

/// Returns the request of the own beam, of `depth` turns, on `field` with the rows of `stock`.
pub fn own_request(
    field: Field,
    stock: Stock,
    packs: &[Pack],
    depth: usize,
    is_quiet: bool,
) -> BeamRequest<'_> {
    let (rain, columns) = (Rain::of_stock(stock), own_columns(is_quiet));
    BeamRequest { field, packs, rain, depth, columns }
}

/// Returns the request of the opponent's beam on `field` with the rows of `stock`. The opponent may
/// use all columns, in a quiet turn too: without its outer columns, its attacks came a turn or two
/// sooner than foreseen.
pub fn opponents_request(field: Field, stock: Stock, packs: &[Pack]) -> BeamRequest<'_> {
    let (rain, columns) = (Rain::of_stock(stock), DropColumns::ALL);
    BeamRequest { field, packs, rain, depth: OPPONENTS_DEPTH, columns }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_turn_is_quiet_in_the_opening_while_no_row_is_due() {
        let quiet = |turn, stocks| is_quiet(turn, 8, stocks);
        assert!(quiet(0, [0, 0]) && quiet(7, [OJAMA_ROW - 1; 2]));
        assert!(!quiet(8, [0, 0]));
        assert!(!quiet(0, [OJAMA_ROW, 0]) && !quiet(0, [0, OJAMA_ROW]));
    }
}
