//! The output of bots: answers, and lines on standard error. Also words of the command line.

use tensai::arena::rating::Sprt;
use tensai::arena::{EngineConfig, ErrorLog, Shard, each_line, process};
use tensai::game::Action;
use tensai::record::JsonText;
use tensai::util::duration;

use super::FuzzTarget;
use crate::checks::{message, text};

/// Answers; and the words that describe an engine, a duration, a test, a shard.
pub const ANSWER: FuzzTarget = FuzzTarget {
    words: &[
        "S", "0 0", "8 3", "name=", "cmd=", "env=A=", "time=", "threads=", "elo1=", "alpha=",
        "1/2", "1h 2m",
    ],
    ..FuzzTarget::new("answer", answer)
};

/// Lines of standard error.
pub const INFO: FuzzTarget = FuzzTarget {
    words: &[
        "info ",
        "info {\"turn\":",
        "{}",
        "[",
        "\"",
        "}",
        "\n",
        "1e999",
        "\\ud800",
        "\u{1b}[2J",
    ],
    // Each of the lines kept may be long, and a number of two bytes of JSON is a value of 32.
    memory_per_byte: 512,
    ..FuzzTarget::new("info", info)
};

fn answer(data: &[u8]) -> Option<String> {
    let text = text(data);
    let line = text.lines().next().unwrap_or_default();
    if let Ok(time) = duration::parse(line) {
        let written = humantime::format_duration(time).to_string();
        assert_eq!(duration::parse(&written), Ok(time), "a duration reads back");
    }
    if let Ok(shard) = line.parse::<Shard>() {
        assert_eq!(shard.to_string().parse(), Ok(shard));
        assert!(shard.overlaps(shard), "a part shares its games with itself");
    }
    let words: Vec<String> = text.lines().map(str::to_owned).collect();
    let refusals = [
        EngineConfig::from_words(&words).map(|engine| {
            let json = serde_json::to_string(&engine).unwrap();
            assert_eq!(serde_json::from_str::<EngineConfig>(&json).ok(), Some(engine.clone()));
            let _ = process::command(&engine);
        }),
        Sprt::from_words(&words).map(|test| {
            let written = test.to_string();
            let words: Vec<String> = written.split(' ').map(str::to_owned).collect();
            assert_eq!(Sprt::from_words(&words), Ok(test), "a test reads back");
        }),
    ];
    let said: Vec<String> =
        refusals.into_iter().filter_map(Result::err).filter_map(message).collect();
    match line.parse::<Action>() {
        Ok(action) => {
            assert_eq!(action.to_string().parse(), Ok(action));
            assert_eq!(
                action.to_string(),
                line.split_ascii_whitespace().collect::<Vec<_>>().join(" ")
            );
            None
        }
        Err(error) => Some(message(error).into_iter().chain(said).collect::<Vec<_>>().join("\n")),
    }
}

fn info(data: &[u8]) -> Option<String> {
    let log = ErrorLog::default();
    let (mut lines, mut bytes) = (0, 0);
    each_line(data, |_, line| {
        lines += 1;
        bytes += line.len();
        log.push(line);
    });
    // A byte that is no text becomes a character of three.
    assert!(lines <= data.len() && bytes <= 3 * data.len());
    let last = log.last_lines();
    assert!(last.len() <= 10 && last.iter().all(|line| line.chars().count() <= 400));
    let info = log.take_info();
    assert!(info.len() <= 2000);
    for value in &info {
        assert_eq!(JsonText::new(value.text()).as_ref(), Some(value), "a remark reads back");
    }
    (info.is_empty()).then(|| format!("{} lines", last.len()))
}
