//! The most that one player can send to the other within a few plies.
//!
//! At most one row of ojama falls a turn. For any ojama that the other player sends, a player's
//! next plies therefore differ only in the set of plies that begin with a row. The search tries all
//! actions for each such set, and stores the most that the player can send at each ply.

use rayon::prelude::*;

use super::transposition::fnv_1;
use super::{Budget, Rain, TranspositionTable};
use crate::board::{ChildBuffer, Field};
use crate::game::{
    Chain, DropColumns, Dropped, Gauge, HEIGHT, OJAMA_ROW, Pack, Placement, Player, Stock,
};

/// The greatest number of plies of a search.
pub const PLIES: usize = 4;

/// The most that a player can send at a ply.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Threat {
    /// The most by a drop.
    pub drop: Sent,
    /// The most by the skill, if it can be ready.
    pub skill: Sent,
    /// The greatest gauge when the skill is used, without the cap at [`Gauge::FULL`]; 0 if the
    /// skill cannot be used.
    pub gauge: u8,
    /// Whether the player can be alive after the ply.
    pub alive: bool,
}

/// The most that one of several actions sends. The two fields may belong to different actions.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Sent {
    /// The most ojama.
    pub ojama: Stock,
    /// The longest chain.
    pub chain: Chain,
}

/// The threats of a player, by ply and by the plies at which a row has fallen on that player.
#[derive(Clone, Debug)]
pub struct Threats {
    plies: usize,
    /// By ply, then by the bits of the rain up to and including that ply.
    table: [[Threat; 1 << PLIES]; PLIES],
}

impl Sent {
    fn or(self, other: Self) -> Self {
        Self { ojama: self.ojama.max(other.ojama), chain: self.chain.max(other.chain) }
    }
}

impl Threat {
    /// The threat of a drop that sets off `chain`.
    fn of_drop(chain: Chain, alive: bool) -> Self {
        let drop = Sent { ojama: chain.ojama(), chain };
        Self { drop, alive, ..Self::default() }
    }

    fn or(self, other: Self) -> Self {
        Self {
            drop: self.drop.or(other.drop),
            skill: self.skill.or(other.skill),
            gauge: self.gauge.max(other.gauge),
            alive: self.alive || other.alive,
        }
    }

    /// Whether the most that is sent ([`Self::drained`]) is sent by the skill.
    pub fn is_of_skill(&self, drained: u8) -> bool {
        self.is_ready(drained) && self.skill.ojama >= self.drop.ojama
    }

    /// Whether the skill can be ready if chains of the other player have drained `drained` of the
    /// gauge before.
    fn is_ready(&self, drained: u8) -> bool {
        self.gauge.saturating_sub(drained) >= Gauge::SKILL
    }

    /// The most that is sent if chains of the other player have drained `drained` of the gauge
    /// before. Leaves out the skill if it cannot be ready then.
    pub fn drained(&self, drained: u8) -> Sent {
        if self.is_ready(drained) { self.drop.or(self.skill) } else { self.drop }
    }
}

impl Threats {
    /// The number of searched plies.
    pub const fn plies(&self) -> usize {
        self.plies
    }

    /// The threat at `ply` after the rows of `rain`; the bits of `rain` above `ply` have no effect.
    pub fn at(&self, ply: usize, rain: Rain) -> Threat {
        self.table[ply][rain.index(ply)]
    }

    fn new(plies: usize) -> Self {
        Self { plies, table: [[Threat::default(); 1 << PLIES]; PLIES] }
    }

    fn merge(mut self, other: &Self) -> Self {
        for (row, others) in self.table.iter_mut().zip(&other.table) {
            for (threat, other) in row.iter_mut().zip(others) {
                *threat = threat.or(*other);
            }
        }
        self
    }

    fn take(&mut self, ply: usize, rain: Rain, threat: Threat) {
        let entry = &mut self.table[ply][rain.bits() as usize];
        *entry = entry.or(threat);
    }
}

