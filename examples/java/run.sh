#!/bin/sh
# Plays: `run.sh` the greedy bot, `run.sh random SEED` the random one.
# The runner has 1 GB of memory; a bot that plays a turn in a millisecond needs no compiler that works
# for long, nor a garbage collector with threads of its own.
set -eu
cd "$(dirname "$(readlink -f "$0")")"
case ${1:-greedy} in
greedy) class=GreedyBot ;;
random) class=RandomBot ;;
*) class=$1 ;;
esac
[ $# -eq 0 ] || shift
exec java -Xmx512m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -cp build "$class" "$@"
