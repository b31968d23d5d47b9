//! The results of a match, and the resources that it used.

use std::collections::BTreeMap;

use serde::Serialize;

use super::schedule::Fixture;
use crate::arena::rating::{PairTally, Tally};
use crate::arena::starts::Starts;
use crate::game::{Fault, Seat, Verdict};
use crate::record::{Record, Usage};
use crate::util::duration::milliseconds;

/// A finished game, reduced to the data that standings and lists need.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct GameSummary {
    /// The number, from 1.
    pub number: usize,
    /// The round, from 1.
    pub round: usize,
    /// The engines' names, in the order of seats.
    pub players: [String; 2],
    /// The source of its packs.
    pub packs_from: String,
    /// The winner, or a draw.
    pub verdict: Verdict,
    /// How the game ended: `danger line`, `last turn`, `adjudication`, or a fault.
    pub ending: String,
    /// The number of turns that were played.
    pub turns: usize,
    /// The number of the first turns that the arena chose, which no engine decided.
    #[serde(skip)]
    pub opening: usize,
    /// The scores, in the order of seats.
    pub scores: [u64; 2],
    /// Each bot's fault, if it had one.
    pub faults: [Option<Fault>; 2],
    /// The description of each bot's fault.
    #[serde(rename = "what")]
    pub reason: [Option<String>; 2],
    /// Milliseconds that each engine took for its answers.
    pub think_ms: [u64; 2],
    /// Whether `think_ms` includes one more turn, which a fault ended.
    #[serde(skip)]
    pub is_last_timed: [bool; 2],
    /// The resources that each engine used, where they are known.
    pub usage: [Option<Usage>; 2],
}

/// The results of one engine.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Row {
    /// The name.
    pub name: String,
    /// The wins, draws and losses.
    #[serde(flatten)]
    pub tally: Tally,
    /// The faults by kind.
    pub faults: BTreeMap<&'static str, u64>,
    /// The most memory of a single process, in KiB.
    pub peak_kib: u64,
    /// The greatest number of threads seen at a time.
    pub threads: u64,
    /// Processor time of all games, in milliseconds.
    pub cpu_ms: u64,
    /// Time of all games from start to end, in milliseconds.
    pub wall_ms: u64,
    /// Time of all answers, in milliseconds.
    pub think_ms: u64,
    /// Turns of all games, without random openings.
    pub turns: u64,
}

/// The standing of a match.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Standing {
    rows: Vec<Row>,
    pairs: BTreeMap<[usize; 2], Tally>,
    games: BTreeMap<usize, GameSummary>,
    starts: Starts,
    /// The pairs of games of two versions, in a match that has such pairs.
    versions: Option<PairTally>,
}

impl GameSummary {
    /// The summary of a finished game.
    pub fn new(fixture: Fixture, record: &Record) -> Self {
        let result = &record.result;
        Self {
            number: fixture.number,
            round: fixture.round + 1,
            players: Seat::BOTH.map(|seat| record.name(seat)),
            packs_from: record.packs_from.clone(),
            verdict: result.verdict,
            ending: record.ending(),
            turns: record.turns.len(),
            opening: record.opening,
            scores: result.scores,
            faults: result.faults.each_ref().map(|fault| fault.as_ref().map(|fault| fault.fault)),
            reason: result
                .faults
                .each_ref()
                .map(|fault| fault.as_ref().map(|fault| fault.reason.clone())),
            think_ms: Seat::BOTH.map(|seat| milliseconds(record.used(seat))),
            is_last_timed: result.think_us.map(|think| think.is_some()),
            usage: record.players.each_ref().map(|player| player.usage),
        }
    }
}

#[cfg(test)]
impl GameSummary {
    /// A game of 10 turns without a fault, for tests.
    pub(crate) fn of_test(fixture: Fixture, players: [String; 2], verdict: Verdict) -> Self {
        Self {
            number: fixture.number,
            round: fixture.round + 1,
            players,
            packs_from: String::new(),
            verdict,
            ending: "danger line".to_owned(),
            turns: 10,
            opening: 0,
            scores: [0, 0],
            faults: [None, None],
            reason: [None, None],
            think_ms: [0, 0],
            is_last_timed: [false, false],
            usage: [None, None],
        }
    }
}

