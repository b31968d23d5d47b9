#!/bin/sh
# Runs the bot in protocol mode, whatever the current folder.
here=$(dirname "$0")
if [ ! -x "$here/tensai" ]; then
    echo "run.sh: $here/tensai is not there; run compile.sh first" >&2
    exit 2
fi
exec "$here/tensai" "$@"
