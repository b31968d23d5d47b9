#!/bin/sh
# Makes a league of the bots of the course; see `usage`.
# LIMITS are other limits than 10 s a game, such as "--nodes 100", with which the games are alike on
# every machine. GAMES is the number of games that each engine has at least [40].
# RATINGS are documents that get the list, between the lines `<!-- ratings SEED -->` and
# `<!-- end -->` [default: docs/course.md and docs/course.ja.md, if all engines have 40 games of 10 s].
# TENSAI names the program [default: target/release/tensai of the repository].
set -eu
usage() {
    echo "league.sh: $1" >&2
    cat >&2 <<'END'
usage: league.sh FOLDER [SEED] [ENGINE...]
  FOLDER  the league; made, or gone on with after Ctrl-C by the same command
  SEED    the seed of the packs [1]
  ENGINE  bots of the course, or others that tensai knows by name
          [default: all nine, random, level1 to level9, classic and tensai]
Plays until each engine has 40 games, and prints the list.
END
    exit 2
}
[ $# -ge 1 ] || usage "a folder is needed"
here=$(dirname "$(readlink -f "$0")")
tensai=${TENSAI:-$here/../../target/release/tensai}
command -v "$tensai" > /dev/null || usage "no program '$tensai': build tensai, or name it by TENSAI"
tensai=$(readlink -f "$(command -v "$tensai")")
league=$1
seed=${2:-1}
case $seed in
'' | *[!0-9]*) usage "SEED is a number, not '$seed'" ;;
esac
games=${GAMES:-40}
documents=${RATINGS:-}
engines="survivor greedy exhaustive beam chokudai mazai reactive mcts duel
    random level1 level2 level3 level4 level5 level6 level7 level8 level9 classic tensai"
if [ $# -gt 2 ]; then
    shift 2
    engines=$*
elif [ -z "${LIMITS:-}" ] && [ "$games" -ge 40 ]; then
    documents=${RATINGS-$here/../../docs/course.md $here/../../docs/course.ja.md}
fi
"$here/build.sh"
if ! [ -f "$league/league.json" ]; then
    # LIMITS and the engines are words separated by blanks.
    # shellcheck disable=SC2086
    "$tensai" league init "$league" ${LIMITS:---time 10s} --seed "$seed"
fi
# An engine that is in the league already stays as it is, so that a start that was stopped goes on.
for engine in $engines; do
    ! grep -q "\"name\":\"$engine\"" "$league/league.json" || continue
    if [ -f "$here/src/bin/$engine.rs" ]; then
        "$tensai" league add "$league" "name=$engine" "cmd=$here/target/release/$engine"
    elif [ "$engine" = tensai ]; then
        "$tensai" league add "$league" name=tensai "cmd=$tensai --threads 1"
    else
        "$tensai" league add "$league" "$engine"
    fi
done
list=$(mktemp)
trap 'rm -f "$list"' EXIT
show() {
    "$tensai" league show "$league" --anchor random=0 > "$list" 2> /dev/null ||
        "$tensai" league show "$league" > "$list"
}
# Rows of the list: place, engine, Elo, error, games, won, drawn, lost, score, `%`.
is_row='$10 == "%" && $5 ~ /^[0-9]+$/'
while :; do
    show
    # A game counts for both of its engines.
    missing=$(awk -v games="$games" "$is_row"' && $5 < games { n += games - $5 }
        END { print int((n + 1) / 2) }' "$list")
    rated=$(awk "$is_row"' { n++ } END { print n + 0 }' "$list")
    [ "$rated" -gt 0 ] || missing=$games
    [ "$missing" -gt 0 ] || break
    "$tensai" league run "$league" --games "$missing"
done
cat "$list"
rows=$(awk "$is_row"' { printf "| %s | `%s` | %s ± %s | %s | %s %% |\n", $1, $2, $3, $4, $5, $9 }' "$list")
for document in $documents; do
    if ! grep -q "^<!-- ratings $seed -->\$" "$document"; then
        echo "$document has no list of seed $seed: not changed" >&2
        continue
    fi
    # The heading of the table, which is in the language of the document, stays.
    ROWS=$rows awk -v begin="<!-- ratings $seed -->" '
        $0 == begin { inside = 1; heading = 0 }
        $0 == "<!-- end -->" && inside { print ENVIRON["ROWS"]; print ""; inside = 0 }
        !inside || heading < 2
        inside && /^\|/ { heading++ }' "$document" > "$list"
    cat "$list" > "$document"
    echo "$document: list of seed $seed written" >&2
done
