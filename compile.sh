#!/bin/sh
# Builds the release binary at ./tensai, or says what is missing.
set -eu
cd "$(dirname "$0")"

if ! command -v cargo >/dev/null 2>&1; then
    echo "compile.sh: cargo is not installed; Rust 1.95 or later is needed (https://rustup.rs)" >&2
    exit 2
fi
if ! cargo build --release --locked --bin tensai; then
    echo "compile.sh: the build failed with $(rustc --version); Rust 1.95 or later is needed" >&2
    exit 2
fi
target=${CARGO_TARGET_DIR:-target}
cp "$target/release/tensai" tensai.new
mv tensai.new tensai
echo "compile.sh: built ./tensai ($(./tensai --version))"
