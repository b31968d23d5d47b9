//! Ctrl-Z: when this process is stopped, its bots are stopped too, and no clock of a player runs.
//!
//! Bots are in sessions of their own, so that the terminal's signals do not reach them. The
//! supervisors stop and continue them. They keep running themselves, because they must end the bots
//! if the referee is killed during a pause.

use std::io;
use std::sync::{Mutex, PoisonError};
use std::thread;

use signal_hook::consts::SIGTSTP;
use signal_hook::iterator::Signals;
use signal_hook::low_level::emulate_default_handler;

use super::bot;
use super::processes;
use crate::util::system;

/// Whether the signals are watched.
static IS_WATCHED: Mutex<bool> = Mutex::new(false);

/// From here on, the stop signals of the terminal stop the bots with this process.
///
/// # Errors
/// The system does not let this process catch signals or start a thread.
pub fn watch() -> io::Result<()> {
    let mut is_watched = IS_WATCHED.lock().unwrap_or_else(PoisonError::into_inner);
    if !*is_watched {
        let mut signals = Signals::new(system::pause_signals())?;
        let waits = move || {
            loop {
                let is_asked = signals.wait().count() > 0;
                if is_asked && !processes::is_orphaned() {
                    // As if the signal had not been caught.
                    bot::pause_all(|| drop(emulate_default_handler(SIGTSTP)));
                    // The kernel forgets such signals when the process goes on.
                    signals.pending().for_each(drop);
                }
            }
        };
        thread::Builder::new().name("pause".to_owned()).spawn(waits)?;
        *is_watched = true;
    }
    Ok(())
}
