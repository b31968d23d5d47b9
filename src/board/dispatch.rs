//! The simulator of a process, chosen once, and its entry points.
//!
//! A call of a function of [`Kernel`] is a `match` on one byte and a direct call of a function that
//! is compiled for the instruction set. The match costs about a nanosecond and the call hundreds of
//! nanoseconds: children are made 36 at a time, and a potential runs up to 64 chains.

use super::bitboard::BitBoard;
use super::packed::{
    Children, DropOne, Drops, Explode, Field, FieldSummary, Potentials, UnsettledPotential,
    Workspace,
};
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
use super::simd::Simd128;
#[cfg(target_arch = "x86_64")]
use super::simd::{Avx2, Avx512};
use super::simd::{Isa, Portable};
use crate::game::{
    Cells, Chain, DropColumns, Dropped, Exploded, Pack, Placement, Potential, ROWS, Simulate,
};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A simulator that this processor can run; a value proves it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kernel {
    /// Four planes with AVX-512 for 256 bits.
    #[cfg(target_arch = "x86_64")]
    Avx512(Avx512),
    /// Four planes with AVX2.
    #[cfg(target_arch = "x86_64")]
    Avx2(Avx2),
    /// Four planes with WebAssembly's vectors of 128 bits.
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    Simd128(Simd128),
    /// Four planes in plain words.
    Portable(Portable),
    /// The BitBoard with AVX2 and BMI2; the field is converted for each call.
    #[cfg(target_arch = "x86_64")]
    BitBoard(Avx2),
    /// The BitBoard in plain words; for tests.
    PortableBitBoard(Portable),
    /// The plain simulator, [`mod@crate::game::reference`]; the field is converted for each call.
    Reference,
}

/// Runs `$work` on a field of four planes with the instruction set of the kernel. The other kernels
/// evaluate `$other` on a converted field.
macro_rules! dispatch {
    ($kernel:expr, $work:expr, |$field:ident| $other:expr, $of:expr) => {
        match $kernel {
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx512(isa) => isa.run($work),
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx2(isa) => isa.run($work),
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Kernel::Simd128(isa) => isa.run($work),
            Kernel::Portable(isa) => isa.run($work),
            #[cfg(target_arch = "x86_64")]
            Kernel::BitBoard(isa) => {
                let $field = BitBoard::from_field(isa, $of);
                $other
            }
            Kernel::PortableBitBoard(isa) => {
                let $field = BitBoard::from_field(isa, $of);
                $other
            }
            Kernel::Reference => {
                let $field = PlainField($of.to_cells());
                $other
            }
        }
    };
}

