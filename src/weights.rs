//! Learned weights as a file holds them: a feature's name and its weight a line.

use thiserror::Error;

use crate::foreign_text::quoted;

/// Why a text holds no weights.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum WeightsError {
    /// A line that is not a name and a number.
    #[error("line {line}: expected a feature and its weight, found {found}")]
    Line {
        /// The line, from 1.
        line: usize,
        /// What was found, quoted.
        found: String,
    },
    /// A line that names no feature, or one that was named before.
    #[error("line {line}: {name} is no feature, or is there twice")]
    Name {
        /// The line, from 1.
        line: usize,
        /// What was found, quoted.
        name: String,
    },
    /// A feature without a weight.
    #[error("there is no weight of `{0}`")]
    Missing(String),
}

/// Reads weights, and puts them in the order of the names: a line each, a name and a number; lines
/// that begin with `#` are comments.
///
/// # Errors
/// A line is neither, or the names are not those given.
pub fn parse<const N: usize>(
    text: &str,
    names: &[impl AsRef<str>; N],
) -> Result<[f64; N], WeightsError> {
    let mut weights = [None; N];
    for (line, found) in (1..).zip(text.lines().map(str::trim)) {
        if found.is_empty() || found.starts_with('#') {
            continue;
        }
        let parts = found.split_once(char::is_whitespace);
        let parts = parts.and_then(|(name, weight)| {
            let weight = weight.trim().parse::<f64>().ok()?;
            weight.is_finite().then_some((name, weight))
        });
        let Some((name, weight)) = parts else {
            return Err(WeightsError::Line { line, found: quoted(found) });
        };
        let place = names.iter().position(|known| known.as_ref() == name);
        match place.map(|place| &mut weights[place]) {
            Some(place @ None) => *place = Some(weight),
            _ => return Err(WeightsError::Name { line, name: quoted(name) }),
        }
    }
    if let Some((name, _)) = names.iter().zip(weights).find(|(_, weight)| weight.is_none()) {
        return Err(WeightsError::Missing(name.as_ref().to_owned()));
    }
    Ok(weights.map(Option::unwrap_or_default))
}

/// Weights as lines that can be read.
pub fn lines<const N: usize>(names: &[impl AsRef<str>; N], weights: &[f64; N]) -> String {
    let pairs = names.iter().zip(weights);
    pairs.map(|(name, weight)| format!("{:20} {weight:8.4}\n", name.as_ref())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAMES: [&str; 2] = ["stock", "blocks"];

    #[test]
    fn weights_read_back() {
        let text = format!("# x\n\n{}", lines(&NAMES, &[0.5, -12.25]));
        assert_eq!(parse(&text, &NAMES), Ok([0.5, -12.25]));
        assert_eq!(parse("blocks 1\nstock 2", &NAMES), Ok([2.0, 1.0]), "in any order");
    }

    #[test]
    fn what_are_no_weights_is_refused_with_its_place() {
        let refused = |text: &str| parse(text, &NAMES).unwrap_err().to_string();
        let twice = "line 3: `stock` is no feature, or is there twice";
        assert_eq!(refused("stock 1\nblocks 1\nstock 1"), twice);
        assert_eq!(refused("# x\nsteps 1"), twice.replace('3', "2").replace("stock", "steps"));
        let much = "line 2: expected a feature and its weight, found `stock much`";
        assert_eq!(refused("# x\nstock much"), much);
        assert_eq!(refused("stock NaN"), much.replace('2', "1").replace("much", "NaN"));
        assert_eq!(refused("stock 1"), "there is no weight of `blocks`");
    }
}
