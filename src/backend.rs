//! Which simulation this process uses.

use std::fmt;
use std::io::Write as _;
use std::sync::OnceLock;
use std::time::Duration;

use clap::ValueEnum;

#[cfg(all(feature = "arena", target_arch = "x86_64"))]
use crate::board::BitBoard;
#[cfg(feature = "arena")]
use crate::game::Cells;
use crate::game::Field;
#[cfg(all(feature = "arena", target_arch = "x86_64"))]
use crate::packed::ElevenPlanes;
use crate::packed::FourPlanes;
use crate::simd::Portable;
#[cfg(target_arch = "x86_64")]
use crate::simd::{Avx2, Avx512, Isa as _};
use crate::tools;

/// A way to simulate fields, chosen when the program starts.
///
/// Those for comparisons come with the arena: a bot is built for each, and a submission shall be
/// built in less than 1 GB.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Backend {
    /// Four planes with AVX-512 for 256 bits, where it is there.
    Avx512,
    /// Four planes with AVX2, as processors from about 2013 on have it.
    Avx2,
    /// Four planes on any processor.
    Portable,
    /// The seed's planes, a number each, in the same layout with AVX2; a rival.
    #[cfg(feature = "arena")]
    Eleven,
    /// The seed's BitBoard as it was, with AVX2 and BMI2; a rival.
    #[cfg(feature = "arena")]
    Bitboard,
    /// The plain reference, hundreds of times slower; for comparisons.
    #[cfg(feature = "arena")]
    Reference,
}

impl fmt::Display for Backend {
    /// The name that `--backend` takes.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = self.to_possible_value();
        f.write_str(value.as_ref().map_or("", |value| value.get_name()))
    }
}

/// Work that is done with whichever encoding of a field was chosen.
pub trait WithField {
    /// What it yields.
    type Output;

    /// Does the work.
    fn run<F: Field>(self) -> Self::Output;
}

impl Backend {
    /// The fastest one that this processor can run, measured in a few milliseconds.
    ///
    /// What a processor says that it can do says nothing about how fast it does it: AMD's before
    /// Zen 3 have `pext`, in microcode, hundreds of cycles a time (`bitboard` needs it; none of those
    /// looked at here does), some halve every vector of AVX2, and an emulator may take
    /// longer over vectors than over words. Moves do not depend on the choice, which is made once.
    pub fn detect() -> Self {
        static DETECTED: OnceLock<Backend> = OnceLock::new();
        *DETECTED.get_or_init(|| {
            let fast = [Self::Avx512, Self::Avx2, Self::Portable];
            let fast = fast.into_iter().filter(|backend| backend.is_available());
            let measured = fast.map(|backend| (backend.with_field(Glance), backend));
            measured.min_by_key(|&(time, _)| time).map_or(Self::Portable, |(_, backend)| backend)
        })
    }

    /// Whether this processor can run it.
    pub fn is_available(self) -> bool {
        match self {
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => Avx512::detect().is_some(),
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => Avx2::detect().is_some(),
            #[cfg(all(feature = "arena", target_arch = "x86_64"))]
            Self::Eleven | Self::Bitboard => Avx2::detect().is_some(),
            Self::Portable => true,
            #[cfg(feature = "arena")]
            Self::Reference => true,
            #[cfg(not(target_arch = "x86_64"))]
            _ => false,
        }
    }

    /// Does the work with this backend's fields.
    ///
    /// # Panics
    /// If this processor cannot run it.
    pub fn with_field<W: WithField>(self, work: W) -> W::Output {
        match self {
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => work.run::<FourPlanes<Avx512>>(),
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => work.run::<FourPlanes<Avx2>>(),
            #[cfg(all(feature = "arena", target_arch = "x86_64"))]
            Self::Eleven => work.run::<ElevenPlanes<Avx2>>(),
            #[cfg(all(feature = "arena", target_arch = "x86_64"))]
            Self::Bitboard => work.run::<BitBoard<Avx2>>(),
            Self::Portable => work.run::<FourPlanes<Portable>>(),
            #[cfg(feature = "arena")]
            Self::Reference => work.run::<Cells>(),
            #[cfg(not(target_arch = "x86_64"))]
            _ => unreachable!("not available, as `is_available` says"),
        }
    }
}

/// A short measurement of a backend: the time of its fastest pass.
struct Glance;

impl WithField for Glance {
    type Output = Duration;

    fn run<F: Field>(self) -> Duration {
        tools::fastest_pass::<F>()
    }
}

/// Ends the process with one clear line and exit code 2 where the binary was built for a processor
/// with more instructions than this one has (`-C target-cpu=...`).
///
/// The usual build needs nothing beyond plain x86-64 and picks a [`Backend`] at run time. `main`
/// calls this before anything else, and it keeps to code that the standard library brings
/// compiled for any processor.
pub fn check_processor() {
    if let Some(missing) = missing_feature() {
        let parts: [&[u8]; 3] = [
            b"tensai: this binary was built for a processor with ",
            missing.as_bytes(),
            b", which this one lacks; build it here with `cargo build --release`\n",
        ];
        for part in parts {
            // Nothing is left to do about a standard error that cannot be written.
            let _ = std::io::stderr().write_all(part);
        }
        std::process::exit(2);
    }
}

#[cfg(not(target_arch = "x86_64"))]
fn missing_feature() -> Option<&'static str> {
    None
}

/// The first feature that the compiler was allowed to use and the processor lacks.
///
/// `is_x86_feature_detected!` cannot tell: for a feature that the build assumes it is constant.
#[cfg(target_arch = "x86_64")]
fn missing_feature() -> Option<&'static str> {
    use std::arch::x86_64::{__cpuid, __cpuid_count, __get_cpuid_max};
    let leaf1 = __cpuid(1);
    let leaf7 = if __get_cpuid_max(0).0 >= 7 { __cpuid_count(7, 0).ebx } else { 0 };
    let extended = __cpuid(0x8000_0001).ecx;
    let needed = [
        (cfg!(target_feature = "sse3"), leaf1.ecx, 0, "SSE3"),
        (cfg!(target_feature = "ssse3"), leaf1.ecx, 9, "SSSE3"),
        (cfg!(target_feature = "sse4.1"), leaf1.ecx, 19, "SSE4.1"),
        (cfg!(target_feature = "sse4.2"), leaf1.ecx, 20, "SSE4.2"),
        (cfg!(target_feature = "popcnt"), leaf1.ecx, 23, "POPCNT"),
        (cfg!(target_feature = "avx"), leaf1.ecx, 28, "AVX"),
        (cfg!(target_feature = "fma"), leaf1.ecx, 12, "FMA"),
        (cfg!(target_feature = "avx2"), leaf7, 5, "AVX2"),
        (cfg!(target_feature = "bmi1"), leaf7, 3, "BMI1"),
        (cfg!(target_feature = "bmi2"), leaf7, 8, "BMI2"),
        (cfg!(target_feature = "lzcnt"), extended, 5, "LZCNT"),
        (cfg!(target_feature = "avx512f"), leaf7, 16, "AVX-512"),
    ];
    let lacks =
        |&(needed, register, bit, _): &(bool, u32, u32, &str)| needed && register >> bit & 1 == 0;
    needed.iter().find(|feature| lacks(feature)).map(|&(.., name)| name)
}
