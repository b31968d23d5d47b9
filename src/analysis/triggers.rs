//! Finds the blocks that set off a chain, and how many rows of ojama bury them.

use crate::game::{Cell, Cells, Chain, HEIGHT, Number, WIDTH, reference};

/// A block on a column that sets off a chain.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trigger {
    /// The column, from the left.
    pub column: usize,
    /// The block.
    pub number: Number,
    /// The chain after 0, 1, 2 and more rows of ojama, up to the rows that the field has space for.
    pub chains: Vec<Chain>,
}

impl Trigger {
    /// The chain on the field as it is.
    pub fn chain(&self) -> Chain {
        self.chains.first().copied().unwrap_or_default()
    }

    /// The least number of rows of ojama after which less than half of the chain is left; `None` if
    /// the chain survives all the rows that the field has space for.
    pub fn buried_by(&self) -> Option<usize> {
        self.chains.iter().position(|chain| chain.0 * 2 < self.chain().0)
    }
}

/// All blocks that set off a chain of at least `shortest` rounds, the longest chains first. Equal
/// chains are ordered by the rows that bury them, most first, then from the left.
pub fn triggers(field: &Cells, shortest: Chain) -> Vec<Trigger> {
    let rows = rained(field);
    let trigger = |(column, number)| {
        let chain = |field: &Cells| {
            let mut field = *field;
            reference::push(&mut field, column, Cell::Block(number));
            reference::run_chain(&mut field)
        };
        Trigger { column, number, chains: rows.iter().map(chain).collect() }
    };
    let candidates =
        (0..WIDTH).flat_map(|column| Number::all().map(move |number| (column, number)));
    let mut triggers: Vec<Trigger> =
        candidates.map(trigger).filter(|trigger| trigger.chain() >= shortest).collect();
    triggers.sort_by_key(|trigger| {
        let buried = trigger.buried_by().unwrap_or(usize::MAX);
        (std::cmp::Reverse((trigger.chain(), buried)), trigger.column)
    });
    triggers
}

/// The field after 0, 1, 2 and more rows of ojama, while it stays below the danger line. Pairs that
/// sum to ten vanish before the first row.
fn rained(field: &Cells) -> Vec<Cells> {
    let mut field = *field;
    reference::run_chain(&mut field);
    let mut rows = Vec::new();
    while usize::from(field.tallest()) <= HEIGHT {
        rows.push(field);
        field.rain();
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(drawing: &str, shortest: u8) -> Vec<(usize, u8, Vec<u8>, Option<usize>)> {
        let found = triggers(&drawing.parse().unwrap(), Chain(shortest));
        let as_tuple = |trigger: Trigger| {
            let chains = trigger.chains.iter().map(|chain| chain.0).collect();
            (trigger.column, trigger.number.get(), chains, trigger.buried_by())
        };
        found.into_iter().map(as_tuple).collect()
    }

    #[test]
    fn a_trigger_is_buried_when_the_block_lies_above_its_partner() {
        // On the ground beside them, the block meets the 3, and the 2 falls on the 8. On two rows
        // of ojama, the block still touches the 3.
        let found = found("2.........\n3.........\n8.........", 2);
        let (column, number, chains, buried) = &found[0];
        assert_eq!((*column, *number, chains[0]), (1, 7, 2));
        assert_eq!((chains.len(), *buried), (14, Some(3)), "{chains:?}");
        assert!(found.iter().all(|trigger| trigger.2[0] == 2));
    }

    #[test]
    fn a_well_stays_open_as_long_as_its_walls_are_higher() {
        let well = "1.1.......\n".repeat(5);
        let found = found(&well, 1);
        let nine = found.iter().find(|trigger| (trigger.0, trigger.1) == (1, 9)).unwrap();
        assert_eq!(nine.2[..7], [1, 1, 1, 1, 1, 1, 0]);
        assert_eq!(nine.3, Some(6));
    }

    #[test]
    fn a_full_field_has_space_for_no_row() {
        let field = "4444444444\n".repeat(16);
        let found = found(&field, 1);
        assert!(found.iter().all(|trigger| trigger.2.len() == 1));
        assert_eq!(found.len(), 10, "a six on each column");
    }
}
