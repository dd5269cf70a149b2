"""The whole demonstration, from an empty memory to a picture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

from rich.console import Console

from graphmem.demo import picture
from graphmem.demo.afterwards import afterwards
from graphmem.demo.pool import Pool
from graphmem.demo.protocol import MEANING, Condition, Plan, Protocol, choose, plan
from graphmem.demo.result import Result
from graphmem.demo.rounds import Life, Rounds
from graphmem.demo.scienceworld import Simulator
from graphmem.demo.screen import Screen, by_task, summary
from graphmem.errors import ConfigurationError
from graphmem.memory import Memory
from graphmem.models import Episode

_PARTS = ("py4j", "scienceworld", "matplotlib")
_BEFORE = (Condition.EMPTY, Condition.RANDOM, Condition.LITERAL, Condition.MEMORY)


@dataclass(frozen=True, slots=True)
class Place:
    """Where it runs: the Java for the simulators, how many of them, and where the picture goes."""

    java: Path
    workers: int
    picture: Path


def ready() -> None:
    """Raises ConfigurationError where a part of the `demo` extra is not installed."""
    for part in _PARTS:
        try:
            import_module(part)
        except ImportError as error:
            raise ConfigurationError(
                f"the demo needs {error.name or part}; run: pip install 'graphmem[demo]'"
            ) from error


def run(
    memory: Memory,
    nothing: Memory,
    tasks: Sequence[str] | int | None,
    protocol: Protocol,
    place: Place,
    console: Console,
    recorded: list[Episode],
) -> Result:
    """Play all rounds and show them; `nothing` is a memory in which nothing is ever recorded.

    `recorded` grows with what is recorded, so that it is known also when the run does not come to its end.

    `tasks` are names, or how many to draw by the seed; None means all. Raises InvalidInput for a name that is none.
    """
    lives: list[Life] = []
    with Pool(place.java, place.workers) as pool:
        chosen = choose(pool.tasks(), tasks, protocol.seed)
        for line in protocol.lines(chosen):
            console.print(line, highlight=False)
        with Screen(console) as screen:
            screen.round("reading the official splits", len(chosen))
            plans: list[Plan] = []
            for task, splits in pool.map(Simulator.splits, chosen):
                plans.append(plan(task, splits, protocol))
                screen.step(task)
            plans.sort(key=lambda one: chosen.index(one.task))
            rounds = Rounds(pool, memory, nothing, protocol, plans, recorded)
            screen.round("recording demonstrations", sum(len(one.demonstrations) for one in plans))
            for episode in rounds.demonstrate():
                screen.step(episode.label())
            shown = len(rounds.episodes)
            for condition in _BEFORE:
                _test(screen, rounds, condition)
            screen.round("living in other training variations", sum(len(one.lives) for one in plans))
            for life in rounds.live():
                lives.append(life)
                screen.step(f"{life.task} {life.variation}: {life.best}, {life.outcome}")
            _test(screen, rounds, Condition.AFTER_CORRECTION)
    afterwards(memory, console)
    result = screen.result()
    if not console.is_terminal:
        console.print(summary(result))
    console.print(by_task(result))
    console.print(
        f"learning curve: {picture.draw(result, shown, len(lives), protocol, place.picture)}", highlight=False
    )
    return result


def _test(screen: Screen, rounds: Rounds, condition: Condition) -> None:
    screen.round(f"testing: {MEANING[condition]}", sum(len(one.tests) for one in rounds.plans))
    for played in rounds.test(condition):
        screen.step(f"{played.task} {played.variation}: {played.best}", played)
