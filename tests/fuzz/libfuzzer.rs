//! The fuzz targets under libFuzzer: `.ci/fuzz` builds and runs this; `main.rs` tells of the rest.
#![no_main]

mod checks;
#[expect(dead_code, reason = "the mutations of the tests")]
mod targets;

use libfuzzer_sys::fuzz_target;
use std::sync::LazyLock;

/// The target that `TENSAI_FUZZ_TARGET` names.
static TARGET: LazyLock<&targets::FuzzTarget> = LazyLock::new(|| {
    let name = std::env::var("TENSAI_FUZZ_TARGET").expect("TENSAI_FUZZ_TARGET names a target");
    targets::named(&name)
});

fuzz_target!(|data: &[u8]| {
    let _ = TARGET.check(data);
});
