//! The methods that a page asks for: to play, watch, analyse, review, solve puzzles
//! and share.
//!
//! [`handle`] answers one request: the name of a [`Method`] and its parameters as JSON. Requests
//! are stateless: each one carries the game or the position that it is about. The module starts no
//! threads and no processes and reads no files, so that it runs in a browser too. `docs/api.md`
//! lists the methods for those who write a page; the types in this module are the authority for
//! their fields.
//!
//! The conventions of the JSON:
//!
//! * Turns are counted from 0, seats are 0 and 1, rows are counted from the bottom and columns from
//!   the left, both from 0.
//! * An action is its text in the protocol: `3 1` or `S`.
//! * Unknown fields of parameters are errors.
//!
//! One file a method: `show.rs`, `choices.rs` and so on; `start.rs` has the first two. `game_data.rs`
//! has the games and positions that requests carry, `convert.rs` their conversion from and to records,
//! `puzzle_data.rs` puzzles and their files, `reviewed_turn.rs` reviews, `client_error.rs` the errors,
//! `progress.rs` the messages about a request.

mod analyse;
mod choices;
mod client_error;
mod convert;
mod decide;
mod export;
mod game_data;
mod gif;
mod import;
mod progress;
mod puzzle_data;
mod puzzles;
mod review;
mod reviewed_turn;
mod share;
mod show;
mod start;

pub use analyse::{
    AnalyseParams, Analysis, AttackLine, CheckedMove, OpponentPlan, OwnPlan, TriggerReport,
};
pub use choices::{ChoicesParams, OpenChoice, SeatStep};
pub use client_error::{ApiError, ErrorCode};
pub use decide::{DecideParams, DecideResult, EngineChoice, decide};
pub use export::{ExportKind, ExportParams, ExportResult, export};
pub use game_data::{
    GameData, GameDetails, MOST_NODES, PlayerData, PositionData, SEEDS, SeatNumber, StartedGame,
    packs_text,
};
pub use gif::{GifFrame, GifParams, GifResult};
pub use import::{ImportKind, ImportParams, ImportResult};
pub use progress::{Message, NoProgress, Progress, ProgressReport};
pub use puzzle_data::{PuzzleData, PuzzleFile};
pub use puzzles::{Finder, PuzzlesParams, PuzzlesResult, TryPuzzleParams, TryPuzzleResult};
pub use review::{ReviewParams, ReviewResult};
pub use reviewed_turn::{ReviewedTurn, ReviewedValue};
pub use share::{ShareParams, ShareResult, UnshareParams, UnshareResult, share};
pub use show::{Over, OverReason, ShowParams, ShowResult};
pub use start::{HelloParams, HelloResult, HostKind, NewGameParams, NewGameResult};

use serde::de::{DeserializeOwned, IntoDeserializer as _, value};
use serde::{Deserialize, Serialize};
use serde_json::value::{RawValue, to_raw_value};

use crate::record::serde_errors::from_params;
use crate::util::sanitize::{LINE, visible};

/// A method of [`handle`]. Requests name it as its JSON does: `hello`, `new_game`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Method {
    /// [`HelloParams`], [`HelloResult`]: the version and the abilities of the host.
    Hello,
    /// [`NewGameParams`], [`NewGameResult`]: a game without turns.
    NewGame,
    /// [`ShowParams`], [`ShowResult`]: the turns of a game for the player of a page.
    Show,
    /// [`ChoicesParams`], a list of [`OpenChoice`]: all actions of a player and the effect of each.
    Choices,
    /// [`DecideParams`], [`DecideResult`]: the action that an engine plays.
    Decide,
    /// [`AnalyseParams`], [`Analysis`]: plans, chains, triggers and values of a position.
    Analyse,
    /// [`ReviewParams`], [`ReviewResult`]: the loss of each action of a player.
    Review,
    /// [`ImportParams`], [`ImportResult`]: the game of a file.
    Import,
    /// [`ExportParams`], [`ExportResult`]: the file of a game.
    Export,
    /// [`GifParams`], [`GifResult`]: an animated picture of frames that a page has drawn.
    Gif,
    /// [`ShareParams`], [`ShareResult`]: a short text for a game or a position.
    Share,
    /// [`UnshareParams`], [`UnshareResult`]: the game of such a text.
    Unshare,
    /// [`PuzzlesParams`], [`PuzzlesResult`]: the puzzles of recorded games, or of a file of
    /// puzzles.
    Puzzles,
    /// [`TryPuzzleParams`], [`TryPuzzleResult`]: how an attempt at a puzzle stands.
    TryPuzzle,
}

