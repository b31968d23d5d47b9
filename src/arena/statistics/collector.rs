//! Adds up the figures of games by engine.

use std::collections::BTreeMap;

use super::player_game::{AttackOrder, PlayerGame};
use super::{
    Definitions, Distribution, Ends, EngineStatistics, FORMAT, FirstAttacks, MOST_OPENINGS,
    OjamaCounts, Opening, PHASES, SkillUses, Statistics, Times, TurnTimes, VERSION,
};
use crate::arena::rating::Tally;
use crate::game::{End, Fault, TURNS};

/// Adds up the figures of games. It keeps a number for each turn, but no states.
#[derive(Clone, Debug)]
pub struct Collector {
    definitions: Definitions,
    games: u64,
    stopped: u64,
    engines: BTreeMap<String, EngineSums>,
}

/// The sums of an engine.
#[derive(Clone, Default, Debug)]
struct EngineSums {
    tally: Tally,
    ends: Ends,
    turns: Vec<f64>,
    attack_turns: Vec<f64>,
    attack_chains: Vec<f64>,
    attack_ojama: Vec<f64>,
    by_order: [Tally; 4],
    chains: BTreeMap<u8, u64>,
    ojama: OjamaCounts,
    skill_uses: u64,
    skill_blocks: u64,
    first_skills: Vec<f64>,
    /// Thinking times by turn, in microseconds.
    think_us: Vec<Vec<u64>>,
    /// Milliseconds.
    left: Vec<f64>,
    openings: BTreeMap<Vec<String>, Tally>,
}

impl Collector {
    /// Statistics without games.
    pub const fn new(definitions: Definitions) -> Self {
        Self { definitions, games: 0, stopped: 0, engines: BTreeMap::new() }
    }

    /// Adds a game, by the figures of both its players.
    pub fn add(&mut self, game: &[PlayerGame; 2]) {
        self.games += 1;
        for player in game {
            self.engines.entry(player.engine.clone()).or_default().add(player);
        }
    }

    /// Counts a game that is left out because it was stopped.
    pub const fn add_stopped(&mut self) {
        self.stopped += 1;
    }

    /// The statistics of the games so far.
    pub fn statistics(&self) -> Statistics {
        let first = AttackOrder::First as usize;
        Statistics {
            format: FORMAT,
            version: VERSION,
            attack: self.definitions.attack.get(),
            opening: self.definitions.opening.get(),
            games: self.games,
            stopped: self.stopped,
            first_attackers: self
                .engines
                .values()
                .fold(Tally::default(), |sum, engine| sum + engine.by_order[first]),
            engines: self.engines.iter().map(|(name, engine)| engine.statistics(name)).collect(),
        }
    }
}

impl EngineSums {
    fn add(&mut self, player: &PlayerGame) {
        let tally = player.tally;
        self.tally += tally;
        let by_end = match player.end {
            Some(End::DangerLine) => &mut self.ends.danger_line,
            Some(End::LastTurn) => &mut self.ends.last_turn,
            Some(End::Adjudication) => &mut self.ends.adjudication,
            None => &mut self.ends.faults,
        };
        *by_end += tally;
        if let Some(fault) = player.faults[0] {
            *self.ends.own_faults.entry(key(fault)).or_default() += 1;
        }
        self.turns.push(player.turns as f64);
        if let Some(attack) = player.first_attack {
            self.attack_turns.push(attack.turn as f64);
            self.attack_chains.push(attack.chain.into());
            self.attack_ojama.push(attack.ojama as f64);
        }
        let by_order = &mut self.by_order[player.order as usize];
        *by_order += tally;
        for (&length, &count) in &player.chains {
            *self.chains.entry(length).or_default() += count;
        }
        let (sum, ojama) = (&mut self.ojama, player.ojama);
        sum.sent += ojama.sent;
        sum.by_chains += ojama.by_chains;
        sum.by_skill += ojama.by_skill;
        sum.offset += ojama.offset;
        sum.fallen += ojama.fallen;
        sum.waiting += ojama.waiting;
        self.skill_uses += player.skill.turns.len() as u64;
        self.skill_blocks += player.skill.blocks;
        self.first_skills.extend(player.skill.turns.first().map(|&turn| turn as f64));
        if self.think_us.len() < player.think_us.len() {
            self.think_us.resize_with(player.think_us.len(), Vec::new);
        }
        let asked = self.think_us.iter_mut().zip(&player.think_us).skip(player.first_turn);
        for (turn, &think) in asked {
            turn.push(think);
        }
        self.left.extend(player.left.map(|left| left.as_secs_f64() * 1000.0));
        if !player.opening.is_empty() {
            let opening = self.openings.entry(player.opening.clone()).or_default();
            *opening += tally;
        }
    }

    fn statistics(&self, name: &str) -> EngineStatistics {
        let distribution = |values: &[f64]| Distribution::of(values.iter().copied());
        let [first, second, same_turn, none] = self.by_order;
        EngineStatistics {
            engine: name.to_owned(),
            tally: self.tally,
            ends: self.ends.clone(),
            turns: distribution(&self.turns),
            first_attacks: FirstAttacks {
                turn: distribution(&self.attack_turns),
                chain: distribution(&self.attack_chains),
                ojama: distribution(&self.attack_ojama),
                first,
                second,
                same_turn,
                none,
            },
            chains: self.chains.clone(),
            ojama: self.ojama,
            skill: SkillUses {
                uses: self.skill_uses,
                blocks: self.skill_blocks,
                ojama: self.ojama.by_skill,
                first_turn: distribution(&self.first_skills),
            },
            time: self.times(),
            openings: self.openings(),
            different_openings: self.openings.len(),
        }
    }

