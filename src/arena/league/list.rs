//! The rating list of a league.

use serde::Serialize;

use super::league_json::League;
use super::results::{LeagueResults, Rating, rate, rate_anchored};
use crate::arena::rating::{Elo, Tally};
use crate::util::sanitize::quoted;
use crate::util::suggestion::{closest, hint};

/// The rating list, as `tensai league show --json` prints it.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct List {
    /// Always `tensai league list`.
    pub format: &'static str,
    /// The version of the format.
    pub version: u32,
    /// When the league began.
    pub date: String,
    /// The number of finished games.
    pub played: usize,
    /// Whether a chain of games connects all engines that have played. If not, only the ratings
    /// within a group can be compared.
    pub connected: bool,
    /// The engines whose ratings are fixed; without one, the mean of all is 0.
    pub anchors: Vec<String>,
    /// The engines in descending order of rating, then those without a game.
    pub engines: Vec<ListEntry>,
    /// The pairs that have met, in the order of `engines`.
    pub pairs: Vec<Pair>,
}

/// An engine on the list.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ListEntry {
    /// The place on the list, from 1.
    pub rank: usize,
    /// The name.
    pub engine: String,
    /// Whether it has retired and gets no new games.
    pub retired: bool,
    /// The rating in Elo points; without an anchor, the mean of the engines that games connect with
    /// this one is 0.
    /// `null` without a game.
    pub elo: Option<f64>,
    /// The error of the rating: half the width of its 95 % interval.
    pub error: Option<f64>,
    /// The number of its games.
    pub games: u64,
    /// The games won, drawn and lost.
    pub tally: Tally,
    /// The points a game, 0 to 1; `null` without a game.
    pub score: Option<f64>,
    /// The number of its games in which it had a fault.
    pub faults: u64,
}

impl ListEntry {
    /// Elo, error, games, won, drawn, lost, score and faults as text; empty where unknown.
    pub fn figures(&self) -> [String; 8] {
        let number = |number: Option<String>| number.unwrap_or_default();
        [
            number(self.elo.map(|elo| Elo(elo).to_string())),
            number(self.error.map(|error| format!("{error:.0}"))),
            self.games.to_string(),
            self.tally.wins.to_string(),
            self.tally.draws.to_string(),
            self.tally.losses.to_string(),
            number(self.score.map(|score| format!("{:.1} %", score * 100.0))),
            self.faults.to_string(),
        ]
    }
}

/// The games of two engines.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Pair {
    /// The name of the engine of the higher rank.
    pub first: String,
    /// The name of the other engine.
    pub second: String,
    /// The games, from the first engine's view.
    pub tally: Tally,
}

impl List {
    /// The list of a league with these results. The mean of all ratings is 0.
    pub fn new(league: &League, results: &LeagueResults) -> Self {
        let ratings = rate(&results.cross(&league.names()));
        Self::of(league, results, &ratings, &[])
    }

    /// The list of a league in which the ratings of the engines `anchors` are fixed.
    ///
    /// # Errors
    /// An anchor is no engine of the league, is given twice or has no game, or its rating is out of
    /// range; the message says which.
    pub fn anchored(
        league: &League,
        results: &LeagueResults,
        anchors: &[(String, f64)],
    ) -> Result<Self, String> {
        let names = league.names();
        let mut fixed: Vec<(usize, f64)> = Vec::new();
        for (name, rating) in anchors {
            let quoted = quoted(name);
            let index = league.index_of(name).ok_or_else(|| {
                let hint = hint(closest(name, names.iter().copied()));
                format!("anchor {quoted}: the league has no engine of that name{hint}")
            })?;
            if results.cross(&names)[index].iter().all(|tally| tally.games() == 0) {
                return Err(format!("anchor {quoted}: it has not played yet"));
            }
            if fixed.iter().any(|&(other, _)| other == index) {
                return Err(format!("anchor {quoted}: expected one rating, found another"));
            }
            fixed.push((index, *rating));
        }
        let ratings = rate_anchored(&results.cross(&names), &fixed);
        let ratings = ratings.map_err(|error| error.to_string())?;
        Ok(Self::of(league, results, &ratings, anchors))
    }

    fn of(
        league: &League,
        results: &LeagueResults,
        ratings: &[Option<Rating>],
        anchors: &[(String, f64)],
    ) -> Self {
        let names = league.names();
        let cross = results.cross(&names);
        let mut order: Vec<usize> = (0..names.len()).collect();
        let elo = |one: usize| ratings[one].map_or(f64::NEG_INFINITY, |rating| rating.elo);
        order.sort_by(|&a, &b| elo(b).total_cmp(&elo(a)));
        let entry = |(rank, &one): (usize, &usize)| {
            let tally: Tally = cross[one].iter().copied().sum();
            ListEntry {
                rank: rank + 1,
                engine: names[one].to_owned(),
                retired: !league.engines[one].is_active(),
                elo: ratings[one].map(|rating| rating.elo),
                error: ratings[one].map(|rating| rating.error),
                games: tally.games(),
                tally,
                score: tally.score(),
                faults: results.faults(names[one]),
            }
        };
        let mut pairs = Vec::new();
        for (at, &a) in order.iter().enumerate() {
            for &b in order[at + 1..].iter().filter(|&&b| cross[a][b].games() > 0) {
                let [first, second] = [a, b].map(|one| names[one].to_owned());
                pairs.push(Pair { first, second, tally: cross[a][b] });
            }
        }
        let mut groups: Vec<usize> = ratings.iter().flatten().map(|rating| rating.group).collect();
        groups.sort_unstable();
        groups.dedup();
        Self {
            format: "tensai league list",
            version: 1,
            date: league.date.clone(),
            played: results.played(),
            connected: groups.len() <= 1,
            anchors: anchors.iter().map(|(name, _)| name.clone()).collect(),
            engines: order.iter().enumerate().map(entry).collect(),
            pairs,
        }
    }

    /// The entry of the engine of this name.
    pub fn entry(&self, name: &str) -> Option<&ListEntry> {
        self.engines.iter().find(|entry| entry.engine == name)
    }

    /// For each engine, in the order of the list, its points and games against each other one as
    /// text: `-` for itself, empty for an engine that it has not met.
    pub fn cross_cells(&self) -> Vec<Vec<String>> {
        let cell = |at: usize, other: usize, tally: &Tally| match tally.games() {
            0 if at == other => "-".to_owned(),
            0 => String::new(),
            games => format!("{}/{games}", tally.points()),
        };
        let row = |(at, row): (usize, &Vec<Tally>)| {
            row.iter().enumerate().map(|(other, tally)| cell(at, other, tally)).collect()
        };
        self.cross().iter().enumerate().map(row).collect()
    }

    /// For each engine, in the order of the list, its games against each other one.
    fn cross(&self) -> Vec<Vec<Tally>> {
        let index = |name: &str| self.engines.iter().position(|entry| entry.engine == name);
        let mut cross = vec![vec![Tally::default(); self.engines.len()]; self.engines.len()];
        for pair in &self.pairs {
            if let (Some(a), Some(b)) = (index(&pair.first), index(&pair.second)) {
                cross[a][b] = pair.tally;
                cross[b][a] = pair.tally.reversed();
            }
        }
        cross
    }
}
