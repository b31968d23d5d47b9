//! Vectors of 256 bits with AVX2, and with AVX-512VL, where the compiler merges two logical
//! operations into one; vectors of 512 bits with AVX-512, for planes of two fields.

use super::{Isa, Vector, Words, Work};
use std::arch::x86_64::*;
use std::ops::{BitAnd, BitOr, BitXor};

/// Proof that the processor has AVX2, BMI1, BMI2, LZCNT and POPCNT.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Avx2(());

/// Proof that the processor has the features of [`Avx2`], and AVX-512 F, BW, DQ and VL.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Avx512(());

/// 256 bits in a register. Made only from an [`Avx2`] or [`Avx512`] token, a `Zmm` or another
/// `Ymm`: the field is private to this file, so a value proves that the processor has AVX2.
#[derive(Clone, Copy)]
pub struct Ymm(__m256i);

/// 512 bits in a register, two planes of 256 bits. Made only from an [`Avx512`] token or from
/// another `Zmm`, so a value proves that the processor has AVX-512 F, BW, DQ and VL.
#[derive(Clone, Copy)]
pub struct Zmm(__m512i);

impl BitAnd for Ymm {
    type Output = Ymm;
    #[inline(always)]
    fn bitand(self, other: Ymm) -> Ymm {
        // SAFETY: a `Ymm` proves AVX2.
        Ymm(unsafe { _mm256_and_si256(self.0, other.0) })
    }
}

impl BitOr for Ymm {
    type Output = Ymm;
    #[inline(always)]
    fn bitor(self, other: Ymm) -> Ymm {
        // SAFETY: a `Ymm` proves AVX2.
        Ymm(unsafe { _mm256_or_si256(self.0, other.0) })
    }
}

impl BitXor for Ymm {
    type Output = Ymm;
    #[inline(always)]
    fn bitxor(self, other: Ymm) -> Ymm {
        // SAFETY: a `Ymm` proves AVX2.
        Ymm(unsafe { _mm256_xor_si256(self.0, other.0) })
    }
}

impl Vector for Ymm {
    #[inline(always)]
    fn without(self, other: Ymm) -> Ymm {
        // SAFETY: a `Ymm` proves AVX2.
        Ymm(unsafe { _mm256_andnot_si256(other.0, self.0) })
    }

    #[inline(always)]
    fn up(self) -> Ymm {
        // SAFETY: a `Ymm` proves AVX2. An addition, because more ports add than shift.
        Ymm(unsafe { _mm256_add_epi64(self.0, self.0) })
    }

    #[inline(always)]
    fn down(self) -> Ymm {
        self.down_by::<1>()
    }

    #[inline(always)]
    fn down_by<const N: i32>(self) -> Ymm {
        // SAFETY: a `Ymm` proves AVX2.
        Ymm(unsafe { _mm256_srli_epi64::<N>(self.0) })
    }

    #[inline(always)]
    fn words_up<const SHIFT: u32>(self) -> Ymm {
        // SAFETY: a `Ymm` proves AVX2.
        Ymm(unsafe {
            let rotated = _mm256_permute4x64_epi64::<0b10_01_00_11>(self.0);
            _mm256_sllv_epi64(rotated, _mm256_setr_epi64x(SHIFT as i64, 0, 0, 0))
        })
    }

    #[inline(always)]
    fn words_down<const SHIFT: u32>(self) -> Ymm {
        // SAFETY: a `Ymm` proves AVX2.
        Ymm(unsafe {
            let rotated = _mm256_permute4x64_epi64::<0b00_11_10_01>(self.0);
            _mm256_srlv_epi64(rotated, _mm256_setr_epi64x(0, 0, 0, SHIFT as i64))
        })
    }

    // AVX2 shifts bits only within words, and bytes only within halves. The bits that cross a word
    // come from the same vector, moved by a whole word.

    #[inline(always)]
    fn shifted_up(self) -> Ymm {
        // SAFETY: a `Ymm` proves AVX2.
        Ymm(unsafe {
            let word_up = _mm256_alignr_epi8::<8>(self.0, low_half_up(self.0));
            _mm256_or_si256(_mm256_slli_epi64::<1>(self.0), _mm256_srli_epi64::<63>(word_up))
        })
    }

