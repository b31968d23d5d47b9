#!/bin/sh
# usage: weights.sh
#
# Makes the weights of mazai anew: plays ten games by nodes, which are alike on every machine, learns
# from them, and writes src/weights.txt.
# TENSAI names the program tensai [default: target/release/tensai of the repository].

# shellcheck source-path=SCRIPTDIR source=common.sh
. "$(dirname "$(readlink -f "$0")")/common.sh"
[ $# -eq 0 ] || refuse "no argument expected, found '$1'"
find_tensai
"$here/build.sh" chokudai beam mazai
make_scratch
cd "$here"
# The table, and where the records are, which go away, are of no interest.
"$tensai" match --engine name=chokudai cmd=target/release/chokudai dir=. nodes=60 \
    --engine name=beam cmd=target/release/beam dir=. nodes=60 \
    --time 10m --turn-time 1m --no-pin --rounds 10 --seed 2016 --records "$scratch/match" > /dev/null
# The old weights stay until the new ones are whole.
target/release/mazai train "$scratch"/match/0*.json > "$scratch/weights.txt"
cp "$scratch/weights.txt" src/weights.txt.new
mv src/weights.txt.new src/weights.txt
echo "weights.sh: src/weights.txt written" >&2
