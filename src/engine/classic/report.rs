//! The engine's report of a decision, beyond the report of every engine.

use serde::Serialize;

use crate::game::Stock;

/// The part `classic` of an `info` line. Values are in ojama; absent parts are left out.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ClassicReport {
    /// The kind of turn: `opening`, the plan is played without a search; `plan`, the plan is
    /// compared with the best move; `later`; `skill`, chains have been given up; `short`, too
    /// little time for beams; `fallback`, too little time for any search.
    pub phase: &'static str,
    /// Why the plan was dropped before this turn or in it: `ojama`, `field`, `better move`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dropped: Option<&'static str>,
    /// The beam whose move is considered: the opening's, a later turn's or the skill's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub beam: Option<BeamReport>,
    /// The opponent's beam.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub opponent_beam: Option<BeamReport>,
    /// The opponent's tables under the rain that is due, by ply.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tables: Vec<TableReport>,
    /// The test of attacking first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub attack: Option<AttackReport>,
    /// Whether the skill is the aim.
    pub skill_mode: bool,
    /// The beam's or the plan's move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub beam_move: Option<String>,
    /// The value of the beam's or the plan's move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub beam_value: Option<f64>,
    /// The best move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub best_move: Option<String>,
    /// The value of the best move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub best_value: Option<f64>,
    /// The ojama of the counterattack within seven turns of the beam's move, by the ply, from 1, of
    /// the opponent's attack; 0 without a counterattack.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answers: Option<[Stock; 4]>,
    /// Plies of the own exhaustive search.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub own_plies: Option<usize>,
    /// Plies of the opponent's exhaustive search.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub opponent_plies: Option<usize>,
    /// Ojama that kill the opponent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lethal: Option<Stock>,
    /// `sure` or `near`, if the value of the best move is that of a kill.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kill: Option<&'static str>,
    /// Positions that were reached again in the opponent's search and in the own search.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hits: Option<[u64; 2]>,
    /// Milliseconds by part.
    pub ms: ClassicTimes,
}

/// The report of a beam.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct BeamReport {
    /// The drops to its best field.
    pub path: Vec<String>,
    /// The value of that field, in the beam's own measure.
    pub value: i64,
    /// The target, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target: Option<u8>,
    /// Turns after which the target can be set off.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target_depth: Option<usize>,
    /// The longest chain by depth, from 0.
    pub longest: Vec<u8>,
    /// Fields in the widest layer.
    pub widest: usize,
    /// Whether time or drops ran out.
    pub cut: bool,
    /// Fields that were reached again.
    pub hits: u64,
}

/// The report of a ply of the opponent's tables.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct TableReport {
    /// Whether the opponent can survive the ply.
    pub alive: bool,
    /// The opponent's longest chain.
    pub chain: u8,
    /// The most ojama that the opponent's skill sends, without its chain.
    pub skill_sent: Stock,
    /// The most ojama sent up to and including this ply.
    pub sent: Stock,
    /// The fewest blocks on the opponent's field, including ojama.
    pub blocks: u16,
    /// The fewest ojama on the opponent's field.
    pub ojama: u16,
    /// The most blocks that the opponent's skill could blow up.
    pub explosion: u16,
    /// The number of rains searched up to this ply.
    pub rains: usize,
}

/// The test of attacking first.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct AttackReport {
    /// Our longest chain now.
    pub c1: u8,
    /// The opponent's longest chain now.
    pub c2: u8,
    /// The opponent's longest chain within five turns.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub c3: Option<u8>,
    /// The opponent's longest chain within ten turns under our attack.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub c4: Option<u8>,
    /// The value that the test adds to first actions, in ojama.
    pub bonus: f64,
}

/// Milliseconds by part.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ClassicTimes {
    /// The beam whose move is considered.
    pub beam: u64,
    /// The opponent's beam.
    pub opponent_beam: u64,
    /// The beams of the test of attacking first.
    pub attack: u64,
    /// The opponent's exhaustive search.
    pub tables: u64,
    /// The beams of the counterattacks.
    pub answers: u64,
    /// The own exhaustive search.
    pub own: u64,
}
