//! `tensai tune`: finds better values of an engine's parameters by games.

use std::collections::HashMap;
use std::num::{NonZeroU64, NonZeroUsize};
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::error::ErrorKind;
use clap::{Arg, ArgAction, ArgMatches, Args, FromArgMatches, Subcommand};

use super::arena_error::untrusted;
use super::logs::LogArgs;
use super::match_::slots::GameSlots;
use super::match_::{
    CLOCKS, ENGINES, RESULTS, SCHEDULE, SlotArgs, check_starts, faults, quoted_commands,
};
use crate::arena::tuning::{Parameter, Tuning, TuningFolder};
use crate::arena::{
    EngineConfig, Fixture, GameEvent, Happened, LogFolder, OWN, Observer, OpenMatch, Pairing,
    Resources, Starts, process, trust,
};
use crate::cli::commands::format::shell_path;
use crate::cli::commands::output::{print, print_data};
use crate::cli::commands::table;
use crate::cli::error::CliError;
use crate::record::{Record, json_line};
use crate::util::duration;
use crate::util::duration::milliseconds;
use crate::util::message;
use crate::util::numbers::counted;
use crate::util::sanitize::{self, shown};
use crate::util::system::stop::Stop;
use crate::web::pages::tuning as page;

/// The end of `--help`.
const EXAMPLE: &str = "Example:
  tensai tune mine --nodes 20000 --parameter discount start=0.98 \\
      --parameter in_hand max=0.8
  tensai tune resume mine

`tensai --help-parameters` lists the parameters of tensai.";

/// Arguments of `tensai tune`.
#[derive(Args, Debug)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
#[command(disable_help_subcommand = true)]
#[command(after_help = EXAMPLE)]
pub struct TuneArgs {
    #[command(subcommand)]
    command: Option<TuneCommand>,

    #[command(flatten)]
    new: NewTuningArgs,
}

/// The subcommands of `tensai tune`.
#[derive(Subcommand, Debug)]
enum TuneCommand {
    /// Go on with a tuning.
    Resume(ResumeArgs),
}

/// Arguments of a new tuning.
#[derive(Args, Debug)]
struct NewTuningArgs {
    /// The folder of the tuning, which is made: tuning.json, path.html, and the games.
    #[arg(value_name = "FOLDER", required = true)]
    folder: Option<PathBuf>,

    #[command(flatten)]
    words: WordOptions,

    /// Number of iterations in all [default: 200].
    ///
    /// `tune resume` can add iterations to a finished tuning.
    #[arg(long, value_name = "N", help_heading = SCHEDULE)]
    iterations: Option<NonZeroUsize>,

    /// Number of games of an iteration, each with packs of its own [default: 2].
    ///
    /// With --against, each side plays this number of games against each opponent.
    #[arg(long, value_name = "N", help_heading = SCHEDULE)]
    games: Option<NonZeroUsize>,

    /// Step of each parameter after the first iteration, in strides, if one side scores a whole
    /// point a game more [default: 0.1].
    #[arg(long, value_name = "NUMBER", help_heading = SCHEDULE, hide_short_help = true)]
    rate: Option<f64>,

    /// Seed of the directions and of the first packs [default: 0].
    #[arg(long, value_name = "SEED", help_heading = SCHEDULE)]
    seed: Option<u64>,

    /// Time of each engine for a game [default: 10s].
    #[arg(long, value_name = "TIME", value_parser = duration::parse_limit, help_heading = CLOCKS)]
    time: Option<Duration>,

    /// Nodes of a decision, instead of time, unless an engine has its own.
    #[arg(long, value_name = "N", help_heading = CLOCKS)]
    nodes: Option<NonZeroU64>,

    /// Ask one engine after the other, on one core.
    #[arg(long, help_heading = CLOCKS, hide_short_help = true)]
    sequential: bool,

    /// Begin each game with N random drops [default: 0].
    #[arg(long, value_name = "N", help_heading = SCHEDULE, hide_short_help = true)]
    openings: Option<usize>,

    /// End a game as soon as one engine is proven to lose.
    #[arg(long, help_heading = SCHEDULE, hide_short_help = true)]
    adjudicate: bool,

    #[command(flatten)]
    play: PlayingArgs,
}