impl Standing {
    /// A standing of the named engines without games.
    pub fn new(names: impl IntoIterator<Item = String>) -> Self {
        let rows = names.into_iter().map(|name| Row { name, ..Row::default() });
        Self { rows: rows.collect(), ..Self::default() }
    }

    /// Also counts pairs of games, in a match of two versions
    /// ([`Pairing::Paired`](super::schedule::Pairing::Paired)).
    #[must_use]
    pub fn with_pairs(self) -> Self {
        Self { versions: Some(PairTally::default()), ..self }
    }

    /// In how many games the engines started.
    pub const fn starts(&self) -> &Starts {
        &self.starts
    }

    /// The first game in which an engine has the fault [`Fault::NoStart`], with the engine and the
    /// description of the fault.
    pub fn first_no_start(&self) -> Option<(usize, &str, &str)> {
        self.games.values().find_map(|game| {
            let seat = game.faults.iter().position(|fault| *fault == Some(Fault::NoStart))?;
            let reason = game.reason[seat].as_deref().unwrap_or_default();
            Some((game.number, game.players[seat].as_str(), reason))
        })
    }

    /// Adds a game; a game whose number was added before is not counted again.
    pub fn add(&mut self, fixture: Fixture, game: GameSummary) {
        if self.games.contains_key(&fixture.number) {
            return;
        }
        let tally = Tally::of(game.verdict, Seat::First);
        let [a, b] = fixture.players;
        self.rows[a].tally += tally;
        self.rows[b].tally += tally.reversed();
        *self.pairs.entry([a, b]).or_default() += tally;
        for (seat, player) in fixture.players.into_iter().enumerate() {
            let row = &mut self.rows[player];
            let decided = game.turns.saturating_sub(game.opening) as u64;
            row.turns += decided + u64::from(game.is_last_timed[seat]);
            // A record may contain any time.
            row.think_ms = row.think_ms.saturating_add(game.think_ms[seat]);
            let reason = game.reason[seat].as_deref().unwrap_or_default();
            self.starts.add_game(&row.name, game.faults[seat].map(|fault| (fault, reason)));
            if let Some(fault) = game.faults[seat] {
                *row.faults.entry(fault.name()).or_default() += 1;
            }
            if let Some(usage) = game.usage[seat] {
                row.peak_kib = row.peak_kib.max(usage.peak_kib);
                row.threads = row.threads.max(usage.threads);
                row.cpu_ms = row.cpu_ms.saturating_add(usage.cpu_ms);
                row.wall_ms = row.wall_ms.saturating_add(usage.wall_ms);
            }
        }
        if let Some((versions, twin)) = self.versions.as_mut().zip(self.games.get(&fixture.twin()))
        {
            let [own, other] = [game.verdict, twin.verdict]
                .map(|verdict| Tally::of(verdict, Seat::First).points());
            let [new, old] = if a == 0 { [own, other] } else { [other, own] };
            *versions += PairTally::of_points(new, old);
        }
        self.games.insert(fixture.number, game);
    }

    /// The pairs whose two games are finished, in a match of two versions.
    pub const fn versions(&self) -> Option<PairTally> {
        self.versions
    }

    /// The results of each engine, in the order of the match's list.
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// The result of engine `a` against engine `b`, counted for `a`.
    pub fn between(&self, a: usize, b: usize) -> Tally {
        let tally = |pair| self.pairs.get(&pair).copied().unwrap_or_default();
        tally([a, b]) + tally([b, a]).reversed()
    }

    /// All pairs of engines that have played each other, with their results.
    pub fn pairs(&self) -> impl Iterator<Item = (&str, &str, Tally)> {
        let name = |player: usize| self.rows[player].name.as_str();
        self.pairs.iter().map(move |(&[a, b], &tally)| (name(a), name(b), tally))
    }

