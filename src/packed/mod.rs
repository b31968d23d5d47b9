//! The fast simulator: all drops of a pack at once, on a field of four planes.
//!
//! * [`layout`]: where a cell lies in 256 bits; explained there, once;
//! * [`Encoding`]: which planes say what a cell holds: [`Paired`] (four planes, the one that search
//!   uses), [`OneHot`] (eleven, the seed's planes in this layout, kept as a rival);
//! * `place`: a pack put down in all ways; `rounds`: vanishing and falling, of many chains at once;
//! * [`Children`], `potential`: the two things that search asks for.
//!
//! Written once for all encodings and instruction sets. What was tried, and how far this is from
//! what the processor allows: `notes/experiments.md`, `notes/simulator-limit.md`.

mod children;
mod encoding;
pub mod layout;
mod place;
mod potential;
mod rounds;

use std::marker::PhantomData;

pub use children::Children;
pub use encoding::{Encoding, OneHot, Paired, Vanishing};
pub use potential::Workspace;

use self::encoding::ring;
use self::layout::{FIELD, LANE, ONES, UNSETTLED};
use self::rounds::{close, count, load, store};
use crate::game::hash;
use crate::game::{
    Cell, Cells, Chain, Dropped, Exploded, Explosion, Field, Pack, Placement, Positions, Potential,
    ROWS, Room, WIDTH, potential_after,
};
use crate::simd::{Isa, Vector, Words, Work};

/// The field that search uses.
pub type FourPlanes<I> = Packed<Paired, I, 4>;

/// The seed's planes in the same layout.
pub type ElevenPlanes<I> = Packed<OneHot, I, 11>;

/// A field in the `N` planes of encoding `E`, for instruction set `I`. See [`layout`] for the bits.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct Packed<E, I, const N: usize> {
    planes: [Words; N],
    isa: I,
    encoding: PhantomData<E>,
}

/// Room for the children of a field, and for the search of its potential.
pub struct PackedRoom<E, I, const N: usize> {
    children: Children<E, I, N>,
    workspace: Workspace<N>,
}

impl<E: Encoding<N>, I: Isa, const N: usize> Room<Packed<E, I, N>> for PackedRoom<E, I, N> {
    /// # Panics
    /// If the processor lacks the instruction set.
    fn new() -> Self {
        Self { children: Children::new(I::expect()), workspace: Workspace::default() }
    }

    #[inline]
    fn child(&self, placement: Placement) -> Dropped<Packed<E, I, N>> {
        Dropped { field: self.children.field(placement), chain: self.chain(placement) }
    }

    #[inline]
    fn chain(&self, placement: Placement) -> Chain {
        Chain(self.children.chains()[placement.index()])
    }
}

impl<E: Encoding<N>, I: Isa, const N: usize> Packed<E, I, N> {
    /// Whether neighbours that sum to ten are on the field; never after a chain.
    #[inline(always)]
    pub const fn is_unsettled(&self) -> bool {
        self.planes[0].0[3] & UNSETTLED != 0
    }

    /// The planes with the flag cleared.
    #[inline(always)]
    const fn cells(&self) -> [Words; N] {
        let mut planes = self.planes;
        planes[0].0[3] &= !UNSETTLED;
        planes
    }

    /// Adds a cell, whose code is that of the protocol.
    const fn add(&mut self, x: usize, y: usize, code: u8) {
        let bits = E::CODES[code as usize];
        let mut i = 0;
        while i < N {
            self.planes[i].0[x % 4] |= ((bits >> i & 1) as u64) << (LANE * (x / 4) + y);
            i += 1;
        }
    }

    /// Filled cells.
    fn filled(&self) -> Words {
        self.isa.run(Filled(self))
    }

    /// Runs the chain, if there is one.
    fn settle(&mut self) -> Chain {
        self.isa.run(Settle(self))
    }
}

/// The filled cells. Each of these small works runs whole under its instruction set: an operation
/// called outside of it is a function call.
struct Filled<'a, E, I, const N: usize>(&'a Packed<E, I, N>);

impl<E: Encoding<N>, I: Isa, const N: usize> Work<I> for Filled<'_, E, I, N> {
    type Output = Words;

    #[inline(always)]
    fn run(self, isa: I) -> Words {
        let mut words = Words::EMPTY;
        isa.store(E::filled(&load(isa, &self.0.cells())), &mut words);
        words
    }
}

