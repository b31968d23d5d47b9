//! Reference decisions: those with few nodes against those with many.
//!
//! A match of two versions takes hours, this measurement minutes. It measures how often the engine
//! with `nodes` decides like the engine with `factor` times the nodes. The decisions with more
//! nodes may be wrong too, so a match must confirm the result.

use std::hash::Hasher as _;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::Duration;

use fnv::FnvHasher;
use serde::Serialize;

use super::{as_number, as_text};
use crate::analysis::{Moment, RecordedGame, SearchLimits, decide, review};
use crate::engine::{Planner, PlannerParameters};
use crate::game::{Action, Cells, Packs, Seat, State};
use crate::protocol::Observation;
use crate::record::Limits;
use crate::search::{Ojama, SearchControl};
use crate::util::parallel::shared_out;

/// A position whose decision is measured.
#[derive(Clone, Debug)]
pub struct ReferencePosition {
    /// The number of its game, from 1.
    pub game: usize,
    /// The player that decides.
    pub seat: Seat,
    /// The position, from that player's view.
    pub observation: Observation,
    /// The packs of the game.
    pub packs: Packs,
}

/// A measured decision.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct MeasuredDecision {
    /// The number of the position's game, from 1.
    pub game: usize,
    /// The turn, 0 to 499.
    pub turn: usize,
    /// The player that decides.
    #[serde(serialize_with = "as_number")]
    pub seat: Seat,
    /// The action that was chosen with few nodes.
    #[serde(rename = "answer", serialize_with = "as_text")]
    pub action: Action,
    /// The action that was chosen with many nodes.
    #[serde(serialize_with = "as_text")]
    pub reference: Action,
    /// The value of `reference` less the value of `action`, by a search with many nodes; 0 if both
    /// are equal.
    pub lost: Ojama,
}

/// The sum of several measured decisions.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize)]
pub struct AgreementFigures {
    /// The number of decisions.
    pub decisions: usize,
    /// The share of decisions that are the same with few and with many nodes, 0 to 1.
    pub agreement: f64,
    /// The mean loss of the decisions, in ojama.
    pub mean_loss: f64,
    /// The standard error of `mean_loss`.
    pub error: f64,
}

/// The built-in games: the first 40 turns of 24 games of the engine with itself. A line is
/// the seed of the packs, and for each turn the answers of both players: column and rotation, or
/// `S-` for the skill.
const GAMES: &str = include_str!("reference_games.txt");

/// Returns the built-in games.
pub fn built_in_games() -> Vec<RecordedGame> {
    GAMES.lines().map(|line| recorded(line).expect("the built-in games follow the rules")).collect()
}

/// Reads a line of [`GAMES`]; `None` if it breaks the rules.
fn recorded(line: &str) -> Option<RecordedGame> {
    let mut words = line.split_whitespace();
    let packs = Packs::from_seed(words.next()?.parse().ok()?);
    let mut state = State::<Cells>::new();
    let mut moments = Vec::new();
    for word in words {
        let action = |code: &str| -> Option<Action> {
            match code {
                "S-" => Some(Action::Skill),
                code => format!("{} {}", code.get(..1)?, code.get(1..)?).parse().ok(),
            }
        };
        let (first, second) = word.split_once('/')?;
        let actions = [action(first)?, action(second)?];
        moments.push(Moment {
            state,
            left: [Duration::from_millis(Limits::CONTEST.game_ms); 2],
            answers: actions.map(|action| vec![action]),
            think: [None, None],
            faults: [None, None],
        });
        state = state.play(packs.get(state.turn)?, actions).ok()?.after;
    }
    Some(RecordedGame {
        packs,
        names: ["player 0", "player 1"].map(str::to_owned),
        limits: Limits::CONTEST,
        nodes: [None, None],
        moments,
        verdict: None,
        opening: 0,
        is_inferred: false,
    })
}

/// Chooses `count` positions of `games`, evenly spread over all turns of both players that were
/// decided by a player; all of them if there are fewer.
pub fn positions(games: &[RecordedGame], count: usize) -> Vec<ReferencePosition> {
    let all: Vec<(usize, usize, Seat)> = games
        .iter()
        .enumerate()
        .flat_map(|(game, recorded)| {
            let moments = recorded.moments.iter().enumerate();
            let decided = moments.filter(|(_, moment)| {
                moment.state.turn >= recorded.opening && moment.state.end().is_none()
            });
            decided.flat_map(move |(at, _)| Seat::BOTH.map(|seat| (game, at, seat)))
        })
        .collect();
    let count = count.min(all.len());
    let chosen = (0..count).map(|index| all[index * all.len() / count]);
    let position = |(game, at, seat): (usize, usize, Seat)| ReferencePosition {
        game: game + 1,
        seat,
        observation: games[game].moments[at].observation(seat),
        packs: games[game].packs.clone(),
    };
    chosen.map(position).collect()
}

/// Measures the decisions in `positions`, each by an engine that has not seen the turns before: the
/// one that an engine with `parameters` makes with `nodes` drops against the one that the engine
/// with the default parameters makes with `factor` times `nodes` drops. Positions are shared out to
/// `threads` threads; each decision uses one, so that the result does not depend on their number.
/// `on_position` is called after each position. Ends early, with the first positions, if `stop`
/// returns true.
///
/// # Panics
/// If no thread can be started.
pub fn measure(
    positions: &[ReferencePosition],
    parameters: &PlannerParameters,
    nodes: u64,
    factor: u64,
    threads: NonZeroUsize,
    stop: &(impl Fn() -> bool + Sync),
    on_position: &(impl Fn() + Sync),
) -> Vec<MeasuredDecision> {
    shared_out(positions.len(), threads, stop, on_position, &|index| {
        measure_one(&positions[index], *parameters, nodes, factor)
    })
}

