#!/bin/sh
# Python needs no build: this finds syntax errors before the game. The contest's runner calls it.
# Standard output must stay empty: the runner takes it for answers.
set -eu
cd "$(dirname "$(readlink -f "$0")")"
exec python3 -m py_compile protocol.py simulator.py random_bot.py greedy_bot.py >&2
