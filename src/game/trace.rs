//! A player's half of a turn, step by step.
//!
//! [`Player::step`] returns the result of an action; this module returns the steps in between,
//! computed by the same plain simulator.

use super::reference::{self, Marks, explosion_marks, remove};
use super::{Action, Cells, OJAMA_ROW, Pack, Player, ROWS, WIDTH};

/// A cell: its column from the left and its row from the bottom, both from 0.
pub type CellIndex = (usize, usize);

/// The steps of a player's half of a turn, in order. In each field, all cells have fallen.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trace {
    /// The field after its new row of ojama, if one fell.
    pub rained: Option<Cells>,
    /// The field with the landed pack; for the skill, the field before the explosion.
    pub acted: Cells,
    /// The skill's explosion, if the skill is used and blows up a block.
    pub explosion: Option<Burst>,
    /// The rounds in which pairs vanish.
    pub rounds: Vec<Round>,
}

/// Blocks that the skill blows up.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Burst {
    /// The cells.
    pub cells: Vec<CellIndex>,
    /// The field without them.
    pub after: Cells,
}

/// A round of a chain.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Round {
    /// All pairs of neighbours that sum to ten; a block may be in several pairs.
    pub pairs: Vec<[CellIndex; 2]>,
    /// The field without them.
    pub after: Cells,
}

impl Trace {
    /// The trace of an action. [`Player::step`] checks whether the rules allow it.
    pub fn new(player: &Player<Cells>, pack: &Pack, action: Action) -> Self {
        let mut field = player.field;
        let rained = (player.stock >= OJAMA_ROW).then(|| {
            field.rain();
            field
        });
        let mut explosion = None;
        let acted = match action {
            Action::Drop(placement) => {
                field = reference::landed(&field, pack, placement);
                field
            }
            Action::Skill => {
                let marks = explosion_marks(&field);
                let cells: Vec<CellIndex> = marked(&marks).collect();
                let before = field;
                remove(&mut field, &marks);
                explosion = (!cells.is_empty()).then_some(Burst { cells, after: field });
                before
            }
        };
        let rounds = std::iter::from_fn(|| {
            let marks = reference::pairs(&field)?;
            let pairs = pairs(&field);
            remove(&mut field, &marks);
            Some(Round { pairs, after: field })
        });
        let rounds = rounds.collect();
        Self { rained, acted, explosion, rounds }
    }

    /// The field at the end.
    pub fn stable(&self) -> &Cells {
        let exploded = || self.explosion.as_ref().map_or(&self.acted, |burst| &burst.after);
        self.rounds.last().map_or_else(exploded, |round| &round.after)
    }
}

/// All marked cells, by column from the left, each from the bottom.
fn marked(marks: &Marks) -> impl Iterator<Item = CellIndex> {
    let cells = marks.iter().enumerate();
    cells.flat_map(|(x, column)| (0..ROWS).filter(|&y| column[y]).map(move |y| (x, y)))
}

/// All pairs of neighbours that sum to ten, each once; the place further left, or lower, comes
/// first.
fn pairs(field: &Cells) -> Vec<[CellIndex; 2]> {
    let cell = |(x, y): CellIndex| field.columns().get(x)?.get(y)?.number();
    let mut pairs = Vec::new();
    for (x, y, _) in field.occupied() {
        let right = [y.checked_sub(1), Some(y), Some(y + 1)];
        let right = right.into_iter().flatten().map(|y| (x + 1, y));
        for neighbour in right.chain([(x, y + 1)]) {
            let Some((one, other)) = cell((x, y)).zip(cell(neighbour)) else { continue };
            if one.complement() == other {
                pairs.push([(x, y), neighbour]);
            }
        }
    }
    pairs
}

