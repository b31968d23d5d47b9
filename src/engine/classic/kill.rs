//! The number of ojama that kill a player, and whether a line ends in such a kill.

use serde::Serialize;

use crate::game::{Cell, Cells, Explosion, Gauge, HEIGHT, Number, OJAMA_ROW, Stock, WIDTH};

/// Ojama that fill an empty field: 160.
const FULL: Stock = (WIDTH * HEIGHT) as Stock;

/// A stock that is at most this many ojama short of the lethal number is a near kill (y.s.: 30).
const NEAR: Stock = 30;

/// Returns the number of ojama that kill a player unless it sends some of them back.
///
/// Ojama never vanish, and neither do blocks sealed in by them. A group of blocks, joined at sides
/// or corners, is sealed in if it touches only ojama, the walls and the ground, and holds no five
/// that the skill could set off. The column with the most ojama and sealed blocks sets the number
/// of rows that still fit (y.s.: 160 - 10 x b, with b such cells in that column). The published bot
/// also requires that the sealed blocks rest on ojama; the account does not.
pub fn lethal(field: &Cells) -> Stock {
    let sealed = sealed_in(field);
    let permanent = |x: usize| {
        let standing = 0..HEIGHT;
        standing.filter(|&y| field.columns()[x][y] == Cell::Ojama || sealed[x][y]).count() as Stock
    };
    let most = (0..WIDTH).map(permanent).max().unwrap_or(0);
    FULL.saturating_sub(OJAMA_ROW * most)
}

/// Marks the blocks that can never vanish, by column and row.
pub fn sealed_in(field: &Cells) -> [[bool; HEIGHT]; WIDTH] {
    let mut sealed = [[false; HEIGHT]; WIDTH];
    let mut seen = [[false; HEIGHT]; WIDTH];
    for x in 0..WIDTH {
        for y in 0..HEIGHT {
            if field.columns()[x][y].number().is_none() || seen[x][y] {
                continue;
            }
            let heap = Heap::around(field, (x, y), &mut seen);
            if !heap.may_vanish {
                heap.blocks.iter().for_each(|&(x, y)| sealed[x][y] = true);
            }
        }
    }
    sealed
}

/// A group of blocks joined at sides or corners.
struct Heap {
    blocks: Vec<(usize, usize)>,
    /// Whether the group holds a five, or touches an empty cell or the cells above row 16.
    may_vanish: bool,
}

impl Heap {
    fn around(field: &Cells, from: (usize, usize), seen: &mut [[bool; HEIGHT]; WIDTH]) -> Self {
        let mut heap = Self { blocks: vec![from], may_vanish: false };
        seen[from.0][from.1] = true;
        let mut next = 0;
        while let Some(&(x, y)) = heap.blocks.get(next) {
            next += 1;
            heap.may_vanish |= field.columns()[x][y].number() == Some(Number::FIVE);
            // The ground and the walls seal; the top does not.
            heap.may_vanish |= y + 1 >= HEIGHT;
            let (left, right) = (x.saturating_sub(1), (x + 1).min(WIDTH - 1));
            let (low, high) = (y.saturating_sub(1), (y + 1).min(HEIGHT - 1));
            for at in (left..=right).flat_map(|x| (low..=high).map(move |y| (x, y))) {
                match field.columns()[at.0][at.1] {
                    Cell::Empty => heap.may_vanish = true,
                    Cell::Block(_) if !seen[at.0][at.1] => {
                        seen[at.0][at.1] = true;
                        heap.blocks.push(at);
                    }
                    Cell::Block(_) | Cell::Ojama => {}
                }
            }
        }
        heap
    }
}

/// The certainty with which the opponent's stock kills the opponent.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kill {
    /// The opponent dies after each of its actions.
    Sure,
    /// The opponent very probably dies.
    Near,
}

/// The opponent at the end of a line.
#[derive(Clone, Copy, Debug)]
pub struct Victim {
    /// The opponent's stock.
    pub stock: Stock,
    /// Ojama that kill it: [`lethal`] at the start of the line, less the ojama that fell since.
    pub lethal: Stock,
    /// The opponent's gauge.
    pub gauge: Gauge,
    /// The most blocks that the opponent's skill could blow up.
    pub explosion: u16,
}

impl Victim {
    /// Returns whether the stock kills the opponent. Counterattacks are ignored: an opponent that
    /// could counterattack would have done so within the plies searched (y.s.).
    pub fn kill(&self) -> Option<Kill> {
        if self.stock < OJAMA_ROW || self.stock + NEAR < self.lethal {
            return None;
        }
        // Turns until the skill is ready: a turn with a chain adds 8.
        let missing = Gauge::SKILL.saturating_sub(self.gauge.get());
        let skill = Stock::from(missing.div_ceil(Gauge::CHARGE));
        let rows = self.lethal / OJAMA_ROW;
        if skill > rows {
            return Some(if self.stock >= self.lethal { Kill::Sure } else { Kill::Near });
        }
        // The opponent lives to use the skill, and uses it as late as it can. Until then each turn
        // may add one block beside a five, and each charge takes two away (published).
        let blocks = (Stock::from(self.explosion) + rows).saturating_sub(2 * skill);
        let back = Explosion(blocks.min(FULL) as u8).ojama();
        (self.stock >= back + self.lethal.saturating_sub(NEAR)).then_some(Kill::Near)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn field(drawing: &str) -> Cells {
        drawing.parse().unwrap()
    }

    #[test]
    fn each_row_of_ojama_lowers_the_lethal_number_by_ten() {
        assert_eq!(lethal(&Cells::EMPTY), 160);
        assert_eq!(lethal(&field("##########\n##########")), 140);
        assert_eq!(lethal(&field("#.........\n3#########\n##########")), 140, "two ojama, a block");
    }

    #[test]
    fn sealed_blocks_count_as_ojama() {
        let layer = |middle: &str| lethal(&field(&format!("##########\n{middle}\n##########")));
        assert_eq!(layer("3123412341"), 130, "from wall to wall");
        assert_eq!(layer("312#412341"), 130, "in two heaps");
        assert_eq!(layer("3125412341"), 140, "a five");
        assert_eq!(layer("312#512341"), 130, "a five in one of two");
        let opening = "##.#######\n3123412341\n##########";
        assert_eq!(lethal(&field(opening)), 140, "an opening");
        let open_top = "3.........\n".to_owned() + &"##........\n".repeat(15);
        assert_eq!(lethal(&field(&open_top)), 10, "the top does not seal");
    }

    fn victim(stock: Stock, lethal: Stock, gauge: u8, explosion: u16) -> Option<Kill> {
        Victim { stock, lethal, gauge: Gauge::new(gauge).unwrap(), explosion }.kill()
    }

    #[test]
    fn a_kill_is_sure_near_or_none() {
        assert_eq!(victim(90, 90, 0, 60), Some(Kill::Sure), "ten turns to the skill, nine rows");
        assert_eq!(victim(89, 90, 0, 60), Some(Kill::Near));
        assert_eq!(victim(59, 90, 0, 0), None);
        assert_eq!(victim(90, 90, 80, 0), Some(Kill::Near), "the skill sends back little");
        assert_eq!(victim(90, 90, 80, 60), None, "the skill sends 400 back");
        assert_eq!(victim(9, 10, 0, 0), None, "no row falls");
    }
}
