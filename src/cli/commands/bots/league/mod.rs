//! `tensai league`: engines that come and go, rated by one list.

mod settings;

use std::env;
use std::io;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::{Args, Subcommand};

use self::settings::SettingsArgs;
use super::arena_error;
use super::logs::LogArgs;
use super::match_::slots::GameSlots;
use super::match_::{
    Listening, LivePage, ServeArgs, SlotArgs, check_starts, faults, quoted_commands,
};
use super::stats::ratings::anchor;
use crate::arena::league::{
    Added, Bounds, League, LeagueFolder, LeagueRunner, List, ListEntry, resolved,
};
use crate::arena::rating::Elo;
use crate::arena::{
    EngineConfig, Failure, FolderError, GameEvent, Happened, Manifest, Observer, Resources, Starts,
    process,
};
use crate::cli::commands::format::shell_path;
use crate::cli::commands::output::{print, print_json};
use crate::cli::commands::table;
use crate::cli::error::CliError;
use crate::record::is_standard_output;
use crate::util::duration;
use crate::util::message;
use crate::util::numbers::counted;
use crate::util::sanitize::{NAME, quoted, shown, visible};
use crate::util::system::stop::Stop;
use crate::web::pages::{check_place, league as page};

/// The end of the help, with an example.
const EXAMPLE: &str = "Example:
  tensai league init mine --time 60s
  tensai league add mine level3
  tensai league add mine name=new cmd=\"./bot --deep\"
  tensai league set mine --openings 4    # for the games to come
  tensai league run mine                 # until Ctrl-C; run it again to go on
  tensai league show mine --page list.html";

/// The subcommands of `tensai league`.
#[derive(Subcommand, Debug)]
#[command(after_help = EXAMPLE)]
pub enum LeagueCommand {
    /// Make the folder of a new league.
    Init(InitArgs),
    /// Change settings for the games to come, also while the league runs; print all settings.
    Set(SetArgs),
    /// Add an engine, also while the league runs.
    Add(AddArgs),
    /// Retire an engine, also while the league runs: it is not paired any more, its games count.
    Remove(RemoveArgs),
    /// Play games until Ctrl-C; a league that was stopped goes on.
    Run(RunArgs),
    /// Show the rating list.
    Show(LeagueShowArgs),
}

/// Arguments of `tensai league init`.
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  tensai league init mine --time 60s")]
pub struct InitArgs {
    /// The folder of the league, which is made.
    #[arg(value_name = "DIR")]
    folder: PathBuf,

    #[command(flatten)]
    settings: SettingsArgs,
}

/// Arguments of `tensai league set`.
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  tensai league set mine --openings 4 --adjudicate")]
pub struct SetArgs {
    /// The folder of the league.
    #[arg(value_name = "DIR")]
    folder: PathBuf,

    #[command(flatten)]
    settings: SettingsArgs,
}

/// Arguments of `tensai league add`.
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  tensai league add mine level3")]
pub struct AddArgs {
    /// The folder of the league.
    #[arg(value_name = "DIR")]
    folder: PathBuf,

    /// The engine, as the words of `tensai match --engine`: name=A cmd="..." dir=FOLDER env=K=V
    /// threads=N nodes=N time=TIME start-time=TIME, or a known name such as level3. It runs in the
    /// current folder unless dir= is given. An engine that has retired plays again if it is added
    /// with the same words.
    #[arg(value_name = "KEY=VALUE", required = true)]
    engine: Vec<String>,
}

/// Arguments of `tensai league remove`.
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  tensai league remove mine level3")]
pub struct RemoveArgs {
    /// The folder of the league.
    #[arg(value_name = "DIR")]
    folder: PathBuf,

    /// The name of the engine.
    #[arg(value_name = "NAME")]
    name: String,
}

/// Arguments of `tensai league run`.
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  tensai league run mine --for 1h")]
pub struct RunArgs {
    /// The folder of the league.
    #[arg(value_name = "DIR")]
    folder: PathBuf,