/// Arguments of `tensai tune resume`.
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  tensai tune resume mine")]
struct ResumeArgs {
    /// The folder of the tuning.
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,

    /// Number of iterations in all, to play more than before.
    #[arg(long, value_name = "N")]
    iterations: Option<NonZeroUsize>,

    /// Run commands that may not be yours; read `tuning.json` first.
    ///
    /// The commands were given by another user or on another machine, or were changed since. They
    /// run with your rights.
    #[arg(long)]
    trust: bool,

    #[command(flatten)]
    play: PlayingArgs,
}

/// How games are played, and the result is printed.
#[derive(Args, Debug)]
struct PlayingArgs {
    #[command(flatten)]
    slots: SlotArgs,

    #[command(flatten)]
    logs: LogArgs,

    /// Print the tuning as JSON (docs/schemas/tuning.json).
    #[arg(long, help_heading = RESULTS)]
    json: bool,
}

/// The options of several words: `--engine`, `--against`, `--parameter`.
#[derive(Clone, Debug, Default)]
struct WordOptions {
    engine: Option<EngineConfig>,
    against: Vec<EngineConfig>,
    parameters: Vec<Parameter>,
}

impl Args for WordOptions {
    fn augment_args(command: clap::Command) -> clap::Command {
        let words = |name: &'static str, short: &'static str, long: &'static str| {
            let arg = Arg::new(name).long(name).value_name("KEY=VALUE").num_args(1..);
            let arg = arg.help_heading(ENGINES);
            arg.help(short).long_help(format!("{short}.\n\n{long}"))
        };
        let engine = words(
            "engine",
            "The engine that is tuned, as in match [default: this program]",
            "{NAME} in its command or in the value of a variable is the value of the parameter NAME. \
             A parameter without such a place is given to tensai as --parameter NAME=VALUE, to any \
             other program in the variable NAME.",
        );
        let against = words(
            "against",
            "An opponent of both sides; may be repeated [default: each other]",
            "The words are those of --engine. Without an opponent the two sides play each other.",
        );
        let parameter = words(
            "parameter",
            "A parameter; may be repeated",
            "The words are name=NAME start=NUMBER min=NUMBER max=NUMBER stride=NUMBER \
             whole=true|false. The stride is the first shift: a change that makes a noticeable \
             difference. The name alone is enough for a parameter of tensai.",
        );
        command
            .arg(engine)
            .arg(against.action(ArgAction::Append))
            .arg(parameter.action(ArgAction::Append).required(true))
    }

    fn augment_args_for_update(command: clap::Command) -> clap::Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for WordOptions {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let given = |name: &str| -> Vec<Vec<&String>> {
            let all = matches.get_occurrences::<String>(name).into_iter().flatten();
            all.map(Iterator::collect).collect()
        };
        let refused = |name: &'static str| {
            move |error: String| {
                clap::Error::raw(ErrorKind::ValueValidation, format!("--{name}: {error}\n"))
            }
        };
        let engines = |name: &'static str| -> Result<Vec<EngineConfig>, clap::Error> {
            let engines = given(name).into_iter().map(|words| EngineConfig::from_words(&words));
            engines.collect::<Result<_, _>>().map_err(refused(name))
        };
        let parameters = given("parameter").into_iter().map(|words| Parameter::from_words(&words));
        Ok(Self {
            engine: engines("engine")?.pop(),
            against: engines("against")?,
            parameters: parameters.collect::<Result<_, _>>().map_err(refused("parameter"))?,
        })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl NewTuningArgs {
    /// The new tuning that the options describe.
    fn tuning(&self) -> Result<Tuning, CliError> {
        let WordOptions { engine, against, parameters } = self.words.clone();
        let own = || EngineConfig::new(OWN, OWN);
        let mut tuning = Tuning::new(engine.unwrap_or_else(own), parameters);
        tuning.opponents = against;
        for engine in std::iter::once(&mut tuning.engine).chain(&mut tuning.opponents) {
            engine.nodes = engine.nodes.or(self.nodes);
        }
        tuning.iterations = self.iterations.map_or(tuning.iterations, NonZeroUsize::get);
        tuning.games = self.games.map_or(tuning.games, NonZeroUsize::get);
        tuning.rate = self.rate.unwrap_or(tuning.rate);
        tuning.seed = self.seed.unwrap_or(tuning.seed);
        if let Some(time) = self.time {
            tuning.game_ms = milliseconds(time);
        }
        tuning.sequential = self.sequential;
        tuning.openings = self.openings.unwrap_or(0);
        tuning.adjudicate = self.adjudicate;
        tuning.check().map_err(CliError::Refused)?;
        for engine in &tuning.manifest(0).engines {
            process::command(engine)?;
        }
        tuning.mac = trust::mac(&tuning.given());
        Ok(tuning)
    }
}

