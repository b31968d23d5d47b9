//! The value of the game at the end of a line of the alpha-beta search, in tenths of an ojama, for
//! the first player.
//!
//! The terms follow y.s.'s account of his bot: the ojama that wait and that have fallen, the ojama
//! that the skills could send, and whether the waiting ojama are enough to kill.

use crate::board::Field;
use crate::game::{
    Explosion, Gauge, HEIGHT, OJAMA_ROW, Player, Seat, Stock, Verdict, WIDTH, judge_scores,
};
use crate::search::OjamaTenths;

/// More than any value that is not a win. A win after `n` plies counts `WIN - n`.
pub const WIN: OjamaTenths = OjamaTenths(1_000_000_000);

/// Less than any value that is not a loss. A loss after `n` plies counts `LOSS + n`.
pub const LOSS: OjamaTenths = OjamaTenths(-WIN.0);

/// The value of a win after `plies` plies.
pub const fn win_after(plies: usize) -> OjamaTenths {
    OjamaTenths(WIN.0 - plies as i64)
}

/// The value of a loss after `plies` plies.
pub const fn loss_after(plies: usize) -> OjamaTenths {
    OjamaTenths(LOSS.0 + plies as i64)
}

/// Tenths of an ojama in an ojama.
const OJAMA: i64 = 10;

/// The ojama of a stock beyond its full rows are worth `1 / UNITS_DIVISOR` of the ojama of a row,
/// because they do not fall without further ojama (y.s.).
const UNITS_DIVISOR: i64 = 5;

/// The value of a stock that is enough to kill us, if the opponent's skill has sent it.
const DEATH_BY_SKILL: i64 = 100_000;

/// The value of a stock that is enough to kill the opponent, or us if no skill has sent it. The
/// victim may still offset its stock after the plies of the alpha-beta search: the rows take up to
/// 16 turns to fall, and the plan may hold a longer chain than the attack. Counted as a death by the
/// skill, it delays an attack while a longer one is in sight, and gives up a plan for four turns
/// without a threat. Experiments D-04, D-08 and E-59; a position in `tests/situations/lost`.
const DEATH: i64 = 1000;

/// The value of a stock that nearly kills a player. Counted as a tenth of a death by the skill, it
/// overrules plans that counterattack in time, because the rows take 13 turns to fall. Experiment D-08.
const NEAR_DEATH: i64 = 100;

/// With at most this many rows short of death, a player is nearly dead (y.s.: 30 ojama).
const NEARLY_FULL_ROWS: i64 = 3;

/// The least gauge at which the opponent's skill counts: three chains before its use (y.s.).
const FEARED_GAUGE: u8 = 56;

/// The least gauge at which our skill counts. A leaf below it takes half the time.
const HOPED_GAUGE: u8 = 40;

/// The state of both players at the root of the alpha-beta search, with which leaves are compared.
#[derive(Clone, Copy, Debug)]
pub struct Balance {
    own_ojama: i64,
    own_rows: i64,
    opponents_rows: i64,
    opponents_explosion: Stock,
    scores: [u64; 2],
}

/// The end of a line.
#[derive(Clone, Copy, Debug)]
pub struct Leaf<E> {
    /// Ojama on our field.
    pub ojama: i64,
    /// Computes the explosion of our skill; called only if the gauge is high enough.
    pub explosion: E,
    /// Our gauge.
    pub gauge: Gauge,
    /// The opponent's gauge.
    pub opponents_gauge: Gauge,
    /// Our stock minus the opponent's: one of them is 0.
    pub net: i64,
    /// Rows that have fallen on the opponent in this line.
    pub opponents_rows: u32,
    /// Whether the opponent has used its skill in this line.
    pub is_attacked_by_skill: bool,
}

impl Balance {
    /// The balance at the root of the alpha-beta search.
    pub fn new(own: &Player<Field>, opponent: &Player<Field>) -> Self {
        Self {
            own_ojama: own.field.ojama().into(),
            own_rows: rows_of_ojama(&own.field),
            opponents_rows: rows_of_ojama(&opponent.field),
            opponents_explosion: opponent.field.explosion().ojama(),
            scores: [own.score, opponent.score],
        }
    }

    /// Returns the value of a ply at which both players die, by the scores at the root.
    pub fn mutual_end(&self) -> OjamaTenths {
        match judge_scores(self.scores) {
            Verdict::Draw => OjamaTenths(0),
            // Half of a sure win or loss, because chains of the line may have turned the scores.
            Verdict::Win(Seat::First) => OjamaTenths(WIN.0 / 2),
            Verdict::Win(Seat::Second) => OjamaTenths(LOSS.0 / 2),
        }
    }

