#!/bin/sh
# Plays bots of the course against each other; see `usage`. It is the check of the exercises.
# TENSAI names the program [default: target/release/tensai of the repository], SEED the packs [1].
set -eu
cd "$(dirname "$(readlink -f "$0")")"
usage() {
    echo "play.sh: $1" >&2
    cat >&2 <<'END'
usage: play.sh A B [ROUNDS] [WORDS]
  A, B    bots of src/bin, or others that tensai knows by name: random, level1 to level9, classic
  ROUNDS  the number of games [20]
  WORDS   KEY=VALUE words for both bots, such as nodes=200, which plays alike on every machine
Succeeds if A scores 70 % or more.
END
    exit 2
}
[ $# -ge 2 ] || usage "two bots are needed"
[ $# -le 4 ] || usage "too many words; write several KEY=VALUE words in one pair of quotes"
[ "$1" != "$2" ] || usage "$1 cannot play against itself; copy it to src/bin/mine.rs"
rounds=${3:-20}
case $rounds in
*[!0-9]* | 0 | 1) usage "ROUNDS is a number from 2 on, not '$rounds'" ;;
esac
for word in ${4:-}; do
    case $word in
    ?*=?*) ;;
    *) usage "WORDS are KEY=VALUE words, not '$word'" ;;
    esac
done
for bot in "$1" "$2"; do
    case $bot in
    random | classic | level[1-9]) ;;
    *) [ -f "src/bin/$bot.rs" ] || usage "no bot '$bot': src/bin/$bot.rs is missing" ;;
    esac
done
tensai=${TENSAI:-../../target/release/tensai}
command -v "$tensai" > /dev/null || usage "no program '$tensai': build tensai, or name it by TENSAI"
./build.sh
engine() {
    if [ -f "src/bin/$1.rs" ]; then
        echo "name=$1 cmd=target/release/$1 dir=. ${2:-}"
    else
        echo "$1"
    fi
}
results=$(mktemp)
trap 'rm -f "$results"' EXIT
# Words of an engine are separated by blanks.
# shellcheck disable=SC2046
"$tensai" match --engine $(engine "$1" "${4:-}") --engine $(engine "$2" "${4:-}") \
    --rounds "$rounds" --seed "${SEED:-1}" | tee "$results"
score=$(awk -v bot="$1" '$1 == bot && $2 ~ /^[0-9]+$/ { print $6 }' "$results")
[ -n "$score" ] || exit 1 # the match has said why
echo "$1 scores $score %; the check asks for 70 %"
awk -v score="$score" 'BEGIN { exit !(score >= 70) }'
