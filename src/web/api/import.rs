//! `import`: the game of a file.

use serde::{Deserialize, Serialize};

use super::client_error::ApiError;
use super::game_data::{GameData, PositionData, packs_text};
use crate::analysis::{RecordedGame, Situation, SituationError};
use crate::game::{Packs, Player, State};
use crate::protocol::read_packs;
use crate::record::official::{Replay, is_official};
use crate::record::{JsonText, Record};
use crate::util::sanitize::{NAME, visible};

/// Parameters of `import`.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ImportParams {
    /// The text of the file.
    pub text: String,
    /// The name of the file, for messages.
    #[serde(default)]
    pub name: String,
    /// The texts of the files with the packs of an official replay, in the order of its games.
    #[serde(default)]
    pub packs: Vec<String>,
    /// The game of a file with several, from 1; the first one if it is left out.
    #[serde(default)]
    pub number: Option<usize>,
}

/// The kind of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ImportKind {
    /// A record of this program.
    Record,
    /// A file of the official client.
    Official,
    /// The standard input of a bot. Its answers are inferred; a turn whose answers are not known
    /// ends the game.
    Input,
    /// A situation, from which a game begins.
    Situation,
}

/// Result of `import`.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ImportResult {
    /// The game.
    pub game: GameData,
    /// The bots' `info` in each turn; empty if no bot wrote `info`.
    pub info: Vec<[Option<JsonText>; 2]>,
    /// The kind of the file.
    pub kind: ImportKind,
    /// The number of games in the file.
    pub games: usize,
    /// What is left out of a bot's input, in words: the end of a truncated one, or the turns after
    /// one whose answers are not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub warning: Option<String>,
}

/// Reads the game of a file.
pub fn import(params: &ImportParams) -> Result<ImportResult, ApiError> {
    let bytes = params.text.as_bytes();
    let first = bytes.iter().find(|byte| !byte.is_ascii_whitespace());
    let is_official = first == Some(&b'{') && is_official(bytes);
    if !params.packs.is_empty() && !is_official {
        return Err(
            params.invalid("the file contains its packs; `packs` are for official replays only")
        );
    }
    match first {
        None => Err(params.invalid("the file is empty")),
        Some(b'{') if is_official => official(params),
        Some(b'{') => {
            let record = Record::parse(bytes).map_err(|reason| params.invalid(&reason))?;
            of_records(params, ImportKind::Record, &[record])
        }
        Some(b'0'..=b'9') => {
            let input = RecordedGame::of_input(bytes);
            let input = input.map_err(|error| params.invalid(&error.to_string()))?;
            let game = params.chosen(&input.games)?;
            let left_out = GameData::left_out(game);
            let warning = input.warning().or(left_out).map(|reason| params.of_file(&reason));
            let (game, kind) = (GameData::of_inferred(game), ImportKind::Input);
            Ok(ImportResult { game, info: Vec::new(), kind, games: input.games.len(), warning })
        }
        Some(_) => situation(params),
    }
}

impl ImportParams {
    /// An error about the file.
    fn invalid(&self, reason: &str) -> ApiError {
        ApiError::bad_request(self.of_file(reason))
    }

    /// A message about the file.
    fn of_file(&self, reason: &str) -> String {
        match self.name.as_str() {
            "" => reason.to_owned(),
            name => format!("{}: {reason}", visible(name, NAME)),
        }
    }

    /// The game of the given number.
    fn chosen<'a, T>(&self, games: &'a [T]) -> Result<&'a T, ApiError> {
        let number = self.number.unwrap_or(1);
        let game = number.checked_sub(1).and_then(|index| games.get(index));
        game.ok_or_else(|| match games.len() {
            0 => self.invalid("no game was played"),
            count => self.invalid(&format!("`number`: expected 1 to {count}, found {number}")),
        })
    }
}

/// The games of a file of the official client.
fn official(params: &ImportParams) -> Result<ImportResult, ApiError> {
    let invalid = |reason: &str| params.invalid(reason);
    let replay = Replay::parse(params.text.as_bytes()).map_err(|reason| invalid(&reason))?;
    if params.packs.is_empty() {
        return Err(invalid(
            "an official replay holds no packs: give the files of packs of its games too, NAME.1.pack \
             and so on",
        ));
    }
    let packs = (1..).zip(&params.packs).map(|(game, text)| {
        let packs = read_packs(text.as_bytes());
        packs.map_err(|error| invalid(&format!("the packs of game {game}: {error}")))
    });
    let packs: Vec<Packs> = packs.collect::<Result<_, _>>()?;
    let records = replay.games(&packs).map_err(|error| invalid(&error.to_string()))?;
    of_records(params, ImportKind::Official, &records)
}

/// The chosen game of records.
fn of_records(
    params: &ImportParams,
    kind: ImportKind,
    records: &[Record],
) -> Result<ImportResult, ApiError> {
    let record = params.chosen(records)?;
    let game = GameData::of_record(record).map_err(|reason| params.invalid(&reason))?;
    let info = record.turns.iter().map(|turn| turn.info.clone());
    let is_silent = record.turns.iter().all(|turn| turn.info == [None, None]);
    let info = if is_silent { Vec::new() } else { info.collect() };
    Ok(ImportResult { game, info, kind, games: records.len(), warning: None })
}

/// The game that begins in a situation.
fn situation(params: &ImportParams) -> Result<ImportResult, ApiError> {
    params.chosen(&[()])?;
    let situation: Situation = params.text.parse().map_err(|error: SituationError| {
        let reason = format!(
            "expected a record, an official replay, the input of a bot or a situation; as a \
             situation: {error}"
        );
        params.invalid(&reason)
    })?;
    let drawn = situation.given_players().map_err(|error| params.invalid(&error.to_string()))?;
    let opponent = || drawn.get(1).copied().unwrap_or_else(Player::new);
    let first = *drawn.first().ok_or_else(|| ApiError::internal("no player is drawn"))?;
    let state = State { turn: situation.turn, players: [first, opponent()] };
    let start = Some(PositionData::of(&state, &[], None));
    let packs = packs_text(&situation.packs);
    let game = GameData { packs, start, ..GameData::default() };
    let kind = ImportKind::Situation;
    Ok(ImportResult { game, info: Vec::new(), kind, games: 1, warning: None })
}