impl ResumeArgs {
    /// The tuning in the folder, which goes on.
    fn tuning(&self) -> Result<Tuning, CliError> {
        let mut tuning = TuningFolder::read(&self.folder)?;
        let given = tuning.given();
        if !self.trust && !trust::fits(tuning.mac.as_deref(), &given) {
            let commands = quoted_commands(&given, "tuning.json");
            return Err(untrusted(&self.folder, &commands));
        }
        tuning.mac = trust::mac(&given);
        if let Some(iterations) = self.iterations {
            let finished = tuning.path.len();
            if iterations.get() < finished {
                let reason = format!(
                    "--iterations: expected {finished} or more, as {finished} are \
                    finished, found {iterations}"
                );
                return Err(CliError::Refused(reason));
            }
            tuning.iterations = iterations.get();
        }
        tuning.check().map_err(CliError::Refused)?;
        Ok(tuning)
    }
}

/// Begins or resumes a tuning, plays its iterations and prints the tuned values.
pub fn run(args: &TuneArgs) -> Result<(), CliError> {
    if let Some(TuneCommand::Resume(args)) = &args.command {
        let tuning = args.tuning()?;
        let logs = args.play.logs.open()?;
        let folder = TuningFolder::open(&args.folder)?;
        return play(tuning, folder, logs.as_ref(), &args.folder, &args.play);
    }
    let args = &args.new;
    let Some(path) = &args.folder else {
        return Err(CliError::Refused("expected a folder".to_owned()));
    };
    let tuning = args.tuning()?;
    TuningFolder::check_new(path)?;
    let logs = args.play.logs.open()?;
    let folder = TuningFolder::create(path, &tuning)?;
    play(tuning, folder, logs.as_ref(), path, &args.play)
}

/// Plays the iterations of `tuning` in `folder`, which is at `path`, and prints the tuned values.
fn play(
    mut tuning: Tuning,
    folder: TuningFolder,
    logs: Option<&LogFolder>,
    path: &Path,
    args: &PlayingArgs,
) -> Result<(), CliError> {
    let stop = Stop::on_signals()?;
    let manifest = tuning.manifest(tuning.path.len());
    let missing = tuning.iterations.saturating_sub(tuning.path.len());
    let games = if missing > 0 { manifest.schedule().games() } else { 0 };
    let slots = GameSlots::new(&args.slots, &manifest, games);
    let resources = Resources { concurrency: slots.concurrency, cores: slots.cores.as_ref(), logs };
    let mut watcher = TuningWatcher::default();
    while tuning.path.len() < tuning.iterations && !stop.is_asked() {
        watcher.sides = SidesAlike::default();
        if folder.play(&mut tuning, resources, &stop, &mut watcher)? {
            page::write(&tuning, &folder.page())?;
            message::line(format_args!("{}", progress(&tuning)));
            if tuning.path.len() == 1 && watcher.sides.are_alike() {
                message::line(format_args!("{}", unread(&tuning)));
            }
        }
    }
    folder.save(&tuning)?;
    page::write(&tuning, &folder.page())?;
    if args.json {
        print_data(&sanitize::json(&json_line(&tuning)))?;
    } else {
        print(&text(&tuning, &folder.page()))?;
    }
    if stop.is_asked() && tuning.path.len() < tuning.iterations {
        let quoted = shell_path(path);
        let logs = args.logs.words();
        let trust = if tuning.mac.is_none() { " --trust" } else { "" };
        let done = format!(
            "{} finished; finished games are kept; go on with: tensai tune resume {quoted}{logs}{trust}",
            counted(tuning.path.len(), "iteration")
        );
        return Err(CliError::stopped(done));
    }
    check_starts(&watcher.starts)
}

