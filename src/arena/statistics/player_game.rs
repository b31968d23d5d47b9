//! The figures of one player in one game.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::Serialize;

use super::Definitions;
use crate::arena::rating::Tally;
use crate::game::{Action, Cells, End, Fault, Seat, State, Stock, Turn};
use crate::record::Record;

/// The figures of a player in a game.
#[derive(Clone, PartialEq, Debug)]
pub struct PlayerGame {
    /// The engine's shown name.
    pub engine: String,
    /// The opponent's shown name.
    pub opponent: String,
    /// The player's seat.
    pub seat: Seat,
    /// The player's result, of one game.
    pub tally: Tally,
    /// How the rules of play or the referee ended the game; `None` if faults ended it.
    pub end: Option<End>,
    /// The faults of the player and of the opponent, if faults ended the game.
    pub faults: [Option<Fault>; 2],
    /// Number of turns that were played.
    pub turns: usize,
    /// The first turn that the player decided; greater than 0 after an opening chosen by the arena.
    pub first_turn: usize,
    /// The scores of the player and of the opponent.
    pub scores: [u64; 2],
    /// The player's first attack.
    pub first_attack: Option<SentAttack>,
    /// Which of the two players attacked first.
    pub order: AttackOrder,
    /// The number of chains by their length, from 1.
    pub chains: BTreeMap<u8, u64>,
    /// The ojama that the player sent.
    pub ojama: OjamaCounts,
    /// The uses of the skill.
    pub skill: GameSkill,
    /// The thinking time of each turn, in microseconds, without the turn that a fault ended.
    pub think_us: Vec<u64>,
    /// The time left at the end; `None` if the player's clock did not run.
    pub left: Option<Duration>,
    /// The first actions that the player decided, as the protocol writes them.
    pub opening: Vec<String>,
}

/// An attack: a chain that sends at least [`Definitions::attack`] ojama.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SentAttack {
    /// The turn.
    pub turn: usize,
    /// The length of its chain.
    pub chain: u8,
    /// The ojama that the chain sent, before the offset.
    pub ojama: Stock,
}

/// Which player attacked first in a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AttackOrder {
    /// The player itself, in an earlier turn than the opponent, or the opponent never.
    First,
    /// The opponent.
    Second,
    /// Both in the same turn.
    SameTurn,
    /// Neither player attacked.
    None,
}

/// The ojama that a player sent: `sent` is the sum of `by_chains` and `by_skill`, and the sum of
/// `offset`, `fallen` and `waiting`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct OjamaCounts {
    /// Ojama sent.
    pub sent: u64,
    /// Ojama sent by chains, including chains after an explosion.
    pub by_chains: u64,
    /// Ojama sent by explosions of the skill.
    pub by_skill: u64,
    /// Sent ojama that cancelled ojama in the own stock. Both players of a game have equal numbers.
    pub offset: u64,
    /// Sent ojama that fell on the opponent.
    pub fallen: u64,
    /// Sent ojama in the opponent's stock at the end of the game.
    pub waiting: u64,
}

/// The uses of the skill by a player in a game.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct GameSkill {
    /// The turns of the uses.
    pub turns: Vec<usize>,
    /// Blocks that the uses blew up.
    pub blocks: u64,
}

impl PlayerGame {
    /// Plays `record` again and returns the figures of both players, in the order of seats.
    ///
    /// # Errors
    /// Describes the first turn that breaks the rules.
    pub fn both(record: &Record, definitions: &Definitions) -> Result<[Self; 2], String> {
        let turns = record.replay()?;
        let attacks =
            Seat::BOTH.map(|seat| first_attack(&turns, record.opening, seat, definitions));
        let player = |seat: Seat| Self::of(record, &turns, seat, attacks, definitions);
        let [first, second] = Seat::BOTH.map(player);
        Ok([first?, second?])
    }

    fn of(
        record: &Record,
        turns: &[Turn<Cells>],
        seat: Seat,
        attacks: [Option<SentAttack>; 2],
        definitions: &Definitions,
    ) -> Result<Self, String> {
        let (own, other) = (seat.index(), seat.other().index());
        let mut ojama = OjamaCounts::default();
        let mut skill = GameSkill::default();
        let mut chains = BTreeMap::new();
        // The random turns of an opening are alike for both players, so that no ojama wait after
        // them.
        let with_opening = record.opening.min(turns.len());
        let mut before = turns[..with_opening].last().map_or_else(State::new, |turn| turn.after);
        for (index, turn) in turns.iter().enumerate().skip(with_opening) {
            let (step, opponent) = (&turn.steps[own], &turn.steps[other]);
            if step.chain.0 > 0 {
                *chains.entry(step.chain.0).or_default() += 1;
            }
            ojama.by_chains += step.chain.ojama();
            ojama.by_skill += step.explosion.ojama();
            ojama.sent += step.sent();
            // A row falls before the players act; the offset follows when both have sent.
            ojama.fallen += before.players[other].stock - opponent.player.stock;
            ojama.offset += opponent.player.stock + step.sent() - turn.after.players[other].stock;
            if parsed(&record.turns[index].answers[own])? == Action::Skill {
                skill.turns.push(index);
                skill.blocks += u64::from(step.explosion.0);
            }
            before = turn.after;
        }
        ojama.waiting = before.players[other].stock;
        let opening = record.turns.iter().skip(record.opening).take(definitions.opening.get());
        let opening = opening.map(|turn| Ok(parsed(&turn.answers[own])?.to_string()));
        let result = &record.result;
        Ok(Self {
            engine: record.name(seat),
            opponent: record.name(seat.other()),
            seat,
            tally: Tally::of(result.verdict, seat),
            end: result.end,
            faults: [own, other].map(|seat| result.faults[seat].as_ref().map(|fault| fault.fault)),
            turns: turns.len(),
            first_turn: record.opening,
            scores: [own, other].map(|seat| before.players[seat].score),
            first_attack: attacks[own],
            order: AttackOrder::of(attacks[own], attacks[other]),
            chains,
            ojama,
            skill,
            think_us: record.turns.iter().map(|turn| turn.think_us[own]).collect(),
            left: record.clock_at_end(seat),
            opening: opening.collect::<Result<_, String>>()?,
        })
    }
}