    #[inline(always)]
    fn shifted_down(self) -> Ymm {
        // SAFETY: a `Ymm` proves AVX2.
        Ymm(unsafe {
            let word_down = _mm256_alignr_epi8::<8>(high_half_down(self.0), self.0);
            _mm256_or_si256(_mm256_srli_epi64::<1>(self.0), _mm256_slli_epi64::<63>(word_down))
        })
    }

    #[inline(always)]
    fn shifted_up_3_bytes(self) -> Ymm {
        // SAFETY: a `Ymm` proves AVX2.
        Ymm(unsafe { _mm256_alignr_epi8::<13>(self.0, low_half_up(self.0)) })
    }

    #[inline(always)]
    fn shifted_down_3_bytes(self) -> Ymm {
        // SAFETY: a `Ymm` proves AVX2.
        Ymm(unsafe { _mm256_alignr_epi8::<3>(high_half_down(self.0), self.0) })
    }

    #[inline(always)]
    fn plus(self, other: Ymm) -> Ymm {
        // SAFETY: a `Ymm` proves AVX2.
        Ymm(unsafe { _mm256_add_epi64(self.0, other.0) })
    }

    #[inline(always)]
    fn minus(self, other: Ymm) -> Ymm {
        // SAFETY: a `Ymm` proves AVX2.
        Ymm(unsafe { _mm256_sub_epi64(self.0, other.0) })
    }

    #[inline(always)]
    fn any(self) -> bool {
        // SAFETY: a `Ymm` proves AVX2.
        unsafe { _mm256_testz_si256(self.0, self.0) == 0 }
    }

    #[inline(always)]
    fn meets(self, other: Ymm) -> bool {
        // SAFETY: a `Ymm` proves AVX2.
        unsafe { _mm256_testz_si256(self.0, other.0) == 0 }
    }

    #[inline(always)]
    fn alternate(self, odd: Ymm) -> Ymm {
        // SAFETY: a `Ymm` proves AVX2.
        Ymm(unsafe { _mm256_blend_epi32::<0b1100_1100>(self.0, odd.0) })
    }

    #[inline(always)]
    fn lane_tops<const LANE: u32>(self) -> u32 {
        // SAFETY: a `Ymm` proves AVX2. Each shift, by a constant, moves the top bits of one lane to
        // the sign bits.
        unsafe {
            let signs = |lanes: u32| {
                let far = _mm256_set1_epi64x(i64::from(64 - lanes * LANE));
                _mm256_movemask_pd(_mm256_castsi256_pd(_mm256_sllv_epi64(self.0, far)))
            };
            (signs(1) | signs(2) << 4 | signs(3) << 8) as u32
        }
    }
}

impl BitAnd for Zmm {
    type Output = Zmm;
    #[inline(always)]
    fn bitand(self, other: Zmm) -> Zmm {
        // SAFETY: a `Zmm` proves AVX-512.
        Zmm(unsafe { _mm512_and_si512(self.0, other.0) })
    }
}

impl BitOr for Zmm {
    type Output = Zmm;
    #[inline(always)]
    fn bitor(self, other: Zmm) -> Zmm {
        // SAFETY: a `Zmm` proves AVX-512.
        Zmm(unsafe { _mm512_or_si512(self.0, other.0) })
    }
}

impl BitXor for Zmm {
    type Output = Zmm;
    #[inline(always)]
    fn bitxor(self, other: Zmm) -> Zmm {
        // SAFETY: a `Zmm` proves AVX-512.
        Zmm(unsafe { _mm512_xor_si512(self.0, other.0) })
    }
}

impl Zmm {
    /// The words that have a bit set, as bits.
    #[inline(always)]
    fn words_with_bits(self) -> u8 {
        // SAFETY: a `Zmm` proves AVX-512.
        unsafe { _mm512_test_epi64_mask(self.0, self.0) }
    }

    /// The two planes.
    #[inline(always)]
    fn halves(self) -> (Ymm, Ymm) {
        // SAFETY: a `Zmm` proves AVX-512, and with it AVX2.
        unsafe {
            (Ymm(_mm512_castsi512_si256(self.0)), Ymm(_mm512_extracti64x4_epi64::<1>(self.0)))
        }
    }

