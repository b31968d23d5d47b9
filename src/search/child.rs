//! The children of a node: a player's actions, with their results.

use crate::board::{ChildBuffer, Field};
use crate::game::{Action, Chain, Dropped, Explosion, Gauge, Placement, Stock};

/// An action of one player, with its result.
#[derive(Clone, Copy, Debug)]
pub struct Child {
    /// The action.
    pub action: Action,
    /// The field when the chain is over.
    pub field: Field,
    /// The chain that the action sets off.
    pub chain: Chain,
    /// The blocks that the skill blows up; none for a drop.
    explosion: Explosion,
}

impl Child {
    /// The child after the drop at `placement`, whose result is `dropped`.
    #[inline]
    pub fn of_drop(placement: Placement, dropped: Dropped<Field>) -> Self {
        let Dropped { field, chain } = dropped;
        Self { action: Action::Drop(placement), field, chain, explosion: Explosion::default() }
    }

    /// The child after the skill on `field`.
    pub fn of_skill(field: &Field) -> Self {
        let exploded = field.explode();
        Self {
            action: Action::Skill,
            field: exploded.field,
            chain: exploded.chain,
            explosion: exploded.explosion,
        }
    }

    /// Returns the children of a node with `field`, on which the row of the ply has fallen, and
    /// `gauge`: all drops, then the skill if the gauge allows it. `buffer` holds the drops
    /// ([`Field::children`] at all columns).
    #[inline]
    pub fn all(field: &Field, gauge: Gauge, buffer: &ChildBuffer) -> impl Iterator<Item = Self> {
        let drops = Placement::all();
        let drops = drops.map(|placement| Self::of_drop(placement, buffer.child(placement)));
        let skill = gauge.allows_skill().then_some(field).into_iter();
        drops.chain(skill.map(Self::of_skill))
    }

    /// The ojama that the action sends.
    #[inline]
    pub const fn sent(&self) -> Stock {
        self.explosion.ojama() + self.chain.ojama()
    }

    /// The score of the action.
    pub const fn score(&self) -> u64 {
        self.explosion.score() + self.chain.score()
    }

    /// Returns the player's gauge after the action, from the gauge `before` it. The opponent's
    /// chain has not drained the gauge yet.
    #[inline]
    pub fn gauge_after(&self, before: Gauge) -> Gauge {
        let left = match self.action {
            Action::Drop(_) => before,
            Action::Skill => Gauge::default(),
        };
        left.charged(self.chain)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{DropColumns, Pack, Player};

    /// The 5 explodes with both 3; the 9 falls on the 1.
    const FIELD: &str = "9.........\n53........\n13........\n";

    #[test]
    fn children_are_the_actions_of_the_rules() {
        let pack = Pack::new([1, 9, 2, 5]).unwrap();
        let mut buffer = ChildBuffer::new();
        for (gauge, count) in [(79, Placement::COUNT), (80, Placement::COUNT + 1)] {
            let gauge = Gauge::new(gauge).unwrap();
            let field: Field = FIELD.parse().unwrap();
            let player = Player { field, gauge, ..Player::default() };
            field.children(&pack, DropColumns::ALL, &mut buffer);
            let children: Vec<Child> = Child::all(&field, gauge, &buffer).collect();
            assert_eq!(children.len(), count);
            for child in children {
                let step = player.step(&pack, child.action).unwrap();
                assert_eq!(
                    (child.field, child.chain, child.sent(), child.score()),
                    (step.player.field, step.chain, step.sent(), step.player.score),
                );
                assert_eq!(child.gauge_after(gauge), step.player.gauge);
            }
        }
    }
}
