//! A headless Chromium, driven through its DevTools protocol.

use std::collections::BTreeSet;
use std::io::{self, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;
use tungstenite::{Message, WebSocket};

/// A browser with one page, and nothing of any earlier one.
pub struct Browser {
    process: Child,
    socket: WebSocket<TcpStream>,
    session: String,
    last: u64,
    /// The addresses that the page has asked for.
    pub requests: BTreeSet<String>,
    /// What the page's script has stumbled over.
    pub troubles: Vec<String>,
    _profile: TempDir,
}

/// What Chromium is called, by system.
const NAMES: [&str; 3] = ["chromium", "chromium-browser", "google-chrome"];

/// Nothing that a browser is asked here takes longer, however busy the machine is.
const PATIENCE: Duration = Duration::from_secs(300);

impl Browser {
    /// Starts it; none where none is installed, which is said, unless `TENSAI_BROWSER=required`.
    pub fn start() -> Option<Self> {
        let Some(program) = NAMES.iter().find_map(|name| which::which(name).ok()) else {
            let required = std::env::var_os("TENSAI_BROWSER").is_some_and(|set| set == "required");
            assert!(!required, "TENSAI_BROWSER=required, and there is none of {NAMES:?}");
            // Not by the macro, whose words are kept from the analysis where a test passes.
            let said = writeln!(
                io::stderr(),
                "skipped: no Chromium is installed, so no page is tested (`apt-get install chromium`)"
            );
            said.unwrap();
            return None;
        };
        let profile = tempfile::tempdir().unwrap();
        let process = Command::new(program)
            .args([
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-quic",
                "--no-first-run",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                "--hide-scrollbars",
                "--remote-debugging-port=0",
            ])
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .arg("about:blank")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        // It says in a file where it listens: the port, and the path of the browser itself.
        let file = profile.path().join("DevToolsActivePort");
        let begin = Instant::now();
        let (port, path) = loop {
            let text = std::fs::read_to_string(&file).unwrap_or_default();
            if let Some((port, path)) = text.split_once('\n') {
                break (port.parse::<u16>().unwrap(), path.trim().to_owned());
            }
            assert!(begin.elapsed() < PATIENCE, "Chromium does not listen");
            std::thread::sleep(Duration::from_millis(20));
        };
        let stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream.set_nodelay(true).unwrap();
        let address = format!("ws://127.0.0.1:{port}{path}");
        let (socket, _) = tungstenite::client(address, stream).unwrap();
        let mut browser = Self {
            process,
            socket,
            session: String::new(),
            last: 0,
            requests: BTreeSet::new(),
            troubles: Vec::new(),
            _profile: profile,
        };
        let target = browser.ask("Target.createTarget", json!({ "url": "about:blank" }));
        let attach = json!({ "targetId": target["targetId"], "flatten": true });
        let session = browser.ask("Target.attachToTarget", attach);
        session["sessionId"].as_str().unwrap().clone_into(&mut browser.session);
        for domain in ["Page.enable", "Runtime.enable", "Network.enable"] {
            browser.ask(domain, json!({}));
        }
        Some(browser)
    }

    /// Sends a command and waits for its answer; notes what happens in between.
    pub fn ask(&mut self, method: &str, parameters: Value) -> Value {
        self.try_ask(method, parameters).unwrap_or_else(|error| panic!("{method}: {error}"))
    }

    /// The same where the command may fail.
    fn try_ask(&mut self, method: &str, parameters: Value) -> Result<Value, Value> {
        self.last += 1;
        let mut command = json!({ "id": self.last, "method": method, "params": parameters });
        if !self.session.is_empty() {
            command["sessionId"] = self.session.as_str().into();
        }
        self.socket.send(Message::text(command.to_string())).unwrap();
        loop {
            let said = self.hear();
            if said["id"] == self.last {
                let error = &said["error"];
                return if error.is_null() {
                    Ok(said["result"].clone())
                } else {
                    Err(error.clone())
                };
            }
        }
    }

    fn hear(&mut self) -> Value {
        let Message::Text(text) = self.socket.read().unwrap() else { return Value::Null };
        let said: Value = serde_json::from_str(&text).unwrap();
        let details = &said["params"];
        match said["method"].as_str() {
            Some("Network.requestWillBeSent") => {
                let address = details["request"]["url"].as_str().unwrap_or_default();
                self.requests.insert(address.to_owned());
            }
            Some("Runtime.exceptionThrown") => self.troubles.push(details.to_string()),
            _ => {}
        }
        said
    }

    /// Opens a file at a place in it, such as `#game=1`, and waits until it is there.
    pub fn open(&mut self, file: &Path, place: &str) {
        // From elsewhere, as a mere change of place would not load the file.
        self.ask("Page.navigate", json!({ "url": "about:blank" }));
        let address = format!("file://{}{place}", file.display());
        self.ask("Page.navigate", json!({ "url": address }));
        self.wait("document.readyState === 'complete' && location.protocol === 'file:'");
    }

    /// Waits until something is true. A page that loads itself anew meanwhile is asked again.
    pub fn wait(&mut self, condition: &str) {
        let begin = Instant::now();
        loop {
            let value = self.try_evaluate(condition);
            if value == Ok(Value::Bool(true)) {
                return;
            }
            if begin.elapsed() > PATIENCE {
                panic!("{value:?}, never true: {condition}, at {}", self.evaluate("location.href"));
            }
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// The value of an expression in the page.
    pub fn evaluate(&mut self, expression: &str) -> Value {
        self.try_evaluate(expression).unwrap_or_else(|error| panic!("{expression}: {error}"))
    }

    /// The same where the page may be left before it answers.
    fn try_evaluate(&mut self, expression: &str) -> Result<Value, Value> {
        let asked = json!({ "expression": expression, "returnByValue": true });
        let answer = self.try_ask("Runtime.evaluate", asked)?;
        assert!(answer["exceptionDetails"].is_null(), "{expression}: {answer}");
        Ok(answer["result"]["value"].clone())
    }

    /// Presses a key, by the name that the page's script knows it by.
    pub fn press(&mut self, key: &str) {
        self.try_press(key).unwrap_or_else(|error| panic!("{key}: {error}"));
    }

    /// Presses a key until something is true, and still is a moment later, when no page is about to
    /// be loaded: a page that is loading itself anew loses the key, or what it did.
    pub fn press_until(&mut self, key: &str, condition: &str) {
        let begin = Instant::now();
        loop {
            let pressed = self.try_press(key);
            std::thread::sleep(Duration::from_millis(500));
            let stop = format!("{condition} && (window.stop(), true)");
            let is_true = |value| value == Ok(Value::Bool(true));
            if is_true(self.try_evaluate(&stop)) && is_true(self.try_evaluate(condition)) {
                return;
            }
            assert!(begin.elapsed() < PATIENCE, "never true after {key}: {condition}: {pressed:?}");
        }
    }

    /// Presses a key where the page may be left just then.
    fn try_press(&mut self, key: &str) -> Result<(), Value> {
        let text = (key.chars().count() == 1).then_some(key);
        for kind in ["keyDown", "keyUp"] {
            let mut event = json!({ "type": kind, "key": key });
            if let (Some(text), "keyDown") = (text, kind) {
                event["text"] = text.into();
            }
            self.try_ask("Input.dispatchKeyEvent", event)?;
        }
        Ok(())
    }

    /// Sets the window's size in pixels (a phone's below 600 pixels of width) and the colour scheme,
    /// `dark` or `light`, and asks for less motion: each animated step costs 60 ms to draw.
    pub fn look(&mut self, width: u32, height: u32, scheme: &str) {
        let phone = width < 600;
        let metrics = json!({
            "width": width, "height": height, "deviceScaleFactor": 1, "mobile": phone
        });
        self.ask("Emulation.setDeviceMetricsOverride", metrics);
        let features = json!([
            { "name": "prefers-color-scheme", "value": scheme },
            { "name": "prefers-reduced-motion", "value": "reduce" },
        ]);
        self.ask("Emulation.setEmulatedMedia", json!({ "features": features }));
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let close = json!({ "id": self.last + 1, "method": "Browser.close" });
        let closed = self.socket.send(Message::text(close.to_string()));
        if closed.is_err() {
            let _ = self.process.kill();
        }
        let _: io::Result<_> = self.process.wait();
    }
}
