//! Processes of `tensai match` that the test starts.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use super::gate::{GAMES, Gates, SEED, wait_until};
use crate::run::HANGING;
use crate::running::{STATE, program, tensai};

/// The folder of the processes, and the mark that distinguishes them from those of other tests.
pub struct Place {
    /// The folder in which the folders of matches are.
    pub work: PathBuf,
    /// The folder of the bot, the gates and the outputs.
    pub aside: PathBuf,
    runs: usize,
}

/// The variable that marks all processes of a test.
const MARK: &str = "MODEL_MARK";

/// The limit of file sizes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Disk {
    /// The limit of the system.
    Free,
    /// A limit below the size of a record, in blocks of 512 bytes.
    Blocks(u32),
}

/// A running process.
pub struct Referee {
    /// The output fits into a pipe, so that it is read at the end.
    child: Option<Child>,
}

/// The result of a process.
pub struct Ended {
    /// The status.
    pub status: ExitStatus,
    /// The standard output.
    pub stdout: String,
    /// The standard error.
    pub stderr: String,
}

impl Place {
    /// A place in an empty folder.
    pub fn new(root: &Path) -> Self {
        let (work, aside) = (root.join("work"), root.join("aside"));
        fs::create_dir(&work).unwrap();
        fs::create_dir(&aside).unwrap();
        let bot = aside.join("gated-bot");
        fs::write(&bot, include_str!("gated-bot.sh")).unwrap();
        let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
        fs::set_permissions(bot, mode).unwrap();
        Self { work, aside, runs: 0 }
    }

    /// Closed gates for a run.
    pub fn gates(&mut self) -> Gates {
        self.runs += 1;
        Gates::new(self.aside.join(format!("gates-{}", self.runs)))
    }

    /// Starts `tensai match`.
    pub fn start(&self, arguments: &[String], gates: &Gates, disk: Disk) -> Referee {
        let path = std::env::var("PATH").unwrap();
        let mut command = match disk {
            Disk::Free => program(),
            Disk::Blocks(blocks) => {
                // A process that ignores the signal of the limit gets an error, as on a full disk.
                let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$@\"");
                let mut command = Command::new("sh");
                command.args(["-c", &script, "sh", &tensai()]);
                command
            }
        };
        let child = command
            .arg("match")
            .args(arguments)
            .current_dir(&self.work)
            .env("PATH", format!("{}:{path}", self.aside.display()))
            .env("MODEL_GATES", gates.folder())
            .env(MARK, &self.aside)
            .env("XDG_STATE_HOME", STATE)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn();
        Referee { child: Some(child.unwrap()) }
    }

    /// Waits until no process is left that this test has started.
    pub fn wait_for_silence(&self) {
        let mark = format!("{MARK}={}", self.aside.display());
        let mut left = Vec::new();
        let since = std::time::Instant::now();
        while since.elapsed() < HANGING {
            left = marked(&mark);
            if left.is_empty() {
                return;
            }
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        panic!("processes are left: {left:?}");
    }
}

/// The command lines of the processes whose environment has an entry.
fn marked(mark: &str) -> Vec<String> {
    let processes = procfs::process::all_processes().unwrap().flatten();
    let is_marked = |process: &procfs::process::Process| {
        let entries = fs::read(format!("/proc/{}/environ", process.pid)).unwrap_or_default();
        entries.split(|&byte| byte == 0).any(|entry| entry == mark.as_bytes())
    };
    let of = |process: procfs::process::Process| {
        format!("{}: {}", process.pid, process.cmdline().unwrap_or_default().join(" "))
    };
    processes.filter(is_marked).map(of).collect()
}

/// The options of the match that all sequences play.
pub fn options() -> Vec<String> {
    let (rounds, seed) = (format!("--rounds={GAMES}"), format!("--seed={SEED}"));
    let gated = ["--engine", "name=gated", "cmd=gated-bot"];
    let words = gated.into_iter().chain(["--engine", "name=T", "cmd=tensai", "nodes=100"]);
    // No clock runs out while a bot waits at its gate.
    let times = ["--time=10000s", "--turn-time=10000s", "--start-time=1000s"];
    let words = words.chain(times).chain([&*rounds, &*seed]);
    words.map(str::to_owned).collect()
}

impl Referee {
    /// Sends the process a signal.
    pub fn signal(&self, signal: Signal) {
        let child = self.child.as_ref().expect("it runs");
        kill(Pid::from_raw(child.id().cast_signed()), signal).unwrap();
    }

    /// Waits for the end of the process.
    pub fn wait(mut self) -> Ended {
        let child = self.child.as_mut().expect("it runs");
        wait_until("the end of the referee", || child.try_wait().unwrap().is_some());
        let output = self.child.take().expect("it ran").wait_with_output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        Ended { status: output.status, stdout: text(output.stdout), stderr: text(output.stderr) }
    }
}

impl Drop for Referee {
    /// Kills the processes of a test that has failed.
    fn drop(&mut self) {
        if let Some(child) = &mut self.child {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

impl Ended {
    /// The process must have refused with one line on standard error, exit code 2, and no output.
    pub fn assert_refused(&self, with: &str) {
        assert_eq!(self.status.code(), Some(2), "{}", self.stderr);
        assert_eq!(self.stderr.lines().count(), 1, "{}", self.stderr);
        assert!(
            self.stderr.starts_with("tensai: ") && self.stderr.contains(with),
            "{}",
            self.stderr
        );
        assert_eq!(self.stdout, "");
    }

    /// The last line on standard error.
    pub fn last_line(&self) -> &str {
        self.stderr.lines().last().unwrap_or_default()
    }
}