    fn times(&self) -> Times {
        let range = |first: usize, end: usize| {
            let turns = self.think_us.get(first..end.min(self.think_us.len()))?;
            let times = turns.iter().flatten().map(|&think| milliseconds(think));
            let all = Distribution::of(times)?;
            Some(TurnTimes {
                first,
                last: end - 1,
                answers: all.count,
                mean: all.mean,
                max: all.max,
            })
        };
        let ends = PHASES[1..].iter().copied().chain([TURNS]);
        Times {
            all: Distribution::of(self.think_us.iter().flatten().map(|&us| milliseconds(us))),
            phases: PHASES.into_iter().zip(ends).filter_map(|(a, b)| range(a, b)).collect(),
            turns: (0..self.think_us.len()).filter_map(|turn| range(turn, turn + 1)).collect(),
            left: Distribution::of(self.left.iter().copied()),
        }
    }

    /// The most frequent openings; equally frequent ones by their points, then by their actions.
    fn openings(&self) -> Vec<Opening> {
        let openings = self.openings.iter().map(|(actions, &tally)| Opening {
            actions: actions.clone(),
            tally,
            score: tally.score().unwrap_or_default(),
        });
        let mut openings: Vec<Opening> = openings.collect();
        openings.sort_by(|a, b| {
            let games = b.tally.games().cmp(&a.tally.games());
            games.then(b.score.total_cmp(&a.score))
        });
        openings.truncate(MOST_OPENINGS);
        openings
    }
}

fn milliseconds(microseconds: u64) -> f64 {
    microseconds as f64 / 1000.0
}

/// A fault as records write it.
const fn key(fault: Fault) -> &'static str {
    match fault {
        Fault::OutOfTime => "out-of-time",
        Fault::Invalid => "invalid",
        Fault::Crash => "crash",
        Fault::NoStart => "no-start",
    }
}

#[cfg(test)]
mod tests {
    use super::super::samples::exchange;
    use super::*;
    use crate::game::{Seat, Verdict};

    /// The game of the samples twice, the second time with the seats exchanged and drawn.
    fn statistics() -> Statistics {
        let definitions = Definitions { attack: 1.try_into().unwrap(), ..Definitions::default() };
        let mut collector = Collector::new(definitions);
        let game = exchange();
        collector.add(&PlayerGame::both(&game, &definitions).unwrap());
        let mut other = exchange();
        other.players.reverse();
        other.result.verdict = Verdict::Draw;
        other.result.faults = [None, None];
        other.result.end = Some(End::LastTurn);
        collector.add(&PlayerGame::both(&other, &definitions).unwrap());
        collector.add_stopped();
        assert_eq!(game.result.verdict, Verdict::Win(Seat::First));
        collector.statistics()
    }

    #[test]
    fn figures_are_added_up_by_engine() {
        let all = statistics();
        assert_eq!((all.games, all.stopped, all.attack, all.opening), (2, 1, 1, 3));
        assert_eq!(all.first_attackers, Tally { wins: 1, draws: 1, losses: 0 });
        let [a, b] = &all.engines[..] else { panic!("two engines") };
        assert_eq!([&*a.engine, &b.engine], ["a", "b"]);
        assert_eq!(a.tally, Tally { wins: 1, draws: 1, losses: 0 });
        assert_eq!(b.tally, a.tally.reversed());
        assert_eq!(b.ends.faults, Tally { losses: 1, ..Tally::default() });
        assert_eq!(b.ends.last_turn, Tally { draws: 1, ..Tally::default() });
        assert_eq!(b.ends.own_faults, BTreeMap::from([("invalid", 1)]));
        assert_eq!(a.ends.own_faults, BTreeMap::new());
        let turn = a.first_attacks.turn.unwrap();
        assert_eq!((turn.count, turn.mean, turn.min, turn.max), (2, 1.5, 1.0, 2.0));
        assert_eq!(a.first_attacks.first, Tally { wins: 1, ..Tally::default() });
        assert_eq!(a.first_attacks.second, Tally { draws: 1, ..Tally::default() });
        assert_eq!(a.chains, BTreeMap::from([(2, 2)]));
        let ojama = OjamaCounts { sent: 2, by_chains: 2, offset: 2, ..OjamaCounts::default() };
        assert_eq!([a.ojama, b.ojama], [ojama; 2]);
        assert_eq!(a.skill.first_turn, None);
        assert_eq!(a.different_openings, 2);
        assert_eq!(a.openings[0].actions, ["0 0", "0 0", "4 0"]);
        assert_eq!((a.openings[0].score, a.openings[1].score), (1.0, 0.5));
    }

    #[test]
    fn times_are_listed_by_turn_and_phase() {
        let time = &statistics().engines[0].time;
        // 1, 2, 3 ms in the first seat, 2, 4, 6 ms in the second.
        let times = |first, last, answers, mean, max| TurnTimes { first, last, answers, mean, max };
        assert_eq!(time.phases, [times(0, 9, 6, 3.0, 6.0)]);
        assert_eq!(
            time.turns,
            [times(0, 0, 2, 1.5, 2.0), times(1, 1, 2, 3.0, 4.0), times(2, 2, 2, 4.5, 6.0)]
        );
        let left = time.left.unwrap();
        assert_eq!((left.min, left.max), (180_000.0 - 17.0, 180_000.0 - 6.0));
    }
}
