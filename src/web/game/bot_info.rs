//! A bot's `info` about a turn, reduced to the values that the page shows.

use serde::Serialize;
use serde_json::Value;

use super::{cell_code, changes};
use crate::game::trace::{Trace, rounds_of_cells};
use crate::game::{Action, Cells, Pack, Player};
use crate::util::sanitize::visible;

/// The values of a bot's `info` that the page shows. A value that is missing, or not as the schema
/// `info.json` defines it, is left out, because any bot may write any line.
#[derive(Serialize, Debug, Default)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct BotInfo {
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<String>,
    /// The value, in tenths of an ojama.
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    depth: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    nodes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    width: Option<u64>,
    /// The chain and the turn of the plan.
    #[serde(skip_serializing_if = "Option::is_none")]
    plan_chain: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    plan_turn: Option<u64>,
    /// The expected chain of the opponent, and its turn.
    #[serde(skip_serializing_if = "Option::is_none")]
    opponent_chain: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    opponent_turn: Option<u64>,
    /// The best first actions, with their values.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    candidates: Vec<(String, f64)>,
    #[serde(skip_serializing_if = "Option::is_none")]
    plan: Option<PlannedChain>,
}

/// The planned chain by the rules: the plan's actions played from this turn's field on, with the
/// ojama in stock and without ojama from the opponent.
#[derive(Serialize, Debug)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct PlannedChain {
    /// The changes from the present field to the field on which the last pack has landed.
    changes: String,
    /// Each block that vanishes then: its cell, and its round in two digits.
    rounds: String,
    /// The chain.
    chain: usize,
    /// The actions.
    actions: Vec<String>,
}

/// The number of candidates that are shown.
const CANDIDATES: usize = 5;

/// The number of characters that are shown of a bot's text.
const LETTERS: usize = 40;

impl BotInfo {
    /// The shown values of `info`; `packs` begin with the pack of this turn.
    pub fn new(info: &Value, player: &Player<Cells>, packs: &[Pack]) -> Self {
        let number = |name: &str| info.get(name).and_then(Value::as_u64);
        let candidates = info.get("candidates").and_then(Value::as_array);
        let candidate =
            |value: &Value| Some((text(value.get("action")?)?, value.get("value")?.as_f64()?));
        let plan = info.get("plan").and_then(Value::as_array);
        Self {
            source: info.get("source").and_then(text),
            value: info.get("value").and_then(Value::as_f64),
            depth: number("depth"),
            nodes: number("nodes"),
            width: number("width"),
            plan_chain: number("plan_chain"),
            plan_turn: number("plan_turn"),
            opponent_chain: number("opponent_chain"),
            opponent_turn: number("opponent_turn"),
            candidates: candidates.map_or_else(Vec::new, |all| {
                all.iter().filter_map(candidate).take(CANDIDATES).collect()
            }),
            plan: plan.and_then(|actions| planned(actions, player, packs)),
        }
    }
}

fn text(value: &Value) -> Option<String> {
    let text = value.as_str()?;
    Some(visible(text, LETTERS).to_string())
}

/// Plays a plan; `None` if the rules do not allow it.
fn planned(actions: &[Value], player: &Player<Cells>, packs: &[Pack]) -> Option<PlannedChain> {
    let actions: Option<Vec<Action>> =
        actions.iter().map(|action| action.as_str()?.parse().ok()).collect();
    let actions = actions?;
    let (last, before) = actions.split_last()?;
    let mut at = *player;
    let mut packs = packs.iter();
    for &action in before {
        at = at.step(packs.next()?, action).ok()?.player;
        if at.field.heights().into_iter().any(|height| usize::from(height) > crate::game::HEIGHT) {
            return None;
        }
    }
    let pack = packs.next()?;
    at.step(pack, *last).ok()?;
    let trace = Trace::new(&at, pack, *last);
    let rounds = rounds_of_cells(&trace.rounds);
    let numbered = trace.acted.occupied().filter(|&(x, y, _)| rounds[x][y] > 0);
    let numbered = numbered.map(|(x, y, _)| {
        let [column, row] = cell_code((x, y));
        format!("{column}{row}{:02}", rounds[x][y])
    });
    Some(PlannedChain {
        changes: changes(&player.field, &trace.acted),
        rounds: numbered.collect(),
        chain: trace.rounds.len(),
        actions: actions.iter().map(Action::to_string).collect(),
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn unknown_values_are_left_out() {
        let shown = |info: Value| {
            let packs = [Pack::new([1, 0, 2, 9]).unwrap()];
            serde_json::to_value(BotInfo::new(&info, &Player::new(), &packs)).unwrap()
        };
        assert_eq!(
            shown(json!({ "value": "high", "depth": -1, "mood": [1], "plan": 7 })),
            json!({})
        );
        assert_eq!(shown(json!([])), json!({}));
        assert_eq!(shown(json!({ "plan": ["0 0", "fish"] })), json!({}));
        assert_eq!(shown(json!({ "plan": ["S"] })), json!({}), "the gauge is empty");
        assert_eq!(shown(json!({ "plan": ["0 0", "0 0"] })), json!({}), "packs run out");
        let plan = shown(json!({ "value": 12, "plan": ["3 0"] }));
        let expected = json!({
            "value": 12.0,
            "plan": { "changes": "3a23b14a9", "rounds": "3b014a01", "chain": 1, "actions": ["3 0"] }
        });
        assert_eq!(plan, expected);
    }
}
