//! The check that this processor can run the binary.

use std::io::Write as _;

/// Ends the process with a one-line message and exit code 2 if the binary was built for
/// instructions of x86-64-v2, v3 or v4 that this processor lacks (`-C target-cpu=...`).
///
/// The default build needs plain x86-64 only and chooses a [`Backend`](super::Backend) at run time. `main` calls this
/// function first. The function uses only code that the standard library contains compiled for any
/// processor.
pub fn check_processor() {
    if let Some(missing) = missing_feature() {
        let parts: [&[u8]; 3] = [
            b"tensai: this binary was built for a processor with ",
            missing.as_bytes(),
            b", which this processor lacks; build tensai here with `cargo build --release`\n",
        ];
        for part in parts {
            // A failure to write standard error cannot be reported anywhere.
            let _ = std::io::stderr().write_all(part);
        }
        std::process::exit(2);
    }
}

#[cfg(not(target_arch = "x86_64"))]
fn missing_feature() -> Option<&'static str> {
    None
}

/// Returns the first feature that the build assumes and the processor lacks.
///
/// `is_x86_feature_detected!` is constant for a feature that the build assumes, so this function
/// reads `cpuid`.
#[cfg(target_arch = "x86_64")]
fn missing_feature() -> Option<&'static str> {
    use std::arch::x86_64::{__cpuid, __cpuid_count, __get_cpuid_max};
    let leaf1 = __cpuid(1).ecx;
    let leaf7 = if __get_cpuid_max(0).0 >= 7 { __cpuid_count(7, 0).ebx } else { 0 };
    let extended = __cpuid(0x8000_0001).ecx;
    let needed = [
        (cfg!(target_feature = "sse3"), leaf1, 0, "SSE3"),
        (cfg!(target_feature = "ssse3"), leaf1, 9, "SSSE3"),
        (cfg!(target_feature = "sse4.1"), leaf1, 19, "SSE4.1"),
        (cfg!(target_feature = "sse4.2"), leaf1, 20, "SSE4.2"),
        (cfg!(target_feature = "popcnt"), leaf1, 23, "POPCNT"),
        (cfg!(target_feature = "avx"), leaf1, 28, "AVX"),
        (cfg!(target_feature = "avx"), leaf1, 27, "AVX enabled by the system (OSXSAVE)"),
        (cfg!(target_feature = "fma"), leaf1, 12, "FMA"),
        (cfg!(target_feature = "avx2"), leaf7, 5, "AVX2"),
        (cfg!(target_feature = "bmi1"), leaf7, 3, "BMI1"),
        (cfg!(target_feature = "bmi2"), leaf7, 8, "BMI2"),
        (cfg!(target_feature = "lzcnt"), extended, 5, "LZCNT"),
        (cfg!(target_feature = "movbe"), leaf1, 22, "MOVBE"),
        (cfg!(target_feature = "f16c"), leaf1, 29, "F16C"),
        (cfg!(target_feature = "avx512f"), leaf7, 16, "AVX-512"),
        (cfg!(target_feature = "avx512dq"), leaf7, 17, "AVX-512DQ"),
        (cfg!(target_feature = "avx512cd"), leaf7, 28, "AVX-512CD"),
        (cfg!(target_feature = "avx512bw"), leaf7, 30, "AVX-512BW"),
        (cfg!(target_feature = "avx512vl"), leaf7, 31, "AVX-512VL"),
    ];
    let lacks =
        |&(needed, register, bit, _): &(bool, u32, u32, &str)| needed && register >> bit & 1 == 0;
    needed.iter().find(|feature| lacks(feature)).map(|&(.., name)| name)
}
