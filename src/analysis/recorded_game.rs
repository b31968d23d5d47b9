//! A game turn by turn, from a record or from the input of a bot.

use std::io::BufRead;
use std::time::Duration;

use super::infer_actions;
use crate::game::{Action, Cells, Packs, Seat, State, Turn, Verdict};
use crate::protocol::{InputError, InputMessage, Observation, Reader};
use crate::record::{FaultRecord, Limits, Record};
use crate::util::duration::milliseconds;

/// A game that was played, as far as its source describes it.
#[derive(Clone, PartialEq, Debug)]
pub struct RecordedGame {
    /// The packs.
    pub packs: Packs,
    /// The names to show, in the order of seats.
    pub names: [String; 2],
    /// The time limits. The input of a bot has none: the contest's limits then, with a longer time
    /// for the game if an observation had more time left.
    pub limits: Limits,
    /// The most nodes of a decision of each player, if they were limited.
    pub nodes: [Option<u64>; 2],
    /// The turns that a bot was asked about, in order; some may be missing.
    pub moments: Vec<Moment>,
    /// The result, if it is known.
    pub verdict: Option<Verdict>,
    /// The number of the first turns that the arena chose at random.
    pub opening: usize,
    /// Whether the answers are inferred. The first seat is then the bot whose input was read.
    pub is_inferred: bool,
}

/// The start of a turn, and the answers given in it.
#[derive(Clone, PartialEq, Debug)]
pub struct Moment {
    /// The state before the turn: the turn's row of ojama has not fallen.
    pub state: State<Cells>,
    /// The time that each player had left for the game.
    pub left: [Duration; 2],
    /// The answers of each seat: one if it is recorded, all possible ones if they are inferred,
    /// none if the answer is unknown or not an action.
    pub answers: [Vec<Action>; 2],
    /// The time that each player took for its answer, if it is known.
    pub think: [Option<Duration>; 2],
    /// The fault of each player, if one ended the game in this turn.
    pub faults: [Option<FaultRecord>; 2],
}

/// The games of a bot's input.
#[derive(Debug)]
pub struct InputGames {
    /// The games, in order; the answers are inferred.
    pub games: Vec<RecordedGame>,
    /// Where the input is truncated, if it ends within a message. The games then have the turns
    /// before it.
    pub truncation: Option<InputError>,
}

impl InputGames {
    /// Describes the truncation, if there is one: a warning for a person who looks at the games.
    pub fn warning(&self) -> Option<String> {
        let error = self.truncation.as_ref()?;
        Some(format!("it is truncated, and only its whole turns are read: {error}"))
    }
}

impl RecordedGame {
    /// The game of a record, including the turn that a fault ended.
    ///
    /// # Errors
    /// Describes the part of the record that breaks the rules.
    pub fn of_record(record: &Record) -> Result<Self, String> {
        let played = record.replay()?;
        let before = |turn: usize| match turn.checked_sub(1) {
            None => State::new(),
            Some(last) => played[last].after,
        };
        let moment = |turn: usize| {
            let done = record.turns.get(turn);
            Moment {
                state: before(turn),
                left: Seat::BOTH.map(|seat| record.time_left(seat, turn)),
                answers: [0, 1].map(|seat: usize| {
                    let answer = done.and_then(|done| done.answers[seat].parse().ok());
                    answer.into_iter().collect()
                }),
                think: Seat::BOTH.map(|seat| match done {
                    Some(done) => Some(Duration::from_micros(done.think_us[seat.index()])),
                    None => record.result.think(seat),
                }),
                faults: match done {
                    Some(_) => [None, None],
                    None => record.result.faults.clone(),
                },
            }
        };
        let asked = played.len() + usize::from(before(played.len()).end().is_none());
        Ok(Self {
            packs: record.packs()?,
            names: Seat::BOTH.map(|seat| record.name(seat)),
            limits: record.limits,
            nodes: record.players.each_ref().map(|player| player.nodes),
            moments: (0..asked).map(moment).collect(),
            verdict: (!record.is_cut_short()).then_some(record.result.verdict),
            opening: record.opening,
            is_inferred: false,
        })
    }

