//! Whether other programs want the processor cores on which this program ponders.
//!
//! An opponent, or another game, may run on the same core, and pondering would slow it down. Linux
//! counts for each thread the time in which it ran, and the time in which it was ready to run but
//! waited for a core (`/proc/self/task/THREAD/schedstat`). If the threads of this process wait, and
//! together run for less time than their cores allow, another program runs on these cores. Waiting
//! alone is no sign: the threads of this process also wait for each other.

use std::fs;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

/// The interval between two looks at the times.
const INTERVAL: Duration = Duration::from_millis(20);

/// The largest part of their time, 0 to 1, that this program's threads wait for a core while no
/// other program uses the cores. Two busy programs on one core wait for half of the time.
/// Experiment T-09.
const MOST_WAITING: f64 = 0.2;

/// The part of the time, 0 to 1, from which a core that runs this program is not wanted by others.
const LEAST_RUNNING: f64 = 0.75;

/// The number of intervals in a row in which other programs must want the cores. A program that
/// runs for a moment, such as the referee, should not end pondering.
const WANTED_INTERVALS: u32 = 3;

/// The number of turns of a game in which other programs may want the cores before pondering ends
/// for this game.
const MOST_WANTED_TURNS: u32 = 2;

/// The times of all threads of this process, in nanoseconds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct CoreTimes {
    ran: u64,
    waited: u64,
}

/// Ends pondering while other programs want the cores.
#[derive(Debug, Default)]
pub struct SpareCores {
    /// The turns of this game in which other programs wanted the cores.
    wanted_turns: Arc<AtomicU32>,
}

impl SpareCores {
    /// Starts a game.
    pub fn new_game(&mut self) {
        // A guard of the previous game may still count a turn.
        self.wanted_turns = Arc::default();
    }

    /// Watches the cores until `stop` is set, and sets it if other programs want them. Returns
    /// `false` if pondering should not begin: other programs have wanted the cores, or the system
    /// does not count the times.
    pub fn guard(&self, stop: &Arc<AtomicBool>) -> bool {
        if self.wanted_turns.load(Relaxed) >= MOST_WANTED_TURNS {
            return false;
        }
        let Some(begin) = CoreTimes::now() else { return false };
        let cores = thread::available_parallelism().map_or(1, NonZeroUsize::get);
        let cores = cores.min(rayon::current_num_threads());
        let (stop, wanted_turns) = (Arc::clone(stop), Arc::clone(&self.wanted_turns));
        let watch = move || {
            let mut before = (begin, Instant::now());
            let mut wanted_intervals = 0;
            while wanted_intervals < WANTED_INTERVALS {
                thread::sleep(INTERVAL);
                if stop.load(Relaxed) {
                    return;
                }
                let Some(times) = CoreTimes::now() else { break };
                let now = (times, Instant::now());
                let is_wanted = times.since(before.0).is_wanted(now.1 - before.1, cores);
                wanted_intervals = if is_wanted { wanted_intervals + 1 } else { 0 };
                before = now;
            }
            wanted_turns.fetch_add(1, Relaxed);
            stop.store(true, Relaxed);
        };
        thread::Builder::new().spawn(watch).is_ok()
    }
}

impl CoreTimes {
    /// The times until now; `None` if the system does not count them.
    fn now() -> Option<Self> {
        let mut sum = Self { ran: 0, waited: 0 };
        for thread in fs::read_dir("/proc/self/task").ok()? {
            // A thread may end between the two calls.
            let Ok(text) = fs::read_to_string(thread.ok()?.path().join("schedstat")) else {
                continue;
            };
            let of_thread = Self::parse(&text)?;
            sum.ran += of_thread.ran;
            sum.waited += of_thread.waited;
        }
        // A system that does not count the times reports zeros.
        (sum.ran > 0).then_some(sum)
    }

    /// Reads the first two numbers of a `schedstat` file.
    fn parse(text: &str) -> Option<Self> {
        let mut numbers = text.split_ascii_whitespace().map(str::parse);
        let (Some(Ok(ran)), Some(Ok(waited))) = (numbers.next(), numbers.next()) else {
            return None;
        };
        Some(Self { ran, waited })
    }

    /// The times since `before`. Those of threads that have ended since are missing.
    fn since(self, before: Self) -> Self {
        let ran = self.ran.saturating_sub(before.ran);
        let waited = self.waited.saturating_sub(before.waited);
        Self { ran, waited }
    }

    /// Whether other programs want the `cores` cores of this process, by its times within `wall`.
    fn is_wanted(self, wall: Duration, cores: usize) -> bool {
        let (ran, waited) = (self.ran as f64, self.waited as f64);
        waited > MOST_WAITING * (ran + waited)
            && ran < LEAST_RUNNING * wall.as_nanos() as f64 * cores as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cores_are_wanted_if_threads_wait_and_run_less_than_the_cores_allow() {
        let times = |ran, waited| CoreTimes { ran, waited };
        assert_eq!(CoreTimes::parse("1200 34 5\n"), Some(times(1200, 34)));
        assert_eq!((CoreTimes::parse(""), CoreTimes::parse("7 x")), (None, None));
        assert_eq!(times(3000, 70).since(times(1000, 50)), times(2000, 20));
        assert_eq!(times(900, 40).since(times(1000, 50)), times(0, 0), "a thread has ended");
        let is_wanted =
            |ran, waited, cores| times(ran, waited).is_wanted(Duration::from_nanos(1000), cores);
        assert!(is_wanted(500, 500, 1), "shared with another program");
        assert!(!is_wanted(980, 20, 1), "alone on the core");
        assert!(!is_wanted(990, 700, 1), "threads of this process that wait for each other");
        assert!(!is_wanted(100, 10, 1), "no thread is ready most of the time");
        assert!(is_wanted(1330, 670, 2), "one of two cores is shared");
        assert!(!is_wanted(1400, 100, 2), "one thread works while the other sleeps");
    }

    #[test]
    fn pondering_ends_for_the_game_after_some_wanted_turns() {
        let mut cores = SpareCores::default();
        cores.wanted_turns.fetch_add(MOST_WANTED_TURNS, Relaxed);
        let stop = Arc::new(AtomicBool::new(false));
        assert!(!cores.guard(&stop));
        cores.new_game();
        let begins = cores.guard(&stop);
        assert_eq!(begins, CoreTimes::now().is_some());
        stop.store(true, Relaxed);
    }
}
