//! Placeholders `{NAME}` in the commands and variables of engines.

/// The maximum length of a name, in bytes.
pub const LONGEST_NAME: usize = 64;

/// The placeholders that the referee fills in for each game: its number, and the engine's seat.
pub const OF_THE_GAME: [&str; 2] = ["game", "seat"];

/// Whether `name` can be that of a placeholder, and of an environment variable.
pub fn is_name(name: &str) -> bool {
    let fits = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let begins_well = !name.starts_with(|c: char| c.is_ascii_digit());
    !name.is_empty() && name.len() <= LONGEST_NAME && name.chars().all(fits) && begins_well
}

/// Returns `text` with `{NAME}` replaced by `value(NAME)`, as far as that is not `None`. `${NAME}` is
/// a variable of a shell, and stays.
pub fn filled(text: &str, mut value: impl FnMut(&str) -> Option<String>) -> String {
    replaced(text, |inner| if is_name(inner) { value(inner) } else { None })
}

/// Returns the contents of all `{...}` in `text` that look like placeholders, well written or not:
/// `{NAME}`, and what other programs or a slip of the hand would write, such as `{ NAME }`,
/// `{a-name}`, `{a name}` or `{NAME:.2f}`. JSON, lists such as `{a,b}` and `${NAME}` do not.
pub fn alike(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    replaced(text, |inner| {
        // In a mapping such as `{a: 1}` a blank follows the colon.
        let is_format =
            |format: &str| !format.is_empty() && !format.starts_with(char::is_whitespace);
        let is_plain = match inner.split_once([':', '!']) {
            Some((_, format)) => is_format(format),
            None => true,
        };
        let name = bare(inner);
        let fits = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | ' ');
        let begins_well = name.starts_with(|c: char| c.is_alphabetic() || c == '_');
        if is_plain && begins_well && name.len() <= LONGEST_NAME && name.chars().all(fits) {
            found.push(inner.to_owned());
        }
        None
    });
    found
}

/// The content of a `{...}` without a format and without blanks around it.
fn bare(inner: &str) -> &str {
    inner.split([':', '!']).next().unwrap_or_default().trim()
}

/// The name that was meant by the content of a `{...}`: in small letters, with underscores for blanks
/// and dashes, and without a format.
pub fn meant(inner: &str) -> String {
    bare(inner).to_lowercase().replace([' ', '-'], "_")
}

/// Returns `text` with each `{...}` replaced by `value` of its content, as far as that is not `None`.
/// The content has no brace. `${...}` stays.
fn replaced(text: &str, mut value: impl FnMut(&str) -> Option<String>) -> String {
    let mut parts = text.split('{');
    let mut replaced = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let placeholder = part.split_once('}').filter(|_| !replaced.ends_with('$'));
        match placeholder.and_then(|(inner, rest)| Some((value(inner)?, rest))) {
            Some((value, rest)) => replaced = replaced + &value + rest,
            None => replaced = replaced + "{" + part,
        }
    }
    replaced
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_name_between_braces_is_filled_in() {
        let filled = |text: &str| filled(text, |name| (name == "x").then(|| "1".to_owned()));
        assert_eq!(filled("{x}-{x} {y} ${x} {\"a\": {x}}"), "1-1 {y} ${x} {\"a\": 1}");
        for text in ["{", "{}", "{ x }", "{x", "x}", "{x:d}"] {
            assert_eq!(filled(text), text);
        }
    }

    #[test]
    fn what_looks_like_a_placeholder_is_found() {
        for (inner, name) in [
            ("max_weight", "max_weight"),
            ("max-weight", "max_weight"),
            ("max weight", "max_weight"),
            ("weight:d", "weight"),
            ("weight!r", "weight"),
            ("weight:.2f", "weight"),
            (" weight ", "weight"),
            ("Weight", "weight"),
        ] {
            assert_eq!(alike(&format!("a {{{inner}}} b")), [inner], "{inner}");
            assert_eq!(meant(inner), name);
        }
        for text in ["{}", "{", "{1}", "{\"a\": 1}", "{a: 1}", "{a:}", "{a,b}", "${x}", "{ a; }"] {
            assert_eq!(alike(text), [""; 0], "{text}");
        }
    }
}
