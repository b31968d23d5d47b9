#!/bin/sh
# league.sh FOLDER [SEED] [ENGINE...]: builds the bots of the course, makes a league of them, of random,
# level1 to level9, classic and tensai, or of the named engines, with 10 s a game, and plays until each
# has 40 games. Ctrl-C stops it; the same command goes on. LIMITS are other limits [default: --time 10s],
# such as --nodes 100, with which the games are alike on every machine.
# TENSAI names the program [default: target/release/tensai of the repository].
set -eu
here=$(dirname "$(readlink -f "$0")")
tensai=$(readlink -f "${TENSAI:-$here/../../target/release/tensai}")
league=$1
seed=${2:-1}
[ $# -le 2 ] && engines="survivor greedy exhaustive beam chokudai mazai reactive mcts duel
    random level1 level2 level3 level4 level5 level6 level7 level8 level9 classic tensai" ||
    { shift 2; engines="$*"; }
"$here/build.sh"
if ! [ -f "$league/league.json" ]; then
    "$tensai" league init "$league" ${LIMITS:---time 10s} --seed "$seed"
    for engine in $engines; do
        if [ -x "$here/target/release/$engine" ]; then
            "$tensai" league add "$league" "name=$engine" "cmd=$here/target/release/$engine"
        elif [ "$engine" = tensai ]; then
            "$tensai" league add "$league" name=tensai "cmd=$tensai --threads 1"
        else
            "$tensai" league add "$league" "$engine"
        fi
    done
fi
# A game counts for both of its engines.
played=$(find "$league/games" -name '*.json' 2>/dev/null | wc -l)
count=$(echo $engines | wc -w)
left=$((count * 40 / 2 - played))
[ "$left" -le 0 ] || "$tensai" league run "$league" --games "$left"
"$tensai" league show "$league" --anchor random=0
