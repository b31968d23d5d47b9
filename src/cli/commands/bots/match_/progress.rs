//! The progress of a match of several games, on standard error.

use std::collections::BTreeMap;
use std::io;
use std::time::{Duration, Instant};

use indicatif::{MultiProgress, ProgressBar, ProgressStyle};

use super::ratings::Ratings;
use super::spectator;
use crate::arena::match_::Evidence;
use crate::arena::rating::{Elo, Estimate, PairTally, Sprt, Tally, estimate};
use crate::arena::{GameEvent, Happened, Standing};
use crate::game::Seat;
use crate::record::Record;
use crate::util::duration;
use crate::util::message;

/// Prints a line for each finished game. On a terminal the lines scroll above a bar, the standing
/// and the games in progress.
pub struct MatchProgress {
    board: Option<Board>,
    running: Running,
    begin: Instant,
    /// Number of games that were finished before.
    before: usize,
    /// Number of games that are finished now.
    finished: usize,
    /// Number of games that are to be finished in all.
    planned: usize,
    sprt: Option<Sprt>,
}

impl MatchProgress {
    /// The progress of a match in which `before` of the `planned` games are finished.
    pub fn new(before: usize, planned: usize, sprt: Option<Sprt>) -> Self {
        let board = message::can_move_cursor(&io::stderr()).then(|| Board::new(before, planned));
        let running = Running::default();
        Self { board, running, begin: Instant::now(), before, finished: before, planned, sprt }
    }

    /// Shows what happens in a game; `standing` contains a finished game already.
    pub fn event(&mut self, event: &GameEvent, standing: &Standing) {
        match &event.reason {
            Happened::Begun(_) => {}
            Happened::Turn(played) => {
                self.running.turn(event.number, played.turn.after.turn.saturating_sub(1));
                if let Some(board) = &self.board {
                    board.running.set_message(self.running.to_string());
                }
            }
            Happened::Finished(record) => self.finished(event.number, record, standing),
        }
    }

    /// Prints the result of a finished game.
    fn finished(&mut self, number: usize, record: &Record, standing: &Standing) {
        self.finished += 1;
        self.running.end(number);
        let standing_line = self.standing(standing);
        let names = Seat::BOTH.map(|seat| record.name(seat));
        let result = record.outcome();
        let game = format!("game {number}: {} - {}: {result}", names[0], names[1]);
        let faults = spectator::faults(record);
        if let Some(board) = &self.board {
            // A line that cannot be printed is not lost: the results contain the game.
            let _ = board.all.println(game);
            faults.iter().for_each(|line| drop(board.all.println(format!("  {line}"))));
            board.bar.set_position(self.finished as u64);
            board.standing.set_message(standing_line);
            board.running.set_message(self.running.to_string());
        } else {
            let (finished, planned) = (self.finished, self.planned);
            message::line(format_args!("[{finished}/{planned}] {game} | {standing_line}"));
            faults.iter().for_each(|line| message::line(format_args!("  {line}")));
        }
    }

    /// The standing of the match, in a line.
    fn standing(&self, standing: &Standing) -> String {
        let mut parts = Vec::new();
        if let Some((pairs, first)) = standing.versions().zip(standing.rows().first()) {
            parts.push(strength_by_pairs(&first.name, pairs));
        } else if let [first, _] = standing.rows() {
            parts.push(strength(&first.name, first.tally));
        } else {
            parts.extend(lead(standing));
        }
        if let Some(sprt) = &self.sprt {
            let (low, high) = sprt.bounds();
            let llr = Evidence::of(sprt, standing).llr;
            parts.push(format!("LLR {llr:.2} ({low:.2}, {high:.2})"));
        }
        let done = self.finished - self.before;
        let left = self.planned.saturating_sub(self.finished);
        if let (Ok(done @ 1..), Ok(left @ 1..)) = (u32::try_from(done), u32::try_from(left)) {
            let rest = self.begin.elapsed() / done * left;
            if rest.as_secs() > 0 {
                let most = if self.sprt.is_some() { " at most" } else { "" };
                parts.push(format!("{} left{most}", duration::rough(rest)));
            }
        }
        parts.join(", ")
    }
}

/// Who leads, by rating: an engine, or several that are equal. `None` as long as not all engines can
/// be compared.
fn lead(standing: &Standing) -> Option<String> {
    /// The most names of a tie.
    const LISTED: usize = 3;
    let ratings = Ratings::of(standing);
    let leaders = ratings.leaders();
    let first = *leaders.first()?;
    let (tally, elo) = (standing.rows()[first].tally, Elo(ratings.get(first)?.rating));
    let name = |&engine: &usize| standing.rows()[engine].name.as_str();
    Some(match leaders.len() {
        1 => {
            let (points, games) = (tally.points(), tally.games());
            format!("{} leads with {points} of {games}, Elo {elo}", name(&first))
        }
        2..=LISTED => {
            let names: Vec<&str> = leaders.iter().map(name).collect();
            format!("{} are equal, Elo {elo}", names.join(" and "))
        }
        count => format!("{count} engines are equal, Elo {elo}"),
    })
}

