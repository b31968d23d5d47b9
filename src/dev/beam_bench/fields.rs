//! The fields on which beams are measured.

use std::ops::Range;

use super::{BeamTask, request};
use crate::board::Field;
use crate::game::{DropColumns, Packs};
use crate::search::Budget;
use crate::search::beam::{self, BeamRequest, FEATURES, FeatureWeights};

/// A position and a task for a beam.
#[derive(PartialEq, Debug)]
pub struct BeamSetting {
    /// The name in reports.
    pub name: &'static str,
    /// Whether the beam begins eight turns later instead of on the empty field.
    pub is_later: bool,
    /// Rows that fall from the second ply on.
    pub rows: u64,
    /// The drops of the beam are divided by this: in a game, less time is left under rows.
    pub divisor: u64,
    /// The number of turns that are searched.
    pub depth: usize,
    /// The plies whose longest chains are averaged: before them chains are rare.
    pub plies: Range<usize>,
    /// The outer columns on each side in which nothing is dropped.
    closed: u8,
}

/// The opening of a game, the time of the first attacks, and the time after an attack has arrived.
pub static BEAM_SETTINGS: [BeamSetting; 3] = [
    BeamSetting {
        name: "empty",
        is_later: false,
        rows: 0,
        divisor: 1,
        depth: 16,
        plies: 6..16,
        closed: 2,
    },
    BeamSetting {
        name: "turn 8",
        is_later: true,
        rows: 0,
        divisor: 1,
        depth: 16,
        plies: 2..14,
        closed: 0,
    },
    BeamSetting {
        name: "rows",
        is_later: true,
        rows: 8,
        divisor: 10,
        depth: 11,
        plies: 2..11,
        closed: 0,
    },
];

/// Drops on the empty field before a later setting begins.
const LATER: usize = 8;

/// The weights of [`plain`], in the order of [`beam::NAMES`].
pub const PLAIN: [f64; FEATURES] = [4.0, -1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];

impl BeamSetting {
    /// The drop columns that are tried.
    pub const fn columns(&self) -> DropColumns {
        DropColumns::without_sides(self.closed)
    }

    /// The first turn of the beam.
    pub const fn turn(&self) -> usize {
        if self.is_later { LATER } else { 0 }
    }

    /// Returns the mean of `chains` (by turn) over [`Self::plies`], in rounds.
    pub fn mean(&self, chains: &[u8]) -> f64 {
        let chains = chains.iter().skip(self.plies.start).take(self.plies.len());
        chains.map(|&chain| f64::from(chain)).sum::<f64>() / self.plies.len() as f64
    }
}

/// Returns weights that use only blocks and steps, and do not depend on the learned weights.
pub fn plain() -> FeatureWeights {
    FeatureWeights::new(PLAIN)
}

/// Returns the field after the first eight drops towards the longest chain that a beam with
/// [`plain`] weights and `drops` drops finds from the empty field; fewer drops if the chain comes
/// earlier.
pub fn later_field(packs: &Packs, drops: u64) -> Field {
    let request = request(&BEAM_SETTINGS[0], packs, 0, Field::EMPTY);
    let found = beam::search_by(&plain(), &request, &Budget::new(drops, None));
    let longest = found.attacks.iter().flatten().max_by_key(|attack| attack.chain);
    let path = longest.map_or(&[][..], |attack| &attack.path[..LATER.min(attack.ply())]);
    let walk = beam::walk(Field::EMPTY, request.packs, path, request.rain);
    walk.last().map_or(Field::EMPTY, |dropped| dropped.field)
}

/// A field of a measurement.
#[derive(Clone, PartialEq, Debug)]
pub struct BeamField {
    /// Where the beam begins.
    pub setting: &'static BeamSetting,
    /// The seed of the packs.
    pub seed: u64,
    /// The turn of the first pack.
    pub turn: usize,
    /// The field.
    pub field: Field,
}

