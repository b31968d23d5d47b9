//! Fuzz targets: every reader of untrusted text is given mutated files.
//!
//! A target ([`targets`]) is a function that reads an input and asserts:
//!
//! * the reader does not panic, and holds no more memory than the target allows for the length of
//!   the input;
//! * the message of a refusal is one short line that a terminal shows as it is;
//! * an accepted text that is written again reads back as the same value, where it can be written.
//!
//! Each target has a corpus of small files, `tests/fuzz/corpus/TARGET/`. Every input that has
//! failed is one of them.
//!
//! # Run targets
//!
//! * `cargo test --test fuzz`: the corpus, each file also grown to 64 and 256 KiB, and 200 to 3000
//!   mutations for each target from seed 0. The inputs are always the same.
//! * `cargo test --test fuzz record -- --exact`: the same for one target, here `record`.
//! * `TENSAI_FUZZ_SECONDS=60 cargo test --test fuzz -- --nocapture`: mutations for 60 s for each
//!   target, from a seed that the clock gives. Prints the seed, the number of executions and of
//!   distinct outcomes.
//! * `TENSAI_FUZZ_SEED=N ...`: mutations from seed N. `.ci/run` takes the commit's abbreviated hash,
//!   so that a commit that fails fails again.
//! * `.ci/fuzz 3600 record`: libFuzzer with coverage guidance for an hour on one target; without a
//!   name on each target in turn. Needs a C++ compiler; stable Rust suffices.
//!
//! # Reproduce a failure
//!
//! The failure names a file that holds the input. The tests minimise the input and write it to
//! `target/tmp/fuzz/TARGET/`; libFuzzer writes it unchanged to `target/libfuzzer/TARGET/`.
//!
//! 1. Copy the file to `tests/fuzz/corpus/TARGET/` under a name that says what the input does.
//! 2. `cargo test --test fuzz TARGET -- --exact` now fails at this file, in every run.
//! 3. Correct the reader. The file stays as the test of the correction.
//!
//! The seed that a failure prints repeats its mutations only while the corpus and the messages of
//! the readers are unchanged; the file repeats the failure always.
//!
//! # Add a corpus file
//!
//! Any file of at most 16 KiB that a reader accepts, or refuses for a reason of its own. The whole
//! corpus stays below 1 MiB. A line `PACKS` (protocol) or `"packs":[]` (records) stands for the 500
//! packs of a game; without it nearly all mutations would hit the packs.
//!
//! # Add a target
//!
//! 1. Write its function and its [`targets::FuzzTarget`] in a file of `targets/`.
//! 2. Add it to [`targets::ALL`] and, in the same order, to `fuzz!` at the end of this file.
//! 3. Add its corpus folder with at least one accepted and one refused file.
//!
//! The page's script reads the fragment of the page's address. Its target needs a browser and is in
//! `tests/browser/fragments.rs`.
//!
//! # How inputs are found
//!
//! Mutations of real files with a dictionary reach the inner parts of a reader; random bytes do
//! not. The tests have no instrumentation. They keep an input if its outcome is new: the message of
//! the refusal without digits and quotations, which shows the branch that the reader took.
//! libFuzzer calls the same functions and sees all branches. It is linked as a crate, so that no
//! tool has to be installed, as cargo-fuzz, bolero's engines and AFL++ require.
#![cfg(all(feature = "arena", target_os = "linux"))]

mod checks;
mod memory;
mod mutate;
mod run;
mod targets;

/// A test for each target.
macro_rules! fuzz {
    ($($name:ident)*) => {
        $(#[test]
        fn $name() {
            run::target(stringify!($name));
        })*

        #[test]
        fn every_target_is_tested() {
            let tested = [$(stringify!($name)),*];
            assert_eq!(targets::ALL.map(|target| target.name), tested);
        }
    };
}

fuzz! {
    protocol packs input record page official situation match_config manifest league tuning archive
    positions answer info api unshare http
}
