//! The conversions of the games that requests carry: from records and the input of a bot, to records
//! and the games of a page.
//!
//! A file becomes a [`Record`] or a [`RecordedGame`], and that a [`GameData`]; a [`StartedGame`] is
//! its game by the rules. What is written or shown of it follows from its record ([`record_of`]).

use super::client_error::ApiError;
use super::game_data::{GameData, GameDetails, PositionData, SEEDS, StartedGame, packs_text};
use crate::analysis::{Moment, RecordedGame};
use crate::game::{Action, End, Pack, Packs, Seat, State};
use crate::protocol::MOST;
use crate::record::{FORMAT, GameResult, JsonText, Limits, Record, TurnRecord, VERSION};
use crate::web::game::PageGame;

impl GameData {
    /// The game of a record.
    ///
    /// # Errors
    /// The packs of the record are wrong.
    pub fn of_record(record: &Record) -> Result<Self, String> {
        let packs = record.packs()?;
        let think = record.turns.iter().map(|turn| turn.think_us.map(|time| time / 1000));
        let result = &record.result;
        let by_referee = result.faults != [None, None] || result.end == Some(End::Adjudication);
        let details = GameDetails {
            date: record.date.clone(),
            number: record.number,
            packs_from: record.packs_from.clone(),
            limits: Some(record.limits),
            players: Some(record.players.clone()),
            opening: record.opening,
            result: by_referee.then(|| record.result.clone()),
        };
        Ok(Self {
            packs: packs_text(packs.from_turn(0)),
            seed: seed_of(&record.packs_from, &packs),
            start: None,
            actions: record.turns.iter().map(|turn| turn.answers.clone()).collect(),
            names: Seat::BOTH.map(|seat| record.name(seat)),
            think_ms: think.collect(),
            details: Some(Box::new(details)),
        })
    }

    /// The game of a bot's input: its turns up to the first one whose answers are not known.
    pub fn of_inferred(game: &RecordedGame) -> Self {
        let Some(first) = game.moments.first() else {
            let packs = packs_text(game.packs.from_turn(0));
            return Self { packs, names: game.names.clone(), ..Self::default() };
        };
        let start =
            (first.state != State::new()).then(|| PositionData::of(&first.state, &[], None));
        let (mut actions, mut think_ms) = (Vec::new(), Vec::new());
        for (moment, answers) in known_turns(game) {
            actions.push(answers.map(|answer| answer.to_string()));
            think_ms.push(moment.think.map(|time| {
                let ms = time.unwrap_or_default().as_millis();
                u64::try_from(ms).unwrap_or(u64::MAX)
            }));
        }
        let details = GameDetails { limits: Some(game.limits), ..GameDetails::default() };
        Self {
            packs: packs_text(game.packs.from_turn(first.state.turn)),
            seed: None,
            start,
            actions,
            names: game.names.clone(),
            think_ms,
            details: Some(Box::new(details)),
        }
    }

    /// The game as a page shows it; `number` is the game's number on the page.
    ///
    /// # Errors
    /// The packs or the start are wrong, or an action breaks the rules.
    pub fn page_game(&self, number: usize) -> Result<PageGame, ApiError> {
        let game = StartedGame::whole(self)?;
        let record = record_of(self, &game, &[]);
        let page = PageGame::of_turns(&record, number, &game.packs, &game.start, &game.turns, 0);
        page.map_err(ApiError::internal)
    }

    /// Describes the turns of a bot's input that [`GameData::of_inferred`] leaves out, if any.
    pub fn left_out(game: &RecordedGame) -> Option<String> {
        let known = known_turns(game).count();
        // Nothing follows the last turn, so that its answers are never known.
        let [unknown, next, ..] = game.moments.get(known..)? else { return None };
        let (unknown, next) = (unknown.state.turn, next.state.turn);
        Some(format!(
            "no answers in turn {unknown} lead to turn {next}, which follows it: the game ends \
             before turn {unknown}"
        ))
    }
}

