//! The state of both players, and a whole turn of the game.

use std::ops::{Index, IndexMut};

use super::verdict::{self, End, Verdict};
use super::{Action, Pack, Player, Seat, Simulate, SkillNotReady, Step};

/// The game between two turns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct State<F> {
    /// Turns played, 0 to [`super::TURNS`]; also the number of the turn to play next.
    pub turn: usize,
    /// Both players, in the order of [`Seat::BOTH`].
    pub players: [Player<F>; 2],
}

/// A turn that was played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Turn<F> {
    /// The result of each player's half.
    pub steps: [Step<F>; 2],
    /// The state afterwards.
    pub after: State<F>,
}

impl<F: Simulate> State<F> {
    /// The start of a game.
    pub fn new() -> Self {
        Self { turn: 0, players: [Player::new(); 2] }
    }

    /// Plays a turn of both players at once, by the rules. Both drop the same pack.
    ///
    /// # Errors
    /// For each player, whether it used the skill with too low a gauge: an invalid answer, which
    /// ends the game before the turn ([`super::judge_faults`]).
    pub fn play(
        &self,
        pack: &Pack,
        actions: [Action; 2],
    ) -> Result<Turn<F>, [Option<SkillNotReady>; 2]> {
        let step = |seat: Seat| self[seat].step(pack, actions[seat.index()]);
        let steps = match Seat::BOTH.map(step) {
            [Ok(first), Ok(second)] => [first, second],
            wrong => return Err(wrong.map(Result::err)),
        };
        Ok(Turn { steps, after: self.after_steps(&steps) })
    }

    /// The state after both players' halves of a turn: the chains drain the opponents' gauges, the
    /// ojama that both send are offset.
    pub fn after_steps(&self, steps: &[Step<F>; 2]) -> Self {
        let mut players = Seat::BOTH.map(|seat| {
            let (own, opponent) = (&steps[seat.index()], &steps[seat.other().index()]);
            let mut player = own.player;
            player.gauge = player.gauge.drained(opponent.chain);
            player.stock += opponent.sent();
            player
        });
        let offset = players[0].stock.min(players[1].stock);
        for player in &mut players {
            player.stock -= offset;
        }
        Self { turn: self.turn + 1, players }
    }

    /// The end of the game after the last turn, if it has ended: a player is past the danger line,
    /// or all turns are played.
    pub fn end(&self) -> Option<(End, Verdict)> {
        verdict::judge(
            self.turn,
            [0, 1].map(|seat| self.players[seat].field.is_over()),
            [0, 1].map(|seat| self.players[seat].score),
        )
    }

    /// The same state with the fields in another encoding.
    pub fn convert<G: Simulate>(&self) -> State<G> {
        State { turn: self.turn, players: [0, 1].map(|seat| self.players[seat].convert()) }
    }
}

impl<F: Simulate> Default for State<F> {
    fn default() -> Self {
        Self::new()
    }
}

impl<F> Index<Seat> for State<F> {
    type Output = Player<F>;

    fn index(&self, seat: Seat) -> &Player<F> {
        &self.players[seat.index()]
    }
}

impl<F> IndexMut<Seat> for State<F> {
    fn index_mut(&mut self, seat: Seat) -> &mut Player<F> {
        &mut self.players[seat.index()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Cells, Chain, Explosion, Gauge, Stock};

    fn player(drawing: &str, stock: Stock, gauge: u8) -> Player<Cells> {
        let gauge = Gauge::new(gauge).unwrap();
        Player { field: drawing.parse().unwrap(), stock, gauge, score: 0 }
    }

    fn play(first: Player<Cells>, second: Player<Cells>, actions: [&str; 2]) -> Turn<Cells> {
        let state = State { turn: 0, players: [first, second] };
        let pack = Pack::new([1, 1, 1, 0]).unwrap();
        state.play(&pack, actions.map(|action| action.parse().unwrap())).unwrap()
    }

    #[test]
    fn stocks_are_offset_after_both_have_sent() {
        let turn = play(player("", 10, 0), player("", 5, 0), ["0 0", "0 0"]);
        let stocks = turn.after.players.map(|player| player.stock);
        assert_eq!(stocks, [0, 5], "the first player's row falls before the offset");
        let turn = play(player("", 19, 0), player("", 5, 0), ["0 0", "0 0"]);
        assert_eq!(turn.after.players.map(|player| player.stock), [4, 0]);
        assert_eq!(turn.after[Seat::First].field.heights(), [3, 2, 1, 1, 1, 1, 1, 1, 1, 1]);
    }

    #[test]
    fn an_explosion_charges_nothing() {
        // The 1 and the 9 are beside the five too, and the 9 is not beside its complement, the 1.
        let exploding = player("9.........\n5.........\n61........", 0, 80);
        let step = play(exploding, player("", 0, 50), ["S", "0 0"]).steps[0];
        assert_eq!((step.explosion, step.chain), (Explosion(4), Chain(0)));
        assert_eq!((step.player.gauge.get(), step.sent()), (0, 15));
    }

    #[test]
    fn the_chain_after_an_explosion_charges() {
        // The five and the six explode; then 8 + 2 vanish, then 9 + 1.
        let exploding = player("..9.......\n5.8.......\n6.21......", 0, 99);
        let step = play(exploding, player("", 0, 50), ["S", "0 0"]).steps[0];
        assert_eq!((step.explosion, step.chain), (Explosion(2), Chain(2)));
        assert_eq!(step.player.gauge.get(), 8);
        assert_eq!(step.player.score, 28 + 2, "floor(25 x 2^(2/12)) and 1 + 1");
    }

    #[test]
    fn a_chain_of_three_drains_the_opponents_gauge() {
        // The pack's 1 meets the 9; the 2 falls on the 8, then the 3 on the 7.
        let chaining = player("3.........\n2.........\n9.........\n84........\n74........", 0, 96);
        let turn = play(chaining, player("", 0, 30), ["1 0", "0 0"]);
        assert_eq!(turn.steps[0].chain, Chain(3));
        assert_eq!(turn.after[Seat::Second].gauge.get(), 30 - 18);
        assert_eq!(turn.after[Seat::First].gauge.get(), 100, "the maximum");
    }

    #[test]
    fn the_skill_needs_its_gauge() {
        let state = State { turn: 0, players: [player("", 0, 79), player("", 0, 80)] };
        let pack = Pack::new([1, 1, 1, 0]).unwrap();
        let refused = state.play(&pack, [Action::Skill; 2]).unwrap_err();
        assert_eq!(refused, [Some(SkillNotReady(Gauge::new(79).unwrap())), None]);
    }
}
