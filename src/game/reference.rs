//! The plain simulator: the rules as simple loops over cells.
//!
//! The referee plays by this simulator, and tests compare every faster encoding with it.

use super::hash::{self, CodePlanes};
use super::{
    Cell, Cells, Chain, Dropped, Exploded, Explosion, HEIGHT, Number, Pack, Placement, Potential,
    ROWS, Simulate, WIDTH,
};

/// A set of cells, by column from the left and row from the bottom; usually those that vanish.
pub type Marks = [[bool; ROWS]; WIDTH];

impl Cells {
    /// The number of blocks on the field, without ojama.
    pub fn blocks(&self) -> u32 {
        self.occupied().filter(|(_, _, cell)| cell.number().is_some()).count() as u32
    }

    /// The number of ojama on the field.
    pub fn ojama(&self) -> u32 {
        self.occupied().filter(|&(_, _, cell)| cell == Cell::Ojama).count() as u32
    }

    /// The blocks that the skill would blow up.
    pub fn explosion(&self) -> Explosion {
        count(&explosion_marks(self))
    }

    /// A hash of the cells, as [`mod@hash`] defines it: equal cells hash equally.
    pub fn hash(&self) -> u64 {
        let mut planes = CodePlanes::default();
        for (x, y, cell) in self.occupied() {
            let (group, bit) = hash::bit_of(x, y);
            for (plane, words) in planes.iter_mut().enumerate() {
                words[group] |= u64::from(hash::code(cell) >> plane & 1) << bit;
            }
        }
        hash::finish(&planes)
    }

    /// Lets one row of ojama fall, one on top of each column.
    ///
    /// # Panics
    /// If a column holds [`ROWS`] cells.
    pub fn rain(&mut self) {
        for x in 0..WIDTH {
            push(self, x, Cell::Ojama);
        }
    }

    /// Drops a pack and lets the chain run.
    ///
    /// # Panics
    /// If a column would hold more than [`ROWS`] cells.
    pub fn drop_pack(&self, pack: &Pack, placement: Placement) -> Dropped<Self> {
        let mut field = landed(self, pack, placement);
        let chain = run_chain(&mut field);
        Dropped { field, chain }
    }

    /// Uses the skill and lets the chain run.
    pub fn explode(&self) -> Exploded<Self> {
        let mut field = *self;
        let marks = explosion_marks(self);
        remove(&mut field, &marks);
        let chain = run_chain(&mut field);
        Exploded { field, explosion: count(&marks), chain }
    }

    /// Removes in turn each number block that has a block or ojama on it and an empty cell among
    /// its eight neighbours (inside the field's [`ROWS`] rows), and returns the longest chain.
    pub fn potential(&self) -> Potential {
        let mut best = Potential::default();
        let heights = self.heights();
        for (x, y, cell) in self.occupied() {
            let covered = y + 1 < usize::from(heights[x]);
            let exposed = neighbours(x, y).any(|(x, y)| self.columns()[x][y].is_empty());
            if cell.number().is_some() && covered && exposed {
                let mut field = *self;
                let mut marks = [[false; ROWS]; WIDTH];
                marks[x][y] = true;
                remove(&mut field, &marks);
                let mut left = field;
                let chain = run_chain(&mut left);
                if chain > best.chain {
                    let second = second_round(field).as_ref().map(marks_hash);
                    let near = near_pairs(&left);
                    best = Potential { chain, trigger: Some((x as u8, y as u8)), second, near };
                }
            }
        }
        best
    }

    /// Returns [`Self::potential`], and the chain of the potential after `rows` rows of ojama, or
    /// after fewer rows if the field's [`ROWS`] rows have no space for all of them.
    pub fn potential_after(&self, rows: u8) -> (Potential, Chain) {
        let mut later = *self;
        (0..rows.min(ROWS as u8 - self.tallest())).for_each(|_| later.rain());
        (self.potential(), later.potential().chain)
    }

    /// The height of the tallest column.
    pub fn tallest(&self) -> u8 {
        self.heights().into_iter().max().unwrap_or(0)
    }

    /// Whether a block stands in the danger line (row 17) or above it: at the end of a turn, the
    /// player has lost.
    pub fn is_over(&self) -> bool {
        usize::from(self.tallest()) > HEIGHT
    }
}

impl Simulate for Cells {
    fn from_cells(cells: &Cells) -> Self {
        *cells
    }

    fn to_cells(&self) -> Cells {
        *self
    }

    fn rain(&mut self) {
        self.rain();
    }

    fn drop_pack(&self, pack: &Pack, placement: Placement) -> Dropped<Self> {
        self.drop_pack(pack, placement)
    }

    fn explode(&self) -> Exploded<Self> {
        self.explode()
    }

    fn is_over(&self) -> bool {
        self.is_over()
    }
}

/// The field with a landed pack, before any block vanishes.
pub fn landed(field: &Cells, pack: &Pack, placement: Placement) -> Cells {
    let mut field = *field;
    let left = usize::from(placement.column.get());
    for (x, (lower, upper)) in (left..).zip(pack.columns(placement.rotation)) {
        for number in [lower, upper].into_iter().flatten() {
            push(&mut field, x, Cell::Block(number));
        }
    }
    field
}