/// What can be counted on a field.
#[derive(Clone, Copy)]
enum Counted {
    Blocks,
    Ojama,
    BlownUp,
}

/// A count of cells.
struct Count<'a, E, I, const N: usize>(&'a Packed<E, I, N>, Counted);

impl<E: Encoding<N>, I: Isa, const N: usize> Work<I> for Count<'_, E, I, N> {
    type Output = u32;

    #[inline(always)]
    fn run(self, isa: I) -> u32 {
        let planes = load(isa, &self.0.cells());
        let counted = match self.1 {
            Counted::Blocks => E::filled(&planes).without(E::ojama(&planes)),
            Counted::Ojama => E::ojama(&planes),
            Counted::BlownUp => blown_up::<E, _, N>(&planes),
        };
        count(isa, counted)
    }
}

/// Whether something vanishes at once.
struct IsUnsettled<'a, E, I, const N: usize>(&'a Packed<E, I, N>);

impl<E: Encoding<N>, I: Isa, const N: usize> Work<I> for IsUnsettled<'_, E, I, N> {
    type Output = bool;

    #[inline(always)]
    fn run(self, isa: I) -> bool {
        E::vanishing(&load(isa, &self.0.planes)).any()
    }
}

/// See [`Field::hash`].
struct Hash<'a, E, I, const N: usize>(&'a Packed<E, I, N>);

impl<E: Encoding<N>, I: Isa, const N: usize> Work<I> for Hash<'_, E, I, N> {
    type Output = u64;

    #[inline(always)]
    fn run(self, isa: I) -> u64 {
        hash_of::<E, I, N>(isa, &self.0.cells())
    }
}

/// The hash of planes without the unsettled flag.
#[inline(always)]
fn hash_of<E: Encoding<N>, I: Isa, const N: usize>(isa: I, planes: &[Words; N]) -> u64 {
    let mut room = [Words::EMPTY; 4];
    let [a, b, c, d] = E::paired(isa, planes, &mut room);
    hash::finish(&[a.0, b.0, c.0, d.0])
}

/// See [`Packed::settle`].
struct Settle<'a, E, I, const N: usize>(&'a mut Packed<E, I, N>);

impl<E: Encoding<N>, I: Isa, const N: usize> Work<I> for Settle<'_, E, I, N> {
    type Output = Chain;

    #[inline(always)]
    fn run(self, isa: I) -> Chain {
        let mut planes = load(isa, &self.0.cells());
        let mut chain = Chain(0);
        loop {
            let gone = E::vanishing(&planes);
            if !gone.any() {
                break;
            }
            close(isa, &mut planes, gone);
            chain.0 += 1;
        }
        store(isa, &planes, &mut self.0.planes);
        chain
    }
}

/// Fives, and numbers beside a five.
#[inline(always)]
fn blown_up<E: Encoding<N>, V: Vector, const N: usize>(planes: &[V; N]) -> V {
    let fives = E::fives(planes);
    (fives | ring(fives)) & E::filled(planes).without(E::ojama(planes))
}

/// The explosion alone; yields the blocks blown up.
struct Explode<'a, E, I, const N: usize>(&'a mut Packed<E, I, N>);

impl<E: Encoding<N>, I: Isa, const N: usize> Work<I> for Explode<'_, E, I, N> {
    type Output = Explosion;

    #[inline(always)]
    fn run(self, isa: I) -> Explosion {
        let mut planes = load(isa, &self.0.cells());
        let gone = blown_up::<E, _, N>(&planes);
        close(isa, &mut planes, gone);
        store(isa, &planes, &mut self.0.planes);
        Explosion(count(isa, gone) as u8)
    }
}

impl<E: Encoding<N>, I: Isa, const N: usize> Field for Packed<E, I, N> {
    type Room = PackedRoom<E, I, N>;

    /// # Panics
    /// If the processor lacks the instruction set.
    fn from_cells(cells: &Cells) -> Self {
        let isa = I::expect();
        let mut field = Self { planes: [Words::EMPTY; N], isa, encoding: PhantomData };
        for (x, y, cell) in cells.occupied() {
            field.add(x, y, cell.code());
        }
        if isa.run(IsUnsettled(&field)) {
            field.planes[0].0[3] |= UNSETTLED;
        }
        field
    }

