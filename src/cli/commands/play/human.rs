//! `tensai play`: a person against this program, in a terminal.

use std::fmt::Write as _;
use std::io::{self, BufRead, Read as _};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;

use crate::analysis::render::{self, Colors};
use crate::board::Backend;
use crate::cli::commands::arguments::start_threads;
use crate::cli::commands::color::colors;
use crate::cli::commands::files::packs_file;
use crate::cli::commands::format::effect;
use crate::cli::commands::output::print;
use crate::cli::error::CliError;
use crate::engine::{BestSoFar, Engine, LEVELS, TimeLimits, TurnClock};
use crate::game::{Action, Cells, OJAMA_ROW, Pack, Packs, Rotation, Seat, State, Turn, Verdict};
use crate::protocol::Observation;
use crate::record::{
    Contestant, Destination, Readers, RecordError, check_new, create_in_folder, replace_in_folder,
};
use crate::util::clock::{self, Instant};
use crate::util::duration::milliseconds;
use crate::util::sanitize::shown;
use crate::web::api::{
    ExportKind, ExportParams, GameData, GameDetails, SeatNumber, export, packs_text,
};

/// Arguments of `tensai play`.
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  tensai play --level 3")]
pub struct PlayArgs {
    /// Strength of the program.
    ///
    /// 1 drops carelessly, 2 overlooks most actions. From 3 on the level sets the simulated drops for
    /// a decision: 3: 3000, 4: 9000, 5: 20,000, 6: 35,000, 7: 70,000, 8: 200,000, 9: 20 million, about
    /// a second.
    #[arg(long, value_name = "1..9", default_value_t = 2)]
    #[arg(value_parser = clap::value_parser!(u8).range(1..=9))]
    level: u8,

    /// Seed of the packs.
    #[arg(long, value_name = "SEED", default_value_t = 0)]
    seed: u64,

    /// A file with the packs of the game [default: generated from --seed].
    #[arg(long, value_name = "FILE", conflicts_with = "seed")]
    packs: Option<PathBuf>,

    /// The file for the record of the game, written after each turn. It must not exist yet
    /// [default: games/DATE-human.json].
    #[arg(long, value_name = "FILE", conflicts_with = "no_record")]
    record: Option<PathBuf>,

    /// Write no record of the game.
    #[arg(long)]
    no_record: bool,
}

/// Packs that are drawn: the pack of the turn and those after it.
const AHEAD: usize = 6;

const HELP: &str = "\
POSITION ROTATION  drop the pack: its left column goes to POSITION (0 to 8),
                   after ROTATION (0 to 3) quarter turns clockwise, as drawn;
                   3 1, for example
S                  the skill, with a gauge of 80: fives and their neighbours
                   blow up
u                  take the last turn back
q                  stop playing
?                  this help
Neighbours that sum to 10 vanish, diagonal ones too, and what stands above them
falls; chains send ojama, and a row falls for each 10 ojama. A player with a
block above row 16 after a turn loses.
";

