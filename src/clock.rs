//! Where the program reads the time: the system's clock, or in tests one that the test moves.
//!
//! Code whose decisions depend on the time asks a [`TimeSource`]. A test can then stall a bot, or
//! let it run late, without waiting and however busy the machine is.

use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::Instant;

pub use self::manual::ManualClock;

/// A clock. To choose between the two costs a branch, which is nothing beside the reading.
#[derive(Clone, Copy, Default, Debug)]
pub enum TimeSource {
    /// The system's monotonic clock.
    #[default]
    System,
    /// A clock that a test moves.
    Manual(&'static ManualClock),
}

impl TimeSource {
    /// The current instant.
    pub fn now(self) -> Instant {
        match self {
            Self::System => Instant::now(),
            Self::Manual(clock) => clock.tick(),
        }
    }

    /// Waits for a message until `deadline`.
    ///
    /// # Errors
    /// [`RecvTimeoutError::Timeout`] if no message has come at `deadline`,
    /// [`RecvTimeoutError::Disconnected`] if none can come any more.
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
    use std::time::{Duration, Instant};

    use super::TimeSource;

    /// A clock that moves only when it is told to, and by `tick` whenever it is read through
    /// [`TimeSource::now`]: a search that looks at the clock again and again comes to its end.
    #[derive(Debug)]
    pub struct ManualClock {
        tick: Duration,
        state: Mutex<State>,
    }

    #[derive(Debug)]
    struct State {
        now: Instant,
        /// When the clock is to jump, and by how much.
        jump: Option<(Instant, Duration)>,
    }

    impl State {
        fn advance(&mut self, time: Duration) {
            self.now += time;
            if let Some((_, stall)) = self.jump.take_if(|(at, _)| *at <= self.now) {
                self.now += stall;
            }
        }
    }

    impl ManualClock {
        /// A clock for the rest of the test's process: a [`TimeSource`] is copied everywhere.
        pub fn leak(tick: Duration) -> &'static Self {
            let state = Mutex::new(State { now: Instant::now(), jump: None });
            Box::leak(Box::new(Self { tick, state }))
        }

        /// The source that reads this clock.
        pub fn source(&'static self) -> TimeSource {
            TimeSource::Manual(self)
        }

        /// The current instant; reading it like this does not move the clock.
        pub fn now(&self) -> Instant {
            self.with(|state| state.now)
        }

        /// Moves the clock.
        pub fn advance(&self, time: Duration) {
            self.with(|state| state.advance(time));
        }

        /// Moves the clock to an instant, unless it is there already.
        pub fn advance_to(&self, instant: Instant) {
            self.with(|state| state.advance(instant.saturating_duration_since(state.now)));
        }

        /// Lets the clock jump by `stall` once it has moved by `delay`: the machine stalls.
        pub fn stall_after(&self, delay: Duration, stall: Duration) {
            self.with(|state| state.jump = Some((state.now + delay, stall)));
        }

        /// Takes back a stall that is still to come; its length.
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
            /// How often the clock is looked at.
            const GLANCE: Duration = Duration::from_millis(1);
            loop {
                // In this order: what came before the clock moved on is there in time.
                let is_late = self.now() >= deadline;
                match receiver.recv_timeout(if is_late { Duration::ZERO } else { GLANCE }) {
                    Err(RecvTimeoutError::Timeout) if !is_late => {}
                    result => return result,
                }
            }
        }

        fn with<T>(&self, read: impl FnOnce(&mut State) -> T) -> T {
            read(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner))
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_manual_clock_moves_only_as_told() {
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
        assert_eq!(clock.now() - begin, ms(1014), "no stall any more");
    }

    #[test]
    fn messages_are_waited_for_by_the_clock() {
        let clock = ManualClock::leak(Duration::ZERO);
        let (sender, receiver) = mpsc::channel();
        let deadline = clock.now() + Duration::from_secs(1);
        sender.send(1).unwrap();
        assert_eq!(clock.source().recv_until(&receiver, deadline), Ok(1));
        std::thread::spawn(move || {
            clock.advance(Duration::from_secs(2));
            sender // kept until the receiver is gone
        });
        let late = clock.source().recv_until(&receiver, deadline);
        assert!(late.is_err() && clock.now() >= deadline);
    }
}
