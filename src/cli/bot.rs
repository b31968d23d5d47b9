//! `tensai` without a command: the bot, which speaks the contest's protocol.

use std::io::{self, IsTerminal as _};
use std::num::{NonZeroU64, NonZeroUsize};
use std::time::Duration;

use clap::parser::ValueSource;
use clap::{ArgMatches, Args, ValueEnum};

use super::arguments::{backend, named, planner_parameters, seat, setting, start_threads, threads};
use super::error::CliError;
use super::output::{list, print};
use crate::board::Backend;
use crate::cli::commands::classic::ClassicArgs;
use crate::engine::{self, TurnFilter};
use crate::engine::{GreedyEngine, Planner, TUNABLE, Tunable};
use crate::engine::{Pondering, RandomEngine, TimeLimits, Watchdog};
use crate::game::Seat;
use crate::protocol::{FORBIDDEN_IN_NAMES, Log};
use crate::util::duration;
use crate::util::message;

/// The engine that decides.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
enum EngineName {
    /// The bot's own engine.
    #[default]
    Planner,
    /// The engine that y.s., fourth in the contest's qualifiers, described: a baseline and test
    /// opponent.
    #[cfg_attr(not(feature = "arena"), value(skip))]
    Classic,
    /// Plays the action that sends the most ojama in the present turn.
    Greedy,
    /// As greedy, but overlooks most actions, and stacks anywhere while its field is low.
    Stacker,
    /// Piles its packs up, and attacks now and then.
    Beginner,
    /// Drops every pack at random.
    Random,
}

/// The options of the bot.
#[derive(Args, Debug, Clone)]
#[command(after_help = "Example:\n  tensai bot --engine classic --threads 1 < input.txt")]
pub struct BotArgs {
    /// The engine that decides.
    #[arg(long, value_enum, default_value_t)]
    engine: EngineName,

    /// Number of search threads [default: one for each core].
    #[arg(long, value_name = "N", env = "TENSAI_THREADS", value_parser = threads)]
    threads: Option<NonZeroUsize>,

    /// Simulated drops for a decision, instead of time.
    ///
    /// With one thread the bot then plays the same moves on every machine.
    #[arg(long, value_name = "N", env = "TENSAI_NODES")]
    nodes: Option<NonZeroU64>,

    /// Seed of random drops.
    ///
    /// Random drops follow from the seed, the number of the game, its packs, the seat and the turn.
    /// Engines that search use no random numbers.
    #[arg(long, value_name = "SEED", default_value_t = 0)]
    seed: u64,

    /// The bot's seat, 0 or 1, on which random drops depend too [default: 0].
    ///
    /// The referee of `tensai match` sets the variable, so that two random bots play differently.
    #[arg(long, value_name = "0|1", env = "TENSAI_SEAT", value_parser = seat)]
    #[arg(hide_short_help = true)]
    seat: Option<Seat>,

    /// The number of the game, from 1, on which random drops depend too [default: 1].
    ///
    /// The referee of `tensai match` sets the variable, so that a random bot plays differently in each
    /// game, also on the same packs.
    #[arg(long, value_name = "N", env = "TENSAI_GAME")]
    #[arg(hide_short_help = true)]
    game_number: Option<NonZeroU64>,

    /// Reserve of the clock, for stalls of the machine [default: a quarter of the game's time, 0.5
    /// to 1.5 s].
    ///
    /// It is the time of the game that is not planned, and the time by which a turn stays below
    /// --turn-time.
    #[arg(long, value_name = "TIME", value_parser = duration::parse)]
    reserve: Option<Duration>,

    /// The limit of a turn's time [default: 20s].
    ///
    /// The referee of `tensai match` sets the variable.
    #[arg(long, value_name = "TIME", env = "TENSAI_TURN_TIME", value_parser = duration::parse_limit)]
    turn_time: Option<Duration>,

    /// When to search on while the opponent decides; never if --nodes is given.
    ///
    /// Without a value: always.
    #[arg(long, value_parser = named(&Pondering::NAMED), value_name = "WHEN", env = "TENSAI_PONDER")]
    #[arg(require_equals = true, num_args = 0..=1)]
    #[arg(default_value = "auto", default_missing_value = "always")]
    ponder: Pondering,

    /// The backend that simulates drops [default: the fastest on this processor].
    ///
    /// The fastest one is measured when the program starts.
    #[arg(long, value_parser = backend(), env = "TENSAI_BACKEND")]
    backend: Option<Backend>,

    /// The name that the bot sends [default: tensai, or that of a weak --engine].
    #[arg(long, value_parser = name)]
    name: Option<String>,

    /// Answer only this game of the input; the first is 1.
    #[arg(long, value_name = "N")]
    game: Option<NonZeroUsize>,

    /// Answer only this turn of a game; the first is 0.
    #[arg(long, value_name = "TURN")]
    turn: Option<usize>,

    /// Set a parameter of the planner, as NAME=VALUE; may be repeated.
    ///
    /// For tuning. --help-parameters lists the names, ranges and default values.
    #[arg(long = "parameter", value_name = "NAME=VALUE", env = "TENSAI_PARAMETERS", hide = true)]
    #[arg(value_delimiter = ',', value_parser = setting)]
    parameters: Vec<String>,

