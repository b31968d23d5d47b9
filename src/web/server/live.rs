//! The events of a match that is being played, for any number of readers.
//!
//! A reader that comes late, or was too slow and missed events, first gets the whole state: the
//! standing and the shown games. Then it gets the changes.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::response::sse::Event;
use serde::Serialize;
use serde_json::Value;
use tokio::sync::broadcast::{self, Receiver, error::RecvError};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc};
use tokio::time::timeout;
use tokio_stream::Stream;
use tokio_stream::wrappers::ReceiverStream;
use tokio_util::sync::CancellationToken;

use super::limits::{LIVE_STREAMS, SHUTDOWN_TIME};
use crate::arena::{GameEvent, Happened, PlayedTurn};
use crate::game::Verdict;
use crate::record::{Contestant, Record};
use crate::util::duration::milliseconds;
use crate::web::api::GameData;

/// Maximum number of events by which a reader may lag.
const BEHIND: usize = 256;

/// The events of a match: the match writes them, and readers subscribe to them.
#[derive(Clone)]
pub struct Feed(Arc<SharedFeed>);

struct SharedFeed {
    state: Mutex<LiveState>,
    sender: broadcast::Sender<Arc<LiveMessage>>,
}

/// The events that a new reader is sent first.
#[derive(Default)]
struct LiveState {
    standing: Option<Arc<LiveMessage>>,
    /// The games in progress and the latest finished ones, by their numbers.
    games: BTreeMap<usize, LiveGame>,
    is_over: bool,
}

/// A game of a match, the data of the event `game`.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct LiveGame {
    /// The number of the game, from 1.
    pub number: usize,
    /// The number of its round, from 1.
    pub round: usize,
    /// The result in words; null while the game runs.
    pub outcome: Option<String>,
    /// The seat that won; null for a draw, and while the game runs.
    pub winner: Option<usize>,
    /// The game up to its latest turn.
    pub game: GameData,
}

/// A turn that was played, the data of the event `turn`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct LiveTurn {
    /// The number of the game.
    pub number: usize,
    /// The turn, 0 to 499.
    pub turn: usize,
    /// The actions, in the order of seats.
    pub actions: [String; 2],
    /// Milliseconds that each player took.
    pub think_ms: [u64; 2],
    /// Milliseconds that each player has left; null without a clock.
    pub left_ms: [Option<u64>; 2],
}

impl LiveTurn {
    fn new(number: usize, PlayedTurn { turn, record, left, .. }: &PlayedTurn) -> Self {
        Self {
            number,
            // Turns are counted from 0, and `after` is the state before the next turn.
            turn: turn.after.turn.saturating_sub(1),
            actions: record.answers.clone(),
            think_ms: record.think_us.map(|time| time / 1000),
            left_ms: left.map(|left| left.map(milliseconds)),
        }
    }
}

/// An event of the stream: its name and its JSON.
#[derive(Debug)]
pub struct LiveMessage {
    name: &'static str,
    json: String,
}

impl LiveMessage {
    fn new(name: &'static str, data: &impl Serialize) -> Arc<Self> {
        // Keys are strings, and numbers are finite or null.
        let json = serde_json::to_string(data).unwrap_or_default();
        Arc::new(Self { name, json })
    }

    /// The event after which no other comes.
    fn end() -> Arc<Self> {
        Arc::new(Self { name: "end", json: "{}".to_owned() })
    }

    /// The event as a browser reads it.
    fn event(&self) -> Event {
        Event::default().event(self.name).data(&self.json)
    }
}

impl Default for Feed {
    fn default() -> Self {
        let (sender, _) = broadcast::channel(BEHIND);
        Self(Arc::new(SharedFeed { state: Mutex::default(), sender }))
    }
}

impl Feed {
    /// Finished games that a reader gets when it comes, the latest ones.
    pub const FINISHED: usize = 20;

    fn state(&self) -> MutexGuard<'_, LiveState> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes the event `message` while the state is locked, so that no reader misses it between
    /// the state and the first event.
    fn send(&self, _locked: &LiveState, message: Arc<LiveMessage>) {
        // The channel may have no reader.
        let _ = self.0.sender.send(message);
    }

