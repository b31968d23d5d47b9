#!/bin/sh
# A bot that plays legal moves and misbehaves in the way that its argument names, at a turn from 2 to
# 7 that follows from the packs. Every process that it leaves behind ends by itself within a minute.
behaviour=$1

# Leaves a process behind in each way that a shell knows.
leave_processes() {
    sleep 60 &
    (sleep 60 &)
    setsid sleep 60 &
    nohup setsid sh -c 'trap "" HUP TERM INT; sleep 60' >/dev/null 2>&1 &
}

# The misbehaviour at turn $at; what it prints is the bot's answer.
misbehave() {
    case $behaviour in
    crash) kill -SEGV $$ ;;
    exit-early) exit 0 ;;
    stall) sleep 60 ;;
    stop-itself) kill -STOP $$ ;;
    garbage) echo 'fish 7' ;;
    invalid-move) echo '9 0' ;;
    skill-not-ready) echo S ;;
    answer-twice) printf '0 0\n0 0\n' ;;
    huge-answer) head -c 20000000 /dev/zero | tr '\0' 7; echo ;;
    nul-answer) head -c 1000 /dev/zero; echo ;;
    flood-output) yes '0 0' | head -n 1000000 ;;
    close-output) exec >&-; sleep 60 ;;
    close-input) exec 0<&-; sleep 60 ;;
    kill-supervisor) kill -KILL "$PPID"; sleep 60 ;;
    leave-processes-kill-supervisor) leave_processes; kill -KILL "$PPID"; sleep 60 ;;
    fork-bomb) for _ in $(seq 200); do sleep 60 & done; sleep 60 ;;
    *) echo "$((turn % 9)) 0" ;;
    esac
}

# The misbehaviours that are not of one turn.
case $behaviour in
late-name) sleep 3 ;;
no-name) exit 1 ;;
name-with-slash) echo 'a/b'; sleep 60 ;;
no-read) echo "$behaviour"; exec sleep 60 ;;
ignore-signals) trap '' HUP TERM INT ;;
leave-processes) leave_processes ;;
esac
echo "$behaviour"

# The 500 packs, each ended by END, then two fields a turn, each ended by END.
read -r first second
at=$((2 + (first + 2 * second) % 6))
echo "misbehaves at turn $at" >&2
turn=-500
half=0
while read -r line; do
    [ "$line" = END ] || continue
    if [ "$turn" -lt 0 ]; then
        turn=$((turn + 1))
        continue
    fi
    half=$((1 - half))
    [ "$half" = 0 ] || continue
    case $behaviour in
    flood-errors) head -c 3000000 /dev/zero | tr '\0' x >&2 ;;
    flood-info) yes 'info {"turn":0}' | head -n 20000 >&2 ;;
    slow) sleep 0.3 ;;
    esac
    if [ "$turn" = "$at" ]; then misbehave; else echo "$((turn % 9)) 0"; fi
    turn=$((turn + 1))
done
# The end of the input is the end of the game, which these do not accept.
case $behaviour in
ignore-end | ignore-signals) while :; do sleep 60; done ;;
esac
