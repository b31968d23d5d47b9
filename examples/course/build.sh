#!/bin/sh
# Builds all bots of the course into target/release.
set -eu
cd "$(dirname "$(readlink -f "$0")")"
exec cargo build --release --locked --offline --target-dir target >&2
