#!/bin/sh
# weights.sh: makes the weights of MazAI anew. Ten games by nodes, which are alike on every machine, then
# the regression; prints the weights, as they are in src/weights.txt.
# TENSAI names the program [default: target/release/tensai of the repository].
set -eu
cd "$(dirname "$(readlink -f "$0")")"
tensai=${TENSAI:-../../target/release/tensai}
./build.sh
games=$(mktemp -d)
trap 'rm -rf "$games"' EXIT
"$tensai" match --engine name=chokudai cmd=target/release/chokudai dir=. nodes=60 \
    --engine name=beam cmd=target/release/beam dir=. nodes=60 \
    --time 10m --turn-time 1m --no-pin --rounds 10 --seed 2016 --records "$games/match" >&2
target/release/mazai train "$games"/match/0*.json
