//! The help of `tensai`: its commands in groups, a line each.

use std::fmt::Write as _;

use clap::{Command, Subcommand};

use super::bots::BotsCommand;
use super::games::GamesCommand;
use super::play::PlayCommand;
use super::submission::SubmissionCommand;

/// A heading, and what adds the commands below it to a command.
type Group = (&'static str, fn(Command) -> Command);

/// The groups, in the order of the help.
const GROUPS: [Group; 4] = [
    ("Play", PlayCommand::augment_subcommands),
    ("Bots", BotsCommand::augment_subcommands),
    ("Games", GamesCommand::augment_subcommands),
    ("Submission", SubmissionCommand::augment_subcommands),
];

/// The two ways to call the program.
const USAGE: &str = "tensai <COMMAND>
       tensai [OPTIONS]    the bot, on standard input and output";

/// Gives `command`, the whole command line, a help that lists the commands by their groups. clap
/// itself would list them all under one heading.
pub fn grouped(mut command: Command) -> Command {
    let header = *command.get_styles().get_header();
    let literal = *command.get_styles().get_literal();
    let line = |name: &str, about: &dyn std::fmt::Display| {
        format!("  {literal}{name:<11}{literal:#}{about}\n")
    };
    let mut list = String::new();
    for (heading, commands) in GROUPS {
        // Writing to a string cannot fail.
        let _ = writeln!(list, "{header}{heading}:{header:#}");
        for command in commands(Command::new("tensai")).get_subcommands() {
            list += &line(command.get_name(), command.get_about().unwrap_or_default());
        }
        list.push('\n');
    }
    let dev = command.find_subcommand("dev").and_then(Command::get_about).cloned();
    list += &line("dev", &dev.unwrap_or_default());
    list += &line("help", &"Print the help of a command");
    let template = format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{list}\n{{all-args}}{{after-help}}"
    );
    command = command.mut_subcommands(|command| command.hide(true));
    command.override_usage(USAGE).help_template(template)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_command_is_listed_in_one_line_of_80_columns() {
        let all = crate::cli::command();
        let help = grouped(crate::cli::command()).render_help().to_string();
        // The bot is what runs without a command.
        let listed = |command: &&Command| !command.is_hide_set() && command.get_name() != "bot";
        for command in all.get_subcommands().filter(listed) {
            let (name, about) = (command.get_name(), command.get_about().unwrap_or_default());
            let line = format!("  {name:<11}{about}");
            assert!(help.lines().any(|listed| listed == line), "{line}\n{help}");
            assert!(line.chars().count() <= 80, "{line}");
        }
    }
}
