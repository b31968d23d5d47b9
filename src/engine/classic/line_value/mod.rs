//! The value of the end of a line of the exhaustive search.
//!
//! The row that is due after the last ply has already fallen: it counts among the ojama on the
//! field and for the danger line (y.s.).

use super::kill::{self, Kill, Victim};
use super::presets::LeafWeights;
use crate::board::Field;
use crate::game::{Cells, Chain, Explosion, Gauge, HEIGHT, Number, OJAMA_ROW, Player, Stock};
use crate::search::{Ojama, OjamaHundredths, Rain};

/// The value of one ojama.
pub const OJAMA: OjamaHundredths = OjamaHundredths::of_ojama(1);

/// No value.
const ZERO: OjamaHundredths = OjamaHundredths(0);

/// The value of a win now, above the value of any line that has not ended. A win is worth this
/// minus [`PLY`] for each ply until it; y.s.'s bot does the same.
pub const WIN: OjamaHundredths = OjamaHundredths(1_000_000_000_000_000);

/// The value of a loss now.
pub const LOSS: OjamaHundredths = OjamaHundredths(-WIN.0);

/// Subtracted from a win, or added to a loss, for each ply until it; above all other terms
/// together.
pub const PLY: OjamaHundredths = OjamaHundredths(10_000_000_000_000);

/// The value of a sure kill, and its decrease by turn (y.s.: 1e10 - 1e7 x the turn of the sending).
const SURE_KILL: [OjamaHundredths; 2] =
    [OjamaHundredths::of_ojama(10_000_000_000), OjamaHundredths::of_ojama(10_000_000)];

/// The value of a near kill, and its decrease by turn (y.s.: 1e9 - 1e6 x the turn of the sending).
const NEAR_KILL: [OjamaHundredths; 2] =
    [OjamaHundredths::of_ojama(1_000_000_000), OjamaHundredths::of_ojama(1_000_000)];

/// The gauge from which the opponent's skill counts (y.s.: 56, four turns from use).
const FEARED_GAUGE: u8 = 56;

/// Turns in which an attack of the opponent below [`EARLY_ATTACK`] does not count (y.s.: 20).
const EARLY_TURNS: usize = 20;

/// Attacks of fewer ojama are small in the first turns: chains of up to 9 send up to 18 ojama
/// (y.s.); published: below 20.
const EARLY_ATTACK: Stock = 20;

/// With at most this many ojama on our field, small attacks of the opponent do not count (y.s.).
const FEW_FIELD_OJAMA: u32 = 70;

/// The largest attack that counts as small, in ojama: a chain of 8, which does little harm (y.s.: a
/// chain of 8; 15 ojama).
const SMALL_ATTACK: Stock = 15;

/// Chains up to this length have no penalty: chains of three serve to drain the gauge (y.s.).
const DRAINING: Chain = Chain(3);

/// The most ojama on the opponent's field that count as none and as few (published: 0 and 20).
const FEW_OJAMA: [u32; 2] = [0, 20];

/// A line in which we have sent fewer ojama than this counts as one without our attack (published).
const ATTACKED: Stock = 10;

/// The state of a line of the search, except our field.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LineState {
    /// Our stock minus the opponent's.
    pub net: i64,
    /// Our gauge.
    pub gauge: Gauge,
    /// The opponent's highest possible gauge.
    pub opponents_gauge: Gauge,
    /// The plies at which rows have fallen on the opponent.
    pub rain: Rain,
    /// Whether the opponent may have used its skill.
    pub may_have_used: bool,
    /// The most blocks that the opponent's skill could blow up.
    pub opponents_explosion: u16,
    /// The most ojama that the opponent's skill added to its assumed attacks.
    pub skill_gain: Stock,
    /// Ojama on our field.
    pub ojama: u32,
    /// Ojama that we have sent.
    pub sent: Stock,
    /// The most ojama that we have sent at once, and the ply.
    pub largest: (Stock, u8),
    /// Our longest chain.
    pub longest: Chain,
    /// Ojama that the opponent was assumed to send, and the ply, from 1, of its attack; 0 for none.
    pub attacked: (Stock, u8),
    /// Points that the opponent was assumed to take from our gauge.
    pub drained: u16,
    /// Plies at which the opponent could attack.
    pub chances: u8,
    /// Plies among `chances` at which the opponent was assumed not to attack.
    pub spared: u8,
}

