#!/bin/sh
# Compiles all classes into build/. The contest's runner calls it.
# Standard output must stay empty: the runner takes it for answers.
set -eu
cd "$(dirname "$(readlink -f "$0")")"
exec javac -J-Xmx256m -Xlint:all -d build ./*.java >&2
