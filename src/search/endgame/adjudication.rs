//! Whether a game is decided: one player can be killed by force.

use super::mate::mate;
use crate::board::Field;
use crate::game::{OJAMA_ROW, Pack, Seat, State, Verdict};
use crate::search::{Budget, TranspositionTable};

/// Simulated drops of the search. Experiment A-15.
const ADJUDICATION_DROPS: u64 = 2_000_000;

/// Returns the winner if the game between two turns is decided: a row is due on one player, and
/// that player passes the danger line first, or in the same turn with the lower score, with every
/// action, if the other player only drops each pack where its field stays lowest. All actions of
/// the losing player are tried, so the win is proven. The proof says nothing about a winner that
/// plays otherwise.
///
/// `packs` are those from the state's turn on. The result depends on the state and the packs alone.
pub fn decided(state: &State<Field>, packs: &[Pack]) -> Option<Verdict> {
    // One stock is 0 between turns, so that rows are due on one player at most.
    let victim = Seat::BOTH.into_iter().find(|&seat| state[seat].stock >= OJAMA_ROW)?;
    let winner = victim.other();
    let state = State { players: [state[winner], state[victim]], ..*state };
    let budget = Budget::new(ADJUDICATION_DROPS, None);
    let mut table = TranspositionTable::default();
    let mate = mate(&state, packs, &[Vec::new()], &mut table, &budget)?;
    mate.proven.then_some(Verdict::Win(winner))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Cells, Packs, Player};

    /// Twelve rows of ojama, and two rows of blocks without a chain.
    const FULL: &str = "
        12121212..
        34343434..
        ##########
        ##########
        ##########
        ##########
        ##########
        ##########
        ##########
        ##########
        ##########
        ##########
        ##########
        ##########";

    fn state(stock: u64) -> State<Field> {
        let field: Cells = FULL.parse().unwrap();
        let victim = Player { field: Field::from_cells(&field), stock, ..Player::new() };
        State { turn: 30, players: [victim, Player::new()] }
    }

    #[test]
    fn a_player_that_cannot_escape_its_rows_has_lost() {
        let packs = Packs::from_seed(3);
        let packs = packs.from_turn(30);
        let lost = state(200);
        assert_eq!(decided(&lost, packs), Some(Verdict::Win(Seat::Second)));
        let mirrored = State { players: [lost.players[1], lost.players[0]], ..lost };
        assert_eq!(decided(&mirrored, packs), Some(Verdict::Win(Seat::First)));
        assert_eq!(decided(&state(0), packs), None, "no row is due");
        assert_eq!(decided(&State { turn: 30, ..State::new() }, packs), None);
    }
}
