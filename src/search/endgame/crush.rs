//! What a strike leaves of the chain that the victim is building.

use crate::game::{Field, Pack, Positions, Stock};
use crate::search::beam::{self, Question};
use crate::search::{Budget, Rain};

/// Turns in which the victim might have sent something.
const TURNS: usize = 8;

/// The most that a victim can send within the coming [`TURNS`] turns, as far as beams see.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Crush {
    /// With no more falling on it than falls anyway.
    pub before: Stock,
    /// Under the strike as well.
    pub after: Stock,
}

impl Crush {
    /// What the strike takes from it.
    pub const fn lost(&self) -> Stock {
        self.before.saturating_sub(self.after)
    }
}

/// What becomes of a victim's chains when ojama are added to the stock that waits for it. The field
/// is that at the start of the turn of the first pack; each of two beams takes half the budget.
pub fn crush<F: Field>(
    field: F,
    stock: Stock,
    added: Stock,
    packs: &[Pack],
    budget: &Budget,
) -> Crush {
    let part = budget.part(2);
    let most = |stock: Stock| {
        let rain = Rain::of_stock(stock);
        let question = Question { field, packs, rain, depth: TURNS, positions: Positions::ALL };
        let each = part.budget();
        let answer = beam::search(&question, &each);
        part.book(&each);
        answer.strikes.iter().flatten().map(|strike| strike.chain.ojama()).max().unwrap_or(0)
    };
    Crush { before: most(stock), after: most(stock + added) }
}