/// The inputs of the value that are constant during a search.
#[derive(Clone, Debug)]
pub struct EvaluationContext {
    weights: LeafWeights,
    turn: usize,
    /// Ojama on the opponent's field at the start.
    opponents_ojama: u32,
    /// See [`kill::lethal`].
    lethal: Stock,
    /// Whether chains have been given up for the skill.
    skill_mode: bool,
}

impl EvaluationContext {
    /// Creates the context of a turn's search. `cells` is the opponent's field.
    pub fn new(
        weights: LeafWeights,
        turn: usize,
        opponent: &Player<Field>,
        cells: &Cells,
        skill_mode: bool,
    ) -> Self {
        let opponents_ojama = opponent.field.ojama();
        Self { weights, turn, opponents_ojama, lethal: kill::lethal(cells), skill_mode }
    }

    /// Returns the ojama that kill the opponent at the start.
    pub const fn lethal(&self) -> Stock {
        self.lethal
    }

    /// Returns the kill at the end of `line`: sure, near or none.
    pub fn kill(&self, line: &LineState) -> Option<Kill> {
        let fallen = OJAMA_ROW * Stock::from(line.rain.rows_from(0));
        let victim = Victim {
            stock: (-line.net).max(0) as Stock,
            lethal: self.lethal.saturating_sub(fallen),
            gauge: line.opponents_gauge,
            explosion: line.opponents_explosion,
        };
        victim.kill()
    }

    /// Returns the value of the end of `line`. `answers` is present if the line begins with the
    /// plan's or the beam's move: the ojama of the counterattack, by the ply (from 1) of the
    /// opponent's attack.
    #[inline]
    pub fn value(
        &self,
        field: &Field,
        line: &LineState,
        plies: usize,
        answers: Option<&[Stock; 5]>,
    ) -> OjamaHundredths {
        let weights = &self.weights;
        let mut value = self.stocks(line, plies, answers);
        // Ojama never vanish, so the ojama on both fields follow from the rows that fell.
        let fallen = OJAMA_ROW as u32 * line.rain.rows_from(0);
        value += OJAMA * (i64::from(self.opponents_ojama + fallen) - i64::from(line.ojama));
        if weights.edge_five != 0.0 {
            value -= hundredths(weights.edge_five) * edge_fives(&field.to_cells());
        }
        value += self.own_skill(field, line) - self.opponents_skill(line);
        value += self.heights(field, line);
        if line.longest > DRAINING {
            value += self.small_chain(line.longest);
        }
        value += hundredths(weights.may_attack) * i64::from(line.chances)
            + hundredths(weights.spared) * i64::from(line.spared);
        value + self.kills(line)
    }

    /// The value of the stocks, and the corrections for the attacks of the line.
    fn stocks(
        &self,
        line: &LineState,
        plies: usize,
        answers: Option<&[Stock; 5]>,
    ) -> OjamaHundredths {
        let weights = &self.weights;
        let row = OJAMA_ROW as i64;
        let waiting = -line.net;
        let mut value = OJAMA * (waiting / row * row) + hundredths(weights.units) * (waiting % row);
        let small = hundredths(weights.small_attack);
        let (attacked, ply) = line.attacked;
        // Players do not attack with few ojama in the first turns, so the line's loss is given
        // back.
        if attacked > 0 && self.turn + plies <= EARLY_TURNS && attacked < EARLY_ATTACK {
            value += hundredths(weights.early_attack);
        } else if attacked > 0 && line.ojama <= FEW_FIELD_OJAMA && attacked <= SMALL_ATTACK {
            value += small * attacked as i64;
        }
        // The opponent attacks before the plan does: the plan counterattacks.
        if let Some(answers) = answers.filter(|_| line.sent < ATTACKED && ply > 0) {
            let more = answers[usize::from(ply)].saturating_sub(line.sent);
            value += OJAMA * more as i64;
        }
        if line.sent <= SMALL_ATTACK {
            value -= small * line.sent as i64;
        }
        value
    }

