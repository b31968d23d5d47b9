//! The selection of the candidates that a layer keeps.

use fnv::{FnvBuildHasher, FnvHashMap, FnvHashSet};
use rayon::prelude::*;

use super::candidate::{Candidate, ChainSignature, Group};
use super::groups::{Candidates, GroupBy, GroupOrder};
use crate::game::Chain;

/// The slots of a layer, in percent, that go to the candidates of the greatest potential, if rows
/// are due in the search. Experiment B-27.
const LONGEST_UNDER_ROWS_PERCENT: usize = 75;

/// The percentage of the empty slots that goes to the candidates of the greatest potential after
/// rain, if rain changes the potential of a candidate. The pass of [`LONGEST_UNDER_ROWS_PERCENT`]
/// comes first. Experiments B-06, B-12.1.
const POTENTIAL_AFTER_RAIN_PERCENT: usize = 75;

/// The slots of a pass, in percent, that candidates of one potential take at most. Experiments
/// B-07, B-12, B-14.1, B-27.
const MAX_SAME_POTENTIAL_PERCENT: usize = 50;

/// The slots of a layer, in percent, that candidates of one chain signature take at most while
/// there are other candidates: fields of equal signature are similar. Experiments B-10, B-11.23.
const MAX_SAME_SIGNATURE_PERCENT: usize = 12;

/// The least number of candidates that a thread copies at once. Chosen by hand.
const LEAST_COPIES: usize = 1024;

/// Selects the at most `width` candidates that the beam keeps, without duplicates (equal hashes).
///
/// The slots are filled in passes, the best candidates first:
///
/// 1. If `is_under_rows`: [`LONGEST_UNDER_ROWS_PERCENT`] percent of the slots, by potential,
///    however many rows are missing. These fields find the longest counterattacks, from tall
///    columns too.
/// 2. If rain changes the potential of a candidate: [`POTENTIAL_AFTER_RAIN_PERCENT`] percent of the
///    empty slots, by missing rows, then by the potential after rain. These fields survive.
/// 3. The empty slots, by missing rows, then by potential.
/// 4. The slots that the limits left empty, as 3, without the limit on signatures.
///
/// In each pass, candidates of equal potential (in the second pass, of equal potential after rain)
/// take at most [`MAX_SAME_POTENTIAL_PERCENT`] percent of the pass's slots. Except in the last
/// pass, candidates of equal signature take at most [`MAX_SAME_SIGNATURE_PERCENT`] percent of
/// `width`.
///
/// `is_under_rows` says whether rows are due in the search.
pub fn select(candidates: &Candidates, width: usize, is_under_rows: bool) -> Vec<Candidate> {
    let mut kept = Kept {
        candidates,
        all: Vec::with_capacity(width),
        seen: FnvHashSet::with_capacity_and_hasher(width, FnvBuildHasher::default()),
        of_signature: FnvHashMap::default(),
        most_of_signature: (width * MAX_SAME_SIGNATURE_PERCENT / 100).max(1),
        full_signatures: Vec::new(),
    };
    if is_under_rows {
        let slots = width * LONGEST_UNDER_ROWS_PERCENT / 100;
        kept.take(GroupBy::Potential, GroupOrder::LongestFirst, slots);
    }
    if candidates.rain_matters() {
        let slots = (width - kept.all.len()) * POTENTIAL_AFTER_RAIN_PERCENT / 100;
        kept.take(GroupBy::PotentialAfterRain, GroupOrder::LowestFirst, slots);
    }
    kept.take(GroupBy::Potential, GroupOrder::LowestFirst, width - kept.all.len());
    kept.most_of_signature = usize::MAX;
    kept.full_signatures.clear();
    kept.take(GroupBy::Potential, GroupOrder::LowestFirst, width - kept.all.len());
    kept.all
}

/// The kept candidates of a layer.
struct Kept<'a> {
    candidates: &'a Candidates,
    all: Vec<Candidate>,
    /// The hashes of the kept candidates.
    seen: FnvHashSet<u64>,
    /// The number of kept candidates by signature.
    of_signature: FnvHashMap<ChainSignature, usize>,
    /// The greatest number of kept candidates of one signature.
    most_of_signature: usize,
    /// The few signatures that have reached `most_of_signature`.
    full_signatures: Vec<ChainSignature>,
}

