//! `share` and `unshare`: a short text for a game or a position.
//!
//! The text is the [`GameData`] as JSON, compressed by zlib, whose checksum refuses a text that was
//! changed or cut, in the characters of base64 for URLs.

use std::io::Read as _;

use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use flate2::Compression;
use flate2::read::{ZlibDecoder, ZlibEncoder};
use serde::{Deserialize, Serialize};

use super::client_error::ApiError;
use super::game_data::{
    GameData, PositionData, SEEDS, StartedGame, known_packs, packs_of, packs_text,
};
use crate::game::Packs;

/// Parameters of `share`: a game or a position.
#[derive(Clone, PartialEq, Debug, Default, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ShareParams {
    /// The game.
    #[serde(default)]
    pub game: Option<GameData>,
    /// The position, instead of `game`.
    #[serde(default)]
    pub position: Option<PositionData>,
}

/// Result of `share`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ShareResult {
    /// The fragment of a URL, beginning with `#`.
    pub text: String,
    /// The fragment without the prefix before the packed game.
    pub short: String,
}

/// Parameters of `unshare`.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct UnshareParams {
    /// `text` or `short` of [`ShareResult`], or a URL with the fragment.
    pub text: String,
}

/// Result of `unshare`.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct UnshareResult {
    /// The game; that of a position begins with it.
    pub game: GameData,
}

/// The prefix of the packed game in the fragment of a URL.
const PREFIX: &str = "#g=";

/// The longest packed text that is read. A game of 500 turns on packs without a seed has 3,400
/// characters.
const LONGEST: usize = 8192;

/// The most bytes of the JSON of a shared game; one of 500 turns on packs without a seed has 9,500.
const LONGEST_JSON: u64 = 32 << 10;

/// The number of packs after the turns of a game that are shared if no seed names the packs: the
/// depth of the bot's beam.
const AHEAD: usize = 16;

/// The most bytes of a shared name.
const NAME: usize = 30;

/// Packs a game or a position.
pub fn share(params: &ShareParams) -> Result<ShareResult, ApiError> {
    let shared = match (&params.game, &params.position) {
        (Some(game), None) => shared(game)?,
        (None, Some(position)) => shared(&game_of(position)?)?,
        _ => return Err(ApiError::bad_request("expected one of `game` and `position`")),
    };
    let short = pack(&shared).map_err(ApiError::internal)?;
    Ok(ShareResult { text: format!("{PREFIX}{short}"), short })
}

/// The parts of a game that are shared; packs that a seed names are left out.
///
/// # Errors
/// The game breaks the rules.
fn shared(game: &GameData) -> Result<GameData, ApiError> {
    let played = StartedGame::whole(game)?;
    let packs = match played.seed {
        Some(_) => &[],
        None => played.packs.from_turn(played.start.turn),
    };
    Ok(GameData {
        packs: packs_text(&packs[..packs.len().min(played.actions.len() + AHEAD)]),
        seed: played.seed,
        start: game.start.is_some().then(|| PositionData::of(&played.start, &[], None)),
        actions: played.actions.iter().map(|pair| pair.map(|action| action.to_string())).collect(),
        names: game.names.each_ref().map(|name| name[..name.floor_char_boundary(NAME)].to_owned()),
        ..GameData::default()
    })
}

/// The game that begins in a position.
fn game_of(position: &PositionData) -> Result<GameData, ApiError> {
    let field = "position.packs";
    let state = position.state("position")?;
    known_packs(state.turn, packs_of(&position.packs, field)?, field)?;
    let (packs, seed) = (position.packs.clone(), position.seed);
    Ok(GameData { packs, seed, start: Some(position.clone()), ..GameData::default() })
}

/// Adds the packs that a seed names.
fn with_packs(mut game: GameData) -> GameData {
    if let Some(seed) = game.seed.filter(|&seed| game.packs.is_empty() && seed < SEEDS) {
        let turn = game.start.as_ref().map_or(0, |start| start.turn);
        game.packs = packs_text(Packs::from_seed(seed).from_turn(turn));
    }
    game
}

/// Unpacks a game.
pub fn unshare(params: &UnshareParams) -> Result<UnshareResult, ApiError> {
    let text = params.text.trim();
    let short = text.rsplit_once('#').map_or(text, |(_, fragment)| fragment);
    let short = short.strip_prefix(&PREFIX[1..]).unwrap_or(short);
    if short.len() > LONGEST {
        let found = short.len();
        let reason = format!("`text`: expected at most {LONGEST} characters, found {found}");
        return Err(ApiError::bad_request(reason));
    }
    let game = unpack(short).ok_or_else(|| {
        ApiError::bad_request(
            "`text`: expected a shared game or position; the text was changed, is not complete, or \
             was made by tensai 0.2 or earlier, whose texts this version does not read",
        )
    })?;
    // The text is untrusted: the game in it must follow the rules, and keeps only what is shared.
    Ok(UnshareResult { game: with_packs(shared(&with_packs(game))?) })
}

