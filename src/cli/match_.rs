//! `tensai match`: bots against each other.

use std::fs;
use std::io::{self, IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use rand::SeedableRng as _;
use rand::rngs::SmallRng;

use super::{CliError, duration, packs_file};
use crate::arena::draw::{self, Colours};
use crate::arena::{self, Bot, Game, Watch};
use crate::game::{Cells, Chain, End, Pack, Packs, State, TURNS, Turn, Verdict};
use crate::record::Record;

/// What is played, and by whom.
#[derive(Args, Debug)]
pub struct MatchArgs {
    /// The first bot's command [default: this program].
    #[arg(long, value_name = "COMMAND")]
    a: Option<String>,

    /// The second bot's command [default: this program, playing at random].
    #[arg(long, value_name = "COMMAND")]
    b: Option<String>,

    /// Games to play, each on other packs.
    #[arg(long, value_name = "N", default_value_t = 1)]
    games: usize,

    /// A file of packs, or a folder of such files, used in the order of their names
    /// [default: replays/packs if it is there, else packs drawn as the contest's server did].
    #[arg(long, value_name = "FILE|FOLDER")]
    packs: Option<PathBuf>,

    /// Draw the packs from this seed instead; each further game from the next.
    #[arg(long, value_name = "SEED", conflicts_with = "packs")]
    seed: Option<u64>,

    /// Time of each bot for a game.
    #[arg(long, default_value = "10s", value_parser = duration)]
    time: Duration,

    /// Time of each bot for a turn.
    #[arg(long, default_value = "20s", value_parser = duration)]
    turn_time: Duration,

    /// By how much a bot may pass a limit.
    #[arg(long, default_value = "100ms", value_parser = duration)]
    grace: Duration,

    /// How long a bot may take to say its name.
    #[arg(long, default_value = "10s", value_parser = duration)]
    start_time: Duration,

    /// The folder for the records of the games.
    #[arg(long, value_name = "FOLDER", default_value = "games")]
    records: PathBuf,
}

/// The packs that the repository brings, seen from its top.
const PACKS: &str = "replays/packs";

/// Plays the games and reports them.
pub fn run(args: &MatchArgs) -> Result<(), CliError> {
    let packs = packs(args)?;
    let [a, b] = commands(args)?;
    let mut wins = [0, 0, 0];
    for (number, (packs_from, packs)) in (1..=args.games).zip(packs.iter().cycle()) {
        let bots = [Bot::start(&a)?, Bot::start(&b)?];
        let game = Game {
            packs: packs.clone(),
            packs_from: packs_from.clone(),
            time: args.time,
            turn_time: args.turn_time,
            grace: args.grace,
            start_time: args.start_time,
        };
        let record = arena::play(bots, &game, &mut Spectator::new());
        let path = free_path(&args.records, &record.date, number);
        record.write(&path)?;
        report(&record, &path)?;
        wins[match record.result.verdict {
            Verdict::Win(seat) => seat.index(),
            Verdict::Draw => 2,
        }] += 1;
    }
    if args.games > 1 {
        let [first, second, draws] = wins;
        println!("{} games: first {first}, second {second}, draws {draws}", args.games);
    }
    Ok(())
}

/// Both bots' commands.
fn commands(args: &MatchArgs) -> Result<[String; 2], CliError> {
    let own = || {
        let path = std::env::current_exe();
        let path =
            path.map_err(|error| CliError::Refused(format!("this program is lost: {error}")))?;
        let quoted = shlex::try_quote(&path.to_string_lossy()).map(|quoted| quoted.into_owned());
        quoted.map_err(|error| CliError::Refused(format!("this program's path: {error}")))
    };
    Ok([
        args.a.clone().map_or_else(|| Ok(format!("{} --threads 1", own()?)), Ok::<_, CliError>)?,
        args.b
            .clone()
            .map_or_else(|| Ok(format!("{} play --random", own()?)), Ok::<_, CliError>)?,
    ])
}

/// The packs of the games, with where they come from; they are used again from the start if there
/// are more games.
fn packs(args: &MatchArgs) -> Result<Vec<(String, Packs)>, CliError> {
    let path = match (&args.packs, args.seed) {
        (Some(path), _) => Some(path.as_path()),
        (None, None) => Some(Path::new(PACKS)).filter(|path| path.is_dir()),
        (None, Some(_)) => None,
    };
    let Some(path) = path else {
        let first = args.seed.unwrap_or(0);
        let draw =
            |seed| (format!("seed {seed}"), Packs::generate(&mut SmallRng::seed_from_u64(seed)));
        return Ok((first..).take(args.games).map(draw).collect());
    };
    let unreadable = |path: &Path| {
        let path = path.display().to_string();
        move |source| CliError::Unreadable { path, source }
    };
    let mut files = vec![path.to_owned()];
    if path.is_dir() {
        let entries = fs::read_dir(path).map_err(unreadable(path))?;
        let entries: Result<Vec<_>, _> = entries.map(|entry| entry.map(|e| e.path())).collect();
        files = entries.map_err(unreadable(path))?;
        files.retain(|file| file.is_file());
        files.sort();
        files.truncate(args.games);
    }
    if files.is_empty() {
        return Err(CliError::Refused(format!("{}: no file of packs is in it", path.display())));
    }
    let read = |file: PathBuf| {
        let from = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Ok((from, packs_file(&file)?))
    };
    files.into_iter().map(read).collect()
}

/// A name for a record that no file has yet: the game's date and number.
fn free_path(folder: &Path, date: &str, number: usize) -> PathBuf {
    let stem = format!("{}-{number}", date.replace(':', ""));
    let names = std::iter::once(format!("{stem}.json"));
    let mut names = names.chain((2..).map(|copy| format!("{stem}-{copy}.json")));
    names.find_map(|name| Some(folder.join(name)).filter(|path| !path.exists())).unwrap_or_default()
}

/// Prints a game's end and result.
fn report(record: &Record, path: &Path) -> Result<(), CliError> {
    let names = [0, 1].map(|seat: usize| name(record, seat));
    let played = record.replay().map_err(CliError::Refused)?;
    let used = [0, 1].map(|seat: usize| {
        let micros = record.turns.iter().map(|turn| turn.think_us[seat]).sum();
        Duration::from_micros(micros)
    });
    if !io::stdout().is_terminal() {
        let left =
            used.map(|used| Duration::from_millis(record.limits.game_ms).saturating_sub(used));
        let state = played.last().map_or_else(State::new, |turn| turn.after);
        print!("{}", draw::state(&state, None, &names, left, Colours::Off));
    }
    let result = match record.result.verdict {
        Verdict::Win(seat) => format!("{} wins", names[seat.index()]),
        Verdict::Draw => "a draw".to_owned(),
    };
    let turns = record.turns.len();
    let reason = match record.result.end {
        Some(End::DangerLine) => format!("danger line at turn {}", turns - 1),
        Some(End::LastTurn) => format!("all {TURNS} turns were played"),
        None => format!("a fault at turn {turns}"),
    };
    println!("{} - {}: {result}, {reason}", names[0], names[1]);
    let chains = longest_chains(&played);
    for seat in [0, 1] {
        let chain = chains[seat].map_or_else(String::new, |(turn, chain)| {
            format!(", longest chain {} at turn {turn}", chain.0)
        });
        let score = record.result.scores[seat];
        println!("  {}: score {score}{chain}, {:.1} s used", names[seat], used[seat].as_secs_f64());
        if let Some(fault) = &record.result.faults[seat] {
            println!("    fault: {}", fault.what);
            for line in &fault.last_words {
                println!("    | {line}");
            }
        }
    }
    println!("  record: {}", path.display());
    Ok(())
}

/// A bot's name, or its seat if it gave none.
fn name(record: &Record, seat: usize) -> String {
    let name = &record.players[seat].name;
    if name.is_empty() { format!("player {seat}") } else { name.clone() }
}

/// Each seat's longest chain of a game: its turn, and its rounds.
fn longest_chains(turns: &[Turn<Cells>]) -> [Option<(usize, Chain)>; 2] {
    [0, 1].map(|seat: usize| {
        let chains =
            turns.iter().enumerate().map(|(turn, played)| (turn, played.steps[seat].chain));
        let fired = chains.filter(|(_, chain)| chain.0 > 0);
        fired.max_by_key(|&(turn, chain)| (chain, std::cmp::Reverse(turn)))
    })
}

/// Shows a game as it goes: drawn on a terminal, with a line of progress on standard error.
struct Spectator {
    progress: ProgressBar,
    draws: bool,
    drawn: bool,
}

impl Spectator {
    fn new() -> Self {
        let progress = ProgressBar::new(TURNS as u64);
        let style = ProgressStyle::with_template("turn {pos}  {elapsed}  {msg}");
        if let Ok(style) = style {
            progress.set_style(style);
        }
        Self { progress, draws: io::stdout().is_terminal(), drawn: false }
    }
}

impl Watch for Spectator {
    fn turn(
        &mut self,
        turn: &Turn<Cells>,
        next: Option<&Pack>,
        names: &[String; 2],
        left: [Duration; 2],
    ) {
        let state: &State<Cells> = &turn.after;
        self.progress.set_position(state.turn as u64);
        let said = strikes(turn, names);
        if !said.is_empty() {
            // Without a terminal a game is told by its strikes, a line each.
            if !self.draws && self.progress.is_hidden() {
                eprintln!("turn {}: {said}", state.turn - 1);
            }
            self.progress.set_message(said);
        }
        if self.draws {
            let drawing = draw::state(state, next, names, left, Colours::On);
            self.progress.suspend(|| {
                let mut out = io::stdout().lock();
                // Back to where the last drawing began. A terminal that is gone ends the show only.
                let back = if self.drawn { "\x1b[H" } else { "\x1b[2J\x1b[H" };
                let clear = "\x1b[K\n";
                let _ = write!(out, "{back}{}\x1b[J", drawing.replace('\n', clear));
                let _ = out.flush();
            });
            self.drawn = true;
        }
    }
}

impl Drop for Spectator {
    fn drop(&mut self) {
        self.progress.finish_and_clear();
    }
}

/// The chains of three and more, and the skills, of a turn, in words.
fn strikes(turn: &Turn<Cells>, names: &[String; 2]) -> String {
    let told = turn.steps.iter().zip(names).filter_map(|(step, name)| {
        let what = match (step.explosion.0, step.chain) {
            (0, Chain(..3)) => return None,
            (0, chain) => format!("chain of {}", chain.0),
            (blocks, chain) => format!("skill, {blocks} blocks and chain of {}", chain.0),
        };
        Some(format!("{name}: {what}, {} ojama sent", step.sent()))
    });
    told.collect::<Vec<_>>().join("; ")
}
