//! Pondering: a search of the own player's next turn during the opponent's time.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crate::board::Field;
use crate::game::{Action, DropColumns, OJAMA_ROW, Pack, Packs, Placement, State, Stock};
use crate::search::beam::{self, BeamRequest, BeamResult, Tree};
use crate::search::{Budget, Rain};

/// The own field after an answer, which no action of the opponent changes, and the own stock if the
/// opponent sends nothing. [`super::memory::Memory`] replays the attacks found here under the rows
/// that really fall.
pub struct Ahead {
    turn: usize,
    field: Field,
    stock: Stock,
    /// The answered drop, which leads to `field`.
    pub first: Placement,
    /// Whether the next turn is in the opening and no row falls in it on either player, unless the
    /// opponent sends ojama now.
    is_quiet: bool,
}

impl Ahead {
    /// Returns the next turn after the answer `action`, which drops `pack`. The opening ends before
    /// turn `opening`. Returns `None` if `action` ends the game, or is the skill, after which
    /// pondering is not worthwhile.
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

    /// Searches for attacks within `depth` turns, starting from the tree `known`, until `stop` is
    /// set or the beam reaches its maximum width. Returns the result, the kept tree and the
    /// number of simulated drops.
    pub fn ponder(
        &self,
        packs: &Packs,
        depth: usize,
        known: &Tree,
        stop: Arc<AtomicBool>,
    ) -> (BeamResult, Tree, u64) {
        let request = BeamRequest {
            field: self.field,
            packs: packs.from_turn(self.turn),
            rain: Rain::of_stock(self.stock),
            depth,
            positions: positions(self.is_quiet),
        };
        let budget = Budget::new(u64::MAX, None).with_stop(stop);
        let (result, tree) = beam::search_on(&request, known, &budget);
        (result, tree, budget.spent())
    }
}

/// Returns the drop columns of the plan's beam. In a quiet opening two columns on each side stay
/// closed: a pack has 20 drops instead of 36, and the field is built upwards, so that its trigger
/// stays above the first rows (main seed).
pub const fn positions(is_quiet: bool) -> DropColumns {
    if is_quiet { DropColumns::without_sides(2) } else { DropColumns::ALL }
}
