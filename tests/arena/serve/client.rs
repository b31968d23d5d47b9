//! A server under test, and a client of it that speaks HTTP by hand.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, ChildStderr, ChildStdout, Command, ExitStatus, Stdio};

use serde_json::{Value, json};
use tensai::game::{Action, Cells, Packs, State};
use tensai::web::api::PositionData;

use crate::running::program;

/// A time that only a process that hangs takes, on any machine under any load.
pub use crate::run::HANGING;

/// A running server, which is killed when it is dropped.
pub struct Served {
    child: Child,
    pub stderr: Option<BufReader<ChildStderr>>,
    pub url: String,
    pub address: String,
    pub token: String,
}

/// An answer.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub head: String,
    pub body: String,
}

impl Served {
    /// Starts `tensai serve` with these arguments.
    pub fn start(arguments: &[&str]) -> Self {
        Self::of(program().args(["serve", "--no-open", "--port", "0"]).args(arguments))
    }

    /// Starts a server that prints its address on standard output.
    pub fn of(command: &mut Command) -> Self {
        let mut child = command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let stderr = child.stderr.take().map(BufReader::new);
        Self::at(child, stderr, line.trim())
    }

    /// The server of the process `child`, whose page is at `url`.
    pub fn at(child: Child, stderr: Option<BufReader<ChildStderr>>, url: &str) -> Self {
        let (address, token) = url
            .strip_prefix("http://")
            .and_then(|rest| rest.split_once("/?token="))
            .unwrap_or_else(|| panic!("no address: {url:?}"));
        let (url, address, token) = (url.to_owned(), address.to_owned(), token.to_owned());
        Self { child, stderr, url, address, token }
    }

    /// The standard output, from what was not read of it.
    pub fn stdout(&mut self) -> ChildStdout {
        self.child.stdout.take().unwrap()
    }

    pub fn pid(&self) -> i32 {
        self.child.id().cast_signed()
    }

    /// A connection to the server.
    pub fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(&self.address).unwrap();
        stream.set_read_timeout(Some(HANGING)).unwrap();
        stream.set_write_timeout(Some(HANGING)).unwrap();
        stream
    }

    /// Sends a request with these headers and a body, and returns the whole answer.
    pub fn send(&self, line: &str, headers: &[(&str, &str)], body: &str) -> Answer {
        let mut stream = self.connect();
        // The server may answer, and close the connection, before it has read all.
        let _ = stream.write_all(request(line, headers, body).as_bytes());
        answer(stream)
    }

    /// The headers of a page of this server.
    pub fn own<'a>(&'a self, origin: &'a mut String) -> [(&'a str, &'a str); 3] {
        *origin = format!("http://{}", self.address);
        [("Host", &self.address), ("Origin", origin), ("X-Tensai-Token", &self.token)]
    }

    /// The text of the request of a method.
    pub fn asked(&self, method: &str, params: &Value) -> String {
        let line = format!("POST /api/{method}");
        request(&line, &self.own(&mut String::new()), &params.to_string())
    }

    /// Asks a method; returns the last line of the answer.
    pub fn ask(&self, method: &str, params: &Value) -> Value {
        let mut stream = self.connect();
        stream.write_all(self.asked(method, params).as_bytes()).unwrap();
        let answer = answer(stream);
        assert_eq!(answer.status, 200, "{answer:?}");
        let last = answer.body.lines().last().unwrap_or_else(|| panic!("{answer:?}"));
        serde_json::from_str(last).unwrap()
    }

    /// Waits for the end of the process; returns the rest of its standard error.
    pub fn wait(mut self) -> (ExitStatus, String) {
        let mut text = String::new();
        if let Some(mut stderr) = self.stderr.take() {
            stderr.read_to_string(&mut text).unwrap();
        }
        (self.child.wait().unwrap(), text)
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The text of a request, after which the connection is closed.
pub fn request(line: &str, headers: &[(&str, &str)], body: &str) -> String {
    // With this version an answer ends with its connection.
    let mut text = format!("{line} HTTP/1.0\r\nContent-Length: {}\r\n", body.len());
    for (name, value) in headers {
        text += &format!("{name}: {value}\r\n");
    }
    text + "\r\n" + body
}

/// Reads an answer to the end of its connection.
pub fn answer(mut stream: TcpStream) -> Answer {
    let mut bytes = Vec::new();
    // A connection that is closed with a part of the request unread ends in an error.
    let _ = stream.read_to_end(&mut bytes);
    let text = String::from_utf8(bytes).unwrap();
    let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
    Answer { status, head: head.to_ascii_lowercase(), body: body.to_owned() }
}

/// A game of which the first turns are played.
pub struct Played {
    pub packs: Packs,
    pub state: State<Cells>,
}

impl Played {
    /// A game of the packs of `seed`, at its start.
    pub fn new(seed: u64) -> Self {
        Self { packs: Packs::from_seed(seed), state: State::new() }
    }

    /// Plays a turn.
    pub fn play(&mut self, actions: [&str; 2]) {
        let pack = *self.packs.get(self.state.turn).unwrap();
        let actions = actions.map(|action| action.parse::<Action>().unwrap());
        self.state = self.state.play(&pack, actions).unwrap().after;
    }

    /// The parameters of `decide` for the first seat.
    pub fn asks(&self, engine: &str, more: &Value) -> Value {
        let packs = self.packs.from_turn(self.state.turn);
        let position = PositionData::of(&self.state, packs, None);
        let mut params = json!({ "position": position, "seat": 0, "engine": engine });
        let (all, more) = (params.as_object_mut().unwrap(), more.as_object().unwrap());
        all.extend(more.clone());
        params
    }
}
