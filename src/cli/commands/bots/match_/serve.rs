//! `--serve`: a page of the match for browsers, with its turns as they are played.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::num::NonZeroUsize;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize};

use super::live;
use super::report;
use super::test::Test;
use crate::arena::{Fixture, Folder, GameSummary, Manifest, MatchEvent, PackSource, Standing};
use crate::cli::error::CliError;
use crate::game::{Seat, Verdict};
use crate::record::{Contestant, Record};
use crate::util::duration::milliseconds;
use crate::util::message;
use crate::util::sanitize::quoted;
use crate::web::api::{GameData, GameDetails};
use crate::web::server::{Feed, LiveGame, LiveTurn, PORT, Server, Settings};

/// Where the page of a match is served.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ServeAddress {
    address: SocketAddr,
    /// Whether another port will do.
    or_any_port: bool,
}

impl ServeAddress {
    /// The address if none is given.
    const USUAL: Self =
        Self { address: SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), PORT), or_any_port: true };
}

/// An address: `PORT`, `IP`, `IP:PORT`, or nothing for the usual one.
impl FromStr for ServeAddress {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text.is_empty() {
            return Ok(Self::USUAL);
        }
        if let Ok(port) = text.parse() {
            let address = SocketAddr::new(Self::USUAL.address.ip(), port);
            return Ok(Self { address, or_any_port: false });
        }
        if let Ok(ip) = text.parse() {
            return Ok(Self { address: SocketAddr::new(ip, PORT), or_any_port: true });
        }
        let address = text.parse().map_err(|_| {
            format!("expected PORT, IP or IP:PORT such as 127.0.0.1:8000, found {}", quoted(text))
        })?;
        Ok(Self { address, or_any_port: false })
    }
}

/// Reads an address from a file: the text of the flag's value, a port, or `true` for the usual
/// address.
pub fn from_file<'de, D: Deserializer<'de>>(from: D) -> Result<Option<ServeAddress>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Value {
        Flag(bool),
        Port(u16),
        Text(String),
    }
    let wrong = serde::de::Error::custom;
    match Value::deserialize(from) {
        Ok(Value::Flag(flag)) => Ok(flag.then_some(ServeAddress::USUAL)),
        Ok(Value::Port(port)) => port.to_string().parse().map(Some).map_err(wrong),
        Ok(Value::Text(text)) => text.parse().map(Some).map_err(wrong),
        Err(_) => {
            let what = "expected `true`, a port, or an address such as \"127.0.0.1:8000\"";
            Err(wrong(what.to_owned()))
        }
    }
}

/// A server that has a port, and no match yet.
pub struct Listening {
    server: Server,
    feed: Feed,
}

impl Listening {
    /// Starts the server.
    ///
    /// # Errors
    /// The address cannot be listened at.
    pub fn at(at: ServeAddress) -> Result<Self, CliError> {
        let feed = Feed::default();
        let settings = Settings {
            address: at.address,
            or_any_port: at.or_any_port,
            engines: Vec::new(),
            threads: NonZeroUsize::MIN,
            live: Some(feed.clone()),
        };
        Ok(Self { server: Server::start(&settings)?, feed })
    }
}

/// A page on which browsers watch games: those of a match or a league.
pub struct LivePage {
    server: Server,
    feed: Feed,
}

impl LivePage {
    /// The most finished games that the page shows.
    pub const FINISHED: usize = Feed::FINISHED;

    /// Shows `what`, such as `the match`, and prints the address of its page on standard error.
    pub fn new(listening: Listening, what: &str) -> Self {
        let Listening { server, feed } = listening;
        message::line(format_args!("tensai: {what} is shown at {}", server.url()));
        Self { server, feed }
    }

    /// Shows an event. `begun` gives the game of a turn before its first turn, with its place.
    pub fn event(&self, event: &MatchEvent, begun: impl FnOnce() -> Option<(Fixture, Record)>) {
        match event {
            MatchEvent::Turn { number, turn, played, left, .. } => {
                if !self.feed.has(*number) {
                    let Some((fixture, record)) = begun() else { return };
                    let game = data(&record, false);
                    let round = fixture.round + 1;
                    let (outcome, winner) = (None, None);
                    self.feed.game(LiveGame { number: *number, round, outcome, winner, game });
                }
                self.feed.turn(LiveTurn {
                    number: *number,
                    // Turns are counted from 0, and `after` is the state before the next turn.
                    turn: turn.after.turn.saturating_sub(1),
                    actions: played.answers.clone(),
                    think_ms: played.think_us.map(|time| time / 1000),
                    left_ms: left.map(|left| left.map(milliseconds)),
                });
            }
            MatchEvent::Finished(fixture, record) => {
                self.finish(fixture.number, fixture.round + 1, record);
            }
        }
    }

