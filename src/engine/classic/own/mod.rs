//! All our own actions, four plies deep, against the opponent's tables.
//!
//! At each ply the worse of two cases is assumed: the opponent sends the most that the tables allow
//! for the rows that this line has made fall on it, or it sends nothing. The lines form a tree of
//! two players, which an alpha-beta search cuts. Y.s.'s bot has no cuts, because y.s. expected
//! little gain from them; here they are decisive.

use std::cmp::Reverse;

use super::line_value::{EvaluationContext, LOSS, LineState, PLY, WIN};
use super::opponent::{Skill, Tables, WorstCase};
use crate::board::{ChildBuffer, Field};
use crate::game::{
    Action, Chain, DropColumns, Gauge, HEIGHT, OJAMA_ROW, Pack, Placement, Player, Stock,
};
use crate::search::child::Child;
use crate::search::root::{self, RootValue};
use crate::search::transposition::fnv_1;
use crate::search::{Bound, Budget, OjamaHundredths, Rain, TranspositionTable};

/// Once the opponent has sent this many ojama, no further attack is assumed in the line
/// (published).
const SPENT: Stock = 6;

/// The smallest attack of the opponent, in ojama, that a plan counterattacks (published).
const ATTACK: Stock = 6;

/// Blocks added to the opponent's explosion for each ply that the tables do not reach (published).
const GROWTH: u16 = 2;

/// The input of the search.
#[derive(Clone, Copy)]
pub struct OwnRequest<'a> {
    /// Both players: we first, then the opponent.
    pub players: &'a [Player<Field>; 2],
    /// The packs from the coming turn on.
    pub packs: &'a [Pack],
    /// Plies to search; those beyond the tables are searched with an opponent that sends nothing.
    pub plies: usize,
    /// The opponent's possible lines.
    pub tables: &'a Tables,
    /// The constant inputs of the values.
    pub context: &'a EvaluationContext,
    /// The results of longer searches about first actions.
    pub hints: &'a RootHints,
}

/// The results of longer searches about the first action.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct RootHints {
    /// The plan's or the beam's move. Its value is exact in the result.
    pub beam_move: Option<Action>,
    /// The ojama of the counterattack within seven turns of `beam_move`, by the ply (from 1) of the
    /// opponent's attack.
    pub answers: [Stock; 5],
    /// Added to the value of first actions whose chain is in the range.
    pub adjustment: Option<(std::ops::RangeInclusive<u8>, OjamaHundredths)>,
}

/// The result for a first action.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OwnRootMove {
    /// The first action.
    pub action: Action,
    /// The chain that it sets off.
    pub chain: Chain,
    /// The action's value: exact for the best action and the beam's move, otherwise an upper bound.
    pub value: OjamaHundredths,
}

/// Searches all first actions. Returns `None` if the budget does not suffice.
///
/// The first actions are searched on all threads ([`root::search`]); the beam's move is searched
/// first. A new search begins in `table`. The root moves are in descending order of value, of equal
/// ones the exact one first.
pub fn search(
    request: &OwnRequest<'_>,
    table: &mut TranspositionTable,
    budget: &Budget,
) -> Option<Vec<OwnRootMove>> {
    table.new_search();
    let table = &*table;
    let start = || OwnSearcher::new(request, table, budget);
    let mut search = start();
    let root = search.root();
    let mut children = search.children(&root, 0)?;
    let hints = request.hints;
    children.sort_by_key(|child| (Some(child.action) != hints.beam_move, Reverse(child.sent())));
    let values = root::search(&children, LOSS.0, start, |search, child, alpha| {
        Some(search.first_action(&root, child, OjamaHundredths(alpha))?.0)
    })?;
    let root_move = |found: RootValue| {
        let Child { action, chain, .. } = children[found.index];
        OwnRootMove { action, chain, value: OjamaHundredths(found.value) }
    };
    Some(values.into_iter().map(root_move).collect())
}

/// A position of the search: our field, and the state of the line.
#[derive(Clone, Copy)]
struct OwnNode {
    field: Field,
    line: LineState,
}

impl OwnNode {
    /// Drops the row that is due at `ply` on us or on the opponent.
    fn let_rain(&mut self, ply: usize) {
        let LineState { rain, net, .. } = &mut self.line;
        if rain.fall(&mut self.field, net, ply) {
            self.line.ojama += OJAMA_ROW as u32;
        }
    }

