//! Stops a command early.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use signal_hook::flag;

use crate::util::system;

/// The exit code of a command that SIGINT, SIGTERM or SIGHUP has stopped.
pub const STOPPED: u8 = 130;

/// A request to stop, shared by all threads that check it.
#[derive(Clone, Default, Debug)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// A request that SIGINT (Ctrl-C), SIGTERM and SIGHUP (the end of the terminal) set. The second
    /// such signal ends the program at once, with exit code [`STOPPED`].
    ///
    /// As in [`Stop::at_once`], a file that grows too large is an error from here on.
    ///
    /// # Errors
    /// The system does not let this process catch signals.
    pub fn on_signals() -> io::Result<Self> {
        let stop = Self::default();
        for signal in system::stop_signals() {
            // In this order: at the first signal the conditional shutdown finds the flag unset.
            flag::register_conditional_shutdown(signal, STOPPED.into(), Arc::clone(&stop.0))?;
            flag::register(signal, Arc::clone(&stop.0))?;
        }
        system::large_files_are_errors()?;
        Ok(stop)
    }

    /// Lets SIGINT (Ctrl-C), SIGTERM and SIGHUP (the end of the terminal) end the program at once,
    /// with exit code [`STOPPED`]. For a command that has nothing to report or to remove.
    ///
    /// From here on, a file that grows beyond the limit of the process (`ulimit -f`) is an error
    /// like a full disk; the signal no longer kills the process.
    ///
    /// # Errors
    /// The system does not let this process catch signals.
    pub fn at_once() -> io::Result<()> {
        for signal in system::stop_signals() {
            let always = Arc::new(AtomicBool::new(true));
            flag::register_conditional_shutdown(signal, STOPPED.into(), always)?;
        }
        system::large_files_are_errors()
    }

    /// Asks to stop.
    pub fn ask(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether a stop was requested.
    pub fn is_asked(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