impl Kernel {
    /// All kernels that this processor can run, in descending order of speed on most processors.
    pub fn available() -> &'static [Self] {
        static AVAILABLE: OnceLock<Vec<Kernel>> = OnceLock::new();
        AVAILABLE.get_or_init(|| {
            let mut kernels = Vec::new();
            #[cfg(target_arch = "x86_64")]
            {
                kernels.extend(Avx512::detect().map(Kernel::Avx512));
                kernels.extend(Avx2::detect().map(Kernel::Avx2));
            }
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            kernels.extend(Simd128::detect().map(Kernel::Simd128));
            kernels.push(Self::Portable(Portable));
            #[cfg(target_arch = "x86_64")]
            kernels.extend(Avx2::detect().map(Kernel::BitBoard));
            kernels.extend([Self::PortableBitBoard(Portable), Self::Reference]);
            kernels
        })
    }

    /// The kernel of the process: the last one chosen by [`Self::choose`], or else the fastest one,
    /// measured at the first call.
    pub fn current() -> Self {
        let chosen = CURRENT.load(Ordering::Relaxed);
        Self::available().get(chosen).copied().unwrap_or_else(|| {
            let fastest = Self::fastest();
            fastest.choose();
            fastest
        })
    }

    /// Makes `self` the kernel of the process, for all buffers that are made from now on. No result
    /// depends on the choice.
    pub fn choose(self) {
        let place = Self::available().iter().position(|kernel| *kernel == self);
        CURRENT.store(place.unwrap_or(UNCHOSEN), Ordering::Relaxed);
    }

    /// Drops `pack` at `columns`, in all rotations, and stores the results in `children`, whose
    /// other content becomes invalid; with `HASHES`, also the hash of each child.
    ///
    /// No column of `field` may have more than 17 cells, which no field of a running game has:
    /// otherwise all results are invalid.
    fn children<const HASHES: bool>(
        self,
        field: &Field,
        pack: &Pack,
        columns: DropColumns,
        children: &mut Children,
    ) {
        debug_assert!(usize::from(field.tallest()) + 2 <= ROWS, "no room for a pack: {field:?}");
        dispatch!(
            self,
            Drops::<HASHES> { field, pack, columns, children },
            |field| field
                .children(pack, columns, |placement, child| children.put(placement, child)),
            field
        );
    }

    /// Whether the kernel has four planes. Such a kernel is meant to play, and computes the
    /// potentials of several settled fields together.
    pub(super) const fn is_packed(self) -> bool {
        match self {
            #[cfg(target_arch = "x86_64")]
            Self::Avx512(_) | Self::Avx2(_) => true,
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Self::Simd128(_) => true,
            Self::Portable(_) => true,
            _ => false,
        }
    }

    /// See [`Field::potential`].
    fn potential(self, field: &Field, workspace: &mut Workspace) -> Potential {
        if self.is_packed() && !field.is_unsettled() {
            return self.potential_of_settled(field, 0, workspace).0;
        }
        dispatch!(self, UnsettledPotential(field), |field| field.potential(), field)
    }

    /// See [`Field::potential_after`].
    fn potential_after(
        self,
        field: &Field,
        rows: u8,
        workspace: &mut Workspace,
    ) -> (Potential, Chain) {
        if self.is_packed() && !field.is_unsettled() {
            return self.potential_of_settled(field, rows, workspace);
        }
        let now = self.potential(field, workspace);
        if rows == 0 {
            return (now, now.chain);
        }
        let mut later = *field;
        (0..rows.min(ROWS as u8 - field.tallest())).for_each(|_| later.rain());
        (now, self.potential(&later, workspace).chain)
    }

    /// The results of [`Self::potential_after`] for a packed kernel and a settled field.
    fn potential_of_settled(
        self,
        field: &Field,
        rows: u8,
        workspace: &mut Workspace,
    ) -> (Potential, Chain) {
        workspace.clear();
        workspace.add(field, rows);
        self.run_potentials(workspace);
        workspace.result(0)
    }

    /// Computes the potentials of all fields of `workspace`. A kernel that is not packed does
    /// nothing.
    fn run_potentials(self, workspace: &mut Workspace) {
        match self {
            #[cfg(target_arch = "x86_64")]
            Self::Avx512(isa) => isa.run(Potentials(workspace)),
            #[cfg(target_arch = "x86_64")]
            Self::Avx2(isa) => isa.run(Potentials(workspace)),
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Self::Simd128(isa) => isa.run(Potentials(workspace)),
            Self::Portable(isa) => isa.run(Potentials(workspace)),
            _ => {}
        }
    }

    /// Drops a pack and lets the chain run.
    ///
    /// # Panics
    /// If a column under the pack has more than 17 cells.
    pub fn drop_pack(self, field: &Field, pack: &Pack, placement: Placement) -> Dropped<Field> {
        dispatch!(
            self,
            DropOne { field, pack, placement },
            |field| field.drop_pack(pack, placement),
            field
        )
    }

    /// Uses the skill and lets the chain run.
    pub fn explode(self, field: &Field) -> Exploded<Field> {
        dispatch!(self, Explode(field), |field| field.explode(), field)
    }
}

/// The index in [`Kernel::available`] of the process's kernel.
static CURRENT: AtomicUsize = AtomicUsize::new(UNCHOSEN);

/// No index: no kernel has been chosen yet.
const UNCHOSEN: usize = usize::MAX;

/// The plain field, with results in four planes.
struct PlainField(Cells);
impl PlainField {
    fn children(
        &self,
        pack: &Pack,
        columns: DropColumns,
        mut take: impl FnMut(Placement, &Dropped<Field>),
    ) {
        columns
            .placements()
            .for_each(|placement| take(placement, &self.drop_pack(pack, placement)));
    }

    fn potential(&self) -> Potential {
        self.0.potential()
    }

    fn drop_pack(&self, pack: &Pack, placement: Placement) -> Dropped<Field> {
        let Dropped { field, chain } = self.0.drop_pack(pack, placement);
        Dropped { field: Field::from_cells(&field), chain }
    }

    fn explode(&self) -> Exploded<Field> {
        let Exploded { field, explosion, chain } = self.0.explode();
        Exploded { field: Field::from_cells(&field), explosion, chain }
    }
}

/// A buffer for the children of a field, with the workspace of potentials and the kernel that fills
/// both. It takes about 32 kB; make one a thread and reuse it.
pub struct ChildBuffer {
    kernel: Kernel,
    children: Children,
    workspace: Workspace,
    /// The results of [`Self::add_potential`] of a kernel that computes them one by one.
    potentials: Vec<(Potential, Chain, FieldSummary)>,
}

impl ChildBuffer {
    /// An empty buffer for the process's kernel.
    #[inline]
    pub fn new() -> Self {
        Self::of(Kernel::current())
    }

    /// An empty buffer for `kernel`.
    #[inline(always)]
    pub fn of(kernel: Kernel) -> Self {
        Self {
            kernel,
            children: Children::new(),
            workspace: Workspace::new(),
            potentials: Vec::new(),
        }
    }

