"""The trace of a run: every step of the loop as a value, from recall to outcome."""

from __future__ import annotations

from dataclasses import dataclass

from graphmem.agent.bounds import cut
from graphmem.models import Outcome
from graphmem.recall import Decision
from graphmem.redact import Redactor


@dataclass(frozen=True, slots=True)
class Recalled:
    """What the memory answered: its decision and why, and the ids of the hits, best first."""

    recall_id: str
    decision: Decision
    reason: str
    hits: tuple[str, ...]
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Planned:
    """A plan, by the name of its planner: its actions, the memories it stands on, and what is to be said of it.

    A `note` says why another planner was asked instead, and what was dropped.
    """

    attempt: int
    by: str
    actions: tuple[str, ...]
    sources: tuple[str, ...]
    why: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class Acted:
    """An action and what was seen (of one that raised: what it raised); `number` counts the actions of an attempt
    from 1, `expects` is the plan's word.
    """

    attempt: int
    number: int
    action: str
    observation: str
    expects: str = ""


@dataclass(frozen=True, slots=True)
class Checked:
    """What a check said of an action: the caller's `gate`, or the `expectation` of the plan."""

    attempt: int
    number: int
    by: str
    passed: bool
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Evaluated:
    """How an attempt ended, on which evidence, and by whose word: `evaluate`, `gate` or nobody's (empty)."""

    attempt: int
    outcome: Outcome
    evidence: str
    by: str


@dataclass(frozen=True, slots=True)
class Recorded:
    """The episode as it was recorded: its id and the memory's result (created, unchanged, queued), with the reason."""

    id: str
    result: str
    problem: str = ""


@dataclass(frozen=True, slots=True)
class FedBack:
    """What the memory was told of the recall: which memories helped and which misled; `queued` waits in the outbox."""

    recall_id: str
    outcome: Outcome
    used: tuple[str, ...]
    misled: tuple[str, ...]
    queued: bool = False


@dataclass(frozen=True, slots=True)
class Reflected:
    """What consolidation made of what waited: episodes reflected, new lessons, new versions of skills."""

    episodes: int
    lessons: int
    skills: int
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Wrong:
    """What went wrong, and where: in the caller's `act`, `reset`, `options`, `done`, `gate`, `evaluate`,
    `generate` or `validate`, in planning or acting out a plan (`plan`), or in the memory (`recall`, `record`,
    `feedback`, `reflect`).
    """

    where: str
    what: str


Event = Recalled | Planned | Acted | Checked | Evaluated | Recorded | FedBack | Reflected | Wrong
Trace = tuple[Event, ...]


def wrong(where: str, error: BaseException, redactor: Redactor | None) -> Wrong:
    """What went wrong, from an exception."""
    try:
        said = str(error)
    except Exception:
        said = "it has no message"
    return Wrong(where, cut(f"{type(error).__name__}: {said}", 2000, redactor))