    /// The ojama that our skill would send, scaled by the gauge.
    fn own_skill(&self, field: &Field, line: &LineState) -> OjamaHundredths {
        if !self.skill_mode && line.ojama < self.weights.skill_from_ojama {
            return ZERO;
        }
        let sent = OJAMA * field.explosion().ojama() as i64;
        if line.gauge.allows_skill() {
            return sent;
        }
        let part = sent.scaled(i64::from(line.gauge.get()) + 1, i64::from(Gauge::SKILL) + 1);
        if self.skill_mode { part } else { weighed(part, self.weights.skill_while_building) }
    }

    /// The ojama that the opponent's skill would send.
    fn opponents_skill(&self, line: &LineState) -> OjamaHundredths {
        let gauge = line.opponents_gauge.get();
        if gauge < FEARED_GAUGE {
            return ZERO;
        }
        let sent = OJAMA * Explosion(line.opponents_explosion.min(190) as u8).ojama() as i64;
        let feared = if line.opponents_gauge.allows_skill() {
            sent
        } else {
            let part = sent.scaled(gauge.into(), Gauge::SKILL.into());
            weighed(part, self.weights.unready_skill)
        };
        // Ojama that the skill has already sent in the line do not count twice (published).
        (feared - OJAMA * line.skill_gain as i64).max(ZERO)
    }

    /// The penalty of blocks in the highest rows, while our skill is not ready to remove them
    /// (published).
    fn heights(&self, field: &Field, line: &LineState) -> OjamaHundredths {
        let (row_15, row_16, danger) = self.weights.high;
        let lowest = if row_15 != 0.0 || row_16 != 0.0 { HEIGHT - 1 } else { HEIGHT + 1 };
        if line.gauge.allows_skill() || usize::from(field.tallest()) < lowest {
            return ZERO;
        }
        let columns_of = |row: usize| {
            let heights = field.heights();
            heights.iter().filter(|&&height| usize::from(height) >= row).count() as i64
        };
        hundredths(row_15) * columns_of(HEIGHT - 1)
            + hundredths(row_16) * columns_of(HEIGHT)
            + hundredths(danger) * columns_of(HEIGHT + 1)
    }

    fn small_chain(&self, longest: Chain) -> OjamaHundredths {
        let weights = &self.weights;
        let (first, second) = weights.small_chain_most;
        if self.opponents_ojama <= FEW_OJAMA[0] && longest <= first {
            hundredths(weights.small_chain.0)
        } else if self.opponents_ojama <= FEW_OJAMA[1] && longest <= second {
            hundredths(weights.small_chain.1)
        } else {
            ZERO
        }
    }

    fn kills(&self, line: &LineState) -> OjamaHundredths {
        let [base, later] = match self.kill(line) {
            None => return ZERO,
            Some(Kill::Sure) => SURE_KILL,
            Some(Kill::Near) => NEAR_KILL,
        };
        // The turn of the largest attack; the stock at the start was sent before.
        let ply = if line.largest.0 >= OJAMA_ROW { usize::from(line.largest.1) } else { 0 };
        base - later * (self.turn + ply) as i64
    }
}

/// Converts a parameter in ojama to the scale of values.
pub fn hundredths(ojama: f64) -> OjamaHundredths {
    Ojama(ojama).into()
}

/// Multiplies `value` by `part`, to the nearest hundredth of `part`.
fn weighed(value: OjamaHundredths, part: f64) -> OjamaHundredths {
    value.scaled((part * 100.0).round() as i64, 100)
}

/// Counts the fives in the outer columns.
fn edge_fives(field: &Cells) -> i64 {
    let outer = [field.columns().first(), field.columns().last()];
    let cells = outer.into_iter().flatten().flatten();
    cells.filter(|cell| cell.number() == Some(Number::FIVE)).count() as i64
}

#[cfg(test)]
mod tests;
