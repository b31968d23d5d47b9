//! `tensai replay from`: plays on from the middle of a game against another bot.

use std::io;
use std::num::{NonZeroU64, NonZeroUsize};
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use super::GameTurnArgs;
use crate::analysis::RecordedGame;
use crate::analysis::render;
use crate::arena::process::{Bot, EXIT_TIMEOUT};
use crate::arena::{EngineConfig, ErrorLog, Interrupted, OWN, Order, SeatLimits, play, tell_apart};
use crate::cli::commands::bots::match_::spectator::Spectator;
use crate::cli::commands::color::colors;
use crate::cli::commands::games::record::summary;
use crate::cli::commands::games::search_args::SearchArgs;
use crate::cli::commands::output::{print, print_beside};
use crate::cli::error::CliError;
use crate::game::{Cells, Seat, State};
use crate::record::{Record, TurnRecord, check_new, json_line, plain, write_new};
use crate::util::duration::{self, microseconds};
use crate::util::message;
use crate::util::sanitize::shown;
use crate::util::system::stop::Stop;

/// Time in which a bot must send its name. Longer than the default of a match, because `replay` has
/// no option for it and a slow bot must start.
const START_TIME: Duration = Duration::from_secs(60);

/// Time by which a bot may exceed a limit; a longer one of the record is used instead.
const GRACE: Duration = Duration::from_millis(100);

/// The number of the game that is played on: a record does not tell its number.
const GAME: usize = 1;

/// Arguments of `tensai replay from`.
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  tensai replay from games/A/0001.json 20 --nodes 1000")]
pub struct FromArgs {
    #[command(flatten)]
    of: GameTurnArgs,

    /// The command of the other bot.
    ///
    /// With --nodes the bot gets the nodes in TENSAI_NODES, and no clock runs for it. Without
    /// --time, it gets the nodes that its player had, if any.
    #[arg(long, value_name = "COMMAND", default_value = "tensai")]
    against: String,

    /// Time of each player for the remaining turns [default: the time that the players had left, or
    /// their nodes].
    #[arg(long, value_name = "TIME", value_parser = duration::parse_limit, conflicts_with = "nodes")]
    time: Option<Duration>,

    #[command(flatten)]
    search: SearchArgs,

