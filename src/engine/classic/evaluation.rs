//! What the end of a line of the exhaustive search is worth.
//!
//! The row that is due after the last ply has fallen already: it counts among what stands on the
//! field and for the danger line (seed).

use super::kill::{self, Kill, Victim};
use super::opponent::Rows;
use super::parameters::Weights;
use crate::board::Field;
use crate::game::{Cells, Chain, Explosion, Gauge, HEIGHT, Number, OJAMA_ROW, Player, Stock};

/// Hundredths of an ojama: whole numbers, so that sums do not depend on their order.
pub type Value = i64;

/// An ojama.
pub const OJAMA: Value = 100;

/// More than any line that has not ended. A win counts this less the plies until it; the author's
/// bot does the same.
pub const WIN: Value = 1_000_000_000_000_000;

/// The opposite.
pub const LOSS: Value = -WIN;

/// What a ply later takes from a win, or adds to a loss: more than all else together.
pub const PLY: Value = 10_000_000_000_000;

/// Seed: 1e10 - 1e7 x the turn of the sending.
const SURE_KILL: [Value; 2] = [10_000_000_000 * OJAMA, 10_000_000 * OJAMA];

/// Seed: 1e9 - 1e6 x the turn of the sending.
const NEAR_KILL: [Value; 2] = [1_000_000_000 * OJAMA, 1_000_000 * OJAMA];

/// A gauge from which the opponent's skill is feared (seed: 56, four turns from use).
const FEARED_GAUGE: u8 = 56;

/// Turns in which an attack of the opponent below [`EARLY_ATTACK`] is not believed (seed: 20).
const EARLY_TURNS: usize = 20;

/// Chains of nine and less send up to 18 (seed); published: below 20.
const EARLY_ATTACK: Stock = 20;

/// With so many ojama on our field at most, small attacks of the opponent are not believed (seed).
const CALM_FIELD: u32 = 70;

/// What a chain of eight sends, and what hardly harms the opponent (seed: 8 chains; 15 ojama).
const SMALL_ATTACK: Stock = 15;

/// The chain that a small chain is longer than: chains of three serve to drain the gauge (seed).
const DRAINING: Chain = Chain(3);

/// Ojama on the opponent's field: none, and few (published: 0 and 20).
const FEW_OJAMA: [u32; 2] = [0, 20];

/// We have not attacked in a line if we have sent less (published).
const ATTACKED: Stock = 10;

/// What a line of the search has done so far, except to our field.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Line {
    /// Our stock less the opponent's.
    pub net: i64,
    /// Our gauge.
    pub gauge: Gauge,
    /// The opponent's gauge, at the most.
    pub rival_gauge: Gauge,
    /// When rows have fallen on the opponent.
    pub rows: Rows,
    /// Whether it may have used its skill.
    pub may_have_used: bool,
    /// Blocks that its skill could blow up, at the most.
    pub rival_explosion: u16,
    /// Of what it was assumed to send, what came from the skill alone, at the most.
    pub skill_gain: Stock,
    /// Ojama on our field.
    pub ojama: u32,
    /// Ojama that we have sent.
    pub sent: Stock,
    /// The most sent at once, and its ply.
    pub largest: (Stock, u8),
    /// Our longest chain.
    pub longest: Chain,
    /// Ojama that the opponent was assumed to send, and the ply, from 1, at which it did; 0 for
    /// none.
    pub attacked: (Stock, u8),
    /// What it was assumed to take from our gauge.
    pub drained: u16,
    /// Plies at which it could attack, and at which it was assumed not to.
    pub chances: u8,
    /// See `chances`.
    pub spared: u8,
}

/// What does not change in a search.
#[derive(Clone, Debug)]
pub struct Ground {
    weights: Weights,
    turn: usize,
    /// Ojama on the opponent's field at the start.
    rival_ojama: u32,
    /// See [`kill::lethal`].
    lethal: Stock,
    /// Chains have been given up for the skill.
    skill_mode: bool,
}

impl Ground {
    /// The ground of a turn's search.
    pub fn new(
        weights: Weights,
        turn: usize,
        opponent: &Player<Field>,
        cells: &Cells,
        skill_mode: bool,
    ) -> Self {
        let rival_ojama = opponent.field.ojama();
        Self { weights, turn, rival_ojama, lethal: kill::lethal(cells), skill_mode }
    }

    /// What kills the opponent at the start.
    pub const fn lethal(&self) -> Stock {
        self.lethal
    }

    /// Whether the kill of a line's end is sure, near or none.
    pub fn kill(&self, line: &Line) -> Option<Kill> {
        let fallen = OJAMA_ROW * Stock::from(line.rows.count_ones());
        let victim = Victim {
            stock: (-line.net).max(0) as Stock,
            lethal: self.lethal.saturating_sub(fallen),
            gauge: line.rival_gauge,
            explosion: line.rival_explosion,
        };
        victim.kill()
    }