    /// Play this number of games [default: until Ctrl-C].
    #[arg(long, value_name = "N", conflicts_with = "time")]
    games: Option<NonZeroUsize>,

    /// Begin no game after this time; games in progress are finished [default: until Ctrl-C].
    #[arg(id = "time", long = "for", value_name = "TIME", value_parser = duration::parse)]
    time: Option<Duration>,

    #[command(flatten)]
    slots: SlotArgs,

    #[command(flatten)]
    serve: ServeArgs,

    #[command(flatten)]
    logs: LogArgs,

    /// Run the commands in the folder even if they were added by another user or on another
    /// machine, or were changed since. They run with your rights: read `league.json` first.
    #[arg(long)]
    trust: bool,
}

/// Arguments of `tensai league show`.
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  tensai league show mine --page list.html")]
pub struct LeagueShowArgs {
    /// The folder of the league.
    #[arg(value_name = "DIR")]
    folder: PathBuf,

    /// An engine whose rating is fixed, at 0 if ELO is left out; may be repeated [default: none; the
    /// mean of all is 0].
    #[arg(long, value_name = "NAME[=ELO]", value_parser = anchor)]
    anchor: Vec<(String, f64)>,

    /// Print the list as JSON instead of a table.
    #[arg(long)]
    json: bool,

    /// Write the list to this file as a page for a browser; `-` is standard output. An earlier page
    /// is overwritten, any other file is not. The table is not printed then.
    #[arg(long, value_name = "FILE")]
    page: Option<PathBuf>,
}

/// Runs `command`.
pub fn run(command: &LeagueCommand) -> Result<(), CliError> {
    if !matches!(command, LeagueCommand::Run(_)) {
        Stop::at_once()?;
    }
    match command {
        LeagueCommand::Init(args) => init(args),
        LeagueCommand::Set(args) => set(args),
        LeagueCommand::Add(args) => add(args),
        LeagueCommand::Remove(args) => remove(args),
        LeagueCommand::Run(args) => play(args),
        LeagueCommand::Show(args) => show(args),
    }
}

fn init(args: &InitArgs) -> Result<(), CliError> {
    let mut league = League::new();
    args.settings.apply(&mut league, &env::current_dir()?).map_err(CliError::Refused)?;
    LeagueFolder::at(&args.folder).init(&league)?;
    print(&format!(
        "{}: a new league; add engines with {}\n",
        shown(&args.folder),
        add_command(&args.folder)
    ))
}

fn set(args: &SetArgs) -> Result<(), CliError> {
    let folder = LeagueFolder::at(&args.folder);
    if args.settings != SettingsArgs::default() {
        let here = env::current_dir()?;
        folder.change(|league| args.settings.apply(league, &here))?;
    }
    print(&settings::text(&folder.league()?))
}

fn add(args: &AddArgs) -> Result<(), CliError> {
    let folder = LeagueFolder::at(&args.folder);
    let here = env::current_dir()?;
    let engine = EngineConfig::from_words(&args.engine).map_err(CliError::Refused)?;
    // An engine that does not start is refused before anything is written.
    folder.league()?;
    process::command(&resolved(engine.clone(), &here))?;
    let name = quoted(&engine.name);
    let (added, count) = folder.change(|league| {
        let added = league.add(engine, &here)?;
        Ok((added, league.active().count()))
    })?;
    let reason = match added {
        Added::New => "added",
        Added::Again => "plays again",
    };
    print(&format!("{name} {reason}; {} in the league\n", counted(count, "engine")))
}

fn remove(args: &RemoveArgs) -> Result<(), CliError> {
    let count = LeagueFolder::at(&args.folder).change(|league| {
        league.retire(&args.name)?;
        Ok(league.active().count())
    })?;
    let name = quoted(&args.name);
    print(&format!(
        "{name} has retired, its games count; {} in the league\n",
        counted(count, "engine")
    ))
}

