//! The engine's report of a decision, from the results of its stages: the report of every engine,
//! and the part that only this engine has.

use serde::Serialize;

use super::beam::ClassicBeamResult;
use super::kill::Kill;
use super::plan::OpeningPlan;
use super::stage_results::{AttackTest, ClassicStages, FoundTables, Phase};
use crate::engine::{ActionSource, Report, RootMoveReport};
use crate::game::{Action, Chain, Placement, Stock};
use crate::search::{Ojama, OjamaHundredths, OjamaTenths, Rain};

/// The part `classic` of an `info` line. Values are in ojama; absent parts are left out.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ClassicReport {
    /// The kind of turn: `opening`, the plan is played without a search; `plan`, the plan is
    /// compared with the best move; `later`; `skill`, chains have been given up; `short`, too
    /// little time for beams; `fallback`, too little time for any search.
    #[cfg_attr(test, schemars(with = "String"))]
    pub phase: Phase,
    /// Why the plan was dropped before this turn or in it: `ojama`, `field`, `better move`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "Option<String>"))]
    pub dropped: Option<PlanDrop>,
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
    #[cfg_attr(test, schemars(with = "Option<String>"))]
    pub kill: Option<Kill>,
    /// Positions that were reached again in the opponent's search and in the own search.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hits: Option<[u64; 2]>,
    /// Milliseconds by part.
    pub ms: ClassicTimes,
}

/// Why the plan of the opening was dropped.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum PlanDrop {
    /// A row of ojama falls.
    Ojama,
    /// The field is not the expected one.
    Field,
    /// The searches found a better move.
    #[serde(rename = "better move")]
    BetterMove,
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

/// Values from this on are kills: the smallest is a near kill in the last turn.
const NEAR_KILL: OjamaHundredths = OjamaHundredths::of_ojama(100_000_000);

/// Values from this on are sure kills.
const SURE_KILL: OjamaHundredths = OjamaHundredths::of_ojama(4_000_000_000);

/// The number of first actions in the report.
const CANDIDATES: usize = 6;

impl BeamReport {
    /// Creates the report of a beam's result.
    fn new(result: &ClassicBeamResult, target: Option<Chain>) -> Self {
        Self {
            path: result.path.iter().map(|drop| format!("{drop:?}")).collect(),
            value: result.value,
            target: target.map(|chain| chain.0),
            target_depth: result.target_depth,
            longest: result.longest.iter().map(|chain| chain.0).collect(),
            widest: result.widest,
            cut: result.cut,
            hits: result.hits,
        }
    }
}

impl AttackReport {
    /// Creates the report of the test.
    fn new(test: &AttackTest) -> Self {
        let chains = &test.chains;
        let bonus = test.adjustment().map_or_else(OjamaHundredths::default, |(_, value)| value);
        Self {
            c1: chains.c1.0,
            c2: chains.c2.0,
            c3: chains.c3.map(|chain| chain.0),
            c4: chains.c4.map(|chain| chain.0),
            bonus: ojama(bonus),
        }
    }
}

impl TableReport {
    /// Creates the reports of the opponent's tables, by ply, under the rain that the opponent's
    /// stock alone makes fall.
    fn all(FoundTables { tables, stock, .. }: &FoundTables) -> Vec<Self> {
        let rain = Rain::of_stock(*stock);
        let ply = |ply: usize| {
            let worst = tables.any(ply, rain);
            Self {
                alive: worst.alive,
                chain: worst.chain.0,
                skill_sent: worst.skill_sent,
                sent: worst.sent,
                blocks: worst.blocks,
                ojama: worst.ojama,
                explosion: worst.explosion,
                rains: Rain::all(ply).filter(|&rain| tables.has(ply, rain)).count(),
            }
        };
        (0..tables.plies()).filter(|&at| tables.has(at, rain)).map(ply).collect()
    }
}

/// Converts a value to ojama.
fn ojama(value: OjamaHundredths) -> f64 {
    Ojama::from(value).0
}

/// The circumstances of a decision.
pub struct ClassicEffort {
    /// The turn, 0 to 499.
    pub turn: usize,
    /// Why the plan was dropped before the turn.
    pub dropped: Option<PlanDrop>,
    /// The target of the opening beam.
    pub target: Chain,
    /// Simulated drops.
    pub nodes: u64,
    /// Time of the decision, in milliseconds.
    pub time_ms: u64,
}

