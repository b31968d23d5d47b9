//! Builds the report of a decision from the results of its stages.

use super::beam::ClassicBeamResult;
use super::plan::OpeningPlan;
use super::report::{AttackReport, BeamReport, ClassicReport, ClassicTimes, TableReport};
use super::stages::{AttackTest, ClassicStages, FoundTables};
use crate::engine::{Report, RootMoveReport};
use crate::game::{Action, Chain, Placement};
use crate::search::{Ojama, OjamaHundredths, OjamaTenths, Rain};

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
    pub dropped: Option<&'static str>,
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
    (action, source): (Action, &'static str),
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
            phase: stages.phase.name(),
            dropped: if is_left { Some("better move") } else { effort.dropped },
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

/// The name of the kill that `value` stands for.
fn kill(value: OjamaHundredths) -> Option<&'static str> {
    match value {
        sure if sure >= SURE_KILL => Some("sure"),
        near if near >= NEAR_KILL => Some("near"),
        _ => None,
    }
}
