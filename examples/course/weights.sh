#!/bin/sh
# usage: weights.sh [BOT]
#
# Makes the weights of BOT [mazai] anew: plays ten games by nodes, which are alike on every machine, lets
# BOT learn from them, and writes the file of weights that its source names.
# TENSAI names the program tensai [default: target/release/tensai of the repository].

# shellcheck source-path=SCRIPTDIR source=common.sh
. "$(dirname "$(readlink -f "$0")")/common.sh"
[ $# -le 1 ] || refuse "at most one bot expected, found '$2'"
bot=${1:-mazai}
is_bot "$bot" || refuse "no bot '$bot' in src/bin"
weights=$(sed -n 's|^const WEIGHTS.*include_str!("../\(.*\)");$|src/\1|p' "$here/src/bin/$bot.rs")
[ -n "$weights" ] || refuse "$bot does not learn: its source names no file of WEIGHTS"
find_tensai
"$here/build.sh" chokudai beam "$bot"
make_scratch
cd "$here"
# The table, and where the records are, which go away, are of no interest.
"$tensai" match --engine name=chokudai cmd=target/release/chokudai dir=. nodes=60 \
    --engine name=beam cmd=target/release/beam dir=. nodes=60 \
    --time 10m --turn-time 1m --no-pin --rounds 10 --seed 2016 --records "$scratch/match" > /dev/null
# The old weights stay until the new ones are whole.
"target/release/$bot" train "$scratch"/match/0*.json > "$scratch/weights.txt"
cp "$scratch/weights.txt" "$weights.new"
mv "$weights.new" "$weights"
echo "weights.sh: $weights written" >&2