    /// The value of a line's end. `answers` is what the plan sends back, by the ply (from 1) at
    /// which the opponent has attacked it, if this line begins with the plan's move.
    #[inline]
    pub fn value(
        &self,
        field: &Field,
        line: &Line,
        plies: usize,
        answers: Option<&[Stock; 5]>,
    ) -> Value {
        let weights = &self.weights;
        let mut value = self.stocks(line, plies, answers);
        // Ojama never vanish: those on the fields are counted, not looked at.
        let fallen = OJAMA_ROW as u32 * line.rows.count_ones();
        value += OJAMA * (i64::from(self.rival_ojama + fallen) - i64::from(line.ojama));
        if weights.edge_five != 0.0 {
            value -= hundredths(weights.edge_five) * edge_fives(&field.to_cells());
        }
        value += self.own_skill(field, line) - self.rivals_skill(line);
        value += self.heights(field, line);
        if line.longest > DRAINING {
            value += self.small_chain(line.longest);
        }
        value += hundredths(weights.may_attack) * Value::from(line.chances)
            + hundredths(weights.spared) * Value::from(line.spared);
        value + self.kills(line)
    }

    /// What waits to fall, and what the attacks of the line are thought to be worth.
    fn stocks(&self, line: &Line, plies: usize, answers: Option<&[Stock; 5]>) -> Value {
        let weights = &self.weights;
        let row = OJAMA_ROW as i64;
        let waiting = -line.net;
        let mut value = waiting / row * row * OJAMA + waiting % row * hundredths(weights.units);
        let small = hundredths(weights.small_attack);
        let (attacked, ply) = line.attacked;
        // Nobody attacks with so little so early: what the line fears is given back.
        if attacked > 0 && self.turn + plies <= EARLY_TURNS && attacked < EARLY_ATTACK {
            value += hundredths(weights.early_attack);
        } else if attacked > 0 && line.ojama <= CALM_FIELD && attacked <= SMALL_ATTACK {
            value += small * attacked as Value;
        }
        // Attacked before it could attack, the plan answers.
        if let Some(answers) = answers.filter(|_| line.sent < ATTACKED && ply > 0) {
            let more = answers[usize::from(ply)].saturating_sub(line.sent);
            value += OJAMA * more as Value;
        }
        if line.sent <= SMALL_ATTACK {
            value -= small * line.sent as Value;
        }
        value
    }

    /// What our skill would send, the more the fuller the gauge.
    fn own_skill(&self, field: &Field, line: &Line) -> Value {
        if !self.skill_mode && line.ojama < self.weights.skill_from_ojama {
            return 0;
        }
        let sent = OJAMA * field.explosion().ojama() as Value;
        if line.gauge.allows_skill() {
            return sent;
        }
        let part = sent * Value::from(line.gauge.get() + 1) / Value::from(Gauge::SKILL + 1);
        if self.skill_mode { part } else { weighed(part, self.weights.skill_while_building) }
    }

    /// What the opponent's skill would send.
    fn rivals_skill(&self, line: &Line) -> Value {
        let gauge = line.rival_gauge.get();
        if gauge < FEARED_GAUGE {
            return 0;
        }
        let sent = OJAMA * Explosion(line.rival_explosion.min(190) as u8).ojama() as Value;
        let feared = if line.rival_gauge.allows_skill() {
            sent
        } else {
            let part = sent * Value::from(gauge) / Value::from(Gauge::SKILL);
            weighed(part, self.weights.unready_skill)
        };
        // What the line has let it send by the skill already is not feared twice (published).
        (feared - OJAMA * line.skill_gain as Value).max(0)
    }

    /// Blocks in the highest rows, for as long as no skill can take them away (published).
    fn heights(&self, field: &Field, line: &Line) -> Value {
        let (row_15, row_16, danger) = self.weights.high;
        let lowest = if row_15 != 0.0 || row_16 != 0.0 { HEIGHT - 1 } else { HEIGHT + 1 };
        if line.gauge.allows_skill() || usize::from(field.tallest()) < lowest {
            return 0;
        }
        let columns_of = |row: usize| {
            let heights = field.heights();
            heights.iter().filter(|&&height| usize::from(height) >= row).count() as Value
        };
        hundredths(row_15) * columns_of(HEIGHT - 1)
            + hundredths(row_16) * columns_of(HEIGHT)
            + hundredths(danger) * columns_of(HEIGHT + 1)
    }

    fn small_chain(&self, longest: Chain) -> Value {
        let weights = &self.weights;
        let (first, second) = weights.small_chain_most;
        if self.rival_ojama <= FEW_OJAMA[0] && longest <= first {
            hundredths(weights.small_chain.0)
        } else if self.rival_ojama <= FEW_OJAMA[1] && longest <= second {
            hundredths(weights.small_chain.1)
        } else {
            0
        }
    }

    fn kills(&self, line: &Line) -> Value {
        let [base, later] = match self.kill(line) {
            None => return 0,
            Some(Kill::Sure) => SURE_KILL,
            Some(Kill::Near) => NEAR_KILL,
        };
        // The turn in which most was sent; what waited at the start was sent before.
        let ply = if line.largest.0 >= OJAMA_ROW { usize::from(line.largest.1) } else { 0 };
        base - later * (self.turn + ply) as Value
    }
}

/// Ojama in the unit of values, hundredths.
pub fn hundredths(ojama: f64) -> Value {
    (ojama * OJAMA as f64).round() as Value
}

/// A part of a value.
fn weighed(value: Value, part: f64) -> Value {
    value * (part * 100.0).round() as Value / 100
}

/// Fives in the outer columns.
fn edge_fives(field: &Cells) -> Value {
    let outer = [field.columns().first(), field.columns().last()];
    let cells = outer.into_iter().flatten().flatten();
    cells.filter(|cell| cell.number() == Some(Number::FIVE)).count() as Value
}

#[cfg(test)]
mod tests;
