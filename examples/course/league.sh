#!/bin/sh
# usage: league.sh FOLDER [SEED] [ENGINE...]
#
#   FOLDER  the league; made, or gone on with after Ctrl-C by the same command
#   SEED    the seed of the packs [1]
#   ENGINE  bots of the course, or others that tensai knows by name
#           [default: all nine, random, level1 to level9, classic and tensai]
#
# Plays until each engine has 40 games, and prints the list. The games of a bot count although its source
# has changed since; a new version belongs in a new league. Variables change that:
#   GAMES    games that each engine has at least [40]
#   LIMITS   options of `tensai league init` [--time 10s]. With --nodes 100 games are alike on every
#            machine
#   RATINGS  documents that get the list, between the lines `<!-- ratings SEED -->` and `<!-- end -->`
#            [default: docs/course.md and docs/course.ja.md, for the default ENGINE and LIMITS, and 40
#            games or more]
#   TENSAI   the program tensai [default: target/release/tensai of the repository]

# shellcheck source-path=SCRIPTDIR source=common.sh
. "$(dirname "$(readlink -f "$0")")/common.sh"
[ $# -ge 1 ] || refuse "a folder is needed"
league=$1
seed=${2:-1}
check_number SEED "$seed" 0
games=${GAMES:-40}
check_number GAMES "$games" 1
shift
[ $# -eq 0 ] || shift
all=
if [ $# -eq 0 ]; then
    set -- survivor greedy exhaustive beam chokudai mazai reactive mcts duel \
        random level1 level2 level3 level4 level5 level6 level7 level8 level9 classic tensai
    [ -n "${LIMITS:-}" ] || [ "$games" -lt 40 ] || all=yes
fi
different=$(printf '%s\n' "$@" | sort -u | grep -c .) || true
[ "$different" -ge 2 ] || [ -f "$league/league.json" ] || refuse "a new league needs two engines"
find_tensai
make_scratch

# add FOLDER ENGINE: an engine that is in the league stays as it is, so that a league goes on.
add() {
    ! grep -qF "\"name\":\"$2\"" "$1/league.json" || return 0
    if is_bot "$2"; then
        "$tensai" league add "$1" "name=$2" "dir=$here" "cmd=target/release/$2"
    elif [ "$2" = tensai ]; then
        "$tensai" league add "$1" name=tensai "cmd=tensai --threads 1"
    else
        "$tensai" league add "$1" "$2"
    fi
}

init() {
    # shellcheck disable=SC2086 # LIMITS are words separated by blanks.
    "$tensai" league init "$1" ${LIMITS:---time 10s} --seed "$seed"
}

# A league in the scratch folder shows what is wrong before anything is written or built.
init "$scratch/league" > /dev/null
bots=
for engine; do
    if is_bot "$engine"; then
        bots="$bots $engine"
    else
        case $engine in
        '' | *=*) false ;;
        *) add "$scratch/league" "$engine" > /dev/null 2>&1 ;;
        esac || refuse "no bot '$engine' in src/bin, and tensai knows none of this name"
    fi
done
if [ -f "$league/league.json" ]; then
    "$tensai" league set "$scratch/league" > "$scratch/asked"
    "$tensai" league set "$league" > "$scratch/has"
    # differ A B: settings that A has and B has not.
    differ() {
        grep -vxFf "$scratch/$2" "$scratch/$1" |
            awk '{ $1 = $1; printf "%s%s", comma, $0; comma = ", " }'
    }
    cmp -s "$scratch/asked" "$scratch/has" ||
        refuse "$league is a league of $(differ has asked), not of $(differ asked has): name another folder, or give it the same SEED and LIMITS"
fi
# shellcheck disable=SC2086 # Names are separated by blanks.
[ -z "$bots" ] || "$here/build.sh" $bots
[ -f "$league/league.json" ] || init "$league"
for engine; do
    add "$league" "$engine"
done

list=$scratch/list
show() {
    "$tensai" league show "$league" --anchor random=0 > "$list" 2> /dev/null ||
        "$tensai" league show "$league" > "$list"
}
# Rows of the list: place, engine, Elo, error, games, won, drawn, lost, score, `%`, faults, state. Elo,
# error, score and `%` are missing before the first game.
# shellcheck disable=SC2016 # The fields are awk's.
is_row='$10 == "%"'
missing=
while :; do
    show
    before=$missing
    # A game counts for both of its engines.
    missing=$(awk -v games="$games" '$NF == "plays" {
            played = NF == 12 ? $5 : $3
            if (played < games) n += games - played
        }
        END { print int((n + 1) / 2) }' "$list")
    [ "$missing" -gt 0 ] || break
    # The engine with the fewest games plays next, unless it cannot.
    if [ -n "$before" ] && [ "$missing" -ge "$before" ]; then
        echo "league.sh: engines that have too few games could not play: see above" >&2
        exit 1
    fi
    "$tensai" league run "$league" --games "$missing"
done
cat "$list"
rows=$(awk "$is_row"' { printf "| %s | `%s` | %s ± %s | %s | %s %% |\n", $1, $2, $3, $4, $5, $9 }' "$list")

# Writes the list into a document.
write() {
    if ! grep -qs "^<!-- ratings $seed -->\$" "$1"; then
        echo "$1 has no list of seed $seed: not changed" >&2
        return
    fi
    # The heading of the table, which is in the language of the document, stays.
    ROWS=$rows awk -v begin="<!-- ratings $seed -->" '
        $0 == begin { inside = 1; heading = 0 }
        $0 == "<!-- end -->" && inside { print ENVIRON["ROWS"]; print ""; inside = 0 }
        !inside || heading < 2
        inside && /^\|/ { heading++ }
        END { exit inside }' "$1" > "$scratch/document" ||
        refuse "$1 has no line <!-- end --> after the list of seed $seed: not changed"
    cat "$scratch/document" > "$1"
    echo "$1: list of seed $seed written" >&2
}
if [ -n "${RATINGS+set}" ]; then
    for document in $RATINGS; do
        write "$document"
    done
elif [ -n "$all" ]; then
    write "$here/../../docs/course.md"
    write "$here/../../docs/course.ja.md"
fi
