//! Errors in the arguments, each as one line: clap's own message and tips, in which nothing of an
//! argument controls a terminal.

use std::error::Error as _;
use std::ffi::OsString;
use std::io::{self, Write as _};

use clap::Command;
use clap::error::{ContextKind, ContextValue, ErrorKind};

use super::error::CliError;
use super::old_spellings::without_prefix;
use super::output::written;
use crate::util::numbers;
use crate::util::sanitize::{FOUND, LINE, visible};

/// Prints help and version. Turns an error in `arguments`, those of `command`, or in a variable
/// that stands for one, into one line.
///
/// # Errors
/// Wrong arguments, and a standard output that cannot be written. Help that stands in for missing
/// arguments goes to standard error and ends the process; it is lost where that cannot be written.
pub fn error(
    error: clap::Error,
    command: &Command,
    arguments: &[OsString],
) -> Result<(), CliError> {
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
            written(error.print().and_then(|()| io::stdout().flush()))
        }
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => error.exit(),
        _ => Err(CliError::Refused(line(error, command, arguments))),
    }
}

/// The message: the error, the tips, and the option that prints the help.
fn line(mut error: clap::Error, command: &Command, arguments: &[OsString]) -> String {
    let [argument, value, word] =
        [ContextKind::InvalidArg, ContextKind::InvalidValue, ContextKind::InvalidSubcommand]
            .map(|kind| text(&error, kind).unwrap_or_default());
    if error.kind() == ErrorKind::ArgumentConflict && !word.is_empty() {
        // clap takes the word for a command, which it may not be.
        let order = || "; a command comes before its options and arguments".to_owned();
        let hint = unquoted(used(command, arguments), &word, arguments).unwrap_or_else(order);
        return format!("unexpected argument '{}' found{hint} (see --help)", visible(&word, LINE));
    }
    let is_unknown = error.kind() == ErrorKind::UnknownArgument;
    let hint = unquoted(used(command, arguments), &argument, arguments).filter(|_| is_unknown);
    if let Some(variable) = variable(&argument, command, arguments).filter(|_| !value.is_empty()) {
        error.insert(ContextKind::InvalidArg, ContextValue::String(variable));
    }
    // Without the words of the standard library and of clap.
    let reason = error.source().and_then(|source| {
        let said = source.to_string();
        let better = numbers::number(source).map(str::to_owned).or_else(|| range(&said));
        better.map(|better| (said, better))
    });
    // A long value would hide the rest.
    for (kind, limit) in [
        (ContextKind::InvalidValue, FOUND),
        (ContextKind::InvalidArg, LINE),
        (ContextKind::InvalidSubcommand, LINE),
    ] {
        if let Some(ContextValue::String(given)) = error.get(kind) {
            let given = visible(given, limit).to_string();
            error.insert(kind, ContextValue::String(given));
        }
    }
    if let Some(ContextValue::StyledStrs(tips)) = error.remove(ContextKind::Suggested) {
        // No value of this program begins with a dash, and the tip repeats the argument as it is.
        let tips = tips.into_iter().filter(|tip| !tip.to_string().starts_with("to pass '"));
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(tips.collect()));
    }
    if let Some(ContextValue::Strings(names)) = error.remove(ContextKind::SuggestedSubcommand) {
        // Hidden commands are those that the program starts itself. The help hides all others in `command`.
        let root = super::command();
        let is_hidden =
            |name: &String| root.find_subcommand(name).is_some_and(Command::is_hide_set);
        let names: Vec<String> = names.into_iter().filter(|name| !is_hidden(name)).collect();
        if !names.is_empty() {
            error.insert(ContextKind::SuggestedSubcommand, ContextValue::Strings(names));
        }
    }
    let is_similar = error.get(ContextKind::SuggestedSubcommand).is_some();
    let is_unknown = error.kind() == ErrorKind::InvalidSubcommand && !is_similar;
    let hint = hint.or_else(|| commands(command, arguments).filter(|_| is_unknown));
    let mut line = paragraphs(&error.render().to_string());
    if let Some((source, better)) = reason {
        line = line.replace(&source, &better);
    }
    line + &hint.unwrap_or_default() + " (see --help)"
}

/// The commands of the family that `arguments` name; `None` if they name none.
fn commands(root: &Command, arguments: &[OsString]) -> Option<String> {
    let words: Vec<&str> = arguments.iter().skip(1).map_while(|word| word.to_str()).collect();
    let mut family = root;
    for word in without_prefix(&words) {
        let Some(command) = family.find_subcommand(word) else { break };
        family = command;
    }
    let commands = family.get_subcommands().filter(|command| !command.is_hide_set());
    let names: Vec<&str> = commands.map(Command::get_name).filter(|&name| name != "help").collect();
    let is_family = family.get_name() != root.get_name() && !names.is_empty();
    is_family.then(|| format!("; `tensai {}` has {}", family.get_name(), names.join(", ")))
}

/// The range in clap's words `5 is not in 1..=4`, in words of this program; `None` for other words.
fn range(said: &str) -> Option<String> {
    let (_, range) = said.split_once(" is not in ")?;
    let (from, to) = range.split_once("..")?;
    match to.strip_prefix('=') {
        Some(to) => Some(format!("expected a whole number from {from} to {to}")),
        None if to.is_empty() => Some(format!("expected a whole number from {from}")),
        None => None,
    }
}

