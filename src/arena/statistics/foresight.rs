//! What an engine foresaw, from its `info` lines: the counterattacks to its first attack, and the
//! value of the plan that it followed.
//!
//! An engine that takes its opponent to attack soon foresees weak counterattacks, and values its
//! plan too high until the turn of the attack. Both show without a further game.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::game::{Chain, Seat, Stock};
use crate::record::Record;

/// The turns before a first attack from which its counterattack is foreseen.
const MOST_AHEAD: usize = 8;

/// The turns after an attack in which a counterattack counts, as in an exchange of the engine.
const COUNTERATTACK_TURNS: usize = 10;

/// The last turn of a followed plan whose value counts: later, few plans wait.
const LAST_TURN: usize = 24;

/// The numbers of turns that remain until an attack, by which changes of value are listed: each
/// range begins here and ends before the one above it.
const REMAINING: [usize; 4] = [6, 3, 1, 0];

/// What an engine foresaw in its games with one opponent.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Foresight {
    /// The name of the engine.
    pub engine: String,
    /// The name of its opponent.
    pub opponent: String,
    /// The counterattacks to the engine's first attacks, as foreseen 8 to 0 turns before, the
    /// earliest first.
    pub counterattacks: Vec<ForeseenCounterattacks>,
    /// How the value of a followed plan changed in a turn, by the turns that then remained until
    /// the attack, most turns first.
    pub drift: Vec<Drift>,
}

/// The counterattacks to first attacks, as foreseen some turns before: means over the attacks.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct ForeseenCounterattacks {
    /// Turns until the attack.
    pub turns_ahead: usize,
    /// Attacks that were planned then.
    pub attacks: usize,
    /// Those of them against which no plan of the opponent came later, so that no counterattack
    /// was foreseen. The next three figures leave them out.
    pub without_later_plan: usize,
    /// The most ojama that the opponent sent in one turn of the ten after the attack.
    pub made: Option<f64>,
    /// The mean counterattack over the opponent's later plans, in ojama.
    pub mean: Option<f64>,
    /// The greatest counterattack over the opponent's later plans, in ojama.
    pub greatest: Option<f64>,
    /// The value of the plan, -1 (lost) to 1 (won).
    pub value: f64,
}

/// How the value of followed plans changed from one turn to the next.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Drift {
    /// The fewest turns that remain until the attack.
    pub from: usize,
    /// The most turns that remain; `None` if there is no limit.
    pub to: Option<usize>,
    /// Plans that were followed and are known in both turns.
    pub plans: usize,
    /// The mean change of the value; `None` without such a plan.
    pub change: Option<f64>,
}

/// Collects what engines foresaw, game by game.
#[derive(Default)]
pub struct ForesightCollector {
    /// By the names of the engine and of its opponent.
    of_engines: BTreeMap<(String, String), Found>,
}

/// What the games of an engine with an opponent have shown.
#[derive(Default)]
struct Found {
    /// By the turns until the attack.
    attacks: BTreeMap<usize, Vec<FoundAttack>>,
    /// The changes of value, by the index of [`REMAINING`].
    changes: [Vec<f64>; REMAINING.len()],
}

/// A first attack, as it was planned in a turn.
struct FoundAttack {
    made: Stock,
    /// Against each plan of the opponent that comes later.
    counterattacks: Vec<Stock>,
    value: f64,
}

/// The part of an `info` line that is read.
#[derive(Deserialize, Default)]
#[serde(default)]
struct Info {
    plan_chain: Option<u8>,
    plan_turn: Option<usize>,
    plans: Vec<InfoPlan>,
    opponent_plans: Vec<InfoPlan>,
}

/// The part of a plan in an `info` line that is read.
#[derive(Deserialize, Default)]
#[serde(default)]
struct InfoPlan {
    chain: u8,
    turn: usize,
    value: f64,
    counterattacks: Vec<Option<Stock>>,
}

impl Info {
    /// The `info` of each turn of `seat`; the default where there is none, or none of a planner.
    fn all(record: &Record, seat: Seat) -> Vec<Self> {
        let info = |turn: &crate::record::TurnRecord| {
            let info = turn.info[seat.index()].as_ref();
            info.and_then(|info| serde_json::from_value(info.value()).ok()).unwrap_or_default()
        };
        record.turns.iter().map(info).collect()
    }