    /// Returns the value of the end of a line.
    pub fn value<E: Fn() -> Explosion>(&self, leaf: &Leaf<E>) -> OjamaTenths {
        let fallen_on_us = leaf.ojama - self.own_ojama;
        let fallen_on_opponent = i64::from(leaf.opponents_rows) * OJAMA_ROW as i64;
        let own_death = if leaf.is_attacked_by_skill { DEATH_BY_SKILL } else { DEATH };
        let tenths = waiting(-leaf.net)
            + OJAMA * (fallen_on_opponent - fallen_on_us)
            + death_value(-leaf.net, self.opponents_rows + i64::from(leaf.opponents_rows), DEATH)
            - death_value(leaf.net, self.own_rows + fallen_on_us / WIDTH as i64, own_death)
            + skill_hope(&leaf.explosion, leaf.gauge)
            - skill_fear(self.opponents_explosion, leaf.opponents_gauge);
        OjamaTenths(tenths)
    }
}

/// Returns the value of `ojama` that wait to fall on the opponent, or on us if negative.
const fn waiting(ojama: i64) -> i64 {
    let row = OJAMA_ROW as i64;
    OJAMA * (ojama / row * row) + OJAMA * (ojama % row) / UNITS_DIVISOR
}

/// Returns the value, for the other player, of `waiting` ojama in the stock of a player whose
/// tallest pile of ojama has `rows` rows: `dead` if they are enough to kill it. Ojama never
/// vanish: with 16 rows, the player loses unless it offsets the stock first.
const fn death_value(waiting: i64, rows: i64, dead: i64) -> i64 {
    let short = HEIGHT as i64 - rows - waiting / OJAMA_ROW as i64;
    if short <= 0 {
        dead
    } else if short <= NEARLY_FULL_ROWS {
        NEAR_DEATH
    } else {
        0
    }
}

/// Returns the most ojama in one column of `field`.
fn rows_of_ojama(field: &Field) -> i64 {
    let cells = field.to_cells();
    let count = |column: &[crate::game::Cell]| {
        column.iter().filter(|&&cell| cell == crate::game::Cell::Ojama).count() as i64
    };
    cells.columns().iter().map(|column| count(column)).max().unwrap_or(0)
}

/// Returns the value of the ojama that our skill may send, which grows with the gauge (y.s.).
fn skill_hope(explosion: impl Fn() -> Explosion, gauge: Gauge) -> i64 {
    if gauge.get() < HOPED_GAUGE {
        return 0;
    }
    let sent = explosion().ojama() as i64;
    if gauge.allows_skill() {
        OJAMA * sent
    } else {
        OJAMA * sent * i64::from(1 + gauge.get()) / i64::from(1 + Gauge::SKILL) / 4
    }
}

/// Returns the value of the `sent` ojama of the opponent's skill: at most a fifth of it while the
/// skill is not ready (y.s.).
fn skill_fear(sent: Stock, gauge: Gauge) -> i64 {
    let sent = sent as i64;
    match gauge.get() {
        ..FEARED_GAUGE => 0,
        FEARED_GAUGE..Gauge::SKILL => {
            OJAMA * sent * i64::from(gauge.get()) / i64::from(Gauge::SKILL) / 5
        }
        Gauge::SKILL.. => OJAMA * sent,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ojama_beyond_full_rows_count_a_fifth() {
        assert_eq!([9, 10, 25, -10].map(waiting), [18, 100, 210, -100]);
    }

    #[test]
    fn death_needs_all_rows_above_the_ojama() {
        assert_eq!(
            [160, 159, 130, 129].map(|waiting| death_value(waiting, 0, DEATH_BY_SKILL)),
            [100_000, 100, 100, 0]
        );
        assert_eq!(death_value(100, 6, DEATH_BY_SKILL), 100_000);
        assert_eq!(death_value(100, 6, DEATH), 1000);
        assert_eq!(death_value(-100, 6, DEATH_BY_SKILL), 0);
    }

    #[test]
    fn ojama_of_chains_that_bury_us_can_still_be_offset() {
        let balance = Balance::new(&Player::new(), &Player::new());
        let buried = |net: i64, is_attacked_by_skill| {
            let (gauge, opponents_gauge) = (Gauge::default(), Gauge::default());
            let explosion = Explosion::default;
            balance.value(&Leaf {
                ojama: 0,
                explosion,
                gauge,
                opponents_gauge,
                net,
                opponents_rows: 0,
                is_attacked_by_skill,
            })
        };
        assert_eq!(buried(160, false), OjamaTenths(-1600 - DEATH));
        assert_eq!(buried(160, true), OjamaTenths(-1600 - DEATH_BY_SKILL));
        assert_eq!(buried(-160, false), OjamaTenths(1600 + DEATH), "as the opponent's burial");
    }
}