/// clap's message without its usage, in one line.
fn paragraphs(rendered: &str) -> String {
    let mut line = String::new();
    let lines = rendered.lines().take_while(|part| {
        !part.starts_with("Usage:") && !part.starts_with("For more information")
    });
    for part in lines.map(str::trim).filter(|part| !part.is_empty()) {
        match part.strip_prefix("tip: ") {
            Some(tip) => line = line + "; " + tip,
            None if line.is_empty() => line += part.strip_prefix("error: ").unwrap_or(part),
            None => line = line + " " + part,
        }
    }
    line
}

/// The command that `arguments` name.
fn used<'a>(root: &'a Command, arguments: &[OsString]) -> &'a Command {
    arguments.iter().skip(1).fold(root, |command, word| {
        word.to_str().and_then(|word| command.find_subcommand(word)).unwrap_or(command)
    })
}

/// A hint if `given` follows the first word of a bot's command in `arguments`: such a command is one
/// word of a shell.
fn unquoted(used: &Command, given: &str, arguments: &[OsString]) -> Option<String> {
    let takes_command = |arg: &&clap::Arg| {
        arg.get_value_names().is_some_and(|names| names.iter().any(|name| name == "COMMAND"))
    };
    let at = arguments.iter().position(|word| word == given)?;
    let before: Vec<_> = arguments[..at].iter().filter_map(|word| word.to_str()).collect();
    let option =
        used.get_arguments().filter(takes_command).find_map(|arg| match arg.get_long() {
            None => Some(String::new()),
            Some(long) => {
                let option = format!("--{long}");
                let is_last = before.len() >= 2 && before[before.len() - 2] == option;
                is_last.then(|| option + " ")
            }
        })?;
    Some(format!("; quote a command of several words: {option}\"PROGRAM ARGUMENT\""))
}

/// The name of the environment variable that gives the value of `argument`, an option with the name
/// of its value. None if `arguments` have the option, or no variable stands for it.
fn variable(argument: &str, command: &Command, arguments: &[OsString]) -> Option<String> {
    let option = argument.split([' ', '[']).next()?;
    let is_given = |given: &OsString| {
        let given = given.to_string_lossy();
        given.split_once('=').map_or(&*given, |(option, _)| option) == option
    };
    if arguments.iter().any(is_given) {
        return None;
    }
    let name = option.strip_prefix("--")?;
    let commands = std::iter::once(command).chain(command.get_subcommands());
    let mut arguments = commands.flat_map(Command::get_arguments);
    let variable = arguments
        .find_map(|argument| argument.get_env().filter(|_| argument.get_long() == Some(name)))?;
    Some(variable.to_string_lossy().into_owned())
}

/// The text of an error's context; `None` where it has no such context.
fn text(error: &clap::Error, kind: ContextKind) -> Option<String> {
    match error.get(kind)? {
        ContextValue::String(text) => Some(text.clone()),
        ContextValue::Strings(texts) => Some(texts.join(" ")),
        _ => None,
    }
}

#[cfg(feature = "arena")]
#[cfg(test)]
mod tests {
    use super::*;

    /// The line for wrong arguments of this program.
    fn line_of(arguments: &[&str]) -> String {
        let mut command = crate::cli::command();
        let arguments = std::iter::once(&"tensai").chain(arguments);
        let arguments: Vec<OsString> = arguments.map(OsString::from).collect();
        line(command.try_get_matches_from_mut(&arguments).unwrap_err(), &command, &arguments)
    }

    #[test]
    fn each_error_is_one_line_that_names_the_argument() {
        let quote = "found; quote a command of several words: ";
        for (arguments, expected) in [
            (
                "--thraeds 1",
                "unexpected argument '--thraeds' found; a similar argument exists: '--threads'",
            ),
            (
                "--threads x",
                "invalid value 'x' for '--threads <N>': expected a whole number from 1 to 1024",
            ),
            ("--seed", "a value is required for '--seed <SEED>' but none was supplied"),
            (
                "--seed x",
                "invalid value 'x' for '--seed <SEED>': expected a whole number of digits only",
            ),
            ("mtach", "unrecognized subcommand 'mtach'; a similar subcommand exists: 'match'"),
            ("exec", "unrecognized subcommand 'exec'"),
            (
                "play --level 0",
                "invalid value '0' for '--level <1..9>': expected a whole number from 1 to 9",
            ),
            (
                "check-bot python3 bot.py",
                &format!("unexpected argument 'bot.py' {quote}\"PROGRAM ARGUMENT\""),
            ),
            (
                "match --b python3 bot.py",
                &format!("unexpected argument 'bot.py' {quote}--b \"PROGRAM ARGUMENT\""),
            ),
            (
                "replay G turn 3",
                "unexpected argument 'turn' found; a command comes before its options and arguments",
            ),
            ("replay turn G", "the following required arguments were not provided: <TURN>"),
        ] {
            let words: Vec<&str> = arguments.split(' ').collect();
            assert_eq!(line_of(&words), format!("{expected} (see --help)"));
        }
    }

    #[test]
    fn a_wrong_word_is_visible_and_cut() {
        let line = line_of(&["--seed", "\u{1b}[31mred"]);
        assert!(line.starts_with("invalid value '\\u{1b}[31mred' for '--seed <SEED>'"), "{line}");
        let line = line_of(&["--seed", &"7".repeat(9_000)]);
        assert!(line.len() < 200 && line.contains("… (9000 bytes)"), "{line}");
        for arguments in
            [&["play", "--x\u{1b}\ny"][..], &["x\u{1b}\ny"], &["replay", "G", "\u{1b}\ny"]]
        {
            let line = line_of(arguments);
            assert!(!line.contains(char::is_control) && !line.contains("to pass"), "{line}");
        }
    }
}
