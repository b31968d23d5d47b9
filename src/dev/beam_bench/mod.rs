//! The chains that a beam finds as a function of time, and the race of two programs.
//!
//! * [`BeamSetting`]: where a beam begins, and which of its chains are measured;
//! * [`standing_set`], [`drawn_set`]: the fields of the measurement;
//! * [`BeamTask`], [`Found`]: one beam, and its chains and time;
//! * [`race`]: programs in turns, field by field;
//! * [`MeanCurve`], [`ratios`]: chains by time, and the ratio of times at equal chains;
//! * [`svg`]: the picture of chains by time.

mod chart;
mod curve;
mod fields;
mod race;

use std::time::Instant;

use serde::{Deserialize, Serialize};

use crate::board::Field;
use crate::game::{DropColumns, Packs};
use crate::search::beam::{self, BeamRequest, BeamResult, FeatureWeights};
use crate::search::{Budget, Rain};

pub use chart::svg;
pub use curve::{Curves, MeanCurve, RatioInterval, Ratios, by_setting, ratios};
pub use fields::{
    BEAM_SETTINGS, BeamField, BeamSetting, PLAIN, drawn_set, later_field, plain, standing_set,
};
pub use race::{BeamRunner, Local, Program, RaceError, race, serve};

/// The number of levels of drops at which a beam is measured.
pub const LEVELS: usize = 5;

/// The factor between the drops of two levels.
pub const STEP: u64 = 4;

/// Returns the drops of each level, the fewest first; the last level has `most`.
pub fn levels(most: u64) -> [u64; LEVELS] {
    std::array::from_fn(|level| (most / STEP.pow((LEVELS - 1 - level) as u32)).max(1))
}

/// One beam: a field, the packs and the rows that come, and a number of drops.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct BeamTask {
    /// The seed of the packs ([`Packs::from_seed`]).
    pub seed: u64,
    /// The turn of the first pack.
    pub turn: usize,
    /// The field, as a drawing.
    pub field: String,
    /// The number of rows that fall, one a turn from the second turn on.
    pub rows: u64,
    /// The number of turns to search.
    pub depth: usize,
    /// The number of outer columns on each side in which nothing is dropped.
    pub closed: u8,
    /// The drops that the beam may simulate.
    pub drops: u64,
}

/// The result of one beam.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Found {
    /// The time in seconds.
    pub seconds: f64,
    /// By turn: the longest chain up to that turn, in rounds.
    pub chains: Vec<u8>,
}

/// Returns, by turn, the longest chain up to that turn.
pub fn chains_by_turn(found: &BeamResult) -> Vec<u8> {
    let mut longest = 0;
    let by_turn = found.attacks.iter().map(|attack| {
        longest = longest.max(attack.as_ref().map_or(0, |attack| attack.chain.0));
        longest
    });
    by_turn.collect()
}

/// Returns the request of a beam in `setting` on `field`, whose first pack is that of `turn`.
fn request<'a>(
    setting: &BeamSetting,
    packs: &'a Packs,
    turn: usize,
    field: Field,
) -> BeamRequest<'a> {
    BeamRequest {
        field,
        packs: packs.from_turn(turn),
        rain: Rain::rows(1, setting.rows),
        depth: setting.depth,
        columns: setting.columns(),
    }
}

/// Returns, by turn, the longest chain that a beam with `weights` and `drops` drops finds.
///
/// Runs on the threads of the caller.
pub fn chains(
    setting: &BeamSetting,
    packs: &Packs,
    turn: usize,
    field: Field,
    weights: &FeatureWeights,
    drops: u64,
) -> Vec<u8> {
    let request = request(setting, packs, turn, field);
    chains_by_turn(&beam::search_by(weights, &request, &Budget::new(drops, None)))
}

impl BeamTask {
    /// Runs the beam on the threads of the caller.
    ///
    /// # Errors
    /// The field is no drawing of a field or has a column of more than 16 rows, the turn is beyond
    /// the packs, or more than 4 columns are closed. The message names the wrong part.
    pub fn run(&self) -> Result<Found, String> {
        let field: Field = self.field.parse().map_err(|error| format!("`field`: {error}"))?;
        if field.is_over() {
            return Err("`field`: a column is higher than 16 rows".to_owned());
        }
        if self.turn >= crate::game::TURNS {
            return Err(format!("`turn`: expected 0 to {}", crate::game::TURNS - 1));
        }
        if self.closed > 4 {
            return Err("`closed`: expected at most 4 columns".to_owned());
        }
        let packs = Packs::from_seed(self.seed);
        let request = BeamRequest {
            field,
            packs: packs.from_turn(self.turn),
            rain: Rain::rows(1, self.rows),
            depth: self.depth,
            columns: DropColumns::without_sides(self.closed),
        };
        let begin = Instant::now();
        let found = beam::search(&request, &Budget::new(self.drops, None));
        let seconds = begin.elapsed().as_secs_f64();
        Ok(Found { seconds, chains: chains_by_turn(&found) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_level_has_all_drops() {
        assert_eq!(levels(256_000), [1000, 4000, 16_000, 64_000, 256_000]);
        assert_eq!(levels(3), [1, 1, 1, 1, 3]);
    }

    #[test]
    fn a_task_finds_the_chains_of_its_beam() {
        let fields = standing_set();
        for field in [&fields[0], &fields[fields.len() / 2], &fields[fields.len() - 1]] {
            let task = field.task(3000);
            let found = task.run().unwrap();
            assert_eq!(found.chains.len(), field.setting.depth);
            assert!(found.chains.is_sorted() && found.seconds > 0.0, "{found:?}");
            assert_eq!(task.run().unwrap().chains, found.chains);
            let packs = Packs::from_seed(field.seed);
            let drops = task.drops;
            let weights = FeatureWeights::learned();
            let again = chains(field.setting, &packs, field.turn, field.field, weights, drops);
            assert_eq!(again, found.chains);
        }
    }

    #[test]
    fn a_wrong_task_is_refused() {
        let good = standing_set()[0].task(1);
        for (task, message) in [
            (BeamTask { field: "x".to_owned(), ..good.clone() }, "`field`: row 1 of the drawing"),
            (BeamTask { field: "1.........\n".repeat(17), ..good.clone() }, "`field`: a column"),
            (BeamTask { turn: 500, ..good.clone() }, "`turn`: expected 0 to 499"),
            (BeamTask { closed: 5, ..good }, "`closed`: expected at most 4"),
        ] {
            let error = task.run().unwrap_err();
            assert!(error.starts_with(message), "{error}");
        }
    }
}