impl Kept<'_> {
    /// Keeps at most `width` more candidates, the best groups and their best candidates first, and
    /// at most [`MAX_SAME_POTENTIAL_PERCENT`] percent of `width` of one potential. Does not look at
    /// the groups after the slots are full, which are most groups.
    fn take(&mut self, by: GroupBy, order: GroupOrder, width: usize) {
        let most = (width * MAX_SAME_POTENTIAL_PERCENT / 100).max(1);
        let end = self.all.len() + width;
        let mut of_potential: FnvHashMap<Chain, usize> = FnvHashMap::default();
        for group in self.candidates.groups(by, order) {
            if self.all.len() == end {
                break;
            }
            let count = of_potential.entry(group.1).or_default();
            *count += self.best_of(by, group, (most - *count).min(end - self.all.len()));
        }
    }

    /// Keeps the at most `most` best candidates of `group`; returns their number. Sorts only about
    /// the candidates that it keeps.
    fn best_of(&mut self, by: GroupBy, group: Group, most: usize) -> usize {
        if most == 0 {
            return 0;
        }
        let candidates = self.candidates;
        let before = self.all.len();
        let end = before + most;
        let mut rest = candidates.ranks(by, group);
        while !rest.is_empty() {
            // Sorts a few more than are wanted, because the group may hold duplicates.
            let wanted = end - self.all.len();
            let count = (wanted + wanted / 8 + 64).min(rest.len());
            let others = rest.len() - count;
            if others > 0 {
                rest.select_nth_unstable(others);
            }
            // The best ones stand last.
            let mut best = rest.split_off(others);
            best.par_sort_unstable();
            let found = best.par_iter().with_min_len(LEAST_COPIES).rev();
            let found: Vec<Candidate> = found.map(|&rank| *candidates.get(rank)).collect();
            for candidate in &found {
                if !self.is_full(candidate) && self.seen.insert(candidate.hash) {
                    self.keep(candidate);
                    if self.all.len() == end {
                        return most;
                    }
                }
            }
            // Candidates of full signatures need not be sorted.
            if !self.full_signatures.is_empty() {
                rest.retain(|&rank| !self.is_full(candidates.get(rank)));
            }
        }
        self.all.len() - before
    }

    /// Whether the signature of `candidate` has reached its limit.
    fn is_full(&self, candidate: &Candidate) -> bool {
        self.full_signatures.contains(&candidate.signature)
    }

    fn keep(&mut self, candidate: &Candidate) {
        self.all.push(*candidate);
        let count = self.of_signature.entry(candidate.signature).or_default();
        *count += 1;
        if *count >= self.most_of_signature {
            self.full_signatures.push(candidate.signature);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::candidate::Origin;
    use super::super::candidate::samples::{HIGH, LOW, candidate};
    use super::super::groups::CandidatePart;
    use super::*;

    fn candidates(found: Vec<Candidate>) -> Candidates {
        Candidates::new(vec![CandidatePart::new(0, found)])
    }

    fn parents(kept: &[Candidate]) -> Vec<u32> {
        let parent = |candidate: &Candidate| match candidate.origin {
            Origin::Drop(parent, _) => parent,
            Origin::Known(_) => unreachable!("nothing is known"),
        };
        kept.iter().map(parent).collect()
    }

    #[test]
    fn without_rows_more_blocks_come_first() {
        let kept = |width| {
            let found = vec![candidate(0, LOW, 0), candidate(1, HIGH, 0)];
            parents(&select(&candidates(found), width, false))
        };
        assert_eq!((kept(4), kept(1)), (vec![0, 1], vec![0]));
    }

    /// All fields have a chain of one round. Three rows bury the trigger of `LOW`, and not that of
    /// `HIGH`.
    #[test]
    fn under_rows_slots_go_to_potential_then_to_potential_after_rain() {
        let kept = |drawings: &[&str], rows, width| {
            let found = (0..).zip(drawings).map(|(at, field)| candidate(at, field, rows));
            parents(&select(&candidates(found.collect()), width, true))
        };
        assert_eq!(kept(&[LOW, HIGH], 3, 2), [0, 1]);
        let lower = LOW.replace("222222", "22222.");
        assert_eq!(kept(&[LOW, &lower, HIGH], 3, 4), [0, 2, 1]);
    }

    /// The first field has a chain and is one row too tall for the due rows; the second has no
    /// chain.
    #[test]
    fn under_rows_a_long_chain_is_kept_beside_low_fields() {
        let found = [HIGH, "3.........\n"].map(|field| candidate(0, field, 10));
        let all = candidates(found.to_vec());
        for width in [2, 8] {
            let first = select(&all, width, true)[0];
            assert_eq!(first.potential, Chain(1), "{width}");
        }
        let lowest_first = select(&all, 1, false)[0];
        assert_eq!(lowest_first.potential, Chain(0));
    }

    /// The first two fields have more blocks than the third, and equal chain signatures.
    #[test]
    fn few_fields_of_equal_signature_are_kept_if_there_are_others() {
        let low = LOW.replace("1...", "1..2");
        let all: Vec<_> =
            (0..).zip([&low[..], LOW, HIGH]).map(|(at, field)| candidate(at, field, 0)).collect();
        let kept =
            |count, width| parents(&select(&candidates(all[..count].to_vec()), width, false));
        assert_eq!(kept(3, 4), [0, 2, 1]);
        assert_eq!(kept(2, 4), [0, 1], "there is no other");
    }
}