/// The first turns of a bot's input whose answers are known, with the answers.
fn known_turns(game: &RecordedGame) -> impl Iterator<Item = (&Moment, [Action; 2])> {
    let following = game.moments.iter().skip(1);
    game.moments.iter().zip(following).map_while(|(moment, next)| {
        let played = moment.played(&game.packs)?;
        let answers = [moment.answer(Seat::First)?, moment.answer(Seat::Second)?];
        (played.after == next.state).then_some((moment, answers))
    })
}

/// The seed that a record names as the source of its packs, if they are its packs.
fn seed_of(packs_from: &str, packs: &Packs) -> Option<u64> {
    let seed = packs_from.strip_prefix("seed ")?.parse().ok()?;
    (seed < SEEDS && Packs::from_seed(seed) == *packs).then_some(seed)
}

/// The record of a game, with the bots' `info` in each turn. A game that began in a custom position
/// cannot be played again from its record, and its packs count from that position on.
pub fn record_of(game: &GameData, played: &StartedGame, info: &[[Option<JsonText>; 2]]) -> Record {
    let details = game.details.as_deref().cloned().unwrap_or_default();
    let turns = played.actions.iter().enumerate().map(|(index, actions)| {
        let think_ms = game.think_ms.get(index).copied().unwrap_or_default();
        TurnRecord {
            answers: actions.map(|action| action.to_string()),
            think_us: think_ms.map(|time| time.saturating_mul(1000)),
            info: info.get(index).cloned().unwrap_or_default(),
        }
    });
    let packs_from = match (details.packs_from.as_str(), played.seed) {
        ("", Some(seed)) => format!("seed {seed}"),
        _ => details.packs_from,
    };
    let turns: Vec<TurnRecord> = turns.collect();
    let mut record = Record {
        format: FORMAT.to_owned(),
        version: VERSION,
        date: details.date,
        number: details.number,
        packs_from,
        packs: played.packs.from_turn(played.start.turn).iter().map(Pack::rows).collect(),
        limits: details.limits.unwrap_or_else(|| limits(&turns)),
        players: details.players.unwrap_or_default(),
        opening: played.opening(details.opening),
        turns,
        result: result(played, details.result),
    };
    for seat in Seat::BOTH {
        let name = &game.names[seat.index()];
        if !name.is_empty() && record.name(seat) != *name {
            let player = &mut record.players[seat.index()];
            (player.name, player.engine) = (name.clone(), None);
        }
    }
    record
}

/// The contest's limits, or longer ones in which these turns were in time.
fn limits(turns: &[TurnRecord]) -> Limits {
    let contest = Limits::CONTEST;
    let ms = |us: u64| us.div_ceil(1000);
    let longest = turns.iter().flat_map(|turn| turn.think_us).max().unwrap_or(0);
    let used = [0, 1].map(|seat: usize| {
        turns.iter().fold(0_u64, |sum, turn| sum.saturating_add(turn.think_us[seat]))
    });
    Limits {
        game_ms: ms(used[0].max(used[1])).clamp(contest.game_ms, MOST),
        turn_ms: ms(longest).max(contest.turn_ms),
        grace_ms: 0,
    }
}

/// The result by the rules. A `given` one counts where a fault or an adjudication ended the game.
fn result(played: &StartedGame, given: Option<GameResult>) -> GameResult {
    let scores = played.state().players.map(|player| player.score);
    let stopped = GameResult::cut_short(scores);
    if let Some((end, verdict)) = played.state().end() {
        return GameResult { verdict, end: Some(end), ..stopped };
    }
    let given = given.filter(|_| played.problem.is_none());
    let given =
        given.filter(|given| given.faults != [None, None] || given.end == Some(End::Adjudication));
    given.map_or(stopped, |given| GameResult { scores, ..given })
}
