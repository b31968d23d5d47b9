//! Shares independent pieces of work out to threads.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::thread;

use rayon::ThreadPoolBuilder;

/// Calls `work` with each index below `count`, on `threads` threads. A search within `work` uses
/// one thread, so that the results do not depend on their number. `on_done` is called after each
/// piece. Ends early, with the first results, if `stop` returns true.
///
/// # Panics
/// If no thread can be started.
pub fn shared_out<T: Send>(
    count: usize,
    threads: NonZeroUsize,
    stop: &(impl Fn() -> bool + Sync),
    on_done: &(impl Fn() + Sync),
    work: &(impl Fn(usize) -> T + Sync),
) -> Vec<T> {
    let next = AtomicUsize::new(0);
    let is_stopped = AtomicBool::new(false);
    let results = Mutex::new((0..count).map(|_| None).collect::<Vec<Option<T>>>());
    thread::scope(|scope| {
        for _ in 0..threads.get().min(count) {
            scope.spawn(|| {
                let pool = ThreadPoolBuilder::new().num_threads(1).build();
                let pool = pool.expect("a thread can be started");
                while !is_stopped.load(Relaxed) {
                    let index = next.fetch_add(1, Relaxed);
                    if index >= count {
                        break;
                    }
                    if stop() {
                        is_stopped.store(true, Relaxed);
                        break;
                    }
                    let result = pool.install(|| work(index));
                    results.lock().unwrap_or_else(PoisonError::into_inner)[index] = Some(result);
                    on_done();
                }
            });
        }
    });
    let results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
    results.into_iter().map_while(|result| result).collect()
}

/// As [`shared_out`], with each of `items`, all of them.
///
/// # Panics
/// If no thread can be started.
pub fn map_shared_out<I: Sync, T: Send>(
    items: &[I],
    threads: NonZeroUsize,
    work: impl Fn(&I) -> T + Sync,
) -> Vec<T> {
    shared_out(items.len(), threads, &|| false, &|| {}, &|index| work(&items[index]))
}