    fn key(&self, ply: usize, is_beams: bool) -> u64 {
        let line = &self.line;
        let bytes = |bytes: [u8; 8]| u64::from_le_bytes(bytes);
        fnv_1([
            self.field.hash(),
            bytes([
                ply as u8,
                u8::from(is_beams),
                line.gauge.get(),
                line.opponents_gauge.get(),
                line.rain.bits() as u8,
                u8::from(line.may_have_used),
                line.longest.0,
                line.attacked.1,
            ]),
            bytes([line.largest.1, line.chances, line.spared, 0, 0, 0, 0, 0])
                | u64::from(line.drained) << 32
                | u64::from(line.opponents_explosion) << 48,
            line.net as u64,
            line.sent | line.largest.0 << 32,
            line.attacked.0 | line.skill_gain << 32,
        ])
    }
}

/// Returns the own actions and fields of the expected line that begins with `first`, to be shown to
/// people. Returns `None` if the budget is spent.
pub fn line(
    request: &OwnRequest<'_>,
    first: Action,
    table: &mut TranspositionTable,
    budget: &Budget,
) -> Option<Vec<(Action, Field)>> {
    table.new_search();
    let mut search = OwnSearcher::new(request, table, budget);
    let mut node = search.root();
    let mut line = Vec::new();
    for ply in 0..request.plies {
        let mut best: Option<(OjamaHundredths, Child)> = None;
        for child in search.children(&node, ply)? {
            if ply == 0 && child.action != first {
                continue;
            }
            let alpha = best.as_ref().map_or(LOSS - OjamaHundredths(1), |(value, _)| *value);
            let value = search.worst(&node, &child, ply, alpha, WIN)?;
            if best.as_ref().is_none_or(|(best, _)| value > *best) {
                best = Some((value, child));
            }
        }
        let Some((_, child)) = best else { break };
        line.push((child.action, child.field));
        if child.field.is_over() || search.end(&node, &child, ply).is_some() {
            break;
        }
        // The opponent's case that is worse for us.
        let (unattacked, attacked) = search.outcomes(&node, &child, ply);
        let next = |line| OwnNode { field: child.field, line };
        let mut value = |node| search.value(node, ply + 1, LOSS, WIN);
        let unattacked = next(unattacked);
        node = match attacked.map(next) {
            Some(attacked) if value(unattacked)? > value(attacked)? => attacked,
            _ => unattacked,
        };
        node.let_rain(ply + 1);
    }
    Some(line)
}

struct OwnSearcher<'a> {
    request: OwnRequest<'a>,
    table: &'a TranspositionTable,
    budget: &'a Budget,
    buffer: ChildBuffer,
    /// See [`RootHints::answers`]; present below the beam's move.
    answers: Option<&'a [Stock; 5]>,
}

impl<'a> OwnSearcher<'a> {
    fn new(request: &OwnRequest<'a>, table: &'a TranspositionTable, budget: &'a Budget) -> Self {
        Self { request: *request, table, budget, buffer: ChildBuffer::new(), answers: None }
    }

    /// Returns the value of a first action, exact above `alpha`, else an upper bound. The value of
    /// the beam's move is always exact.
    fn first_action(
        &mut self,
        root: &OwnNode,
        child: &Child,
        alpha: OjamaHundredths,
    ) -> Option<OjamaHundredths> {
        let hints = self.request.hints;
        let bonus = match &hints.adjustment {
            Some((chains, value)) if chains.contains(&child.chain.0) => *value,
            _ => OjamaHundredths(0),
        };
        let is_beams = Some(child.action) == hints.beam_move;
        self.answers = is_beams.then_some(&hints.answers);
        let alpha = if is_beams { LOSS } else { alpha - bonus };
        Some(self.worst(root, child, 0, alpha, WIN)? + bonus)
    }

