//! The attacks that a beam search finds.

use crate::game::{Chain, Placement, Stock};

/// The longest chain after which the search continues: under rain, such a chain may be the only way
/// to survive until a later attack.
pub const LONGEST_STEP: Chain = Chain(6);

/// A chain that can be set off.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Attack {
    /// One drop a turn; the last one sets off the chain.
    pub path: Vec<Placement>,
    /// The number of rounds.
    pub chain: Chain,
    /// Number blocks on the field after the chain.
    pub blocks_left: u32,
}

/// The result of a beam search.
#[derive(Clone, Debug, Default)]
pub struct BeamResult {
    /// The best attack of each turn, the coming turn first; `None` for a turn without an attack.
    pub attacks: Vec<Option<Attack>>,
    /// The first drop towards the best field of the deepest evaluated layer, and the potential of
    /// that field: the drop to play if no attack is good enough.
    pub building: Option<(Placement, Chain)>,
    /// The planned width of the last complete sweep; layers of the last sweep of a beam may be
    /// narrower, or up to twice as wide.
    pub width: usize,
    /// The number of plies that at least one field survives with chains of at most
    /// [`LONGEST_STEP`] rounds.
    pub reached: usize,
}

impl Attack {
    /// The ply at which the chain is set off; 0 is the coming turn.
    pub fn ply(&self) -> usize {
        self.path.len() - 1
    }

    /// An attack with arbitrary drops, for tests that do not read the drops.
    #[cfg(test)]
    pub fn some(chain: u8, ply: usize) -> Self {
        let path = Placement::all().take(ply + 1).collect();
        Self { path, chain: Chain(chain), blocks_left: 0 }
    }

    /// A greater rank is better: the longer chain, then more blocks left to build on.
    fn rank(&self) -> (Chain, u32) {
        (self.chain, self.blocks_left)
    }
}

impl BeamResult {
    /// Returns, for each turn, the most ojama that one attack sends up to that turn. The coming
    /// turn is first.
    pub fn most_sent(&self) -> Vec<Stock> {
        let mut most = 0;
        let sent = self.attacks.iter().map(|attack| {
            most = most.max(attack.as_ref().map_or(0, |attack| attack.chain.ojama()));
            most
        });
        sent.collect()
    }

    /// Stores `attack` if it ranks above the stored attack of its turn, or if there is none.
    pub fn take(&mut self, attack: Attack) {
        self.replace(attack, |attack, known| attack.rank() > known.rank());
    }

    /// Stores `attack` unless the stored attack of its turn has a longer chain.
    pub fn prefer(&mut self, attack: Attack) {
        self.replace(attack, |attack, known| attack.chain >= known.chain);
    }

    /// Stores `attack` if `is_better` than the stored attack of its turn, or if there is none.
    /// Ignores an attack beyond the depth of the search.
    fn replace(&mut self, attack: Attack, is_better: impl FnOnce(&Attack, &Attack) -> bool) {
        if let Some(known) = self.attacks.get_mut(attack.ply())
            && known.as_ref().is_none_or(|known| is_better(&attack, known))
        {
            *known = Some(attack);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn most_sent_is_the_most_of_one_attack_up_to_each_turn() {
        let attack = |chain| Some(Attack { path: Vec::new(), chain: Chain(chain), blocks_left: 0 });
        let sent = |attacks| BeamResult { attacks, ..BeamResult::default() }.most_sent();
        assert_eq!(sent(vec![None, attack(12)]), [0, 45]);
        assert_eq!(sent(vec![attack(12), attack(11), None]), [45; 3], "the first attack's ojama");
    }
}
