"""What is played in a proof, by rule and seed: no variation is chosen by its result."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from graphmem.demo.scienceworld import SIMPLIFICATION
from graphmem.errors import InvalidInput

EMPTY, RANDOM, NEAREST, ORACLE = "empty", "random", "nearest", "oracle"
LIST, GRAPHMEM = "list", "graphmem"
SPLITS = ("test", "dev")  # what may be played


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
    A run has at most `actions` actions. Raises InvalidInput for a number below 1 (`rounds` may be 0), or another split.
    """

    variations: int = 2
    demonstrations: int = 5
    rounds: int = 3
    lives: int = 1
    actions: int = 100
    seed: int = 0
    split: str = "test"

    def __post_init__(self) -> None:
        for name in ("variations", "demonstrations", "rounds", "lives", "actions"):
            value, least = getattr(self, name), 0 if name == "rounds" else 1
            if type(value) is not int or value < least:
                raise InvalidInput(f"{name} must be a whole number of at least {least}, and not {value!r}")
        if self.split not in SPLITS:
            raise InvalidInput(f"what is played is of the split {' or '.join(SPLITS)}, and not {self.split!r}")

    def lines(self, tasks: Sequence[str], planner: str = "") -> Iterator[str]:
        """The protocol in words, printed with every result; `planner` is the language model that plans, if one does."""
        yield f"ScienceWorld, {len(tasks)} tasks, official splits, simplification '{SIMPLIFICATION}', seed {self.seed}"
        yield f"{self.split}: {self.variations} a task at most, {self.actions} actions; never recorded, memory frozen"
        yield "score: the best of the run, and that at its end, from 0 to 100, negatives as 0; no run is shown its own"
        yield f"{self.demonstrations} demonstrations a task (gold sequences of training variations)"
        yield (
            f"{self.rounds} rounds of its own life: {self.lives} a task in other training variations, recorded with "
            "their outcome and score, a failure corrected by that variation's gold sequence, then consolidated"
        )
        if planner:
            yield (
                f"{planner} plans for the agent in {EMPTY}, in {GRAPHMEM} and in the rounds; {LIST} and the replays "
                "have no language model, so what sets them apart is not the memory alone"
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
