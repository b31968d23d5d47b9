//! Keeps a player's attacks and beam tree from one turn to the next.

use crate::board::Field;
use crate::game::{Chain, Dropped, OJAMA_ROW, Pack, Placement, Player};
use crate::search::Rain;
use crate::search::beam::{self, Attack, BeamResult, LONGEST_STEP, Tree};

/// The attacks that earlier turns found for a player and whose drops were played so far, and the
/// tree of the last beam. A later beam may miss these attacks, for example with less time.
pub struct Memory {
    /// The player's field in the previous turn, after its row fell, and that turn's pack.
    before: Option<(Field, Pack)>,
    attacks: Vec<Attack>,
    /// The tree that the last beam kept, rooted at the field before the drop.
    tree: Tree,
    /// The tree of a pondering beam, rooted at the field after the drop.
    foreseen: Option<(Placement, Tree)>,
}

/// The soonest attack that a [`Memory`] knows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Soonest {
    /// No turn is remembered.
    Unknown,
    /// A turn is remembered, but no attack of it is long enough.
    NoAttack,
    /// The turns from the coming one to the attack; 0 if the attack is possible in the coming turn.
    InTurns(usize),
}

impl Memory {
    /// Creates an empty memory.
    pub fn new() -> Self {
        Self { before: None, attacks: Vec::new(), tree: Tree::default(), foreseen: None }
    }

    /// Takes the known tree rooted at the field of `player`: the subtree of the played drop or the
    /// pondered tree, the larger one. Returns an empty tree if a row falls now.
    pub fn tree(&mut self, player: &Player<Field>) -> Tree {
        let (foreseen, tree) = (self.foreseen.take(), self.take_tree());
        if player.stock >= OJAMA_ROW {
            return Tree::default();
        }
        let played = self.played(player);
        let behind = tree.after(|drop| played.contains(&drop));
        match foreseen {
            // A beam that was stopped early kept few fields.
            Some((first, tree)) if played.contains(&first) && tree.fields() > behind.fields() => {
                tree
            }
            _ => behind,
        }
    }

    /// Returns the drops of the previous turn that lead to the field of `player`: the played drop
    /// and its equivalents. Empty if no turn is remembered or no drop leads to the field.
    fn played(&self, player: &Player<Field>) -> Vec<Placement> {
        let Some((field, pack)) = &self.before else { return Vec::new() };
        let leads_there = |&drop: &Placement| field.drop_pack(pack, drop).field == player.field;
        Placement::all().filter(leads_there).collect()
    }

    /// Returns the tree after the drop `first`.
    pub fn tree_after(&self, first: Placement) -> Tree {
        self.tree.after(|drop| drop == first)
    }

    /// Adds the remembered attacks to `result`, the search result for the coming turn, and stores
    /// the merged attacks and `tree`. Among equal attacks, the path `followed` is kept.
    pub fn renew(
        &mut self,
        player: &Player<Field>,
        packs: &[Pack],
        followed: &[Placement],
        result: &mut BeamResult,
        tree: Tree,
    ) {
        for attack in self.recall(player, packs) {
            if attack.path == followed {
                result.prefer(attack);
            } else {
                result.take(attack);
            }
        }
        self.before = packs.first().map(|pack| (player.rained(), *pack));
        self.attacks = result.attacks.iter().flatten().cloned().collect();
        (self.tree, self.foreseen) = (tree, None);
    }

    /// Adds the attacks and the tree found for the field after `first`, the drop of this turn.
    pub fn foresee(&mut self, first: Placement, result: BeamResult, tree: Tree) {
        self.foreseen = Some((first, tree));
        let attacks = result.attacks.into_iter().flatten().map(|mut attack| {
            attack.path.insert(0, first);
            attack
        });
        self.attacks.extend(attacks);
    }

    /// Returns the soonest attack of at least `shortest` known in the previous turn, independent of
    /// the drop that was played in that turn.
    pub fn soonest(&self, shortest: Chain) -> Soonest {
        if self.before.is_none() {
            return Soonest::Unknown;
        }
        let attacks = self.attacks.iter().filter(|attack| attack.chain >= shortest);
        let turns = attacks.map(|attack| attack.ply().saturating_sub(1)).min();
        turns.map_or(Soonest::NoAttack, Soonest::InTurns)
    }

    /// Takes the tree of the last beam, rooted at the field before the drop.
    pub fn take_tree(&mut self) -> Tree {
        std::mem::take(&mut self.tree)
    }

    /// Adds the attacks and the tree of a further search of the remembered turn.
    pub fn add(&mut self, result: BeamResult, tree: Tree) {
        self.attacks.extend(result.attacks.into_iter().flatten());
        self.tree = tree;
    }