/// Tries all actions of `player` for `plies` plies, at most [`PLIES`] and the number of `packs`,
/// under every rain whose first ply follows from the player's stock. Returns `None` if `budget`
/// runs out.
///
/// The threads try the first drops in parallel: each takes some of the drop columns. All threads
/// share `table`, in which a new search begins, and skip the positions that another has tried.
pub fn search(
    player: &Player<Field>,
    packs: &[Pack],
    plies: usize,
    table: &mut TranspositionTable,
    budget: &Budget,
) -> Option<Threats> {
    table.new_search();
    let plies = plies.min(PLIES).min(packs.len());
    let nothing = Threats::new(plies);
    let Some(pack) = packs.first() else { return Some(nothing) };
    let (mut field, mut rain) = (player.field, Rain::NONE);
    if player.stock >= OJAMA_ROW {
        field.rain();
        rain = rain.with(0);
    }
    let node = ThreatNode { field, gauge: player.gauge.get(), rain };
    let seen = &*table;
    let tasks = DropColumns::ALL.split(rayon::current_num_threads());
    let parts: Vec<Option<Threats>> = tasks
        .into_par_iter()
        .map(|columns| {
            let mut part = ThreatSearch::new(packs, budget, seen, nothing.clone());
            // One of the tasks also tries the skill.
            let skill = columns.first == DropColumns::ALL.first && node.allows_skill();
            let done =
                part.try_drops(node, pack, columns, 0) && (!skill || part.try_skill(node, 0));
            done.then_some(part.threats)
        })
        .collect();
    parts.into_iter().try_fold(nothing, |sum, part| Some(sum.merge(&part?)))
}

/// The search behind the first drops at some of the drop columns.
struct ThreatSearch<'a> {
    packs: &'a [Pack],
    budget: &'a Budget,
    /// The positions that have been tried.
    seen: &'a TranspositionTable,
    threats: Threats,
    buffer: ChildBuffer,
}

/// A position of the player, after the row of the ply has fallen.
#[derive(Clone, Copy)]
struct ThreatNode {
    field: Field,
    /// The gauge without the cap at [`Gauge::FULL`] and without drains. Less the drains so far, it
    /// decides whether the skill may be ready: the real gauge is not higher.
    gauge: u8,
    rain: Rain,
}

impl ThreatNode {
    const fn allows_skill(&self) -> bool {
        self.gauge >= Gauge::SKILL
    }
}

/// Returns the charge that `chain` adds to a gauge.
const fn charge(chain: Chain) -> u8 {
    if chain.0 > 0 { Gauge::CHARGE } else { 0 }
}

impl<'a> ThreatSearch<'a> {
    fn new(
        packs: &'a [Pack],
        budget: &'a Budget,
        seen: &'a TranspositionTable,
        threats: Threats,
    ) -> Self {
        Self { packs, budget, seen, threats, buffer: ChildBuffer::new() }
    }

    /// Tries all actions at `node`. Returns false if the budget is spent.
    fn try_all(&mut self, node: ThreatNode, ply: usize) -> bool {
        if node.allows_skill() && !self.try_skill(node, ply) {
            return false;
        }
        let Some(pack) = self.packs.get(ply) else { return true };
        if ply + 1 == self.threats.plies {
            return self.try_last(node, pack, ply);
        }
        self.try_drops(node, pack, DropColumns::ALL, ply)
    }

    /// Tries the drops of the last ply, of which only the chains matter. Returns false if the
    /// budget is spent.
    fn try_last(&mut self, node: ThreatNode, pack: &Pack, ply: usize) -> bool {
        node.field.children(pack, DropColumns::ALL, &mut self.buffer);
        let chain = Placement::all().map(|placement| self.buffer.chain(placement)).max();
        let chain = chain.unwrap_or_default();
        // A pack is two rows high: only on a high field can all drops lose.
        let alive = usize::from(node.field.tallest()) + 2 <= HEIGHT
            || Placement::all().any(|drop| !self.buffer.child(drop).field.is_over());
        self.threats.take(ply, node.rain, Threat::of_drop(chain, alive));
        self.budget.spend(Placement::COUNT as u64)
    }

    /// Tries the drops at `columns`. Returns false if the budget is spent.
    fn try_drops(
        &mut self,
        node: ThreatNode,
        pack: &Pack,
        columns: DropColumns,
        ply: usize,
    ) -> bool {
        node.field.children(pack, columns, &mut self.buffer);
        let placements = columns.placements();
        let children: Vec<Dropped<Field>> =
            placements.map(|placement| self.buffer.child(placement)).collect();
        if !self.budget.spend(children.len() as u64) {
            return false;
        }
        children.into_iter().all(|child| {
            let threat = Threat::of_drop(child.chain, !child.field.is_over());
            let gauge = node.gauge + charge(child.chain);
            self.go_on(ThreatNode { field: child.field, gauge, ..node }, threat, ply)
        })
    }

    fn try_skill(&mut self, node: ThreatNode, ply: usize) -> bool {
        let exploded = node.field.explode();
        let threat = Threat {
            skill: Sent { ojama: exploded.sent(), chain: exploded.chain },
            gauge: node.gauge,
            alive: !exploded.field.is_over(),
            ..Threat::default()
        };
        let gauge = charge(exploded.chain);
        self.go_on(ThreatNode { field: exploded.field, gauge, ..node }, threat, ply)
    }

