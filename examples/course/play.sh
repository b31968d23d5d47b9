#!/bin/sh
# play.sh A B [ROUNDS] [WORDS]: plays bots of the course, or others that tensai knows by name, against
# each other, 20 rounds unless told otherwise. Succeeds if A scores 70 % or more: the check of the
# exercises. WORDS go to both bots, such as nodes=200, which plays alike on every machine.
# TENSAI names the program [default: target/release/tensai of the repository].
set -eu
cd "$(dirname "$(readlink -f "$0")")"
tensai=${TENSAI:-../../target/release/tensai}
./build.sh
engine() {
    if [ -x "target/release/$1" ]; then
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
    --rounds "${3:-20}" --seed "${SEED:-1}" | tee "$results"
score=$(awk -v bot="$1" '$1 == bot && $2 ~ /^[0-9]+$/ { print $6 }' "$results")
echo "$1 scores $score %; the check asks for 70 %"
awk -v score="$score" 'BEGIN { exit !(score >= 70) }'