/// Puts a cell on top of a column.
///
/// # Panics
/// If the column holds [`ROWS`] cells, which happens in no turn of a game.
pub fn push(field: &mut Cells, x: usize, cell: Cell) {
    let column = &mut field.columns_mut()[x];
    let top = column.iter().position(|cell| cell.is_empty()).expect("a column holds 19 cells");
    column[top] = cell;
}

/// Removes pairs round by round until none is left, and counts the rounds.
pub fn run_chain(field: &mut Cells) -> Chain {
    let mut chain = Chain(0);
    while let Some(pairs) = pairs(field) {
        chain.0 += 1;
        remove(field, &pairs);
    }
    chain
}

/// The blocks that vanish in the second round of the chain.
fn second_round(mut field: Cells) -> Option<Marks> {
    let first = pairs(&field)?;
    remove(&mut field, &first);
    pairs(&field)
}

/// See [`Potential::near`].
fn near_pairs(field: &Cells) -> u32 {
    let is_near = |(x, y, cell): (usize, usize, Cell)| {
        let upper = |x: usize| field.columns().get(x).and_then(|column| column.get(y + 2));
        let sums = |upper: &Cell| {
            cell.number().is_some_and(|number| *upper == Cell::Block(number.complement()))
        };
        let columns = [x.wrapping_sub(1), x, x + 1];
        columns.into_iter().filter_map(upper).filter(|&upper| sums(upper)).count() as u32
    };
    field.occupied().map(is_near).sum()
}

/// See [`hash::of_cells`].
fn marks_hash(marks: &Marks) -> u64 {
    let mut groups = [0; 4];
    for (x, column) in marks.iter().enumerate() {
        for y in (0..ROWS).filter(|&y| column[y]) {
            let (group, bit) = hash::bit_of(x, y);
            groups[group] |= 1 << bit;
        }
    }
    hash::of_cells(&groups)
}

/// The blocks that vanish in the next round of a chain; `None` if none do.
pub fn pairs(field: &Cells) -> Option<Marks> {
    let pairs = mark(field, |cell, neighbour| {
        cell.number().is_some_and(|n| neighbour == Cell::Block(n.complement()))
    });
    pairs.as_flattened().contains(&true).then_some(pairs)
}

/// The blocks that the skill blows up: fives, and blocks beside a five.
pub fn explosion_marks(field: &Cells) -> Marks {
    let five = Cell::Block(Number::FIVE);
    let mut marks = mark(field, |cell, neighbour| cell.number().is_some() && neighbour == five);
    for (x, y, cell) in field.occupied() {
        marks[x][y] |= cell == five;
    }
    marks
}

/// The number of marked blocks.
fn count(marks: &Marks) -> Explosion {
    Explosion(marks.as_flattened().iter().filter(|&&mark| mark).count() as u8)
}

/// Marks every cell that vanishes because of one of its eight neighbours.
#[inline]
fn mark(field: &Cells, vanishes: impl Fn(Cell, Cell) -> bool) -> Marks {
    let mut marks = [[false; ROWS]; WIDTH];
    for (x, y, cell) in field.occupied() {
        marks[x][y] = neighbours(x, y).any(|(x, y)| vanishes(cell, field.columns()[x][y]));
    }
    marks
}

/// The cells around a cell, at most eight.
#[inline]
fn neighbours(x: usize, y: usize) -> impl Iterator<Item = (usize, usize)> {
    const STEPS: [(isize, isize); 8] =
        [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)];
    STEPS.into_iter().filter_map(move |(right, up)| {
        let (x, y) = (x.checked_add_signed(right)?, y.checked_add_signed(up)?);
        (x < WIDTH && y < ROWS).then_some((x, y))
    })
}

/// Removes the marked cells; the cells above them fall.
pub fn remove(field: &mut Cells, marks: &Marks) {
    for (column, marks) in field.columns_mut().iter_mut().zip(marks) {
        let mut height = 0;
        // The compiler takes five seconds for this loop if it filters the rows. Experiment.
        for (y, is_marked) in marks.iter().enumerate() {
            if !is_marked {
                column[height] = column[y];
                height += 1;
            }
        }
        column[height..].fill(Cell::Empty);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Without the 4 the 9 falls on the 1; then the 3 lies beside the block in the next column. The
    /// 6 stays, two rows above two fours.
    #[test]
    fn a_potential_has_its_second_round_and_the_near_pairs_of_the_end() {
        let potential = |beside: char| {
            let field: Cells =
                format!("3.........\n9.......6.\n4.......1.\n1{beside}......44\n").parse().unwrap();
            field.potential()
        };
        let trigger = Some((0, 1));
        let second = Some(hash::of_cells(&[1, 1, 0, 0]));
        let near = 2;
        assert_eq!(potential('7'), Potential { chain: Chain(2), trigger, second, near });
        assert_eq!(potential('8'), Potential { chain: Chain(1), trigger, second: None, near });
    }
}
