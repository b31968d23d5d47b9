//! The fields that a beam search has kept, for the search of the next turn.
//!
//! The fields behind the drop that was played are still useful a turn later, because the first
//! turns of a game have several times the time of later turns. The tree therefore gets a new root:
//! these fields move up by one layer and compete with the fields that the next search finds. The
//! chains known at turn 8 are longer with the tree; at turn 12 there is no difference (B-08).
//!
//! Only fields without rain are kept, because falling rows change all fields of the tree.

use super::candidate::Candidate;
use crate::board::Field;
use crate::game::Placement;

/// The number of fields kept of a layer, the best ones. A tree takes at most 45 MB.
const MOST: usize = 1 << 14;

/// The kept fields of a search, with the drops that lead to them.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    /// By index `i`: the fields after `i + 1` drops.
    layers: Vec<KnownLayer>,
}

/// Fields after the same number of drops, best first.
#[derive(Clone, Debug)]
pub struct KnownLayer {
    fields: Vec<Field>,
    candidates: Vec<Candidate>,
    /// The paths to the fields, one after the other.
    drops: Vec<Placement>,
    /// The number of drops of each path.
    plies: usize,
}

impl Tree {
    /// Returns the known fields after `ply`, if there are any.
    pub(super) fn layer(&self, ply: usize) -> Option<&KnownLayer> {
        self.layers.get(ply)
    }

    /// Adds the next layer of a sweep: the candidates `kept` with their `fields`, to which the
    /// drops of `path_to` lead.
    pub(super) fn push(
        &mut self,
        kept: &[Candidate],
        fields: &[Field],
        path_to: impl Fn(u32) -> Vec<Placement>,
    ) {
        let most = kept.len().min(MOST);
        let plies = self.layers.len() + 1;
        self.layers.push(KnownLayer {
            fields: fields[..most].to_vec(),
            candidates: kept[..most].to_vec(),
            drops: (0..most as u32).flat_map(path_to).collect(),
            plies,
        });
    }

    /// Returns the tree behind the first drops that satisfy `is_played`, with the field after that
    /// drop as its root.
    #[must_use]
    pub fn after(&self, is_played: impl Fn(Placement) -> bool) -> Self {
        let behind = |known: &KnownLayer| {
            let plies = known.plies;
            let mut left =
                KnownLayer { fields: vec![], candidates: vec![], drops: vec![], plies: plies - 1 };
            let paths = known.drops.chunks_exact(plies);
            for ((path, field), candidate) in paths.zip(&known.fields).zip(&known.candidates) {
                if is_played(path[0]) {
                    left.fields.push(*field);
                    left.candidates.push(*candidate);
                    left.drops.extend(&path[1..]);
                }
            }
            left
        };
        Self { layers: self.layers.iter().skip(1).map(behind).collect() }
    }

    /// The number of fields of all layers.
    pub fn fields(&self) -> usize {
        self.layers.iter().map(|known| known.fields.len()).sum()
    }
}

impl KnownLayer {
    /// Returns the at most `most` best fields as candidates.
    pub(super) fn candidates(&self, most: usize) -> impl Iterator<Item = Candidate> {
        let known = self.candidates.iter().take(most).zip(0..);
        known.map(|(&candidate, index)| candidate.known(index))
    }

    /// Returns the field of index `index`.
    pub(super) fn field(&self, index: u32) -> Field {
        self.fields[index as usize]
    }

    /// Returns the drops that lead to the field of index `index`.
    pub(super) fn path(&self, index: u32) -> &[Placement] {
        &self.drops[index as usize * self.plies..][..self.plies]
    }
}

#[cfg(test)]
mod tests {
    use super::super::{BeamRequest, BeamResult, search, search_on, walk};
    use super::*;
    use crate::game::{Cells, DropColumns, Packs};
    use crate::search::{Budget, Rain};

    fn request(packs: &Packs, turn: usize, field: Field) -> BeamRequest<'_> {
        let (rain, columns) = (Rain::NONE, DropColumns::without_sides(2));
        BeamRequest { field, packs: packs.from_turn(turn), rain, depth: 8, columns }
    }

    fn empty() -> Field {
        Field::from_cells(&Cells::EMPTY)
    }

    #[test]
    fn the_paths_of_a_tree_lead_to_its_fields() {
        let packs = Packs::from_seed(11);
        let asked = request(&packs, 0, empty());
        let (result, tree) = search_on(&asked, &Tree::default(), &Budget::new(200_000, None));
        assert_eq!(tree.layers.len(), 7, "after the last drop nothing is kept");
        assert!(tree.fields() > result.width, "{}", tree.fields());
        let first = result.building.unwrap().0;
        let field = empty().drop_pack(&asked.packs[0], first).field;
        let left = tree.after(|drop| drop == first);
        assert!(left.layers.len() == 6 && left.fields() > 0 && left.fields() < tree.fields());
        for (ply, known) in left.layers.iter().enumerate() {
            for index in 0..known.fields.len() as u32 {
                let path = known.path(index);
                assert_eq!(path.len(), ply + 1);
                let last = walk(field, packs.from_turn(1), path, Rain::NONE).last().unwrap();
                assert_eq!(last.field, known.field(index));
            }
        }
        assert_eq!(tree.after(|_| false).fields(), 0);
    }

    #[test]
    fn a_narrow_search_continues_from_the_tree_of_a_wide_one() {
        let packs = Packs::from_seed(12);
        let asked = request(&packs, 0, empty());
        let (wide, tree) = search_on(&asked, &Tree::default(), &Budget::new(3_000_000, None));
        let best = wide.attacks.iter().flatten().max_by_key(|attack| attack.chain).unwrap();
        let first = best.path[0];
        let field = empty().drop_pack(&asked.packs[0], first).field;
        let asked = request(&packs, 1, field);
        let budget = || Budget::new(20_000, None);
        let chains = |result: &BeamResult| {
            result.attacks.iter().flatten().map(|attack| u32::from(attack.chain.0)).sum::<u32>()
        };
        let alone = search(&asked, &budget());
        let known = tree.after(|drop| drop == first);
        let (on, left) = search_on(&asked, &known, &budget());
        assert!(chains(&on) > chains(&alone), "{on:?} {alone:?}");
        for attack in on.attacks.iter().flatten() {
            let walked = walk(field, asked.packs, &attack.path, Rain::NONE).last().unwrap();
            assert_eq!(walked.chain, attack.chain);
        }
        assert!(left.fields() > 0);
        let wet = BeamRequest { rain: Rain::rows(1, 3), ..asked };
        let (result, left) = search_on(&wet, &known, &budget());
        assert_eq!((result.attacks, left.fields()), (search(&wet, &budget()).attacks, 0));
    }
}