    fn to_cells(&self) -> Cells {
        let (planes, mut room) = (self.cells(), [Words::EMPTY; 4]);
        let paired = E::paired(self.isa, &planes, &mut room);
        let cell = |x: usize, y: usize| {
            let bit = |i: usize| (layout::lane(&paired[i], x) >> y & 1) as u8;
            let code = bit(0) | bit(1) << 1 | bit(2) << 2 | bit(3) << 3;
            let number = (0..=11).find(|&number| hash::CODES[usize::from(number)] == code);
            number.and_then(Cell::from_code).unwrap_or_default()
        };
        let columns = std::array::from_fn(|x| std::array::from_fn(|y| cell(x, y)));
        Cells::from_columns(columns).expect("a field has no gaps")
    }

    fn heights(&self) -> [u8; WIDTH] {
        let filled = self.filled();
        std::array::from_fn(|x| layout::lane(&filled, x).count_ones() as u8)
    }

    fn blocks(&self) -> u32 {
        self.isa.run(Count(self, Counted::Blocks))
    }

    fn ojama(&self) -> u32 {
        self.isa.run(Count(self, Counted::Ojama))
    }

    fn explosion(&self) -> Explosion {
        Explosion(self.isa.run(Count(self, Counted::BlownUp)) as u8)
    }

    fn hash(&self) -> u64 {
        self.isa.run(Hash(self))
    }

    fn rain(&mut self) {
        let filled = self.filled();
        for (word, &filled) in filled.0.iter().enumerate() {
            // One more than a lane filled from the bottom is its lowest empty cell. Words 2 and 3
            // have but two columns.
            let columns = if word < 2 { ONES } else { ONES & !(ONES << (2 * LANE)) };
            let landing = filled + columns;
            assert!(landing & !FIELD.0[word] == 0, "ojama fall on a column of {ROWS} cells");
            for (i, plane) in self.planes.iter_mut().enumerate() {
                plane.0[word] |= landing * u64::from(E::CODES[11] >> i & 1);
            }
        }
    }

    fn drop_pack(&self, pack: &Pack, placement: Placement) -> Dropped<Self> {
        let filled = self.filled();
        let mut field = *self;
        let left = usize::from(placement.position.get());
        for (x, (lower, upper)) in (left..).zip(pack.columns(placement.rotation)) {
            let height = layout::lane(&filled, x).count_ones() as usize;
            assert!(height + 2 <= ROWS, "a drop on a column of {height} cells");
            for (y, number) in (height..).zip([lower, upper].into_iter().flatten()) {
                field.add(x, y, number.get());
            }
        }
        let chain = field.settle();
        Dropped { field, chain }
    }

    fn explode(&self) -> Exploded<Self> {
        let mut field = *self;
        let explosion = self.isa.run(Explode(&mut field));
        let chain = field.settle();
        Exploded { field, explosion, chain }
    }

    fn potential(&self, room: &mut PackedRoom<E, I, N>) -> Potential {
        self.longest_promise(&mut room.workspace)
    }

    fn potential_after(&self, rows: u8, room: &mut PackedRoom<E, I, N>) -> (Potential, Chain) {
        if rows == 0 || self.is_unsettled() {
            return potential_after(self, rows, room);
        }
        self.promises_after(rows, &mut room.workspace)
    }

    fn children(&self, pack: &Pack, positions: Positions, room: &mut PackedRoom<E, I, N>) {
        self.drop_everywhere(pack, positions, &mut room.children);
    }

    fn children_hashed(&self, pack: &Pack, room: &mut PackedRoom<E, I, N>) -> u64 {
        self.drop_everywhere_hashed(pack, &mut room.children);
        room.children.hashes().iter().fold(0, |all, hash| all ^ hash)
    }

    fn tallest(&self) -> u8 {
        let filled = self.filled().0;
        // A row is occupied if one of its bits is: of all words and lanes together.
        let rows =
            filled.iter().fold(0, |rows, word| rows | word | word >> LANE | word >> (2 * LANE));
        (rows & ((1 << LANE) - 1)).count_ones() as u8
    }
}

impl<E: Encoding<N>, I: Isa, const N: usize> PartialEq for Packed<E, I, N> {
    fn eq(&self, other: &Self) -> bool {
        self.planes == other.planes
    }
}

impl<E: Encoding<N>, I: Isa, const N: usize> Eq for Packed<E, I, N> {}

impl<E: Encoding<N>, I: Isa, const N: usize> std::fmt::Debug for Packed<E, I, N> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?}", self.to_cells())
    }
}