    /// The most valuable of the plans for an attack in `turn` that `is_meant`.
    fn best(&self, turn: usize, is_meant: impl Fn(u8) -> bool) -> Option<&InfoPlan> {
        let meant = self.plans.iter().filter(|plan| plan.turn == turn && is_meant(plan.chain));
        meant.max_by(|a, b| a.value.total_cmp(&b.value))
    }
}

impl ForesightCollector {
    /// Adds a game. An attack is a chain of at least `shortest` rounds.
    ///
    /// # Errors
    /// Describes the first turn that breaks the rules.
    pub fn add(&mut self, record: &Record, shortest: Chain) -> Result<(), String> {
        let turns = record.replay()?;
        let steps = |seat: Seat| turns.iter().map(move |turn| &turn.steps[seat.index()]);
        let firsts = Seat::BOTH.map(|seat| {
            let first = steps(seat).skip(record.opening).position(|step| step.chain >= shortest);
            first.map_or(usize::MAX, |first| first + record.opening)
        });
        for seat in Seat::BOTH {
            let info = Info::all(record, seat);
            if info.iter().all(|info| info.plans.is_empty()) {
                continue;
            }
            let names = (record.name(seat), record.name(seat.other()));
            let found = self.of_engines.entry(names).or_default();
            found.add_changes(&info, shortest);
            let (first, opponents) = (firsts[seat.index()], firsts[seat.other().index()]);
            if first >= opponents {
                continue;
            }
            let after = steps(seat.other()).skip(first + 1).take(COUNTERATTACK_TURNS);
            let made = after.map(|step| step.sent()).max().unwrap_or(0);
            let chain = turns[first].steps[seat.index()].chain;
            found.add_attack(&info, first, chain, made);
        }
        Ok(())
    }

    /// What each engine foresaw, in the order of names.
    pub fn foresight(self) -> Vec<Foresight> {
        let all = self.of_engines.into_iter();
        all.map(|((engine, opponent), found)| found.foresight(engine, opponent)).collect()
    }
}

impl Found {
    /// Adds the first attack, a `chain` in turn `first`, as it was planned in the turns before.
    fn add_attack(&mut self, info: &[Info], first: usize, chain: Chain, made: Stock) {
        for ahead in 0..=MOST_AHEAD.min(first) {
            let info = &info[first - ahead];
            // Until its turn, a plan may gain or lose a round.
            let Some(plan) = info.best(first, |planned| planned + 1 >= chain.0) else { continue };
            let against = plan.counterattacks.iter().zip(&info.opponent_plans);
            let later = against.filter(|(_, theirs)| theirs.turn > first);
            let counterattacks = later.filter_map(|(counterattack, _)| *counterattack).collect();
            let attack = FoundAttack { made, counterattacks, value: plan.value };
            self.attacks.entry(ahead).or_default().push(attack);
        }
    }

    /// Adds the changes of the values of followed plans.
    fn add_changes(&mut self, info: &[Info], shortest: Chain) {
        for (turn, pair) in info.windows(2).enumerate().take(LAST_TURN + 1) {
            let (Some(chain), Some(attack)) = (pair[0].plan_chain, pair[0].plan_turn) else {
                continue;
            };
            let values = pair.iter().filter_map(|info| info.best(attack, |other| other == chain));
            let values: Vec<f64> = values.map(|plan| plan.value).collect();
            let [before, after] = values[..] else { continue };
            if attack <= turn || Chain(chain) < shortest || before.abs() > 1.0 {
                continue;
            }
            let remaining = attack - turn - 1;
            let range = REMAINING.iter().position(|&from| remaining >= from);
            self.changes[range.unwrap_or_default()].push(after - before);
        }
    }

