//! The number of games that are played at a time, and the cores on which they run.

use std::num::NonZeroUsize;

use super::MatchOptions;
use crate::arena::{Cores, Manifest, Tournament};
use crate::engine::MOST_THREADS;
use crate::message;

/// The number of games that run at a time, and the cores that they are pinned to.
pub struct GameSlots {
    /// Games at a time.
    pub concurrency: NonZeroUsize,
    /// The cores, claimed from other matches; `None` if the bots are not pinned.
    pub cores: Option<Cores>,
}

impl GameSlots {
    /// Chooses both for a match with `missing` games to play. Prints a message on standard error if
    /// fewer games are played at a time than asked for, or if bots are not pinned.
    pub fn new(settings: &MatchOptions, manifest: &Manifest, missing: usize) -> Self {
        let all = Cores::of_this_machine();
        let a_game = Tournament::cores_of_a_game(manifest);
        let fitting = |cores: &Cores| NonZeroUsize::new(cores.count() / a_game);
        let wanted = settings.concurrency.or_else(|| fitting(&all)).unwrap_or(NonZeroUsize::MIN);
        let wanted = NonZeroUsize::new(missing).map_or(NonZeroUsize::MIN, |some| wanted.min(some));
        // More could use up all processes that the system allows.
        let wanted = NonZeroUsize::new(MOST_THREADS).map_or(wanted, |most| wanted.min(most));
        if settings.no_pin || missing == 0 {
            return Self { concurrency: wanted, cores: None };
        }
        let needed = a_game.saturating_mul(wanted).get();
        let count = all.count();
        if needed > count {
            message::line(format_args!(
                "tensai: {wanted} at a time, a game needs {a_game} cores for itself, and there are \
                 {count}: the bots are not pinned and take time from each other"
            ));
            return Self { concurrency: wanted, cores: None };
        }
        let claimed = all.claim(needed).unwrap_or_else(|error| {
            message::line(format_args!("tensai: another match may use the same cores: {error}"));
            all
        });
        let free = claimed.count();
        match fitting(&claimed) {
            Some(fitting) if fitting >= wanted => {
                Self { concurrency: wanted, cores: Some(claimed) }
            }
            Some(fitting) if settings.concurrency.is_none() => {
                message::line(format_args!(
                    "tensai: {free} of {count} cores are free, because other matches use the \
                     others: games at a time: {fitting}"
                ));
                Self { concurrency: fitting, cores: Some(claimed) }
            }
            _ => {
                message::line(format_args!(
                    "tensai: {wanted} at a time, a game needs {a_game} cores for itself, and other \
                     matches leave {free} of {count}: the bots are not pinned and take time from \
                     each other and from those matches"
                ));
                let concurrency = settings.concurrency.map_or(NonZeroUsize::MIN, |_| wanted);
                Self { concurrency, cores: None }
            }
        }
    }
}
