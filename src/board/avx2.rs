//! The BitBoard with AVX2 (a plane is one register) and BMI2 (`pext` and `pdep` for falls).
//!
//! The processor's features are looked up at run time, so that a binary built for any x86-64 uses
//! them where they are. [`Isa::run`] enters the one function here that may use them; everything
//! that a kernel does is inlined into it.

use std::arch::x86_64::{
    __m256i, _mm256_alignr_epi8, _mm256_and_si256, _mm256_andnot_si256, _mm256_load_si256,
    _mm256_or_si256, _mm256_permute2x128_si256, _mm256_slli_epi64, _mm256_srli_epi64,
    _mm256_store_si256, _mm256_testz_si256, _pdep_u64, _pext_u64,
};

use super::isa::{Isa, Kernel};
use super::planes::Plane;

/// A proof that this processor has AVX2, BMI1, BMI2, LZCNT and POPCNT.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Avx2(());

/// Runs a kernel with the instructions allowed.
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn enter<K: Kernel<Avx2>>(isa: Avx2, kernel: K) -> K::Output {
    kernel.run(isa)
}

/// The lower half of `a` in the upper half, zeros in the lower.
#[inline(always)]
fn low_half_up(_: Avx2, a: __m256i) -> __m256i {
    // SAFETY: an `Avx2` exists only where the processor has AVX2.
    unsafe { _mm256_permute2x128_si256::<0x08>(a, a) }
}

/// The upper half of `a` in the lower half, zeros in the upper.
#[inline(always)]
fn high_half_down(_: Avx2, a: __m256i) -> __m256i {
    // SAFETY: an `Avx2` exists only where the processor has AVX2.
    unsafe { _mm256_permute2x128_si256::<0x81>(a, a) }
}

impl Isa for Avx2 {
    const NAME: &'static str = "avx2";

    type Vector = __m256i;

    fn detect() -> Option<Self> {
        (is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt"))
        .then_some(Self(()))
    }

    fn run<K: Kernel<Self>>(self, kernel: K) -> K::Output {
        // SAFETY: an `Avx2` exists only where `detect` found every feature that `enter` enables.
        unsafe { enter(self, kernel) }
    }

    #[inline(always)]
    fn load(self, plane: &Plane) -> __m256i {
        // SAFETY: the processor has AVX2, and a `Plane` is 32 bytes aligned to 32.
        unsafe { _mm256_load_si256(std::ptr::from_ref(plane).cast()) }
    }

    #[inline(always)]
    fn store(self, vector: __m256i) -> Plane {
        let mut plane = Plane::EMPTY;
        // SAFETY: the processor has AVX2, and a `Plane` is 32 bytes aligned to 32.
        unsafe { _mm256_store_si256(std::ptr::from_mut(&mut plane).cast(), vector) }
        plane
    }

    #[inline(always)]
    fn and(self, a: __m256i, b: __m256i) -> __m256i {
        // SAFETY: an `Avx2` exists only where the processor has AVX2.
        unsafe { _mm256_and_si256(a, b) }
    }

    #[inline(always)]
    fn or(self, a: __m256i, b: __m256i) -> __m256i {
        // SAFETY: an `Avx2` exists only where the processor has AVX2.
        unsafe { _mm256_or_si256(a, b) }
    }

    #[inline(always)]
    fn without(self, a: __m256i, b: __m256i) -> __m256i {
        // SAFETY: an `Avx2` exists only where the processor has AVX2.
        unsafe { _mm256_andnot_si256(b, a) }
    }

    #[inline(always)]
    fn is_empty(self, a: __m256i) -> bool {
        // SAFETY: an `Avx2` exists only where the processor has AVX2.
        unsafe { _mm256_testz_si256(a, a) == 1 }
    }

    // AVX2 shifts bits within 64-bit words and bytes within 128-bit halves only. The bits that
    // cross a word come from the same vector moved by a whole word.

    #[inline(always)]
    fn up(self, a: __m256i) -> __m256i {
        // SAFETY: an `Avx2` exists only where the processor has AVX2.
        unsafe {
            let word_up = _mm256_alignr_epi8::<8>(a, low_half_up(self, a));
            _mm256_or_si256(_mm256_slli_epi64::<1>(a), _mm256_srli_epi64::<63>(word_up))
        }
    }

    #[inline(always)]
    fn down(self, a: __m256i) -> __m256i {
        // SAFETY: an `Avx2` exists only where the processor has AVX2.
        unsafe {
            let word_down = _mm256_alignr_epi8::<8>(high_half_down(self, a), a);
            _mm256_or_si256(_mm256_srli_epi64::<1>(a), _mm256_slli_epi64::<63>(word_down))
        }
    }

    #[inline(always)]
    fn left(self, a: __m256i) -> __m256i {
        // SAFETY: an `Avx2` exists only where the processor has AVX2.
        unsafe { _mm256_alignr_epi8::<3>(high_half_down(self, a), a) }
    }

    #[inline(always)]
    fn right(self, a: __m256i) -> __m256i {
        // SAFETY: an `Avx2` exists only where the processor has AVX2.
        unsafe { _mm256_alignr_epi8::<13>(a, low_half_up(self, a)) }
    }

    #[inline(always)]
    fn compact(self, bits: u64, from: u64, to: u64) -> u64 {
        // SAFETY: an `Avx2` exists only where the processor has BMI2.
        unsafe { _pdep_u64(_pext_u64(bits, from), to) }
    }
}
