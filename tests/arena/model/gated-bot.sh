#!/bin/sh
# A bot for the model test of the arena. It plays legal moves that depend on nothing but the turn,
# leaves a process behind, waits at turn 3 for a line in the FIFO of the game, and exits at turn 5 of
# some games. A game is known by the digits of its first pack, which name its files in $MODEL_GATES:
# the FIFO, `began-` followed by these digits, which the bot makes when the game begins, and `at-`
# followed by them, in which the bot says which process waits.
setsid sleep 1000000 >/dev/null 2>&1 &
echo gated
read -r a b
read -r c d
game=$a$b$c$d
: >"$MODEL_GATES/began-$game"
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
    if [ "$turn" = 3 ]; then
        echo $$ >"$MODEL_GATES/new-$game"
        mv "$MODEL_GATES/new-$game" "$MODEL_GATES/at-$game"
        read -r _ <"$MODEL_GATES/$game"
    fi
    if [ "$turn" = 5 ] && [ $((1$game % 3)) = 0 ]; then
        exit 3
    fi
    echo 0 0
    turn=$((turn + 1))
done
