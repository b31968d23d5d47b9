//! Statistics as tables for people.

use std::collections::BTreeSet;

use crate::arena::rating::Tally;
use crate::arena::statistics::{Distribution, EngineStatistics, PHASES, Statistics};
use crate::cli::commands::table;
use crate::util::numbers::counted;

/// Openings that are shown of an engine.
const OPENINGS: usize = 3;

/// The tables, each at most `width` columns of text wide, as far as possible.
pub fn text(statistics: &Statistics, width: Option<usize>) -> String {
    let engines = &statistics.engines;
    let attack = statistics.attack;
    let title = |title: &str, table: String| format!("{title}\n{table}");
    let section =
        |name: &str, table: &TextTable| title(name, table::continued(&table.0, &table.1, 1, width));
    let openings = openings(engines);
    let mut sections = vec![
        section("Games and their ends", &games(engines)),
        section(
            &format!("First attacks: chains that send {attack} ojama or more"),
            &first_attacks(engines),
        ),
        section("Won-drawn-lost by who attacked first", &orders(engines)),
        title("Chains by length", chains(engines, width)),
        section("Ojama a game", &ojama(engines)),
        section("Skill", &skill(engines)),
        title("Seconds left at the end, seconds a turn by turns", times(engines, width)),
        title(
            &format!("Most frequent openings of {}", counted(statistics.opening, "turn")),
            table::continued(&openings.0, &openings.1, 2, width),
        ),
    ];
    let first = statistics.first_attackers;
    let mut last = counted(statistics.games, "game");
    if statistics.stopped > 0 {
        last += &format!(", without {} stopped", statistics.stopped);
    }
    if let Some(score) = first.score() {
        let results = tally(first);
        last += &format!("; those who attacked first: {results}, {}", percent(score));
    }
    sections.push(last + "\n");
    sections.join("\n")
}

