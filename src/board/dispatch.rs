//! The entry points of the backends: drops, the skill and potentials of a [`Field`].
//!
//! A call is a `match` and a direct call of a function that is compiled for the instruction set. The
//! match costs about a nanosecond and the call hundreds of nanoseconds: children are made 36 at a
//! time, and a potential runs up to 64 chains.

use super::Backend;
use super::packed::{
    Children, DropOne, Drops, Explode, Field, FieldSummary, Potentials, UnstablePotential,
    Workspace,
};
use super::simd::Isa as _;
use crate::game::{
    Cells, Chain, DropColumns, Dropped, Exploded, Pack, Placement, Potential, ROWS, Simulate,
};

/// Runs `$work` on a field of four planes with the instruction set of a packed backend; evaluates
/// `$otherwise` with a simulator for comparisons.
macro_rules! dispatch {
    ($backend:expr, $work:expr, |$simulator:pat_param| $otherwise:expr) => {
        match $backend {
            #[cfg(target_arch = "x86_64")]
            Backend::Avx512(isa) => isa.run($work),
            #[cfg(target_arch = "x86_64")]
            Backend::Avx2(isa) => isa.run($work),
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Backend::Simd128(isa) => isa.run($work),
            Backend::Portable(isa) => isa.run($work),
            Backend::Comparison($simulator) => $otherwise,
        }
    };
}

impl Backend {
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
        dispatch!(self, Drops::<HASHES> { field, pack, columns, children }, |simulator| simulator
            .children(field, pack, columns, &mut |placement, child| {
                children.put(placement, child);
            }));
    }

    /// See [`Field::potential`].
    fn potential(self, field: &Field, workspace: &mut Workspace) -> Potential {
        if self.is_packed() && !field.is_unstable() {
            return self.potential_of_stable(field, 0, workspace).0;
        }
        dispatch!(self, UnstablePotential(field), |simulator| simulator.potential(field))
    }

    /// See [`Field::potential_after`].
    fn potential_after(
        self,
        field: &Field,
        rows: u8,
        workspace: &mut Workspace,
    ) -> (Potential, Chain) {
        if self.is_packed() && !field.is_unstable() {
            return self.potential_of_stable(field, rows, workspace);
        }
        let now = self.potential(field, workspace);
        if rows == 0 {
            return (now, now.chain);
        }
        let mut later = *field;
        (0..rows.min(ROWS as u8 - field.tallest())).for_each(|_| later.rain());
        (now, self.potential(&later, workspace).chain)
    }

    /// The results of [`Self::potential_after`] of a packed backend for a stable field.
    fn potential_of_stable(
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

    /// Computes the potentials of all fields of `workspace`. A backend that is not packed does
    /// nothing.
    fn run_potentials(self, workspace: &mut Workspace) {
        dispatch!(self, Potentials(workspace), |_| ());
    }

    /// Drops a pack and lets the chain run.
    ///
    /// # Panics
    /// If a column under the pack has more than 17 cells.
    pub fn drop_pack(self, field: &Field, pack: &Pack, placement: Placement) -> Dropped<Field> {
        dispatch!(self, DropOne { field, pack, placement }, |simulator| {
            simulator.drop_pack(field, pack, placement)
        })
    }

    /// Uses the skill and lets the chain run.
    pub fn explode(self, field: &Field) -> Exploded<Field> {
        dispatch!(self, Explode(field), |simulator| simulator.explode(field))
    }
}

/// A buffer for the children of a field, with the workspace of potentials and the backend that fills
/// both. It takes about 38 kB; make one a thread and reuse it.
pub struct ChildBuffer {
    backend: Backend,
    children: Children,
    workspace: Workspace,
    /// The results of [`Self::add_potential`] of a backend that computes them one by one.
    potentials: Vec<(Potential, Chain, FieldSummary)>,
}

impl ChildBuffer {
    /// An empty buffer for the process's backend.
    #[inline]
    pub fn new() -> Self {
        Self::of(Backend::current())
    }

