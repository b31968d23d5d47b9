//! The input of a bot, as the bot and as `replay` read it; files of packs.

use tensai::analysis::RecordedGame;
use tensai::game::{Action, Seat};
use tensai::protocol::{InputError, InputMessage, Reader, read_packs, writer};

use super::FuzzTarget;
use crate::checks::{message, with_packs};

const WORDS: &[&str] = &["END", "PACKS", "0 0", "11", "499", "500", "180000", "-1", "+1", "00"];

/// The bot's reader.
pub const PROTOCOL: FuzzTarget =
    FuzzTarget { words: WORDS, ..FuzzTarget::new("protocol", protocol) };

/// The reader of a file of packs.
pub const PACKS: FuzzTarget = FuzzTarget { words: WORDS, ..FuzzTarget::new("packs", packs) };

/// The games of an `input.txt`, with the answers inferred.
pub const INPUT: FuzzTarget =
    FuzzTarget { words: WORDS, iterations: 1000, ..FuzzTarget::new("input", input) };

/// Returns the messages before the end or before the first error, and the error.
fn messages(text: &[u8]) -> (Vec<InputMessage>, Option<InputError>) {
    let mut reader = Reader::new(text);
    let mut messages = Vec::new();
    let mut line = reader.line();
    loop {
        let next = reader.next_message();
        assert!(reader.line() > line || next.is_ok(), "each message has lines");
        line = reader.line();
        match next {
            Ok(InputMessage::End) => return (messages, None),
            Ok(message) => messages.push(message),
            Err(error) => return (messages, Some(error)),
        }
    }
}

fn protocol(data: &[u8]) -> Option<String> {
    let (read, error) = messages(&with_packs(data));
    let written = read.iter().map(|message| match message {
        InputMessage::Packs(packs) => packs.to_string(),
        InputMessage::Turn(observation) => {
            writer::turn(&observation.state, Seat::First, observation.time_left)
        }
        InputMessage::End => unreachable!("it is not among them"),
    });
    let written = written.collect::<String>();
    if !read.is_empty() {
        let (again, none) = messages(written.as_bytes());
        assert_eq!(again, read, "what is written reads back");
        assert!(none.is_none(), "what is written is accepted: {none:?}");
    }
    error.and_then(message)
}

fn packs(data: &[u8]) -> Option<String> {
    match read_packs(&with_packs(data)[..]) {
        Ok(packs) => {
            let written = packs.to_string();
            assert_eq!(read_packs(written.as_bytes()).unwrap(), packs);
            packs.oddities().into_iter().for_each(|oddity| drop(message(oddity)));
            None
        }
        Err(error) => message(error),
    }
}

fn input(data: &[u8]) -> Option<String> {
    let input = match RecordedGame::of_input(&with_packs(data)[..]) {
        Ok(input) => input,
        Err(error) => return message(error),
    };
    input.warning().map(message);
    for game in &input.games {
        for (moment, next) in game.moments.iter().zip(game.moments.iter().skip(1)) {
            for seat in Seat::BOTH {
                assert_eq!(moment.observation(seat).state[Seat::First], moment.state[seat]);
                let skill = moment.answers[seat.index()].contains(&Action::Skill);
                assert!(!skill || moment.state[seat].gauge.allows_skill());
            }
            if let Some(turn) = moment.played(&game.packs) {
                let [reached, received] = [&turn.after, &next.state];
                assert_eq!(reached.turn, received.turn);
                for seat in Seat::BOTH {
                    let numbers = |state: &tensai::game::State<_>| {
                        let player: &tensai::game::Player<tensai::game::Cells> = &state[seat];
                        (player.stock, player.gauge, player.score)
                    };
                    assert_eq!(numbers(reached), numbers(received), "the answers lead on");
                }
            }
        }
        game.at(usize::MAX).err().map(message);
    }
    None
}
