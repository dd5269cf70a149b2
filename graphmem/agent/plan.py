"""Plans: what a planner is told, and what it answers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any, Protocol, runtime_checkable

from graphmem.agent.task import Place
from graphmem.errors import InvalidInput
from graphmem.models import Episode, Step
from graphmem.recall import Decision, Hit, Recall
from graphmem.text import has_words


@dataclass(frozen=True, slots=True)
class Intent:
    """One step of a plan: an action, and what it should bring about, in words that the observation then has.

    Without `expects` the plan says nothing of it. `why` is kept as the key decision behind the step.
    """

    action: str
    expects: str = ""
    why: str = ""


@dataclass(frozen=True, slots=True)
class Plan:
    """What to do next, in order.

    `sources` are the ids of the memories that it follows, the leading one first. An `adaptive` plan is acted out by the
    player, which carries the demonstrations `shown` over to what it sees (and, without any, tries out what sounds like
    the task); its steps then say only how it begins. After an `open` plan the planner is asked again, in the same
    attempt, until a plan is whole or empty. A `note` says what went wrong while it was made.
    """

    by: str
    steps: tuple[Intent, ...] = ()
    sources: tuple[str, ...] = ()
    shown: tuple[tuple[str, Episode], ...] = ()
    adaptive: bool = False
    open: bool = False
    why: str = ""
    note: str = ""

    @property
    def empty(self) -> bool:
        """Whether there is nothing to do in it."""
        return not self.steps and not self.adaptive


@dataclass(frozen=True, slots=True)
class Tried:
    """An attempt of this run that failed: what was done and seen, which action the check refused (`failed`, if one
    did), why, and the memories that it followed, the leading one first. It `blames` them unless it was the caller's own
    functions that failed.
    """

    steps: tuple[Step, ...]
    failed: str
    reason: str
    sources: tuple[str, ...]
    blames: bool = True


@dataclass(frozen=True, slots=True)
class Brief:
    """What a planner is told: the task, the recall (None if the memory failed) and its decision, what can be done.

    `attempt` counts from 1; `tried` are the failed attempts before it, `seen` what was done in this one so far, `view`
    the latest that was seen. At most `left` actions may follow. `spatial` says that the world describes places, `gated`
    that the caller checks steps by a gate, and `place` what else is known of the world.
    """

    task: str
    recall: Recall | None
    decision: Decision
    options: tuple[str, ...] = ()
    tried: tuple[Tried, ...] = ()
    seen: tuple[Step, ...] = ()
    view: str = ""
    attempt: int = 1
    left: int = 1
    spatial: bool = False
    gated: bool = False
    place: Place = field(default_factory=Place)

    @property
    def hits(self) -> tuple[Hit, ...]:
        """The memories that may be used, best first."""
        return self.recall.hits if self.recall is not None else ()

    def episodes(self) -> Iterator[tuple[str, Episode]]:
        """The episodes among them, with their ids."""
        return ((hit.id, hit.memory) for hit in self.hits if isinstance(hit.memory, Episode))


@runtime_checkable
class Planner(Protocol):
    """Makes plans. Whatever it raises becomes a value in the trace, and the rules plan instead."""

    @property
    def name(self) -> str:
        """Which rules or model; it stands in the trace and in the episode."""
        ...

    def plan(self, brief: Brief) -> Any:
        """A `Plan`; for an AsyncLoop it may be a coroutine."""
        ...


def check_planner(planner: object) -> Planner:
    """The same object, known to be a planner. Raises InvalidInput that names what is missing."""
    if not isinstance(planner, Planner):
        missing = " and ".join(part for part in ("name", "plan") if not hasattr(planner, part))
        raise InvalidInput(f"{type(planner).__name__} is no planner: give it {missing}")
    return planner


def check_plan(said: object) -> Plan:
    """The same plan, known to be one, without steps whose action has no words.

    Raises TypeError that names what is no part of a plan, and UnicodeError for a text that nothing can hold.
    """
    if not isinstance(said, Plan):
        raise TypeError(f"the planner answered a {type(said).__name__}, no Plan")
    _check(said.steps, Intent, "Plan.steps")
    for one in said.steps:
        _check((one.action, one.expects, one.why), str, "the action, expects and why of Plan.steps")
    _check(said.sources, str, "Plan.sources")
    _check((said.by, said.why, said.note), str, "Plan.by, why and note")
    _check((said.adaptive, said.open), bool, "Plan.adaptive and open")
    _check(said.shown, tuple, "Plan.shown")
    if not all(len(one) == 2 and isinstance(one[0], str) and isinstance(one[1], Episode) for one in said.shown):
        raise TypeError("Plan.shown has to be pairs of an id and its Episode")
    steps = tuple(one for one in said.steps if has_words(one.action))
    return replace(said, steps=steps, sources=tuple(said.sources), shown=tuple(said.shown))


def _check(parts: object, kind: type, name: str) -> None:
    if not isinstance(parts, tuple | list) or not all(isinstance(one, kind) for one in parts):
        raise TypeError(f"{name} has to be of type {kind.__name__}, each")
    for one in parts:
        if isinstance(one, str):
            one.encode()
