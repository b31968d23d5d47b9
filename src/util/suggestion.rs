//! Suggestions for mistyped names and words.

use super::sanitize::{NAME, visible};

/// The Jaro similarity, 0 to 1, above which a word is suggested for another; the value by which the
/// command line suggests options.
const ALIKE: f64 = 0.7;

/// Returns the word of `known` that is most similar to `word`, or `None` if no word is similar.
pub fn closest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let rated = known.into_iter().map(|known| (strsim::jaro(word, known), known));
    let best = rated.reduce(|best, next| if next.0 > best.0 { next } else { best });
    best.filter(|&(alike, _)| alike > ALIKE).map(|(_, known)| known)
}

/// Returns the end of an error message that suggests `closest`, which may be untrusted text, such as a
/// name in a file; empty if that is `None`.
pub fn hint(closest: Option<&str>) -> String {
    let suggested = |closest| format!("; did you mean `{}`?", visible(closest, NAME));
    closest.map_or_else(String::new, suggested)
}

/// Returns the end of an error message about a `word` that was meant as several words `KEY=VALUE` of
/// `keys`: separated by a comma or a semicolon, as other programs write their options, or put into
/// quotes together. A comma or a semicolon at the end of a word is such a separator too. Empty if there
/// is none.
pub fn separator<'a>(word: &str, keys: impl IntoIterator<Item = &'a str>) -> String {
    const SIGNS: [(char, &str); 2] = [(',', "a comma"), (';', "a semicolon")];
    let sign = |text: &str| SIGNS.into_iter().find(|(sign, _)| text.ends_with(*sign));
    // The next word begins at the first key that follows a separator.
    let next = keys.into_iter().filter_map(|key| {
        let begins = |&at: &usize| at > 0 && word[..at].ends_with([',', ';', ' ', '\t', '\n']);
        let found = word.match_indices(&format!("{key}=")).map(|(at, _)| at).find(begins)?;
        Some((found, key))
    });
    match (next.min(), sign(word)) {
        (Some((at, key)), _) => match sign(word[..at].trim_end()) {
            Some((_, sign)) => {
                format!("; {sign} does not separate words: write a space before `{key}=`")
            }
            None => format!("; quotes make one word of several: close them before `{key}=`"),
        },
        (None, Some((sign, name))) => {
            format!("; {name} does not separate words: leave out the `{sign}` at the end")
        }
        (None, None) => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_similar_words_are_suggested() {
        let known = ["alpha", "beta"];
        assert_eq!(closest("alhpa", known), Some("alpha"));
        assert_eq!(closest("Beta", known), Some("beta"));
        assert_eq!(closest("gamma-ray", known), None);
        assert_eq!(closest("alpha", []), None);
        assert_eq!(hint(Some("beta")), "; did you mean `beta`?");
        assert_eq!(hint(Some("be\u{feff}ta")), "; did you mean `be\\u{feff}ta`?");
        assert_eq!(hint(None), "");
    }

    #[test]
    fn several_words_in_one_are_told_apart() {
        let hint = |word: &str| separator(word, ["alpha", "beta"]);
        let comma = "; a comma does not separate words: ";
        for word in ["", "a,b", "a b", "alpha=1", "alpha=a, b", "alphabeta=1"] {
            assert_eq!(hint(word), "", "{word}");
        }
        for word in ["alpha=1,beta=2", "alpha=1, beta=2", "alpha=1 ,beta=2,alpha=3"] {
            assert_eq!(hint(word), format!("{comma}write a space before `beta=`"), "{word}");
        }
        let semicolon = "; a semicolon does not separate words: write a space before `beta=`";
        assert_eq!(hint("alpha=1;beta=2"), semicolon);
        let quotes = "; quotes make one word of several: close them before `beta=`";
        assert_eq!(hint("alpha=1 beta=2"), quotes);
        assert_eq!(hint("alpha=1,"), format!("{comma}leave out the `,` at the end"));
        assert!(hint("alpha=1;").ends_with("leave out the `;` at the end"));
    }
}
