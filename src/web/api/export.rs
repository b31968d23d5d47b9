//! `export`: the file of a game.

use serde::{Deserialize, Serialize};

use super::client_error::ApiError;
use super::convert::record_of;
use super::game_data::{GameData, SeatNumber, StartedGame};
use crate::analysis::Situation;
use crate::game::{Seat, TURNS};
use crate::record::{JsonText, Record, json_line};
use crate::util::clock;

/// Parameters of `export`.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ExportParams {
    /// The game.
    pub game: GameData,
    /// The kind of the file.
    pub kind: ExportKind,
    /// The turn of a situation; the turn after the last one if it is left out.
    #[serde(default)]
    pub turn: Option<usize>,
    /// The seat whose input is written, or whose player comes first in a situation.
    #[serde(default)]
    pub seat: SeatNumber,
    /// The bots' `info` in each turn, for a record, as `import` returns it.
    #[serde(default)]
    pub info: Vec<[Option<JsonText>; 2]>,
}

/// The kind of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ExportKind {
    /// A record. It needs a game from turn 0 with 500 packs.
    Record,
    /// A situation of one turn.
    Situation,
    /// The standard input of a bot in the seat. It needs a game from turn 0 with 500 packs.
    Input,
}

/// Result of `export`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ExportResult {
    /// The text of the file.
    pub text: String,
    /// A name for the file.
    pub file_name: String,
}

/// The source of packs that no seed and no record names.
const SOURCE: &str = "the client";

/// Writes the file of a game.
pub fn export(params: &ExportParams) -> Result<ExportResult, ApiError> {
    let game = StartedGame::whole(&params.game)?;
    match params.kind {
        ExportKind::Situation => situation(params, &game),
        ExportKind::Record => {
            let record = whole_record(params, &game)?;
            let file_name = format!("{}.json", stem(&record));
            Ok(ExportResult { text: json_line(&record), file_name })
        }
        ExportKind::Input => {
            let record = whole_record(params, &game)?;
            let seat: Seat = params.seat.into();
            let file_name = format!("{}-{}.txt", stem(&record), seat.index());
            let text = record.input(seat).map_err(ApiError::bad_request)?;
            Ok(ExportResult { text, file_name })
        }
    }
}

/// The record of a game from turn 0.
fn whole_record(params: &ExportParams, game: &StartedGame) -> Result<Record, ApiError> {
    if params.game.start.is_some() {
        return Err(ApiError::bad_request(
            "a record and the input of a bot need a game from turn 0, and this game begins in a \
             custom position: export a situation",
        ));
    }
    let mut record = record_of(&params.game, game, &params.info);
    if record.packs.len() != TURNS {
        let found = record.packs.len();
        let reason = format!("`game.packs`: expected {TURNS} packs for a record, found {found}");
        return Err(ApiError::bad_request(reason));
    }
    if record.date.is_empty() {
        record.date = clock::date();
    }
    if record.packs_from.is_empty() {
        SOURCE.clone_into(&mut record.packs_from);
    }
    record.check().map_err(ApiError::bad_request)?;
    // Refuses values that a reader of the record refuses, such as a time for the game that no game
    // has.
    Record::parse(json_line(&record).as_bytes()).map_err(ApiError::bad_request)?;
    Ok(record)
}

/// The situation of a turn.
fn situation(params: &ExportParams, game: &StartedGame) -> Result<ExportResult, ApiError> {
    let (first, last) = (game.start.turn, game.state().turn);
    let turn = params.turn.unwrap_or(last);
    let state = game.before(turn).filter(|_| turn < TURNS).ok_or_else(|| {
        let last = last.min(TURNS - 1);
        ApiError::bad_request(format!("`turn`: expected {first} to {last}, found {turn}"))
    })?;
    if let Some((end, _)) = state.end() {
        let reason = format!("`turn`: the game had ended before turn {turn}: {}", end.name());
        return Err(ApiError::bad_request(reason));
    }
    let situation = Situation::of(state, params.seat.into(), game.packs.from_turn(turn));
    Ok(ExportResult { text: situation.to_string(), file_name: format!("turn-{turn}.toml") })
}

