//! Records, the page made of them, and the official client's replays.

use tensai::analysis::RecordedGame;
use tensai::game::{Packs, Seat, State};
use tensai::protocol::{InputMessage, Reader};
use tensai::record::official::Replay;
use tensai::record::{Record, json_line};
use tensai::web::pages::Page;

use super::FuzzTarget;
use crate::checks::{message, with_packs_in_json};

const WORDS: &[&str] = &[
    "\"packs\":[]",
    "null",
    "true",
    "{}",
    "[]",
    "[[",
    "{\"",
    "\\u0000",
    "\\n",
    "\\u001b[31m",
    "\"S\"",
    "\"8 3\"",
    "\"0 0\"",
    "</script>",
    "<!--",
    "<script>",
    "]]>",
    "\"end\":\"danger-line\"",
    "\"win\":\"first\"",
    "\"draw\"",
    "\"fault\":\"invalid\"",
    "\"out-of-time\"",
    "\"info\":[null,{}]",
    "\"plan\":[\"0 0\",\"S\"]",
    "\"turn\":0",
    "1e308",
    "-0.0",
    "0.1",
    "18446744073709551615",
    "/*data*/",
    "\\u2028",
    "\"engine\":\"</script>\"",
    "\"time_ms\":0",
    "\"nodes\":1",
];

/// The reader of records.
pub const RECORD: FuzzTarget =
    FuzzTarget { words: WORDS, iterations: 1000, ..FuzzTarget::new("record", record) };

/// The page of a record.
pub const PAGE: FuzzTarget =
    FuzzTarget { words: WORDS, iterations: 500, ..FuzzTarget::new("page", page) };

/// The reader of the official client's files.
pub const OFFICIAL: FuzzTarget = FuzzTarget {
    words: &[
        "\"output0\":[]",
        "\"S\\n\"",
        "\"0 0\\n\"",
        "\"8 3\\n\"",
        "\"\\n\"",
        "\"\"",
        "180000000001",
        "18446744073709551615",
        "\"allBattle\":1",
        "\"format\":1",
        "null",
        "[",
        "{\"",
        "\\u001b",
        "\\n",
    ],
    iterations: 1000,
    ..FuzzTarget::new("official", official)
};

/// The record that is a game by the rules; or why it is none.
fn read(data: &[u8]) -> Result<Record, String> {
    Record::parse(&with_packs_in_json(data))
}

fn record(data: &[u8]) -> Option<String> {
    let record = match read(data) {
        Ok(record) => record,
        Err(what) => return message(what),
    };
    let again = Record::parse(json_line(&record).as_bytes());
    assert_eq!(again.as_ref(), Ok(&record), "a record reads back");
    let turns = record.replay().unwrap();
    let game = RecordedGame::of_record(&record).unwrap();
    assert!((turns.len()..=turns.len() + 1).contains(&game.moments.len()));
    for seat in Seat::BOTH {
        let input = record.input(seat).unwrap();
        let mut reader = Reader::new(input.as_bytes());
        let packs = reader.next_message().unwrap();
        assert_eq!(packs, InputMessage::Packs(record.packs().unwrap()));
        let mut before = State::new();
        for turn in &turns {
            let InputMessage::Turn(observation) = reader.next_message().unwrap() else {
                panic!("a turn is missing in the input")
            };
            let mut state = observation.state;
            state.players.rotate_right(seat.index());
            assert_eq!(state, before);
            before = turn.after;
        }
    }
    let _ = (record.outcome(), record.used(Seat::First));
    record.check().err().and_then(message)
}

/// The text before the data of a page.
const BEGIN: &str = "<script type=\"application/json\" id=\"data\">";

fn page(data: &[u8]) -> Option<String> {
    let record = match read(data) {
        Ok(record) => record,
        Err(what) => return message(what),
    };
    let mut page = Page::new();
    page.add(&record).unwrap();
    let [html, empty] = [page.html(), Page::new().html()];
    let parts = |html: &str| {
        // The nonce is a hash of the content, and 32 digits long.
        let nonce = html.split_once("'nonce-").unwrap().1.get(..32).unwrap().to_owned();
        let html = html.replace(&nonce, "NONCE");
        let (before, rest) = html.split_once(BEGIN).unwrap();
        let (data, after) = rest.split_once("</script>").unwrap();
        (before.to_owned(), data.to_owned(), after.to_owned())
    };
    let (before, data, after) = parts(&html);
    let (empty_before, _, empty_after) = parts(&empty);
    assert!(before == empty_before && after == empty_after, "a record changes the data alone");
    assert!(!data.contains('<'), "the data hold no tag");
    let data: serde_json::Value = serde_json::from_str(&data).expect("the data are JSON");
    let [game] = &data["games"].as_array().expect("the page has games")[..] else {
        panic!("one record makes one game")
    };
    assert_eq!(game["turns"].as_array().map(Vec::len), Some(record.turns.len()));
    for seat in Seat::BOTH {
        assert_eq!(game["names"][seat.index()], record.name(seat));
    }
    None
}

fn official(data: &[u8]) -> Option<String> {
    /// Games that packs are generated for.
    const GAMES: usize = 3;
    let replay: Replay = match Replay::parse(data) {
        Ok(replay) => replay,
        Err(what) => return message(what),
    };
    let packs: Vec<Packs> =
        (0..).map(Packs::from_seed).take(replay.all_battle.min(GAMES)).collect();
    let games = match replay.games(&packs) {
        Ok(games) => games,
        Err(error) => return message(error),
    };
    for game in &games {
        game.check().expect("a game of a match is as the rules say");
    }
    None
}
