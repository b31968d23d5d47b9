//! The spellings of commands and options in earlier versions. `tensai` refuses one with the new spelling.

use std::ffi::OsString;
use std::path::Path;

use clap::Command;

use crate::util::suggestion::closest;

/// A command or option of an earlier version.
struct OldSpelling {
    /// The words of the command; none for the bot.
    command: &'static str,
    /// The option; empty if the command itself has changed.
    option: &'static str,
    /// What to write instead, with the places of values in capitals.
    new: &'static str,
}

/// The old spellings of `command`.
const fn old(command: &'static str, option: &'static str, new: &'static str) -> OldSpelling {
    OldSpelling { command, option, new }
}

/// The old spellings. The first that fits counts.
#[rustfmt::skip]
const OLD_SPELLINGS: &[OldSpelling] = &[
    // Version 0.3.0. Those of the bot stand last, because they are looked for in all words.
    old("play", "--human", "play"),
    old("play", "--random", "--engine random"),
    old("play", "--engine", "--engine ENGINE"),
    old("play", "--mind", "--engine ENGINE"),
    old("play", "--threads", "--threads N"),
    old("play", "--nodes", "--nodes N"),
    old("play", "--reserve", "--reserve TIME"),
    old("play", "--turn-time", "--turn-time TIME"),
    old("play", "--ponder", "--ponder"),
    old("play", "--backend", "--backend BACKEND"),
    old("play", "--name", "--name NAME"),
    old("play", "--game", "--game N"),
    old("play", "--turn", "--turn TURN"),
    old("play", "--verbose", "--engine classic --verbose"),
    old("play", "--parameter", "--parameter NAME=VALUE"),
    old("play", "--help-parameters", "--help-parameters"),
    old("match", "--resume", "match resume FOLDER"),
    old("match", "--merge", "match merge FOLDER"),
    old("match", "--live", "match --serve"),
    old("match", "--csv", "stats engines GAMES --csv"),
    old("tune", "--resume", "tune resume FOLDER"),
    old("rate", "", "stats ratings GAMES"),
    old("stats", "--positions", "stats positions GAMES -o FILE"),
    old("stats", "", "stats engines GAMES"),
    old("replay", "--situation", "replay situation GAME TURN"),
    old("replay", "--turn", "replay turn GAME TURN"),
    old("replay", "--blunders", "replay blunders GAME"),
    old("replay", "--from", "replay from GAME TURN"),
    old("record show", "--json", "stats positions GAME -o -"),
    old("record show", "", "replay GAME"),
    old("view", "--client", "dev page WASM -o FILE"),
    old("view", "", "record page GAMES -o FILE"),
    old("puzzles", "", "record puzzles GAMES -o FILE"),
    old("bench", "--engine", "dev bench engine"),
    old("bench", "--mind", "dev bench engine"),
    old("bench", "--beam", "dev bench beam"),
    old("bench", "--decisions", "dev decisions"),
    old("bench", "--blunders", "dev blunders"),
    old("bench", "", "dev bench"),
    old("perft", "", "dev perft --depth D"),
    old("learn", "", "dev learn"),
    old("completions", "", "dev completions SHELL"),
    old("man", "", "dev man DIR"),
    old("", "--mind", "--engine ENGINE"),
];

/// The message for the first old spelling in `arguments`, of which the first is the name of the
/// program and `command` is the whole command line; `None` if there is none. Words after `--` are no
/// options.
pub fn message(arguments: &[OsString], command: &Command) -> Option<String> {
    let words: Vec<&str> = arguments
        .iter()
        .skip(1)
        .map_while(|word| word.to_str())
        .take_while(|&word| word != "--")
        .collect();
    let words = without_prefix(&words);
    let OldSpelling { command, option, new } =
        OLD_SPELLINGS.iter().find(|old| old.is_in(words, command))?;
    let old = [command, option].into_iter().filter(|part| !part.is_empty()).copied();
    let old = old.collect::<Vec<&str>>().join(" ");
    Some(format!("`tensai {old}` is now `tensai {new}`"))
}