    /// Returns the known attacks, as of the last `renew`, `foresee` or `add`.
    pub fn attacks(&self) -> &[Attack] {
        &self.attacks
    }

    /// Whether the drops of `path` lead to a known attack from the field of `player`, under the
    /// rows that fall by now. `packs` begin with that of the coming turn.
    pub fn still_leads(&self, player: &Player<Field>, packs: &[Pack], path: &[Placement]) -> bool {
        self.recall(player, packs).iter().any(|attack| attack.path == path)
    }

    /// Returns the attacks that begin with the played drop or an equivalent, without that drop.
    fn recall(&self, player: &Player<Field>, packs: &[Pack]) -> Vec<Attack> {
        let played = self.played(player);
        let rain = Rain::of_stock(player.stock);
        let left = self.attacks.iter().filter_map(|attack| {
            let (first, rest) = attack.path.split_first()?;
            if played.contains(first) { seen_again(rest, player.field, packs, rain) } else { None }
        });
        left.collect()
    }
}

/// Replays `path` from `field` and returns its attack. Rows that were not foreseen may have made
/// the attack shorter or ruined it. Returns `None` if the last drop sets off no chain, an
/// earlier drop sets off a chain longer than [`LONGEST_STEP`], the game ends, or `path` is longer
/// than `packs`.
pub fn seen_again(path: &[Placement], field: Field, packs: &[Pack], rain: Rain) -> Option<Attack> {
    let mut last = None;
    for dropped in beam::walk(field, packs, path, rain) {
        if last.is_some_and(|last: Dropped<Field>| last.chain > LONGEST_STEP)
            || dropped.field.is_over()
        {
            return None;
        }
        last = Some(dropped);
    }
    let Dropped { field, chain } = last.filter(|_| path.len() <= packs.len())?;
    let attack = || Attack { path: path.to_vec(), chain, blocks_left: field.blocks() };
    (chain > Chain(0)).then(attack)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Action;

    const PAIR: &str = "95........";

    fn packs() -> Vec<Pack> {
        [[3, 3, 0, 3], [1, 4, 0, 4]].map(|cells| Pack::new(cells).unwrap()).to_vec()
    }

    fn player(drawing: &str, stock: u64) -> Player<Field> {
        Player { field: drawing.parse().unwrap(), stock, ..Player::new() }
    }

    /// Drops threes on the right, then a one next to the nine.
    fn attack() -> Attack {
        let path = ["8 0", "1 0"].map(|answer| match answer.parse().unwrap() {
            Action::Drop(placement) => placement,
            Action::Skill => unreachable!(),
        });
        Attack { path: path.to_vec(), chain: Chain(1), blocks_left: 6 }
    }

    #[test]
    fn an_attack_is_kept_while_its_drops_are_played() {
        let mut memory = Memory::new();
        let before = player(PAIR, 0);
        assert!(memory.recall(&before, &packs()).is_empty());
        let mut result =
            BeamResult { attacks: vec![None, Some(attack())], ..BeamResult::default() };
        memory.renew(&before, &packs(), &[], &mut result, Tree::default());
        assert_eq!(memory.soonest(Chain(1)), Soonest::InTurns(0), "in the coming turn");
        assert_eq!(memory.soonest(Chain(2)), Soonest::NoAttack);
        assert_eq!(Memory::new().soonest(Chain(1)), Soonest::Unknown);
        let after = |placement| Player {
            field: before.field.drop_pack(&packs()[0], placement).field,
            ..before
        };
        let played = after(attack().path[0]);
        let left = memory.recall(&played, &packs()[1..]);
        assert_eq!(left, [Attack { path: attack().path[1..].to_vec(), ..attack() }]);
        let path = attack().path;
        assert!(memory.still_leads(&played, &packs()[1..], &path[1..]));
        assert!(!memory.still_leads(&played, &packs()[1..], &path), "one drop has been played");
        let otherwise = after(attack().path[1]);
        assert!(memory.recall(&otherwise, &packs()[1..]).is_empty());
        assert!(!memory.still_leads(&otherwise, &packs()[1..], &path[1..]));
        let mut memory = Memory::new();
        memory.renew(&before, &packs(), &[], &mut BeamResult::default(), Tree::default());
        let seen = Attack { path: attack().path[1..].to_vec(), ..attack() };
        let result = BeamResult { attacks: vec![Some(seen.clone())], ..BeamResult::default() };
        memory.foresee(attack().path[0], result, Tree::default());
        assert_eq!(memory.recall(&played, &packs()[1..]), [seen], "found by pondering");
        assert!(memory.recall(&otherwise, &packs()[1..]).is_empty());
        let buried = Player { stock: 10, ..played };
        assert!(memory.recall(&buried, &packs()[1..]).is_empty(), "a row separates the blocks");
    }
}