    /// Stores the `threat` of an action, and continues after it with and without a row at the next
    /// ply.
    fn go_on(&mut self, after: ThreatNode, threat: Threat, ply: usize) -> bool {
        self.threats.take(ply, after.rain, threat);
        if !threat.alive || ply + 1 == self.threats.plies {
            return true;
        }
        let situation = (ply as u64) << 16 | after.rain.bits() << 8 | u64::from(after.gauge);
        let left = self.threats.plies - ply - 1;
        if !self.seen.is_new(fnv_1([after.field.hash(), situation]), left) {
            return true;
        }
        let mut hit = after;
        hit.field.rain();
        hit.rain = hit.rain.with(ply + 1);
        self.try_all(after, ply + 1) && self.try_all(hit, ply + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Action, Cells};

    fn packs() -> Vec<Pack> {
        [[1, 9, 0, 2], [3, 5, 5, 1], [0, 7, 2, 4]].map(|cells| Pack::new(cells).unwrap()).to_vec()
    }

    fn player() -> Player<Field> {
        let field = "
            6.........
            43........
            285.......
            17428....."
            .parse()
            .unwrap();
        Player { field, stock: 12, gauge: Gauge::new(72).unwrap(), score: 0 }
    }

    /// Plays every sequence of actions by the rules, with stocks that force the rows.
    fn by_the_rules(
        player: &Player<Cells>,
        packs: &[Pack],
        ply: usize,
        rain: Rain,
        found: &mut Threats,
    ) {
        let Some(pack) = packs.first() else { return };
        for stock in [0, 10] {
            if ply == 0 && stock != player.stock / 10 * 10 {
                continue;
            }
            let rain = if stock == 10 { rain.with(ply) } else { rain };
            let player = Player { stock, ..*player };
            for action in Action::all() {
                let Ok(step) = player.step(pack, action) else { continue };
                let alive = !step.player.field.is_over();
                let sent = Sent { ojama: step.sent(), chain: step.chain };
                let threat = match action {
                    Action::Drop(_) => Threat { drop: sent, alive, ..Threat::default() },
                    Action::Skill => {
                        let gauge = player.gauge.get();
                        Threat { skill: sent, gauge, alive, ..Threat::default() }
                    }
                };
                found.take(ply, rain, threat);
                if alive {
                    by_the_rules(&step.player, &packs[1..], ply + 1, rain, found);
                }
            }
        }
    }

    /// Checks the threats of two plies against the rules, and returns those of the second ply.
    fn checked(player: &Player<Field>, packs: &[Pack]) -> [Threat; 1 << PLIES] {
        let budget = Budget::new(u64::MAX, None);
        let table = &mut TranspositionTable::new(10);
        let threats = search(player, &packs[..2], 2, table, &budget).unwrap();
        let mut expected = Threats::new(2);
        by_the_rules(&player.convert(), &packs[..2], 0, Rain::NONE, &mut expected);
        assert_eq!(threats.table, expected.table);
        threats.table[1]
    }

    #[test]
    fn the_threats_are_those_of_the_rules() {
        let sent = checked(&player(), &packs()).map(|threat| threat.skill.ojama);
        assert!(sent.into_iter().max() > Some(0), "the skill at the second ply");
    }

    #[test]
    fn a_row_at_the_last_ply_can_kill() {
        let field = "##########\n".repeat(14).parse().unwrap();
        let ones = [Pack::new([1, 1, 0, 1]).unwrap(); 2];
        let threats = checked(&Player { field, ..Player::new() }, &ones);
        let rain = [Rain::NONE, Rain::NONE.with(1)].map(|rain| rain.bits() as usize);
        assert_eq!(rain.map(|rain| threats[rain].alive), [true, false]);
    }

    #[test]
    fn a_drained_gauge_threatens_no_skill() {
        let [drop, skill] = [(3, 4), (200, 0)].map(|(ojama, chain)| {
            let chain = Chain(chain);
            Sent { ojama, chain }
        });
        let threat = Threat { drop, skill, gauge: 88, alive: true };
        assert_eq!(threat.drained(8), Sent { ojama: 200, chain: Chain(4) });
        assert_eq!(threat.drained(9), drop);
        assert_eq!([8, 9].map(|drained| threat.is_of_skill(drained)), [true, false]);
        let weak = Threat { skill: Sent { ojama: 2, chain: Chain(0) }, ..threat };
        assert!(!weak.is_of_skill(8), "a drop sends more");
    }

    #[test]
    fn a_spent_budget_finds_nothing() {
        let budget = Budget::new(100, None);
        let table = &mut TranspositionTable::new(10);
        assert!(search(&player(), &packs(), 3, table, &budget).is_none());
    }
}
