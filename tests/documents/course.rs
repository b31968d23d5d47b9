//! The course: its document shows the lines of its sources, which are as short as it says.

use std::fs;
use std::path::{Path, PathBuf};

use crate::example::Example;

/// The bots, one a step.
const BOTS: [&str; 9] =
    ["survivor", "greedy", "exhaustive", "beam", "chokudai", "mazai", "reactive", "mcts", "duel"];

fn sources() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/course/src")
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Each step shows lines that are in the source of its bot, one after the other as they are there.
pub fn shows_its_sources(examples: &[Example]) {
    let shown: Vec<&Example> = examples.iter().filter(|block| block.language == "rust").collect();
    let names: Vec<&str> = shown.iter().map(|example| &*example.name).collect();
    assert_eq!(names, BOTS, "one example for each bot, in the order of the steps");
    for example in shown {
        let source = read(&sources().join(format!("bin/{}.rs", example.name)));
        let lines = example.text.lines().count();
        assert!(source.contains(&example.text), "{}: differs from the source", example.place());
        assert!((8..=32).contains(&lines), "{}: {lines} lines", example.place());
    }
}

/// A bot has at most 250 lines, the library at most 600.
pub fn is_short() {
    for bot in BOTS {
        let lines = read(&sources().join(format!("bin/{bot}.rs"))).lines().count();
        assert!(lines <= 250, "{bot}: {lines} lines");
    }
    let files = fs::read_dir(sources()).unwrap().map(|entry| entry.unwrap().path());
    let library = files.filter(|path| path.extension().is_some_and(|extension| extension == "rs"));
    let lines: usize = library.map(|path| read(&path).lines().count()).sum();
    assert!(lines <= 600, "the library: {lines} lines");
}