    /// Replaces the standing of the match.
    pub fn standing(&self, standing: &Value) {
        let message = LiveMessage::new("standing", standing);
        let mut state = self.state();
        state.standing = Some(Arc::clone(&message));
        self.send(&state, message);
    }

    /// Shows what happens in a game of round `round`, from 1.
    pub fn event(&self, event: &GameEvent, round: usize) {
        let number = event.number;
        match &event.reason {
            Happened::Begun(record) => {
                let game = data(record);
                self.game(LiveGame { number, round, outcome: None, winner: None, game });
            }
            Happened::Turn(played) => self.turn(LiveTurn::new(number, played)),
            Happened::Finished(record) => self.finished(number, round, record),
        }
    }

    /// Shows a finished game. `number` and `round` count from 1.
    pub fn finished(&self, number: usize, round: usize, record: &Record) {
        let winner = match record.result.verdict {
            Verdict::Win(seat) => Some(seat.index()),
            Verdict::Draw => None,
        };
        let (outcome, game) = (Some(record.outcome()), data(record));
        self.game(LiveGame { number, round, outcome, winner, game });
    }

    /// Adds a game, or replaces it. Of the finished games the latest [`Self::FINISHED`] are kept
    /// for readers that come later.
    fn game(&self, game: LiveGame) {
        let message = LiveMessage::new("game", &game);
        let mut state = self.state();
        state.games.insert(game.number, game);
        let finished = state.games.values().filter(|game| game.outcome.is_some());
        let mut finished: Vec<usize> = finished.map(|game| game.number).collect();
        finished.truncate(finished.len().saturating_sub(Self::FINISHED));
        for number in finished {
            state.games.remove(&number);
        }
        self.send(&state, message);
    }

    /// Adds a turn to its game.
    fn turn(&self, turn: LiveTurn) {
        let message = LiveMessage::new("turn", &turn);
        let mut state = self.state();
        if let Some(LiveGame { game, .. }) = state.games.get_mut(&turn.number) {
            game.actions.push(turn.actions);
            game.think_ms.push(turn.think_ms);
        }
        self.send(&state, message);
    }

    /// Ends the streams: no event comes after this one.
    pub fn end(&self) {
        let mut state = self.state();
        state.is_over = true;
        self.send(&state, LiveMessage::end());
    }

    /// Waits until all readers have got the end of the match, for a short time. `places` are those
    /// that readers take.
    pub async fn read(&self, places: &Semaphore) {
        if self.state().is_over {
            let all = places.acquire_many(LIVE_STREAMS as u32);
            let _ = timeout(SHUTDOWN_TIME, all).await;
        }
    }

    /// The events of the whole state, and those that follow.
    fn join(&self) -> (Vec<Arc<LiveMessage>>, Receiver<Arc<LiveMessage>>) {
        let state = self.state();
        let games = state.games.values().map(|game| LiveMessage::new("game", game));
        let mut events: Vec<_> = state.standing.clone().into_iter().chain(games).collect();
        if state.is_over {
            events.push(LiveMessage::end());
        }
        (events, self.0.sender.subscribe())
    }

    /// The stream of a reader. It ends with the match, with the reader, or with the server.
    pub fn stream(
        &self,
        ends: CancellationToken,
        place: OwnedSemaphorePermit,
    ) -> impl Stream<Item = Result<Event, Infallible>> + use<> {
        let (sender, events) = mpsc::channel(1);
        let feed = self.clone();
        tokio::spawn(async move {
            tokio::select! {
                () = feed.copy(&sender) => {}
                () = sender.closed() => {}
                () = ends.cancelled() => {}
            }
            drop(place);
        });
        ReceiverStream::new(events)
    }

