//! The command of the submission.

mod submit;

use clap::Subcommand;

use crate::cli::error::CliError;

/// The command of the submission.
#[derive(Subcommand, Debug)]
pub enum SubmissionCommand {
    /// Make the zip of the submission, or check one as the contest does.
    Submit(submit::SubmitArgs),
}

impl SubmissionCommand {
    /// Whether a signal may end the command at any moment.
    pub const fn ends_at_once(&self) -> bool {
        let Self::Submit(args) = self;
        args.ends_at_once()
    }
}

/// Runs `command`.
pub fn run(command: &SubmissionCommand) -> Result<(), CliError> {
    let SubmissionCommand::Submit(args) = command;
    submit::run(args)
}
