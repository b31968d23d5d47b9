//! The value of a game at the end of an alpha-beta's line, in tenths of an ojama, for the first player.
//!
//! The terms follow the main seed document: what waits to fall and what has fallen, what the
//! skills could send, and whether what waits is enough to kill.

use crate::board::Field;
use crate::game::{
    Explosion, Gauge, HEIGHT, OJAMA_ROW, Player, Stock, Verdict, WIDTH, judge_scores,
};

/// More than any value that is not a win. A win counts this less the plies until it.
pub const WIN: i64 = 1_000_000_000;

/// Less than any value that is not a loss. A loss counts this and the plies until it.
pub const LOSS: i64 = -WIN;

/// Tenths of an ojama in an ojama.
const OJAMA: i64 = 10;

/// Single ojama in a stock are worth a fifth of those that make up a row: alone they never fall
/// (main seed).
const UNITS_DIVISOR: i64 = 5;

/// What waits to fall suffices to bury a player for good.
const BURIED: i64 = 100_000;

/// So many rows less than that, and the player is as good as buried (main seed: 30 ojama).
const NEARLY: i64 = 3;

/// The opponent's burial counts so many times less than ours: what waits for it, it may still
/// offset after the plies that an alpha-beta sees, as bots do with longer chains than the attack. Counted
/// in full, an attack of 18 chains was put off for five turns, since longer ones were always in
/// observation, and one of 22 answered with 23 (`tests/situations/lost`).
const HOPED_BURIAL: i64 = 100;

/// A gauge from which the opponent's skill is to be feared: three chains from use (main seed).
const FEARED_GAUGE: u8 = 56;

/// A gauge below which our skill is too far off to be counted; it saves a leaf half its time.
const HOPED_GAUGE: u8 = 40;

/// What both players had when the alpha-beta search began, against which its leaves are weighed.
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
    /// What our skill would blow up; asked for only where the gauge makes it matter.
    pub explosion: E,
    /// Our gauge.
    pub gauge: Gauge,
    /// The opponent's gauge.
    pub opponents_gauge: Gauge,
    /// Our stock minus the opponent's: one of them is 0.
    pub net: i64,
    /// Rows that have fallen on the opponent in this line.
    pub opponents_rows: u32,
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

    /// The value of both players' end at the same ply, by the score so far.
    pub fn mutual_end(&self) -> i64 {
        match judge_scores(self.scores) {
            Verdict::Draw => 0,
            // Not worth a sure win or loss: chains of the line itself may have turned the score.
            Verdict::Win(seat) => WIN / 2 * if seat.index() == 0 { 1 } else { -1 },
        }
    }

    /// The value of a line's end.
    pub fn value<E: Fn() -> Explosion>(&self, leaf: &Leaf<E>) -> i64 {
        let fallen_on_us = leaf.ojama - self.own_ojama;
        let fallen_on_opponent = i64::from(leaf.opponents_rows) * OJAMA_ROW as i64;
        waiting(-leaf.net)
            + OJAMA * (fallen_on_opponent - fallen_on_us)
            + burial(-leaf.net, self.opponents_rows + i64::from(leaf.opponents_rows)) / HOPED_BURIAL
            - burial(leaf.net, self.own_rows + fallen_on_us / WIDTH as i64)
            + skill_hope(&leaf.explosion, leaf.gauge)
            - skill_fear(self.opponents_explosion, leaf.opponents_gauge)
    }
}

/// What ojama that wait for the opponent (or for us, if negative) are worth.
const fn waiting(ojama: i64) -> i64 {
    let row = OJAMA_ROW as i64;
    OJAMA * (ojama / row * row) + OJAMA * (ojama % row) / UNITS_DIVISOR
}

/// What it is worth that a player, with so many rows of ojama in its tallest heap, has so much
/// waiting for it. Ojama never vanish: with 16 rows and no room for more it is lost, whatever it
/// does, unless it sends back first.
const fn burial(waiting: i64, rows: i64) -> i64 {
    let short = HEIGHT as i64 - rows - waiting / OJAMA_ROW as i64;
    if short <= 0 {
        BURIED
    } else if short <= NEARLY {
        BURIED / 10
    } else {
        0
    }
}

/// The most ojama in a column.
fn rows_of_ojama(field: &Field) -> i64 {
    let cells = field.to_cells();
    let count = |column: &[crate::game::Cell]| {
        column.iter().filter(|&&cell| cell == crate::game::Cell::Ojama).count() as i64
    };
    cells.columns().iter().map(|column| count(column)).max().unwrap_or(0)
}

/// What our skill may send, the more the fuller the gauge (main seed).
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

/// What the opponent's skill may send: a fifth while it is not ready (main seed).
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
    fn single_ojama_count_little() {
        assert_eq!([9, 10, 25, -10].map(waiting), [18, 100, 210, -100]);
    }

    #[test]
    fn burial_needs_as_many_rows_as_there_is_room() {
        assert_eq!(
            [160, 159, 130, 129].map(|waiting| burial(waiting, 0)),
            [100_000, 10_000, 10_000, 0]
        );
        assert_eq!(burial(100, 6), 100_000);
        assert_eq!(burial(-100, 6), 0);
    }
}
