//! The source of the time: the system's clock, or a manual clock that a test moves.
//!
//! Code whose decisions depend on the time reads a [`TimeSource`]. A test can then stall a bot or
//! make it late without waiting, independent of the load of the machine.

#[cfg(all(feature = "arena", not(target_arch = "wasm32")))]
mod pause;
#[cfg(target_arch = "wasm32")]
mod wasm;

use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, SystemTime};

#[cfg(not(target_arch = "wasm32"))]
pub use std::time::Instant;

pub use self::manual::ManualClock;
#[cfg(all(feature = "arena", not(target_arch = "wasm32")))]
pub use self::pause::{game_time, pause};
#[cfg(target_arch = "wasm32")]
pub use self::wasm::Instant;

/// The present time, in milliseconds since 1970.
pub fn unix_ms() -> u64 {
    #[cfg(target_arch = "wasm32")]
    return self::wasm::unix_ms();
    #[cfg(not(target_arch = "wasm32"))]
    {
        let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        crate::util::duration::milliseconds(since)
    }
}

/// The present date, as `2026-11-21T08:00:00Z`.
pub fn date() -> String {
    let now = SystemTime::UNIX_EPOCH + Duration::from_millis(unix_ms());
    humantime::format_rfc3339_seconds(now).to_string()
}

/// A clock. The branch between the two costs little compared with reading the time.
#[derive(Clone, Copy, Default, Debug)]
pub enum TimeSource {
    /// The system's monotonic clock.
    #[default]
    System,
    /// A clock that a test moves.
    Manual(&'static ManualClock),
}

impl TimeSource {
    /// Returns the current instant. Advances a manual clock by its tick.
    pub fn now(self) -> Instant {
        match self {
            Self::System => Instant::now(),
            Self::Manual(clock) => clock.tick(),
        }
    }

    /// Waits for a message from `receiver` until `deadline`.
    ///
    /// # Errors
    /// [`RecvTimeoutError::Timeout`] if no message arrives by `deadline`,
    /// [`RecvTimeoutError::Disconnected`] if all senders are dropped.
    pub fn recv_until<T>(
        self,
        receiver: &Receiver<T>,
        deadline: Instant,
    ) -> Result<T, RecvTimeoutError> {
        match self {
            Self::System => {
                receiver.recv_timeout(deadline.saturating_duration_since(Instant::now()))
            }
            Self::Manual(clock) => clock.recv_until(receiver, deadline),
        }
    }
}

mod manual {
    use std::sync::mpsc::{Receiver, RecvTimeoutError};
    use std::sync::{Mutex, PoisonError};
    use std::time::Duration;

    use super::{Instant, TimeSource};

    /// A clock that a test moves. Each reading through [`TimeSource::now`] advances it by `tick`,
    /// so that a search that reads the clock repeatedly reaches its deadline.
    #[derive(Debug)]
    pub struct ManualClock {
        tick: Duration,
        state: Mutex<ClockState>,
    }

    #[derive(Debug)]
    struct ClockState {
        now: Instant,
        /// The instant of the next jump, and its length.
        jump: Option<(Instant, Duration)>,
    }

    impl ClockState {
        fn advance(&mut self, time: Duration) {
            self.now += time;
            if let Some((_, stall)) = self.jump.take_if(|(at, _)| *at <= self.now) {
                self.now += stall;
            }
        }
    }

    impl ManualClock {
        /// Creates a clock that lives until the process ends, because a [`TimeSource`] is `Copy`.
        pub fn leak(tick: Duration) -> &'static Self {
            let state = Mutex::new(ClockState { now: Instant::now(), jump: None });
            Box::leak(Box::new(Self { tick, state }))
        }

        /// Returns a source that reads this clock.
        pub fn source(&'static self) -> TimeSource {
            TimeSource::Manual(self)
        }

        /// Returns the current instant without moving the clock.
        pub fn now(&self) -> Instant {
            self.with(|state| state.now)
        }

        /// Moves the clock by `time`.
        pub fn advance(&self, time: Duration) {
            self.with(|state| state.advance(time));
        }

        /// Moves the clock to `instant`, unless the clock is past it.
        pub fn advance_to(&self, instant: Instant) {
            self.with(|state| state.advance(instant.saturating_duration_since(state.now)));
        }

        /// Schedules a stall: a jump by `stall` after the clock has moved by `delay`.
        pub fn stall_after(&self, delay: Duration, stall: Duration) {
            self.with(|state| state.jump = Some((state.now + delay, stall)));
        }

        /// Cancels the scheduled stall. Returns its length, or `None` if none is scheduled.
        pub fn take_stall(&self) -> Option<Duration> {
            self.with(|state| state.jump.take()).map(|(_, stall)| stall)
        }

        pub(super) fn tick(&self) -> Instant {
            self.with(|state| {
                state.advance(self.tick);
                state.now
            })
        }

        pub(super) fn recv_until<T>(
            &self,
            receiver: &Receiver<T>,
            deadline: Instant,
        ) -> Result<T, RecvTimeoutError> {
            /// The interval at which the clock is read.
            const GLANCE: Duration = Duration::from_millis(1);
            loop {
                // The clock is read first: a message sent before the deadline is then in time.
                let is_late = self.now() >= deadline;
                match receiver.recv_timeout(if is_late { Duration::ZERO } else { GLANCE }) {
                    Err(RecvTimeoutError::Timeout) if !is_late => {}
                    result => return result,
                }
            }
        }

        fn with<T>(&self, read: impl FnOnce(&mut ClockState) -> T) -> T {
            read(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner))
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    #[test]
    fn a_manual_clock_moves_by_tests_ticks_and_stalls_only() {
        let ms = Duration::from_millis;
        let clock = ManualClock::leak(ms(2));
        let begin = clock.now();
        assert_eq!(clock.now(), begin);
        assert_eq!(clock.source().now() - begin, ms(2), "one tick");
        clock.stall_after(ms(10), ms(1000));
        clock.advance(ms(9));
        assert_eq!(clock.now() - begin, ms(11));
        assert_eq!(clock.source().now() - begin, ms(1013));
        assert_eq!(clock.take_stall(), None);
        clock.advance_to(begin);
        assert_eq!(clock.now() - begin, ms(1013), "never back");
        clock.stall_after(ms(0), ms(1000));
        assert_eq!(clock.take_stall(), Some(ms(1000)));
        clock.advance(ms(1));
        assert_eq!(clock.now() - begin, ms(1014), "the stall was cancelled");
    }

    #[test]
    fn recv_until_times_out_by_the_manual_clock() {
        let clock = ManualClock::leak(Duration::ZERO);
        let (sender, receiver) = mpsc::channel();
        let deadline = clock.now() + Duration::from_secs(1);
        sender.send(1).unwrap();
        assert_eq!(clock.source().recv_until(&receiver, deadline), Ok(1));
        let mover = std::thread::spawn(move || {
            clock.advance(Duration::from_secs(2));
            sender // kept by `mover`: the receiver stays connected
        });
        let late = clock.source().recv_until(&receiver, deadline);
        assert_eq!(late, Err(mpsc::RecvTimeoutError::Timeout));
        drop(mover.join());
    }
}
