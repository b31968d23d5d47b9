//! The fields that a beam has kept, for the search of the next turn.
//!
//! A turn later they are still worth something as far as what was played led to them: the first
//! turns of a game have several times the time of those after them. So the tree is given a new
//! root: the fields behind the drop that was played move up by a layer, and compete with those that
//! the next search finds. The chains that are known at turn 8, with the time of turns 0 to 8 divided
//! as in a game, are longer by 0.1 on average and by 0.25 for turn 20; at turn 12 it makes no
//! difference (B-08).
//!
//! Only what is dry is kept: where rows fall, fields are no longer what they were.

use super::layer::{Candidate, Layer, Trail};
use crate::board::Field;
use crate::game::Placement;

/// Fields that are kept of a layer, the best ones: a tree of them takes 45 MB.
const MOST: usize = 1 << 14;

/// The fields that a search has kept, by the drops that lead to them.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    /// Fields after one drop, after two, and so on.
    layers: Vec<Known>,
}

/// Some fields after as many drops, best first.
#[derive(Clone, Debug)]
pub struct Known {
    fields: Vec<Field>,
    candidates: Vec<Candidate>,
    /// The drops that lead to each, one path after the other.
    drops: Vec<Placement>,
    /// How many to each.
    plies: usize,
}

impl Tree {
    /// What is known of the layer after a ply, if anything.
    pub(super) fn layer(&self, ply: usize) -> Option<&Known> {
        self.layers.get(ply)
    }

    /// Adds the next layer of a sweep.
    pub(super) fn push(&mut self, kept: &[Candidate], layer: &Layer, trail: &Trail<'_>) {
        let most = kept.len().min(MOST);
        let plies = self.layers.len() + 1;
        self.layers.push(Known {
            fields: layer.fields()[..most].to_vec(),
            candidates: kept[..most].to_vec(),
            drops: (0..most as u32).flat_map(|place| trail.path_to(place)).collect(),
            plies,
        });
    }

    /// What is left of the tree when one of some drops has been played, as seen from there.
    #[must_use]
    pub fn after(&self, is_played: impl Fn(Placement) -> bool) -> Self {
        let behind = |known: &Known| {
            let plies = known.plies;
            let mut left =
                Known { fields: vec![], candidates: vec![], drops: vec![], plies: plies - 1 };
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

    /// The fields that are known, over all layers.
    pub fn fields(&self) -> usize {
        self.layers.iter().map(|known| known.fields.len()).sum()
    }
}

impl Known {
    /// The best of them, so many at most, as candidates.
    pub(super) fn candidates(&self, most: usize) -> impl Iterator<Item = Candidate> {
        let known = self.candidates.iter().take(most).zip(0..);
        known.map(|(&candidate, place)| candidate.known(place))
    }

    /// One of the fields.
    pub(super) fn field(&self, place: u32) -> Field {
        self.fields[place as usize]
    }

    /// The drops that lead to one of them.
    pub(super) fn path(&self, place: u32) -> &[Placement] {
        &self.drops[place as usize * self.plies..][..self.plies]
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Answer, Question, search, search_on, walk};
    use super::*;
    use crate::game::{Cells, DropColumns, Packs};
    use crate::search::{Budget, Rain};

    type Packed = Field;

    fn question(packs: &Packs, turn: usize, field: Packed) -> Question<'_> {
        let (rain, positions) = (Rain::NONE, DropColumns::without_sides(2));
        Question { field, packs: packs.from_turn(turn), rain, depth: 8, positions }
    }

    fn empty() -> Packed {
        Packed::from_cells(&Cells::EMPTY)
    }

    #[test]
    fn its_paths_lead_to_its_fields() {
        let packs = Packs::from_seed(11);
        let asked = question(&packs, 0, empty());
        let (answer, tree) = search_on(&asked, &Tree::default(), &Budget::new(200_000, None));
        assert_eq!(tree.layers.len(), 7, "after the last drop nothing is kept");
        assert!(tree.fields() > answer.width, "{}", tree.fields());
        let first = answer.building.unwrap().0;
        let field = empty().drop_pack(&asked.packs[0], first).field;
        let left = tree.after(|drop| drop == first);
        assert!(left.layers.len() == 6 && left.fields() > 0 && left.fields() < tree.fields());
        for (ply, known) in left.layers.iter().enumerate() {
            for place in 0..known.fields.len() as u32 {
                let path = known.path(place);
                assert_eq!(path.len(), ply + 1);
                let last = walk(field, packs.from_turn(1), path, Rain::NONE).last().unwrap();
                assert_eq!(last.field, known.field(place));
            }
        }
        assert_eq!(tree.after(|_| false).fields(), 0);
    }

    #[test]
    fn a_narrow_search_goes_on_where_a_wide_one_was() {
        let packs = Packs::from_seed(12);
        let asked = question(&packs, 0, empty());
        let (wide, tree) = search_on(&asked, &Tree::default(), &Budget::new(3_000_000, None));
        let best = wide.attacks.iter().flatten().max_by_key(|attack| attack.chain).unwrap();
        let first = best.path[0];
        let field = empty().drop_pack(&asked.packs[0], first).field;
        let asked = question(&packs, 1, field);
        let budget = || Budget::new(20_000, None);
        let chains = |answer: &Answer| {
            answer.attacks.iter().flatten().map(|attack| u32::from(attack.chain.0)).sum::<u32>()
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
        let wet = Question { rain: Rain::rows(1, 3), ..asked };
        let (answer, left) = search_on(&wet, &known, &budget());
        assert_eq!((answer.attacks, left.fields()), (search(&wet, &budget()).attacks, 0));
    }
}