    /// An empty buffer for `backend`.
    #[inline(always)]
    pub fn of(backend: Backend) -> Self {
        Self {
            backend,
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

    /// Adds a stable `field` to the batch, for its results of [`Field::potential_after`] with
    /// `rows` rows. The children of a field are stable.
    ///
    /// # Panics
    /// If the batch has [`Placement::COUNT`] fields.
    #[inline]
    pub fn add_potential(&mut self, field: &Field, rows: u8) {
        debug_assert!(!field.is_unstable(), "no chain has run on {field:?}");
        if !self.backend.is_packed() {
            let (now, after) = self.backend.potential_after(field, rows, &mut self.workspace);
            self.potentials.push((now, after, field.summary()));
            return;
        }
        self.workspace.add(field, rows);
    }

    /// Names the stable parent of the children of [`Self::add_child_potential`], and the pack.
    #[inline]
    pub fn set_parent(&mut self, field: &Field, pack: &Pack) {
        self.workspace.set_parent(field, pack);
    }

    /// As [`Self::add_potential`], for the child after `placement`, whose chain is 0, and after the
    /// row that falls next. The parent's chains serve its children.
    #[inline]
    pub fn add_child_potential(&mut self, field: &Field, rows: u8, placement: Placement) {
        if !self.backend.is_packed() {
            return self.add_potential(field, rows);
        }
        self.workspace.add_child(field, rows, placement);
    }

    /// Computes all potentials of the batch.
    #[inline]
    pub fn run_potentials(&mut self) {
        self.backend.run_potentials(&mut self.workspace);
    }

    /// The results of [`Field::potential_after`] for the field of index `index` in the batch, after
    /// [`Self::run_potentials`].
    #[inline]
    pub fn potential(&self, index: usize) -> (Potential, Chain) {
        if !self.backend.is_packed() {
            let (now, after, _) = self.potentials[index];
            return (now, after);
        }
        self.workspace.result(index)
    }

    /// The summary of the field of index `index` in the batch, after [`Self::run_potentials`].
    #[inline]
    pub fn summary(&self, index: usize) -> &FieldSummary {
        if !self.backend.is_packed() {
            return &self.potentials[index].2;
        }
        self.workspace.summary(index)
    }

    /// The backend that fills the buffer.
    pub const fn backend(&self) -> Backend {
        self.backend
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
        buffer.backend.children::<false>(self, pack, columns, &mut buffer.children);
    }

    /// As [`Self::children`] at all columns, with the hash of each child. Returns the xor of all
    /// hashes.
    pub fn children_hashed(&self, pack: &Pack, buffer: &mut ChildBuffer) -> u64 {
        buffer.backend.children::<true>(self, pack, DropColumns::ALL, &mut buffer.children);
        buffer.hashes().iter().fold(0, |all, hash| all ^ hash)
    }

    /// Removes in turn each number block that has a block or ojama on it and an empty cell among
    /// its eight neighbours (inside the field's [`ROWS`] rows), and returns the longest chain.
    #[inline]
    pub fn potential(&self, buffer: &mut ChildBuffer) -> Potential {
        buffer.backend.potential(self, &mut buffer.workspace)
    }

    /// Returns [`Self::potential`], and its chain after `rows` rows of ojama, or fewer if the
    /// tallest column reaches [`ROWS`] rows before. Rows fall on top of the columns and change no
    /// chain, but a block without an empty neighbour can no longer be removed.
    #[inline]
    pub fn potential_after(&self, rows: u8, buffer: &mut ChildBuffer) -> (Potential, Chain) {
        buffer.backend.potential_after(self, rows, &mut buffer.workspace)
    }

    /// Drops a pack and lets the chain run, with the process's backend.
    ///
    /// # Panics
    /// If a column under the pack has more than 17 cells.
    pub fn drop_pack(&self, pack: &Pack, placement: Placement) -> Dropped<Self> {
        Backend::current().drop_pack(self, pack, placement)
    }

    /// Uses the skill and lets the chain run, with the process's backend.
    pub fn explode(&self) -> Exploded<Self> {
        Backend::current().explode(self)
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
