//! Learned weights, and positions to learn them from.

use tensai::engine::win_probability::{WinProbability, names};
use tensai::search::beam::{NAMES, Weights};
use tensai::training::data;
use tensai::weights;

use super::Target;
use crate::checks::{message, text};

/// Files of weights, of the chance to win and of the beam.
pub const WEIGHTS: Target = Target {
    words: &[
        "early-", "stock", "blocks", "#", "1e308", "-0", "inf", "nan", "0.0001", "\u{2028}", "\t",
    ],
    ..Target::new("weights", weights)
};

/// The file that `learn data` makes.
pub const POSITIONS: Target = Target {
    words: &[
        "#",
        "\"",
        "\"\"",
        ",",
        "\r",
        "\n",
        "0.5",
        "18446744073709551615",
        "ffffffffffffffff",
        "1e0",
    ],
    ..Target::new("positions", positions)
};

/// Weights that read back from their lines, which hold four decimals.
fn read_back<const N: usize>(names: &[impl AsRef<str>; N], found: &[f64; N]) {
    let written = weights::lines(names, found);
    let again = weights::parse(&written, names).expect("what is written is read");
    assert_eq!(weights::lines(names, &again), written, "weights read back");
    assert!(found.iter().all(|weight| weight.is_finite()));
}

fn weights(data: &[u8]) -> Option<String> {
    let text = text(data);
    let chance = WinProbability::parse(&text).map(|chance| read_back(&names(), chance.weights()));
    let beam = weights::parse(&text, &NAMES).map(|weights| {
        read_back(&NAMES, &weights);
        let _ = Weights::new(weights);
    });
    match (chance, beam) {
        (Err(chance), Err(beam)) => Some([message(chance)?, message(beam)?].join("\n")),
        _ => None,
    }
}

fn positions(data: &[u8]) -> Option<String> {
    let (origin, positions) = match data::read(&text(data)) {
        Ok(read) => read,
        Err(what) => return message(what),
    };
    let written = data::write(&origin, &positions);
    assert_eq!(data::read(&written), Ok((origin, positions.clone())), "positions read back");
    for position in &positions {
        assert!(position.features().values().iter().all(|value| value.is_finite()));
        let chance = WinProbability::learned().of(&position.features()).0;
        assert!((0.0..=1.0).contains(&chance), "a chance of {chance}");
    }
    None
}
