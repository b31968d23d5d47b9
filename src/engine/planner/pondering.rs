//! Pondering: searches of both sides during the opponent's time.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use super::memory::Memory;
use super::stages::{is_opening, opponents_request, own_request};
use crate::board::Field;
use crate::game::{Action, OJAMA_ROW, Pack, Packs, Placement, Player, State, Stock};
use crate::search::Budget;
use crate::search::beam::{self, BeamRequest, BeamResult, Tree};

/// The drops of the own beam in the first round of pondering, about a tenth of a second.
const FIRST_ROUND: u64 = 4_000_000;

/// The factor between the drops of two rounds.
const GROWTH: u64 = 4;

/// The opponent's beam has `1 / OPPONENTS_PART` of the drops of the own beam, about as in a
/// decision.
const OPPONENTS_PART: u64 = 2;

/// The positions that are known after an answer: the own field, which no action of the opponent
/// changes, and the opponent's field before its action.
///
/// The own stock is the one if the opponent sends nothing. [`Memory`] replays the attacks found
/// here under the rows that really fall.
pub struct Ahead {
    turn: usize,
    field: Field,
    stock: Stock,
    /// The answered drop, which leads to `field`.
    first: Placement,
    /// Whether the next turn is in the opening and no row falls in it on either player, unless the
    /// opponent sends ojama now.
    is_opening: bool,
    /// The opponent before its action in the answered turn.
    opponent: Player<Field>,
}

/// The rounds of one side's beam.
struct Rounds<'a> {
    request: BeamRequest<'a>,
    /// The best attacks of all rounds.
    result: BeamResult,
    /// The largest tree of all rounds.
    tree: Tree,
    /// Simulated drops of all rounds.
    drops: u64,
}

impl Ahead {
    /// Returns the positions after the answer `action`, which drops `pack`. The opening ends before
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
        let is_opening = is_opening(turn, opening, [stock, on_opponent]);
        Some(Self { turn, field, stock, first, is_opening, opponent: *opponent })
    }

    /// Returns the turn of the positions, the one after the answered turn.
    pub const fn turn(&self) -> usize {
        self.turn
    }

    /// Searches the attacks of both sides, the own ones within `depth` turns, until `stop` is set
    /// or both beams reach their maximum width, and adds the results to `memories`, own side first.
    /// Returns the number of simulated drops.
    ///
    /// The beams run in turn, in rounds of growing budgets. Each round starts from the tree of the
    /// round before.
    pub fn ponder(
        &self,
        packs: &Packs,
        depth: usize,
        memories: &mut [Memory; 2],
        stop: &Arc<AtomicBool>,
    ) -> u64 {
        let Self { turn, field, stock, opponent, .. } = *self;
        let own = own_request(field, stock, packs.from_turn(turn), depth, self.is_opening);
        let before = packs.from_turn(turn - 1);
        let opponents = opponents_request(opponent.field, opponent.stock, before);
        let [own_memory, opponents_memory] = memories;
        let mut own = Rounds::new(own, own_memory.tree_after(self.first));
        let mut opponents = Rounds::new(opponents, opponents_memory.take_tree());
        let mut drops = FIRST_ROUND;
        let mut is_useful = true;
        while is_useful && !stop.load(Relaxed) {
            is_useful = own.search(drops, stop) | opponents.search(drops / OPPONENTS_PART, stop);
            drops = drops.saturating_mul(GROWTH);
        }
        let spent = own.drops + opponents.drops;
        own_memory.foresee(self.first, own.result, own.tree);
        opponents_memory.add(opponents.result, opponents.tree);
        spent
    }
}

impl<'a> Rounds<'a> {
    /// The rounds of `request`, which start from `tree`.
    fn new(request: BeamRequest<'a>, tree: Tree) -> Self {
        let attacks = vec![None; request.depth];
        let result = BeamResult { attacks, ..BeamResult::default() };
        Self { request, result, tree, drops: 0 }
    }

    /// Runs a beam of at most `drops` drops, starting from the known tree. Returns whether more
    /// drops may find more: a beam of the maximum width leaves drops unused.
    fn search(&mut self, drops: u64, stop: &Arc<AtomicBool>) -> bool {
        let budget = Budget::new(drops, None).with_stop(Arc::clone(stop));
        let (result, tree) = beam::search_on(&self.request, &self.tree, &budget);
        self.drops += budget.spent();
        result.attacks.into_iter().flatten().for_each(|attack| self.result.take(attack));
        // A beam that was stopped early kept few fields.
        if tree.fields() > self.tree.fields() {
            self.tree = tree;
        }
        budget.spent() >= drops / 2
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::DropColumns;
    use crate::search::Rain;

    #[test]
    fn each_round_starts_from_the_tree_of_the_round_before() {
        let packs = Packs::from_seed(4);
        let request = BeamRequest {
            field: Field::EMPTY,
            packs: packs.from_turn(0),
            rain: Rain::NONE,
            depth: 6,
            columns: DropColumns::ALL,
        };
        let stop = Arc::new(AtomicBool::new(false));
        let mut rounds = Rounds::new(request, Tree::default());
        assert!(rounds.search(300_000, &stop), "more drops may find more");
        let (wide, best) = (rounds.tree.fields(), rounds.result.most_sent());
        assert!(wide > 0);
        rounds.search(30_000, &stop);
        assert_eq!(rounds.tree.fields(), wide, "the larger tree is kept");
        let after = rounds.result.most_sent();
        assert!(best.iter().zip(&after).all(|(before, after)| before <= after));
        stop.store(true, Relaxed);
        let drops = rounds.drops;
        assert!(!rounds.search(1_000_000, &stop));
        assert!(rounds.drops < drops + 1_000_000);
    }

    #[test]
    fn stopped_pondering_keeps_what_is_known() {
        let packs = Packs::from_seed(4);
        let (state, pack) = (State::new(), packs.get(0).unwrap());
        let first = Placement::all().next().unwrap();
        let ahead = Ahead::after(&state, pack, Action::Drop(first), 8).unwrap();
        let mut memories = [Memory::new(), Memory::new()];
        let stop = Arc::new(AtomicBool::new(true));
        assert_eq!(ahead.ponder(&packs, 6, &mut memories, &stop), 0);
        assert!(memories.iter().all(|memory| memory.attacks().is_empty()));
    }
}
