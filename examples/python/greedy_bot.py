"""Plays the drop with the longest chain now. It looks one turn ahead and knows no opponent."""

from protocol import run
from simulator import DROPS, OJAMA_ROW, SKILL, play_half

# The skill pays from one row of ojama on, which the explosion of a single 5 sends.
SKILL_PAYS = OJAMA_ROW


def quality(step):
    """Orders drops, the best one highest: survive, long chain, low columns.

    The height rule breaks ties between equal chains: first the tallest column, then the sum of the
    squared heights, which is lowest on a flat field.
    """
    heights = [len(column) for column in step.player.field]
    return not step.player.is_over(), step.chain, -max(heights), -sum(h * h for h in heights)


def decide(packs, turn):
    own, _opponent = turn.players
    pack = packs[turn.number]
    # `max` keeps the first of equal drops: from the left, and the smallest rotation.
    best, best_step = max(
        ((drop, play_half(own, pack, drop)) for drop in DROPS), key=lambda item: quality(item[1])
    )
    if own.can_use_skill():
        skill = play_half(own, pack, SKILL)
        pays = skill.sent >= SKILL_PAYS and skill.sent > best_step.sent
        if not skill.player.is_over() and (pays or best_step.player.is_over()):
            return SKILL
    return best


if __name__ == "__main__":
    run("greedy-python", decide)