impl Method {
    /// The method of this name.
    ///
    /// # Errors
    /// There is none; the message lists the names.
    pub fn of_name(name: &str) -> Result<Self, ApiError> {
        let method: Result<Self, value::Error> = Self::deserialize(name.into_deserializer());
        method.map_err(|error| {
            let message = error.to_string().replacen("unknown variant", "unknown method", 1);
            ApiError::bad_request(visible(&message, LINE).to_string())
        })
    }

    /// Whether the method searches for as long as its parameters allow, so that a host may have to
    /// limit how many requests run at a time.
    pub const fn searches(self) -> bool {
        matches!(
            self,
            Self::Decide | Self::Analyse | Self::Review | Self::Puzzles | Self::TryPuzzle
        )
    }
}

/// Answers a request: `params` is JSON, and the result is. Both stay text, since a parsed value takes
/// many times the memory. [`HelloResult`] is that of a page without a server; another host answers
/// [`Method::Hello`] itself, and [`Method::Decide`] for engines of its own.
///
/// The searches use the threads of the pool in which this function is called. With one thread, the
/// result depends on the parameters alone.
///
/// # Errors
/// The method is unknown, the parameters are wrong, or the request was stopped.
pub fn handle(
    method: &str,
    params: &str,
    progress: &mut dyn Progress,
) -> Result<Box<RawValue>, ApiError> {
    answer(Method::of_name(method)?, params, progress)
}

/// Answers a request, as [`handle`] does.
///
/// # Errors
/// The parameters are wrong, or the request was stopped.
pub fn answer(
    method: Method,
    params: &str,
    progress: &mut dyn Progress,
) -> Result<Box<RawValue>, ApiError> {
    match method {
        Method::Hello => with(params, |HelloParams {}| Ok(HelloResult::offline())),
        Method::NewGame => with(params, start::new_game),
        Method::Show => with(params, |params| show::show(&params)),
        Method::Choices => with(params, |params| choices::choices(&params)),
        Method::Decide => with(params, |params| decide::decide(&params, progress)),
        Method::Analyse => with(params, |params| analyse::analyse(&params, progress)),
        Method::Review => with(params, |params| review::review(&params, progress)),
        Method::Import => with(params, |params| import::import(&params)),
        Method::Export => with(params, |params| export::export(&params)),
        Method::Gif => with(params, |params| gif::gif(&params)),
        Method::Share => with(params, |params| share::share(&params)),
        Method::Unshare => with(params, |params| share::unshare(&params)),
        Method::Puzzles => with(params, |params| puzzles::puzzles(&params, progress)),
        Method::TryPuzzle => with(params, |params| puzzles::try_puzzle(&params, progress)),
    }
}

/// Reads the parameters, runs the method and writes its result.
fn with<P: DeserializeOwned, R: Serialize>(
    params: &str,
    method: impl FnOnce(P) -> Result<R, ApiError>,
) -> Result<Box<RawValue>, ApiError> {
    let params = from_params(params.as_bytes()).map_err(ApiError::bad_request)?;
    result(&method(params)?)
}

/// The text of a method's result.
///
/// # Errors
/// The result is no JSON, which is a mistake of this program.
pub fn result(result: &impl Serialize) -> Result<Box<RawValue>, ApiError> {
    to_raw_value(result).map_err(|error| ApiError::internal(error.to_string()))
}
