//! A player, and its half of a turn.

use thiserror::Error;

use super::{Action, Chain, Explosion, Gauge, OJAMA_ROW, Pack, Simulate, Stock};

/// The state of a player at the end of a turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Player<F> {
    /// The field.
    pub field: F,
    /// Ojama that wait to fall on the player.
    pub stock: Stock,
    /// The skill gauge.
    pub gauge: Gauge,
    /// The score.
    pub score: u64,
}

/// The skill was chosen with a gauge below [`Gauge::SKILL`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("the skill needs a gauge of {}, found {}", Gauge::SKILL, .0.get())]
pub struct SkillNotReady(pub Gauge);

/// The result of a player's half of a turn, before it is combined with the opponent's half.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Step<F> {
    /// The player afterwards. The row that fell is taken from its stock, the opponent's ojama are
    /// not yet added. Its gauge is charged or spent, but not yet drained.
    pub player: Player<F>,
    /// The rounds in which blocks vanished.
    pub chain: Chain,
    /// The blocks that the skill blew up.
    pub explosion: Explosion,
}

impl<F: Simulate> Player<F> {
    /// A player at the start of a game.
    pub fn new() -> Self {
        Self {
            field: F::from_cells(&super::Cells::EMPTY),
            stock: 0,
            gauge: Gauge::default(),
            score: 0,
        }
    }

    /// The player with its field in another encoding.
    pub fn convert<G: Simulate>(&self) -> Player<G> {
        Player {
            field: G::from_cells(&self.field.to_cells()),
            stock: self.stock,
            gauge: self.gauge,
            score: self.score,
        }
    }

    /// The field in the coming turn, after its row of ojama if one is due.
    pub fn rained(&self) -> F {
        let mut player = *self;
        player.take_row();
        player.field
    }

    /// Lets the row of the coming turn fall, if the stock has one.
    pub fn take_row(&mut self) {
        if self.stock >= OJAMA_ROW {
            self.stock -= OJAMA_ROW;
            self.field.rain();
        }
    }

    /// Plays the player's half of a turn: ojama fall, the action and its chain are simulated, gauge
    /// and score are updated.
    ///
    /// # Errors
    /// The skill is used with too low a gauge, which is an invalid answer.
    pub fn step(&self, pack: &Pack, action: Action) -> Result<Step<F>, SkillNotReady> {
        let mut player = *self;
        player.take_row();
        let (chain, explosion) = match action {
            Action::Drop(placement) => {
                let dropped = player.field.drop_pack(pack, placement);
                player.field = dropped.field;
                (dropped.chain, Explosion::default())
            }
            Action::Skill if !self.gauge.allows_skill() => return Err(SkillNotReady(self.gauge)),
            Action::Skill => {
                let exploded = player.field.explode();
                player.field = exploded.field;
                player.gauge = Gauge::default();
                (exploded.chain, exploded.explosion)
            }
        };
        player.gauge = player.gauge.charged(chain);
        player.score += chain.score() + explosion.score();
        Ok(Step { player, chain, explosion })
    }
}

impl<F: Simulate> Default for Player<F> {
    fn default() -> Self {
        Self::new()
    }
}

impl<F> Step<F> {
    /// The ojama sent to the opponent, before the offset.
    pub const fn sent(&self) -> Stock {
        self.chain.ojama() + self.explosion.ojama()
    }
}