    /// Applies `operation` to each of the two planes.
    #[inline(always)]
    fn each_half(self, operation: impl Fn(Ymm) -> Ymm) -> Zmm {
        let (first, second) = self.halves();
        let (first, second) = (operation(first), operation(second));
        // SAFETY: `self` is a `Zmm`, which proves AVX-512.
        Zmm(unsafe { _mm512_inserti64x4::<1>(_mm512_castsi256_si512(first.0), second.0) })
    }
}

impl Vector for Zmm {
    #[inline(always)]
    fn without(self, other: Zmm) -> Zmm {
        // SAFETY: a `Zmm` proves AVX-512.
        Zmm(unsafe { _mm512_andnot_si512(other.0, self.0) })
    }

    #[inline(always)]
    fn up(self) -> Zmm {
        // SAFETY: a `Zmm` proves AVX-512. An addition, because more ports add than shift.
        Zmm(unsafe { _mm512_add_epi64(self.0, self.0) })
    }

    #[inline(always)]
    fn down(self) -> Zmm {
        self.down_by::<1>()
    }

    #[inline(always)]
    fn down_by<const N: i32>(self) -> Zmm {
        // SAFETY: a `Zmm` proves AVX-512.
        Zmm(unsafe { _mm512_srlv_epi64(self.0, _mm512_set1_epi64(i64::from(N))) })
    }

    #[inline(always)]
    fn words_up<const SHIFT: u32>(self) -> Zmm {
        // SAFETY: a `Zmm` proves AVX-512. The permutation is one of each half.
        Zmm(unsafe {
            let rotated = _mm512_permutex_epi64::<0b10_01_00_11>(self.0);
            let shift = i64::from(SHIFT);
            _mm512_sllv_epi64(rotated, _mm512_setr_epi64(shift, 0, 0, 0, shift, 0, 0, 0))
        })
    }

    #[inline(always)]
    fn words_down<const SHIFT: u32>(self) -> Zmm {
        // SAFETY: a `Zmm` proves AVX-512. The permutation is one of each half.
        Zmm(unsafe {
            let rotated = _mm512_permutex_epi64::<0b00_11_10_01>(self.0);
            let shift = i64::from(SHIFT);
            _mm512_srlv_epi64(rotated, _mm512_setr_epi64(0, 0, 0, shift, 0, 0, 0, shift))
        })
    }

    // No hot code has lanes that cross words in two planes at once.

    #[inline(always)]
    fn shifted_up(self) -> Zmm {
        self.each_half(Ymm::shifted_up)
    }

    #[inline(always)]
    fn shifted_down(self) -> Zmm {
        self.each_half(Ymm::shifted_down)
    }

    #[inline(always)]
    fn shifted_up_3_bytes(self) -> Zmm {
        self.each_half(Ymm::shifted_up_3_bytes)
    }

    #[inline(always)]
    fn shifted_down_3_bytes(self) -> Zmm {
        self.each_half(Ymm::shifted_down_3_bytes)
    }

    #[inline(always)]
    fn plus(self, other: Zmm) -> Zmm {
        // SAFETY: a `Zmm` proves AVX-512.
        Zmm(unsafe { _mm512_add_epi64(self.0, other.0) })
    }

    #[inline(always)]
    fn minus(self, other: Zmm) -> Zmm {
        // SAFETY: a `Zmm` proves AVX-512.
        Zmm(unsafe { _mm512_sub_epi64(self.0, other.0) })
    }

    #[inline(always)]
    fn any(self) -> bool {
        self.words_with_bits() != 0
    }

    #[inline(always)]
    fn meets(self, other: Zmm) -> bool {
        // SAFETY: a `Zmm` proves AVX-512.
        unsafe { _mm512_test_epi64_mask(self.0, other.0) != 0 }
    }

    #[inline(always)]
    fn alternate(self, odd: Zmm) -> Zmm {
        // SAFETY: a `Zmm` proves AVX-512.
        Zmm(unsafe { _mm512_mask_blend_epi64(0b1010_1010, self.0, odd.0) })
    }

    #[inline(always)]
    fn lane_tops<const LANE: u32>(self) -> u32 {
        let (first, second) = self.halves();
        first.lane_tops::<LANE>() | second.lane_tops::<LANE>() << 16
    }
}

