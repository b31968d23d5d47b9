//! The targets: each reads a text and asserts properties of the result.

mod answer;
mod api;
mod archive;
mod games;
mod http;
mod input;
mod matches;
mod situation;
mod tables;

use allocation_counter::AllocationInfo;

/// A reader under test.
#[derive(Clone, Copy)]
pub struct FuzzTarget {
    /// The name, and that of its corpus.
    pub name: &'static str,
    /// Reads the bytes and asserts the properties of every text; returns the message of a refusal,
    /// `None` if the text is accepted.
    run: fn(&[u8]) -> Option<String>,
    /// Maximum bytes of memory that a reader holds at a time, for an empty text.
    memory: u64,
    /// Maximum further bytes of memory for each byte of the text.
    memory_per_byte: u64,
    /// Number of mutated inputs of a test without a time limit.
    pub iterations: usize,
    /// Words that mutations insert.
    pub words: &'static [&'static str],
}

/// All targets.
pub const ALL: [FuzzTarget; 18] = [
    input::PROTOCOL,
    input::PACKS,
    input::INPUT,
    games::RECORD,
    games::PAGE,
    games::OFFICIAL,
    situation::SITUATION,
    matches::MATCH_CONFIG,
    matches::MANIFEST,
    matches::LEAGUE,
    matches::TUNING,
    archive::ARCHIVE,
    tables::POSITIONS,
    answer::ANSWER,
    answer::INFO,
    api::API,
    api::UNSHARE,
    http::HTTP,
];

/// The target of this name.
pub fn named(name: &str) -> &'static FuzzTarget {
    const TARGETS: &[FuzzTarget] = &ALL;
    let found = TARGETS.iter().find(|target| target.name == name);
    found.unwrap_or_else(|| panic!("no target is called {name}"))
}

impl FuzzTarget {
    /// Most of the targets: 4 MiB, and 256 bytes for each byte that is read.
    const fn new(name: &'static str, run: fn(&[u8]) -> Option<String>) -> Self {
        let (memory, memory_per_byte) = (4 << 20, 256);
        Self { name, run, memory, memory_per_byte, iterations: 3000, words: &[] }
    }

    /// Reads the bytes and asserts that memory is bounded. Returns the message of a refusal.
    pub fn check(&self, data: &[u8]) -> Option<String> {
        self.measured(data).0
    }

    /// As [`Self::check`]; also returns the allocations.
    pub fn measured(&self, data: &[u8]) -> (Option<String>, AllocationInfo) {
        let mut said = None;
        // A panic inside would leave the counter counting.
        let mut panicked = None;
        let used =
            allocation_counter::measure(|| match std::panic::catch_unwind(|| (self.run)(data)) {
                Ok(outcome) => said = outcome,
                Err(panic) => panicked = Some(panic),
            });
        if let Some(panic) = panicked {
            std::panic::resume_unwind(panic);
        }
        let allowed = self.memory + self.memory_per_byte * data.len() as u64;
        let (bytes, held) = (data.len(), used.bytes_max);
        assert!(held <= allowed, "{held} bytes were held for an input of {bytes}");
        (said, used)
    }
}