/// `words` without what may stand before the name of a command: `help`, and the option of colors.
pub fn without_prefix<'a>(mut words: &'a [&'a str]) -> &'a [&'a str] {
    loop {
        words = match words {
            ["--color" | "--colour", _, rest @ ..] | ["help", rest @ ..] => rest,
            [color, rest @ ..] if color.starts_with("--colo") && color.contains('=') => rest,
            _ => return words,
        };
    }
}

impl OldSpelling {
    /// Whether `words` after the name of the program have this spelling.
    fn is_in(&self, words: &[&str], root: &Command) -> bool {
        let names: Vec<&str> = self.command.split_whitespace().collect();
        let Some(rest) = words.strip_prefix(&names[..]) else { return false };
        if !self.option.is_empty() {
            // The bot's own options come before a command.
            let is_bot = |word: &&&str| !names.is_empty() || root.find_subcommand(word).is_none();
            return rest.iter().take_while(is_bot).any(|word| {
                word.strip_prefix(self.option)
                    .is_some_and(|value| value.is_empty() || value.starts_with('='))
            });
        }
        // A command that has become a family still has its name.
        let there = names.iter().try_fold(root, |command, name| command.find_subcommand(name));
        there.is_none_or(|family| {
            let is_present = |word: &&str| {
                family.find_subcommand(word).is_some() || ["help", "-h", "--help"].contains(word)
            };
            let members = family.get_subcommands().map(Command::get_name);
            // A misspelt member of the family, which the parser names.
            let is_near =
                |word: &str| !Path::new(word).exists() && closest(word, members).is_some();
            !rest.iter().any(is_present) && rest.first().is_some_and(|word| !is_near(word))
        })
    }
}

#[cfg(all(test, feature = "arena"))]
mod tests {
    use super::*;

    /// The message for the arguments of a line.
    fn message_of(line: &str) -> Option<String> {
        let arguments = std::iter::once("tensai").chain(line.split_whitespace());
        let arguments: Vec<OsString> = arguments.map(OsString::from).collect();
        message(&arguments, &crate::cli::command())
    }

    /// `--help` at the end is found only if the parser accepts all words before it.
    #[test]
    fn each_new_spelling_parses() {
        for OldSpelling { new, .. } in OLD_SPELLINGS {
            let value = |word: &str| match word {
                "TURN" | "TURNS" | "N" | "D" => "3".to_owned(),
                "TIME" => "1s".to_owned(),
                "ENGINE" => "greedy".to_owned(),
                "BACKEND" => "portable".to_owned(),
                "SHELL" => "bash".to_owned(),
                "NAME=VALUE" => "discount=1".to_owned(),
                word => word.to_owned(),
            };
            let words =
                std::iter::once("tensai").chain(new.split(' ')).chain(["--help"]).map(value);
            let error = crate::cli::command().try_get_matches_from(words).unwrap_err();
            assert_eq!(error.kind(), clap::error::ErrorKind::DisplayHelp, "{new}: {error}");
            assert_eq!(message_of(new), None, "{new} is not old");
        }
    }

    #[test]
    fn each_old_spelling_names_the_new_one() {
        for OldSpelling { command, option, new } in OLD_SPELLINGS {
            let said = message_of(&format!("{command} value {option}")).unwrap();
            assert!(
                said.ends_with(&format!("is now `tensai {new}`")),
                "{command} {option}: {said}"
            );
        }
        let said = message_of("bench --backend avx2 --beam").unwrap();
        assert_eq!(said, "`tensai bench --beam` is now `tensai dev bench beam`");
        assert!(message_of("--mind=classic").is_some());
        for line in ["help view", "--color never rate x", "--colour=never help record show"] {
            assert!(message_of(line).is_some(), "{line}");
        }
    }

    #[test]
    fn new_spellings_and_values_are_not_taken_for_old_ones() {
        for line in [
            "stats engines games",
            "stats --help",
            "help stats",
            "--color never play",
            "stats --color never engines games",
            "stats",
            "stats rate games",
            "stats positons games",
            "record check view",
            "match -- rate --resume",
            "check-bot view --only --mind",
            "play --seed 3",
            "replay games/A/0001.json",
        ] {
            assert_eq!(message_of(line), None, "{line}");
        }
    }
}
