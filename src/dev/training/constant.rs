//! Rust source of learned weights.

use std::fmt::Write as _;

/// The first words of the source of the beam's weights.
pub const BEAM: &str = "//! The learned weights of the beam's evaluation.";

/// The first words of the source of the win probability's weights.
pub const WIN_PROBABILITY: &str = "//! The learned weights of the win probability.";

/// The decimals of a weight.
const DECIMALS: usize = 4;

/// The source of a file `weights.rs`.
#[derive(Clone, Copy, Debug)]
pub struct Source<'a> {
    /// The first line: [`BEAM`] or [`WIN_PROBABILITY`].
    pub title: &'a str,
    /// The path of the constant `FEATURES`, relative to the file.
    pub features: &'a str,
    /// The path of the names of the features, relative to the file.
    pub names: &'a str,
    /// The commands that made the weights, and their quality, a line each.
    pub origin: &'a str,
}

impl Source<'_> {
    /// Formats the file, as `rustfmt` would, with the name of its feature beside each of `weights`.
    pub fn file(&self, names: &[impl AsRef<str>], weights: &[f64]) -> String {
        let Self { title, features, names: path, origin } = self;
        let name = path.rsplit("::").next().unwrap_or(path);
        let mut text = format!(
            "{title}\n\nuse {features};\n\n/// The weights of the features, in the order of \
             [`{name}`]({path}).\n///\n/// ```text\n"
        );
        for line in origin.lines() {
            let _ = writeln!(text, "{}", format!("/// {line}").trim_end());
        }
        text + "/// ```\n" + &constant(names, weights)
    }
}

/// Formats the constant alone.
fn constant(names: &[impl AsRef<str>], weights: &[f64]) -> String {
    let cells: Vec<String> =
        weights.iter().map(|&weight| format!("{:?},", rounded(weight))).collect();
    let width = cells.iter().map(String::len).max().unwrap_or(0);
    let mut text = "pub const LEARNED: [f64; FEATURES] = [\n".to_owned();
    for (cell, name) in cells.iter().zip(names) {
        let _ = writeln!(text, "    {cell:width$} // {}", name.as_ref());
    }
    text + "];\n"
}

/// Returns `weight` with the precision of the source.
pub fn rounded(weight: f64) -> f64 {
    let parsed = format!("{weight:.DECIMALS$}").parse().unwrap_or(weight);
    // Adding 0 turns a negative zero into a positive one.
    parsed + 0.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::win_probability::{self, WinProbability};
    use crate::search::beam::{LEARNED, NAMES};

    #[test]
    fn the_sources_in_the_tree_are_as_the_commands_write_them() {
        let beam = include_str!("../../search/beam/weights.rs");
        assert!(beam.starts_with(&format!("{BEAM}\n")), "{beam}");
        assert!(beam.ends_with(&constant(&NAMES, &LEARNED)), "{beam}");
        let win_probability = include_str!("../../engine/planner/win_probability/weights.rs");
        assert!(win_probability.starts_with(&format!("{WIN_PROBABILITY}\n")), "{win_probability}");
        let expected = constant(&win_probability::names(), WinProbability::learned().weights());
        assert!(win_probability.ends_with(&expected), "{win_probability}");
    }

    #[test]
    fn the_origin_is_in_the_documentation_of_the_constant() {
        let source = Source {
            title: BEAM,
            features: "super::FEATURES",
            names: "super::NAMES",
            origin: "tensai dev learn beam\n\nas good",
        };
        assert_eq!(
            source.file(&["a", "b"], &[-0.000_01, -12.345_678]),
            "//! The learned weights of the beam's evaluation.\n\nuse super::FEATURES;\n\n\
             /// The weights of the features, in the order of [`NAMES`](super::NAMES).\n///\n\
             /// ```text\n/// tensai dev learn beam\n///\n/// as good\n/// ```\n\
             pub const LEARNED: [f64; FEATURES] = [\n    0.0,      // a\n    -12.3457, // b\n];\n"
        );
    }
}
