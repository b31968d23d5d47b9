//! The gates at which the bots of a match wait for the test.
//!
//! A bot waits at turn 3 of each game until the test opens the game's gate, a FIFO. So the test
//! knows which games are in progress and which are finished, at any speed of the machine.

use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use nix::sys::stat::Mode;
use nix::unistd::{Pid, mkfifo};
use tensai::game::Packs;

/// The seed of the packs of the first game; each further game has the next seed.
pub const SEED: u64 = 21;

/// Games of a match.
pub const GAMES: usize = 5;

/// Waits for an event that only a hang can prevent.
pub fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let since = Instant::now();
    while !is_so() {
        assert!(since.elapsed() < Duration::from_secs(120), "waited in vain: {what}");
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// The gates of the games of one run of `tensai match`.
pub struct Gates {
    folder: PathBuf,
    /// The FIFOs in the order of games. An open FIFO keeps the bytes written to it.
    fifos: Vec<File>,
}

impl Gates {
    /// Makes a folder with a closed gate for each game.
    pub fn new(folder: PathBuf) -> Self {
        fs::create_dir(&folder).unwrap();
        let fifo = |number| {
            let path = folder.join(digits(number));
            mkfifo(&path, Mode::S_IRUSR | Mode::S_IWUSR).unwrap();
            // Opened for reading and writing, because this does not block.
            File::options().read(true).write(true).open(path).unwrap()
        };
        let fifos = (1..=GAMES).map(fifo).collect();
        Self { folder, fifos }
    }

    /// The folder, for the bots.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Opens the gate of a game, even before the bot has reached it.
    pub fn open(&self, number: usize) {
        (&self.fifos[number - 1]).write_all(b"\n").unwrap();
    }

    /// Waits until the bot of a game is at its gate. Returns its process.
    pub fn wait_for_bot(&self, number: usize) -> Pid {
        let path = self.folder.join(format!("at-{}", digits(number)));
        wait_until(&format!("game {number} at its gate"), || path.exists());
        Pid::from_raw(fs::read_to_string(path).unwrap().trim().parse().unwrap())
    }
}

/// The games that bots have begun at the gates in a folder.
pub fn begun(folder: &Path) -> Vec<usize> {
    let has_begun = |&number: &usize| folder.join(format!("began-{}", digits(number))).exists();
    (1..=GAMES).filter(has_begun).collect()
}

/// The digits of the first pack of a game, by which a bot recognises the game.
fn digits(number: usize) -> String {
    let packs = Packs::from_seed(SEED + number as u64 - 1).to_string();
    packs.lines().take(2).flat_map(str::split_whitespace).collect()
}
