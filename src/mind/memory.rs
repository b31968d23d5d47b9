//! The strikes that are known of a player, from one turn to the next.

use crate::game::{Chain, Field, OJAMA_ROW, Pack, Placement, Player};
use crate::search::Rain;
use crate::search::beam::{LONGEST_STEP, Strike};

/// The strikes that were found for a player in earlier turns and whose drops have been played so
/// far: so what was found with luck, or with more time, is not lost.
pub struct Memory<F> {
    /// The player's field in the turn before, its row fallen, and that turn's pack.
    before: Option<(F, Pack)>,
    strikes: Vec<Strike>,
}

impl<F: Field> Memory<F> {
    /// Nothing known yet.
    pub const fn new() -> Self {
        Self { before: None, strikes: Vec::new() }
    }

    /// Keeps the strikes found in a turn.
    pub fn keep(&mut self, player: &Player<F>, pack: &Pack, strikes: Vec<Strike>) {
        let mut field = player.field;
        if player.stock >= OJAMA_ROW {
            field.rain();
        }
        (self.before, self.strikes) = (Some((field, *pack)), strikes);
    }

    /// What is left of them a turn later, if their next drop is what was played, or the same.
    pub fn recall(&self, player: &Player<F>, packs: &[Pack]) -> Vec<Strike> {
        let Some((field, pack)) = &self.before else { return Vec::new() };
        let rain = Rain::of_stock(player.stock);
        let left = self.strikes.iter().filter_map(|strike| {
            let (first, rest) = strike.path.split_first()?;
            let is_played = field.drop_pack(pack, *first).field == player.field;
            if is_played { seen_again(rest, player.field, packs, rain) } else { None }
        });
        left.collect()
    }
}

/// What drops, played one after the other, come to on a field on which rows fall: rows that were
/// not foreseen may have made their strike shorter, or ruined it. `None` if they set off no chain,
/// or before the last one a chain that is more than a step, or end the game.
fn seen_again<F: Field>(
    path: &[Placement],
    mut field: F,
    packs: &[Pack],
    rain: Rain,
) -> Option<Strike> {
    let mut last = Chain(0);
    for (ply, &placement) in path.iter().enumerate() {
        if last > LONGEST_STEP {
            return None;
        }
        if rain.falls_at(ply) {
            field.rain();
        }
        let dropped = field.drop_pack(packs.get(ply)?, placement);
        field = dropped.field;
        last = dropped.chain;
        if field.is_over() {
            return None;
        }
    }
    let strike = || Strike { path: path.to_vec(), chain: last, blocks_left: field.blocks() };
    (last > Chain(0)).then(strike)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Action, Cells};

    const PAIR: &str = "95........";

    fn packs() -> Vec<Pack> {
        [[3, 3, 0, 3], [1, 4, 0, 4]].map(|cells| Pack::new(cells).unwrap()).to_vec()
    }

    fn player(drawing: &str, stock: u64) -> Player<Cells> {
        Player { field: drawing.parse().unwrap(), stock, ..Player::new() }
    }

    /// Threes on the right, then the one beside the nine.
    fn strike() -> Strike {
        let path = ["8 0", "1 0"].map(|answer| match answer.parse().unwrap() {
            Action::Drop(placement) => placement,
            Action::Skill => unreachable!(),
        });
        Strike { path: path.to_vec(), chain: Chain(1), blocks_left: 6 }
    }

    #[test]
    fn a_strike_is_remembered_while_its_drops_are_played() {
        let mut memory = Memory::new();
        let before = player(PAIR, 0);
        assert!(memory.recall(&before, &packs()).is_empty());
        memory.keep(&before, &packs()[0], vec![strike()]);
        let after = |placement| Player {
            field: before.field.drop_pack(&packs()[0], placement).field,
            ..before
        };
        let played = after(strike().path[0]);
        let left = memory.recall(&played, &packs()[1..]);
        assert_eq!(left, [Strike { path: strike().path[1..].to_vec(), ..strike() }]);
        let otherwise = after(strike().path[1]);
        assert!(memory.recall(&otherwise, &packs()[1..]).is_empty());
        let buried = Player { stock: 10, ..played };
        assert!(memory.recall(&buried, &packs()[1..]).is_empty(), "a row lies between");
    }
}
