//! The own side of the turn to come, as far as an answer settles it.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crate::board::Field;
use crate::game::{Action, DropColumns, OJAMA_ROW, Pack, Packs, Placement, State, Stock};
use crate::search::beam::{self, SearchRequest, SearchResult, Tree};
use crate::search::{Budget, Rain};

/// The own field after an answer, which nothing that the opponent does can change, and what then
/// waits to fall on it unless the opponent sends something: attacks that are found for it can be
/// remembered, as [`super::memory::Memory`] looks at them again under the rows that do fall.
pub struct Ahead {
    turn: usize,
    field: Field,
    stock: Stock,
    /// What is dropped before.
    pub first: Placement,
    /// Whether nothing can happen then, either, but for what the opponent sends now.
    is_quiet: bool,
}

impl Ahead {
    /// What follows an answer; `None` if it ends the game, or is the skill, after which little is
    /// left to think about.
    pub fn after(
        state: &State<Field>,
        pack: &Pack,
        action: Action,
        opening: usize,
    ) -> Option<Self> {
        let Action::Drop(first) = action else { return None };
        let [own, opponent] = &state.players;
        let step = own.step(pack, action).ok().filter(|step| !step.player.field.is_over())?;
        let fallen = if opponent.stock >= OJAMA_ROW { OJAMA_ROW } else { 0 };
        let on_opponent = opponent.stock - fallen + step.sent();
        let (turn, field) = (state.turn + 1, step.player.field);
        let stock = step.player.stock.saturating_sub(on_opponent);
        let on_opponent = on_opponent.saturating_sub(step.player.stock);
        let is_quiet = turn < opening && stock < OJAMA_ROW && on_opponent < OJAMA_ROW;
        Some(Self { turn, field, stock, first, is_quiet })
    }

    /// Looks for attacks, going on from what is known, until told to stop, or until the beam is as
    /// wide as it may be; also what is kept of it, and the simulated drops.
    pub fn ponder(
        &self,
        packs: &Packs,
        depth: usize,
        known: &Tree,
        stop: Arc<AtomicBool>,
    ) -> (SearchResult, Tree, u64) {
        let request = SearchRequest {
            field: self.field,
            packs: packs.from_turn(self.turn),
            rain: Rain::of_stock(self.stock),
            depth,
            positions: positions(self.is_quiet),
        };
        let budget = Budget::new(u64::MAX, None).with_stop(stop);
        let (answer, tree) = beam::search_on(&request, known, &budget);
        (answer, tree, budget.spent())
    }
}

/// Where the plan's beam drops. Two columns on each side stay closed in a quiet opening: 20 drops
/// instead of 36, and a field that is built upwards, so that its trigger stays above the first rows
/// (main seed).
pub const fn positions(is_quiet: bool) -> DropColumns {
    if is_quiet { DropColumns::without_sides(2) } else { DropColumns::ALL }
}
