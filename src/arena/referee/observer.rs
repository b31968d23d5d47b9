//! Who watches games: one alone, or those of a match, a league or a tuning.

use std::time::Duration;

use crate::game::{Cells, Pack, Turn};
use crate::record::{Record, TurnRecord};

/// Something that happened in a game. The referee makes it once, and each observer gets it as it is.
#[derive(Clone, Debug)]
pub struct GameEvent {
    /// The game's number in its match, from 1.
    pub number: usize,
    /// What happened.
    pub reason: Happened,
}

/// What happened in a game.
#[derive(Clone, Debug)]
pub enum Happened {
    /// The game begins: its record before the first turn, with the bots' names.
    Begun(Box<Record>),
    /// A turn was played.
    Turn(Box<PlayedTurn>),
    /// The game is finished. In a match its record is written, unless the match ends because the
    /// record cannot be written.
    Finished(Box<Record>),
}

/// A turn that was played.
#[derive(Clone, Debug)]
pub struct PlayedTurn {
    /// The turn by the rules.
    pub turn: Turn<Cells>,
    /// Its record, without the bots' `info`, which is added at the end of the game.
    pub record: TurnRecord,
    /// The pack of the turn after it.
    pub next: Option<Pack>,
    /// The time that each player has left; `None` without a clock.
    pub left: [Option<Duration>; 2],
}

/// An observer of games. `S` is what is known of all games together, such as the standing of a match;
/// of a game that is played alone, nothing.
pub trait Observer<S: ?Sized = ()> {
    /// Is called with each event, in the order in which they happen in a game. `state` contains the
    /// game of the event once it is finished.
    fn event(&mut self, event: GameEvent, state: &S);

    /// Is called with a message for the user, such as why no game begins.
    fn message(&mut self, _text: &str) {}
}

/// An observer that does nothing.
impl<S: ?Sized> Observer<S> for () {
    fn event(&mut self, _: GameEvent, _: &S) {}
}
