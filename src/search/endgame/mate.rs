//! A search for a script that kills.

use super::MateSearch;
use super::proof::{Proof, prove};
use super::survival::{SurvivalEnd, survive};
use crate::board::Field;
use crate::game::{Action, Pack, State};
use crate::search::{Budget, TranspositionTable};

/// A script after which the opponent dies.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mate {
    /// The first actions of the attacker; [`lowest`](super::lowest) drops follow. Empty if the
    /// opponent dies without a further attack.
    pub path: Vec<Action>,
    /// The greatest number of plies that the opponent survived in the search.
    pub plies: usize,
    /// Whether all actions of the opponent were tried; else only beam searches found no escape.
    pub proven: bool,
}

/// The beam searches before the proofs may take `1 / BEAMS` of the budget.
const BEAMS: u64 = 3;

/// Searches `scripts` for one by which the first player kills the second.
///
/// Beam searches look for an escape of the opponent from each script. The scripts without a found
/// escape are then proven as far as `budget` allows, the soonest death first. Returns the first
/// proven script in that order, else the unproven script that kills soonest, or `None`.
pub fn mate(
    state: &State<Field>,
    packs: &[Pack],
    scripts: &[Vec<Action>],
    table: &mut TranspositionTable,
    budget: &Budget,
) -> Option<Mate> {
    let [attacker, victim] = &state.players;
    let mut mate_searches: Vec<MateSearch<'_>> =
        scripts.iter().map(|path| MateSearch::new(attacker, victim, packs, path.clone())).collect();
    let mut mates: Vec<(usize, Mate)> = Vec::new();
    let beams = budget.split(BEAMS);
    for (index, mate_search) in mate_searches.iter_mut().enumerate() {
        if !mate_search.is_dangerous() {
            continue;
        }
        let result = survive(mate_search, &[], &beams.split((scripts.len() - index) as u64));
        if result.is_death() {
            let proven = result.end == SurvivalEnd::SurelyDies;
            let path = scripts[index].clone();
            mates.push((index, Mate { path, plies: result.plies, proven }));
        }
    }
    drop(beams);
    // The script that kills soonest is likely the cheapest to prove.
    mates.sort_by_key(|(index, mate)| (!mate.proven, mate.plies, *index));
    let mut unproven = None;
    for (index, mut mate) in mates {
        if mate.proven {
            return Some(mate);
        }
        match prove(&mut mate_searches[index], table, &budget.split(2)) {
            Proof::Dies { plies } => {
                (mate.plies, mate.proven) = (plies, true);
                return Some(mate);
            }
            Proof::Escapes => {}
            Proof::Unfinished => unproven = unproven.or(Some(mate)),
        }
    }
    unproven
}
