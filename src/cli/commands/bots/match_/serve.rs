//! `--serve`: a page of a match or a league for browsers, with its turns as they are played.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::num::NonZeroUsize;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize};

use crate::arena::GameEvent;
use crate::cli::error::CliError;
use crate::record::Record;
use crate::util::message;
use crate::util::sanitize::quoted;
use crate::web::server::{Feed, PORT, Server, Settings};

/// Where the page of a match is served.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ServeAddress {
    address: SocketAddr,
    /// Whether another port will do.
    or_any_port: bool,
}

impl ServeAddress {
    /// The address if none is given.
    const DEFAULT: Self =
        Self { address: SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), PORT), or_any_port: true };
}

/// An address: `PORT`, `IP`, `IP:PORT`, or nothing for the default one.
impl FromStr for ServeAddress {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text.is_empty() {
            return Ok(Self::DEFAULT);
        }
        if let Ok(port) = text.parse() {
            let address = SocketAddr::new(Self::DEFAULT.address.ip(), port);
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

/// Reads an address from a file: the text of the flag's value, a port, or `true` for the default
/// address.
pub fn from_file<'de, D: Deserializer<'de>>(from: D) -> Result<Option<ServeAddress>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Value {
        Flag(bool),
        Port(u16),
        Text(String),
    }
    let invalid = serde::de::Error::custom;
    match Value::deserialize(from) {
        Ok(Value::Flag(flag)) => Ok(flag.then_some(ServeAddress::DEFAULT)),
        Ok(Value::Port(port)) => port.to_string().parse().map(Some).map_err(invalid),
        Ok(Value::Text(text)) => text.parse().map(Some).map_err(invalid),
        Err(_) => {
            let reason = "expected `true`, a port, or an address such as \"127.0.0.1:8000\"";
            Err(invalid(reason.to_owned()))
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
    pub fn new(listening: Listening, reason: &str) -> Self {
        let Listening { server, feed } = listening;
        message::line(format_args!("tensai: {reason} is shown at {}", server.url()));
        Self { server, feed }
    }

    /// Shows what happens in a game of round `round`, from 1.
    pub fn event(&self, event: &GameEvent, round: usize) {
        self.feed.event(event, round);
    }

    /// Shows a finished game. `number` and `round` count from 1.
    pub fn finished(&self, number: usize, round: usize, record: &Record) {
        self.feed.finished(number, round, record);
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

#[cfg(test)]
mod tests {
    use super::*;

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
