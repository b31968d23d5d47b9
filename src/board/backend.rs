//! The backends: the simulators of which a process uses one, chosen when it starts.
//!
//! The packed backends hold a field in the same four planes and differ in their instruction set. No
//! result depends on the backend.

use std::fmt;
use std::hint::black_box;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use super::simd::Portable;
#[cfg(target_arch = "x86_64")]
use super::simd::{Avx2, Avx512, Isa as _};
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
use super::simd::{Isa as _, Simd128};
use super::{ChildBuffer, Field};
use crate::game::{DropColumns, Dropped, Exploded, Pack, Packs, Placement, Potential};
use crate::util::clock::Instant;

/// A simulator that this processor can run; a value proves it.
#[derive(Clone, Copy)]
pub enum Backend {
    /// Four planes with AVX-512 on vectors of 256 bits.
    #[cfg(target_arch = "x86_64")]
    Avx512(Avx512),
    /// Four planes with AVX2.
    #[cfg(target_arch = "x86_64")]
    Avx2(Avx2),
    /// Four planes with WebAssembly's vectors of 128 bits; in a module that was built for them.
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    Simd128(Simd128),
    /// Four planes in plain words.
    Portable(Portable),
    /// A slower simulator, for comparisons.
    Comparison(&'static dyn Comparison),
}

/// A simulator with another encoding of a field than [`Field`], for comparisons.
pub trait Comparison: Send + Sync {
    /// The name that `--backend` takes.
    fn name(&self) -> &'static str;

    /// Drops a pack at the given columns in all rotations, and calls `take` with each child.
    fn children(
        &self,
        field: &Field,
        pack: &Pack,
        columns: DropColumns,
        take: &mut dyn FnMut(Placement, &Dropped<Field>),
    );

    /// Drops a pack and lets the chain run.
    fn drop_pack(&self, field: &Field, pack: &Pack, placement: Placement) -> Dropped<Field>;

    /// Uses the skill and lets the chain run.
    fn explode(&self, field: &Field) -> Exploded<Field>;

    /// See [`Field::potential`].
    fn potential(&self, field: &Field) -> Potential;
}

/// The name that `--backend` takes, a line of help, and the backend; `None` if this processor
/// cannot run it.
pub type NamedBackend = (&'static str, &'static str, Option<Backend>);

impl Backend {
    /// All backends, in descending order of speed on most processors. A build of the bot alone has
    /// none for comparisons.
    pub fn all() -> &'static [NamedBackend] {
        static ALL: OnceLock<Vec<NamedBackend>> = OnceLock::new();
        ALL.get_or_init(|| {
            #[cfg(target_arch = "x86_64")]
            let [avx512, avx2] =
                [Avx512::detect().map(Self::Avx512), Avx2::detect().map(Self::Avx2)];
            #[cfg(not(target_arch = "x86_64"))]
            let [avx512, avx2] = [None; 2];
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            let simd128 = Simd128::detect().map(Self::Simd128);
            let all: Vec<NamedBackend> = vec![
                ("avx512", "Four planes with AVX-512 on vectors of 256 bits", avx512),
                ("avx2", "Four planes with AVX2, available from about 2013 on", avx2),
                #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
                ("simd128", "Four planes with WebAssembly's vectors of 128 bits", simd128),
                ("portable", "Four planes on any processor", Some(Self::Portable(Portable))),
            ];
            #[cfg(feature = "arena")]
            let all = [all, super::comparison::backends().into()].concat();
            all
        })
    }

    /// The backends that this processor can run.
    pub fn available() -> impl Iterator<Item = Self> {
        Self::all().iter().filter_map(|&(.., backend)| backend)
    }