    /// Begins a batch of potentials, without a field.
    #[inline]
    pub fn clear_potentials(&mut self) {
        self.workspace.clear();
        self.potentials.clear();
    }

    /// Adds a settled `field` to the batch, for its results of [`Field::potential_after`] with
    /// `rows` rows. The children of a field are settled.
    ///
    /// # Panics
    /// If the batch has [`Placement::COUNT`] fields.
    #[inline]
    pub fn add_potential(&mut self, field: &Field, rows: u8) {
        debug_assert!(!field.is_unsettled(), "no chain has settled {field:?}");
        if !self.kernel.is_packed() {
            let (now, after) = self.kernel.potential_after(field, rows, &mut self.workspace);
            self.potentials.push((now, after, field.summary()));
            return;
        }
        self.workspace.add(field, rows);
    }

    /// Computes all potentials of the batch.
    #[inline]
    pub fn run_potentials(&mut self) {
        self.kernel.run_potentials(&mut self.workspace);
    }

    /// The results of [`Field::potential_after`] for the field of index `index` in the batch, after
    /// [`Self::run_potentials`].
    #[inline]
    pub fn potential(&self, index: usize) -> (Potential, Chain) {
        if !self.kernel.is_packed() {
            let (now, after, _) = self.potentials[index];
            return (now, after);
        }
        self.workspace.result(index)
    }

    /// The summary of the field of index `index` in the batch, after [`Self::run_potentials`].
    #[inline]
    pub fn summary(&self, index: usize) -> &FieldSummary {
        if !self.kernel.is_packed() {
            return &self.potentials[index].2;
        }
        self.workspace.summary(index)
    }

    /// The kernel that fills the buffer.
    pub const fn kernel(&self) -> Kernel {
        self.kernel
    }

    /// The child after `placement`; invalid if the last drops did not include `placement`.
    #[inline]
    pub const fn child(&self, placement: Placement) -> Dropped<Field> {
        self.children.child(placement)
    }

    /// The chain of the child after `placement`, as in [`Self::child`].
    #[inline]
    pub const fn chain(&self, placement: Placement) -> Chain {
        self.children.chain(placement)
    }

    /// The hashes of the children, by [`Placement::index`], after [`Field::children_hashed`].
    pub const fn hashes(&self) -> &[u64; Placement::COUNT] {
        self.children.hashes()
    }
}

impl Default for ChildBuffer {
    fn default() -> Self {
        Self::new()
    }
}

impl Field {
    /// Drops `pack` at `columns`, in all rotations, and stores the children in `buffer`, whose
    /// other content becomes invalid.
    ///
    /// No column may have more than 17 cells, which no field of a running game has: otherwise all
    /// results are invalid.
    #[inline]
    pub fn children(&self, pack: &Pack, columns: DropColumns, buffer: &mut ChildBuffer) {
        buffer.kernel.children::<false>(self, pack, columns, &mut buffer.children);
    }

    /// As [`Self::children`] at all columns, with the hash of each child. Returns the xor of all
    /// hashes.
    pub fn children_hashed(&self, pack: &Pack, buffer: &mut ChildBuffer) -> u64 {
        buffer.kernel.children::<true>(self, pack, DropColumns::ALL, &mut buffer.children);
        buffer.hashes().iter().fold(0, |all, hash| all ^ hash)
    }

    /// Removes in turn each number block that has a block or ojama on it and an empty cell among
    /// its eight neighbours (inside the field's [`ROWS`] rows), and returns the longest chain.
    #[inline]
    pub fn potential(&self, buffer: &mut ChildBuffer) -> Potential {
        buffer.kernel.potential(self, &mut buffer.workspace)
    }

    /// Returns [`Self::potential`], and its chain after `rows` rows of ojama, or fewer if the
    /// tallest column reaches [`ROWS`] rows before. Rows fall on top of the columns and change no
    /// chain, but a block without an empty neighbour can no longer be removed.
    #[inline]
    pub fn potential_after(&self, rows: u8, buffer: &mut ChildBuffer) -> (Potential, Chain) {
        buffer.kernel.potential_after(self, rows, &mut buffer.workspace)
    }

    /// Drops a pack and lets the chain run, with the process's kernel.
    ///
    /// # Panics
    /// If a column under the pack has more than 17 cells.
    pub fn drop_pack(&self, pack: &Pack, placement: Placement) -> Dropped<Self> {
        Kernel::current().drop_pack(self, pack, placement)
    }

    /// Uses the skill and lets the chain run, with the process's kernel.
    pub fn explode(&self) -> Exploded<Self> {
        Kernel::current().explode(self)
    }
}

impl Simulate for Field {
    fn from_cells(cells: &Cells) -> Self {
        Self::from_cells(cells)
    }

    fn to_cells(&self) -> Cells {
        self.to_cells()
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