fn play(args: &RunArgs) -> Result<(), CliError> {
    let folder = LeagueFolder::at(&args.folder);
    let league = folder.league()?;
    let engines: Vec<EngineConfig> = league.active().map(|member| member.engine.clone()).collect();
    let external = league.active().filter(|member| !member.is_own());
    let external: Vec<EngineConfig> = external.map(|member| member.engine.clone()).collect();
    if !args.trust && !external.is_empty() {
        return Err(CliError::Refused(format!(
            "{}: its commands may not be yours: they were added by another user or on another \
             machine, or were changed since; add --trust to run {}",
            shown(&args.folder),
            quoted_commands(&external, "league.json")
        )));
    }
    if engines.len() < 2 {
        return Err(CliError::Refused(format!(
            "{}: a league needs two engines, found {}: add one with {}",
            shown(&args.folder),
            engines.len(),
            add_command(&args.folder)
        )));
    }
    for engine in &engines {
        process::command(engine)?;
    }
    let stop = Stop::on_signals()?;
    let until = args.time.map(|time| Instant::now() + time);
    let manifest = Manifest { sequential: league.sequential, ..Manifest::new(engines) };
    let listening = args.serve.serve.map(Listening::at).transpose()?;
    let logs = args.logs.open()?;
    let mut runner = LeagueRunner::open(&folder, league, settings::packs)?;
    if !external.is_empty() {
        // The user trusts these commands, and is not asked again.
        folder.change(|league| {
            let trusted = |engine: &EngineConfig| external.contains(engine);
            let members = league.engines.iter_mut().filter(|member| trusted(&member.engine));
            members.for_each(crate::arena::league::Member::trust_command);
            Ok(())
        })?;
    }
    let games = args.games.map(NonZeroUsize::get);
    let slots = GameSlots::new(&args.slots, &manifest, games.unwrap_or(usize::MAX));
    let page = listening.map(|listening| LivePage::new(listening, "the league"));
    if let Some(page) = &page {
        // The standing comes first for each reader.
        page.standing(&runner.list());
        for (number, record) in runner.latest(LivePage::FINISHED)? {
            page.finished(number, number, &record);
        }
    }
    let resources = Resources {
        concurrency: slots.concurrency,
        cores: slots.cores.as_ref(),
        logs: logs.as_ref(),
    };
    let mut watchers = Watchers { page, games, finished: 0, starts: Starts::default() };
    let result = runner.run(resources, Bounds { games, until }, &stop, &mut watchers);
    let Watchers { page, starts, .. } = watchers;
    if let Some(page) = page {
        page.end();
    }
    let (folder, list) = (runner.folder(), runner.list());
    let played = list.played;
    print(&text(&list, table::width()))?;
    let resume = || {
        let trust = if runner.league().active().any(|member| member.mac.is_none()) {
            " --trust"
        } else {
            ""
        };
        bare_command("run", folder.path()) + &args.logs.words() + trust
    };
    match result {
        Err(failure) => {
            let is_gone = matches!(failure, Failure::Folder(FolderError::Gone { .. }));
            let kept = if is_gone { 0 } else { played };
            let resume = (!is_gone).then(resume);
            Err(arena_error::broken(&failure, played, kept, resume))
        }
        Ok(()) if stop.is_asked() => Err(arena_error::interrupted(played, &resume())),
        Ok(()) => check_starts(&starts),
    }
}

/// All who watch a league.
struct Watchers {
    page: Option<LivePage>,
    /// The number of games that are to be played, if it is given.
    games: Option<usize>,
    /// The number of games that are finished.
    finished: usize,
    /// Only those of this run: an engine may have been corrected since, or have retired.
    starts: Starts,
}

impl Observer<LeagueRunner> for Watchers {
    fn event(&mut self, event: GameEvent, league: &LeagueRunner) {
        let number = event.number;
        if let Some(page) = &self.page {
            // The packs of a game follow from its number.
            page.event(&event, number);
        }
        let Happened::Finished(record) = event.reason else { return };
        self.finished += 1;
        self.starts.add(&record);
        let list = league.list();
        if let Some(page) = &self.page {
            page.standing(&list);
        }
        let (finished, outcome) = (self.finished, record.outcome());
        let of = self.games.map_or_else(String::new, |games| format!("/{games}"));
        let names = record.players.each_ref().map(|player| player.engine.as_deref());
        let standing = standing(&list, names.into_iter().flatten());
        let [a, b] = names.map(|name| visible(name.unwrap_or("?"), NAME).to_string());
        message::line(format_args!(
            "[{finished}{of}] game {number}: {a} - {b}: {outcome} | {standing}"
        ));
        faults(&record).iter().for_each(|line| message::line(format_args!("  {line}")));
    }

