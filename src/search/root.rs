//! The root loop of an alpha-beta search: all first actions, on all threads.

use std::cmp::Reverse;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;

/// The result of the search of a first action.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RootValue {
    /// The index of the action in the order of the search.
    pub index: usize,
    /// The value of the action, or an upper bound.
    pub value: i64,
    /// Whether `value` is exact.
    pub is_exact: bool,
}

/// The best value so far, and the index of its action.
struct Best {
    value: i64,
    index: usize,
}

/// Searches the first actions `children` in their order. Returns the results in descending order of
/// value, or `None` if a search returns `None`.
///
/// `search` searches one action with the state of its thread, which `start` makes, and a lower
/// bound `alpha`: a result above `alpha` is exact, any other is an upper bound. `lowest` is the
/// least value.
///
/// 1. The search tries the first action alone, with `alpha` = `lowest`. Its value is exact.
/// 2. The threads take the other actions one by one. They share the best value so far as `alpha`.
/// 3. Among equal values, exact ones come before bounds, then the order of `children` counts.
///
/// The first result is thus exact, and it is the first action of the best value in the order of
/// `children`, independent of the number and the speed of the threads: an action before the best
/// one so far is searched with an `alpha` of one less, so that an equal value is exact. The bounds
/// of the other actions depend on the threads. With one thread, each action is searched with the
/// best value of the actions before it, and everything is deterministic.
pub fn search<C, S>(
    children: &[C],
    lowest: i64,
    start: impl Fn() -> S + Sync,
    search: impl Fn(&mut S, &C, i64) -> Option<i64> + Sync,
) -> Option<Vec<RootValue>>
where
    C: Sync,
{
    let Some(first) = children.first() else { return Some(Vec::new()) };
    let value = search(&mut start(), first, lowest)?;
    let mut values = vec![RootValue { index: 0, value, is_exact: true }];
    let best = Mutex::new(Best { value: value.max(lowest), index: 0 });
    let next = AtomicUsize::new(1);
    let threads = rayon::current_num_threads().min(children.len() - 1);
    let others: Option<Vec<Vec<RootValue>>> = (0..threads)
        .into_par_iter()
        .map(|_| {
            let mut state = start();
            let mut found = Vec::new();
            loop {
                let index = next.fetch_add(1, Relaxed);
                let Some(child) = children.get(index) else { return Some(found) };
                let alpha = Best::alpha(&best, index);
                let value = search(&mut state, child, alpha)?;
                let is_exact = value > alpha;
                if is_exact {
                    Best::raise(&best, value, index);
                }
                found.push(RootValue { index, value, is_exact });
            }
        })
        .collect();
    values.extend(others?.into_iter().flatten());
    values.sort_by_key(|found| (Reverse(found.value), !found.is_exact, found.index));
    Some(values)
}

impl Best {
    /// The lower bound with which the action at `index` is searched.
    fn alpha(best: &Mutex<Self>, index: usize) -> i64 {
        let best = best.lock().unwrap_or_else(PoisonError::into_inner);
        best.value - i64::from(index < best.index)
    }

    /// Takes the exact `value` of the action at `index`, if it is better, or equal and earlier.
    fn raise(best: &Mutex<Self>, value: i64, index: usize) {
        let mut best = best.lock().unwrap_or_else(PoisonError::into_inner);
        if (value, Reverse(index)) > (best.value, Reverse(best.index)) {
            *best = Self { value, index };
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use proptest::prelude::*;

    use super::*;

    fn on(threads: usize, work: impl FnOnce() -> Option<Vec<RootValue>> + Send) -> Vec<RootValue> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(work).unwrap()
    }

    /// A fail-soft search of values that are known: a bound is any value from the true one to
    /// `alpha`.
    fn searched(values: &[i64], slack: i64) -> Option<Vec<RootValue>> {
        let children: Vec<usize> = (0..values.len()).collect();
        search(
            &children,
            -100,
            || (),
            |(), &child, alpha| {
                let value = values[child];
                // So that the threads take turns in a different order each time.
                std::thread::sleep(Duration::from_micros(value.unsigned_abs() % 7));
                Some(if value > alpha { value } else { (value + slack).min(alpha) })
            },
        )
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 100, ..ProptestConfig::default() })]

        #[test]
        fn the_best_is_the_first_of_the_best_values(
            values in prop::collection::vec(-5i64..5, 1..40),
            slack in 0i64..10,
        ) {
            let best = (0..values.len()).max_by_key(|&at| (values[at], Reverse(at))).unwrap();
            let expected = RootValue { index: best, value: values[best], is_exact: true };
            for threads in [1, 4] {
                let found = on(threads, || searched(&values, slack));
                prop_assert_eq!(found[0], expected, "{} threads", threads);
                prop_assert_eq!(found.len(), values.len());
                prop_assert!(found.is_sorted_by_key(|found| Reverse(found.value)));
                for found in &found {
                    let value = values[found.index];
                    prop_assert!(found.value == value || !found.is_exact && found.value > value);
                }
                prop_assert!(found.iter().any(|found| found.index == 0 && found.is_exact));
            }
        }
    }

    #[test]
    fn one_thread_searches_in_order_with_the_best_so_far() {
        let seen = Mutex::new(Vec::new());
        let children = [3, 1, 5, 5, 4];
        let search_one = |(): &mut (), &child: &i64, alpha: i64| {
            seen.lock().unwrap().push((child, alpha));
            Some(child)
        };
        on(1, || search(&children, -9, || (), search_one));
        assert_eq!(seen.into_inner().unwrap(), [(3, -9), (1, 3), (5, 3), (5, 5), (4, 5)]);
    }

    #[test]
    fn a_search_that_cannot_end_has_no_result() {
        let found = search(&[1, 2, 3], 0, || (), |(), &child, _| (child < 3).then_some(child));
        assert_eq!(found, None);
        assert_eq!(search(&[] as &[i64], 0, || (), |(), _, _| None), Some(Vec::new()));
    }
}
