#!/bin/sh
# Runs the bot in protocol mode, whatever the current folder, with as many threads as this machine
# lets it use and never more than 900 MB of memory (the contest's machine had 1 GB).
# The folder of this script itself, with a slash at its end, also where a link leads to the script. The
# `x` keeps an end of line at the end of a name.
here=$(readlink -f -- "$0" 2>/dev/null && echo x) && here=${here%?x} || here=$0
case $here in
*/*) here=${here%/*}/ ;;
*) here=./ ;;
esac
if [ -f "${here}SELFTEST" ] && [ -z "${TENSAI_SELFTEST:-}" ]; then
    # The log of a self-test is no answer, and so the runner shows it; as far as it has come, should
    # compile.sh have been stopped.
    for log in "${here}selftest.log" "${here}selftest.new"; do
        if [ -f "$log" ]; then
            cat "$log"
            cat "$log" >&2
            exit 1
        fi
    done
fi
bot=${here}tensai
# Where compile.sh could not write, or was stopped.
[ -x "$bot" ] || bot=${here}bin/tensai-x86-64
if [ ! -x "$bot" ]; then
    echo "run.sh: ${here}tensai is not there, or may not be run; run compile.sh first" >&2
    exit 2
fi

# A whole number, or nothing.
number() {
    case $1 in
    '' | *[!0-9]*) ;;
    *) echo "$1" ;;
    esac
}

# What a file of a cgroup says, this process's and all above it. $1: the controller of version 1,
# $2: its file there, $3: the file of version 2.
limits() {
    sed -n "s/^[0-9]*:\([^:]*,\)*$1\(,[^:]*\)*:/\/sys\/fs\/cgroup\/$1 $2 /p
            s/^0::/\/sys\/fs\/cgroup $3 /p" /proc/self/cgroup 2>/dev/null |
        while read -r mount file path; do
            while :; do
                cat "$mount${path%/}/$file" 2>/dev/null
                case $path in
                */?*) path=${path%/*} ;;
                *) break ;;
                esac
            done
        done
}

# Cores: those that this process may run on, and the share of them that it is allowed.
cores=$(unset OMP_NUM_THREADS OMP_THREAD_LIMIT; number "$(nproc 2>/dev/null)")
[ -n "$cores" ] || cores=$(number "$(grep -c '^processor' /proc/cpuinfo 2>/dev/null)")
[ -n "$cores" ] && [ "$cores" -ge 1 ] || cores=1
threads=$cores
for quota in $(limits cpu cpu.cfs_quota_us cpu.max | awk '
    NF == 2 && $1 != "max" { print int($1 / $2) }
    NF == 1 && $1 > 0 { print int($1 / 100000) }'); do
    # Version 1 says it for a period, of 100 ms unless somebody has set another.
    # Part of a core is none: a process that is over its share is stopped for a while.
    [ "$quota" -ge 1 ] || quota=1
    [ "$quota" -ge "$threads" ] || threads=$quota
done

# Memory in MB: a tenth of every limit is left to others.
memory=900
fit() {
    limit=$(number "$1")
    # Longer than this is as good as no limit, and more than a shell can count.
    [ -n "$limit" ] && [ ${#limit} -le 15 ] || return
    limit=$((limit / $2 * 9 / 10))
    [ "$limit" -ge "$memory" ] || memory=$limit
}
for limit in $(limits memory memory.limit_in_bytes memory.max); do
    fit "$limit" 1048576
done
fit "$(ulimit -v)" 1024
limited=$memory
# What is free now may be more or less in a minute: it says how many threads to take, no more.
fit "$(awk '/^MemAvailable:/ { print $2 }' /proc/meminfo 2>/dev/null)" 1024
# The first minute of a game of 180 s was seen to take 302 MB on one thread and 411 MB on two.
BASE=250
PER_THREAD=110
most=$(((memory - BASE) / PER_THREAD))
[ "$most" -ge 1 ] || most=1
[ "$threads" -le "$most" ] || threads=$most

# The limit counts what a process may write to: room that malloc only reserves does not fill it.
ulimit -d $((limited * 1024)) 2>/dev/null
: "${TENSAI_THREADS:=$threads}" "${MALLOC_ARENA_MAX:=4}"
export TENSAI_THREADS MALLOC_ARENA_MAX
if [ $# -eq 0 ]; then
    echo "run.sh: $TENSAI_THREADS threads on $cores cores, at most $limited MB" >&2
fi
exec "$bot" "$@"
