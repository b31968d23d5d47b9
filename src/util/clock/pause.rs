//! The clock of games, which stands still while the program is stopped (Ctrl-Z).

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The pauses of this process.
static PAUSES: Mutex<Pauses> = Mutex::new(Pauses { past: Duration::ZERO, since: None });

struct Pauses {
    /// The length of all pauses that are over.
    past: Duration,
    /// When the present pause began.
    since: Option<Instant>,
}

impl Pauses {
    /// The instant by a clock that stood still in all pauses; `now` is the system's.
    fn without(&self, now: Instant) -> Instant {
        let moved = self.since.unwrap_or(now);
        moved.checked_sub(self.past).unwrap_or(moved)
    }
}

/// The current instant without the pauses of this process. Compare instants of this clock only with
/// each other.
pub fn game_time() -> Instant {
    let pauses = PAUSES.lock().unwrap_or_else(PoisonError::into_inner);
    pauses.without(Instant::now())
}

/// Stops the clock of [`game_time`] while `meanwhile` runs.
pub fn pause(meanwhile: impl FnOnce()) {
    let pauses = || PAUSES.lock().unwrap_or_else(PoisonError::into_inner);
    pauses().since.get_or_insert_with(Instant::now);
    meanwhile();
    let mut pauses = pauses();
    if let Some(since) = pauses.since.take() {
        pauses.past += since.elapsed();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_do_not_count() {
        let ms = Duration::from_millis;
        let begin = Instant::now() + ms(10_000);
        let mut pauses = Pauses { past: Duration::ZERO, since: None };
        assert_eq!(pauses.without(begin), begin);
        pauses.since = Some(begin + ms(5));
        assert_eq!(pauses.without(begin + ms(900)), begin + ms(5), "it stands still");
        pauses = Pauses { past: ms(1000), since: None };
        assert_eq!(pauses.without(begin + ms(1008)), begin + ms(8));
        pauses.since = Some(begin + ms(1010));
        assert_eq!(pauses.without(begin + ms(9999)), begin + ms(10), "the second pause");
    }

    #[test]
    fn the_clock_stands_still_in_a_pause() {
        let before = game_time();
        pause(|| {
            let first = game_time();
            std::thread::sleep(Duration::from_millis(2));
            assert_eq!(game_time(), first);
            assert!(first >= before);
        });
        assert!(game_time() >= before);
    }
}