    fn message(&mut self, text: &str) {
        message::line(format_args!("tensai: {text}"));
    }
}

/// The ratings of the named engines, in a line.
fn standing<'a>(list: &List, names: impl Iterator<Item = &'a str>) -> String {
    let rated = |entry: &ListEntry| {
        let (elo, error) = (Elo(entry.elo?), entry.error?);
        Some(format!("{} {elo} ± {error:.0}", visible(&entry.engine, NAME)))
    };
    names.filter_map(|name| rated(list.entry(name)?)).collect::<Vec<_>>().join(", ")
}

fn show(args: &LeagueShowArgs) -> Result<(), CliError> {
    if let Some(page) = &args.page {
        if args.json && is_standard_output(page) {
            let reason = "--page and --json: both would go to standard output";
            return Err(CliError::Refused(reason.to_owned()));
        }
        check_place(page)?;
    }
    let folder = LeagueFolder::at(&args.folder);
    let league = folder.league()?;
    let results = folder.results(&league)?;
    let list = List::anchored(&league, &results, &args.anchor).map_err(CliError::Refused)?;
    if let Some(path) = &args.page {
        page::write(&list, path)?;
    }
    match (args.json, &args.page) {
        (true, _) => {
            // By way of a value, whose fields are sorted by name.
            let list = serde_json::to_value(&list);
            print_json(&list.map_err(io::Error::from)?)
        }
        (false, Some(_)) => Ok(()),
        (false, None) => print(&text(&list, table::width())),
    }
}

/// The list for people, at most `width` columns of text wide as far as possible.
fn text(list: &List, width: Option<usize>) -> String {
    let header =
        ["", "engine", "Elo", "±", "games", "won", "drawn", "lost", "score", "faults", "state"];
    let row = |entry: &ListEntry| {
        let mut row = vec![entry.rank.to_string(), visible(&entry.engine, NAME).to_string()];
        row.extend(entry.figures());
        row.push(if entry.retired { "retired" } else { "plays" }.to_owned());
        row
    };
    let rows: Vec<Vec<String>> = list.engines.iter().map(row).collect();
    let mut text = table::fitting(&header, &rows, &["faults"], width);
    if !list.pairs.is_empty() {
        text += &format!("\n{}", cross_table(list, width));
    }
    text += &format!("{} since {}\n", counted(list.played, "game"), visible(&list.date, NAME));
    if !list.connected {
        text += &format!("{}\n", super::match_::APART);
    }
    text
}

/// A table of each engine's points and games against each other engine.
fn cross_table(list: &List, width: Option<usize>) -> String {
    let ranks: Vec<String> = list.engines.iter().map(|entry| entry.rank.to_string()).collect();
    let mut header = vec!["", "engine"];
    header.extend(ranks.iter().map(String::as_str));
    let row = |(entry, cells): (&ListEntry, Vec<String>)| {
        let mut row = vec![entry.rank.to_string(), visible(&entry.engine, NAME).to_string()];
        row.extend(cells);
        row
    };
    let rows: Vec<Vec<String>> = list.engines.iter().zip(list.cross_cells()).map(row).collect();
    table::continued(&header, &rows, 2, width)
}

/// A command of this program for the league in `folder`.
fn bare_command(name: &str, folder: &Path) -> String {
    format!("tensai league {name} {}", shell_path(folder))
}

/// The command that adds an engine, in backquotes and with the words that follow.
fn add_command(folder: &Path) -> String {
    format!("`{} level3`, or with the words of --engine", bare_command("add", folder))
}
