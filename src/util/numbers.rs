//! Words for numbers: counted nouns, and why a number cannot be parsed.

use std::error::Error;
use std::fmt::Display;
use std::num::{IntErrorKind, ParseFloatError, ParseIntError};

/// Formats a number with its noun, in the plural unless the number is 1: `1 game`, `2 games`,
/// `3 plies`.
pub fn counted(count: impl Display, noun: &str) -> String {
    let count = count.to_string();
    if count == "1" {
        return format!("1 {noun}");
    }
    let ends_in_ply = noun.ends_with("ply");
    match noun.strip_suffix('y').filter(|_| ends_in_ply) {
        Some(stem) => format!("{count} {stem}ies"),
        None => format!("{count} {noun}s"),
    }
}

/// Describes an error of the standard library's parsers of numbers; `None` for other errors.
pub fn number(error: &(dyn Error + 'static)) -> Option<&'static str> {
    if error.is::<ParseFloatError>() {
        return Some("expected a number");
    }
    Some(match error.downcast_ref::<ParseIntError>()?.kind() {
        IntErrorKind::Zero => "expected a whole number from 1",
        IntErrorKind::PosOverflow => "the number is too large",
        _ => "expected a whole number of digits only",
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nouns_agree_with_their_numbers() {
        assert_eq!(counted(1, "game"), "1 game");
        assert_eq!(counted(0_u64, "game"), "0 games");
        assert_eq!(counted(2, "ply"), "2 plies");
        assert_eq!(counted(1, "ply"), "1 ply");
    }

    #[test]
    fn errors_of_numbers_name_no_types_of_rust() {
        let message = |error: Result<std::num::NonZeroU8, ParseIntError>| {
            let error = error.unwrap_err();
            number(&error)
        };
        assert_eq!(message("0".parse()), Some("expected a whole number from 1"));
        assert_eq!(message("x".parse()), Some("expected a whole number of digits only"));
        assert_eq!(message("300".parse()), Some("the number is too large"));
        assert_eq!(number(&"x".parse::<f64>().unwrap_err()), Some("expected a number"));
        assert_eq!(number(&std::io::Error::other("x")), None);
    }
}