impl AttackOrder {
    fn of(own: Option<SentAttack>, opponent: Option<SentAttack>) -> Self {
        match (own, opponent) {
            (None, None) => Self::None,
            (Some(_), None) => Self::First,
            (None, Some(_)) => Self::Second,
            (Some(own), Some(opponent)) => match own.turn.cmp(&opponent.turn) {
                std::cmp::Ordering::Less => Self::First,
                std::cmp::Ordering::Equal => Self::SameTurn,
                std::cmp::Ordering::Greater => Self::Second,
            },
        }
    }

    /// The name in CSV.
    pub const fn name(self) -> &'static str {
        match self {
            Self::First => "first",
            Self::Second => "second",
            Self::SameTurn => "same turn",
            Self::None => "none",
        }
    }
}

/// The first attack of `seat` from the turn `from` on.
fn first_attack(
    turns: &[Turn<Cells>],
    from: usize,
    seat: Seat,
    definitions: &Definitions,
) -> Option<SentAttack> {
    turns.iter().enumerate().skip(from).find_map(|(turn, played)| {
        let chain = played.steps[seat.index()].chain;
        let ojama = chain.ojama();
        (ojama >= definitions.attack.get()).then_some(SentAttack { turn, chain: chain.0, ojama })
    })
}

/// Parses the answer of a recorded turn.
pub(super) fn parsed(answer: &str) -> Result<Action, String> {
    answer.parse::<Action>().map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::samples::{exchange, greedy_against_random};
    use super::*;

    fn definitions(attack: u64) -> Definitions {
        Definitions { attack: attack.try_into().unwrap(), ..Definitions::default() }
    }

    #[test]
    fn a_small_game_has_the_known_figures() {
        let [first, second] = PlayerGame::both(&exchange(), &definitions(1)).unwrap();
        assert_eq!(first.first_attack, Some(SentAttack { turn: 1, chain: 2, ojama: 1 }));
        assert_eq!(second.first_attack, Some(SentAttack { turn: 2, chain: 2, ojama: 1 }));
        assert_eq!((first.order, second.order), (AttackOrder::First, AttackOrder::Second));
        let ojama = OjamaCounts { sent: 1, by_chains: 1, offset: 1, ..OjamaCounts::default() };
        assert_eq!((first.ojama, second.ojama), (ojama, ojama));
        assert_eq!(first.chains, BTreeMap::from([(2, 1)]));
        assert_eq!(second.opening, ["0 0", "4 0", "0 0"]);
        assert_eq!(first.faults, [None, Some(Fault::Invalid)]);
        assert_eq!([first.tally.wins, second.tally.losses], [1, 1]);
        assert_eq!((first.turns, first.scores), (3, [2, 2]));
        assert_eq!(second.think_us, [2000, 4000, 6000]);
        assert_eq!(second.left, Some(Duration::from_millis(180_000 - 12 - 5)));
    }

    #[test]
    fn drawn_turns_count_in_no_figure() {
        let with_opening = Record { opening: 3, ..exchange() };
        let [first, second] = PlayerGame::both(&with_opening, &definitions(1)).unwrap();
        assert_eq!([first.ojama, second.ojama], [OjamaCounts::default(); 2]);
        assert!(first.chains.is_empty() && second.chains.is_empty());
        assert_eq!((first.turns, first.scores), (3, [2, 2]));
    }

    #[test]
    fn chains_below_the_limit_are_no_attacks() {
        let [first, _] = PlayerGame::both(&exchange(), &definitions(2)).unwrap();
        assert_eq!((first.first_attack, first.order), (None, AttackOrder::None));
    }

    /// The sample of the property below: without it, the property could hold for want of ojama.
    #[test]
    fn a_greedy_player_sends_ojama_that_fall_and_uses_the_skill() {
        let games = (0..8).map(greedy_against_random).map(|record| {
            let [greedy, _] = PlayerGame::both(&record, &Definitions::default()).unwrap();
            greedy
        });
        let games: Vec<PlayerGame> = games.collect();
        assert!(games.iter().any(|game| game.ojama.fallen > 0));
        assert!(games.iter().any(|game| game.ojama.offset > 0));
        assert!(games.iter().any(|game| !game.skill.turns.is_empty() && game.ojama.by_skill > 0));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]

        #[test]
        fn sent_ojama_are_offset_or_have_fallen_or_wait(seed in any::<u64>()) {
            let record = greedy_against_random(seed);
            let players = PlayerGame::both(&record, &Definitions::default()).unwrap();
            for OjamaCounts { sent, by_chains, by_skill, offset, fallen, waiting } in
                players.each_ref().map(|player| player.ojama)
            {
                prop_assert_eq!(sent, by_chains + by_skill);
                prop_assert_eq!(sent, offset + fallen + waiting);
                prop_assert_eq!(fallen % 10, 0);
            }
            prop_assert_eq!(players[0].ojama.offset, players[1].ojama.offset);
        }
    }
}
