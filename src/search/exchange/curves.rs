//! The ojama that a side can send in the turns after an attack, and the beams that find them.
//!
//! Many searches of an exchange are those of the exchange one turn before: the plans hardly change,
//! and both sides follow them. [`CurveMemory`] keeps the results, so that the drops go to the new
//! searches. Experiment E-51.

use fnv::FnvHashMap;
use rayon::prelude::*;

use super::COUNTERATTACK_TURNS;
use crate::board::Field;
use crate::game::{DropColumns, OJAMA_ROW, Pack, Stock};
use crate::search::beam::{self, BeamRequest};
use crate::search::{Budget, Rain};

/// A known curve is not searched again if its beam has spent at least this part of the drops that
/// it would have if all searches were new. Experiment E-51.
const KNOWN_PART: f64 = 0.7;

/// The ojama that a side can send in the turns after an attack.
#[derive(Clone, Debug)]
pub struct AttackCurve {
    /// By index `i`: the most that one attack sends within `i + 1` turns.
    pub best: Vec<Stock>,
    /// Whether no searched field survives all plies with chains of at most [`beam::LONGEST_STEP`]
    /// rounds.
    pub dies: bool,
}

impl AttackCurve {
    /// The most that one attack sends within [`COUNTERATTACK_TURNS`] turns.
    pub fn most(&self) -> Stock {
        self.best.last().copied().unwrap_or(0)
    }

    /// Whether a counterattack of the curve stops `falling` ojama from falling. The rows of the turns
    /// up to the counterattack have fallen, and it offsets the others but for less than a row.
    pub fn stops(&self, falling: Stock) -> bool {
        let mut before = 0;
        self.best.iter().zip(1..).any(|(&sent, turns)| {
            // What was sent in an earlier turn had to offset the rows of that turn.
            let is_of_this_turn = sent > std::mem::replace(&mut before, sent);
            is_of_this_turn && falling < OJAMA_ROW * turns + sent + OJAMA_ROW
        })
    }

    /// Raises the curve to `found`, attacks of the same turns, where they send more.
    pub fn raise(&mut self, found: &[Stock]) {
        let both = self.best.iter_mut().zip(found);
        both.for_each(|(best, &found)| *best = found.max(*best));
    }

    /// Adds the result `earlier` of an earlier search for this curve.
    fn merge(&mut self, earlier: &Self) {
        self.raise(&earlier.best);
        self.dies &= earlier.dies;
    }
}

/// A search for the ojama that `field` can send after `ply`, with `rows` rows about to fall on it.
#[derive(Clone, Copy)]
pub struct CurveSearch {
    /// The field after `ply`.
    pub field: Field,
    /// The ply of the attack, after which the search begins.
    pub ply: usize,
    /// The rows that fall on `field`, one a turn.
    pub rows: u64,
}

impl CurveSearch {
    /// Runs the beam. `packs` begin with the pack of ply 0.
    fn run(&self, packs: &[Pack], budget: &Budget) -> AttackCurve {
        let request = BeamRequest {
            field: self.field,
            packs: packs.get(self.ply + 1..).unwrap_or_default(),
            rain: Rain::of_stock(self.rows * OJAMA_ROW),
            depth: COUNTERATTACK_TURNS,
            columns: DropColumns::ALL,
        };
        let found = beam::search(&request, budget);
        let best = found.most_sent();
        AttackCurve { dies: found.reached < best.len(), best }
    }
}

/// The distinct searches of an exchange. Plans often share their first drops, and then share
/// searches.
#[derive(Default)]
pub struct Searches {
    all: Vec<CurveSearch>,
    /// The index of a search, by the hash of its field, its ply and its rows.
    indices: FnvHashMap<(u64, usize, u64), usize>,
}

impl Searches {
    /// Returns the index of a search, which is added if it is new. `falling` ojama are about to
    /// fall on `field`.
    pub fn index(&mut self, field: Field, ply: usize, falling: Stock) -> usize {
        let rows = falling / OJAMA_ROW;
        *self.indices.entry((field.hash(), ply, rows)).or_insert_with(|| {
            self.all.push(CurveSearch { field, ply, rows });
            self.all.len() - 1
        })
    }

    /// Returns all searches, by index.
    pub fn all(self) -> Vec<CurveSearch> {
        self.all
    }
}

/// The properties that identify a search among the searches of a game.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Key {
    /// The hash of the field.
    field: u64,
    /// The number of packs after the search's ply, which stands for the turn.
    packs_left: usize,
    /// The rows that fall on the field.
    rows: u64,
}

/// A curve, and the drops that its last beam has spent.
struct KnownCurve {
    curve: AttackCurve,
    drops: u64,
}

/// The curves that the exchanges of a game have found, a few hundred at most: those of past turns
/// are forgotten.
#[derive(Default)]
pub struct CurveMemory(FnvHashMap<Key, KnownCurve>);

impl CurveMemory {
    /// Forgets all curves, because a new game has other packs.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Returns the curve of each of `searches`. The beams of the curves that are not known well
    /// enough ([`KNOWN_PART`]) run in parallel, each with an equal part of the drops of `budget`.
    pub(super) fn curves(
        &mut self,
        searches: &[CurveSearch],
        packs: &[Pack],
        budget: &Budget,
    ) -> Vec<AttackCurve> {
        self.0.retain(|key, _| key.packs_left < packs.len());
        let key = |search: &CurveSearch| Key {
            field: search.field.hash(),
            packs_left: packs.len().saturating_sub(search.ply + 1),
            rows: search.rows,
        };
        let enough = KNOWN_PART * (budget.drops_left() / (searches.len() as u64).max(1)) as f64;
        let is_known = |search: &CurveSearch| {
            self.0.get(&key(search)).is_some_and(|known| known.drops as f64 >= enough)
        };
        let new: Vec<&CurveSearch> = searches.iter().filter(|search| !is_known(search)).collect();
        let drops = budget.drops_left() / (new.len() as u64).max(1);
        let found: Vec<KnownCurve> = new
            .par_iter()
            .map(|search| {
                let budget = budget.limit(drops);
                let curve = search.run(packs, &budget);
                KnownCurve { curve, drops: budget.spent() }
            })
            .collect();
        for (search, mut found) in new.into_iter().zip(found) {
            if let Some(earlier) = self.0.get(&key(search)) {
                found.curve.merge(&earlier.curve);
            }
            self.0.insert(key(search), found);
        }
        searches.iter().map(|search| self.0[&key(search)].curve.clone()).collect()
    }
}
