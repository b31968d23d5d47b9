"""The simulator against the golden vectors (`../vectors/README.md`). Run: python3 test_simulator.py"""

import unittest
from pathlib import Path

from simulator import (
    OJAMA,
    SKILL,
    WIDTH,
    Player,
    chain_score,
    explosion_score,
    play_turn,
    winner,
)

VECTORS = Path(__file__).resolve().parent.parent / "vectors"


def records(name):
    """The lines of a vector file as lists of words, without comments and blank lines."""
    for line in (VECTORS / name).read_text().splitlines():
        if line.strip() and not line.startswith("#"):
            yield line.split()


def parse_player(words):
    """STOCK GAUGE SCORE and the columns from the left, each from the bottom; `-` is empty."""
    assert len(words) == 3 + WIDTH, words
    columns = [[OJAMA if c == "#" else int(c) for c in word if c != "-"] for word in words[3:]]
    return Player(columns, *map(int, words[:3]))


def parse_action(words):
    return SKILL if words == [SKILL] else tuple(map(int, words))


def turns(name):
    """The turns of a vector file as dictionaries; what both players have is a list of two."""
    turn = {}
    for key, *words in records(name):
        if key == "turn":
            turn = {"number": int(words[0]), "name": words[1]}
        elif key == "pack":
            turn["pack"] = tuple(map(int, words))
        elif key == "end":
            yield {**turn, "end": words[0]}
        else:
            _seat, *rest = words
            turn.setdefault(key, []).append(rest)


class GoldenVectors(unittest.TestCase):
    def check(self, name):
        count = 0
        for turn in turns(name):
            with self.subTest(turn=turn["name"]):
                before = [parse_player(words) for words in turn["before"]]
                skill = ["yes" if player.can_use_skill() else "no" for player in before]
                self.assertEqual([[word] for word in skill], turn["skill"])
                actions = [parse_action(words) for words in turn["action"]]
                steps, after = play_turn(before, turn["pack"], actions)
                results = [[step.chain, step.exploded, step.sent] for step in steps]
                self.assertEqual(results, [[int(w) for w in words] for words in turn["result"]])
                self.assertEqual(after, [parse_player(words) for words in turn["after"]])
                end = winner(turn["number"] + 1, after)
                self.assertEqual("-" if end is None else str(end), turn["end"])
            count += 1
        self.assertGreater(count, 0)
        print(f"{name}: {count} turns")

    def test_rules(self):
        self.check("rules.txt")

    def test_games(self):
        self.check("games.txt")

    def test_scores(self):
        scores = {"chain": chain_score, "explosion": explosion_score}
        for kind, *numbers in records("scores.txt"):
            count, score, sent = map(int, numbers)
            with self.subTest(kind=kind, count=count):
                self.assertEqual(scores[kind](count), score)
                self.assertEqual(scores[kind](count) // 2, sent)

    def test_the_skill_is_refused_below_its_gauge(self):
        with self.assertRaises(ValueError):
            play_turn([Player(gauge=79), Player()], (1, 2, 3, 0), [SKILL, (0, 0)])


if __name__ == "__main__":
    unittest.main()