/// Lets a person play until the game is over or the input ends.
pub fn run(args: &PlayArgs) -> Result<(), CliError> {
    // A referee sets it for a bot.
    if std::env::var_os("TENSAI_SEAT").is_some_and(|seat| !seat.is_empty()) {
        let reason = "`tensai play` is a game against a person: the bot is `tensai`";
        return Err(CliError::Refused(reason.to_owned()));
    }
    let (seed, level) = (args.seed, args.level);
    let (packs, packs_from) = match &args.packs {
        Some(path) => (packs_file(path)?, shown(path).to_string()),
        None => (Packs::from_seed(seed), format!("seed {seed}")),
    };
    let record = (!args.no_record).then(|| GameRecorder::new(args.record.as_deref(), packs_from));
    let mut record = record.transpose()?;
    // One thread, so that the program answers the same on every machine.
    start_threads(Some(NonZeroUsize::MIN))?;
    Backend::choose(None);
    let mut engine = LEVELS[usize::from(level) - 1].engine();
    engine.new_game();
    let mut table = HumanGame {
        packs,
        level,
        states: vec![State::new()],
        played: Vec::new(),
        colors: colors(),
        names: ["you".to_owned(), format!("level {level}")],
    };
    print(&format!("You play against level {level}; type ? for help.\n\n{}", table.drawing()))?;
    let mut input = io::stdin().lock();
    let mut asked = Instant::now();
    loop {
        print(&table.prompt())?;
        let line = next_line(&mut input)?;
        match line.as_deref().map(str::trim) {
            None | Some("q") => {
                let end = if line.is_none() { "\n" } else { "" };
                let written = record.as_ref().map_or_else(String::new, GameRecorder::report);
                return print(&(end.to_owned() + &written));
            }
            Some("") => {}
            Some("?") => print(HELP)?,
            Some("u") => {
                let had_turns = !table.played.is_empty();
                print(&table.take_back())?;
                if had_turns {
                    record.as_mut().map_or(Ok(()), |record| record.write(&table))?;
                }
                asked = Instant::now();
            }
            Some(answer) => match table.understand(answer) {
                Ok(action) => {
                    let thought = asked.elapsed();
                    let begin = Instant::now();
                    let reply = table.reply(&mut *engine);
                    print(&table.turn([action, reply], [thought, begin.elapsed()]))?;
                    record.as_mut().map_or(Ok(()), |record| record.write(&table))?;
                    asked = Instant::now();
                }
                Err(reason) => print(&format!("{reason}\n"))?,
            },
        }
    }
}

/// Reads a line of at most `LONGEST` bytes from `input`; `None` at its end. The rest of a longer
/// line is returned by the next calls.
fn next_line(input: &mut impl BufRead) -> Result<Option<String>, CliError> {
    const LONGEST: u64 = 256;
    let mut line = Vec::new();
    let read = input.take(LONGEST).read_until(b'\n', &mut line);
    read.map_err(CliError::unreadable("standard input"))?;
    Ok((!line.is_empty()).then(|| String::from_utf8_lossy(&line).into_owned()))
}

/// A game between a person, in the first seat, and the program.
struct HumanGame {
    packs: Packs,
    level: u8,
    /// All states from the start on, so that turns can be taken back.
    states: Vec<State<Cells>>,
    /// The actions and thinking times of the turns that were played.
    played: Vec<([Action; 2], [Duration; 2])>,
    colors: Colors,
    names: [String; 2],
}

impl HumanGame {
    fn state(&self) -> &State<Cells> {
        self.states.last().expect("the first state is never taken back")
    }

    /// The pack of the turn; `None` when all turns are played.
    fn pack(&self) -> Option<&Pack> {
        self.packs.get(self.state().turn)
    }

    /// Draws both fields and the packs, or how the game ended.
    fn drawing(&self) -> String {
        let state = self.state();
        let game = render::fields(state, &self.names, self.colors);
        // The column numbers are drawn below the person's field.
        let columns = "  0 1 2 3 4 5 6 7 8 9";
        let mut text = format!("turn {}\n{game}{columns}\n", state.turn);
        if let Some((end, verdict)) = state.end() {
            let verdict = match verdict {
                Verdict::Win(Seat::First) => "you win",
                Verdict::Win(Seat::Second) => "you lose",
                Verdict::Draw => "a draw",
            };
            return text + &format!("The game is over: {verdict}, {}.\n", end.name());
        }
        if let Some(pack) = self.pack() {
            text += &rotations(pack, self.colors);
            let next = self.packs.from_turn(state.turn + 1).iter().take(AHEAD - 1);
            text += &render::packs("then    ", next, self.colors);
        }
        for (player, name) in state.players.iter().zip(["you", "your opponent"]) {
            if player.stock >= OJAMA_ROW {
                let _ = writeln!(text, "a row of ojama falls on {name} first");
            }
        }
        text
    }

