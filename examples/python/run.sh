#!/bin/sh
# Plays: `run.sh` the greedy bot, `run.sh random SEED` the random one.
set -eu
cd "$(dirname "$(readlink -f "$0")")"
bot=${1:-greedy}
[ $# -eq 0 ] || shift
exec python3 -u "${bot}_bot.py" "$@"