    /// Print the parameters of the planner that --parameter NAME=VALUE sets, and exit.
    #[arg(long, hide_short_help = true)]
    help_parameters: bool,
    #[command(flatten)]
    pub classic: ClassicArgs,
}

/// Parses a bot's name. The contest forbids the characters that file names may not have.
fn name(text: &str) -> Result<String, String> {
    match text.chars().find(|&c| FORBIDDEN_IN_NAMES.contains(c) || c.is_control()) {
        _ if text.trim().is_empty() => Err("a bot needs a name".to_owned()),
        Some(wrong) => Err(format!("a bot's name may not contain `{}`", wrong.escape_debug())),
        None => Ok(text.to_owned()),
    }
}

/// The table of the planner's parameters.
fn parameters_help() -> String {
    let mut text = String::from(
        "The parameters of the planner: name, default value, range, meaning. Set one by\n\
         --parameter NAME=VALUE, or by TENSAI_PARAMETERS=NAME=VALUE,NAME=VALUE.\n\n",
    );
    text += &list(TUNABLE.iter().map(|tunable| {
        let Tunable { name, min, max, is_whole, about, .. } = *tunable;
        let range = format!("{min} to {max}");
        let whole = if is_whole { ", whole" } else { "" };
        let left = format!("  {name:18}  {:<6}  {range:12} ", tunable.default_value());
        (left, format!("{about}{whole}"))
    }));
    text + "\nExample:\n  \
            tensai --parameter discount=0.75 --parameter in_hand=0.4 \\\n      \
            --threads 1 < input.txt\n"
}

/// Refuses the options of the bot in `matches` that have no effect on its engine. A variable of the
/// environment is ignored there: it may be set for another bot.
fn check_effects(matches: &ArgMatches) -> Result<(), CliError> {
    let engine = matches.get_one("engine").copied().unwrap_or_default();
    let searches = matches!(engine, EngineName::Planner | EngineName::Classic);
    for option in BotArgs::augment_args(clap::Command::new("bot")).get_arguments() {
        let needed = match option.get_id().as_str() {
            "nodes" | "reserve" | "turn_time" if !searches => "an --engine that searches",
            "ponder" | "parameters" if engine != EngineName::Planner => "--engine planner",
            "verbose" | "preset" if engine != EngineName::Classic => "--engine classic",
            _ => continue,
        };
        if matches.value_source(option.get_id().as_str()) == Some(ValueSource::CommandLine) {
            let name = option.get_long().unwrap_or_default();
            return Err(CliError::Refused(format!("--{name} needs {needed}")));
        }
    }
    Ok(())
}

/// Speaks the protocol until the input ends, or prints the planner's parameters. `matches` are those
/// of `args`.
pub fn run(args: &BotArgs, matches: &ArgMatches) -> Result<(), CliError> {
    check_effects(matches)?;
    if args.help_parameters {
        return print(&parameters_help());
    }
    let of_planner = planner_parameters(&args.parameters);
    start_threads(args.threads)?;
    Backend::choose(args.backend);
    let (seed, own_seat) = (args.seed, args.seat.unwrap_or(Seat::First));
    let number = args.game_number.unwrap_or(NonZeroU64::MIN);
    let watchdog = match args.engine {
        EngineName::Planner => Watchdog::new(move || Box::new(Planner::new(of_planner))),
        EngineName::Classic => {
            let classic = args.classic.clone();
            Watchdog::new(move || classic.engine())
        }
        EngineName::Greedy => Watchdog::new(|| Box::new(GreedyEngine::new())),
        EngineName::Stacker => Watchdog::new(|| Box::new(GreedyEngine::stacker())),
        EngineName::Beginner => Watchdog::new(|| Box::new(GreedyEngine::beginner())),
        EngineName::Random => {
            Watchdog::new(move || Box::new(RandomEngine::new(seed, own_seat, number)))
        }
    };
    let default_name = match args.engine {
        EngineName::Greedy => "greedy",
        EngineName::Stacker => "stacker",
        EngineName::Beginner => "beginner",
        EngineName::Random => "random",
        _ => "tensai",
    };
    converse(args, default_name, watchdog)
}

fn converse(args: &BotArgs, default_name: &str, watchdog: Watchdog) -> Result<(), CliError> {
    let name = args.name.as_deref().unwrap_or(default_name);
    let default = TimeLimits::default();
    let limits = TimeLimits {
        turn: args.turn_time.unwrap_or(default.turn),
        reserve: args.reserve,
        nodes: args.nodes.map(NonZeroU64::get),
        ..default
    };
    let ponders = limits.nodes.is_none() && args.engine == EngineName::Planner;
    let pondering = if ponders { args.ponder } else { Pondering::Never };
    let mut watchdog = watchdog.pondering(pondering);
    let filter = TurnFilter { game: args.game.map(NonZeroUsize::get), turn: args.turn };
    if io::stdin().is_terminal() {
        message::line(
            "tensai: waiting for a game in the contest's protocol on standard input \
             (docs/protocol.md); `tensai play` lets you play, `tensai --help` lists the commands",
        );
    }
    let (input, output, log) = (io::stdin().lock(), io::stdout().lock(), Log::new(io::stderr()));
    log.take_panics();
    Ok(engine::serve(name, input, output, &log, &mut watchdog, &limits, filter)?)
}
