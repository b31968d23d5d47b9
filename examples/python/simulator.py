"""The rules of CODE VS Reborn: a turn of one player, and a turn of both.

A field is a list of 10 columns from the left. A column is a list of its cells from the bottom, so
`field[3][0]` is the lowest cell of the fourth column and `len(field[3])` is that column's height.
A cell is 1 to 9 for a block and OJAMA for ojama. Empty cells are not stored: nothing floats.
"""

from dataclasses import dataclass, field as default, replace

WIDTH = 10
HEIGHT = 16  # a player with a cell above row 16 at the end of a turn has lost
TURNS = 500
OJAMA = 11
OJAMA_ROW = 10  # ojama in a row, one on each column
GAUGE_FULL = 100
GAUGE_SKILL = 80  # the gauge that the skill needs
GAUGE_CHARGE = 8  # what a turn with a chain adds to the gauge

SKILL = "S"  # the other actions are pairs (position, rotation)
DROPS = [(position, rotation) for position in range(WIDTH - 1) for rotation in range(4)]

NEIGHBOURS = [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)]


@dataclass
class Player:
    """One player at the end of a turn."""

    field: list = default(default_factory=lambda: [[] for _ in range(WIDTH)])
    stock: int = 0  # ojama that wait to fall
    gauge: int = 0
    score: int = 0

    def can_use_skill(self):
        return self.gauge >= GAUGE_SKILL

    def is_over(self):
        """Whether a cell is above row 16: at the end of a turn, the player has lost."""
        return any(len(column) > HEIGHT for column in self.field)


@dataclass
class Step:
    """A player's half of a turn, before the opponent's half acts on it."""

    player: Player
    chain: int = 0  # rounds in which blocks vanished
    exploded: int = 0  # blocks that the skill blew up

    @property
    def sent(self):
        """Ojama sent to the opponent. The chain and the explosion are halved separately."""
        return chain_score(self.chain) // 2 + explosion_score(self.exploded) // 2


def chain_score(chain):
    """The sum of floor(1.3^i) for i from 1 to `chain`, in whole numbers: 1.3^i is 13^i / 10^i."""
    return sum(13**i // 10**i for i in range(1, chain + 1))


def explosion_score(blocks):
    return int(25 * 2 ** (blocks / 12)) if blocks else 0


def rotate(pack, rotation):
    """Turns the pack (a, b, c, d), which means [a b; c d], clockwise `rotation` times."""
    a, b, c, d = pack
    for _ in range(rotation):
        a, b, c, d = c, a, d, b
    return a, b, c, d


def drop(field, pack, position, rotation):
    """Lets the blocks of the pack fall, each in its column, the lower row first."""
    a, b, c, d = rotate(pack, rotation)
    for x, block in ((position, c), (position + 1, d), (position, a), (position + 1, b)):
        if block:
            field[x].append(block)


def cells_beside(field, wanted):
    """The cells (x, y) beside which `wanted(block, neighbour)` holds, diagonals included."""
    found = set()
    for x, column in enumerate(field):
        for y, block in enumerate(column):
            if block == OJAMA:
                continue
            for right, up in NEIGHBOURS:
                nx, ny = x + right, y + up
                if 0 <= nx < WIDTH and 0 <= ny < len(field[nx]) and wanted(block, field[nx][ny]):
                    found.add((x, y))
                    break
    return found


def remove(field, cells):
    """Removes the cells; everything above them falls."""
    for x in {x for x, _ in cells}:
        field[x] = [cell for y, cell in enumerate(field[x]) if (x, y) not in cells]


def run_chain(field):
    """Removes all pairs that sum to 10, round by round, and returns the number of rounds.

    An ojama is 11 and a block at least 1, so no pair with ojama sums to 10.
    """
    chain = 0
    while cells := cells_beside(field, lambda block, neighbour: block + neighbour == 10):
        remove(field, cells)
        chain += 1
    return chain


def explode(field):
    """Blows up each 5 and the blocks around it, and returns the number of blocks. Ojama stay."""
    cells = cells_beside(field, lambda block, neighbour: block == 5 or neighbour == 5)
    # A 5 without any neighbour explodes too.
    cells |= {(x, y) for x in range(WIDTH) for y, cell in enumerate(field[x]) if cell == 5}
    remove(field, cells)
    return len(cells)


def play_half(before, pack, action):
    """Plays one player's half of a turn and returns its Step; `before` does not change."""
    player = replace(before, field=[column[:] for column in before.field])
    if player.stock >= OJAMA_ROW:  # exactly one row a turn, the rest waits
        player.stock -= OJAMA_ROW
        for column in player.field:
            column.append(OJAMA)
    exploded = 0
    if action == SKILL:
        if not before.can_use_skill():
            raise ValueError(f"the skill needs a gauge of {GAUGE_SKILL}, it is {before.gauge}")
        player.gauge = 0
        exploded = explode(player.field)
    else:
        drop(player.field, pack, *action)
    chain = run_chain(player.field)
    if chain:
        player.gauge = min(player.gauge + GAUGE_CHARGE, GAUGE_FULL)
    player.score += chain_score(chain) + explosion_score(exploded)
    return Step(player, chain, exploded)


def play_turn(players, pack, actions):
    """Plays a turn of both players at once. Returns both Steps and both players afterwards."""
    steps = [play_half(player, pack, action) for player, action in zip(players, actions)]
    after = []
    for own, opponent in (steps, steps[::-1]):
        drain = 12 + 2 * opponent.chain if opponent.chain >= 3 else 0
        gauge = max(own.player.gauge - drain, 0)
        after.append(replace(own.player, gauge=gauge, stock=own.player.stock + opponent.sent))
    offset = min(player.stock for player in after)  # ojama on both sides cancel out
    for player in after:
        player.stock -= offset
    return steps, after


def winner(turns_played, players):
    """0, 1 or "draw" when the game has ended, None while it goes on."""
    over = [player.is_over() for player in players]
    if not any(over) and turns_played < TURNS:
        return None
    if over[0] != over[1]:
        return 1 if over[0] else 0
    scores = [player.score for player in players]
    return "draw" if scores[0] == scores[1] else scores.index(max(scores))
