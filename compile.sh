#!/bin/sh
# Makes ./tensai, in a checkout or where a submission was unpacked, and proves that it plays.
#
# A submission holds the sources with all they need, and two binaries: the one for this processor is
# taken, so that there is something to play with whenever this script is stopped; then cargo builds
# the sources, if it is new enough and done in time. Nothing goes to standard output: the contest's
# runner took that for the bot's. Variables:
#   TENSAI_COMPILE        auto (the default), cargo or prebuilt
#   TENSAI_COMPILE_LIMIT  seconds that cargo may take where there is another way; 300
set -u
unset CDPATH CARGO_BUILD_TARGET
# A stream that is closed must not end the script.
(: >&2) 2>/dev/null || exec 2>/dev/null
(: >&1) 2>/dev/null || exec >/dev/null
exec 3>&1 1>&2
# The folder of this script itself, with a slash at its end, also where a link leads to the script. The
# `x` keeps an end of line at the end of a name.
here=$(readlink -f -- "$0" 2>/dev/null && echo x) && here=${here%?x} || here=$0
case $here in
*/*) here=${here%/*}/ ;;
*) here=./ ;;
esac
cd -P "$here" || exit 2

mode=${TENSAI_COMPILE:-auto}
limit=${TENSAI_COMPILE_LIMIT:-300}
needed=$(sed -n 's/^rust-version *= *"\([0-9.]*\)".*/\1/p' Cargo.toml)

say() { echo "compile.sh: $*"; }

have() { command -v "$1" >/dev/null 2>&1; }

# Whether cargo can be used; if not, $why says what is wrong.
cargo_fits() {
    if ! have cargo; then
        why="cargo is not installed; Rust $needed or later is needed (https://rustup.rs)"
        return 1
    fi
    version=$(rustc --version 2>/dev/null | sed -n 's/^rustc \([0-9]*\.[0-9]*\).*/\1/p')
    if [ -z "$version" ]; then
        why="cargo is there, but \`rustc --version\` does not work"
        return 1
    fi
    if [ "${version%.*}" -lt "${needed%%.*}" ] || {
        [ "${version%.*}" -eq "${needed%%.*}" ] && [ "${version#*.}" -lt "${needed#*.}" ]
    }; then
        why="Rust $version is too old; $needed or later is needed (https://rustup.rs)"
        return 1
    fi
    if [ -d bin ] && [ "$mode" = auto ] && ! have timeout; then
        why="there is no \`timeout\` here to keep cargo to its limit"
        return 1
    fi
}

# Builds the sources.
make_cargo() {
    cargo_fits || return 1
    say "building with Rust $version, as it is new enough"
    target=${CARGO_TARGET_DIR:-target}
    before=$(date +%s)
    set -- build --release --locked --bin tensai --target-dir "$target"
    if [ ! -d vendor ]; then
        cargo "$@"
        status=$?
    elif [ "$mode" = cargo ] || [ ! -d bin ]; then
        cargo "$@" --offline --jobs 1 >cargo.log 2>&1
        status=$?
    else
        # It is in a process group of its own: who stops this script stops it too.
        timeout -k 5 "$limit" cargo "$@" --offline --jobs 1 >cargo.log 2>&1 &
        building=$!
        trap 'kill "$building" 2>/dev/null; exit 143' TERM INT HUP
        wait "$building"
        status=$?
        trap - TERM INT HUP
    fi
    if [ $status -eq 124 ] || [ $status -eq 137 ]; then
        why="cargo was not done within $limit s, or was killed for its memory"
    elif [ $status -ne 0 ]; then
        why="the build failed with Rust $version"
        [ -f cargo.log ] && why="$why: $(grep -m 1 '^error' cargo.log || tail -n 1 cargo.log)"
    fi
    [ $status -eq 0 ] || return 1
    cp "$target/release/tensai" tensai.new || { why="cannot copy it to ./tensai.new"; return 1; }
    what="built with Rust $version in $(($(date +%s) - before)) s"
}