/// Watches the games of a tuning.
#[derive(Default)]
struct TuningWatcher {
    starts: Starts,
    /// The sides in the present iteration.
    sides: SidesAlike,
}

impl Observer<OpenMatch> for TuningWatcher {
    fn event(&mut self, event: GameEvent, games: &OpenMatch) {
        let Happened::Finished(record) = event.reason else { return };
        for line in faults(&record) {
            message::line(format_args!("  {line}"));
        }
        self.starts.add(&record);
        let has_opponents = games.manifest().pairing == Pairing::Paired;
        self.sides.add(event.number, &record, has_opponents);
    }
}

/// Compares the actions of both sides. With opponents, the games of a pair are compared: in each,
/// the first player is a side.
#[derive(Default)]
struct SidesAlike {
    compared: usize,
    alike: usize,
    /// The side's actions in games whose twin has not been added, by the number of the game.
    single: HashMap<usize, Vec<String>>,
}

impl SidesAlike {
    /// Adds a game: of a side and an opponent if there are opponents, else of both sides. A game
    /// without a turn says nothing.
    fn add(&mut self, number: usize, record: &Record, has_opponents: bool) {
        let actions = |seat: usize| {
            record.turns.iter().map(|turn| turn.answers[seat].clone()).collect::<Vec<_>>()
        };
        if record.turns.is_empty() {
            return;
        }
        let one = actions(0);
        let other = if has_opponents {
            self.single.remove(&Fixture::twin_of(number))
        } else {
            Some(actions(1))
        };
        let Some(other) = other else {
            self.single.insert(number, one);
            return;
        };
        self.compared += 1;
        self.alike += usize::from(one == other);
    }

    /// Whether both sides played the same actions in all games that were compared.
    const fn are_alike(&self) -> bool {
        self.compared > 0 && self.alike == self.compared
    }
}

/// Says that the values of the parameters have no effect, and how the engine gets them.
fn unread(tuning: &Tuning) -> String {
    let names: Vec<&str> =
        tuning.parameters.iter().map(|parameter| parameter.name.as_str()).collect();
    format!(
        "warning: plus and minus played the same actions in every game of the first iteration. Does \
         the engine read its parameters? It gets a value where {{NAME}} stands in its cmd or env, else \
         in the environment variable NAME: {}",
        names.join(", ")
    )
}

/// Describes the last iteration in a line.
fn progress(tuning: &Tuning) -> String {
    /// The most parameters that a line lists.
    const LISTED: usize = 6;
    let values = tuning.values();
    let listed = tuning.parameters.iter().zip(&values).take(LISTED);
    let mut listed: Vec<String> =
        listed.map(|(parameter, value)| format!("{} {value:.4}", parameter.name)).collect();
    if tuning.parameters.len() > LISTED {
        listed.push(format!("{} more", tuning.parameters.len() - LISTED));
    }
    let better = tuning.path.last().map_or(0.0, |last| last.better);
    let (done, planned) = (tuning.path.len(), tuning.iterations);
    format!("[{done}/{planned}] plus - minus: {better:+.2} | {}", listed.join(", "))
}

/// The columns of the result.
const COLUMNS: [&str; 7] = ["parameter", "start", "tuned", "last", "min", "max", "stride"];

/// The result for people.
fn text(tuning: &Tuning, page: &Path) -> String {
    let rows = tuning.parameters.iter().zip(tuning.means()).zip(tuning.values());
    let rows = rows.map(|((parameter, mean), last)| {
        let numbers = [mean, last].map(|value| format!("{value:.4}"));
        let [tuned, last] = numbers;
        let Parameter { name, start, min, max, stride, .. } = parameter;
        let [start, min, max, stride] = [*start, *min, *max, *stride].map(Parameter::text);
        vec![name.clone(), start, tuned, last, min, max, stride]
    });
    let rows: Vec<Vec<String>> = rows.collect();
    let mut text = table::fitting(&COLUMNS, &rows, &["stride", "max", "min"], table::width());
    let games: usize = tuning.path.iter().map(|step| step.games).sum();
    text += &format!(
        "{} of {}, {}; tuned is the mean over the later half of the iterations\n\
         page: {}\n",
        tuning.path.len(),
        counted(tuning.iterations, "iteration"),
        counted(games, "game"),
        shown(page)
    );
    text
}