    /// The prompt for the next answer.
    fn prompt(&self) -> String {
        let state = self.state();
        match state.end() {
            Some(_) => "u takes the last turn back, q ends> ".to_owned(),
            None if state[Seat::First].gauge.allows_skill() => {
                format!("turn {}, POSITION ROTATION or S> ", state.turn)
            }
            None => format!("turn {}, POSITION ROTATION> ", state.turn),
        }
    }

    /// Parses `answer` and checks that it may be played; the error says why it may not.
    fn understand(&self, answer: &str) -> Result<Action, String> {
        let state = self.state();
        if state.end().is_some() {
            return Err("the game is over: u takes the last turn back, q ends".to_owned());
        }
        // `s` is accepted too, so that a person need not hold shift.
        let answer = if answer == "s" { "S" } else { answer };
        let action: Action = answer.parse().map_err(|error| format!("{error}; type ? for help"))?;
        let pack = self.pack().ok_or("no pack is left")?;
        state[Seat::First].step(pack, action).map_err(|why| why.to_string())?;
        Ok(action)
    }

    /// Returns the action of the program, which does not see the person's answer.
    fn reply(&self, engine: &mut dyn Engine) -> Action {
        /// The clock does not matter, because the drops are limited.
        const LEFT: Duration = Duration::from_secs(180);
        let mut state = *self.state();
        state.players.reverse();
        let observation = Observation { state, time_left: [LEFT; 2] };
        let nodes = Some(LEVELS[usize::from(self.level) - 1].nodes().unwrap_or(1));
        let rules = TimeLimits { nodes, ..TimeLimits::default() };
        let clock = TurnClock::new(Instant::now(), LEFT, &rules);
        engine.decide(&self.packs, &observation, &clock, &BestSoFar::default()).action
    }

    /// Plays a turn. Returns the actions of both players and the drawing of the game after it.
    fn turn(&mut self, actions: [Action; 2], thought: [Duration; 2]) -> String {
        let Some(pack) = self.pack() else { return String::new() };
        let played: Turn<Cells> = match self.state().play(pack, actions) {
            Ok(played) => played,
            Err(refused) => {
                let why = refused.into_iter().flatten().map(|why| why.to_string());
                return why.collect::<Vec<String>>().join("; ") + "\n";
            }
        };
        self.states.push(played.after);
        self.played.push((actions, thought));
        let describe = |seat: Seat, who: &str| {
            let index = seat.index();
            format!("{who}: {}{}\n", actions[index], effect(&played.steps[index]))
        };
        format!(
            "\n{}{}{}",
            describe(Seat::First, "you"),
            describe(Seat::Second, &self.names[1]),
            self.drawing()
        )
    }

    /// Takes the last turn back and draws the game.
    fn take_back(&mut self) -> String {
        if self.states.len() == 1 {
            return "there is no turn to take back\n".to_owned();
        }
        self.states.pop();
        self.played.pop();
        format!("\n{}", self.drawing())
    }
}

/// The record of the game on disk.
struct GameRecorder {
    path: PathBuf,
    /// Whether the program has chosen the path, so that another one will do.
    is_chosen: bool,
    date: String,
    packs_from: String,
    is_written: bool,
}

impl GameRecorder {
    /// A record at `path`, or at a place of its own below `games`, of a game that begins now.
    fn new(path: Option<&Path>, packs_from: String) -> Result<Self, CliError> {
        let (date, is_chosen) = (clock::date(), path.is_none());
        let path = path.map_or_else(|| chosen_path(&date, 1), Path::to_owned);
        if !Destination::of(&path).is_ok_and(|destination| destination.is_file()) {
            let reason = format!("{}: cannot write: expected a regular file", shown(&path));
            return Err(CliError::Refused(reason));
        }
        if !is_chosen {
            check_new(&path)?;
        }
        Ok(Self { path, is_chosen, date, packs_from, is_written: false })
    }