/// The round in which each cell of the first field vanishes; 0 if it stays.
pub fn rounds_of_cells(rounds: &[Round]) -> [[u8; ROWS]; WIDTH] {
    let mut numbers = [[0; ROWS]; WIDTH];
    // For each column, the first rows of the present cells, from the bottom.
    let mut origins: [Vec<usize>; WIDTH] = std::array::from_fn(|_| (0..ROWS).collect());
    for (number, round) in (1..).zip(rounds) {
        let mut gone = [[false; ROWS]; WIDTH];
        for &(x, y) in round.pairs.as_flattened() {
            gone[x][y] = true;
            numbers[x][origins[x][y]] = number;
        }
        for (origins, gone) in origins.iter_mut().zip(&gone) {
            let mut row = 0..;
            origins.retain(|_| row.next().is_none_or(|row: usize| !gone[row]));
        }
    }
    numbers
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::game::{Chain, Explosion, Gauge, Packs, Placement, Seat, State};

    #[test]
    fn a_chain_is_seen_round_by_round() {
        let field = "3.........\n2.........\n9.........\n84........\n74........".parse().unwrap();
        let player = Player { field, stock: 10, ..Player::new() };
        let pack = Pack::new([0, 1, 2, 2]).unwrap();
        let trace = Trace::new(&player, &pack, "8 0".parse().unwrap());
        assert_eq!(trace.rained.unwrap().heights(), [6, 3, 1, 1, 1, 1, 1, 1, 1, 1]);
        assert_eq!(trace.acted.heights()[8..], [2, 3]);
        assert!(trace.rounds.is_empty());
        let player = Player { stock: 9, ..player };
        let trace = Trace::new(&player, &Pack::new([1, 1, 1, 0]).unwrap(), "1 0".parse().unwrap());
        assert_eq!(trace.rained, None);
        let pairs: Vec<_> = trace.rounds.iter().map(|round| round.pairs.clone()).collect();
        let expected: [&[[CellIndex; 2]]; 3] =
            [&[[(0, 2), (1, 2)], [(0, 2), (1, 3)]], &[[(0, 1), (0, 2)]], &[[(0, 0), (0, 1)]]];
        assert_eq!(pairs, expected);
        let rounds = rounds_of_cells(&trace.rounds);
        assert_eq!(rounds[0][..6], [3, 2, 1, 2, 3, 0], "the cells by their rows before the chain");
        assert_eq!(rounds[1][..5], [0, 0, 1, 1, 0]);
    }

    /// Whether a block has a neighbour with which it sums to ten, found cell by cell.
    fn touches_its_complement(field: &Cells, (x, y): CellIndex) -> bool {
        let number = |x: usize, y: usize| field.columns().get(x)?.get(y)?.number();
        let near = (x.saturating_sub(1)..=x + 1)
            .flat_map(|nx| (y.saturating_sub(1)..=y + 1).map(move |ny| (nx, ny)));
        let sum = |(nx, ny)| Some(number(x, y)?.get() + number(nx, ny)?.get());
        near.filter(|&near| near != (x, y)).any(|near| sum(near) == Some(10))
    }

    proptest! {
        /// Games of random drops, with skills and ojama: a trace ends with the field at the end of
        /// the turn, its rounds are the chain, and exactly the pairs vanish.
        #[test]
        fn a_trace_ends_with_the_field_of_the_turn(
            seed: u64,
            choices in prop::collection::vec((0..40usize, 0..40usize), 60),
        ) {
            let packs = Packs::from_seed(seed);
            let mut state = State::<Cells>::new();
            for (pack, choice) in packs.from_turn(0).iter().zip(choices) {
                // Ojama and gauges that random drops would not reach.
                state.players[0].stock += 3;
                state.players[1].gauge = Gauge::new(90).unwrap();
                let action = |seat: Seat, choice: usize| match Placement::from_index(choice) {
                    Some(placement) => Action::Drop(placement),
                    None if state[seat].gauge.allows_skill() => Action::Skill,
                    None => Action::Drop(Placement::from_index(0).unwrap()),
                };
                let actions = [action(Seat::First, choice.0), action(Seat::Second, choice.1)];
                let turn = state.play(pack, actions).unwrap();
                for seat in Seat::BOTH {
                    let (step, index) = (&turn.steps[seat.index()], seat.index());
                    let trace = Trace::new(&state[seat], pack, actions[index]);
                    prop_assert_eq!(trace.stable(), &turn.after[seat].field);
                    prop_assert_eq!(Chain(trace.rounds.len() as u8), step.chain);
                    let blown = trace.explosion.as_ref().map_or(0, |burst| burst.cells.len());
                    prop_assert_eq!(Explosion(blown as u8), step.explosion);
                    prop_assert_eq!(trace.rained.is_some(), state[seat].stock >= OJAMA_ROW);
                    let begin = trace.explosion.as_ref().map_or(trace.acted, |burst| burst.after);
                    let fields: Vec<_> = [begin].into_iter()
                        .chain(trace.rounds.iter().map(|round| round.after)).collect();
                    for (field, round) in fields.iter().zip(&trace.rounds) {
                        for (x, y, _) in field.occupied() {
                            let vanishes = round.pairs.as_flattened().contains(&(x, y));
                            prop_assert_eq!(vanishes, touches_its_complement(field, (x, y)));
                        }
                    }
                }
                state = turn.after;
                if state.end().is_some() {
                    break;
                }
            }
        }
    }
}
