//! Errors in the arguments, each as one line: clap's own message, and hints of this program.

use std::error::Error as _;
use std::ffi::OsString;
use std::io::{self, Write as _};
use std::path::Path;

use clap::Command;
use clap::error::{ContextKind, ContextValue, ErrorKind};

use super::error::CliError;
use super::output::written;
use crate::util::numbers;
use crate::util::sanitize::{FOUND, LINE, visible};
use crate::util::suggestion::closest;

/// Prints help and version. Turns an error in `arguments`, those of `command`, or in a variable
/// that stands for one, into one line, with a suggestion where there is one.
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

/// The message: the error, the suggestions, and the option that prints the help.
fn line(mut error: clap::Error, command: &Command, arguments: &[OsString]) -> String {
    let [argument, value] = [ContextKind::InvalidArg, ContextKind::InvalidValue]
        .map(|kind| text(&error, kind).unwrap_or_default());
    let given = text(&error, ContextKind::InvalidSubcommand);
    let hint = match (error.kind(), given) {
        // clap names the next word, which may be no command at all.
        (ErrorKind::ArgumentConflict, Some(given)) => {
            return no_command(&given, command, arguments) + " (see --help)";
        }
        (ErrorKind::InvalidSubcommand, given) => {
            let mut paths: Vec<String> = late_command(command, arguments).into_iter().collect();
            if paths.is_empty() {
                with_subcommand(command, &given.unwrap_or_default(), "tensai", &mut paths);
            }
            match paths.is_empty() {
                false => meant(&paths),
                true if error.get(ContextKind::SuggestedSubcommand).is_some() => String::new(),
                true => members(command, arguments),
            }
        }
        (ErrorKind::UnknownArgument, _) => better_hint(&argument, command, arguments),
        (ErrorKind::MissingRequiredArgument, _) => meant(&misspelt(command, arguments)),
        _ => String::new(),
    };
    if let Some(variable) = variable(&argument, command, arguments).filter(|_| !value.is_empty()) {
        error.insert(ContextKind::InvalidArg, ContextValue::String(variable));
    }
    let reason = error.source().map(|source| {
        // Without the words of the standard library and of clap.
        let said = source.to_string();
        let better = numbers::number(source).map(str::to_owned).or_else(|| range(&said));
        (said, better)
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
    let mut line = paragraphs(&error.render().to_string(), Path::new(&argument).exists());
    if let Some((source, Some(better))) = reason {
        line = line.replace(&source, &better);
    }
    if hint.starts_with(MEANT) {
        // In place of clap's own suggestion, which knows no words in another order.
        let tips = ["; a similar subcommand", "; some similar subcommand"];
        line.truncate(tips.iter().find_map(|tip| line.find(tip)).unwrap_or(line.len()));
    }
    let end = if hint.contains("--help`") { "" } else { " (see --help)" };
    line + &hint + end
}

/// The message for `given`, a word after arguments that no command can follow.
fn no_command(given: &str, command: &Command, arguments: &[OsString]) -> String {
    if let Some(path) = after_options(command, arguments) {
        return format!("options come after the command: write `{path}` first");
    }
    let paths = late_command(command, arguments).map(|path| vec![path]);
    let meant = meant(&paths.unwrap_or_else(|| misspelt(command, arguments)));
    if !meant.is_empty() {
        return format!("unrecognized subcommand{meant}");
    }
    let (used, path, _) = begun(command, arguments);
    let names = used.get_positionals().filter_map(|arg| arg.get_value_names()?.first());
    let takes = match names.map(ToString::to_string).collect::<Vec<_>>().join(" and ") {
        none if none.is_empty() => "no argument without an option".to_owned(),
        names => format!("one {names}"),
    };
    format!("unexpected argument '{}' found; `{path}` takes {takes}", visible(given, LINE))
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
fn paragraphs(rendered: &str, is_file: bool) -> String {
    let mut line = String::new();
    let lines = rendered.lines().take_while(|part| {
        !part.starts_with("Usage:") && !part.starts_with("For more information")
    });
    for part in lines.map(str::trim).filter(|part| !part.is_empty()) {
        match part.strip_prefix("tip: ") {
            // Only a file can have the name of an option.
            Some(tip) if tip.starts_with("to pass '") && !is_file => {}
            Some(tip) => line = line + "; " + tip,
            None if line.is_empty() => line += part.strip_prefix("error: ").unwrap_or(part),
            None => line = line + " " + part,
        }
    }
    line
}

/// The most commands that a hint lists.
const LISTED: usize = 5;

/// A hint at what the unexpected argument `given` may mean: an option of other commands, or a part of a
/// command that is not quoted. Empty if it is neither.
fn better_hint(given: &str, root: &Command, arguments: &[OsString]) -> String {
    if let Some(name) = given.strip_prefix("--") {
        let option = name.split('=').next().unwrap_or(name);
        let (command, path, _) = begun(root, arguments);
        if command.find_subcommand(option).is_some() {
            return meant(&[format!("{path} {option}")]);
        }
        let mut others = Vec::new();
        with_option(root, option, "", &mut others);
        // Members of the same family, if they have it.
        let family = arguments.get(1).and_then(|word| word.to_str()).unwrap_or_default();
        let is_near = |other: &String| other.starts_with(&format!("'{family} "));
        if others.iter().any(is_near) {
            others.retain(is_near);
        }
        if (1..=LISTED).contains(&others.len()) {
            return format!("; --{option} is an option of {}", others.join(", "));
        }
    }
    if let Some(option) = unquoted(used(root, arguments), given, arguments) {
        return format!("; quote a command of several words: {option}\"PROGRAM ARGUMENT\"");
    }
    match after_options(root, arguments) {
        Some(path) => format!("; options come after the command: write `{path}` first"),
        None => meant(&misspelt(root, arguments)),
    }
}

/// The beginning of a hint at commands.
const MEANT: &str = "; did you mean ";

/// A hint at the commands that may be meant; empty without one.
fn meant(paths: &[String]) -> String {
    let paths: Vec<String> = paths.iter().map(|path| format!("`{path}`")).collect();
    if paths.is_empty() {
        return String::new();
    }
    format!("{MEANT}{}?", paths.join(" or "))
}

/// The command that `arguments` begin with, as words with `tensai`.
pub fn path(root: &Command, arguments: &[OsString]) -> String {
    begun(root, arguments).1
}

/// The command that `arguments` begin with, also as words with `tensai`, and the words after it. A
/// `help` before the command is one of its words only.
fn begun<'a>(root: &'a Command, arguments: &'a [OsString]) -> (&'a Command, String, Vec<&'a str>) {
    let (mut command, mut path) = (root, "tensai".to_owned());
    let words: Vec<&str> = arguments.iter().skip(1).map_while(|word| word.to_str()).collect();
    let words = match &words[..] {
        ["help", words @ ..] => {
            path += " help";
            words
        }
        words => words,
    };
    let named = words.iter().take_while(|word| {
        let Some(next) = command.find_subcommand(word) else { return false };
        command = next;
        path = format!("{path} {}", next.get_name());
        true
    });
    let count = named.count();
    (command, path, words[count..].to_vec())
}

/// The command that `arguments` name after options that stand too early.
fn after_options(root: &Command, arguments: &[OsString]) -> Option<String> {
    let (command, path, rest) = begun(root, arguments);
    let is_early = rest.first().is_some_and(|word| word.starts_with('-'));
    let at = rest.iter().position(|word| command.find_subcommand(word).is_some())?;
    let late: Vec<OsString> = [""].iter().chain(&rest[at..]).map(OsString::from).collect();
    let (_, late, _) = begun(command, &late);
    is_early.then(|| late.replacen("tensai", &path, 1))
}

/// The command that `arguments` name after what it works on, as a whole line.
fn late_command(root: &Command, arguments: &[OsString]) -> Option<String> {
    let (command, path, rest) = begun(root, arguments);
    let at = rest.iter().position(|word| command.find_subcommand(word).is_some())?;
    let path = format!("{path} {}", rest[at]);
    let others = [&rest[..at], &rest[at + 1..]].concat();
    // Words with other characters may need quotes.
    let is_plain = |c: char| c.is_alphanumeric() || "._-/=:,+".contains(c);
    match others.iter().all(|word| !word.is_empty() && word.chars().all(is_plain)) {
        true => Some([&[&*path], &others[..]].concat().join(" ")),
        false => Some(path),
    }
}

/// A hint at the subcommands of the command that `arguments` begin with: the nearest one, or all.
fn members(root: &Command, arguments: &[OsString]) -> String {
    let (command, path, rest) = begun(root, arguments);
    let names: Vec<&str> = visible_members(command).map(Command::get_name).collect();
    let first = rest.first().copied().unwrap_or_default();
    if command.get_arguments().any(|arg| arg.get_long() == Some(first)) {
        return meant(&[format!("{path} --{first}")]);
    }
    match closest(first, names.iter().copied()) {
        Some(near) => meant(&[format!("{path} {near}")]),
        None if std::ptr::eq(command, root) => "; `tensai --help` lists the commands".to_owned(),
        None => format!("; the commands of `{path}` are {}", names.join(", ")),
    }
}

/// The subcommands that the help of `command` lists.
fn visible_members(command: &Command) -> impl Iterator<Item = &Command> {
    // The help of `tensai` itself hides them, and lists them in its own way.
    let is_root = command.get_name() == super::NAME;
    let is_listed = move |sub: &&Command| is_root || !sub.is_hide_set();
    command.get_subcommands().filter(is_listed).filter(|sub| sub.get_name() != "help")
}

/// The command whose name may be misspelt in `arguments`, so that the parser took it for a file.
fn misspelt(root: &Command, arguments: &[OsString]) -> Vec<String> {
    let (command, path, rest) = begun(root, arguments);
    let word = rest.first().filter(|word| !word.starts_with('-') && !Path::new(word).exists());
    let names = visible_members(command).map(Command::get_name);
    let name = word.and_then(|word| closest(word, names));
    name.map(|name| format!("{path} {name}")).into_iter().collect()
}

/// Adds the commands in `command` that have a subcommand `name`, after `path`.
fn with_subcommand(command: &Command, name: &str, path: &str, found: &mut Vec<String>) {
    for sub in command.get_subcommands() {
        let path = format!("{path} {}", sub.get_name());
        if sub.get_name() == name {
            found.push(path.clone());
        }
        with_subcommand(sub, name, &path, found);
    }
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
    for sub in visible_members(command) {
        let path = format!("{path}{}", sub.get_name());
        if sub.get_arguments().any(|arg| arg.get_long() == Some(long)) {
            found.push(format!("'{path}'"));
        }
        with_option(sub, long, &format!("{path} "), found);
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
        let json = Arg::new("json").long("json").action(ArgAction::SetTrue);
        let turn = Command::new("turn").arg(Arg::new("turn").value_name("TURN"));
        let replay = Command::new("replay").args_conflicts_with_subcommands(true);
        let replay = replay.arg(Arg::new("game").value_name("GAME").required(true)).arg(json);
        let replay = replay.subcommand_negates_reqs(true).subcommand(turn);
        let mut command = Command::new("test")
            .args([number, kind, flag, other.conflicts_with("flag")])
            .subcommands([play, check, Command::new("match").arg(against), replay])
            .color(clap::ColorChoice::Never);
        let arguments = std::iter::once("test").chain(arguments.split(' '));
        let arguments: Vec<OsString> = arguments.map(OsString::from).collect();
        line(command.try_get_matches_from_mut(&arguments).unwrap_err(), &command, &arguments)
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
            ("chekc", "unrecognized subcommand 'chekc'; a similar subcommand exists: 'check'"),
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
            (
                "replay --json turn G 3",
                "options come after the command: write `tensai replay turn` first",
            ),
            (
                "--json replay turn G",
                "unexpected argument '--json' found; 'replay --json' exists; --json is an option of \
                 'replay'",
            ),
            (
                "--wide replay turn G",
                "unexpected argument '--wide' found; options come after the command: write \
                 `tensai replay turn` first",
            ),
            ("turn replay", "unrecognized subcommand 'turn'; did you mean `tensai replay turn`?"),
            ("replay trun G 3", "unrecognized subcommand; did you mean `tensai replay turn`?"),
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