    /// Writes the turns so far.
    fn write(&mut self, table: &HumanGame) -> Result<(), CliError> {
        let contestant = |seat: usize| Contestant {
            name: table.names[seat].clone(),
            nodes: LEVELS[usize::from(table.level) - 1].nodes().filter(|_| seat == 1),
            ..Contestant::default()
        };
        let details = GameDetails {
            date: self.date.clone(),
            packs_from: self.packs_from.clone(),
            players: Some([contestant(0), contestant(1)]),
            ..GameDetails::default()
        };
        let (actions, times) = table.played.iter().copied().unzip::<_, _, Vec<_>, Vec<_>>();
        let game = GameData {
            packs: packs_text(table.packs.from_turn(0)),
            actions: actions.iter().map(|actions| actions.map(|it| it.to_string())).collect(),
            names: table.names.clone(),
            think_ms: times.into_iter().map(|times| times.map(milliseconds)).collect(),
            details: Some(Box::new(details)),
            ..GameData::default()
        };
        let (turn, seat, info) = (None, SeatNumber::default(), Vec::new());
        let params = ExportParams { game, kind: ExportKind::Record, turn, seat, info };
        let exported = export(&params).map_err(|error| CliError::Refused(error.message))?;
        if self.is_written {
            // This game has made the file, so that no link there is the user's.
            return Ok(replace_in_folder(&self.path, &exported.text, Readers::All)?);
        }
        self.create(&exported.text)
    }

    /// Makes the file. If a game that began in the same second has it, the path gets a number.
    fn create(&mut self, text: &str) -> Result<(), CliError> {
        let mut copy = 1;
        while let Err(refused) = create_in_folder(&self.path, text, Readers::All) {
            let is_taken = matches!(
                &refused,
                RecordError::File { verb: "write", source, .. }
                    if source.kind() == io::ErrorKind::AlreadyExists
            );
            if !self.is_chosen || !is_taken {
                return Err(refused.into());
            }
            copy += 1;
            self.path = chosen_path(&self.date, copy);
        }
        self.is_written = true;
        Ok(())
    }

    /// Names the file, if there is one.
    fn report(&self) -> String {
        match self.is_written {
            true => format!("record: {}\n", shown(&self.path)),
            false => String::new(),
        }
    }
}

/// The path of the record of a game that began at `date`, of which `copy`, from 1, is free.
fn chosen_path(date: &str, copy: usize) -> PathBuf {
    let number = if copy == 1 { String::new() } else { format!("-{copy}") };
    Path::new("games").join(format!("{}-human{number}.json", date.replace(':', "")))
}

/// Draws the pack in each rotation, as it falls.
fn rotations(pack: &Pack, colors: Colors) -> String {
    let turned = Rotation::ALL.map(|rotation| {
        let [(lower_left, upper_left), (lower_right, upper_right)] = pack.columns(rotation);
        let cells = [upper_left, upper_right, lower_left, lower_right];
        let codes = cells.map(|cell| cell.map_or(0, |number| number.get()));
        Pack::new(codes).unwrap_or(*pack)
    });
    let numbers = Rotation::ALL.map(|rotation| format!("   {}", rotation.get())).join("  ");
    format!("rotation {numbers}\n{}", render::packs("        ", &turned, colors))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_preview_shows_the_rotations_of_the_rules() {
        let pack = Pack::new([1, 2, 3, 0]).unwrap();
        assert_eq!(
            rotations(&pack, Colors::Off),
            "rotation    0     1     2     3\n          \
             1 2   3 1   . 3   2 .\n          3 .   . 2   2 1   1 3\n"
        );
    }

    #[test]
    fn lines_without_end_are_read_in_parts() {
        let endless = [b'7'; 1000];
        let mut input = &endless[..];
        let mut lines = 0;
        while next_line(&mut input).unwrap().is_some() {
            lines += 1;
        }
        assert_eq!(lines, 4);
    }
}
