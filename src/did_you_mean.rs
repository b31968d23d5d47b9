//! Names that people mistype.

/// How alike two words are to be, from 0 to 1, for one to be suggested for the other: clap's value
/// for its options.
const ALIKE: f64 = 0.7;

/// The known word that is most like the given one, if any is like it.
pub fn closest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let rated = known.into_iter().map(|known| (strsim::jaro(word, known), known));
    let best = rated.reduce(|best, next| if next.0 > best.0 { next } else { best });
    best.filter(|&(alike, _)| alike > ALIKE).map(|(_, known)| known)
}

/// How an error's message goes on where there is something to suggest.
pub fn hint(closest: Option<&str>) -> String {
    closest.map_or_else(String::new, |closest| format!("; did you mean `{closest}`?"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_alike_is_suggested() {
        let known = ["alpha", "beta"];
        assert_eq!(closest("alhpa", known), Some("alpha"));
        assert_eq!(closest("Beta", known), Some("beta"));
        assert_eq!(closest("gamma-ray", known), None);
        assert_eq!(closest("alpha", []), None);
        assert_eq!(hint(Some("beta")), "; did you mean `beta`?");
        assert_eq!(hint(None), "");
    }
}