impl BeamField {
    /// The request of a beam on this field; `packs` are those of the seed.
    pub fn request<'a>(&self, packs: &'a Packs) -> BeamRequest<'a> {
        request(self.setting, packs, self.turn, self.field)
    }

    /// The beam on this field, with `drops` drops divided by the divisor of the setting.
    pub fn task(&self, drops: u64) -> BeamTask {
        BeamTask {
            seed: self.seed,
            turn: self.turn,
            field: self.field.to_cells().to_string(),
            rows: self.setting.rows,
            depth: self.setting.depth,
            closed: self.setting.closed,
            drops: (drops / self.setting.divisor).max(1),
        }
    }
}

/// Returns the fields of all settings for packs of the given seeds, each with its later field.
fn set(later: &[(u64, Field)]) -> Vec<BeamField> {
    let of_setting = |setting: &'static BeamSetting| {
        later.iter().map(move |&(seed, later)| {
            let field = if setting.is_later { later } else { Field::EMPTY };
            BeamField { setting, seed, turn: setting.turn(), field }
        })
    };
    BEAM_SETTINGS.iter().flat_map(of_setting).collect()
}

/// Returns the standing set: 112 packs, each with the empty field, a field of turn 8, and the same
/// field under rows. It stays as it is when the beam changes.
///
/// The later fields are those of [`later_field`] with a million drops, made by the test
/// `the_standing_set_is_written` and stored, because they would differ with another beam.
pub fn standing_set() -> Vec<BeamField> {
    let later = |line: &str| {
        let (seed, drawing) = line.split_once(' ').expect("a seed and a field");
        let field = drawing.replace('/', "\n").parse().expect("a field");
        (seed.parse().expect("a seed"), field)
    };
    let later: Vec<(u64, Field)> = include_str!("../beam_fields.txt").lines().map(later).collect();
    set(&later)
}

/// Returns other fields than those of [`standing_set`], as many: the packs have the seeds from
/// `seed` on, and the later fields come from beams of this program with `drops` drops.
pub fn drawn_set(seed: u64, drops: u64) -> Vec<BeamField> {
    let seeds = (0..standing_set().len() / BEAM_SETTINGS.len())
        .map(|index| seed.wrapping_add(index as u64));
    let later = |seed| (seed, later_field(&Packs::from_seed(seed), drops));
    set(&seeds.map(later).collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::fmt::Write as _;

    use super::*;

    /// The seed of the first packs of the standing set; `learn` uses seeds of one and two million.
    const FIRST: u64 = 3_000_000;

    /// The drops of the beams that build the later fields of the standing set.
    const DROPS_OF_THE_SET: u64 = 1_000_000;

    /// The number of packs of the standing set.
    const PACKS: u64 = 112;

    /// `cargo test --release --lib the_standing_set_is_written -- --ignored` writes the file anew.
    #[test]
    #[ignore = "writes src/dev/beam_fields.txt, which other versions are compared on"]
    fn the_standing_set_is_written() {
        let mut text = String::new();
        for seed in FIRST..FIRST + PACKS {
            let field = later_field(&Packs::from_seed(seed), DROPS_OF_THE_SET);
            let drawing = field.to_cells().to_string();
            let rows = drawing.lines().filter(|row| row.chars().any(|cell| cell != '.'));
            let _ = writeln!(text, "{seed} {}", rows.collect::<Vec<_>>().join("/"));
        }
        std::fs::write("src/dev/beam_fields.txt", text).unwrap();
    }

    #[test]
    fn the_standing_set_has_at_least_300_different_fields() {
        let fields = standing_set();
        assert!(fields.len() >= 300, "{}", fields.len());
        let seen: HashSet<_> =
            fields.iter().map(|field| (field.setting.name, field.seed)).collect();
        assert_eq!(seen.len(), fields.len());
        for BeamField { setting, field, turn, .. } in fields {
            assert_eq!((field == Field::EMPTY, turn == 0), (!setting.is_later, !setting.is_later));
            assert!(!field.is_over() && !field.is_unstable());
        }
    }

    #[test]
    fn drawn_fields_are_reached_by_eight_drops() {
        let fields = drawn_set(7, 500);
        assert_eq!(fields.len(), standing_set().len());
        let later: Vec<_> = fields.iter().filter(|field| field.setting.is_later).collect();
        assert!(later.iter().all(|field| field.field.blocks() <= 32));
        assert!(later.iter().any(|field| field.field != Field::EMPTY));
        assert_eq!(drawn_set(7, 500)[150], fields[150]);
    }
}
