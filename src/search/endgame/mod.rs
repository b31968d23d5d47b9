//! Searches for the end of a game.
//!
//! In a [`MateSearch`], one player, the victim, may play any action. The other player, the
//! attacker, plays a [`Script`]: fixed actions first, then drops by a fixed rule. All rows that
//! fall then follow from the victim's actions alone, so the search has one player:
//!
//! * [`survival`]: a beam search for the actions with which the victim survives, or survives
//!   longest;
//! * [`proof`]: an exhaustive search of the victim's actions, which proves its death;
//! * [`mate`](mod@mate): a search of several scripts for one that kills;
//! * [`adjudication`]: whether a game is decided.
//!
//! The damage of an attack that does not kill is the subject of [`exchange`](super::exchange).
//!
//! A proof is sound, because the attacker can always play its script. The absence of a proof
//! says little: another script may win, or an attacker that reacts to the victim.

pub mod adjudication;
pub mod mate;
pub mod proof;
mod script;
pub mod survival;

pub use self::mate::{Mate, mate};
use self::script::Played;
pub use self::script::{Script, lowest};
pub use self::survival::SurvivalResult;
use super::child::Child;
use super::transposition::fnv_1;
use super::{Budget, Rain};
use crate::board::{ChildBuffer, Field};
use crate::game::{Action, DropColumns, Gauge, OJAMA_ROW, Pack, Placement, Player};

/// The greatest number of plies of a search: more than the rows of a field.
pub const HORIZON: usize = 18;

/// A victim, its packs, and the script of the attacker.
pub struct MateSearch<'a> {
    packs: &'a [Pack],
    script: Script,
    root: EndgameNode,
    buffer: ChildBuffer,
}

/// The game at the start of a ply, after the victim's actions so far.
#[derive(Clone, Copy, Debug)]
pub struct EndgameNode {
    field: Field,
    gauge: Gauge,
    score: u64,
    /// The victim's stock minus the attacker's: one of them is 0.
    net: i64,
    /// The plies at which a row has fallen on the attacker.
    rain: Rain,
}

/// The state of the victim after a ply.
#[derive(Clone, Copy, Debug)]
enum After {
    /// Both players are alive, and the search continues.
    Goes(EndgameNode),
    /// The victim has won or drawn, or is alive when no more rows fall or when the packs end.
    Escaped,
    /// The victim has lost.
    Died,
}

impl EndgameNode {
    /// Lets the row that is due at `ply` fall. Returns whether it fell on the victim.
    fn let_rain(&mut self, ply: usize) -> bool {
        self.rain.fall(&mut self.field, &mut self.net, ply)
    }

    /// Returns the hash key of the node at `ply`.
    fn key(&self, ply: usize) -> u64 {
        let small = (ply as u64) << 56
            | u64::from(self.gauge.get()) << 48
            | (self.score & 0xffff) << 32
            | self.rain.bits() & 0xffff_ffff;
        fnv_1([self.field.hash(), small, self.net as u64])
    }

    /// Returns the danger of the field and the stock, in twentieths of a row of the tallest
    /// column; less is better. A row, fallen or waiting, adds one row to the tallest column and ten
    /// cells to the field.
    fn danger(&self) -> i64 {
        /// The value of a row of the tallest column, in cells.
        const TALLEST: i64 = 20;
        /// The least `net` that counts. Ojama beyond the victim's own stock still count, because
        /// they end the search soon.
        const BEYOND: i64 = -100;
        let heights = self.field.heights().map(i64::from);
        let tallest = heights.iter().max().copied().unwrap_or(0);
        let waiting = self.net.max(BEYOND) * (TALLEST + OJAMA_ROW as i64) / OJAMA_ROW as i64;
        TALLEST * tallest + heights.iter().sum::<i64>() + waiting
    }

    /// Returns the state after the victim's action `child` and the attacker's turn `played`. A
    /// victim that is alive then has escaped if the search `is_over` with this ply.
    fn after(&self, child: &Child, played: &Played, is_over: bool) -> After {
        let score = self.score + child.score();
        match (child.field.is_over(), played.is_over) {
            (true, false) => return After::Died,
            (false, true) => return After::Escaped,
            (true, true) if score < played.score => return After::Died,
            (true, true) => return After::Escaped,
            (false, false) if is_over => return After::Escaped,
            (false, false) => {}
        }
        After::Goes(Self {
            field: child.field,
            gauge: child.gauge_after(self.gauge).drained(played.chain),
            score,
            net: self.net + played.sent as i64 - child.sent() as i64,
            rain: self.rain,
        })
    }
}

impl<'a> MateSearch<'a> {
    /// A search of the actions of `victim` against an `attacker` that plays `path`, from the turn
    /// of the first of `packs` on. One of the two stocks is 0, as always between turns.
    pub fn new(
        attacker: &Player<Field>,
        victim: &Player<Field>,
        packs: &'a [Pack],
        path: Vec<Action>,
    ) -> Self {
        let packs = &packs[..packs.len().min(HORIZON)];
        let root = EndgameNode {
            field: victim.field,
            gauge: victim.gauge,
            score: victim.score,
            net: victim.stock as i64 - attacker.stock as i64,
            rain: Rain::NONE,
        };
        Self { packs, script: Script::new(*attacker, path), root, buffer: ChildBuffer::new() }
    }

    /// Whether the rows of the script bring a victim that offsets nothing near the danger line: a
    /// cheap test before any search.
    pub fn is_dangerous(&mut self) -> bool {
        /// The rows of a pack.
        const PACK: i64 = 2;
        let EndgameNode { mut net, mut rain, .. } = self.root;
        let mut rows = 0;
        for ply in 0..self.script.given().min(self.packs.len()) {
            rows += i64::from(rain.take(&mut net, ply));
            let played = self.script.at(ply, rain, self.packs);
            if played.is_over {
                break;
            }
            net += played.sent as i64;
        }
        rows += net.max(0) / OJAMA_ROW as i64;
        let tallest = i64::from(self.root.field.tallest());
        rows > 0 && tallest + rows + PACK > crate::game::HEIGHT as i64
    }

    /// Returns the victim's actions at `node`, whose row has fallen, each with the state after it;
    /// `None` if `budget` is spent. `goes_on` says whether the search goes on with a victim that is
    /// alive after the attacker's path: the row fell on the victim, or the victim's own path is not
    /// over.
    fn outcomes(
        &mut self,
        node: &EndgameNode,
        goes_on: bool,
        ply: usize,
        budget: &Budget,
    ) -> Option<impl Iterator<Item = (Action, After)>> {
        if !budget.spend(Placement::COUNT as u64) {
            return None;
        }
        // The attacker's turn is the same for all actions.
        let played = self.script.at(ply, node.rain, self.packs);
        let has_attacked = ply >= self.script.given();
        let is_over = has_attacked && !goes_on || ply + 1 == self.packs.len();
        node.field.children(&self.packs[ply], DropColumns::ALL, &mut self.buffer);
        let children = Child::all(&node.field, node.gauge, &self.buffer);
        Some(children.map(move |child| (child.action, node.after(&child, &played, is_over))))
    }
}

#[cfg(test)]
mod tests;
