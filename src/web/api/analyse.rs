//! `analyse`: plans, chains, triggers and values of a position.

use serde::{Deserialize, Serialize};

use super::client_error::ApiError;
use super::game_data::{PositionData, SeatNumber, check_stocks, checked_nodes};
use super::progress::Progress;
use crate::analysis::{
    BestAttack, SearchLimits, SearchedAgain, Trigger, best_attack, observation, outlook,
    search_again, triggers,
};
use crate::board::Field;
use crate::engine::{PlanReport, Report, potential_by_rows};
use crate::game::{Action, Cells, Chain, Placement, Player, Seat, reference};
use crate::search::Ojama;
use crate::search::alpha_beta::RootMove;
use crate::util::sanitize::quoted;

/// Parameters of `analyse`.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct AnalyseParams {
    /// The position.
    pub position: PositionData,
    /// The seat of the player whose turn is searched.
    #[serde(default)]
    pub seat: SeatNumber,
    /// Simulated drops of the decision, 1 to [`MOST_NODES`](super::MOST_NODES). Each search of
    /// attacks takes `nodes` too, each line a quarter of `nodes`.
    pub nodes: u64,
    /// The action that was played, whose value is then exact too.
    #[serde(default)]
    pub played: Option<String>,
    /// The number of the best candidates that get a line; from 37 on, all of them do.
    #[serde(default = "default_lines")]
    pub lines: usize,
}

const fn default_lines() -> usize {
    5
}

/// Result of `analyse`. `chosen`, `candidates` and `report` are those of
/// `tensai replay turn --nodes N --threads 1 --json`.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Analysis {
    /// The turn.
    pub turn: usize,
    /// The seat.
    pub seat: SeatNumber,
    /// The action of the search.
    pub chosen: String,
    /// All actions by their value, best first.
    pub candidates: Vec<CheckedMove>,
    /// Plies of the alpha-beta search.
    pub plies: usize,
    /// The data of the decision, as in the `info` line.
    pub report: Report,
    /// The longest chain of each coming turn that has one of three rounds or more: the player's,
    /// then the opponent's.
    pub attacks: [Vec<AttackLine>; 2],
    /// The player's plans, soonest first.
    pub plans: Vec<OwnPlan>,
    /// The opponent's plans, soonest first.
    pub opponent_plans: Vec<OpponentPlan>,
    /// The player's win probability, 0 to 1; none if all actions but one lose.
    pub chance: Option<f64>,
    /// The blocks that set off a chain, the longest first: the player's, then the opponent's.
    pub triggers: [Vec<TriggerReport>; 2],
    /// The potential, the longest chain that the removal of one block sets off, after 0, 1, 2 and
    /// more rows of ojama, at most 8: the player's, then the opponent's.
    pub potential_by_rows: [Vec<u8>; 2],
}

/// An action and its value by alpha-beta.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct CheckedMove {
    /// The action.
    pub action: String,
    /// Rounds of its chain.
    pub chain: u32,
    /// The value in ojama; an upper bound unless the action is the best, chosen or played one.
    pub value: f64,
    /// The actions from this one on that lead to the best attack after it. Only the first
    /// candidates have a line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<AttackLine>,
}

/// The actions that lead to a chain.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct AttackLine {
    /// The turn in which the chain is set off.
    pub turn: usize,
    /// Rounds of the chain; 0 in the line of an action without an attack after it.
    pub chain: u8,
    /// Ojama that the chain sends.
    pub sent: u64,
    /// The actions, from the turn of the position on.
    pub actions: Vec<String>,
}

/// An attack that the player may plan.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct OwnPlan {
    /// The attack.
    #[serde(flatten)]
    pub attack: AttackLine,
    /// The value, -1 (lost) to 1 (won).
    pub value: Option<f64>,
    /// The balance against each of the opponent's plans: ojama sent minus ojama sent back.
    pub balances: Vec<f64>,
    /// Against each of the opponent's plans, the most ojama that the side attacked first sends
    /// back; none if both sides attack at once and send equally much.
    pub counterattacks: Vec<Option<u64>>,
    /// The share in the equilibrium of simultaneous choice, 0 to 1.
    pub share: Option<f64>,
    /// Whether this is the plan that the search follows.
    pub followed: bool,
}

/// An attack that the opponent may plan.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct OpponentPlan {
    /// The attack.
    #[serde(flatten)]
    pub attack: AttackLine,
    /// The likelihood that bots choose it, 0 to 1.
    pub likely: Option<f64>,
    /// The share in the equilibrium of simultaneous choice, 0 to 1.
    pub share: Option<f64>,
}

/// A block on a column that sets off a chain.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct TriggerReport {
    /// Column and row on which the block comes to rest.
    pub cell: [usize; 2],
    /// The number of the block.
    pub block: u8,
    /// Rounds of the chain.
    pub chain: u8,
    /// The chain after 0, 1, 2 and more rows of ojama.
    pub chains: Vec<u8>,
    /// Rows of ojama after which less than half of the chain is left; none if it survives.
    pub buried: Option<usize>,
}

/// The part of the drops of a decision with which the line of a candidate is searched.
const PART_OF_LINE: u64 = 4;

