//! Errors in the arguments, each as one line.

use std::error::Error as _;
use std::ffi::OsString;
use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::path::Path;

use clap::Command;
use clap::error::{ContextKind, ContextValue, ErrorKind};

use super::error::CliError;
use super::output::written;
use crate::util::numbers;
use crate::util::sanitize::{FOUND, LINE, visible};

/// Prints help and version. Turns an error in `arguments`, those of `command`, or in a variable
/// that stands for one, into one line, with a suggestion where there is one.
///
/// # Errors
/// Wrong arguments, and a standard output that cannot be written. Help that stands in for missing
/// arguments goes to standard error and ends the process; it is lost where that cannot be written.
pub fn error(
    error: &clap::Error,
    command: &Command,
    arguments: &[OsString],
) -> Result<(), CliError> {
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
            written(error.print().and_then(|()| io::stdout().flush()))
        }
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => error.exit(),
        _ => Err(CliError::Arguments(line(error, command, arguments))),
    }
}

/// The message: the error, the suggestions, and the option that prints the help.
fn line(error: &clap::Error, command: &Command, arguments: &[OsString]) -> String {
    let mut line = wrong(error, command, arguments);
    line += &better_hint(error, command, arguments);
    for (kind, noun) in [
        (ContextKind::SuggestedSubcommand, "subcommand"),
        (ContextKind::SuggestedArg, "argument"),
        (ContextKind::SuggestedValue, "value"),
    ] {
        let similar = values(error, kind);
        let _ = match &similar[..] {
            [] => Ok(()),
            [one] => write!(line, "; a similar {noun} exists: '{one}'"),
            several => write!(line, "; similar {noun}s exist: {}", listed(several)),
        };
    }
    // The parser suggests to pass an unknown option as a value, which only a file can be.
    let is_file = error.kind() != ErrorKind::UnknownArgument
        || values(error, ContextKind::InvalidArg).iter().all(|given| Path::new(given).exists());
    for suggestion in values(error, ContextKind::Suggested).iter().filter(|_| is_file) {
        let _ = write!(line, "; {suggestion}");
    }
    line + " (see --help)"
}

/// A hint at what an unexpected argument may mean: an option of other commands, or a part of a command
/// that is not quoted. Empty if it is neither.
fn better_hint(error: &clap::Error, root: &Command, arguments: &[OsString]) -> String {
    let given = values(error, ContextKind::InvalidArg).join(" ");
    if error.kind() != ErrorKind::UnknownArgument {
        return String::new();
    }
    let mut others = Vec::new();
    if let Some(name) = given.strip_prefix("--") {
        let option = name.split('=').next().unwrap_or(name);
        with_option(root, option, "", &mut others);
        if !others.is_empty() {
            return format!("; --{option} is an option of {}", listed(&others));
        }
    }
    let option = unquoted(used(root, arguments), &given, arguments);
    option.map_or_else(String::new, |option| {
        format!("; quote a command of several words: {option}\"PROGRAM ARGUMENT\"")
    })
}

/// The command that `arguments` name.
fn used<'a>(root: &'a Command, arguments: &[OsString]) -> &'a Command {
    arguments.iter().skip(1).fold(root, |command, word| {
        word.to_str().and_then(|word| command.find_subcommand(word)).unwrap_or(command)
    })
}

/// If `given` follows the first word of a command line in `arguments`: the option of that command
/// line with a space, or nothing if it has no option.
fn unquoted(used: &Command, given: &str, arguments: &[OsString]) -> Option<String> {
    let takes_command = |arg: &&clap::Arg| {
        arg.get_value_names().is_some_and(|names| names.iter().any(|name| name == "COMMAND"))
    };
    let at = arguments.iter().position(|word| word == given)?;
    let before: Vec<_> = arguments[..at].iter().filter_map(|word| word.to_str()).collect();
    used.get_arguments().filter(takes_command).find_map(|arg| match arg.get_long() {
        None => Some(String::new()),
        Some(long) => {
            let option = format!("--{long}");
            let is_last = before.len() >= 2 && before[before.len() - 2] == option;
            is_last.then(|| option + " ")
        }
    })
}

/// Adds the names of the commands in `command` that have the option `long`, after `path`.
fn with_option(command: &Command, long: &str, path: &str, found: &mut Vec<String>) {
    for sub in command.get_subcommands() {
        let path = format!("{path}{}", sub.get_name());
        if sub.get_arguments().any(|arg| arg.get_long() == Some(long)) {
            found.push(path.clone());
        }
        with_option(sub, long, &format!("{path} "), found);
    }
}

