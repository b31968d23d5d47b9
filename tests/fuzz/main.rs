//! Fuzz targets: every reader of foreign text, under mutated files.
//!
//! A target ([`targets`]) is a function of some bytes that asserts properties of a reader: an
//! accepted text reads back from what is written of it, a refusal is one short line without control
//! characters, and no number in the text decides how much memory is used. Each target has a corpus,
//! `tests/fuzz/corpus/TARGET/`: small files, among them each input that ever failed.
//!
//! # How to run them
//!
//! * `cargo test --test fuzz`: all corpus files, each also grown to 64 and 256 KiB, then a fixed
//!   number of mutated ones from a fixed seed. Always the same inputs; some seconds.
//! * `TENSAI_FUZZ_SECONDS=60 cargo test --test fuzz -- --test-threads 2`: a minute for each target
//!   from another seed each time, two targets at a time. `TENSAI_FUZZ_SEED=N` chooses the seed. A
//!   name after `--` chooses targets. `.ci/run` does this.
//! * `.ci/fuzz 3600 TARGET...`: an hour for each named target (all without a name) with coverage
//!   guidance, by libFuzzer. The stable toolchain suffices; a C++ compiler is needed.
//!
//! # Findings
//!
//! The first two write a failing input, minimised, to `target/tmp/fuzz/TARGET/`, and name the file
//! in the failure; libFuzzer writes it to `target/libfuzzer/TARGET/`. Copy it to
//! `tests/fuzz/corpus/TARGET/` under a name that says what it does; `cargo test --test fuzz TARGET`
//! then fails until the reader is right.
//!
//! # How to add to them
//!
//! * A corpus file: any small file that a reader accepts, or refuses in a way of its own. Below 16
//!   KiB; all files together below 1 MiB. In texts that hold the packs of a game a line `PACKS`
//!   (the protocol) or `"packs":[]` (records) stands for 500 packs, so that mutations do not go
//!   astray in them.
//! * A target: a file in `targets/`, an entry in [`targets::ALL`], a line in `fuzz!` below, a folder
//!   of its corpus. To be added with what they read: the fragment of the page's address, and the
//!   requests to `serve`; neither exists yet.
//!
//! # Why so
//!
//! Mutations of real files with a dictionary find their way through texts; random bytes (`bolero`
//! without an engine) do not. Without instrumentation the runner keeps an input if its outcome is
//! new, the message of a refusal without its digits and quotations: a reader's messages tell which
//! of its branches was taken. libFuzzer sees all branches, and is linked to the same functions;
//! cargo-fuzz, bolero's engines and AFL++ do the same, but need a tool to be installed.
#![cfg(all(feature = "arena", target_os = "linux"))]

mod checks;
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
    protocol packs input record page official situation match_config manifest archive weights
    positions answer info
}
