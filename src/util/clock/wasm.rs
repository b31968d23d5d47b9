//! The clock of WebAssembly: the host's, as WebAssembly has no clock.

use std::ops::{Add, AddAssign, Sub};
use std::time::Duration;

#[link(wasm_import_module = "host")]
unsafe extern "C" {
    /// Milliseconds since 1970, from a clock that never goes back.
    safe fn now() -> f64;
}

/// An instant of the host's clock.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Instant(Duration);

impl Instant {
    /// The present instant.
    pub fn now() -> Self {
        Self(Duration::try_from_secs_f64(now() / 1e3).unwrap_or_default())
    }

    /// The time since this instant.
    pub fn elapsed(&self) -> Duration {
        Self::now().saturating_duration_since(*self)
    }

    /// The time from `earlier` to this instant; zero if `earlier` is later.
    pub const fn saturating_duration_since(&self, earlier: Self) -> Duration {
        self.0.saturating_sub(earlier.0)
    }
}

impl Add<Duration> for Instant {
    type Output = Self;

    fn add(self, time: Duration) -> Self {
        Self(self.0.saturating_add(time))
    }
}

impl AddAssign<Duration> for Instant {
    fn add_assign(&mut self, time: Duration) {
        *self = *self + time;
    }
}

impl Sub for Instant {
    type Output = Duration;

    fn sub(self, earlier: Self) -> Duration {
        self.saturating_duration_since(earlier)
    }
}

/// The present time, in milliseconds since 1970.
pub fn unix_ms() -> u64 {
    now() as u64
}
