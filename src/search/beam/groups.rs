//! The candidates of a layer, in parts that threads have found, divided into groups.

use std::cmp::Reverse;

use super::candidate::{Candidate, Group, Rank};

/// The potential by which candidates are grouped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GroupBy {
    /// The potential after the next row.
    Potential,
    /// The potential after all due rows.
    PotentialAfterRain,
}

/// The order of groups.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GroupOrder {
    /// Fewer missing rows first, of equal ones the longer chain.
    LowestFirst,
    /// The longer chain first, of equal ones fewer missing rows.
    LongestFirst,
}

/// The candidates of a layer, in the order of their fields.
pub struct Candidates(Vec<CandidatePart>);

/// Some candidates of a layer, and their groups. A thread divides the candidates that it has found,
/// while they are in its cache.
#[derive(Default)]
pub struct CandidatePart {
    /// The index of the first candidate in the layer. A candidate's index is more than those of all
    /// candidates before it.
    first: u32,
    candidates: Vec<Candidate>,
    by_potential: Groups,
    /// `None` if no potential changes by rain: then these groups are those by potential.
    by_potential_after_rain: Option<Groups>,
}

/// The indices of the candidates of each group, in increasing order.
#[derive(Default)]
struct Groups(Vec<(Group, Vec<u32>)>);

impl Groups {
    fn of(first: u32, candidates: &[Candidate], group: impl Fn(&Candidate) -> Group) -> Self {
        let mut groups = Self::default();
        for (index, candidate) in (first..).zip(candidates) {
            let group = group(candidate);
            // A part has about ten groups.
            match groups.0.iter_mut().find(|(known, _)| *known == group) {
                Some((_, indices)) => indices.push(index),
                None => groups.0.push((group, vec![index])),
            }
        }
        groups
    }

    fn indices(&self, group: Group) -> &[u32] {
        self.0.iter().find(|(known, _)| *known == group).map_or(&[], |(_, indices)| indices)
    }
}

impl CandidatePart {
    /// Divides `candidates`, whose indices begin at `first`, into groups.
    pub fn new(first: u32, mut candidates: Vec<Candidate>) -> Self {
        candidates.shrink_to_fit();
        let by_potential = Groups::of(first, &candidates, Candidate::group);
        let changes = |candidate: &Candidate| candidate.potential_after_rain != candidate.potential;
        let is_rain = candidates.iter().any(changes);
        let by_potential_after_rain =
            is_rain.then(|| Groups::of(first, &candidates, Candidate::group_after_rain));
        Self { first, candidates, by_potential, by_potential_after_rain }
    }

    /// Whether there is no candidate.
    pub const fn is_empty(&self) -> bool {
        self.candidates.is_empty()
    }

    fn candidate(&self, index: u32) -> &Candidate {
        &self.candidates[(index - self.first) as usize]
    }

    fn groups(&self, by: GroupBy) -> &Groups {
        match (by, &self.by_potential_after_rain) {
            (GroupBy::PotentialAfterRain, Some(groups)) => groups,
            _ => &self.by_potential,
        }
    }
}

impl Candidates {
    /// The candidates of `parts`, which stand in the order of their indices.
    pub fn new(parts: Vec<CandidatePart>) -> Self {
        debug_assert!(parts.is_sorted_by_key(|part| part.first));
        Self(parts)
    }

    /// Whether rain changes the potential of a candidate.
    pub fn rain_matters(&self) -> bool {
        self.0.iter().any(|part| part.by_potential_after_rain.is_some())
    }

    /// Returns the candidate of `rank`.
    pub fn get(&self, rank: Rank) -> &Candidate {
        let index = rank.index();
        self.0[self.0.partition_point(|part| part.first <= index) - 1].candidate(index)
    }

    /// Returns the groups in `order`, the best one first.
    pub fn groups(&self, by: GroupBy, order: GroupOrder) -> Vec<Group> {
        let groups = self.0.iter().flat_map(|part| &part.groups(by).0);
        let mut groups: Vec<Group> = groups.map(|&(group, _)| group).collect();
        match order {
            GroupOrder::LowestFirst => groups.sort_unstable_by_key(|&group| Reverse(group)),
            GroupOrder::LongestFirst => {
                groups.sort_unstable_by_key(|&(missing_rows, chain)| Reverse((chain, missing_rows)))
            }
        }
        groups.dedup();
        groups
    }

    /// Returns the ranks of all candidates of `group`.
    pub fn ranks(&self, by: GroupBy, group: Group) -> Vec<Rank> {
        let indices = |part: &CandidatePart| part.groups(by).indices(group).len();
        let mut ranks = Vec::with_capacity(self.0.iter().map(indices).sum());
        for part in &self.0 {
            let indices = part.groups(by).indices(group).iter();
            ranks.extend(indices.map(|&index| part.candidate(index).rank(index)));
        }
        ranks
    }
}

#[cfg(test)]
mod tests {
    use super::super::candidate::samples::{HIGH, LOW, candidate};
    use super::*;

    /// Parts of 0, 2, 0 and 1 candidates at the indices 40, 41 and 80, with rows or without.
    fn candidates(rows: u64) -> Candidates {
        let part = |first, fields: &[&str]| {
            let all = (0..).zip(fields).map(|(parent, field)| candidate(parent, field, rows));
            CandidatePart::new(first, all.collect())
        };
        let third: &[&str] = &["3.........\n"];
        let parts = vec![part(0, &[]), part(40, &[LOW, HIGH]), part(80, &[]), part(80, third)];
        Candidates::new(parts)
    }

    fn indices(ranks: Vec<Rank>) -> Vec<u32> {
        let mut indices: Vec<u32> = ranks.into_iter().map(Rank::index).collect();
        indices.sort_unstable();
        indices
    }

    #[test]
    fn a_rank_leads_to_its_candidate() {
        let all = candidates(0);
        for group in all.groups(GroupBy::Potential, GroupOrder::LowestFirst) {
            for rank in all.ranks(GroupBy::Potential, group) {
                assert_eq!(all.get(rank).rank(rank.index()), rank);
            }
        }
        assert!(all.0[0].is_empty() && !all.0[1].is_empty());
    }

    #[test]
    fn groups_are_ordered_and_hold_all_candidates() {
        for (rows, by, expected) in [
            (0, GroupBy::Potential, [vec![40, 41], vec![80]]),
            (0, GroupBy::PotentialAfterRain, [vec![40, 41], vec![80]]),
            (3, GroupBy::Potential, [vec![40, 41], vec![80]]),
            (3, GroupBy::PotentialAfterRain, [vec![41], vec![40, 80]]),
        ] {
            let all = candidates(rows);
            let groups = all.groups(by, GroupOrder::LowestFirst).into_iter();
            let groups = groups.map(|group| indices(all.ranks(by, group)));
            assert_eq!(groups.collect::<Vec<_>>(), expected, "{rows} {by:?}");
            assert_eq!(all.rain_matters(), rows > 0);
        }
    }

    /// The fields of the indices 40, 41 and 80 are 3, 7 and 1 rows high; the last one has no chain.
    #[test]
    fn a_group_of_lower_fields_or_of_a_longer_chain_comes_first() {
        let all = candidates(16);
        let places_in = |order| {
            let groups = all.groups(GroupBy::Potential, order).into_iter();
            let groups = groups.flat_map(|group| indices(all.ranks(GroupBy::Potential, group)));
            groups.collect::<Vec<_>>()
        };
        assert_eq!(places_in(GroupOrder::LowestFirst), [80, 40, 41]);
        assert_eq!(places_in(GroupOrder::LongestFirst), [40, 41, 80]);
    }
}