/// The name of a file, without its ending: the date, as folders of matches have it.
fn stem(record: &Record) -> String {
    let is_plain = |c: &char| c.is_ascii_alphanumeric() || *c == '-';
    let date: String = record.date.chars().filter(is_plain).take(30).collect();
    format!("tensai-{date}")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::{Value, json};

    use super::*;
    use crate::game::{Action, Cells, Packs, Placement, State};
    use crate::web::api::game_data::{SEEDS, packs_text};
    use crate::web::api::import::{ImportKind, ImportParams, import};

    /// A game of random drops, by a seed.
    fn game(seed: u64, turns: usize) -> GameData {
        let packs = Packs::from_seed(seed);
        let mut state = State::<Cells>::new();
        let mut actions = Vec::new();
        for (turn, pack) in packs.from_turn(0).iter().take(turns).enumerate() {
            if state.end().is_some() {
                break;
            }
            let drop = |player: usize| {
                let index = (seed as usize).wrapping_mul(31).wrapping_add(turn * 7 + player * 11);
                Action::Drop(Placement::from_index(index % Placement::COUNT).unwrap())
            };
            let played = [drop(0), drop(1)];
            state = state.play(pack, played).unwrap().after;
            actions.push(played.map(|action| action.to_string()));
        }
        let packs = packs_text(packs.from_turn(0));
        let names = ["you".to_owned(), "level 3".to_owned()];
        let think_ms = vec![[5, 70_000]; actions.len()];
        GameData { packs, seed: Some(seed), actions, names, think_ms, ..GameData::default() }
    }

    fn exported(game: &GameData, more: Value) -> Result<ExportResult, ApiError> {
        let mut params = json!({ "game": game });
        params.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        export(&serde_json::from_value(params).unwrap())
    }

    fn imported(text: String) -> (GameData, ImportKind) {
        let params = ImportParams { text, name: String::new(), packs: Vec::new(), number: None };
        let result = import(&params).unwrap();
        (result.game, result.kind)
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 20, ..ProptestConfig::default() })]

        #[test]
        fn a_record_reads_back(seed in 0..SEEDS, turns in 0..60_usize) {
            let game = game(seed, turns);
            let text = exported(&game, json!({ "kind": "record" })).unwrap().text;
            let record = Record::parse(text.as_bytes()).unwrap();
            prop_assert!(record.check().is_ok());
            prop_assert_eq!(&record.packs_from, &format!("seed {seed}"));
            let (back, kind) = imported(text.clone());
            prop_assert_eq!(kind, ImportKind::Record);
            prop_assert_eq!(GameData { details: None, ..back.clone() }, game);
            prop_assert_eq!(exported(&back, json!({ "kind": "record" })).unwrap().text, text);
            let numbered = json_line(&Record { number: Some(3), ..record });
            let (back, _) = imported(numbered.clone());
            prop_assert_eq!(exported(&back, json!({ "kind": "record" })).unwrap().text, numbered);
        }

        #[test]
        fn an_input_and_a_situation_read_back(seed in 0..SEEDS, turns in 1..40_usize) {
            let game = game(seed, turns);
            let played = StartedGame::whole(&game).unwrap();
            let text = exported(&game, json!({ "kind": "input", "seat": 0 })).unwrap().text;
            let (back, kind) = imported(text);
            let back = StartedGame::whole(&back).unwrap();
            prop_assert_eq!(kind, ImportKind::Input);
            let known = &played.turns[..back.turns.len()];
            prop_assert_eq!(&back.turns, known, "the actions may differ, their effects do not");
            let last = played.turns.len() - 1;
            let more = json!({ "kind": "situation", "turn": last, "seat": 1 });
            let (back, kind) = imported(exported(&game, more).unwrap().text);
            prop_assert_eq!(kind, ImportKind::Situation);
            let mut state = *played.before(last).unwrap();
            state.players.reverse();
            prop_assert_eq!(StartedGame::whole(&back).unwrap().start, state);
        }
    }

    #[test]
    fn a_fault_is_kept_and_a_game_from_a_drawn_position_has_no_record() {
        let mut game = game(4, 3);
        let fault = json!({ "fault": "crash", "what": "it ended" });
        let result = json!({
            "verdict": { "win": "first" }, "faults": [null, fault], "scores": [0, 0],
        });
        game.details = serde_json::from_value(json!({ "result": result })).unwrap();
        let text = exported(&game, json!({ "kind": "record" })).unwrap().text;
        let record = Record::parse(text.as_bytes()).unwrap();
        assert_eq!(record.outcome(), "you wins, crash at turn 3");
        assert!(record.check().is_ok());
        assert_eq!(record.limits.game_ms, 210_000, "long enough for the times");

        let (drawn, _) = imported(exported(&game, json!({ "kind": "situation" })).unwrap().text);
        let refused = exported(&drawn, json!({ "kind": "record" })).unwrap_err().message;
        assert!(refused.ends_with("begins in a custom position: export a situation"), "{refused}");
    }

    #[test]
    fn files_that_are_no_games_are_refused() {
        let refused = |text: &str| {
            let params = json!({ "text": text, "name": "x\u{1b}.json" });
            import(&serde_json::from_value(params).unwrap()).unwrap_err().message
        };
        assert_eq!(refused(" "), "x\\u{1b}.json: the file is empty");
        assert!(refused("{}").starts_with("x\\u{1b}.json: line 1: missing field"));
        assert!(refused("hello").contains("expected a record, an official replay"));
        assert!(refused("{\"output0\": 1}").contains("`output0`"));
        assert!(refused("12 3").contains("line 1"));
    }
}
