//! The subcommands that need the arena.

pub mod arguments;
pub mod bots;
pub mod classic;
pub mod color;
pub mod dev;
pub mod files;
pub mod format;
pub mod game_files;
pub mod games;
pub mod output;
pub mod play;
pub mod submission;

use clap::Subcommand;

pub use self::bots::arena_error::ArenaError;
pub use crate::util::system::stop::STOPPED;

use self::bots::{check_bot, league, match_, stats, tune};
use self::dev::{bench, completions, learn, perft};
use self::games::{analyse, packs, puzzles, record, replay, view};
use self::play::{human, serve};
use self::submission::submit;

use super::error::CliError;
use crate::arena::process;
use crate::util::system;
use crate::util::system::stop::Stop;

/// The subcommands that the arena adds to the command line.
#[derive(Subcommand, Debug)]
pub enum ArenaCommand {
    /// Play against this program in a terminal.
    Play(human::PlayArgs),
    /// Measure the simulator's speed; the signature is the same for every backend.
    Bench(bench::BenchArgs),
    /// Count all lines of actions of one player within a few turns.
    Perft(perft::PerftArgs),
    /// Play bots against each other over the contest's protocol.
    Match(Box<match_::MatchArgs>),
    /// Play a bot through situations in which bots fail, and report what it does wrong.
    CheckBot(check_bot::CheckBotArgs),
    /// Statistics, ratings and positions of recorded games.
    #[command(subcommand)]
    Stats(stats::StatsCommand),
    /// Run a league: engines come and go, and one list rates them all.
    #[command(subcommand)]
    League(Box<league::LeagueCommand>),
    /// Tune parameters of an engine by games (SPSA).
    Tune(Box<tune::TuneArgs>),
    /// Show recorded games, check them, and turn them into other forms.
    #[command(subcommand)]
    Record(record::RecordCommand),
    /// Show a recorded game turn by turn, and search its turns again.
    Replay(Box<replay::ReplayArgs>),
    /// Analyse one or two drawn fields: chains, potential, triggers, the skill.
    #[command(visible_alias = "analyze")]
    Analyse(analyse::AnalyseArgs),
    /// Make a page of recorded games that a browser plays like a video.
    View(view::ViewArgs),
    /// Find puzzles in recorded games, proven by trying all actions.
    Puzzles(puzzles::PuzzlesArgs),
    /// Serve the page on which a person plays, watches and analyses games in a browser.
    Serve(serve::ServeArgs),
    /// Draw the packs of games, and check files of packs.
    #[command(subcommand)]
    Packs(packs::PacksCommand),
    /// Learn the win probability from recorded games and the weights of the beam, and measure both.
    #[command(subcommand)]
    Learn(learn::LearnCommand),
    /// Make the zip of the submission, or check one as the contest's runner does.
    Submit(submit::SubmitArgs),
    /// Print the completions of a shell for this program.
    Completions(completions::CompletionsArgs),
    /// Write the manual pages of all commands.
    Man(completions::ManArgs),
    /// Supervise a bot. The arena starts this command.
    #[command(hide = true)]
    Keep,
    /// Become a bot. `keep` starts this command.
    #[command(hide = true)]
    Become,
    /// Open an address in the browser. `serve` starts this command.
    #[command(hide = true)]
    Browse {
        /// The address.
        url: String,
    },
}

impl ArenaCommand {
    /// Whether a signal may end the command at any moment, because it has nothing to report or to
    /// remove. The other commands handle signals themselves.
    const fn ends_at_once(&self) -> bool {
        match self {
            Self::Play(_)
            | Self::Match(_)
            | Self::Serve(_)
            | Self::CheckBot(_)
            | Self::Tune(_)
            | Self::Packs(_)
            | Self::Learn(_)
            | Self::Keep
            | Self::Become
            | Self::Browse { .. } => false,
            Self::Bench(_) | Self::Perft(_) => false,
            Self::Stats(command) => command.ends_at_once(),
            Self::Replay(args) => args.ends_at_once(),
            Self::Submit(args) => args.ends_at_once(),
            Self::League(command) => command.ends_at_once(),
            Self::Record(_)
            | Self::Analyse(_)
            | Self::View(_)
            | Self::Puzzles(_)
            | Self::Completions(_)
            | Self::Man(_) => true,
        }
    }
}

/// Runs `command`. `command_line` makes the whole command line.
pub fn run(command: &ArenaCommand, command_line: fn() -> clap::Command) -> Result<(), CliError> {
    if command.ends_at_once() {
        Stop::at_once()?;
    }
    match command {
        ArenaCommand::Play(args) => human::run(args),
        ArenaCommand::Bench(args) => bench::run(args),
        ArenaCommand::Perft(args) => perft::run(args),
        ArenaCommand::Match(args) => match_::run(args),
        ArenaCommand::CheckBot(args) => check_bot::run(args),
        ArenaCommand::Stats(command) => stats::run(command),
        ArenaCommand::League(command) => league::run(command),
        ArenaCommand::Tune(args) => tune::run(args),
        ArenaCommand::Record(command) => record::run(command),
        ArenaCommand::Replay(args) => replay::run(args),
        ArenaCommand::Analyse(args) => analyse::run(args),
        ArenaCommand::View(args) => view::run(args),
        ArenaCommand::Puzzles(args) => puzzles::run(args),
        ArenaCommand::Serve(args) => serve::run(args),
        ArenaCommand::Packs(command) => packs::run(command),
        ArenaCommand::Learn(command) => learn::run(command),
        ArenaCommand::Submit(args) => submit::run(args),
        ArenaCommand::Completions(args) => completions::completions(args, command_line()),
        ArenaCommand::Man(args) => completions::man(args, command_line()),
        ArenaCommand::Keep => Ok(process::keep()?),
        ArenaCommand::Become => Ok(process::become_bot()?),
        ArenaCommand::Browse { url } => Ok(system::browse(url)?),
    }
}