    /// The games that a bot was sent. An input that ends within a message, as that of a killed bot
    /// does, gives what was sent before.
    ///
    /// # Errors
    /// The input does not follow the protocol, or ends within the packs of its first game.
    pub fn of_input(input: impl BufRead) -> Result<InputGames, InputError> {
        let mut reader = Reader::new(input);
        let mut games: Vec<(Packs, Vec<Observation>)> = Vec::new();
        let truncation = loop {
            match reader.next_message() {
                Ok(InputMessage::End) => break None,
                Ok(InputMessage::Packs(packs)) => games.push((packs, Vec::new())),
                Ok(InputMessage::Turn(observation)) => {
                    if let Some((_, observations)) = games.last_mut() {
                        observations.push(*observation);
                    }
                }
                Err(error) if error.is_truncation() && !games.is_empty() => break Some(error),
                Err(error) => return Err(error),
            }
        };
        let games = games.into_iter();
        let games = games.map(|(packs, observations)| Self::of_observations(packs, &observations));
        Ok(InputGames { games: games.collect(), truncation })
    }

    fn of_observations(packs: Packs, observations: &[Observation]) -> Self {
        let moment = |(index, observation): (usize, &Observation)| {
            let turn = observation.state.turn;
            let next = observations.get(index + 1);
            let answers = match (next, packs.get(turn)) {
                (Some(next), Some(pack)) => infer_actions(&observation.state, pack, &next.state),
                _ => [Vec::new(), Vec::new()],
            };
            let next = next.filter(|next| next.state.turn == turn + 1);
            let think = [0, 1].map(|seat: usize| {
                Some(observation.time_left[seat].saturating_sub(next?.time_left[seat]))
            });
            let faults = [None, None];
            Moment { state: observation.state, left: observation.time_left, answers, think, faults }
        };
        let moments: Vec<Moment> = observations.iter().enumerate().map(moment).collect();
        let most = observations
            .iter()
            .flat_map(|observation| observation.time_left)
            .max()
            .unwrap_or_default();
        let game_ms = milliseconds(most);
        Self {
            packs,
            names: ["player 0".to_owned(), "player 1".to_owned()],
            limits: Limits { game_ms: game_ms.max(Limits::CONTEST.game_ms), ..Limits::CONTEST },
            nodes: [None, None],
            moments,
            verdict: None,
            opening: 0,
            is_inferred: true,
        }
    }

    /// The moment at the start of the turn `turn`.
    ///
    /// # Errors
    /// The game has no such turn; the message names the turns that it has.
    pub fn at(&self, turn: usize) -> Result<&Moment, String> {
        let found = self.moments.iter().find(|moment| moment.state.turn == turn);
        found.ok_or_else(|| {
            let turns = || self.moments.iter().map(|moment| moment.state.turn);
            match (turns().min(), turns().max()) {
                (Some(first), Some(last)) => {
                    format!("turn {turn} is not in the game, which has turns {first} to {last}")
                }
                _ => "the game has no turns".to_owned(),
            }
        })
    }

    /// The seat that lost, if it is known.
    pub fn loser(&self) -> Option<Seat> {
        match self.verdict {
            Some(Verdict::Win(seat)) => Some(seat.other()),
            Some(Verdict::Draw) | None => None,
        }
    }
}

impl Moment {
    /// The observation that the player in this seat was sent.
    pub fn observation(&self, seat: Seat) -> Observation {
        let mut observation = Observation { state: self.state, time_left: self.left };
        observation.state.players.rotate_left(seat.index());
        observation.time_left.rotate_left(seat.index());
        observation
    }

    /// A seat's answer, the first one if several are possible.
    pub fn answer(&self, seat: Seat) -> Option<Action> {
        self.answers[seat.index()].first().copied()
    }

