//! The command line: `bot.rs` is the bot, `commands` has a folder for each group of commands.

mod arguments;
mod bot;
#[cfg(feature = "arena")]
mod commands;
#[cfg(not(feature = "arena"))]
#[path = "bot_alone.rs"]
mod commands;
mod error;
mod old_spellings;
mod output;
mod usage_error;
mod values;

#[cfg(feature = "arena")]
pub use commands::bots::match_::MatchOptions;
#[cfg(all(test, feature = "arena", target_os = "linux"))]
pub(crate) use commands::bots::match_::Results;
pub use error::CliError;

use std::env;
use std::ffi::OsString;

use clap::builder::Resettable;
use clap::error::ErrorKind;
use clap::{
    Arg, ArgAction, Args as _, CommandFactory as _, FromArgMatches as _, Parser, Subcommand,
};

/// The name of the program.
const NAME: &str = "tensai";

/// The end of the help.
const EXAMPLES: &str = "Example:
  tensai --threads 1 < input.txt

`tensai bot --help` lists all options of the bot.
Turns are numbered from 0 to 499, seats 0 and 1, games and rounds from 1.
Exit codes: 0; 1 if a check does not pass or a bot does not start; 2 if the
arguments are wrong or a file cannot be used; 130 if a signal stopped tensai.";

/// A bot for CODE VS Reborn, and an arena to play it in.
///
/// Without a subcommand the bot speaks the contest's protocol on standard input and output.
#[derive(Parser, Debug)]
#[command(name = NAME, version, args_conflicts_with_subcommands = true, after_help = EXAMPLES)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    color: commands::color::ColorArgs,
    #[command(flatten)]
    bot: bot::BotArgs,
}

#[derive(Subcommand, Debug)]
enum Command {
    /// The bot: speak the contest's protocol, as without a command; lists all options.
    Bot(Box<bot::BotArgs>),
    #[command(flatten)]
    Arena(commands::ArenaCommand),
}

/// The columns of text of a help, as far as the terminal has them.
const WIDTH: usize = 100;

/// The options of the bot that the short help of `tensai` has; that of `tensai bot` has them all.
const COMMON_OF_THE_BOT: [&str; 3] = ["engine", "threads", "nodes"];

/// The command line. `-h` prints a help that fits a screen; `--help`, `tensai help COMMAND` and the
/// manual pages have all of it. Both print the short help of `tensai` itself.
fn command() -> clap::Command {
    /// Sets the help and the options of `command` and of its subcommands.
    fn set_up(command: clap::Command) -> clap::Command {
        let is_root = command.get_name() == NAME;
        let (action, about) = match is_root {
            true => (ArgAction::HelpShort, "Print help"),
            false => (ArgAction::Help, "Print help: with -h the most common options, else all"),
        };
        let help = Arg::new("help").short('h').long("help").action(action).help(about);
        let command = command.disable_help_flag(true).max_term_width(WIDTH);
        let help = help.display_order(usize::MAX);
        // So that `--seed -1` has a wrong value, not an unexpected argument.
        let command = command.mut_args(|arg| {
            let has_value = arg.get_action().takes_values() && arg.get_long().is_some();
            if has_value { arg.allow_negative_numbers(true) } else { arg }
        });
        command.arg(help).mut_subcommands(set_up)
    }
    let bot = bot::BotArgs::augment_args(clap::Command::new("bot"));
    let is_of_the_bot = |id: &clap::Id| bot.get_arguments().any(|arg| arg.get_id() == id);
    set_up(Cli::command()).mut_args(|arg| {
        if !is_of_the_bot(arg.get_id()) {
            return arg;
        }
        let is_common = COMMON_OF_THE_BOT.contains(&arg.get_id().as_str());
        arg.help_heading("Options of the bot").hide_short_help(!is_common)
    })
}

/// `arg` with the variable that stands for it, if one does. An empty variable counts as unset, and
/// no command but the bot reads any.
fn with_variable(arg: Arg, runs_bot: bool) -> Arg {
    let value = arg.get_env().and_then(env::var_os);
    match runs_bot && value.is_some_and(|value| !value.is_empty()) {
        true => arg,
        false => arg.env(Resettable::Reset),
    }
}

/// Runs the program with the given arguments, the first being its name.
///
/// # Errors
/// The error that ended the command early. If arguments are missing and the help is printed
/// instead, the process ends here.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> Result<(), CliError> {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    let mut command = commands::help::grouped(command());
    if let Some(message) = old_spellings::message(&arguments, &command) {
        return Err(CliError::Refused(message));
    }
    // No other command reads variables.
    let first = arguments.get(1).and_then(|word| word.to_str()).unwrap_or_default();
    let runs_bot = ["", "bot"].contains(&first) || first.starts_with('-');
    let mut parser = command.clone().mut_args(|arg| with_variable(arg, runs_bot));
    parser = parser.mut_subcommand("bot", |bot| bot.mut_args(|arg| with_variable(arg, runs_bot)));
    let parsed = parser.try_get_matches_from_mut(&arguments).and_then(|matches| {
        let cli = Cli::from_arg_matches(&matches)?;
        Ok((matches, cli))
    });
    let (matches, cli) = match parsed {
        Ok(parsed) => parsed,
        Err(error) if error.kind() == ErrorKind::DisplayHelp => {
            // The help names all variables.
            let help = command.try_get_matches_from_mut(&arguments).err().unwrap_or(error);
            return usage_error::error(help, &command, &arguments);
        }
        Err(error) => return usage_error::error(error, &parser, &arguments),
    };
    cli.color.choose();
    match &cli.command {
        None => bot::run(&cli.bot, &matches),
        Some(Command::Bot(args)) => {
            bot::run(args, matches.subcommand_matches("bot").unwrap_or(&matches))
        }
        Some(Command::Arena(command)) => commands::run(command, self::command),
    }
}

#[cfg(all(test, feature = "arena"))]
mod tests {
    use super::*;

    #[test]
    fn the_arguments_are_consistent() {
        command().debug_assert();
        let ids: Vec<String> =
            command().get_arguments().map(|arg| arg.get_id().to_string()).collect();
        assert!(COMMON_OF_THE_BOT.iter().all(|name| ids.contains(&(*name).to_owned())), "{ids:?}");
    }
}
