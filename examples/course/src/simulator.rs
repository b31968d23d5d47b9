//! The rules of CODE VS Reborn: a turn of one player, and a turn of both.

use crate::field::Field;

pub const WIDTH: usize = 10;
/// A player with a cell above row 16 at the end of a turn has lost.
pub const HEIGHT: usize = 16;
pub const TURNS: usize = 500;
/// Ojama in a row, one on each column.
pub const OJAMA_ROW: u64 = 10;
pub const GAUGE_FULL: u32 = 100;
/// The gauge that the skill needs.
pub const GAUGE_SKILL: u32 = 80;
/// The gauge that a turn with a chain adds.
pub const GAUGE_CHARGE: u32 = 8;

/// Upper left, upper right, lower left, lower right; 0 is empty.
pub type Pack = [u8; 4];

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Action {
    /// Drops the pack: the column of its left cells (0 to 8), the quarter turns clockwise (0 to 3).
    Drop { position: usize, rotation: usize },
    /// Uses the skill; the turn's pack is discarded.
    Skill,
}

/// The skill was used with a gauge below 80.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SkillNotReady;

/// A player at the end of a turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Player {
    pub field: Field,
    /// Ojama that wait to fall.
    pub stock: u64,
    pub gauge: u32,
    pub score: u64,
}

/// A player's half of a turn, before the opponent's half acts on it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Step {
    pub player: Player,
    /// Rounds in which blocks vanished.
    pub chain: u32,
    /// Blocks that the skill blew up.
    pub exploded: u32,
}

/// The result of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    Win(usize),
    Draw,
}

/// The sum of floor(1.3^i) for i from 1 to `chain`.
pub fn chain_score(chain: u32) -> u64 {
    (1..=chain).map(|i| 1.3_f64.powi(i as i32) as u64).sum()
}

pub fn explosion_score(blocks: u32) -> u64 {
    u64::from(blocks > 0) * (25.0 * 2_f64.powf(f64::from(blocks) / 12.0)) as u64
}

impl Action {
    /// All 36 drops: from the left, each with its four rotations.
    pub fn drops() -> impl Iterator<Item = Self> {
        (0..4 * (WIDTH - 1)).map(|i| Self::Drop { position: i / 4, rotation: i % 4 })
    }
}

impl Step {
    /// Ojama sent to the opponent. The chain and the explosion are halved separately.
    pub fn sent(&self) -> u64 {
        chain_score(self.chain) / 2 + explosion_score(self.exploded) / 2
    }
}

impl Player {
    pub fn can_use_skill(&self) -> bool {
        self.gauge >= GAUGE_SKILL
    }

    /// Whether a cell is above row 16: at the end of a turn, the player has lost.
    pub fn is_over(&self) -> bool {
        self.field.tallest() > HEIGHT
    }

    /// The legal actions: all drops, and the skill if the gauge allows it.
    pub fn actions(&self) -> impl Iterator<Item = Action> {
        Action::drops().chain(self.can_use_skill().then_some(Action::Skill))
    }

    /// Plays this player's half of a turn.
    pub fn play_half(&self, pack: Pack, action: Action) -> Result<Step, SkillNotReady> {
        let mut player = *self;
        let mut exploded = 0;
        let changed;
        if player.stock >= OJAMA_ROW {
            player.stock -= OJAMA_ROW; // exactly one row a turn, the rest waits
            player.field.drop_ojama_row();
        }
        match action {
            Action::Drop { position, rotation } => {
                changed = player.field.drop_pack(pack, position, rotation);
            }
            Action::Skill if !self.can_use_skill() => return Err(SkillNotReady),
            Action::Skill => {
                player.gauge = 0;
                (exploded, changed) = player.field.explode();
            }
        }
        let (chain, _) = player.field.run_chain(changed);
        if chain > 0 {
            player.gauge = (player.gauge + GAUGE_CHARGE).min(GAUGE_FULL);
        }
        player.score += chain_score(chain) + explosion_score(exploded);
        Ok(Step { player, chain, exploded })
    }
}

/// Plays a turn of both players at once. Returns both halves, and both players afterwards.
pub fn play_turn(
    players: &[Player; 2],
    pack: Pack,
    actions: [Action; 2],
) -> Result<([Step; 2], [Player; 2]), SkillNotReady> {
    let steps = [players[0].play_half(pack, actions[0])?, players[1].play_half(pack, actions[1])?];
    let mut after = [0, 1].map(|seat: usize| {
        let (mut player, opponent) = (steps[seat].player, &steps[1 - seat]);
        let drain = if opponent.chain >= 3 { 12 + 2 * opponent.chain } else { 0 };
        player.gauge = player.gauge.saturating_sub(drain);
        player.stock += opponent.sent();
        player
    });
    let offset = after[0].stock.min(after[1].stock); // ojama on both sides cancel out
    after.iter_mut().for_each(|player| player.stock -= offset);
    Ok((steps, after))
}

/// The result of the game, if it has ended after `turns_played` turns.
pub fn verdict(turns_played: usize, players: &[Player; 2]) -> Option<Verdict> {
    let [first, second] = players;
    match (first.is_over(), second.is_over()) {
        (false, false) if turns_played < TURNS => None,
        (true, false) => Some(Verdict::Win(1)),
        (false, true) => Some(Verdict::Win(0)),
        _ if first.score == second.score => Some(Verdict::Draw),
        _ => Some(Verdict::Win(usize::from(first.score < second.score))),
    }
}
