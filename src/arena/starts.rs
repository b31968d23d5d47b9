//! Engines that never start.

use std::collections::BTreeMap;

use crate::game::{Fault, Seat};
use crate::record::Record;

/// Counts the games in which engines started, and those in which they did not.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Starts {
    engines: BTreeMap<String, EngineStarts>,
}

/// The games of one engine.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct EngineStarts {
    games: u64,
    /// The games with the fault [`Fault::NoStart`].
    failed: u64,
    /// The description of the fault in the latest of these games.
    reason: String,
}

impl Starts {
    /// Adds a game of a record, for both players.
    pub fn add(&mut self, record: &Record) {
        for seat in Seat::BOTH {
            let fault = record.result.faults[seat.index()].as_ref();
            let fault = fault.map(|fault| (fault.fault, fault.reason.as_str()));
            self.add_game(&record.name(seat), fault);
        }
    }

    /// Adds a game of the engine `name`, with its fault and the description of the fault.
    pub fn add_game(&mut self, name: &str, fault: Option<(Fault, &str)>) {
        let engine = self.engines.entry(name.to_owned()).or_default();
        engine.games += 1;
        if let Some((Fault::NoStart, reason)) = fault {
            engine.failed += 1;
            reason.clone_into(&mut engine.reason);
        }
    }

    /// The engines that started in none of their games, each with the number of its games and the
    /// description of its latest fault.
    pub fn never(&self) -> impl Iterator<Item = (&str, u64, &str)> {
        let never = self.engines.iter().filter(|(_, engine)| engine.failed == engine.games);
        never.map(|(name, engine)| (name.as_str(), engine.games, engine.reason.as_str()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_engine_that_has_started_once_is_not_named() {
        let mut starts = Starts::default();
        let failed = |reason| Some((Fault::NoStart, reason));
        starts.add_game("a", failed("no name: 1"));
        starts.add_game("b", failed("no name: 2"));
        starts.add_game("c", Some((Fault::Crash, "crash")));
        starts.add_game("a", None);
        starts.add_game("b", failed("no name: 3"));
        assert_eq!(starts.never().collect::<Vec<_>>(), [("b", 2, "no name: 3")]);
    }
}
