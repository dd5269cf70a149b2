"""The second phase: lessons that wait are put into groups, and linked where they double or contradict each other.

One worker at a time leads a scope through this and the phases after it, so that no two of them make a group, or a
skill, of the same lessons.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from graphmem.errors import StoreError
from graphmem.learn.drafts import Known
from graphmem.learn.opposed import opposed
from graphmem.learn.work import Tally, Work, known
from graphmem.models import LinkKind
from graphmem.steps import Read, Row, Stage, Write

BATCH, NEAR = 16, 20  # a batch is done well within the shortest lease that makes sense
OPPOSED_FROM = 0.6  # the least cosine of two lessons that can contradict each other


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A lesson near another one: the cosine of the two, its group, and the cosine to that group's first lesson."""

    lesson: Known
    cosine: float
    group: str | None
    lead: float | None


@dataclass(frozen=True, slots=True)
class Waiting:
    """A lesson that waits to be grouped; one that gained evidence has its group already."""

    lesson: Known
    group: str | None
    near: tuple[Neighbour, ...]


@dataclass(frozen=True, slots=True)
class Link:
    """A link between two lessons, with their cosine as its weight."""

    start: str
    end: str
    kind: LinkKind
    weight: float


def group(work: Work, tally: Tally) -> Stage[bool]:
    """Group one batch of lessons; whether there was one, and this worker still leads."""
    rows = yield Read(work.call("ungrouped", now=work.clock(), most=BATCH, near=NEAR))
    if not rows:
        return False
    waiting = [one for row in rows if (one := _waiting(row, tally)) is not None]
    groups = {str(row["node"]["id"]): str(row["node"]["id"]) for row in rows}  # a damaged one stays alone
    groups |= assigned(waiting, work.settings.similarity)
    ties = [_properties(link) for one in waiting for link in links(one, work.settings.duplicate)]
    placed = [{"id": id_, "group": leader} for id_, leader in groups.items()]
    given = {"worker": work.worker, "by": work.reflector.name, "now": work.clock()}
    written = (yield Write([work.turn(), work.call("group", rows=placed, ties=ties, **given)]))[-1]
    tally.grouped += len(written)
    return bool(written)


def assigned(waiting: Sequence[Waiting], similarity: float) -> dict[str, str]:
    """The group of each lesson: the id of the group's first lesson, in the order given.

    A lesson joins the group of the nearest one that advises the same way, if both that one and the group's first lesson
    are at least `similarity` near, so that a group does not drift; else it begins its own.
    """
    groups: dict[str, str] = {}
    for one in waiting:
        joined = (_group(near, groups) for near in one.near if _joins(one.lesson, near, similarity))
        groups[one.lesson.id] = one.group or next((found for found in joined if found), one.lesson.id)
    return groups


def links(one: Waiting, duplicate: float) -> Iterator[Link]:
    """Contradictions of a lesson that is new, and the duplicate that it joins: the first of its group, or the nearest.

    Each pair is linked once, from the smaller id.
    """
    if one.group is not None:
        return
    doubles: list[Neighbour] = []
    for near in one.near:
        if near.cosine >= OPPOSED_FROM and opposed(one.lesson.reflection, near.lesson.reflection):
            yield _link(one, near, LinkKind.CONTRADICTS)
        elif near.cosine >= duplicate and _warns(one.lesson) == _warns(near.lesson):
            doubles.append(near)
    for near in sorted(doubles, key=lambda near: near.lesson.id != near.group)[:1]:
        yield _link(one, near, LinkKind.DUPLICATE)


def _link(one: Waiting, near: Neighbour, kind: LinkKind) -> Link:
    start, end = sorted((one.lesson.id, near.lesson.id))
    return Link(start, end, kind, near.cosine)


def _joins(lesson: Known, near: Neighbour, similarity: float) -> bool:
    leads = near.lead is None or near.lead >= similarity
    same = _warns(lesson) == _warns(near.lesson) and not opposed(lesson.reflection, near.lesson.reflection)
    return near.cosine >= similarity and leads and same


def _group(near: Neighbour, groups: dict[str, str]) -> str | None:
    return near.group or groups.get(near.lesson.id)


def _warns(lesson: Known) -> bool:
    return bool(lesson.reflection.failure_mode)


def _waiting(row: Row, tally: Tally) -> Waiting | None:
    try:
        near = tuple(Neighbour(known(n["node"]), n["cosine"], n["group"], n["lead"]) for n in row["near"])
        return Waiting(known(row["node"]), row["group"], near)
    except StoreError as error:
        tally.warn((f"reflection {row['node'].get('id')} is in no group: {error}",))
        return None


def _properties(link: Link) -> dict[str, Any]:
    return {"start": link.start, "end": link.end, "kind": link.kind.value, "weight": link.weight}
