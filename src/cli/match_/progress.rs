//! How a match of several games goes on, on standard error.

use std::io::{self, IsTerminal as _};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use super::single;
use crate::arena::{Fixture, Standing};
use crate::duration;
use crate::message;
use crate::rating::{Sprt, Tally, estimate};
use crate::record::Record;

/// A bar on a terminal; else a line for every finished game.
pub struct Progress {
    bar: Option<ProgressBar>,
    begin: Instant,
    /// Games that were finished before, those that are now, and all that are to be.
    before: usize,
    finished: usize,
    planned: usize,
    sprt: Option<Sprt>,
}

impl Progress {
    /// Of a match in which so many of the planned games are finished.
    pub fn new(before: usize, planned: usize, sprt: Option<Sprt>) -> Self {
        let bar = io::stderr().is_terminal().then(|| {
            let bar = ProgressBar::new(planned as u64).with_position(before as u64);
            if let Ok(style) = ProgressStyle::with_template("{wide_bar} {pos}/{len}  {msg}") {
                bar.set_style(style);
            }
            bar.enable_steady_tick(Duration::from_millis(500));
            bar
        });
        Self { bar, begin: Instant::now(), before, finished: before, planned, sprt }
    }

    /// A game is finished, and in the standing already.
    pub fn finished(&mut self, fixture: Fixture, record: &Record, standing: &Standing) {
        self.finished += 1;
        let said = self.standing(standing);
        let names = fixture.players.map(|player| standing.rows()[player].name.as_str());
        let result = record.outcome();
        let game = format!("game {}: {} - {}: {result}", fixture.number, names[0], names[1]);
        let faults = single::faults(record);
        if let Some(bar) = &self.bar {
            if !faults.is_empty() {
                bar.println(game);
                faults.iter().for_each(|line| bar.println(format!("  {line}")));
            }
            bar.set_position(self.finished as u64);
            bar.set_message(said);
        } else {
            let (finished, planned) = (self.finished, self.planned);
            message::line(format_args!("[{finished}/{planned}] {game} | {said}"));
            faults.iter().for_each(|line| message::line(format_args!("  {line}")));
        }
    }

    /// How the match stands, in a line.
    fn standing(&self, standing: &Standing) -> String {
        let mut parts = Vec::new();
        if let [first, _] = standing.rows() {
            parts.push(strength(&first.name, first.tally));
            if let Some(sprt) = &self.sprt {
                let (low, high) = sprt.bounds();
                parts.push(format!("LLR {:.2} ({low:.2}, {high:.2})", sprt.llr(first.tally)));
            }
        } else {
            let score = |tally: Tally| tally.score().unwrap_or(0.0);
            let leader =
                standing.rows().iter().max_by(|a, b| score(a.tally).total_cmp(&score(b.tally)));
            if let Some(leader) = leader {
                let tally = leader.tally;
                parts.push(format!(
                    "{} leads with {} of {}",
                    leader.name,
                    tally.points(),
                    tally.games()
                ));
            }
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

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// A tally, and what it says, in words.
pub fn strength(name: &str, tally: Tally) -> String {
    let counts = format!("{name} +{} ={} -{}", tally.wins, tally.draws, tally.losses);
    estimate(tally).map_or_else(
        || counts.clone(),
        |estimate| {
            let (elo, low, high) = (estimate.elo, estimate.low, estimate.high);
            format!("{counts}, Elo {elo} [{low}, {high}], LOS {:.0} %", estimate.los * 100.0)
        },
    )
}