/// Why a search of a position has a result.
const NEVER_STOPPED: &str = "nobody stops the search";

fn measure_one(
    position: &ReferencePosition,
    parameters: PlannerParameters,
    nodes: u64,
    factor: u64,
) -> MeasuredDecision {
    let ReferencePosition { game, seat, observation, packs } = position;
    let mut engine = Planner::new(parameters);
    let control = Arc::new(SearchControl::default());
    let limits = SearchLimits::Nodes(nodes);
    let decision = decide(&mut engine, observation, packs, limits, &control).expect(NEVER_STOPPED);
    let action = decision.action;
    let reviewed = review(observation, packs, action, nodes.saturating_mul(factor), &control)
        .expect(NEVER_STOPPED);
    MeasuredDecision {
        game: *game,
        turn: observation.state.turn,
        seat: *seat,
        action,
        reference: reviewed.best,
        lost: reviewed.lost(),
    }
}

impl AgreementFigures {
    /// The figures of `decisions`; all 0 without decisions.
    pub fn of<'a>(decisions: impl Iterator<Item = &'a MeasuredDecision> + Clone) -> Self {
        let count = decisions.clone().count();
        if count == 0 {
            return Self::default();
        }
        let number = count as f64;
        let equal = decisions.clone().filter(|decision| decision.action == decision.reference);
        let agreement = equal.count() as f64 / number;
        let mean_loss = decisions.clone().map(|decision| decision.lost.0).sum::<f64>() / number;
        let squares = decisions.map(|decision| (decision.lost.0 - mean_loss).powi(2)).sum::<f64>();
        let variance = squares / (number - 1.0).max(1.0);
        Self { decisions: count, agreement, mean_loss, error: (variance / number).sqrt() }
    }
}

/// A hash of the actions with few nodes, equal on every machine.
pub fn signature(decisions: &[MeasuredDecision]) -> u64 {
    let mut hasher = FnvHasher::default();
    decisions.iter().for_each(|decision| hasher.write(decision.action.to_string().as_bytes()));
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measured(action: &str, reference: &str, lost: f64) -> MeasuredDecision {
        let [action, reference] = [action, reference].map(|text| text.parse().unwrap());
        MeasuredDecision {
            game: 1,
            turn: 0,
            seat: Seat::First,
            action,
            reference,
            lost: Ojama(lost),
        }
    }

    #[test]
    fn the_built_in_games_have_500_positions() {
        let games = built_in_games();
        let positions = positions(&games, 500);
        assert_eq!(positions.len(), 500);
        let turns = |range: std::ops::Range<usize>| {
            let turns = positions.iter().map(|position| position.observation.state.turn);
            turns.filter(|turn| range.contains(turn)).count()
        };
        assert!(turns(0..10) > 80 && turns(10..20) > 80 && turns(20..30) > 50, "of all phases");
        let seconds = positions.iter().filter(|position| position.seat == Seat::Second).count();
        assert!((200..300).contains(&seconds), "{seconds} of the second player");
        assert_eq!(super::positions(&games[..1], usize::MAX).len() % 2, 0);
        assert!(super::positions(&[], 5).is_empty());
    }

    #[test]
    fn figures_are_means() {
        let decisions = [measured("0 0", "0 0", 0.0), measured("0 0", "1 0", 6.0)];
        let figures = AgreementFigures::of(decisions.iter());
        assert_eq!((figures.decisions, figures.agreement, figures.mean_loss), (2, 0.5, 3.0));
        assert!((figures.error - 3.0).abs() < 1e-12);
        assert_eq!(AgreementFigures::of([].iter()), AgreementFigures::default());
        assert_ne!(signature(&decisions), signature(&decisions[..1]));
    }

    #[test]
    fn the_result_does_not_depend_on_the_number_of_threads() {
        let positions = positions(&built_in_games(), 6);
        let default = PlannerParameters::default();
        let run = |threads: usize, parameters: &PlannerParameters| {
            let threads = NonZeroUsize::new(threads).unwrap();
            measure(&positions, parameters, 1000, 16, threads, &|| false, &|| {})
        };
        let one = run(1, &default);
        assert_eq!(one, run(3, &default));
        assert_eq!(one.len(), 6);
        assert!(one.iter().all(|decision| decision.lost.0 >= 0.0));
        let equal = one.iter().filter(|decision| decision.action == decision.reference);
        assert!(equal.clone().all(|decision| decision.lost.0 == 0.0));
        let mut shallow = default;
        shallow.set("depth=8").unwrap();
        let other = run(2, &shallow);
        let references = |all: &[MeasuredDecision]| -> Vec<Action> {
            all.iter().map(|decision| decision.reference).collect()
        };
        assert_eq!(references(&other), references(&one), "the reference is that of the default");
        let stopped = measure(&positions, &default, 1000, 16, NonZeroUsize::MIN, &|| true, &|| {});
        assert_eq!(stopped, []);
    }
}
