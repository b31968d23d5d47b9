//! Durations as users write them.

use std::time::Duration;

/// The longest duration that users may give, a week: no addition to an `Instant` overflows.
pub const LONGEST: Duration = Duration::from_secs(7 * 24 * 60 * 60);

/// Parses a duration such as `180s`, `3m` or `250ms`; a bare number is seconds.
///
/// # Errors
/// Fails with a message that names the expected form.
pub fn parse(text: &str) -> Result<Duration, String> {
    let seconds = text.parse::<f64>().ok();
    if seconds.is_some_and(|seconds| seconds > LONGEST.as_secs_f64()) {
        return Err(too_long());
    }
    let seconds = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    match seconds.map_or_else(|| humantime::parse_duration(text), Ok) {
        Ok(duration) if duration <= LONGEST => Ok(duration),
        Ok(_) | Err(humantime::DurationError::NumberOverflow) => Err(too_long()),
        Err(_) => Err("expected a duration such as `10s`, `3m` or `250ms`".to_owned()),
    }
}

/// Parses a limit of time: a duration longer than zero, as for [`parse`].
///
/// # Errors
/// Fails with a message that names the expected form.
pub fn parse_limit(text: &str) -> Result<Duration, String> {
    parse(text).and_then(some)
}

/// Returns `duration` unless it is zero.
fn some(duration: Duration) -> Result<Duration, String> {
    if duration.is_zero() {
        return Err("expected a time above 0, such as `5s`".to_owned());
    }
    Ok(duration)
}

/// Returns the whole milliseconds of a duration.
pub fn milliseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

/// Returns the whole microseconds of a duration.
pub fn microseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_micros()).unwrap_or(u64::MAX)
}

fn too_long() -> String {
    "expected a duration of a week at most".to_owned()
}

/// Formats a duration in whole seconds: `3m 20s`.
pub fn rough(duration: Duration) -> String {
    humantime::format_duration(Duration::from_secs(duration.as_secs())).to_string()
}

/// An optional duration in a file: a text as for [`parse`], or a number of seconds.
pub mod optional {
    use std::time::Duration;

    use serde::{Deserialize, Deserializer, Serialize as _, Serializer, de};

    #[derive(Deserialize)]
    #[serde(untagged, expecting = "expected a duration such as \"10s\", or a number of seconds")]
    enum Written {
        Text(String),
        Seconds(f64),
    }

    /// Reads a duration.
    ///
    /// # Errors
    /// Fails if the value is not a duration.
    pub fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<Duration>, D::Error> {
        let written = Option::<Written>::deserialize(deserializer)?;
        let parsed = written.map(|written| match written {
            Written::Text(text) => super::parse(&text),
            Written::Seconds(seconds) => super::parse(&seconds.to_string()),
        });
        parsed.transpose().map_err(de::Error::custom)
    }

    /// Writes a duration as text.
    ///
    /// # Errors
    /// Fails if the serializer fails.
    pub fn serialize<S: Serializer>(
        duration: &Option<Duration>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        duration
            .map(|duration| humantime::format_duration(duration).to_string())
            .serialize(serializer)
    }
}

/// An optional limit of time in a file: as [`optional`], longer than zero.
pub mod optional_limit {
    use std::time::Duration;

    use serde::{Deserializer, de};

    pub use super::optional::serialize;

    /// Reads a limit of time.
    ///
    /// # Errors
    /// Fails if the value is not a duration longer than zero.
    pub fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<Duration>, D::Error> {
        let duration = super::optional::deserialize(deserializer)?;
        duration.map(super::some).transpose().map_err(de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_duration_has_a_unit_and_is_a_week_at_most() {
        assert_eq!(parse("10"), Ok(Duration::from_secs(10)));
        assert_eq!(parse("0.5"), Ok(Duration::from_millis(500)));
        assert_eq!(parse("250ms"), Ok(Duration::from_millis(250)));
        assert_eq!(parse("3m"), Ok(Duration::from_secs(180)));
        assert!(parse("-1").is_err() && parse("soon").is_err());
        for long in ["1e19", "1e300", "inf", "8days", "999999999999999999999s"] {
            assert_eq!(parse(long), Err("expected a duration of a week at most".to_owned()));
        }
        assert_eq!(parse("168h"), Ok(LONGEST));
        assert_eq!(parse("0s"), Ok(Duration::ZERO));
        assert_eq!(parse_limit("0s"), Err("expected a time above 0, such as `5s`".to_owned()));
        assert_eq!(parse_limit("1ms"), Ok(Duration::from_millis(1)));
        assert_eq!(rough(Duration::from_millis(200_900)), "3m 20s");
    }
}
