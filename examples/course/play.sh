#!/bin/sh
# usage: play.sh A B [ROUNDS] [WORDS]
#
#   A, B    bots of src/bin, or others that tensai knows by name: random, level1 to level9, classic
#   ROUNDS  the number of games [20]
#   WORDS   KEY=VALUE words that go to both bots, unless tensai knows them by name, such as nodes=200,
#           with which games are alike on every machine
#
# Plays A against B, and says whether A passes, which is the check of the exercises: it scores 70 % or
# more. Each bot has 10 s a game unless WORDS have another limit: 20 games take up to seven minutes.
# The exit code is 0 if A passes, 1 if not, and another one if they could not play without a fault.
# TENSAI names the program tensai [default: target/release/tensai of the repository], SEED the packs [1].

# shellcheck source-path=SCRIPTDIR source=common.sh
. "$(dirname "$(readlink -f "$0")")/common.sh"
[ $# -ge 2 ] || refuse "two bots are needed"
[ $# -le 4 ] || refuse "too many words; write several KEY=VALUE words in one pair of quotes"
[ "$1" != "$2" ] || refuse "$1 cannot play against itself; copy it to src/bin/mine.rs"
rounds=${3:-20}
check_number ROUNDS "$rounds" 2
seed=${SEED:-1}
check_number SEED "$seed" 0
words=${4:-}
for word in $words; do
    case $word in
    ?*=?*) ;;
    *) refuse "WORDS are KEY=VALUE words, not '$word'" ;;
    esac
done
bots=
for bot in "$1" "$2"; do
    case $bot in
    random | classic | level[1-9]) ;;
    *) is_bot "$bot" || refuse "no bot '$bot' in src/bin" ;;
    esac
    ! is_bot "$bot" || bots="$bots $bot"
done
find_tensai
# shellcheck disable=SC2086 # Names are separated by blanks.
[ -z "$bots" ] || "$here/build.sh" $bots
make_scratch
cd "$here"
engine() {
    if is_bot "$1"; then
        echo "name=$1 cmd=target/release/$1 dir=. $words"
    else
        echo "$1"
    fi
}
# shellcheck disable=SC2046 # Words of an engine are separated by blanks.
"$tensai" match --engine $(engine "$1") --engine $(engine "$2") \
    --rounds "$rounds" --seed "$seed" | tee "$scratch/results"
score=$(awk -v bot="$1" '$1 == bot && $2 ~ /^[0-9]+$/ { print $6 }' "$scratch/results")
[ -n "$score" ] || exit 2 # the match has said why
# Games that a fault ends say nothing of either bot.
faults=$(awk '$2 ~ /^[0-9]+$/ { for (i = 3; i < NF - 1; i++) if ($i == "±" && $(i + 2) > 0) printf " %s", $1 }' \
    "$scratch/results")
[ -z "$faults" ] || refuse "not judged, because of the faults of$faults: the record of a game has what it said"
if awk -v score="$score" 'BEGIN { exit !(score >= 70) }'; then
    echo "passed: $1 scores $score %, and the check asks for 70 %"
else
    echo "not passed: $1 scores $score %, and the check asks for 70 %"
    exit 1
fi