fn pack(game: &GameData) -> Result<String, String> {
    let json = serde_json::to_vec(game).map_err(|error| error.to_string())?;
    let mut packed = Vec::new();
    let read = ZlibEncoder::new(&*json, Compression::best()).read_to_end(&mut packed);
    read.map_err(|error| error.to_string())?;
    Ok(BASE64_URL_SAFE_NO_PAD.encode(packed))
}

/// The game of a text; `None` if it was not packed by [`pack`].
fn unpack(text: &str) -> Option<GameData> {
    let packed = BASE64_URL_SAFE_NO_PAD.decode(text).ok()?;
    let mut json = Vec::new();
    ZlibDecoder::new(&*packed).take(LONGEST_JSON).read_to_end(&mut json).ok()?;
    serde_json::from_slice(&json).ok()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::time::Duration;

    use proptest::prelude::*;
    use serde_json::json;

    use super::*;
    use crate::analysis::{self, SearchLimits};
    use crate::engine::GreedyEngine;
    use crate::game::{Action, Cells, Packs, Placement, Seat, State};
    use crate::protocol::Observation;
    use crate::web::api::game_data::{SEEDS, packs_text};

    fn shared(params: &ShareParams) -> ShareResult {
        let shared = share(params).unwrap_or_else(|error| panic!("{error}"));
        assert!(shared.short.bytes().all(|c| c.is_ascii_alphanumeric() || b"-_".contains(&c)));
        shared
    }

    fn back(text: &str) -> GameData {
        unshare(&UnshareParams { text: text.to_owned() }).unwrap().game
    }

    #[test]
    fn the_sample_game_of_the_page_is_a_whole_game() {
        let game = back(include_str!("../front/sample_game.txt"));
        let started = StartedGame::whole(&game).unwrap();
        assert!(started.turns.last().unwrap().after.end().is_some());
    }

    /// A game in which both sides keep their fields low and send all ojama that they can.
    fn game(seed: u64, turns: usize, drop: impl Fn(&State<Cells>, Seat) -> Action) -> GameData {
        let packs = Packs::from_seed(seed);
        let mut state = State::<Cells>::new();
        let mut actions = Vec::new();
        for pack in packs.from_turn(0).iter().take(turns) {
            if state.end().is_some() {
                break;
            }
            let played = Seat::BOTH.map(|seat| drop(&state, seat));
            state = state.play(pack, played).unwrap().after;
            actions.push(played.map(|action| action.to_string()));
        }
        let packs = packs_text(packs.from_turn(0));
        let names = ["you".to_owned(), "level 3".to_owned()];
        GameData { packs, seed: Some(seed), actions, names, ..GameData::default() }
    }

    fn greedy(seed: u64) -> impl Fn(&State<Cells>, Seat) -> Action {
        let packs = Packs::from_seed(seed);
        move |state, seat| {
            let mut state = *state;
            state.players.rotate_left(seat.index());
            let observation = Observation { state, time_left: [Duration::from_secs(9); 2] };
            let engine = &mut GreedyEngine::new();
            let limits = SearchLimits::Nodes(1);
            analysis::decide(engine, &observation, &packs, limits, &Arc::default()).unwrap().action
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 40, ..ProptestConfig::default() })]

        #[test]
        fn a_game_reads_back(
            seed in 0..SEEDS,
            turns in 0..60_usize,
            with_seed: bool,
            spread in 1..9_usize,
        ) {
            let drops = |state: &State<Cells>, seat: Seat| {
                let index = state.turn * spread + seat.index() * 5;
                Action::Drop(Placement::from_index(index % Placement::COUNT).unwrap())
            };
            let mut game = game(seed, turns, drops);
            game.names[0] = "先手 \u{1b}".to_owned();
            game.seed = game.seed.filter(|_| with_seed);
            let params = ShareParams { game: Some(game.clone()), position: None };
            let ShareResult { text, short } = shared(&params);
            prop_assert_eq!(&text, &format!("#g={short}"));
            let read = back(&format!("https://example.org/page.html{text}"));
            prop_assert_eq!(&read, &back(&short));
            let whole = StartedGame::whole(&game).unwrap();
            let read_whole = StartedGame::whole(&read).unwrap();
            prop_assert_eq!(&read.actions, &game.actions);
            prop_assert_eq!(&read.names, &game.names);
            prop_assert_eq!(&read_whole.turns, &whole.turns);
            if with_seed {
                prop_assert_eq!(read, game);
            } else {
                prop_assert!(game.packs.starts_with(&read.packs));
            }
        }

        #[test]
        fn a_position_reads_back(
            seed in 0..SEEDS,
            turns in 0..40_usize,
            with_seed: bool,
            stock: u32,
            gauge in 0..=100_u8,
        ) {
            let played = game(seed, turns, |state, seat| {
                let index = state.turn * 7 + seat.index() * 3;
                Action::Drop(Placement::from_index(index % Placement::COUNT).unwrap())
            });
            let played = StartedGame::whole(&played).unwrap();
            let mut state = *played.state();
            if state.end().is_some() {
                return Ok(());
            }
            state.players[0].stock = u64::from(stock) % 1_000_000_001;
            state.players[1].gauge = crate::game::Gauge::new(gauge).unwrap();
            let packs = played.packs.from_turn(state.turn);
            let position = PositionData::of(&state, packs, Some(seed).filter(|_| with_seed));
            let text = shared(&ShareParams { game: None, position: Some(position) }).text;
            let read = StartedGame::whole(&back(&text)).unwrap();
            prop_assert_eq!(read.start, state);
            let known = read.packs.from_turn(state.turn);
            prop_assert_eq!(known, &packs[..known.len()]);
            prop_assert_eq!(known.len(), if with_seed { packs.len() } else { 16.min(packs.len()) });
        }

        /// No text makes the reader fail. A changed one is refused, or reads as the same game: several
        /// compressed streams may stand for one text.
        #[test]
        fn a_changed_text_reads_as_no_other_game(seed in 0..SEEDS, at: prop::sample::Index, to in "[A-Za-z0-9_-]") {
            let game = game(seed, 12, greedy(seed));
            let short = shared(&ShareParams { game: Some(game), position: None }).short;
            let mut changed = short.clone();
            let at = at.index(short.len());
            changed.replace_range(at..=at, &to);
            let read = unshare(&UnshareParams { text: changed.clone() });
            let whole = back(&short);
            prop_assert!(read.map_or(true, |read| read.game == whole), "{changed}");
            let cut = unshare(&UnshareParams { text: short[..short.len() - 3].to_owned() });
            prop_assert!(cut.is_err(), "{short}");
        }
    }

    #[test]
    fn texts_of_a_game_of_40_turns_have_less_than_350_characters() {
        for seed in 1..8 {
            let game = game(seed << 40, 40, greedy(seed << 40));
            assert_eq!(game.actions.len(), 40);
            let played = StartedGame::whole(&game).unwrap();
            let position = PositionData::of(played.state(), played.packs.from_turn(40), game.seed);
            let text = shared(&ShareParams { game: Some(game), position: None }).text;
            assert!(text.len() < 350, "{} characters for a game of 40 turns", text.len());
            let text = shared(&ShareParams { game: None, position: Some(position) }).text;
            assert!(text.len() < 350, "{} characters for a position", text.len());
        }
    }

    #[test]
    fn the_text_of_full_fields_has_less_than_500_characters() {
        let rows: Vec<String> = (0..16)
            .map(|y| (0..10).map(|x| char::from(b'1' + (x * 7 + y * 5) % 9)).collect())
            .collect();
        let player =
            json!({ "field": rows.join("\n"), "gauge": 100, "stock": 999, "score": 99999 });
        let packs = "1234".repeat(500);
        let position = json!({ "turn": 0, "packs": packs, "players": [player, player] });
        let params = serde_json::from_value(json!({ "position": position })).unwrap();
        let text = shared(&params).text;
        assert!(text.len() < 500, "{} characters", text.len());
    }

    #[test]
    fn other_texts_are_refused() {
        const OLD: &str = "https://example.org/client.html#g=8azQSldJT8haSiSOT-p5TB";
        // The last one was made by version 0.2.
        for text in
            ["", "#", "#g=", "g=%20", "hello world", "AAAA", "_____", &"A".repeat(9000), OLD]
        {
            let refused = unshare(&UnshareParams { text: text.to_owned() }).unwrap_err();
            assert!(refused.message.starts_with("`text`: expected"), "{text}: {refused}");
        }
        let both = ShareParams { game: Some(GameData::default()), position: None };
        assert!(share(&both).is_ok(), "a game without packs");
        assert_eq!(
            share(&ShareParams::default()).unwrap_err().message,
            "expected one of `game` and `position`"
        );
    }
}
