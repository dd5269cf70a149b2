"""What is played, by rule and seed: no task, variation or demonstration is chosen by its result."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from random import Random

from graphmem.demo.scienceworld import SIMPLIFICATION
from graphmem.errors import InvalidInput


class Condition(StrEnum):
    """What an agent may remember when it plays a test variation."""

    EMPTY = "empty"
    RANDOM = "random"
    LITERAL = "literal"
    MEMORY = "memory"
    AFTER_CORRECTION = "after_correction"


MEANING: Mapping[Condition, str] = {
    Condition.EMPTY: "the agent with an empty memory",
    Condition.RANDOM: "any demonstration, replayed as it is",
    Condition.LITERAL: "the nearest demonstration, replayed as it is",
    Condition.MEMORY: "the agent with the demonstrations in memory",
    Condition.AFTER_CORRECTION: "the same after living in other training variations and being corrected",
}


@dataclass(frozen=True, slots=True)
class Protocol:
    """The size of a run; `lives` are the training episodes a task that are lived between the two test rounds."""

    variations: int = 2
    demonstrations: int = 3
    lives: int = 2
    actions: int = 100
    seed: int = 0

    def lines(self, tasks: Sequence[str]) -> Iterator[str]:
        """The protocol in words, printed with every result."""
        yield f"ScienceWorld, {len(tasks)} tasks, official splits, simplification '{SIMPLIFICATION}', seed {self.seed}"
        yield f"test: {self.variations} a task at most, {self.actions} actions; never recorded, memory frozen"
        yield "score: the best of the run, from 0 to 100, negative counts as 0; no run is shown its own"
        yield f"{self.demonstrations} demonstrations a task (gold sequences of training variations)"
        yield (
            f"between the test rounds: {self.lives} episodes a task in other training variations, recorded with their "
            "outcome; a failure is corrected by that training variation's gold sequence"
        )


@dataclass(frozen=True, slots=True)
class Plan:
    """The variations of one task that are played."""

    task: str
    demonstrations: tuple[int, ...]
    lives: tuple[int, ...]
    tests: tuple[int, ...]


def plan(task: str, splits: Mapping[str, Sequence[int]], protocol: Protocol) -> Plan:
    """Draw the variations of a task from its official splits, without replacement."""
    random = Random(f"{protocol.seed}:{task}")  # noqa: S311 - a reproducible draw
    train = random.sample(sorted(splits["train"]), len(splits["train"]))
    tests = random.sample(sorted(splits["test"]), min(protocol.variations, len(splits["test"])))
    shown = train[: protocol.demonstrations]
    return Plan(task, tuple(shown), tuple(train[len(shown) : len(shown) + protocol.lives]), tuple(tests))


def choose(known: Sequence[str], wanted: Sequence[str] | int | None, seed: int) -> tuple[str, ...]:
    """The tasks that are named, or as many as are wanted, drawn by the seed, in their own order; None means all.

    Raises InvalidInput for a name that is none, and where no task is left.
    """
    if wanted is None:
        return tuple(known)
    if isinstance(wanted, int):
        found = draw(known, max(0, wanted), seed)
    else:
        unknown = [name for name in wanted if name not in known]
        if unknown:
            raise InvalidInput(f"no ScienceWorld task is called {unknown[0]!r}; the tasks are: {', '.join(known)}")
        found = tuple(name for name in known if name in wanted)
    if not found:
        raise InvalidInput("there is no task to play: name one, or ask for at least 1")
    return found


def draw(tasks: Sequence[str], number: int, seed: int) -> tuple[str, ...]:
    """`number` of the tasks, drawn by the seed, in their own order; all of them if there are no more."""
    chosen = Random(seed).sample(sorted(tasks), min(number, len(tasks)))  # noqa: S311
    return tuple(task for task in tasks if task in chosen)
