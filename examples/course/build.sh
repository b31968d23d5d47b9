#!/bin/sh
# usage: build.sh [BOT...]
#
# Builds the named bots, or all bots and draw, into target/release.

# shellcheck source-path=SCRIPTDIR source=common.sh
. "$(dirname "$(readlink -f "$0")")/common.sh"
command -v cargo > /dev/null || refuse "no program cargo: install Rust, from https://rustup.rs"
for bot; do
    is_bot "$bot" || refuse "no bot '$bot' in src/bin"
    shift
    set -- "$@" --bin "$bot"
done
cd "$here"
exec cargo build --release --locked --offline --target-dir target "$@" >&2
