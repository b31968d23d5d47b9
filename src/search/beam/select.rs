//! The selection of the candidates that a layer keeps.

use std::cmp::Reverse;

use fnv::{FnvHashMap, FnvHashSet};

use super::candidate::{Candidate, ChainSignature};
use crate::game::Chain;

/// The slots of a layer, in percent, that go to the candidates of the greatest potential after
/// rain, if rows are due after the next one. Experiments B-06, B-12.1.
const POTENTIAL_AFTER_RAIN_PERCENT: usize = 75;

/// The slots of a layer, in percent, that candidates of one chain signature take at most while
/// there are other candidates: fields of equal signature are similar. Experiments B-10, B-11.23.
const MAX_SAME_SIGNATURE_PERCENT: usize = 12;

/// Selects the at most `width` candidates that the beam keeps, without duplicates (equal hashes).
///
/// The slots are filled in three passes, the best candidates first:
///
/// 1. If rows are due after the next one: [`POTENTIAL_AFTER_RAIN_PERCENT`] percent of the slots, by
///    the potential after rain.
/// 2. The rest, by potential.
/// 3. The slots that the limit on signatures left empty, by potential, without that limit.
///
/// In each pass, candidates of equal potential (in the first pass, of equal potential after rain)
/// take at most `max_same_potential_percent` percent of the pass's slots. In the first two passes,
/// candidates of equal signature take at most [`MAX_SAME_SIGNATURE_PERCENT`] percent of `width`.
pub fn select(
    candidates: &[Candidate],
    width: usize,
    max_same_potential_percent: usize,
) -> Vec<Candidate> {
    let mut kept = Kept {
        candidates,
        all: Vec::with_capacity(width),
        seen: FnvHashSet::default(),
        of_signature: FnvHashMap::default(),
        most_of_signature: (width * MAX_SAME_SIGNATURE_PERCENT / 100).max(1),
        full_signatures: Vec::new(),
    };
    if candidates.iter().any(|candidate| candidate.potential_after_rain != candidate.potential) {
        kept.take(
            Candidate::group_after_rain,
            width * POTENTIAL_AFTER_RAIN_PERCENT / 100,
            max_same_potential_percent,
        );
    }
    kept.take(Candidate::group, width - kept.all.len(), max_same_potential_percent);
    kept.most_of_signature = usize::MAX;
    kept.full_signatures.clear();
    kept.take(Candidate::group, width - kept.all.len(), max_same_potential_percent);
    kept.all
}

/// The kept candidates of a layer.
struct Kept<'a> {
    candidates: &'a [Candidate],
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
    /// at most `max_same_potential_percent` percent of `width` of one potential. Sorts only about
    /// the candidates that it keeps, because most groups are not kept.
    fn take(
        &mut self,
        group: fn(&Candidate) -> (Reverse<u32>, Chain),
        width: usize,
        max_same_potential_percent: usize,
    ) {
        if width == 0 {
            return;
        }
        let most = (width * max_same_potential_percent / 100).max(1);
        let mut groups: FnvHashMap<_, Vec<u32>> = FnvHashMap::default();
        for (place, candidate) in (0..).zip(self.candidates) {
            groups.entry(group(candidate)).or_default().push(place);
        }
        let mut groups: Vec<_> = groups.into_iter().collect();
        groups.sort_unstable_by_key(|&(group, _)| Reverse(group));
        let end = self.all.len() + width;
        let mut of_potential: FnvHashMap<Chain, usize> = FnvHashMap::default();
        for ((_, potential), places) in groups {
            let count = of_potential.entry(potential).or_default();
            *count += self.best_of(places, (most - *count).min(end - self.all.len()));
        }
    }

    /// Keeps the at most `most` best candidates of the group `rest`; returns their number.
    fn best_of(&mut self, mut rest: Vec<u32>, most: usize) -> usize {
        let candidates = self.candidates;
        let candidate = |place: u32| &candidates[place as usize];
        let order = |&a: &u32, &b: &u32| {
            let [a, b] = [a, b].map(candidate);
            b.rank().cmp(&a.rank()).then(a.origin.cmp(&b.origin))
        };
        let before = self.all.len();
        let end = before + most;
        while self.all.len() < end {
            // Candidates of full signatures need not be sorted.
            rest.retain(|&place| !self.full_signatures.contains(&candidate(place).signature));
            if rest.is_empty() {
                break;
            }
            // Sorts a few more than are wanted, because the group may hold duplicates.
            let wanted = end - self.all.len();
            let count = (wanted + wanted / 8 + 64).min(rest.len());
            if count < rest.len() {
                rest.select_nth_unstable_by(count, order);
            }
            let others = rest.split_off(count);
            rest.sort_unstable_by(order);
            for candidate in rest.into_iter().map(candidate) {
                if self.all.len() == end {
                    break;
                }
                if !self.full_signatures.contains(&candidate.signature)
                    && self.seen.insert(candidate.hash)
                {
                    self.keep(candidate);
                }
            }
            rest = others;
        }
        self.all.len() - before
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
    use super::*;

    fn parents(kept: &[Candidate]) -> Vec<u32> {
        let parent = |candidate: &Candidate| match candidate.origin {
            Origin::Drop(parent, _) => parent,
            Origin::Known(_) => unreachable!("nothing is known"),
        };
        kept.iter().map(parent).collect()
    }

    #[test]
    fn most_slots_go_to_the_potential_after_rain() {
        let kept = |rows, width| {
            let candidates = vec![candidate(0, LOW, rows), candidate(1, HIGH, rows)];
            parents(&select(&candidates, width, 100))
        };
        assert_eq!((kept(0, 4), kept(0, 1)), (vec![0, 1], vec![0]), "more blocks first");
        assert_eq!((kept(3, 4), kept(3, 2)), (vec![1, 0], vec![1, 0]));
    }

    /// The first two fields have more blocks than the third, and equal chain signatures.
    #[test]
    fn few_fields_of_equal_signature_are_kept_if_there_are_others() {
        let low = LOW.replace("1...", "1..2");
        let all: Vec<_> =
            (0..).zip([&low[..], LOW, HIGH]).map(|(at, field)| candidate(at, field, 0)).collect();
        let kept = |count, width| parents(&select(&all[..count], width, 100));
        assert_eq!((kept(3, 2), kept(3, 3)), (vec![0, 2], vec![0, 2, 1]));
        assert_eq!(kept(2, 2), [0, 1], "there is no other");
    }
}
