"""Plays any legal action with equal probability. `random_bot.py SEED` sets the seed (default 1)."""

import random
import sys

from protocol import run
from simulator import DROPS, SKILL

rng = random.Random(int(sys.argv[1]) if len(sys.argv) > 1 else 1)


def decide(packs, turn):
    """Every drop is legal on every field; the skill is legal from a gauge of 80 on."""
    own, _opponent = turn.players
    return rng.choice(DROPS + [SKILL] if own.can_use_skill() else DROPS)


if __name__ == "__main__":
    run("random-python", decide)
