//! Suggestions for mistyped names and words.

/// The Jaro similarity, 0 to 1, above which a word is suggested for another; clap's value for its
/// options.
const ALIKE: f64 = 0.7;

/// Returns the word of `known` that is most similar to `word`, or `None` if no word is similar.
pub fn closest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let rated = known.into_iter().map(|known| (strsim::jaro(word, known), known));
    let best = rated.reduce(|best, next| if next.0 > best.0 { next } else { best });
    best.filter(|&(alike, _)| alike > ALIKE).map(|(_, known)| known)
}

/// Returns the end of an error message that suggests `closest`; empty if that is `None`.
pub fn hint(closest: Option<&str>) -> String {
    closest.map_or_else(String::new, |closest| format!("; did you mean `{closest}`?"))
}

/// Returns the end of an error message about a `word` in which a comma stands before one of the
/// words `KEY=VALUE` of `keys`, as other programs write their options; empty if there is none.
pub fn comma<'a>(word: &str, keys: impl IntoIterator<Item = &'a str>) -> String {
    let is_inside = |key: &&str| word.contains(&format!(",{key}="));
    keys.into_iter().find(is_inside).map_or_else(String::new, |key| {
        format!("; a comma does not separate words: write a space before `{key}=`")
    })
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
        assert_eq!(hint(None), "");
        assert_eq!(comma("a,b", known), "", "no word follows the comma");
        assert!(comma("alpha=1,beta=2", known).ends_with("write a space before `beta=`"));
    }
}