    fn root(&self) -> OwnNode {
        let [own, opponent] = self.request.players;
        let line = LineState {
            net: own.stock as i64 - opponent.stock as i64,
            gauge: own.gauge,
            opponents_gauge: opponent.gauge,
            rain: Rain::NONE,
            may_have_used: false,
            opponents_explosion: opponent.field.explosion().0.into(),
            skill_gain: 0,
            ojama: own.field.ojama(),
            sent: 0,
            largest: (0, 0),
            longest: Chain(0),
            attacked: (0, 0),
            drained: 0,
            chances: 0,
            spared: 0,
        };
        let mut root = OwnNode { field: own.field, line };
        root.let_rain(0);
        root
    }

    /// Returns all actions at a node, in descending order of ojama sent. Returns `None` if the
    /// budget is spent.
    fn children(&mut self, node: &OwnNode, ply: usize) -> Option<Vec<Child>> {
        self.drop_all(node, ply)?;
        let mut children: Vec<Child> =
            Child::all(&node.field, node.line.gauge, &self.buffer).collect();
        children.sort_by_key(|child| Reverse(child.sent()));
        Some(children)
    }

    fn drop_all(&mut self, node: &OwnNode, ply: usize) -> Option<()> {
        node.field.children(&self.request.packs[ply], DropColumns::ALL, &mut self.buffer);
        self.budget.spend(Placement::COUNT as u64).then_some(())
    }

    /// Returns the opponent's worst case at a ply of a line, and whether its skill is ready.
    /// Returns `None` where the tables do not reach.
    fn opponents_worst(&self, line: &LineState, ply: usize) -> Option<(WorstCase, bool)> {
        let tables = self.request.tables;
        if !tables.has(ply, line.rain) {
            return None;
        }
        let ready = line.opponents_gauge.allows_skill() && line.opponents_explosion > 0;
        if ready {
            return Some((tables.any(ply, line.rain), true));
        }
        let earlier = tables.at(ply, Skill::Earlier, line.rain);
        let used = line.may_have_used && earlier.alive;
        Some((if used { *earlier } else { *tables.at(ply, Skill::Never, line.rain) }, false))
    }

    /// Returns the value of `child` if the game ends with it.
    fn end(&self, node: &OwnNode, child: &Child, ply: usize) -> Option<OjamaHundredths> {
        if child.field.is_over() {
            return Some(LOSS + PLY * ply as i64);
        }
        self.opponents_end(&node.line, ply)
    }

    /// Returns the value of a win if the opponent cannot survive this ply.
    fn opponents_end(&self, line: &LineState, ply: usize) -> Option<OjamaHundredths> {
        let (worst, _) = self.opponents_worst(line, ply)?;
        (!worst.alive).then_some(WIN - PLY * ply as i64)
    }

    /// Returns the line after `child` if the opponent sends nothing, and the line if it sends its
    /// most. The second line is `None` where it changes none of the coming rows, or where the
    /// opponent has already sent [`SPENT`] ojama.
    fn outcomes(
        &self,
        node: &OwnNode,
        child: &Child,
        ply: usize,
    ) -> (LineState, Option<LineState>) {
        let mut line = node.line;
        line.gauge = child.gauge_after(line.gauge);
        line.net -= child.sent() as i64;
        line.sent += child.sent();
        if child.sent() > line.largest.0 {
            line.largest = (child.sent(), ply as u8);
        }
        line.longest = line.longest.max(child.chain);
        let Some((worst, ready)) = self.opponents_worst(&node.line, ply) else {
            line.opponents_explosion += GROWTH;
            line.opponents_gauge = line.opponents_gauge.charged(Chain(1)).drained(child.chain);
            return (line, None);
        };
        line.may_have_used |= ready;
        if worst.fires {
            line.opponents_gauge = line.opponents_gauge.charged(Chain(1));
        }
        line.opponents_gauge = line.opponents_gauge.drained(child.chain);
        line.opponents_explosion = worst.explosion;
        let never = self.request.tables.at(ply, Skill::Never, line.rain);
        line.skill_gain = worst.sent.saturating_sub(never.sent);

        let sends = worst.sent.saturating_sub(line.attacked.0);
        let drains = worst.drain.saturating_sub(line.drained);
        let mut attacked = line;
        attacked.drained += drains;
        attacked.gauge = drained(attacked.gauge, drains);
        attacked.net += sends as i64;
        let row = OJAMA_ROW as i64;
        let changes =
            (line.net < row && attacked.net >= row) || (line.net <= -row && attacked.net > -row);
        if line.attacked.0 >= SPENT || !changes {
            // One case only: the opponent sends nothing, but drains the gauge.
            return (LineState { net: line.net, ..attacked }, None);
        }
        attacked.chances += 1;
        attacked.attacked.0 += sends;
        if sends >= ATTACK {
            attacked.attacked.1 = ply as u8 + 1;
        }
        (LineState { chances: line.chances + 1, spared: line.spared + 1, ..line }, Some(attacked))
    }