/// A table: the titles of its columns, and its rows.
struct TextTable(Vec<&'static str>, Vec<Vec<String>>);

fn rows(
    engines: &[EngineStatistics],
    cells: impl Fn(&EngineStatistics) -> Vec<String>,
) -> Vec<Vec<String>> {
    engines.iter().map(|engine| [vec![engine.engine.clone()], cells(engine)].concat()).collect()
}

fn games(engines: &[EngineStatistics]) -> TextTable {
    let header = vec![
        "engine",
        "games",
        "won",
        "drawn",
        "lost",
        "score",
        "danger line",
        "last turn",
        "adjudicated",
        "faults",
        "own faults",
        "turns",
    ];
    let cells = |engine: &EngineStatistics| {
        let (all, ends) = (engine.tally, &engine.ends);
        vec![
            all.games().to_string(),
            all.wins.to_string(),
            all.draws.to_string(),
            all.losses.to_string(),
            all.score().map_or_else(String::new, percent),
            tally(ends.danger_line),
            tally(ends.last_turn),
            tally(ends.adjudication),
            tally(ends.faults),
            ends.own_faults.values().sum::<u64>().to_string(),
            mean(engine.turns),
        ]
    };
    TextTable(header, rows(engines, cells))
}

fn first_attacks(engines: &[EngineStatistics]) -> TextTable {
    let header =
        vec!["engine", "games", "turn", "min", "25 %", "50 %", "75 %", "max", "chain", "ojama"];
    let cells = |engine: &EngineStatistics| {
        let first = &engine.first_attacks;
        let turn = |figure: fn(Distribution) -> f64| number(first.turn.map(figure));
        vec![
            first.turn.map_or(0, |turn| turn.count).to_string(),
            turn(|turn| turn.mean),
            turn(|turn| turn.min),
            turn(|turn| turn.lower_quartile),
            turn(|turn| turn.median),
            turn(|turn| turn.upper_quartile),
            turn(|turn| turn.max),
            mean(first.chain),
            mean(first.ojama),
        ]
    };
    TextTable(header, rows(engines, cells))
}

fn orders(engines: &[EngineStatistics]) -> TextTable {
    let header = vec!["engine", "itself", "opponent", "same turn", "no attack"];
    let cells = |engine: &EngineStatistics| {
        let first = &engine.first_attacks;
        [first.first, first.second, first.same_turn, first.none].map(tally).to_vec()
    };
    TextTable(header, rows(engines, cells))
}

/// The number of chains of each length that any engine had.
fn chains(engines: &[EngineStatistics], width: Option<usize>) -> String {
    let lengths: BTreeSet<u8> = engines.iter().flat_map(|e| e.chains.keys().copied()).collect();
    let titles: Vec<String> = lengths.iter().map(u8::to_string).collect();
    let mut header = vec!["engine", "all"];
    header.extend(titles.iter().map(String::as_str));
    let rows = rows(engines, |engine| {
        let count = |length| engine.chains.get(length).copied().unwrap_or_default();
        let all = engine.chains.values().sum::<u64>();
        [all].into_iter().chain(lengths.iter().map(count)).map(|n| n.to_string()).collect()
    });
    table::continued(&header, &rows, 1, width)
}

fn ojama(engines: &[EngineStatistics]) -> TextTable {
    let header = vec![
        "engine",
        "sent",
        "by chains",
        "by the skill",
        "offset",
        "fallen",
        "waiting at the end",
    ];
    let cells = |engine: &EngineStatistics| {
        let (sum, games) = (engine.ojama, engine.tally.games().max(1) as f64);
        [sum.sent, sum.by_chains, sum.by_skill, sum.offset, sum.fallen, sum.waiting]
            .map(|ojama| number(Some(ojama as f64 / games)))
            .to_vec()
    };
    TextTable(header, rows(engines, cells))
}

fn skill(engines: &[EngineStatistics]) -> TextTable {
    let header = vec!["engine", "uses", "games", "first turn", "blocks a use", "ojama a use"];
    let cells = |engine: &EngineStatistics| {
        let skill = &engine.skill;
        let a_use = |sum: u64| (skill.uses > 0).then(|| sum as f64 / skill.uses as f64);
        vec![
            skill.uses.to_string(),
            skill.first_turn.map_or(0, |turn| turn.count).to_string(),
            mean(skill.first_turn),
            number(a_use(skill.blocks)),
            number(a_use(skill.ojama)),
        ]
    };
    TextTable(header, rows(engines, cells))
}

/// The mean and the longest thinking times, the means by phase, and the time left.
fn times(engines: &[EngineStatistics], width: Option<usize>) -> String {
    let all = PHASES.into_iter();
    let phases: Vec<(usize, String)> = all
        .filter_map(|first| {
            let phases = engines.iter().flat_map(|engine| &engine.time.phases);
            let phase = phases.into_iter().find(|phase| phase.first == first)?;
            Some((first, format!("{first}-{}", phase.last)))
        })
        .collect();
    let mut header = vec!["engine", "left", "least left", "longest", "all turns"];
    header.extend(phases.iter().map(|(_, title)| title.as_str()));
    let rows = rows(engines, |engine| {
        let time = &engine.time;
        let mut cells = vec![
            seconds(time.left.map(|left| left.mean)),
            seconds(time.left.map(|left| left.min)),
            seconds(time.all.map(|all| all.max)),
            seconds(time.all.map(|all| all.mean)),
        ];
        cells.extend(phases.iter().map(|&(first, _)| {
            let phase = time.phases.iter().find(|phase| phase.first == first);
            seconds(phase.map(|phase| phase.mean))
        }));
        cells
    });
    table::continued(&header, &rows, 1, width)
}

fn openings(engines: &[EngineStatistics]) -> TextTable {
    let mut rows = Vec::new();
    for engine in engines {
        for opening in engine.openings.iter().take(OPENINGS) {
            rows.push(vec![
                engine.engine.clone(),
                opening.actions.join(", "),
                opening.tally.games().to_string(),
                tally(opening.tally),
                percent(opening.score),
                engine.different_openings.to_string(),
            ]);
        }
    }
    TextTable(vec!["engine", "actions", "games", "won-drawn-lost", "score", "different"], rows)
}

fn tally(tally: Tally) -> String {
    format!("{}-{}-{}", tally.wins, tally.draws, tally.losses)
}

fn percent(score: f64) -> String {
    format!("{:.1} %", score * 100.0)
}

/// A number with one decimal; empty if there is none.
fn number(value: Option<f64>) -> String {
    value.map_or_else(String::new, |value| format!("{value:.1}"))
}

fn mean(distribution: Option<Distribution>) -> String {
    number(distribution.map(|distribution| distribution.mean))
}

/// Milliseconds as seconds with three decimals; empty if there are none.
fn seconds(milliseconds: Option<f64>) -> String {
    milliseconds.map_or_else(String::new, |value| format!("{:.3}", value / 1000.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::statistics::{Collector, Definitions, PlayerGame, samples};

    #[test]
    fn the_tables_of_a_small_game() {
        let definitions = Definitions { attack: 1.try_into().unwrap(), ..Definitions::default() };
        let mut collector = Collector::new(definitions);
        collector.add(&PlayerGame::both(&samples::exchange(), &definitions).unwrap());
        collector.add_stopped();
        assert_eq!(text(&collector.statistics(), None), include_str!("small_game.txt"));
    }

    #[test]
    fn without_attacks_cells_are_empty() {
        let mut collector = Collector::new(Definitions::default());
        let players = PlayerGame::both(&samples::exchange(), &Definitions::default());
        collector.add(&players.unwrap());
        let text = text(&collector.statistics(), Some(60));
        assert!(text.contains("chains that send 10 ojama or more"), "{text}");
        assert!(text.ends_with("\n1 game\n"), "{text}");
        assert!(text.lines().all(|line| line.chars().count() <= 60), "{text}");
    }
}