    /// All finished games, by number.
    pub fn games(&self) -> impl Iterator<Item = &GameSummary> {
        self.games.values()
    }

    /// Whether the game `number` is finished.
    pub fn has(&self, number: usize) -> bool {
        self.games.contains_key(&number)
    }

    /// The number of finished games.
    pub fn played(&self) -> usize {
        self.games.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(number: usize, players: [usize; 2], verdict: Verdict) -> (Fixture, GameSummary) {
        let fixture = Fixture { number, round: 0, players };
        let summary = GameSummary {
            ending: "crash".to_owned(),
            faults: [None, Some(Fault::Crash)],
            think_ms: [5, 7],
            is_last_timed: [false, true],
            usage: [Some(Usage { peak_kib: 9, cpu_ms: 3, wall_ms: 4, threads: 2 }), None],
            ..GameSummary::of_test(fixture, players.map(|player| player.to_string()), verdict)
        };
        (fixture, summary)
    }

    #[test]
    fn games_are_counted_once_and_from_both_sides() {
        let mut standing = Standing::new(["a", "b", "c"].map(str::to_owned));
        let games = [
            game(1, [0, 1], Verdict::Win(Seat::First)),
            game(2, [0, 2], Verdict::Win(Seat::Second)),
            game(3, [1, 2], Verdict::Draw),
            game(1, [0, 1], Verdict::Win(Seat::First)),
        ];
        for (fixture, summary) in games {
            standing.add(fixture, summary);
        }
        assert_eq!(standing.played(), 3);
        let rows = standing.rows();
        assert_eq!(rows[0].tally, Tally { wins: 1, draws: 0, losses: 1 });
        assert_eq!(rows[2].tally, Tally { wins: 1, draws: 1, losses: 0 });
        assert_eq!(rows[1].faults, BTreeMap::from([("crash", 1)]));
        assert_eq!((rows[0].cpu_ms, rows[0].peak_kib, rows[0].think_ms), (6, 9, 10));
        assert_eq!((rows[0].turns, rows[1].turns), (20, 21), "a turn that a fault ended counts");
        assert_eq!(standing.between(2, 0), Tally { wins: 1, draws: 0, losses: 0 });
    }

    #[test]
    fn a_pair_counts_when_both_games_are_finished() {
        let mut standing = Standing::new(["new", "old", "a"].map(str::to_owned)).with_pairs();
        let won = Verdict::Win(Seat::First);
        let lost = Verdict::Win(Seat::Second);
        let mut add = |number, player, verdict| {
            let (fixture, summary) = game(number, [player, 2], verdict);
            standing.add(fixture, summary);
            standing.versions().unwrap()
        };
        assert_eq!(add(1, 0, won).pairs(), 0);
        // The old version's game may be finished first.
        assert_eq!(add(4, 1, won).pairs(), 0);
        assert_eq!(add(2, 1, lost), PairTally { better: 1, ..PairTally::default() });
        assert_eq!(add(2, 1, won).pairs(), 1, "a game counts once");
        let all = add(3, 0, Verdict::Draw);
        assert_eq!(all, PairTally { better: 1, half_worse: 1, ..PairTally::default() });
        let (_, summary) = game(1, [0, 2], won);
        assert_eq!(summary.players, ["0", "2"]);
        assert_eq!(Standing::new(["a".to_owned()]).versions(), None);
    }

    #[test]
    fn sums_of_times_saturate() {
        let mut standing = Standing::new(["a", "b"].map(str::to_owned));
        for number in [1, 2] {
            let (fixture, mut summary) = game(number, [0, 1], Verdict::Draw);
            let most =
                Usage { peak_kib: u64::MAX, cpu_ms: u64::MAX, wall_ms: u64::MAX, threads: 1 };
            summary.usage = [Some(most); 2];
            summary.think_ms = [u64::MAX; 2];
            standing.add(fixture, summary);
        }
        let row = &standing.rows()[0];
        assert_eq!([row.cpu_ms, row.wall_ms, row.think_ms], [u64::MAX; 3]);
    }
}
