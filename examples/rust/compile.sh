#!/bin/sh
# Builds both bots into target/release. The contest's runner calls it.
# Standard output must stay empty: the runner takes it for answers.
set -eu
cd "$(dirname "$(readlink -f "$0")")"
exec cargo build --release --locked --offline --target-dir target >&2