    /// The turn as it was played, if both answers are known.
    pub fn played(&self, packs: &Packs) -> Option<Turn<Cells>> {
        let actions = [self.answer(Seat::First)?, self.answer(Seat::Second)?];
        self.state.play(packs.get(self.state.turn)?, actions).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOG: &[u8] = include_bytes!("../../tests/data/official_16_turns.txt");

    /// The log of the contest's server: every answer except the last turn's is found.
    #[test]
    fn the_official_log_is_inferred() {
        let games = RecordedGame::of_input(LOG).unwrap().games;
        assert_eq!(games.len(), 1);
        let moments = &games[0].moments;
        assert_eq!(moments.len(), 16);
        for (moment, next) in moments.iter().zip(&moments[1..]) {
            assert_eq!(moment.played(&games[0].packs).unwrap().after, next.state);
        }
        assert_eq!(moments[15].answers, [[], []], "nothing follows the last turn");
        assert_eq!(moments[15].think, [None, None]);
    }

    #[test]
    fn several_games_in_a_row_are_separated() {
        let twice = [LOG, LOG].concat();
        let games = RecordedGame::of_input(&twice[..]).unwrap().games;
        assert_eq!(games.len(), 2);
        assert_eq!(games[0], games[1]);
        assert_eq!(
            games[0].at(16).unwrap_err(),
            "turn 16 is not in the game, which has turns 0 to 15"
        );
    }

    /// Cut at every byte within the last turn of two, and at some within the packs of a second
    /// game: the turns that are whole are those of the whole input.
    #[test]
    fn a_truncated_input_gives_its_whole_turns() {
        let lines: Vec<&[u8]> = LOG.split_inclusive(|&byte| byte == b'\n').collect();
        let [first, second] = [1, 2].map(|turns| lines[..1500 + 43 * turns].concat());
        let whole = RecordedGame::of_input(&first[..]).unwrap();
        assert!(whole.truncation.is_none() && whole.warning().is_none());
        // Without the end of its last line, the second turn is still whole.
        for end in first.len() + 1..second.len() - 1 {
            let cut = RecordedGame::of_input(&second[..end]).unwrap();
            assert_eq!(cut.games, whole.games, "{end} bytes");
            assert!(cut.truncation.is_some(), "{end} bytes");
        }
        let two = [&first[..], LOG].concat();
        for end in (first.len() + 2..first.len() + 5990).step_by(7) {
            let cut = RecordedGame::of_input(&two[..end]).unwrap();
            assert_eq!((cut.games, cut.truncation.is_some()), (whole.games.clone(), true));
        }
        let cut = RecordedGame::of_input(&second[..second.len() - 30]).unwrap();
        assert_eq!(
            cut.warning().unwrap(),
            "it is truncated, and only its whole turns are read: input line 1584, turn 1, \
             opponent's field, row 15 from the top: expected 10 numbers, 0 to 9 or 11, found \
             `0 0 0 0 0 4 0`"
        );
    }

    /// A mistake within the input is none of its end; and without packs there is no game.
    #[test]
    fn other_mistakes_are_refused() {
        let lines: Vec<&[u8]> = LOG.split_inclusive(|&byte| byte == b'\n').collect();
        let packs = lines[..1000].concat();
        let error = RecordedGame::of_input(&packs[..]).unwrap_err().to_string();
        assert!(
            error.ends_with("pack 333: expected two numbers, 0 to 9, found the end of the input"),
            "{error}"
        );
        let mut wrong = lines[..1500 + 86].to_vec();
        wrong[1560] = b"x\n";
        let error = RecordedGame::of_input(&wrong.concat()[..]).unwrap_err().to_string();
        assert!(error.starts_with("input line 1561, turn 1, "), "{error}");
    }

    #[test]
    fn a_seat_sees_itself_first() {
        let game = &RecordedGame::of_input(LOG).unwrap().games[0];
        let moment = game.at(9).unwrap();
        let (first, second) = (moment.observation(Seat::First), moment.observation(Seat::Second));
        assert_eq!(first.state.players[0], second.state.players[1]);
        assert_eq!(first.time_left[1], second.time_left[0]);
    }
}
