"""The contest's protocol: text on standard input and output. `run` plays a bot's whole life."""

import sys
from dataclasses import dataclass

from simulator import HEIGHT, SKILL, TURNS, WIDTH, Player


@dataclass
class Turn:
    """What a bot reads at the start of a turn: the state at the end of the turn before."""

    number: int  # 0 to 499
    players: list  # [own, opponent]
    time_left: list  # [own, opponent], in milliseconds


def read_words(stream, count):
    """The next `count` words as numbers, then the word END. Blank lines do not matter."""
    words = []
    while len(words) <= count:
        line = stream.readline()
        if not line:
            raise EOFError("the input ends in the middle of a message")
        words += line.split()
    if len(words) != count + 1 or words[-1] != "END":
        raise ValueError(f"expected {count} numbers and END, found {words}")
    return [int(word) for word in words[:-1]]


def read_player(stream):
    """A player and its time left: time, stock, gauge, score, and 16 rows of 10, topmost first."""
    time, stock, gauge, score, *cells = read_words(stream, 4 + HEIGHT * WIDTH)
    field = [[] for _ in range(WIDTH)]
    for y in reversed(range(HEIGHT)):  # from the bottom row upwards
        for x, cell in enumerate(cells[y * WIDTH : (y + 1) * WIDTH]):
            if cell:
                field[x].append(cell)
    return Player(field, stock, gauge, score), time


def messages(stream):
    """Yields the list of packs when a game begins, and a Turn for each turn, until the input ends.

    A pack is (upper left, upper right, lower left, lower right), 0 for empty. The first line of a
    game's packs has two numbers, the first line of a turn has one. So one process can play several
    games.
    """
    while line := stream.readline():
        words = [int(word) for word in line.split()]
        if len(words) == 2:
            packs = [(*words, *read_words(stream, 2))]
            packs += [tuple(read_words(stream, 4)) for _ in range(TURNS - 1)]
            yield packs
        elif len(words) == 1:
            own, own_time = read_player(stream)
            opponent, opponents_time = read_player(stream)
            yield Turn(words[0], [own, opponent], [own_time, opponents_time])
        elif words:
            raise ValueError(f"expected a turn number or a pack, found {line!r}")


def run(name, decide):
    """Plays: prints the name, then for each turn the action that `decide(packs, turn)` returns.

    An action is SKILL or (position, rotation). Standard output is for answers only: print your own
    notes with `file=sys.stderr`.
    """
    print(name, flush=True)
    packs = []
    for message in messages(sys.stdin):
        if isinstance(message, list):
            packs = message
        else:
            action = decide(packs, message)
            # Without the flush the answer stays in a buffer and the game is lost on time.
            print(action if action == SKILL else "%d %d" % action, flush=True)
