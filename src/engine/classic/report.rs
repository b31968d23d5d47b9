//! What the engine says about a decision, beyond what every engine says.

use std::time::Instant;

use serde::Serialize;

use super::beam::Answer;
use super::evaluation::{OJAMA, Value};
use super::first_attack::{Advice, Chains};
use super::opponent::{Rows, Tables};
use crate::game::{Chain, OJAMA_ROW, Stock};

/// The part `classic` of an `info` line. Values are in ojama; absent parts are left out.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct ClassicReport {
    /// What kind of turn it is: `opening`, the plan is played without question; `plan`, with
    /// question; `later`; `skill`, chains have been given up; `short`, time is too short for
    /// beams; `safe`, too short for anything.
    pub phase: &'static str,
    /// Why the plan was dropped before this turn or in it: `ojama`, `field`, `better move`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dropped: Option<&'static str>,
    /// The beam whose move is considered: of the opening, of later turns or for the skill.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub beam: Option<BeamReport>,
    /// The opponent's beam.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rival_beam: Option<BeamReport>,
    /// The opponent's tables under the rain that is due, by ply.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tables: Vec<TableReport>,
    /// The test of attacking first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub attack: Option<AttackReport>,
    /// Whether the skill is aimed at.
    pub skill_mode: bool,
    /// The beam's or the plan's move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub beam_move: Option<String>,
    /// Its value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub beam_value: Option<f64>,
    /// The best move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub best_move: Option<String>,
    /// Its value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub best_value: Option<f64>,
    /// The ojama that the beam's move answers with within seven turns if the opponent attacks
    /// first at ply 1, 2, 3, 4; 0 where it cannot.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answers: Option<[Stock; 4]>,
    /// Plies of the own exhaustive search.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub own_plies: Option<usize>,
    /// Plies of the opponent's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rival_plies: Option<usize>,
    /// Ojama that kill the opponent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lethal: Option<Stock>,
    /// `sure` or `near`, if the best move is worth a kill.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kill: Option<&'static str>,
    /// Positions met again in the opponent's search, and in the own one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hits: Option<[u64; 2]>,
    /// Milliseconds by part.
    pub ms: Times,
}

/// A beam.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
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
    /// Whether time ran out.
    pub cut: bool,
    /// Fields met again.
    pub hits: u64,
}

/// A ply of the opponent's tables.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct TableReport {
    /// Whether it can survive the ply.
    pub alive: bool,
    /// Its longest chain.
    pub chain: u8,
    /// The most that its skill sends.
    pub skill_sent: Stock,
    /// The most ojama sent until then.
    pub sent: Stock,
    /// The fewest blocks on its field, ojama among them.
    pub blocks: u16,
    /// The ojama among them.
    pub ojama: u16,
    /// The most blocks that its skill could blow up.
    pub explosion: u16,
    /// Rains looked at up to this ply.
    pub rains: usize,
}

/// The test of attacking first.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct AttackReport {
    /// Our longest chain now.
    pub c1: u8,
    /// The opponent's.
    pub c2: u8,
    /// The opponent's within five turns.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub c3: Option<u8>,
    /// The opponent's within ten turns under our attack.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub c4: Option<u8>,
    /// What is added to first actions that attack.
    pub bonus: f64,
}

/// Milliseconds by part.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize)]
pub struct Times {
    /// The beam whose move is considered.
    pub beam: u64,
    /// The opponent's beam.
    pub rival_beam: u64,
    /// The beams of the test of attacking first.
    pub attack: u64,
    /// The opponent's exhaustive search.
    pub tables: u64,
    /// The beams of the answers.
    pub answers: u64,
    /// The own exhaustive search.
    pub own: u64,
}

impl BeamReport {
    /// The report of a beam.
    pub fn new(answer: &Answer, target: Option<Chain>) -> Self {
        Self {
            path: answer.path.iter().map(|drop| format!("{drop:?}")).collect(),
            value: answer.value,
            target: target.map(|chain| chain.0),
            target_depth: answer.target_depth,
            longest: answer.longest.iter().map(|chain| chain.0).collect(),
            widest: answer.widest,
            cut: answer.cut,
            hits: answer.hits,
        }
    }
}

impl AttackReport {
    /// The report of the test.
    pub fn new(chains: &Chains, advice: &Advice) -> Self {
        let bonus = advice.adjustment(chains.c1).map_or(0, |(_, value)| value);
        Self {
            c1: chains.c1.0,
            c2: chains.c2.0,
            c3: chains.c3.map(|chain| chain.0),
            c4: chains.c4.map(|chain| chain.0),
            bonus: ojama(bonus),
        }
    }
}

/// The tables under the rain that a stock makes fall if nothing is added to it.
pub fn tables(tables: &Tables, stock: Stock) -> Vec<TableReport> {
    let due = (stock / OJAMA_ROW).min(7);
    let rows = ((1u16 << due) - 1) as Rows;
    let ply = |ply: usize| {
        let worst = tables.any(ply, rows);
        TableReport {
            alive: worst.alive,
            chain: worst.chain.0,
            skill_sent: worst.skill_sent,
            sent: worst.sent,
            blocks: worst.blocks,
            ojama: worst.ojama,
            explosion: worst.explosion,
            rains: (0..2 << ply).filter(|&rows| tables.has(ply, rows as Rows)).count(),
        }
    };
    (0..tables.plies()).filter(|&at| tables.has(at, rows)).map(ply).collect()
}

/// A value in ojama.
pub fn ojama(value: Value) -> f64 {
    value as f64 / OJAMA as f64
}

/// Runs a part and books its milliseconds.
pub fn timed<T>(ms: &mut u64, part: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let result = part();
    *ms += u64::try_from(start.elapsed().as_millis()).unwrap_or(u64::MAX);
    result
}
