//! What can be known of a game's end.
//!
//! In a [`MateSearch`] one player, the victim, does whatever it can, while the other, the attacker, keeps
//! to a [`Line`]: fixed actions first, then drops by a fixed rule. What falls on whom then follows
//! from the victim's actions alone, stock by stock, and the victim's life is a search of one player:
//!
//! * [`survival`]: a beam that looks for a way to live, or to live long;
//! * [`proof`]: all that the victim can do, so that its death is certain;
//! * [`mate`](mod@mate): which of some lines, if any, kills.
//!
//! What an attack that does not kill leaves of the chain that the victim is building is a matter of
//! [`exchange`](super::exchange).
//!
//! A proof is sound, as the attacker need only go on as its line says. That nothing is proven says
//! little: another line might win, or an attacker that answers what the victim does.

pub mod mate;
pub mod proof;
mod script;
pub mod survival;

pub use self::mate::{Mate, mate};
pub use self::script::{Line, lowest};
pub use self::survival::SurvivalResult;
use super::{Budget, Rain, transposition};
use crate::board::{ChildBuffer, Field};
use crate::game::{Action, Chain, DropColumns, Gauge, OJAMA_ROW, Pack, Placement, Player, Stock};

/// The most plies that are looked ahead: more rows than a field holds.
pub const HORIZON: usize = 18;

/// A victim, what it may do, and the line of the other player.
pub struct MateSearch<'a> {
    packs: &'a [Pack],
    line: Line,
    root: Node,
    room: ChildBuffer,
}

/// The game at the start of a ply, as the victim's actions have made it.
#[derive(Clone, Copy, Debug)]
pub struct Node {
    field: Field,
    gauge: Gauge,
    score: u64,
    /// The victim's stock minus the attacker's: one of them is 0.
    net: i64,
    /// The plies at which a row has fallen on the attacker.
    rain: Rain,
}

/// An action of the victim's, and what it does to its own field.
#[derive(Clone, Copy, Debug)]
struct Child {
    action: Action,
    field: Field,
    chain: Chain,
    sent: Stock,
    /// What it scores.
    score: u64,
}

/// What a ply has come to for the victim.
#[derive(Clone, Copy, Debug)]
enum After {
    /// Both live, and more is to come.
    Goes(Node),
    /// The victim has won or drawn, or lives where nothing falls any more, or where nobody looks.
    Escaped,
    /// The victim has lost.
    Died,
}

impl Node {
    /// Lets the row of a ply fall, on whom it is due. Whether it fell on the victim.
    fn let_rain(&mut self, ply: usize) -> bool {
        self.rain.fall(&mut self.field, &mut self.net, ply)
    }

    /// Tells nodes apart.
    fn key(&self, ply: usize) -> u64 {
        let small = (ply as u64) << 56
            | u64::from(self.gauge.get()) << 48
            | (self.score & 0xffff) << 32
            | self.rain.bits() & 0xffff_ffff;
        transposition::key(self.field.hash(), small, self.net)
    }

    /// What stands on the field and waits to fall, in twentieths of a row of height: less is
    /// better. A row raises the tallest column by one and the field by ten cells, fallen or not.
    fn danger(&self) -> i64 {
        /// A row of height of the tallest column, in cells.
        const TALLEST: i64 = 20;
        /// Ojama beyond the offset that still count: they end the siege soon.
        const BEYOND: i64 = -100;
        let heights = self.field.heights().map(i64::from);
        let tallest = heights.iter().max().copied().unwrap_or(0);
        let waiting = self.net.max(BEYOND) * (TALLEST + OJAMA_ROW as i64) / OJAMA_ROW as i64;
        TALLEST * tallest + heights.iter().sum::<i64>() + waiting
    }
}

impl<'a> MateSearch<'a> {
    /// The siege of a victim by an attacker that keeps to a path of actions, in the turn of the first
    /// of the packs. One of the two stocks is 0, as it is between turns.
    pub fn new(
        attacker: &Player<Field>,
        victim: &Player<Field>,
        packs: &'a [Pack],
        path: Vec<Action>,
    ) -> Self {
        let packs = &packs[..packs.len().min(HORIZON)];
        let root = Node {
            field: victim.field,
            gauge: victim.gauge,
            score: victim.score,
            net: victim.stock as i64 - attacker.stock as i64,
            rain: Rain::NONE,
        };
        Self { packs, line: Line::new(*attacker, path), root, room: ChildBuffer::new() }
    }

    /// Whether so much falls that a victim that does nothing about it comes near the danger line:
    /// a cheap test before any search.
    pub fn is_dangerous(&mut self) -> bool {
        /// Rows that a pack needs.
        const PACK: i64 = 2;
        let Node { mut net, mut rain, .. } = self.root;
        let mut rows = 0;
        for ply in 0..self.line.given().min(self.packs.len()) {
            rows += i64::from(rain.take(&mut net, ply));
            let played = self.line.at(ply, rain, self.packs);
            if played.is_over {
                break;
            }
            net += played.sent as i64;
        }
        rows += net.max(0) / OJAMA_ROW as i64;
        let tallest = i64::from(self.root.field.tallest());
        rows > 0 && tallest + rows + PACK > crate::game::HEIGHT as i64
    }

    /// All that the victim can do; `None` if the budget does not suffice.
    fn children(&mut self, node: &Node, ply: usize, budget: &Budget) -> Option<Vec<Child>> {
        node.field.children(&self.packs[ply], DropColumns::ALL, &mut self.room);
        if !budget.spend(Placement::COUNT as u64) {
            return None;
        }
        let drops = Placement::all().map(|placement| {
            let dropped = self.room.child(placement);
            let chain = dropped.chain;
            let (sent, score) = (chain.ojama(), chain.score());
            Child { action: Action::Drop(placement), field: dropped.field, chain, sent, score }
        });
        let skill = node.gauge.allows_skill().then(|| explode(node));
        Some(drops.chain(skill).collect())
    }

    /// What an action comes to, at a node whose row has fallen; `fell` says whether it fell on the
    /// victim.
    fn after(&mut self, node: &Node, fell: bool, child: &Child, ply: usize) -> After {
        let played = self.line.at(ply, node.rain, self.packs);
        let score = node.score + child.score;
        match (child.field.is_over(), played.is_over) {
            (true, false) => return After::Died,
            (false, true) => return After::Escaped,
            (true, true) if score < played.score => return After::Died,
            (true, true) => return After::Escaped,
            (false, false) => {}
        }
        let has_attacked = ply >= self.line.given();
        if has_attacked && !fell || ply + 1 == self.packs.len() {
            return After::Escaped;
        }
        let gauge = match child.action {
            Action::Drop(_) => node.gauge,
            Action::Skill => Gauge::default(),
        };
        After::Goes(Node {
            field: child.field,
            gauge: gauge.charged(child.chain).drained(played.chain),
            score,
            net: node.net + played.sent as i64 - child.sent as i64,
            rain: node.rain,
        })
    }
}

/// What the skill does.
fn explode(node: &Node) -> Child {
    let exploded = node.field.explode();
    Child {
        action: Action::Skill,
        field: exploded.field,
        chain: exploded.chain,
        sent: exploded.sent(),
        score: exploded.chain.score() + exploded.explosion.score(),
    }
}

#[cfg(test)]
mod tests;
