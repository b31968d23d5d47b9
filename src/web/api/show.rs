//! `show`: the turns of a game for the player of a page.

use serde::{Deserialize, Serialize};

use super::client_error::ApiError;
use super::convert::record_of;
use super::game_data::{GameData, PositionData, StartedGame};
use crate::game::{End, Verdict};
use crate::record::{JsonText, Record};
use crate::web::game::PageGame;

/// Parameters of `show`.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ShowParams {
    /// The game.
    pub game: GameData,
    /// The first turn to show; the first turn of the game if it is left out.
    #[serde(default)]
    pub from_turn: Option<usize>,
    /// The bots' `info` in each turn of the game, as `import` returns it.
    #[serde(default)]
    pub info: Vec<[Option<JsonText>; 2]>,
}

/// Result of `show`: the fields of a page's game, and these.
#[derive(Serialize, Debug)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ShowResult {
    /// The game, as `tensai record page` embeds it.
    #[serde(flatten)]
    pub game: PageGame,
    /// The position after the last shown turn.
    pub position: PositionData,
    /// Whether all actions are allowed. If one is not, the turns before it are shown.
    pub legal: bool,
    /// The turn and the reason of an action that is not allowed.
    pub problem: Option<String>,
    /// How the game ended, if it did.
    pub over: Option<Over>,
}

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Over {
    /// The result; none if the packs of a custom position are used up.
    pub verdict: Option<Verdict>,
    /// The seat of the winner; none for a draw.
    pub winner: Option<usize>,
    /// The reason.
    pub reason: OverReason,
}

/// Why a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum OverReason {
    /// A player has a block above row 16.
    DangerLine,
    /// All 500 turns were played.
    LastTurn,
    /// The referee ended the recorded game, because one player was proven to lose.
    Adjudication,
    /// The packs of a custom position are used up.
    NoPacks,
    /// A fault of a recorded player.
    Fault,
}

/// Shows a game.
pub fn show(params: &ShowParams) -> Result<ShowResult, ApiError> {
    let game = StartedGame::up_to_a_problem(&params.game)?;
    let record = record_of(&params.game, &game, &params.info);
    let first = game.start.turn;
    let last = game.state().turn;
    let from = params.from_turn.unwrap_or(first);
    if !(first..=last).contains(&from) {
        let reason = format!("`from_turn`: expected {first} to {last}, found {from}");
        return Err(ApiError::bad_request(reason));
    }
    let (start, turns) = (&game.start, &game.turns);
    let page = PageGame::of_turns(&record, 1, &game.packs, start, turns, from - first);
    let mut page = page.map_err(ApiError::internal)?;
    if params.game.details.is_none() {
        page.forget_clocks();
    }
    let packs = game.packs.from_turn(last);
    Ok(ShowResult {
        game: page,
        position: PositionData::of(game.state(), packs, game.seed),
        legal: game.problem.is_none(),
        over: Over::of(&game, &record),
        problem: game.problem,
    })
}

impl Over {
    /// How a game ended.
    fn of(game: &StartedGame, record: &Record) -> Option<Self> {
        let over = |reason, verdict| {
            let winner = match verdict {
                Some(Verdict::Win(seat)) => Some(seat.index()),
                _ => None,
            };
            Some(Self { verdict, winner, reason })
        };
        let result = &record.result;
        match result.end {
            Some(End::DangerLine) => over(OverReason::DangerLine, Some(result.verdict)),
            Some(End::LastTurn) => over(OverReason::LastTurn, Some(result.verdict)),
            Some(End::Adjudication) => over(OverReason::Adjudication, Some(result.verdict)),
            None if result.faults != [None, None] => over(OverReason::Fault, Some(result.verdict)),
            None if game.packs.from_turn(game.state().turn).is_empty() => {
                over(OverReason::NoPacks, None)
            }
            None => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::game::{Packs, State};
    use crate::web::api::game_data::packs_text;

    fn shown(game: Value, from: Option<usize>) -> Result<Value, ApiError> {
        let params = json!({ "game": game, "from_turn": from });
        show(&serde_json::from_value(params).unwrap())
            .map(|result| serde_json::to_value(result).unwrap())
    }

    fn game(actions: &[[&str; 2]]) -> Value {
        let packs = packs_text(Packs::from_seed(3).from_turn(0));
        json!({ "packs": packs, "seed": 3, "actions": actions, "names": ["a", ""] })
    }

    #[test]
    fn a_later_part_begins_with_its_state() {
        let game = game(&[["0 0", "8 3"], ["4 1", "4 2"], ["5 0", "2 0"]]);
        let whole = shown(game.clone(), None).unwrap();
        let part = shown(game, Some(2)).unwrap();
        assert_eq!((&whole["start"], &part["start"]["turn"]), (&Value::Null, &json!(2)));
        assert_eq!(whole["turns"][2], part["turns"][0]);
        assert_eq!(whole["names"], json!(["a", "player 1"]));
        assert_eq!(whole["time"], json!([null, null]));
        for key in ["position", "longest", "scores", "outcome"] {
            assert_eq!(whole[key], part[key], "{key}");
        }
        assert_eq!(whole["position"]["turn"], 3);
        assert_eq!((&whole["position"]["seed"], &whole["over"]), (&json!(3), &Value::Null));
        let packs = whole["packs"].as_str().unwrap();
        assert_eq!(part["packs"], packs[8..]);
        assert_eq!(whole["position"]["packs"], packs[12..]);
    }

    #[test]
    fn an_illegal_action_ends_the_shown_turns() {
        let result = shown(game(&[["0 0", "8 3"], ["S", "fish"]]), None).unwrap();
        assert_eq!(result["legal"], false);
        let expected =
            "turn 1: player 1: expected `POSITION ROTATION` (0 to 8, 0 to 3) or `S`, found `fish`";
        assert_eq!(result["problem"], expected);
        assert_eq!(result["turns"].as_array().unwrap().len(), 1);
        let refused = shown(game(&[]), Some(1)).unwrap_err();
        assert_eq!(refused.message, "`from_turn`: expected 0 to 0, found 1");
    }

    #[test]
    fn games_end_by_the_rules_or_without_packs() {
        let tower: Vec<[&str; 2]> = vec![["0 0", "8 0"]; 40];
        let result = shown(game(&tower), None).unwrap();
        assert_eq!(result["over"]["reason"], "danger-line");
        assert_eq!(result["legal"], false, "turns after the end are not played");

        let mut start = PositionData::of(&State::new(), &[], None);
        start.turn = 7;
        let game = json!({ "packs": "12341230", "start": start, "actions": [["0 0", "0 0"]] });
        let result = shown(game.clone(), None).unwrap();
        assert_eq!(result["over"], Value::Null);
        assert_eq!(
            (&result["start"]["turn"], &result["turns"][0]["actions"][0]),
            (&json!(7), &json!("0 0"))
        );
        let mut ended = game;
        ended["actions"] = json!([["0 0", "0 0"], ["1 0", "1 0"]]);
        let result = shown(ended, None).unwrap();
        assert_eq!(
            result["over"],
            json!({ "verdict": null, "winner": null, "reason": "no-packs" })
        );
        assert_eq!(result["outcome"], "cut short after 2 turns");
    }
}
