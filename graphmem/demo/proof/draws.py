"""What is played in a proof, by rule and seed: no variation is chosen by its result."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from graphmem.demo.scienceworld import SIMPLIFICATION

EMPTY, RANDOM, NEAREST, ORACLE = "empty", "random", "nearest", "oracle"
LIST, GRAPHMEM = "list", "graphmem"


def after(number: int) -> str:
    """The name of the condition after a round of its own life, from 1 on."""
    return f"round_{number}"


MEANING: Mapping[str, str] = {
    EMPTY: "the agent with an empty memory",
    RANDOM: "any demonstration, replayed as it is",
    NEAREST: "the nearest demonstration, replayed as it is",
    ORACLE: "the best of all demonstrations of the same task, replayed as it is: a bound for replay",
    LIST: "the agent over a plain list of the demonstrations, the nearest twenty by cosine",
    GRAPHMEM: "the agent with graphmem and the same demonstrations",
}


def meaning(condition: str) -> str:
    """A condition in words."""
    return MEANING.get(condition) or f"graphmem after {condition.rpartition('_')[2]} rounds of its own life"


@dataclass(frozen=True, slots=True)
class Size:
    """How much is played: `variations` of each task in every condition, of the official `split` ("test", or "dev").

    Before, `demonstrations` of each task are recorded; then come `rounds` of `lives` training episodes of each task.
    A run has at most `actions` actions.
    """

    variations: int = 2
    demonstrations: int = 5
    rounds: int = 3
    lives: int = 1
    actions: int = 100
    seed: int = 0
    split: str = "test"

    def lines(self, tasks: Sequence[str]) -> Iterator[str]:
        """The protocol in words, printed with every result."""
        yield f"ScienceWorld, {len(tasks)} tasks, official splits, simplification '{SIMPLIFICATION}', seed {self.seed}"
        yield f"{self.split}: {self.variations} a task at most, {self.actions} actions; never recorded, memory frozen"
        yield "score: the best of the run, and that at its end, from 0 to 100, negatives as 0; the agent never sees it"
        yield f"{self.demonstrations} demonstrations a task (gold sequences of training variations)"
        yield (
            f"{self.rounds} rounds of its own life: {self.lives} a task in other training variations, recorded with "
            "their outcome, a failure corrected by that variation's gold sequence, then consolidated"
        )


@dataclass(frozen=True, slots=True)
class Draw:
    """The variations of one task: shown, lived in each round, and played in every condition."""

    task: str
    demonstrations: tuple[int, ...]
    rounds: tuple[tuple[int, ...], ...]
    tests: tuple[int, ...]


def draw(task: str, splits: Mapping[str, Sequence[int]], size: Size) -> Draw:
    """Draw from the official splits of a task, without replacement; a small split is used up and no more."""
    random = Random(f"{size.seed}:{task}")  # noqa: S311 - a reproducible draw
    train = random.sample(sorted(splits["train"]), len(splits["train"]))
    played = sorted(splits[size.split])
    tests = random.sample(played, min(size.variations, len(played)))
    rest = train[size.demonstrations :]
    starts = range(0, size.rounds * size.lives, size.lives)
    lives = tuple(tuple(rest[start : start + size.lives]) for start in starts)
    return Draw(task, tuple(train[: size.demonstrations]), lives, tuple(tests))
