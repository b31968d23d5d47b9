#!/usr/bin/env bash
# Soak test: 1,000 games of the bot against bots that misbehave (match.toml in this folder).
#
#     cargo build --release
#     tests/soak/run.sh target/release/tensai target/soak     # 15 to 30 minutes
#     tests/soak/run.sh target/release/tensai target/soak     # again: goes on after an interruption
#     tests/soak/run.sh target/release/tensai target/short --rounds 2     # 50 games, 2 minutes
#
# Arguments after FOLDER are passed to `tensai match` when the match begins. Ctrl-C ends the match as
# it ends any match. Other work on the machine is welcome: no figure depends on its speed, except
# that the bot has 20 s to start and 4 s for a game.
#
# The tool writes to FOLDER only, the key of the folder's MAC included:
#
#     match/         the records
#     log.txt        what `tensai match` prints
#     samples.csv    the referee's memory, threads and file handles and the processes of the match,
#                    one line each 5 s
#     games.csv, match.json    the report of the match
#
# The test fails, with a line `failed: ...` and exit code 1, if the bot has lost a game by a fault of
# its own, if a game has no record, if a process of a bot is left 1 s after the match, or if the
# median of a figure has grown by more than a quarter from the first quarter of the samples to the
# last. It passes with the line `passed` and exit code 0.
set -euo pipefail
if [ $# -lt 2 ]; then
    echo "usage: tests/soak/run.sh PROGRAM FOLDER [ARGUMENT...]" >&2
    exit 2
fi
program=$(realpath "$1")
mkdir -p "$2"
folder=$(realpath "$2")
shift 2
cd "$(dirname "$0")/../.."
samples=$folder/samples.csv

# All processes of the match inherit the variable TENSAI_SOAK, those too that a bot leaves behind.
# It is not exported: the processes of this script would be counted too, `grep` itself among them.
mark=$$-$RANDOM
processes_of_the_match() {
    # Most processes of other users cannot be read.
    grep -lz "^TENSAI_SOAK=$mark\$" /proc/[0-9]*/environ 2>/dev/null | cut -d/ -f3 || true
}

export XDG_STATE_HOME=$folder/state
if [ -e "$folder/match/match.json" ]; then
    match=(match resume "$folder/match")
else
    match=(match --config tests/soak/match.toml --records "$folder/match" "$@")
    echo "seconds,games,rss_kib,peak_rss_kib,threads,file_handles,processes" >"$samples"
fi
TENSAI_SOAK=$mark "$program" "${match[@]}" --concurrency 2 --no-pin >>"$folder/log.txt" 2>&1 &
referee=$!
trap 'kill -INT $referee 2>/dev/null' INT TERM

start=$SECONDS
while kill -0 $referee 2>/dev/null; do
    status=$(awk '/^(VmRSS|VmHWM|Threads)/ { found[$1] = $2 }
        END { print found["VmRSS:"] "," found["VmHWM:"] "," found["Threads:"] }' \
        /proc/$referee/status 2>/dev/null) || break
    # Only root can list them, as the referee hides from other processes of its user.
    handles=$(find /proc/$referee/fd -mindepth 1 2>/dev/null | wc -l) || true
    games=$(find "$folder/match" -name '[0-9]*.json' 2>/dev/null | wc -l)
    # A process that has ended and is not waited for yet has no memory.
    case $status in ,*) break ;; esac
    echo "$((SECONDS - start)),$games,$status,$handles,$(processes_of_the_match | wc -l)" >>"$samples"
    sleep 5 || true
done
code=0
wait $referee || code=$?
if [ $code != 0 ]; then
    echo "the match ended with exit code $code: $(tail -n 1 "$folder/log.txt")" >&2
    exit $code
fi

failed=0
fail() {
    echo "failed: $*" >&2
    failed=1
}
# The match is over: whatever of it still runs after a moment was left behind.
sleep 1
left=$(processes_of_the_match)
[ -z "$left" ] || fail "processes are left: $(ps -o pid=,args= -p "$(echo $left | tr ' ' ,)" | sort -k2 | uniq -cf1 | tr '\n' ';')"

# `stats` and `match merge` report without playing a game or running a command.
"$program" stats engines "$folder/match" --csv | awk -F, 'NR == 1 || $3 == "tensai"' >"$folder/games.csv"
"$program" match merge "$folder/match" --json >"$folder/match.json"
planned=$(grep -o '"planned": *[0-9]*' "$folder/match.json" | grep -o '[0-9]*$')
played=$(($(wc -l <"$folder/games.csv") - 1))
[ "$played" = "$planned" ] || fail "$played of $planned games have a record"
echo "games: $played"
echo "results of tensai, by how the games ended:"
awk -F, 'NR > 1 { print "  " $6 " " $7 }' "$folder/games.csv" | sort | uniq -c
own=$(awk -F, 'NR > 1 && $6 != "1" && $7 != "danger line" && $7 != "last turn"' "$folder/games.csv")
[ -z "$own" ] || fail "games that tensai did not win for a fault:"$'\n'"$own"

# Medians of the quarters, as single samples hang on which games are just played.
awk -F, -v limit=1.25 '
    function median(values, from, to,    i, j, n, held, sorted) {
        n = 0
        for (i = from; i <= to; i++) sorted[++n] = values[i]
        for (i = 2; i <= n; i++) {
            held = sorted[i]
            for (j = i - 1; j > 0 && sorted[j] > held; j--) sorted[j + 1] = sorted[j]
            sorted[j + 1] = held
        }
        return sorted[int((n + 1) / 2)]
    }
    NR > 1 { n++; for (i = 3; i <= 7; i++) { value[i, n] = $i; if ($i > peak[i]) peak[i] = $i } }
    END {
        name[3] = "memory, KiB"; name[4] = "highest memory, KiB"; name[5] = "threads"
        name[6] = "file handles"; name[7] = "processes"
        quarter = int(n / 4)
        if (quarter < 4) { print "too few samples to compare: " n; exit }
        for (i = 3; i <= 7; i++) {
            for (k = 1; k <= n; k++) column[k] = value[i, k] + 0
            first = median(column, 1, quarter)
            last = median(column, n - quarter + 1, n)
            printf "%s: median of the first quarter %d, of the last %d; peak %d\n", name[i], first, last, peak[i]
            # Memory in use depends on what the system takes back meanwhile: the highest is compared.
            if (i != 3 && last > first * limit + 8) { print "failed: " name[i] " has grown"; bad = 1 }
        }
        exit bad
    }' "$samples" || failed=1
[ $failed = 0 ] && echo "passed"
exit $failed
