//! Which line, if any, kills.

use super::survival::{End, survive};
use super::{MateSearch, proof};
use crate::board::Field;
use crate::game::{Action, Pack, State};
use crate::search::Budget;

/// A line after which the opponent dies.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mate {
    /// What the attacker plays; after it, the [`lowest`](super::lowest) drops. Empty if it need do
    /// no more.
    pub path: Vec<Action>,
    /// Plies that the opponent lives through at most, as far as was seen.
    pub plies: usize,
    /// Whether all that the opponent can do was tried; else only beams found no way out.
    pub proven: bool,
}

/// The part of the budget that beams may take before anything is proven.
const BEAMS: u64 = 3;

/// Looks for a line of the first player's that kills the second: of those proven the first in the
/// given order, else the believed one that kills soonest.
///
/// Beams try to save the opponent from every line; what they cannot save it from is proven as far
/// as the budget goes, the soonest death first.
pub fn mate(
    state: &State<Field>,
    packs: &[Pack],
    lines: &[Vec<Action>],
    budget: &Budget,
) -> Option<Mate> {
    let [attacker, victim] = &state.players;
    let mut sieges: Vec<MateSearch<'_>> =
        lines.iter().map(|path| MateSearch::new(attacker, victim, packs, path.clone())).collect();
    let mut mates: Vec<(usize, Mate)> = Vec::new();
    let beams = budget.part(BEAMS).budget();
    for (index, siege) in sieges.iter_mut().enumerate() {
        if !siege.is_dangerous() {
            continue;
        }
        let part = beams.part((lines.len() - index) as u64);
        let each = part.budget();
        let fate = survive(siege, &[], &each);
        part.book(&each);
        if fate.is_death() {
            let proven = fate.end == End::SurelyDies;
            let path = lines[index].clone();
            mates.push((index, Mate { path, plies: fate.plies, proven }));
        }
    }
    budget.spend(beams.spent());
    // Which is proven with least work is likely the one that kills soonest.
    mates.sort_by_key(|(index, mate)| (!mate.proven, mate.plies, *index));
    let mut believed = None;
    for (index, mut mate) in mates {
        if mate.proven {
            return Some(mate);
        }
        let part = budget.part(2);
        let each = part.budget();
        let found = proof::prove(&mut sieges[index], &each);
        part.book(&each);
        match found {
            Some(Some(plies)) => {
                (mate.plies, mate.proven) = (plies, true);
                return Some(mate);
            }
            Some(None) => {}
            None => believed = believed.or(Some(mate)),
        }
    }
    believed
}
