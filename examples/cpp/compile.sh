#!/bin/sh
# Builds both bots and the test into build/. The contest's runner calls it.
# Standard output must stay empty: the runner takes it for answers.
set -eu
cd "$(dirname "$(readlink -f "$0")")"
exec >&2
mkdir -p build
for program in greedy_bot random_bot test_simulator; do
    # The test is not needed to play: a copy without it builds too.
    [ -e "$program.cpp" ] || continue
    "${CXX:-g++}" -std=c++17 -O2 -Wall -Wextra -o "build/$program" "$program.cpp"
done
