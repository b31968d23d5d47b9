//! Mutated fragments of the page's address, for `fragments.test.mjs`.
//!
//! This is the fuzz target of the one reader that is not written in Rust. [`KEPT`] is its corpus:
//! add a fragment that fails. `TENSAI_FUZZ_SECONDS` and `TENSAI_FUZZ_SEED` are those of
//! `tests/fuzz/main.rs`, of which the mutations are too. For a minute:
//!
//! ```sh
//! TENSAI_FUZZ_SECONDS=60 TENSAI_BROWSER_FILE=fragments.test.mjs cargo test --test browser
//! ```

use serde_json::{Value, json};

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

/// Milliseconds from one fragment to the next, so that the browser ignores none.
const PACE: usize = 60;

/// The fragments, those of the corpus (`kept` of them) first; the seed of the others; the time
/// between two; and for how many seconds they are shown, if that is limited.
pub fn made() -> Value {
    let number = |name: &str| std::env::var(name).ok().map(|value| value.parse::<u64>().unwrap());
    let seconds = number("TENSAI_FUZZ_SECONDS");
    let seed = number("TENSAI_FUZZ_SEED").unwrap_or(0);
    let mut mutator = Mutator::new(seed, WORDS);
    // As many as can be shown in the time.
    let count = seconds
        .map_or(FRAGMENTS, |seconds| KEPT.len() + usize::try_from(seconds).unwrap() * 1000 / PACE);
    let fragments = (0..count).map(|done| {
        let [input, other] = [0, 1].map(|_| KEPT[mutator.pick(KEPT.len())].as_bytes());
        match KEPT.get(done) {
            Some(kept) => (*kept).to_owned(),
            None => {
                let mut bytes = mutator.change(input, other);
                bytes.truncate(2000);
                String::from_utf8_lossy(&bytes).into_owned()
            }
        }
    });
    let fragments: Vec<String> = fragments.collect();
    json!({
        "kept": KEPT.len(), "seed": seed, "seconds": seconds, "pace_ms": PACE,
        "fragments": fragments,
    })
}