    /// The name that `--backend` takes.
    pub fn name(self) -> &'static str {
        match self {
            #[cfg(target_arch = "x86_64")]
            Self::Avx512(_) => "avx512",
            #[cfg(target_arch = "x86_64")]
            Self::Avx2(_) => "avx2",
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Self::Simd128(_) => "simd128",
            Self::Portable(_) => "portable",
            Self::Comparison(simulator) => simulator.name(),
        }
    }

    /// Whether the backend simulates on the four planes of a [`Field`]. Such a backend is meant to
    /// play, and computes the potentials of several stable fields together.
    pub(super) const fn is_packed(self) -> bool {
        !matches!(self, Self::Comparison(_))
    }

    /// Makes the process use `backend`, or else the fastest backend, for all buffers that are made
    /// from now on. Returns the backend in use.
    ///
    /// # Panics
    /// If `backend` is not one of [`Self::all`].
    pub fn choose(backend: Option<Self>) -> Self {
        let backend = backend.unwrap_or_else(Self::fastest);
        let index = Self::all().iter().position(|&(name, ..)| name == backend.name());
        CURRENT.store(index.expect("a backend with a name"), Ordering::Relaxed);
        backend
    }

    /// The backend in use: the last one that was chosen, or else the fastest one, measured at the
    /// first call.
    pub fn current() -> Self {
        let chosen = Self::all().get(CURRENT.load(Ordering::Relaxed));
        chosen.and_then(|&(.., backend)| backend).unwrap_or_else(|| Self::choose(None))
    }

    /// Returns the fastest packed backend, measured once in a process, in about two milliseconds.
    ///
    /// The features of a processor do not determine its speed. AMD processors before Zen 3 run
    /// `pext` in microcode, in hundreds of cycles (the BitBoard needs `pext`; the measured backends
    /// do not). Some processors split each AVX2 vector into halves. An emulator may be slower with
    /// vectors than with words.
    fn fastest() -> Self {
        static FASTEST: OnceLock<Backend> = OnceLock::new();
        *FASTEST.get_or_init(|| {
            let fields = measured_fields();
            let packed = Self::available().filter(|backend| backend.is_packed());
            let fastest = packed.min_by_key(|&backend| fastest_pass(backend, &fields));
            fastest.expect("plain words are always there")
        })
    }
}

impl PartialEq for Backend {
    fn eq(&self, other: &Self) -> bool {
        self.name() == other.name()
    }
}

impl Eq for Backend {}

impl fmt::Display for Backend {
    /// Writes the name that `--backend` takes.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Debug for Backend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The index in [`Backend::all`] of the process's backend.
static CURRENT: AtomicUsize = AtomicUsize::new(UNCHOSEN);

/// No index: no backend has been chosen yet.
const UNCHOSEN: usize = usize::MAX;

/// The number of fields that [`Backend::fastest`] measures with.
const FIELDS: usize = 32;

/// The least height of the tallest column of a measured field.
const LEAST_HEIGHT: u8 = 8;

/// The number of passes over the fields. The fastest pass counts, because the caches are cold in
/// the first one and other processes use the machine too.
const PASSES: usize = 20;

/// Returns fields of games with scattered drops, each with the next pack.
fn measured_fields() -> Vec<(Field, Pack)> {
    let (packs, backend) = (Packs::from_seed(0), Backend::Portable(Portable));
    let mut field = Field::EMPTY;
    let mut fields = Vec::new();
    for (turn, pack) in packs.from_turn(0).iter().enumerate() {
        if field.is_over() {
            field = Field::EMPTY;
        }
        // Fields of early turns hold few blocks.
        if field.tallest() >= LEAST_HEIGHT {
            fields.push((field, *pack));
        }
        // 7 and the number of placements are coprime, so each placement occurs.
        let placement = Placement::from_index(7 * turn % Placement::COUNT);
        let placement = placement.expect("an index below the number of placements");
        field = backend.drop_pack(&field, pack, placement).field;
    }
    fields.truncate(FIELDS);
    fields
}

/// Returns the time of the fastest pass of `backend` over `fields`.
fn fastest_pass(backend: Backend, fields: &[(Field, Pack)]) -> Duration {
    let buffer = &mut ChildBuffer::of(backend);
    let mut pass = || {
        let start = Instant::now();
        for (field, pack) in black_box(fields) {
            field.children(pack, DropColumns::ALL, buffer);
            black_box(&*buffer);
        }
        start.elapsed()
    };
    (0..PASSES).map(|_| pass()).min().unwrap_or(Duration::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_backend_has_the_name_by_which_it_is_listed() {
        for &(name, _, backend) in Backend::all() {
            assert!(backend.is_none_or(|backend| backend.name() == name), "{name}");
        }
    }
}