    /// A new file for the record of the game that is played.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// Plays on and reports the game.
pub fn run(args: &FromArgs) -> Result<(), CliError> {
    let GameTurnArgs { turn, seat, .. } = args.of;
    let game = &args.of.game()?;
    args.output.as_deref().map_or(Ok(()), check_new)?;
    let earlier = earlier(game, turn, args.time).map_err(|reason| args.of.game.invalid(reason))?;
    let engines = engines(args, game, seat)?;
    let stop = Stop::on_signals()?;
    let start = |seat: usize| Bot::start(&engines[seat], &[], EXIT_TIMEOUT, ErrorLog::default());
    let bots = [start(0)?, start(1)?];
    let time = |seat: usize| args.time.unwrap_or(game.moments[0].left[seat]);
    let limits = |seat: usize| SeatLimits {
        engine: engines[seat].name.clone(),
        time: time(seat),
        start_time: START_TIME,
        nodes: engines[seat].nodes.map(NonZeroU64::get),
        cores: Vec::new(),
    };
    let played = crate::arena::Game {
        number: GAME,
        packs: game.packs.clone(),
        packs_from: format!("{}, from turn {turn} on", file_name(args)),
        time: args.time.unwrap_or(Duration::from_millis(game.limits.game_ms)),
        turn_time: Duration::from_millis(game.limits.turn_ms),
        grace: GRACE.max(Duration::from_millis(game.limits.grace_ms)),
        order: Order::Together,
        seats: [limits(0), limits(1)],
        opening: game.opening.min(turn),
        earlier,
        adjudicate: false,
    };
    let mut spectator = Spectator::default();
    let record = play(bots, &played, &stop, &mut spectator).map_err(|error| match error {
        Interrupted::Stopped => CliError::Stopped("stopped before the end of the game".to_owned()),
        Interrupted::NotStarted(error) => error.into(),
    })?;
    drop(spectator);
    if let Some(path) = &args.output {
        write_new([(path.clone(), json_line(&record))])?;
    }
    report(args, &record, turn)
}

/// Returns the turns before `turn` as they were played.
///
/// If `time` is given for the rest of the game, they are recorded as having taken no time.
fn earlier(
    game: &RecordedGame,
    turn: usize,
    time: Option<Duration>,
) -> Result<Vec<TurnRecord>, String> {
    game.at(turn)?;
    let mut state = State::<Cells>::new();
    let mut earlier = Vec::with_capacity(turn);
    for index in 0..turn {
        let moment = game.at(index).map_err(|_| {
            format!("turn {index} is missing, so that the game cannot be played up to turn {turn}")
        })?;
        let answer = |seat: Seat| {
            moment.answer(seat).ok_or_else(|| {
                format!(
                    "the answer of player {} in turn {index} is unknown, so that the game cannot \
                     be played up to turn {turn}",
                    seat.index()
                )
            })
        };
        let answers = [answer(Seat::First)?, answer(Seat::Second)?];
        let pack = game.packs.get(index).ok_or("no pack is left")?;
        let played = state.play(pack, answers).ok().filter(|_| moment.state == state);
        state = played
            .ok_or_else(|| {
                format!("turn {index} does not follow from the start of a game by the rules")
            })?
            .after;
        let micros = |think: Option<Duration>| think.map_or(0, microseconds);
        earlier.push(TurnRecord {
            answers: answers.map(|answer| answer.to_string()),
            think_us: if time.is_some() { [0, 0] } else { moment.think.map(micros) },
            info: [None, None],
        });
    }
    Ok(earlier)
}

/// Returns this program for `seat`, and the other bot for the other seat.
fn engines(
    args: &FromArgs,
    game: &RecordedGame,
    seat: Seat,
) -> Result<[EngineConfig; 2], CliError> {
    let no_command = |_| CliError::Refused("--against: expected a command".to_owned());
    let other = EngineConfig::new("", &*args.against).completed().map_err(no_command)?;
    let threads = args.search.threads().unwrap_or(NonZeroUsize::MIN);
    let backend = args.search.backend().map(|backend| backend.to_string());
    let env = backend.map(|backend| ("TENSAI_BACKEND".to_owned(), backend)).into_iter().collect();
    let mut engines = [EngineConfig { threads, env, ..EngineConfig::new(OWN, OWN) }, other];
    if seat == Seat::Second {
        engines.reverse();
    }
    tell_apart(&mut engines);
    for (engine, recorded) in engines.iter_mut().zip(game.nodes) {
        let recorded = recorded.filter(|_| args.time.is_none()).and_then(NonZeroU64::new);
        engine.nodes = args.search.nodes.or(recorded);
    }
    let turn_time = Duration::from_millis(game.limits.turn_ms);
    let [first, second] = engines.map(|engine| engine.with_turn_time(turn_time));
    Ok([first.in_game(GAME, GAME, Seat::First), second.in_game(GAME, GAME, Seat::Second)])
}

fn file_name(args: &FromArgs) -> String {
    args.of.game.file.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// Prints the end and the result.
fn report(args: &FromArgs, record: &Record, turn: usize) -> Result<(), CliError> {
    let names = Seat::BOTH.map(|seat| record.name(seat));
    let played = record.replay().map_err(CliError::Refused)?;
    let state = played.last().map_or_else(State::new, |turn| turn.after);
    let left = Seat::BOTH.map(|seat| record.clock_at_end(seat));
    let mut text = String::new();
    if !message::can_move_cursor(&io::stdout()) {
        text += &render::state(&state, None, &names, left, colors());
    }
    text += &format!("{}, played on from turn {turn}\n", summary(record));
    for seat in Seat::BOTH {
        if let Some(fault) = &record.result.faults[seat.index()] {
            text += &format!("  {}: {}\n", names[seat.index()], plain(&fault.reason));
        }
    }
    match &args.output {
        Some(path) => {
            text += &format!("  record: {}\n", shown(path));
            print_beside(path, &text)
        }
        None => print(&text),
    }
}