/// The error in an argument, and the argument.
fn wrong(error: &clap::Error, command: &Command, arguments: &[OsString]) -> String {
    let text = |kind| values(error, kind).join(" ");
    let argument = text(ContextKind::InvalidArg);
    let given = text(ContextKind::InvalidValue);
    let given = visible(&given, FOUND);
    let invalid = || {
        let variable = variable(&argument, command, arguments);
        let source = variable.map_or_else(String::new, |variable| format!(" of {variable}"));
        format!("invalid value '{given}'{source} for '{argument}'")
    };
    match error.kind() {
        ErrorKind::InvalidValue if text(ContextKind::InvalidValue).is_empty() => {
            let mut line = format!("a value is required for '{argument}' but none was supplied");
            add_possible_values(&mut line, error, ContextKind::ValidValue);
            line
        }
        ErrorKind::InvalidValue => {
            let mut line = invalid();
            add_possible_values(&mut line, error, ContextKind::ValidValue);
            line
        }
        ErrorKind::ValueValidation => match (reason(error), argument.is_empty()) {
            (Some(reason), true) => reason,
            (Some(reason), false) => format!("{}: {reason}", invalid()),
            // A message of this program's own.
            (None, true) => own_message(error),
            (None, false) => invalid(),
        },
        ErrorKind::UnknownArgument => {
            format!("unexpected argument '{}' found", visible(&argument, LINE))
        }
        ErrorKind::InvalidSubcommand => {
            let given = text(ContextKind::InvalidSubcommand);
            format!("unrecognized subcommand '{}'", visible(&given, LINE))
        }
        ErrorKind::NoEquals => {
            format!("equal sign is needed when assigning values to '{argument}'")
        }
        ErrorKind::TooManyValues => {
            format!("unexpected value '{given}' for '{argument}' found; no more were expected")
        }
        ErrorKind::TooFewValues => {
            let [least, actual] = [ContextKind::MinValues, ContextKind::ActualNumValues].map(text);
            format!("at least {least} values are required by '{argument}'; only {actual} provided")
        }
        ErrorKind::WrongNumberOfValues => {
            let kinds = [ContextKind::ExpectedNumValues, ContextKind::ActualNumValues];
            let [expected, actual] = kinds.map(text);
            format!("{expected} values are required for '{argument}' but {actual} were provided")
        }
        ErrorKind::ArgumentConflict => match &values(error, ContextKind::PriorArg)[..] {
            [one] if *one == argument => {
                format!("the argument '{argument}' cannot be used multiple times")
            }
            [one] => format!("the argument '{argument}' cannot be used with '{one}'"),
            several => {
                format!("the argument '{argument}' cannot be used with: {}", several.join(" "))
            }
        },
        ErrorKind::MissingRequiredArgument => {
            format!("the following required arguments were not provided: {argument}")
        }
        ErrorKind::MissingSubcommand => {
            let command = text(ContextKind::InvalidSubcommand);
            let mut line = format!("'{command}' requires a subcommand but one was not provided");
            let known = values(error, ContextKind::ValidSubcommand);
            if !known.is_empty() {
                let _ = write!(line, " [subcommands: {}]", known.join(", "));
            }
            line
        }
        kind => kind.as_str().map_or_else(|| own_message(error), str::to_owned),
    }
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

/// The reason for which a value's parser refused it, without the standard library's words.
fn reason(error: &clap::Error) -> Option<String> {
    let source = error.source()?;
    Some(numbers::number(source).map_or_else(|| source.to_string(), str::to_owned))
}

/// The message of an error that was made from text (`clap::Error::raw`), which is its only line.
fn own_message(error: &clap::Error) -> String {
    let message = error.to_string();
    let message = message.trim();
    message.strip_prefix("error: ").unwrap_or(message).to_owned()
}

fn add_possible_values(line: &mut String, error: &clap::Error, kind: ContextKind) {
    let possible = values(error, kind);
    if !possible.is_empty() {
        let _ = write!(line, " [possible values: {}]", possible.join(", "));
    }
}

/// The values of an error's context; none where it has no such context.
fn values(error: &clap::Error, kind: ContextKind) -> Vec<String> {
    match error.get(kind) {
        Some(ContextValue::String(text)) => vec![text.clone()],
        Some(ContextValue::Strings(texts)) => texts.clone(),
        Some(ContextValue::StyledStr(text)) => vec![text.to_string()],
        Some(ContextValue::StyledStrs(texts)) => texts.iter().map(ToString::to_string).collect(),
        Some(ContextValue::Number(number)) => vec![number.to_string()],
        Some(ContextValue::Bool(is_so)) => vec![is_so.to_string()],
        _ => Vec::new(),
    }
}

fn listed(texts: &[String]) -> String {
    texts.iter().map(|text| format!("'{text}'")).collect::<Vec<_>>().join(", ")
}

#[cfg(feature = "arena")]
#[cfg(test)]
mod tests {
    use clap::{Arg, ArgAction, Command, value_parser};

    use super::*;

    /// The line for a command that is given wrong arguments.
    fn line_of(arguments: &str) -> String {
        let number = Arg::new("number").long("number").value_parser(value_parser!(u8));
        let kind = Arg::new("kind").long("kind").value_parser(["plain", "wild"]);
        let flag = Arg::new("flag").long("flag").action(ArgAction::SetTrue);
        let other = Arg::new("other").long("other").action(ArgAction::SetTrue);
        let play = Command::new("play").arg(Arg::new("folder").value_name("FOLDER").required(true));
        let against = Arg::new("b").long("b").value_name("COMMAND");
        let check = Command::new("check").arg(Arg::new("bot").value_name("COMMAND"));
        let check = check.arg(Arg::new("deep").long("deep").action(ArgAction::SetTrue));
        let mut command = Command::new("test")
            .args([number, kind, flag, other.conflicts_with("flag")])
            .subcommands([play, check, Command::new("match").arg(against)])
            .color(clap::ColorChoice::Never);
        let arguments = std::iter::once("test").chain(arguments.split(' '));
        let arguments: Vec<OsString> = arguments.map(OsString::from).collect();
        line(&command.try_get_matches_from_mut(&arguments).unwrap_err(), &command, &arguments)
    }

    #[test]
    fn each_error_is_one_line_that_names_the_argument() {
        for (arguments, expected) in [
            (
                "--nubmer 1",
                "unexpected argument '--nubmer' found; a similar argument exists: '--number'",
            ),
            (
                "--number x",
                "invalid value 'x' for '--number <number>': expected a whole number of digits only",
            ),
            ("--number", "a value is required for '--number <number>' but none was supplied"),
            (
                "--kind pain",
                "invalid value 'pain' for '--kind <kind>' [possible values: plain, wild]; a similar \
                 value exists: 'plain'",
            ),
            ("--flag --other", "the argument '--flag' cannot be used with '--other'"),
            ("--flag --flag", "the argument '--flag' cannot be used multiple times"),
            ("plya", "unrecognized subcommand 'plya'; a similar subcommand exists: 'play'"),
            (
                "play here --deep",
                "unexpected argument '--deep' found; --deep is an option of 'check'",
            ),
            ("play here --deeep", "unexpected argument '--deeep' found"),
            (
                "check python3 bot.py",
                "unexpected argument 'bot.py' found; quote a command of several words: \
                 \"PROGRAM ARGUMENT\"",
            ),
            ("check random --b x", "unexpected argument '--b' found; --b is an option of 'match'"),
            (
                "check python3 --fast",
                "unexpected argument '--fast' found; quote a command of several words: \
                 \"PROGRAM ARGUMENT\"",
            ),
            (
                "match --b python3 bot.py",
                "unexpected argument 'bot.py' found; quote a command of several words: \
                 --b \"PROGRAM ARGUMENT\"",
            ),
            ("match bot.py", "unexpected argument 'bot.py' found"),
            ("play", "the following required arguments were not provided: <FOLDER>"),
        ] {
            assert_eq!(line_of(arguments), format!("{expected} (see --help)"));
        }
    }

    #[test]
    fn a_wrong_value_is_visible_and_cut() {
        let line = line_of("--number \u{1b}[31mred");
        assert!(
            line.starts_with("invalid value '\\u{1b}[31mred' for '--number <number>'"),
            "{line}"
        );
        let line = line_of(&format!("--number {}", "7".repeat(9_000)));
        assert!(line.len() < 200 && line.contains("… (9000 bytes)"), "{line}");
    }
}
