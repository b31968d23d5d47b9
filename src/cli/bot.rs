//! `tensai` and `tensai play`: the bot, over the contest's protocol.

use std::io;
use std::num::{NonZeroU64, NonZeroUsize};
use std::time::Duration;

use clap::Args;

use super::{CliError, backend};
use crate::backend::{Backend, WithField};
use crate::duration;
use crate::game::Field;
use crate::mind::{Guard, Mind, Planner, RandomMind, Settings, TimeRules};
use crate::protocol::{self, FORBIDDEN_IN_NAMES, Log};

/// How the bot plays.
#[derive(Args, Debug, Clone)]
pub struct BotArgs {
    /// Threads that think [default: one for each core].
    #[arg(long, value_name = "N", env = "TENSAI_THREADS")]
    threads: Option<NonZeroUsize>,

    /// Simulated drops a decision, instead of time: with one thread the bot then plays the same
    /// moves on every machine.
    #[arg(long, value_name = "N", env = "TENSAI_NODES")]
    nodes: Option<NonZeroU64>,

    /// Seed of everything that is left to chance.
    #[arg(long, value_name = "SEED", default_value_t = 0)]
    seed: u64,

    /// Safety margin: time of the game that is never used, and that a turn stays short of its
    /// 20 seconds by.
    #[arg(long, value_name = "TIME", default_value = "1s", value_parser = duration::parse)]
    reserve: Duration,

    /// How fields are simulated [default: the fastest that this processor can].
    #[arg(long, value_name = "avx512|avx2|portable|eleven|bitboard|reference", value_parser = backend)]
    backend: Option<Backend>,

    /// The name that the bot gives [default: tensai, or random].
    #[arg(long, value_parser = name)]
    name: Option<String>,
}

/// Which player to be.
#[derive(Args, Debug)]
pub struct PlayArgs {
    #[command(flatten)]
    bot: BotArgs,

    /// Drop every pack at random instead of thinking.
    #[arg(long)]
    random: bool,
}

/// Parses a bot's name: the contest forbids the characters that file names may not have.
fn name(text: &str) -> Result<String, String> {
    match text.chars().find(|&c| FORBIDDEN_IN_NAMES.contains(c) || c.is_control()) {
        _ if text.trim().is_empty() => Err("a bot needs a name".to_owned()),
        Some(wrong) => Err(format!("a bot's name may not contain `{}`", wrong.escape_debug())),
        None => Ok(text.to_owned()),
    }
}

/// Makes the bot's mind for an encoding of the field.
struct MakePlanner;

impl WithField for MakePlanner {
    type Output = Box<dyn Mind>;

    fn run<F: Field>(self) -> Box<dyn Mind> {
        Box::new(Planner::<F>::new(Settings::default()))
    }
}

/// Speaks the protocol until the input ends.
pub fn serve(args: &BotArgs) -> Result<(), CliError> {
    let mut pool = rayon::ThreadPoolBuilder::new();
    if let Some(threads) = args.threads {
        pool = pool.num_threads(threads.get());
    }
    let pool = pool.build_global();
    pool.map_err(|error| CliError::Refused(format!("cannot start threads: {error}")))?;
    let backend = args.backend.unwrap_or_else(Backend::detect);
    converse(args, "tensai", Guard::new(move || backend.with_field(MakePlanner)))
}

/// `tensai play`.
pub fn play(args: &PlayArgs) -> Result<(), CliError> {
    if args.random {
        let seed = args.bot.seed;
        converse(&args.bot, "random", Guard::new(move || Box::new(RandomMind::new(seed))))
    } else {
        serve(&args.bot)
    }
}

fn converse(args: &BotArgs, usual_name: &str, mut guard: Guard) -> Result<(), CliError> {
    let name = args.name.as_deref().unwrap_or(usual_name);
    let rules = TimeRules {
        reserve: args.reserve,
        nodes: args.nodes.map(NonZeroU64::get),
        ..TimeRules::default()
    };
    let (input, output, log) = (io::stdin().lock(), io::stdout().lock(), Log::new(io::stderr()));
    Ok(protocol::serve(name, input, output, &log, &mut guard, &rules)?)
}
