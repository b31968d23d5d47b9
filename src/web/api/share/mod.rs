//! `share` and `unshare`: a short text for a game or a position.

mod coder;
mod packed;

use serde::{Deserialize, Serialize};

use self::packed::SharedGame;
use super::data::{GameData, PositionData, StartedGame};
use super::error::ClientError;

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

/// The longest packed text that is read. A game of 500 turns on packs without a seed has 1,900
/// characters.
const LONGEST: usize = 8192;

/// Packs a game or a position.
pub fn share(params: &ShareParams) -> Result<ShareResult, ClientError> {
    let shared = match (&params.game, &params.position) {
        (Some(game), None) => SharedGame::of_game(game, &StartedGame::whole(game)?),
        (None, Some(position)) => SharedGame::of_position(position)?,
        _ => return Err(ClientError::bad_request("expected one of `game` and `position`")),
    };
    let short = packed::pack(&shared);
    Ok(ShareResult { text: format!("{PREFIX}{short}"), short })
}

/// Unpacks a game.
pub fn unshare(params: &UnshareParams) -> Result<UnshareResult, ClientError> {
    let text = params.text.trim();
    let short = text.rsplit_once('#').map_or(text, |(_, fragment)| fragment);
    let short = short.strip_prefix(&PREFIX[1..]).unwrap_or(short);
    if short.len() > LONGEST {
        let found = short.len();
        let what = format!("`text`: expected at most {LONGEST} characters, found {found}");
        return Err(ClientError::bad_request(what));
    }
    let shared = packed::unpack(short).ok_or_else(|| {
        ClientError::bad_request(
            "`text`: expected a shared game or position; the text was changed or is not complete",
        )
    })?;
    let game = shared.game()?;
    // The text is foreign: the game in it must follow the rules.
    StartedGame::whole(&game)?;
    Ok(UnshareResult { game })
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
    use crate::web::api::data::{SEEDS, packs_text};

    fn shared(params: &ShareParams) -> ShareResult {
        let shared = share(params).unwrap_or_else(|error| panic!("{error}"));
        assert!(shared.short.bytes().all(|c| c.is_ascii_alphanumeric() || b"-_".contains(&c)));
        shared
    }

    fn back(text: &str) -> GameData {
        unshare(&UnshareParams { text: text.to_owned() }).unwrap().game
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

        /// No text makes the reader fail, and a changed one is refused.
        #[test]
        fn a_changed_text_is_refused(seed in 0..SEEDS, at: prop::sample::Index, to in "[A-Za-z0-9_-]") {
            let game = game(seed, 12, greedy(seed));
            let short = shared(&ShareParams { game: Some(game), position: None }).short;
            let mut changed = short.clone();
            let at = at.index(short.len());
            changed.replace_range(at..=at, &to);
            let read = unshare(&UnshareParams { text: changed.clone() });
            prop_assert!(changed == short || read.is_err(), "{changed}");
            let cut = unshare(&UnshareParams { text: short[..short.len() - 3].to_owned() });
            prop_assert!(cut.is_err(), "{short}");
        }
    }

    #[test]
    fn texts_of_a_game_of_40_turns_have_less_than_120_characters() {
        for seed in 1..8 {
            let game = game(seed << 40, 40, greedy(seed << 40));
            assert_eq!(game.actions.len(), 40);
            let played = StartedGame::whole(&game).unwrap();
            let position = PositionData::of(played.state(), played.packs.from_turn(40), game.seed);
            let text = shared(&ShareParams { game: Some(game), position: None }).text;
            assert!(text.len() < 120, "{} characters for a game of 40 turns", text.len());
            let text = shared(&ShareParams { game: None, position: Some(position) }).text;
            assert!(text.len() < 120, "{} characters for a position", text.len());
        }
    }

    #[test]
    fn the_text_of_full_fields_has_less_than_250_characters() {
        let rows: Vec<String> = (0..16)
            .map(|y| (0..10).map(|x| char::from(b'1' + (x * 7 + y * 5) % 9)).collect())
            .collect();
        let player =
            json!({ "field": rows.join("\n"), "gauge": 100, "stock": 999, "score": 99999 });
        let packs = "1234".repeat(500);
        let position = json!({ "turn": 0, "packs": packs, "players": [player, player] });
        let params = serde_json::from_value(json!({ "position": position })).unwrap();
        let text = shared(&params).text;
        assert!(text.len() < 250, "{} characters", text.len());
    }

    #[test]
    fn other_texts_are_refused() {
        for text in ["", "#", "#g=", "g=%20", "hello world", "AAAA", "_____", &"A".repeat(9000)] {
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