# Takes a binary that was built beforehand. $1: its name, $2: why this one.
take() {
    if [ ! -f "bin/$1" ]; then
        why="bin/$1 is not there"
        return 1
    fi
    if [ "$(uname -s) $(uname -m)" != "Linux x86_64" ]; then
        why="bin/$1 is for Linux on x86-64, and this is $(uname -s) on $(uname -m)"
        return 1
    fi
    cp "bin/$1" tensai.new && chmod 755 tensai.new || { why="cannot write ./tensai.new"; return 1; }
    what="bin/$1, as $2"
}

# The binary for processors from about 2013 on.
make_v3() {
    for feature in avx avx2 bmi1 bmi2 f16c fma movbe abm; do
        if ! grep -m 1 '^flags' /proc/cpuinfo 2>/dev/null | grep -qw "$feature"; then
            why="this processor has no $feature"
            return 1
        fi
    done
    take tensai-x86-64-v3 "this processor has AVX2, BMI2 and the like"
}

make_portable() {
    take tensai-x86-64 "it runs on any x86-64"
}

# Plays the first three turns of a recorded game: 500 packs, then 43 lines a turn. With a limit of
# nodes and one thread every build answers alike.
prove() {
    proof="there is no recorded game to prove it by"
    [ -f replays/input.txt ] || return 0
    limited=""
    have timeout && limited="timeout 60"
    answers=$(unset TENSAI_PARAMETERS TENSAI_TURN_TIME
        head -n $((1500 + 3 * 43)) replays/input.txt |
        TENSAI_NODES=20000 TENSAI_THREADS=1 TENSAI_SELFTEST=1 $limited sh ./run.sh 2>proof.log)
    proof="it has played three recorded turns"
    if [ -f replays/answers.txt ]; then
        [ "$answers" = "$(cat replays/answers.txt)" ] && rm -f proof.log && return 0
    else
        [ "$(echo "$answers" | grep -cE '^([0-8] [0-3]|S)$')" -eq 3 ] && rm -f proof.log && return 0
    fi
    why="it does not play the recorded turns: $(grep -v '^run.sh' proof.log | grep -v '^info ' |
        tail -n 1) (answers: $(echo "$answers" | tr '\n' ';'))"
    return 1
}

# Makes ./tensai in one way, in place of the one that is there only if it proves to be good.
try() {
    why=""
    "make_$1" || return 1
    [ $made = no ] || mv tensai tensai.old
    mv tensai.new tensai
    prove && { made=yes; is="$what ($(./tensai --version)); $proof"; return 0; }
    [ $made = no ] || mv tensai.old tensai
    return 1
}

case $mode in
auto) ways="v3 portable cargo" ;;
cargo) ways="cargo" ;;
prebuilt) ways="v3 portable" ;;
*)
    say "TENSAI_COMPILE is auto, cargo or prebuilt, not \`$mode\`"
    exit 2
    ;;
esac
[ -d bin ] || [ "$mode" = prebuilt ] || ways="cargo"

rm -f selftest.log selftest.new
made=no
for way in $ways; do
    # Of two binaries one is enough.
    [ "$made $way" != "yes portable" ] || continue
    try "$way" || say "not $way: $why"
done
rm -f tensai.new tensai.old
if [ $made = no ]; then
    rm -f tensai
    say "no way is left to make ./tensai"
    exit 2
fi
say "./tensai is $is"

# A self-test (`tensai submit --selftest`): what the bot says about a recorded game comes out where
# the runner shows errors. run.sh says it once more, should this part's output be lost.
if [ -f SELFTEST ]; then
    {
        say "self-test: $(uname -srm), $(nproc 2>/dev/null) cores"
        grep -m 1 '^model name' /proc/cpuinfo
        grep -E '^(MemTotal|MemAvailable)' /proc/meminfo
        TENSAI_SELFTEST=1 sh ./run.sh <replays/input.txt 2>&1
        say "self-test: ended with exit code $?"
    } >selftest.new 2>&1
    mv selftest.new selftest.log
    cat selftest.log
    cat selftest.log >&3
    exit 1
fi