/// The most triggers of a side.
const TRIGGERS: usize = 20;

/// The least rounds of a chain whose trigger is listed.
const SHORTEST: Chain = Chain(2);

/// Analyses a position.
pub fn analyse(params: &AnalyseParams, progress: &mut dyn Progress) -> Result<Analysis, ApiError> {
    let (state, packs) = params.position.searched()?;
    check_stocks(&state)?;
    let observation = observation(state, params.seat.into());
    let nodes = checked_nodes(params.nodes)?;
    let played = match &params.played {
        None => None,
        Some(action) => Some(action.parse::<Action>().map_err(|error| {
            ApiError::bad_request(format!("`played`: {error}, found {}", quoted(action)))
        })?),
    };
    let ahead = packs.from_turn(state.turn);
    if let (Some(played), Some(pack)) = (played, ahead.first()) {
        let step = observation.state[Seat::First].step(pack, played);
        step.map_err(|why| ApiError::illegal(format!("`played`: {why}")))?;
    }
    let (limits, control) = (SearchLimits::Nodes(nodes), progress.control());
    let thought = search_again(&observation, &packs, played, limits, control);
    let SearchedAgain { decision, plies, root_moves } = thought.ok_or_else(ApiError::stopped)?;
    let report = decision.report;
    let attacks = outlook(&observation, &packs, limits, control).map(|attacks| {
        let attacks = attacks.into_iter().flatten();
        attacks.map(|attack| AttackLine::of(state.turn, attack.chain, &attack.path)).collect()
    });
    let own: Player<Field> = observation.state[Seat::First].convert();
    let candidate = |(index, root_move): (usize, &RootMove)| CheckedMove {
        action: root_move.action.to_string(),
        chain: root_move.chain.0.into(),
        value: Ojama::from(root_move.value).0,
        line: (index < params.lines).then(|| {
            let drops = nodes / PART_OF_LINE;
            let attack = best_attack(&own, ahead, root_move.action, drops, control);
            AttackLine::after(state.turn, root_move.action, &attack)
        }),
    };
    let candidates = root_moves.iter().enumerate().map(candidate).collect();
    if control.is_stopped() {
        return Err(ApiError::stopped());
    }
    let players = &observation.state.players;
    Ok(Analysis {
        turn: state.turn,
        seat: params.seat,
        chosen: decision.action.to_string(),
        candidates,
        plies,
        attacks,
        plans: report.plans.iter().map(|plan| OwnPlan::of(state.turn, plan, &report)).collect(),
        opponent_plans: report
            .opponent_plans
            .iter()
            .map(|plan| OpponentPlan::of(state.turn, plan))
            .collect(),
        chance: report.chance.map(|chance| chance.0),
        triggers: players.each_ref().map(|player| listed_triggers(&player.field)),
        potential_by_rows: players
            .each_ref()
            .map(|player| potential_by_rows(&Field::from_cells(&player.field))),
        report,
    })
}

impl AttackLine {
    /// The line of an attack whose first drop is that of `turn`.
    fn of(turn: usize, chain: Chain, path: &[Placement]) -> Self {
        Self {
            turn: turn + path.len().saturating_sub(1),
            chain: chain.0,
            sent: chain.ojama(),
            actions: Action::drops(path).map(|drop| drop.to_string()).collect(),
        }
    }

    /// The line of an action in `turn` and of the attack after it.
    fn after(turn: usize, action: Action, attack: &BestAttack) -> Self {
        let path = Action::drops(&attack.path);
        Self {
            turn: turn + attack.ply,
            chain: attack.chain.0,
            sent: attack.chain.ojama(),
            actions: [action].into_iter().chain(path).map(|action| action.to_string()).collect(),
        }
    }
}

impl OwnPlan {
    fn of(turn: usize, plan: &PlanReport, report: &Report) -> Self {
        let attack = AttackLine::of(turn, Chain(plan.chain), &plan.path);
        Self {
            followed: !attack.actions.is_empty() && attack.actions == report.plan,
            attack,
            value: plan.value.map(|value| value.0),
            balances: plan.balances.iter().map(|balance| balance.0).collect(),
            counterattacks: plan.counterattacks.clone(),
            share: plan.share.map(|share| share.0),
        }
    }
}

impl OpponentPlan {
    fn of(turn: usize, plan: &PlanReport) -> Self {
        Self {
            attack: AttackLine::of(turn, Chain(plan.chain), &plan.path),
            likely: plan.likely.map(|likely| likely.0),
            share: plan.share.map(|share| share.0),
        }
    }
}

/// The triggers of a field, the longest chains first.
fn listed_triggers(field: &Cells) -> Vec<TriggerReport> {
    let mut stable = *field;
    reference::run_chain(&mut stable);
    let heights = stable.heights();
    let report = |trigger: &Trigger| TriggerReport {
        cell: [trigger.column, heights[trigger.column].into()],
        block: trigger.number.get(),
        chain: trigger.chain().0,
        chains: trigger.chains.iter().map(|chain| chain.0).collect(),
        buried: trigger.buried_by(),
    };
    triggers(field, SHORTEST).iter().take(TRIGGERS).map(report).collect()
}