impl Drop for MatchProgress {
    fn drop(&mut self) {
        if let Some(Board { all, bar, standing, running }) = &self.board {
            [bar, standing, running].into_iter().for_each(ProgressBar::finish_and_clear);
            let _ = all.clear();
        }
    }
}

/// The lowest lines of a terminal, each cut to its width: a bar, the standing, and the games in
/// progress.
struct Board {
    all: MultiProgress,
    bar: ProgressBar,
    standing: ProgressBar,
    running: ProgressBar,
}

impl Board {
    fn new(before: usize, planned: usize) -> Self {
        let all = MultiProgress::new();
        let line = |template: &str| {
            let line = all.add(ProgressBar::new(planned as u64));
            if let Ok(style) = ProgressStyle::with_template(template) {
                line.set_style(style);
            }
            line
        };
        let bar = line("{wide_bar} {pos} of {len}  {elapsed}").with_position(before as u64);
        let (standing, running) = (line("{wide_msg}"), line("{wide_msg}"));
        running.set_message(Running::default().to_string());
        for line in [&bar, &standing, &running] {
            line.enable_steady_tick(Duration::from_millis(500));
        }
        Self { all, bar, standing, running }
    }
}

/// The games in progress, by number, each with the turn that was played last.
#[derive(Debug, Default)]
struct Running(BTreeMap<usize, usize>);

impl Running {
    fn turn(&mut self, game: usize, turn: usize) {
        self.0.insert(game, turn);
    }

    fn end(&mut self, game: usize) {
        self.0.remove(&game);
    }
}

impl std::fmt::Display for Running {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.0.is_empty() {
            return f.write_str("games start");
        }
        let games = self.0.iter().map(|(game, turn)| format!("game {game}: turn {turn}"));
        f.write_str(&games.collect::<Vec<String>>().join(", "))
    }
}

/// Describes a tally and the strength that follows from it.
pub fn strength(name: &str, tally: Tally) -> String {
    let counts = format!("{name} +{} ={} -{}", tally.wins, tally.draws, tally.losses);
    with_estimate(counts, estimate(tally))
}

/// Describes pairs of games, the strength of the version `name` that follows from them, and the
/// probability of the sign test.
pub fn strength_by_pairs(name: &str, pairs: PairTally) -> String {
    let PairTally { better, half_better, equal, half_worse, worse } = pairs;
    // Halves are rare, as draws are.
    let halves = |count: u64| if count > 0 { format!(" and {count} half") } else { String::new() };
    let counts = format!(
        "{name} pairs +{better}{} ={equal} -{worse}{}",
        halves(half_better),
        halves(half_worse)
    );
    let sign_test = pairs.sign_test().map_or_else(String::new, |p| format!(", p {p:.3}"));
    with_estimate(counts, pairs.estimate()) + &sign_test
}

/// Adds an estimated difference to a description of results.
fn with_estimate(counts: String, estimate: Option<Estimate>) -> String {
    let Some(Estimate { elo, low, high, los }) = estimate else { return counts };
    format!("{counts}, Elo {elo} [{low}, {high}], LOS {:.0} %", los * 100.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_described_with_their_halves() {
        let pairs = PairTally { better: 3, equal: 9, worse: 1, ..PairTally::default() };
        let text = strength_by_pairs("new", pairs);
        assert_eq!(text, "new pairs +3 =9 -1, Elo +147 [-185, +479], LOS 81 %, p 0.625");
        let pairs = PairTally { half_worse: 2, ..PairTally::default() };
        assert!(strength_by_pairs("new", pairs).starts_with("new pairs +0 =0 -0 and 2 half, "));
        assert_eq!(strength_by_pairs("new", PairTally::default()), "new pairs +0 =0 -0");
    }

    #[test]
    fn nobody_leads_at_a_tie() {
        use crate::arena::{Fixture, GameSummary};
        use crate::game::Verdict;
        let mut standing = Standing::new(["a", "b", "c"].map(str::to_owned));
        assert_eq!(lead(&standing), None);
        let mut play = |number, players: [usize; 2], verdict| {
            let fixture = Fixture { number, round: 0, players };
            let names = players.map(|player| player.to_string());
            standing.add(fixture, GameSummary::of_test(fixture, names, verdict));
            lead(&standing).unwrap()
        };
        assert_eq!(play(1, [0, 1], Verdict::Draw), "a and b are equal, Elo +0");
        let won = Verdict::Win(Seat::First);
        // By rating `b` is as strong as `a`, although it has fewer points.
        assert_eq!(play(2, [0, 2], won), "a and b are equal, Elo +64");
        assert_eq!(play(3, [0, 1], won), "a leads with 2.5 of 3, Elo +104");
    }

    #[test]
    fn games_in_progress_are_listed_with_their_turns() {
        let mut running = Running::default();
        assert_eq!(running.to_string(), "games start");
        running.turn(3, 0);
        running.turn(2, 16);
        running.turn(3, 1);
        assert_eq!(running.to_string(), "game 2: turn 16, game 3: turn 1");
        running.end(2);
        assert_eq!(running.to_string(), "game 3: turn 1");
    }
}