/// The lower half in the upper one, zeros in the lower.
///
/// # Safety
/// The processor must have AVX2.
#[inline(always)]
unsafe fn low_half_up(vector: __m256i) -> __m256i {
    // SAFETY: the caller's duty.
    unsafe { _mm256_permute2x128_si256::<0x08>(vector, vector) }
}

/// The upper half in the lower one, zeros in the upper.
///
/// # Safety
/// The processor must have AVX2.
#[inline(always)]
unsafe fn high_half_down(vector: __m256i) -> __m256i {
    // SAFETY: the caller's duty.
    unsafe { _mm256_permute2x128_si256::<0x81>(vector, vector) }
}

/// The part of [`Isa`] that both tokens share.
macro_rules! vectors_of_256_bits {
    () => {
        type V = Ymm;

        #[inline(always)]
        fn load(self, words: &Words) -> Ymm {
            // SAFETY: the token proves AVX2; `Words` is 32 bytes, aligned to 32.
            Ymm(unsafe { _mm256_load_si256(std::ptr::from_ref(words).cast()) })
        }

        #[inline(always)]
        fn store(self, vector: Ymm, words: &mut Words) {
            // SAFETY: the token proves AVX2; `Words` is 32 bytes, aligned to 32.
            unsafe { _mm256_store_si256(std::ptr::from_mut(words).cast(), vector.0) }
        }

        #[inline(always)]
        fn compact(self, bits: u64, from: u64, to: u64) -> u64 {
            // SAFETY: the token proves BMI2.
            unsafe { _pdep_u64(_pext_u64(bits, from), to) }
        }

        #[inline(always)]
        fn splat(self, word: u64) -> Ymm {
            // SAFETY: the token proves AVX2.
            Ymm(unsafe { _mm256_set1_epi64x(word as i64) })
        }
    };
}

impl Isa for Avx2 {
    vectors_of_256_bits!();
    super::one_field!();
    fn detect() -> Option<Avx2> {
        let all = is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt");
        all.then_some(Avx2(()))
    }

    #[inline(always)]
    fn run<W: Work<Avx2>>(self, work: W) -> W::Output {
        #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
        fn inner<W: Work<Avx2>>(isa: Avx2, work: W) -> W::Output {
            work.run(isa)
        }
        // SAFETY: the token proves every feature that `inner` enables.
        unsafe { inner(self, work) }
    }
}

impl Isa for Avx512 {
    vectors_of_256_bits!();
    type Wide = Zmm;
    const FIELDS: usize = 2;

    #[inline(always)]
    fn load_wide(self, first: &Words, second: &Words) -> Zmm {
        let (first, second) = (self.load(first), self.load(second));
        // SAFETY: the token proves AVX-512 F.
        Zmm(unsafe { _mm512_inserti64x4::<1>(_mm512_castsi256_si512(first.0), second.0) })
    }

    #[inline(always)]
    fn store_first(self, wide: Zmm, words: &mut Words) {
        // SAFETY: the token proves AVX-512 F.
        self.store(Ymm(unsafe { _mm512_castsi512_si256(wide.0) }), words);
    }

    #[inline(always)]
    fn store_second(self, wide: Zmm, words: &mut Words) {
        // SAFETY: the token proves AVX-512 F.
        self.store(Ymm(unsafe { _mm512_extracti64x4_epi64::<1>(wide.0) }), words);
    }

    #[inline(always)]
    fn splat_wide(self, word: u64) -> Zmm {
        // SAFETY: the token proves AVX-512 F.
        Zmm(unsafe { _mm512_set1_epi64(word as i64) })
    }

    #[inline(always)]
    fn any_wide(self, wide: Zmm) -> (bool, bool) {
        let words = wide.words_with_bits();
        (words & 0xf != 0, words & 0xf0 != 0)
    }

    fn detect() -> Option<Avx512> {
        Avx2::detect()?;
        let all = is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512dq")
            && is_x86_feature_detected!("avx512vl");
        all.then_some(Avx512(()))
    }

    #[inline(always)]
    fn run<W: Work<Avx512>>(self, work: W) -> W::Output {
        #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512dq,avx512vl")]
        fn inner<W: Work<Avx512>>(isa: Avx512, work: W) -> W::Output {
            work.run(isa)
        }
        // SAFETY: the token proves every feature that `inner` enables.
        unsafe { inner(self, work) }
    }
}
