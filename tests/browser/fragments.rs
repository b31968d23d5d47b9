//! Mutated fragments of the page's address: whatever stands there, a turn of a game or the list of
//! games is shown, and nothing of the text becomes part of the page.
//!
//! This is the fuzz target of the one reader that is not written in Rust. [`KEPT`] is its corpus:
//! add a fragment that fails. `TENSAI_FUZZ_SECONDS` and `TENSAI_FUZZ_SEED` are those of
//! `tests/fuzz/main.rs`, of which the mutations are too.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::chromium::Browser;
use super::mutate::Mutator;

/// Fragments that the page writes itself, and some that it must bear.
const KEPT: [&str; 16] = [
    "",
    "game=1&turn=0",
    "game=2&turn=5&step=1",
    "game=2&turn=5&step=1&plan&follow",
    "game=1&turn=9999&step=9999",
    "game=1&turn=-1&step=-1",
    "game=1&turn=1e400&step=NaN",
    "game=1&turn=0x10&step=Infinity",
    "game=1&turn=-Infinity",
    "game=1.0",
    "game=%31&turn=%32",
    "game=1&game=2&turn=1&turn=2",
    "game=constructor&turn=__proto__",
    "game=<img src=x onerror=alert(1)>",
    "game=1&turn=javascript:alert(1)",
    "%ff%00&%&=&&game",
];

const WORDS: &[&str] = &[
    "game=", "turn=", "step=", "&plan", "&follow", "&", "=", "%", "%00", "%ff", "#", "+", "1", "2",
    "9999", "-1", "1e400", "Infinity", "NaN", "<b>", "<script>", "'", "\\",
];

/// Fragments of a run without a limit of time. A browser ignores more than 200 changes of an
/// address in ten seconds.
const FRAGMENTS: usize = 150;

/// Time from one fragment to the next, so that the browser ignores none.
const PACE: Duration = Duration::from_millis(60);

/// Goes where a fragment leads; which of the two parts is shown, the place, and what a text of the
/// fragment would add to the page.
const ARRIVE: &str = "arrive(); \
    ({ shown: [$('index'), $('game')].map((part) => !part.hidden), \
        number: player.number, end: player.number === null ? 0 : player.end, \
        place: [game.dataset.turn, game.dataset.step].map(Number), \
        step: player.step, \
        foreign: document.querySelectorAll('script[src], img, b b, iframe').length })";

/// Shows every fragment in the page that is open, which has this many games.
pub fn lead_to_a_turn(browser: &mut Browser, games: u64) {
    let number = |name: &str| std::env::var(name).ok().map(|value| value.parse::<u64>().unwrap());
    let time = number("TENSAI_FUZZ_SECONDS").map(Duration::from_secs);
    let seed = number("TENSAI_FUZZ_SEED").unwrap_or(0);
    let mut mutator = Mutator::new(seed, WORDS);
    let foreign = browser.evaluate(ARRIVE)["foreign"].clone();
    let begin = Instant::now();
    let mut places = [0, 0];
    for done in 0.. {
        if time.map_or(done >= FRAGMENTS, |time| begin.elapsed() >= time && done >= KEPT.len()) {
            break;
        }
        let [input, other] = [0, 1].map(|_| KEPT[mutator.pick(KEPT.len())].as_bytes());
        let fragment = match KEPT.get(done) {
            Some(kept) => (*kept).to_owned(),
            None => {
                let mut bytes = mutator.change(input, other);
                bytes.truncate(2000);
                String::from_utf8_lossy(&bytes).into_owned()
            }
        };
        let at = browser.evaluate(&format!("location.hash = {}; {ARRIVE}", json!(fragment)));
        let told = format!("seed {seed}, fragment {done}, {fragment:?}: {at}");
        let is_game = !at["number"].is_null();
        assert_eq!(at["shown"], json!([!is_game, is_game]), "{told}");
        assert_eq!(at["foreign"], foreign, "{told}");
        if is_game {
            assert!(at["number"].as_u64().is_some_and(|number| number < games), "{told}");
            let whole = |value: &Value| value.as_u64();
            let (turn, step) = (whole(&at["place"][0]), whole(&at["place"][1]));
            assert!(turn.is_some() && turn <= whole(&at["end"]), "{told}");
            assert!(step.is_some() && step == whole(&at["step"]), "{told}");
        }
        assert_eq!(browser.troubles, [""; 0], "{told}");
        places[usize::from(is_game)] += 1;
        std::thread::sleep(PACE);
    }
    assert!(places.iter().all(|&count| count > 0), "the list and games: {places:?}");
}
