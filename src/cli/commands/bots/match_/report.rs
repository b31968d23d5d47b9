//! The results of a match: tables, or JSON.

use std::io;

use super::progress::{strength, strength_by_pairs};
use super::ratings::Ratings;
use super::results::{EngineResult, PairResult, Results, TestResult, VersionsResult};
use crate::arena::match_::Evidence;
use crate::arena::rating::{Elo, Hypothesis, estimate};
use crate::arena::{Manifest, MatchTest, Standing};
use crate::cli::commands::output;
use crate::cli::commands::table;
use crate::cli::error::CliError;
use crate::util::numbers::counted;

/// The reason why ratings of a list cannot all be compared.
pub const APART: &str = "not all engines are connected by games yet: compare ratings with care";

/// Prints the results on standard output, those of a match or of a part with `planned` games: as
/// tables, or with `json` as one object of the match, engines, pairs and games.
pub fn print(
    json: bool,
    manifest: &Manifest,
    planned: usize,
    standing: &Standing,
    test: &MatchTest,
) -> Result<(), CliError> {
    if !json {
        return output::print(&text(planned, standing, test, table::width()));
    }
    // By way of a value, whose fields are sorted by name.
    let results = serde_json::to_value(results(manifest, standing, test));
    output::print_json(&results.map_err(io::Error::from)?)
}

/// The columns of the table of results.
const COLUMNS: [&str; 11] = [
    "engine", "games", "won", "drawn", "lost", "score", "Elo", "faults", "s/turn", "memory",
    "cores",
];

/// The results for people; tables are at most `width` columns of text wide, as far as possible.
fn text(planned: usize, standing: &Standing, test: &MatchTest, width: Option<usize>) -> String {
    let mut rows = Vec::new();
    let ratings = Ratings::of(standing);
    let order = ratings.order();
    for &player in &order {
        let row = &standing.rows()[player];
        let tally = row.tally;
        let score = tally.score().map_or_else(String::new, |s| format!("{:.1} %", s * 100.0));
        let elo =
            ratings.get(player).map(|rated| format!("{} ± {:.0}", Elo(rated.rating), rated.error));
        let per_turn = row.think_ms as f64 / 1000.0 / row.turns.max(1) as f64;
        let busy = row.cpu_ms as f64 / row.wall_ms.max(1) as f64;
        rows.push(vec![
            row.name.clone(),
            tally.games().to_string(),
            tally.wins.to_string(),
            tally.draws.to_string(),
            tally.losses.to_string(),
            score,
            elo.unwrap_or_default(),
            row.faults.values().sum::<u64>().to_string(),
            format!("{per_turn:.2}"),
            format!("{} MB", row.peak_kib.div_ceil(1024)),
            format!("{busy:.2}"),
        ]);
    }
    let mut text = table::fitting(&COLUMNS, &rows, &["cores", "memory", "s/turn"], width);
    if let [first, _] = standing.rows() {
        text += &format!("{}\n", strength(&first.name, first.tally));
    } else {
        text += &format!("\n{}", cross_table(standing, &order, width));
    }
    if !ratings.connected {
        text += &format!("{APART}\n");
    }
    if let (Some(pairs), [new, old, ..]) = (standing.versions(), standing.rows()) {
        text += &format!("{} (against {})\n", strength_by_pairs(&new.name, pairs), old.name);
    }
    for row in standing.rows() {
        for (kind, count) in &row.faults {
            text += &format!("{}: {kind}, {}\n", row.name, counted(count, "time"));
        }
    }
    let played = standing.played();
    if let Some(line) = test_line(standing, test) {
        text += &line;
    } else if played < planned {
        text += &format!("{played} of {} finished\n", counted(planned, "game"));
    }
    text
}

/// Describes the test and its decision in a line; `None` if the match has no test.
fn test_line(standing: &Standing, test: &MatchTest) -> Option<String> {
    let (sprt, accepted, Evidence { llr, results }) = test.state(standing)?;
    let (low, high) = sprt.bounds();
    let mut text = format!("SPRT {sprt}: LLR {llr:.2} ({low:.2}, {high:.2}), ");
    let name = &standing.rows().first()?.name;
    text += &match accepted {
        None => "not decided".to_owned(),
        Some(Hypothesis::H0) => format!("H0 accepted: {name} is not stronger by elo1"),
        Some(Hypothesis::H1) => format!("H1 accepted: {name} is stronger by more than elo0"),
    };
    // Other games were in progress at the decision.
    if results < Evidence::of(&sprt, standing).results {
        let unit = if standing.versions().is_some() { "pair" } else { "game" };
        text += &format!(", after {}", counted(results, unit));
    }
    Some(text + "\n")
}

/// A table of each engine's score against each other engine.
fn cross_table(standing: &Standing, order: &[usize], width: Option<usize>) -> String {
    let numbers: Vec<String> = (1..=order.len()).map(|rank| rank.to_string()).collect();
    let mut header = vec!["", "engine"];
    header.extend(numbers.iter().map(String::as_str));
    let mut rows = Vec::new();
    for (rank, &player) in order.iter().enumerate() {
        let mut row = vec![numbers[rank].clone(), standing.rows()[player].name.clone()];
        row.extend(order.iter().map(|&other| {
            let tally = standing.between(player, other);
            if tally.games() == 0 {
                return if other == player { "-" } else { "" }.to_owned();
            }
            format!("{}/{}", tally.points(), tally.games())
        }));
        rows.push(row);
    }
    table::continued(&header, &rows, 2, width)
}