    fn foresight(self, engine: String, opponent: String) -> Foresight {
        let counterattacks = self.attacks.into_iter().rev().map(|(turns_ahead, attacks)| {
            let seen: Vec<&FoundAttack> =
                attacks.iter().filter(|attack| !attack.counterattacks.is_empty()).collect();
            let of_seen =
                |figure: fn(&FoundAttack) -> f64| mean(seen.iter().map(|attack| figure(attack)));
            ForeseenCounterattacks {
                turns_ahead,
                attacks: attacks.len(),
                without_later_plan: attacks.len() - seen.len(),
                made: of_seen(|attack| attack.made as f64),
                mean: of_seen(|attack| {
                    mean(attack.counterattacks.iter().map(|&sent| sent as f64)).unwrap_or(0.0)
                }),
                greatest: of_seen(|attack| {
                    attack.counterattacks.iter().max().map_or(0.0, |&sent| sent as f64)
                }),
                value: mean(attacks.iter().map(|attack| attack.value)).unwrap_or(0.0),
            }
        });
        let to = [None].into_iter().chain(REMAINING.map(|from| from.checked_sub(1)));
        let drift = REMAINING.iter().zip(to).zip(self.changes).map(|((&from, to), changes)| {
            let (plans, change) = (changes.len(), mean(changes.into_iter()));
            Drift { from, to, plans, change }
        });
        let (counterattacks, drift) = (counterattacks.collect(), drift.collect());
        Foresight { engine, opponent, counterattacks, drift }
    }
}

/// The mean of `values`; `None` without values.
fn mean(values: impl ExactSizeIterator<Item = f64>) -> Option<f64> {
    let count = values.len();
    (count > 0).then(|| values.sum::<f64>() / count as f64)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::arena::statistics::samples;
    use crate::record::JsonText;

    /// A game in which the first player has a chain of two in turn 1 and the second one in turn 2,
    /// with `info` lines of the first player.
    fn game() -> Record {
        let mut record = samples::exchange();
        let info = |value: f64, counterattacks: [Option<u64>; 3]| {
            let plan = json!({"chain": 2, "turn": 1, "value": value,
                "counterattacks": counterattacks});
            let other = json!({"chain": 3, "turn": 1, "value": -0.9, "counterattacks": [0, 0, 0]});
            let theirs = [1, 2, 3].map(|turn| json!({"chain": 2, "turn": turn}));
            let line = json!({"plan_chain": 2, "plan_turn": 1, "plans": [other, plan],
                "opponent_plans": theirs, "value": 12});
            JsonText::new(&line.to_string())
        };
        record.turns[0].info[0] = info(0.5, [None, Some(4), Some(8)]);
        record.turns[1].info[0] = info(0.25, [Some(9), None, None]);
        record.turns[2].info[1] = JsonText::new("[\"no planner\"]");
        record
    }

    #[test]
    fn what_was_foreseen_stands_beside_what_was_made() {
        let mut collector = ForesightCollector::default();
        collector.add(&game(), Chain(2)).unwrap();
        let [foresight] = &collector.foresight()[..] else { panic!("one engine has plans") };
        assert_eq!((&*foresight.engine, &*foresight.opponent), ("a", "b"));
        let before = ForeseenCounterattacks {
            turns_ahead: 1,
            attacks: 1,
            without_later_plan: 0,
            made: Some(1.0),
            mean: Some(6.0),
            greatest: Some(8.0),
            value: 0.5,
        };
        let now = ForeseenCounterattacks {
            turns_ahead: 0,
            without_later_plan: 1,
            made: None,
            mean: None,
            greatest: None,
            value: 0.25,
            ..before
        };
        assert_eq!(foresight.counterattacks, [before, now]);
        let none = |from, to| Drift { from, to, plans: 0, change: None };
        let last = Drift { from: 0, to: Some(0), plans: 1, change: Some(-0.25) };
        assert_eq!(foresight.drift, [none(6, None), none(3, Some(5)), none(1, Some(2)), last]);
    }

    #[test]
    fn a_first_attack_is_long_enough_and_comes_before_the_opponents() {
        let mut collector = ForesightCollector::default();
        collector.add(&game(), Chain(3)).unwrap();
        let foresight = collector.foresight();
        assert_eq!(foresight[0].counterattacks, []);
        assert!(foresight[0].drift.iter().all(|drift| drift.plans == 0));
    }
}