    /// Shows a finished game. `number` and `round` count from 1.
    pub fn finish(&self, number: usize, round: usize, record: &Record) {
        let winner = match record.result.verdict {
            Verdict::Win(seat) => Some(seat.index()),
            Verdict::Draw => None,
        };
        let (outcome, game) = (Some(record.outcome()), data(record, true));
        self.feed.game(LiveGame { number, round, outcome, winner, game });
    }

    /// Shows the standing: the results of a match, or the list of a league.
    pub fn standing(&self, standing: &impl Serialize) {
        // What `--json` prints is always valid JSON.
        if let Ok(standing) = serde_json::to_value(standing) {
            self.feed.standing(&standing);
        }
    }

    /// Ends the page: browsers keep the last state.
    pub fn end(self) {
        self.feed.end();
        self.server.stop();
    }
}

/// A match that browsers watch.
pub struct Serve<'a> {
    page: LivePage,
    manifest: &'a Manifest,
    packs: &'a PackSource,
}

impl<'a> Serve<'a> {
    /// Shows a match, and prints the address of its page on standard error.
    pub fn new(listening: Listening, manifest: &'a Manifest, packs: &'a PackSource) -> Self {
        Self { page: LivePage::new(listening, "the match"), manifest, packs }
    }

    /// Shows the standing, and the latest games that were finished before.
    ///
    /// # Errors
    /// A record cannot be read.
    pub fn remember(
        &self,
        folder: &Folder,
        standing: &Standing,
        test: &Test,
    ) -> Result<(), CliError> {
        // The standing comes first for each reader.
        self.standing(standing, test);
        let latest = live::latest_finished(self.manifest, folder, standing, LivePage::FINISHED)?;
        for (fixture, record) in latest {
            self.page.finish(fixture.number, fixture.round + 1, &record);
        }
        Ok(())
    }

    /// Shows an event of the match.
    pub fn event(&self, event: &MatchEvent) {
        self.page.event(event, || {
            let MatchEvent::Turn { number, .. } = event else { return None };
            let fixture = live::fixture(self.manifest, *number)?;
            Some((fixture, live::begun(self.manifest, self.packs, fixture)))
        });
    }

    /// Shows the standing: the results that `--json` prints, without the games.
    pub fn standing(&self, standing: &Standing, test: &Test) {
        let mut results = report::results(self.manifest, standing, test);
        results.games = Vec::<&GameSummary>::new();
        self.page.standing(&results);
    }

    /// Ends the page: browsers keep the last state.
    pub fn end(self) {
        self.page.end();
    }
}

/// The game of a record as a page asks about it.
fn data(record: &Record, is_finished: bool) -> GameData {
    let details = GameDetails {
        date: record.date.clone(),
        number: record.number,
        packs_from: record.packs_from.clone(),
        limits: Some(record.limits),
        players: Some(record.players.each_ref().map(limits_of)),
        opening: record.opening,
        result: is_finished.then(|| record.result.clone()),
    };
    GameData {
        packs: record.packs.as_flattened().as_flattened().iter().map(u8::to_string).collect(),
        seed: None,
        start: None,
        actions: record.turns.iter().map(|turn| turn.answers.clone()).collect(),
        names: Seat::BOTH.map(|seat| record.name(seat)),
        think_ms: record.turns.iter().map(|turn| turn.think_us.map(|time| time / 1000)).collect(),
        details: Some(Box::new(details)),
    }
}

/// The limits of a contestant, which tell whether it has a clock, without its command.
fn limits_of(contestant: &Contestant) -> Contestant {
    let &Contestant { time_ms, nodes, .. } = contestant;
    Contestant { time_ms, nodes, ..Contestant::default() }
}

#[cfg(test)]
mod tests {
    use super::*;

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

    #[test]
    fn an_address_is_a_port_an_ip_or_both() {
        let read = |text: &str| text.parse::<ServeAddress>().map(|it| it.address.to_string());
        assert_eq!(read("").unwrap(), "127.0.0.1:7475");
        assert_eq!(read("8000").unwrap(), "127.0.0.1:8000");
        assert_eq!(read("0.0.0.0").unwrap(), "0.0.0.0:7475");
        assert_eq!(read("[::1]:80").unwrap(), "[::1]:80");
        for wrong in ["localhost", "70000", "127.0.0.1:", "here:1"] {
            let error = read(wrong).unwrap_err();
            assert!(error.ends_with(&format!("found `{wrong}`")), "{error}");
        }
    }
}
