//! The number of games that are played at a time, and the cores on which they run.

use std::num::NonZeroUsize;

use super::SlotArgs;
use crate::arena::match_::cores_of_a_game;
use crate::arena::{Cores, CpuQuota, Manifest};
use crate::engine::MOST_THREADS;
use crate::util::message;

/// The number of games that run at a time, and the cores that they are pinned to.
pub struct GameSlots {
    /// Games at a time.
    pub concurrency: NonZeroUsize,
    /// The cores, claimed from other matches; `None` if the bots are not pinned.
    pub cores: Option<Cores>,
}

impl GameSlots {
    /// Chooses both for a match with `missing` games to play. Prints a message on standard error if
    /// fewer games are played at a time than asked for or than there are cores for, or if bots are
    /// not pinned.
    pub fn new(settings: &SlotArgs, manifest: &Manifest, missing: usize) -> Self {
        let (slots, said) = Self::of(Cores::of_this_machine(), settings, manifest, missing);
        if let Some(line) = said {
            message::line(format_args!("tensai: {line}"));
        }
        slots
    }

    /// As [`Self::new`], with `all` cores; returns the message.
    fn of(
        all: Cores,
        settings: &SlotArgs,
        manifest: &Manifest,
        missing: usize,
    ) -> (Self, Option<String>) {
        let a_game = cores_of_a_game(manifest);
        let fitting = |cores: &Cores| NonZeroUsize::new(cores.count() / a_game);
        let wanted = settings.concurrency.or_else(|| fitting(&all)).unwrap_or(NonZeroUsize::MIN);
        let wanted = NonZeroUsize::new(missing).map_or(NonZeroUsize::MIN, |some| wanted.min(some));
        // More could use up all processes that the system allows.
        let wanted = NonZeroUsize::new(MOST_THREADS).map_or(wanted, |most| wanted.min(most));
        let unpinned = |concurrency| Self { concurrency, cores: None };
        if missing == 0 {
            return (unpinned(wanted), None);
        }
        let needed = a_game.saturating_mul(wanted).get();
        let count = all.count();
        let quota = all.quota();
        let allowed = if quota.is_some() { " that a quota allows" } else { "" };
        let available = quota.map_or_else(|| count.to_string(), share);
        if settings.no_pin {
            let is_limited = quota.is_some() && settings.concurrency.is_none();
            let said = || format!("there is {available}: games at a time: {wanted}");
            return (unpinned(wanted), is_limited.then(said));
        }
        if needed > count {
            let reason = format!(
                "{wanted} at a time, a game needs {a_game} cores for itself, and there {} \
                 {available}: the bots are not pinned and take time from each other",
                if quota.is_some() { "is" } else { "are" }
            );
            return (unpinned(wanted), Some(reason));
        }
        let (claimed, shared) = match all.claim(needed) {
            Ok(claimed) => (claimed, None),
            Err(error) => (all, Some(format!("another match may use the same cores: {error}"))),
        };
        let free = claimed.count();
        match fitting(&claimed) {
            Some(fitting) if fitting >= wanted => {
                let said = quota.map(|quota| {
                    format!(
                        "there is {}: games at a time: {wanted}; the bots are not pinned, because \
                         the cores are not this group's own",
                        share(quota)
                    )
                });
                (Self { concurrency: wanted, cores: Some(claimed) }, shared.or(said))
            }
            Some(fitting) if settings.concurrency.is_none() => {
                let reason = format!(
                    "{free} of {count} cores{allowed} are free, because other matches use the others: games \
                     at a time: {fitting}"
                );
                (Self { concurrency: fitting, cores: Some(claimed) }, Some(reason))
            }
            _ => {
                let reason = format!(
                    "{wanted} at a time, a game needs {a_game} cores for itself, and other matches \
                     leave {free} of {count}{allowed}: the bots are not pinned and take time from each other \
                     and from those matches"
                );
                let concurrency = settings.concurrency.map_or(NonZeroUsize::MIN, |_| wanted);
                (unpinned(concurrency), Some(reason))
            }
        }
    }
}

/// Describes a quota of processor time.
fn share(CpuQuota { cores, of }: CpuQuota) -> String {
    // Two decimals at most.
    let cores = (cores * 100.0).round() / 100.0;
    format!("time of {cores} of {of} cores, by a quota of this process's control group")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::EngineConfig;

    /// The games at a time, whether cores are kept for them, and the message, for a match of 100
    /// games on 16 cores with a quota.
    fn slots(quota: f64, settings: &SlotArgs) -> (usize, bool, String) {
        let engines = ["a", "b"].map(|name| EngineConfig::new(name, "tensai"));
        let all = Cores::within((0..16).collect(), Some(quota));
        let (slots, said) = GameSlots::of(all, settings, &Manifest::new(engines.into()), 100);
        (slots.concurrency.get(), slots.cores.is_some(), said.unwrap_or_default())
    }

    #[test]
    fn a_quota_sets_the_number_of_games_and_is_named() {
        let no_pin = SlotArgs { no_pin: true, concurrency: None };
        let quota = |cores: &str| {
            format!("time of {cores} of 16 cores, by a quota of this process's control group")
        };
        let (games, _, said) = slots(6.5, &no_pin);
        assert_eq!((games, said), (3, format!("there is {}: games at a time: 3", quota("6.5"))));
        let (games, pins, said) = slots(0.25, &SlotArgs::default());
        assert_eq!((games, pins), (1, false));
        assert_eq!(
            said,
            format!(
                "1 at a time, a game needs 2 cores for itself, and there is {}: the bots are not \
                 pinned and take time from each other",
                quota("0.25")
            )
        );
        let concurrency = NonZeroUsize::new(4);
        let four = SlotArgs { concurrency, no_pin: false };
        let (games, _, said) = slots(2.0, &four);
        assert!(games == 4 && said.starts_with("4 at a time, a game needs 2 cores"), "{said}");
        let given = SlotArgs { no_pin: true, ..four };
        assert_eq!(slots(2.0, &given), (4, false, String::new()), "as the user wants it");
    }
}
