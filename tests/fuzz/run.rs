//! Runs a target: its corpus, the corpus grown, and mutations.

use std::cell::Cell;
use std::collections::BTreeSet;
use std::fs;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::panic::{self, AssertUnwindSafe};
use std::path::{Path, PathBuf};
use std::sync::Once;
use std::time::{Duration, Instant};

use crate::mutate::{Mutator, grown, minimised};
use crate::targets::{FuzzTarget, named};

/// The largest file of a corpus, in bytes.
const LARGEST: usize = 16 << 10;

/// Inputs that a run keeps beside the corpus at most: some hundred are typical, and memory is
/// bounded.
const KEPT: usize = 4096;

/// Sizes that corpus files are grown to, one four times the other.
const SIZES: [usize; 2] = [64 << 10, 256 << 10];

thread_local! {
    /// Whether panics of this thread are expected and not printed.
    static EXPECTED: Cell<bool> = const { Cell::new(false) };
}

/// Runs the corpus of a target, the grown corpus, and mutations.
pub fn target(name: &str) {
    quiet_panics();
    let target = named(name);
    let corpus = corpus(target.name);
    assert!(!corpus.is_empty(), "{name} has a corpus");
    for (file, data) in &corpus {
        assert!(data.len() <= LARGEST, "{}: larger than {LARGEST} bytes", file.display());
        if let Err(why) = tried(target, data) {
            panic!("{}: {why}", file.display());
        }
        grow(target, file, data);
    }
    let corpus: Vec<_> = corpus.into_iter().map(|(_, data)| data).collect();
    let number = |name: &str| {
        let value = std::env::var(name).ok()?;
        Some(value.parse::<u64>().unwrap_or_else(|_| panic!("{name}: expected a whole number")))
    };
    match number("TENSAI_FUZZ_SECONDS") {
        None => mutate(target, &corpus, number("TENSAI_FUZZ_SEED").unwrap_or(0), None),
        Some(seconds) => {
            let clock = || std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
            let by_clock = || clock().map_or(0, |time| time.as_secs());
            let seed = number("TENSAI_FUZZ_SEED").unwrap_or_else(by_clock);
            mutate(target, &corpus, seed, Some(Duration::from_secs(seconds)));
        }
    }
}

/// The files of a target's corpus, in the order of their names.
fn corpus(name: &str) -> Vec<(PathBuf, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fuzz/corpus").join(name);
    let entries = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{folder:?}: {error}"));
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files.into_iter().map(|file| (file.clone(), fs::read(file).unwrap())).collect()
}

/// Asserts that allocations grow linearly with the input: four times the input allocates at most
/// six times the bytes. No clock is read; a reader whose time is quadratic takes minutes here.
fn grow(target: &FuzzTarget, file: &Path, data: &[u8]) {
    let [small, large] = SIZES.map(|size| grown(data, size));
    for (part, (small, large)) in small.iter().zip(&large).enumerate() {
        let [few, many] = [small, large].map(|data| match caught(|| target.measured(data).1) {
            Ok(used) => used.bytes_total,
            Err(why) => panic!("{} grown by part {part}: {why}", file.display()),
        });
        let most = 6 * few + (1 << 20);
        let grown = format!("{} grown by part {part}", file.display());
        assert!(many <= most, "{grown}: {few} bytes were allocated, then {many}");
    }
}

/// Mutates the corpus, and inputs whose outcome was new.
#[expect(clippy::print_stdout, reason = "the figures of a run, for --nocapture")]
fn mutate(target: &FuzzTarget, corpus: &[Vec<u8>], seed: u64, time: Option<Duration>) {
    let mut mutator = Mutator::new(seed, target.words);
    let mut outcomes = BTreeSet::new();
    let mut kept: Vec<Vec<u8>> = Vec::new();
    let begin = Instant::now();
    let (mut done, mut accepted) = (0, 0);
    let goes_on = |done: usize| match time {
        None => done < target.iterations,
        Some(time) => begin.elapsed() < time,
    };
    while goes_on(done) {
        // Half of the inputs come from the corpus, independent of the number of kept inputs, most
        // of which are refused early.
        let [input, other] = [0, 1].map(|_| {
            let from = if kept.is_empty() || mutator.pick(2) == 0 { corpus } else { &kept };
            &from[mutator.pick(from.len())]
        });
        let data = mutator.change(input, other);
        match tried(target, &data) {
            Ok(outcome) => {
                accepted += usize::from(outcome.is_none());
                if outcomes.insert(class(outcome)) && kept.len() < KEPT {
                    kept.push(data);
                }
            }
            Err(why) => fail(target, &data, seed, &why),
        }
        done += 1;
    }
    let seconds = begin.elapsed().as_secs_f64();
    println!(
        "{}: seed {seed}, {done} executions in {seconds:.1} s, {:.0} a second, {accepted} accepted, \
         {} outcomes",
        target.name,
        done as f64 / seconds.max(1e-3),
        outcomes.len()
    );
}

/// Returns the class of an outcome: the reader's own words of its message, without digits and
/// quotes of the input. Of two messages, one on each line, both count.
fn class(outcome: Option<String>) -> String {
    let outcome = outcome.unwrap_or_default();
    let own_words = outcome.lines().map(|message| {
        let quotes = ["found `", "found the text ", "unknown field `", "unknown key `"];
        let found = quotes.iter().filter_map(|quote| message.find(quote)).min();
        let mut parts = message[..found.unwrap_or(message.len())].split('`');
        // With an odd number of backquotes, the quoted parts contain some and are ambiguous.
        let is_clear = parts.clone().count() % 2 == 1;
        let own = if is_clear {
            parts.step_by(2).collect()
        } else {
            parts.next().unwrap_or_default().to_owned()
        };
        own + "\n"
    });
    own_words.collect::<String>().replace(|c: char| c.is_ascii_digit(), "")
}

/// Writes the input, minimised, and panics.
fn fail(target: &FuzzTarget, data: &[u8], seed: u64, why: &str) -> ! {
    let smallest = minimised(data, |data| tried(target, data).is_err());
    let mut hasher = DefaultHasher::new();
    smallest.hash(&mut hasher);
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("fuzz").join(target.name);
    let file = folder.join(format!("{:016x}", hasher.finish()));
    fs::create_dir_all(&folder).and_then(|()| fs::write(&file, &smallest)).unwrap();
    let why = tried(target, &smallest).err().unwrap_or_else(|| why.to_owned());
    panic!(
        "{} (seed {seed}): {why}\nthe input is in {}; it belongs into tests/fuzz/corpus/{}/",
        target.name,
        file.display(),
        target.name
    );
}

/// The outcome, or the message of a panic.
fn tried(target: &FuzzTarget, data: &[u8]) -> Result<Option<String>, String> {
    caught(|| target.check(data))
}

fn caught<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    EXPECTED.set(true);
    let outcome = panic::catch_unwind(AssertUnwindSafe(work));
    EXPECTED.set(false);
    outcome.map_err(|panic| match panic.downcast::<String>() {
        Ok(text) => *text,
        Err(panic) => panic
            .downcast::<&str>()
            .map_or_else(|_| "a panic without words".to_owned(), |text| (*text).to_owned()),
    })
}

/// Makes the panic of an input print only once, after the input is minimised.
fn quiet_panics() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let previous = panic::take_hook();
        panic::set_hook(Box::new(move |about| {
            if !EXPECTED.get() {
                previous(about);
            }
        }));
    });
}
