//! Positions to learn weights from.

use tensai::dev::training::data;
use tensai::engine::win_probability::WinProbability;

use super::FuzzTarget;
use crate::checks::{message, text};

/// The file that `learn data` makes.
pub const POSITIONS: FuzzTarget = FuzzTarget {
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
    ..FuzzTarget::new("positions", positions)
};

fn positions(data: &[u8]) -> Option<String> {
    let (origin, positions) = match data::read(&text(data)) {
        Ok(read) => read,
        Err(what) => return message(what),
    };
    let written = data::write(&origin, &positions);
    assert_eq!(data::read(&written), Ok((origin, positions.clone())), "positions read back");
    for features in positions.iter().flat_map(|one| one.views()).map(|view| view.features) {
        assert!(features.values().iter().all(|value| value.is_finite()));
        let chance = WinProbability::learned().of(&features).0;
        assert!((0.0..=1.0).contains(&chance), "a chance of {chance}");
    }
    None
}