    /// Returns the value of an action: the lower value of the opponent's two cases.
    fn worst(
        &mut self,
        node: &OwnNode,
        child: &Child,
        ply: usize,
        alpha: OjamaHundredths,
        beta: OjamaHundredths,
    ) -> Option<OjamaHundredths> {
        if let Some(value) = self.end(node, child, ply) {
            return Some(value);
        }
        let (unattacked, attacked) = self.outcomes(node, child, ply);
        let mut value = WIN;
        for line in attacked.into_iter().chain([unattacked]) {
            let next = OwnNode { field: child.field, line };
            value = value.min(self.value(next, ply + 1, alpha, beta.min(value))?);
            if value <= alpha {
                break;
            }
        }
        Some(value)
    }

    /// Returns the value of a node, exact between `alpha` and `beta`.
    fn value(
        &mut self,
        mut node: OwnNode,
        ply: usize,
        alpha: OjamaHundredths,
        beta: OjamaHundredths,
    ) -> Option<OjamaHundredths> {
        let OwnRequest { plies, packs, .. } = self.request;
        let plies = plies.min(packs.len());
        if ply == plies {
            return Some(self.leaf(node, ply));
        }
        let key = node.key(ply, self.answers.is_some());
        if let Some(value) = self.table.get(key).and_then(|bound| bound.cutoff(alpha.0, beta.0)) {
            return Some(OjamaHundredths(value));
        }
        node.let_rain(ply);
        let mut best = LOSS;
        if ply + 1 == plies {
            best = self.last_ply(&node, ply, beta)?;
        } else {
            for child in self.children(&node, ply)? {
                best = best.max(self.worst(&node, &child, ply, alpha.max(best), beta)?);
                if best >= beta {
                    break;
                }
            }
        }
        // The last ply is searched without `alpha`.
        let floor = if ply + 1 == plies { i64::MIN } else { alpha.0 };
        self.table.put(key, Bound::of(best.0, floor, beta.0), plies - ply);
        Some(best)
    }

    /// Returns the best value of the last ply's actions, or a value of at least `beta`. This ply
    /// takes most of the time, so its actions are neither ordered nor stored.
    fn last_ply(
        &mut self,
        node: &OwnNode,
        ply: usize,
        beta: OjamaHundredths,
    ) -> Option<OjamaHundredths> {
        self.drop_all(node, ply)?;
        let in_danger = usize::from(node.field.tallest()) + 2 > HEIGHT;
        let opponents_end = self.opponents_end(&node.line, ply);
        let mut best = LOSS + PLY * ply as i64;
        for child in Child::all(&node.field, node.line.gauge, &self.buffer) {
            if in_danger && child.field.is_over() {
                continue;
            }
            let value = match opponents_end {
                Some(value) => value,
                None => {
                    let (unattacked, attacked) = self.outcomes(node, &child, ply);
                    let leaf = |line| self.leaf(OwnNode { field: child.field, line }, ply + 1);
                    attacked.into_iter().map(leaf).fold(leaf(unattacked), OjamaHundredths::min)
                }
            };
            best = best.max(value);
            if best >= beta {
                break;
            }
        }
        Some(best)
    }

    /// Returns the value of the end of a line, after its last row has fallen.
    fn leaf(&self, mut node: OwnNode, plies: usize) -> OjamaHundredths {
        node.let_rain(plies);
        self.request.context.value(&node.field, &node.line, plies, self.answers)
    }
}

/// Returns `gauge` less `points`, at least 0.
fn drained(gauge: Gauge, points: u16) -> Gauge {
    let left = u16::from(gauge.get()).saturating_sub(points);
    Gauge::new(left as u8).unwrap_or(gauge)
}

#[cfg(test)]
mod tests;