/// The results as `--json` prints them.
pub fn results<'a>(
    manifest: &'a Manifest,
    standing: &'a Standing,
    test: &MatchTest,
) -> Results<'a> {
    let ratings = Ratings::of(standing);
    let engines = standing.rows().iter().enumerate().map(|(engine, row)| EngineResult {
        standing: row,
        score: row.tally.score(),
        elo: ratings.get(engine).map(|rated| rated.rating),
        error: ratings.get(engine).map(|rated| rated.error),
    });
    let pairs = standing.pairs().map(|(first, second, tally)| PairResult {
        first,
        second,
        tally,
        strength: estimate(tally).into(),
    });
    let versions = standing.versions().map(|pairs| VersionsResult {
        new: &standing.rows()[0].name,
        old: &standing.rows()[1].name,
        pairs,
        strength: pairs.estimate().into(),
    });
    let sprt = test.state(standing).map(|(sprt, accepted, Evidence { llr, results })| {
        let (lower, upper) = sprt.bounds();
        TestResult { llr, lower, upper, accepted, games: results }
    });
    Results {
        format: "tensai results",
        version: 1,
        manifest,
        planned: manifest.schedule().games(),
        played: standing.played(),
        connected: ratings.connected,
        engines: engines.collect(),
        pairs: pairs.collect(),
        versions,
        sprt,
        games: standing.games().collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::{EngineConfig, GameSummary};
    use crate::game::Seat;
    use crate::record::Usage;

    /// The results of a match of `engines` engines with long names and wide values in each column.
    fn results(engines: usize, width: Option<usize>) -> String {
        let name = |player: usize| format!("an engine with a long name {player}");
        let manifest =
            Manifest::new((0..engines).map(|at| EngineConfig::new(name(at), "x")).collect());
        let mut standing = Standing::new((0..engines).map(name));
        let fixtures = Manifest { rounds: 3, ..manifest.clone() }.schedule().fixtures();
        for fixture in fixtures {
            let usage = Usage { peak_kib: 1 << 22, cpu_ms: 99, wall_ms: 100, threads: 2 };
            let winner = if fixture.number % 3 == 0 { Seat::Second } else { Seat::First };
            let verdict = crate::game::Verdict::Win(winner);
            let summary = GameSummary {
                think_ms: [123_456, 7],
                usage: [Some(usage); 2],
                ..GameSummary::of_test(fixture, fixture.players.map(name), verdict)
            };
            standing.add(fixture, summary);
        }
        text(manifest.schedule().games(), &standing, &MatchTest::new(&manifest), width)
    }

    /// The standing of four engines after these games, each with the winner first.
    fn after(games: &[[usize; 2]]) -> Standing {
        let mut standing = Standing::new(["a", "b", "c", "d"].map(str::to_owned));
        for (number, &players) in (1..).zip(games) {
            let fixture = crate::arena::Fixture { number, round: 0, players };
            let names = players.map(|player| standing.rows()[player].name.clone());
            let verdict = crate::game::Verdict::Win(Seat::First);
            standing.add(fixture, GameSummary::of_test(fixture, names, verdict));
        }
        standing
    }

    fn table_of(standing: &Standing) -> String {
        let engines = ["a", "b", "c", "d"].map(|name| EngineConfig::new(name, "x"));
        let manifest = Manifest::new(engines.into());
        text(manifest.schedule().games(), standing, &MatchTest::new(&manifest), None)
    }

    #[test]
    fn engines_are_ordered_by_rating_and_not_by_score() {
        // `a` and `b` score a half: `a` by its games with the weakest, `b` with the strongest.
        let standing = after(&[[0, 3], [0, 3], [0, 3], [2, 0], [2, 0], [2, 0], [1, 2], [2, 1]]);
        let text = table_of(&standing);
        let names = text.lines().skip(1).take(4).map(|line| line.trim().split(' ').next());
        let ratings = Ratings::of(&standing);
        let order = ratings.order();
        let elo = order.iter().map(|&engine| ratings.get(engine).unwrap().rating);
        assert!(elo.collect::<Vec<_>>().is_sorted_by(|a, b| a >= b));
        assert!(names.eq(order.iter().map(|&at| Some(["a", "b", "c", "d"][at]))), "{text}");
        assert!(order.iter().position(|&at| at == 1) < order.iter().position(|&at| at == 0));
        assert!(!text.contains(APART), "{text}");
    }

    #[test]
    fn groups_that_no_games_connect_are_rated_apart_with_a_reason() {
        let standing = after(&[[0, 1], [2, 3]]);
        let text = table_of(&standing);
        assert_eq!(text.matches(" +95 ± ").count(), 2, "{text}");
        assert!(text.contains(APART), "{text}");
        assert!(Ratings::of(&standing).leaders().is_empty());
    }

    #[test]
    fn results_fit_a_terminal_of_80_columns() {
        for engines in [3, 30] {
            for width in [80, 60] {
                let text = results(engines, Some(width));
                let widest = text.lines().map(|line| line.chars().count()).max().unwrap();
                assert!(widest <= width, "{width}: {widest}\n{text}");
            }
        }
        assert!(results(3, None).contains("memory"), "a pipe has no limit of width");
    }
}