    /// Sends all events to `reader`, until the match is over or the reader is gone.
    async fn copy(&self, reader: &mpsc::Sender<Result<Event, Infallible>>) {
        let (mut first, mut later) = self.join();
        loop {
            for message in first.drain(..) {
                if reader.send(Ok(message.event())).await.is_err() || message.name == "end" {
                    return;
                }
            }
            match later.recv().await {
                Ok(message) => first.push(message),
                Err(RecvError::Lagged(_)) => (first, later) = self.join(),
                Err(RecvError::Closed) => return,
            }
        }
    }
}

/// The game of a record as a page asks about it.
fn data(record: &Record) -> GameData {
    // The packs of a match's records are right, which is all that is needed.
    let mut game = GameData::of_record(record).unwrap_or_default();
    if let Some(details) = &mut game.details {
        details.players = Some(record.players.each_ref().map(limits_of));
    }
    game
}

/// The limits of a contestant, which tell whether it has a clock, without its command.
fn limits_of(contestant: &Contestant) -> Contestant {
    let &Contestant { time_ms, nodes, .. } = contestant;
    Contestant { time_ms, nodes, ..Contestant::default() }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn names(events: &[Arc<LiveMessage>]) -> Vec<&'static str> {
        events.iter().map(|message| message.name).collect()
    }

    fn game(number: usize, outcome: Option<&str>) -> LiveGame {
        let (outcome, winner) = (outcome.map(str::to_owned), None);
        LiveGame { number, round: 1, outcome, winner, game: GameData::default() }
    }

    fn turn(turn: usize) -> LiveTurn {
        let actions = ["0 0", "S"].map(str::to_owned);
        LiveTurn { number: 1, turn, actions, think_ms: [7, 8], left_ms: [None, Some(9)] }
    }

    #[test]
    fn a_late_reader_gets_the_whole_state() {
        let feed = Feed::default();
        feed.standing(&json!({ "played": 0 }));
        feed.game(game(1, None));
        feed.turn(turn(0));
        let (state, mut later) = feed.join();
        assert_eq!(names(&state), ["standing", "game"]);
        let sent: Value = serde_json::from_str(&state[1].json).unwrap();
        assert_eq!(sent["game"]["actions"], json!([["0 0", "S"]]));
        assert_eq!(sent["game"]["think_ms"], json!([[7, 8]]));
        feed.turn(turn(1));
        let sent: Value = serde_json::from_str(&later.try_recv().unwrap().json).unwrap();
        assert_eq!((&sent["turn"], &sent["left_ms"]), (&json!(1), &json!([null, 9])));
        feed.end();
        assert_eq!(later.try_recv().unwrap().name, "end");
        assert_eq!(names(&feed.join().0), ["standing", "game", "end"]);
    }

    #[test]
    fn the_latest_finished_games_are_kept() {
        let feed = Feed::default();
        feed.game(game(1, None));
        for number in 2..30 {
            feed.game(game(number, Some("a draw")));
        }
        let kept: Vec<usize> = feed.state().games.keys().copied().collect();
        assert_eq!(kept, std::iter::once(1).chain(10..30).collect::<Vec<_>>());
    }

    #[test]
    fn a_slow_reader_gets_the_state_again() {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(async {
            let feed = Feed::default();
            feed.game(game(1, None));
            let (reader, mut events) = mpsc::channel(1);
            let copied = feed.clone();
            let copies = tokio::spawn(async move { copied.copy(&reader).await });
            assert!(events.recv().await.unwrap().is_ok());
            for number in 0..2 * BEHIND {
                feed.turn(turn(number));
            }
            feed.end();
            let mut count = 0;
            while let Some(event) = events.recv().await {
                assert!(event.is_ok());
                count += 1;
            }
            copies.await.unwrap();
            assert!((2..BEHIND).contains(&count), "{count} events instead of {}", 2 * BEHIND);
        });
    }

    #[test]
    fn a_page_learns_the_limits_of_a_contestant_and_not_its_command() {
        let contestant = Contestant {
            command: "./bot --secret".to_owned(),
            time_ms: Some(5),
            nodes: Some(9),
            ..Contestant::default()
        };
        let expected = Contestant { command: String::new(), ..contestant.clone() };
        assert_eq!(limits_of(&contestant), expected);
    }
}