/// Builds the report on the decision for `action`, which `source` found.
pub fn build(
    stages: &ClassicStages,
    (action, source): (Action, ActionSource),
    effort: &ClassicEffort,
) -> Report {
    let plan: Vec<String> = stages.plan.iter().flat_map(OpeningPlan::path).map(in_text).collect();
    let candidates = stages.root_moves().into_iter().flat_map(|found| &found.moves);
    let candidates = candidates.take(CANDIDATES).map(|root_move| RootMoveReport {
        action: root_move.action.to_string(),
        value: OjamaTenths::from(root_move.value),
    });
    Report {
        turn: effort.turn,
        action: action.to_string(),
        source,
        value: stages.choice.map(|choice| OjamaTenths::from(choice.played.value)),
        best_value: stages.choice.map(|choice| OjamaTenths::from(choice.best.value)),
        candidates: candidates.collect(),
        depth: stages.choice.and(stages.root_moves()).map(|found| found.plies),
        plan_turn: stages.plan.is_some().then(|| effort.turn + plan.len()),
        plan,
        classic: Some(Box::new(ClassicReport::new(stages, action, effort))),
        nodes: effort.nodes,
        time_ms: effort.time_ms,
        ..Report::default()
    }
}

/// A drop as the protocol writes it.
fn in_text(drop: Placement) -> String {
    Action::Drop(drop).to_string()
}

impl ClassicReport {
    fn new(stages: &ClassicStages, action: Action, effort: &ClassicEffort) -> Self {
        let ClassicStages { opening, attack_test, opponent, beams, answers, own, choice, .. } =
            stages;
        let is_left = stages.plan.as_ref().is_some_and(|plan| plan.action() != action);
        let of_opening = opening.as_ref().map(|beam| (beam, Some(effort.target)));
        let own_beam = beams.as_ref().map(|beams| (&beams.own, None)).or(of_opening);
        let opponent_beam = beams.as_ref().and_then(|beams| beams.opponents.as_ref());
        let tables = opponent.found.as_ref();
        let root_moves = stages.root_moves();
        Self {
            phase: stages.phase,
            dropped: if is_left { Some(PlanDrop::BetterMove) } else { effort.dropped },
            beam: own_beam.map(|(beam, target)| BeamReport::new(&beam.result, target)),
            opponent_beam: opponent_beam.map(|beam| BeamReport::new(&beam.result, None)),
            tables: tables.map(TableReport::all).unwrap_or_default(),
            attack: attack_test.as_ref().map(AttackReport::new),
            skill_mode: stages.skill_mode.is_some(),
            beam_move: stages.beam_move.map(|action| action.to_string()),
            beam_value: choice.and_then(|choice| choice.beam_value).map(ojama),
            best_move: choice.map(|choice| choice.best.action.to_string()),
            best_value: choice.map(|choice| ojama(choice.best.value)),
            answers: answers.as_ref().map(|answers| {
                let [_, answers @ ..] = answers.result;
                answers
            }),
            own_plies: root_moves.map(|found| found.plies),
            opponent_plies: tables.map(|found| found.tables.plies()),
            lethal: own.as_ref().map(|own| own.lethal),
            kill: choice.and_then(|choice| kill(choice.best.value)),
            hits: tables.map(|found| [found.hits, root_moves.map_or(0, |moves| moves.hits)]),
            ms: ClassicTimes::of(stages),
        }
    }
}

impl ClassicTimes {
    fn of(stages: &ClassicStages) -> Self {
        let ClassicStages { opening, attack_test, opponent, beams, answers, own, .. } = stages;
        let opening = opening.as_ref().map_or(0, |beam| beam.ms);
        let opponents = beams.as_ref().and_then(|beams| beams.opponents.as_ref());
        Self {
            beam: opening + beams.as_ref().map_or(0, |beams| beams.own.ms),
            opponent_beam: opponents.map_or(0, |beam| beam.ms),
            attack: attack_test.as_ref().map_or(0, |test| test.ms),
            tables: opponent.ms,
            answers: answers.as_ref().map_or(0, |answers| answers.ms),
            own: own.as_ref().map_or(0, |own| own.ms),
        }
    }
}

/// The kill that `value` stands for.
fn kill(value: OjamaHundredths) -> Option<Kill> {
    match value {
        sure if sure >= SURE_KILL => Some(Kill::Sure),
        near if near >= NEAR_KILL => Some(Kill::Near),
        _ => None,
    }
}
