"""Keyed values in the graph: got by one seek, replaced in one transaction, found by recall, erased for good."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from graphmem.embed import Embedded
from graphmem.errors import EmbeddingError, NotFound, StoreUnavailable
from graphmem.govern.status import Event, Move, held, moved
from graphmem.keyed.episode import Ready, kept, ready, said
from graphmem.keyed.models import MOST, Delete, Find, Get, Kept, Namespaces, Operation
from graphmem.keyed.place import inside, number, of_source, reachable, root, slot, tag, version
from graphmem.models import Status
from graphmem.record import BATCH
from graphmem.record.stage import UNEMBEDDED, Order, node
from graphmem.scope import Scope
from graphmem.steps import Call, Embed, Read, Row, Stage, Write
from graphmem.store.catalogue import statement
from graphmem.text import has_words

__all__ = ["Desk", "Ranked", "checked", "delete", "find", "get", "namespaces", "put", "ready"]

ATTEMPTS = 50  # each loss means that another writer won
PAGE = 200  # values that are read at once
# What is replaced is superseded where it was in use; what nobody knew the outcome of, or was held back, is retired.
REPLACED = (
    (frozenset({Status.ACTIVE}), Status.SUPERSEDED),
    (frozenset({Status.AUDIT, Status.CANDIDATE, Status.QUARANTINED}), Status.RETIRED),
)


@dataclass(frozen=True, slots=True)
class Ranked:
    """A memory that a question found, and its relevance in [0, 1]; None where it was found by words alone."""

    id: str
    score: float | None


@dataclass(frozen=True, slots=True)
class Desk:
    """What keyed values are served with: whose, when, by which model's vectors.

    `ask` finds the memories for a question among those with a tag, best first, at most so many; `erase` erases one by
    its id.
    """

    scope: Scope
    now: datetime
    model: str
    new_id: Callable[[], str]
    ask: Callable[[str, str, int], Stage[Sequence[Ranked]]]
    erase: Callable[[str], Stage[object]]


def checked(asked: Operation, scope: Scope) -> None:
    """Whether an operation stays inside a scope. Raises ScopeError when it does not."""
    if isinstance(asked, Namespaces):
        for match in asked.matches:
            reachable(match, scope)
    else:
        inside(asked.namespace, scope)


def get(asked: Get, desk: Desk) -> Stage[Kept | None]:
    """The value under a key, or None. Raises ScopeError outside the scope."""
    start = slot(inside(asked.namespace, desk.scope), asked.key)
    found = (yield from _newest([start], desk)).get(start)
    return None if found is None or found["expires_at"] <= desk.now else kept(found, desk.scope)


def find(asked: Find, desk: Desk) -> Stage[tuple[Kept, ...]]:
    """The values that are wanted, in their order. Raises ScopeError outside the scope."""
    where = tag(inside(asked.namespace, desk.scope))
    if not asked.limit:
        return ()
    if not has_words(asked.query):
        return (yield from _listed(asked, where, desk))
    # How far an index is searched changes what it finds, so each page asks for all, and all are of one ranking.
    ranked = yield from desk.ask(asked.query, where, MOST)
    wanted = yield from _among(ranked, asked, where, desk)
    return wanted[asked.offset : asked.offset + asked.limit]


def namespaces(asked: Namespaces, desk: Desk) -> Stage[tuple[tuple[str, ...], ...]]:
    """The namespaces of the scope that are wanted, sorted."""
    rows = yield Read(Call(statement("keyed/namespaces"), {"scope": desk.scope.own, "now": desk.now}))
    all_of_them = [(*root(desk.scope), *of_source(row["namespace"])) for row in rows]
    wanted = {one[: asked.max_depth] for one in all_of_them if all(match.holds(one) for match in asked.matches)}
    return tuple(sorted(wanted)[asked.offset : asked.offset + asked.limit])


def delete(asked: Delete, desk: Desk) -> Stage[None]:
    """Erase a value with all its versions, the newest last: until that is gone it is there, and then for good."""
    start = slot(inside(asked.namespace, desk.scope), asked.key)
    rows = yield Read(Call(statement("keyed/versions"), {"scope": desk.scope.own, "slot": start}))
    for row in rows:
        try:
            yield from desk.erase(row["id"])
        except NotFound:
            continue  # another one deletes it too


def put(values: Sequence[Ready], desk: Desk) -> Stage[str]:
    """Keep values, each in the place of the one under its key; what was not done fully, such as a vector that lacks.

    A value that is there already changes nothing. Else the next version and the end of the one before are one
    transaction, so that there is always exactly one; who puts at the same time takes the turn after, and neither is
    lost: the older one stays as a version that is not in use. The values are of different keys.
    Raises StoreUnavailable.
    """
    problem = ""
    for first in range(0, len(values), BATCH):
        left = {one.slot: one for one in values[first : first + BATCH]}
        vectors: dict[str, Embedded | None] = {}
        for _ in range(ATTEMPTS):
            seen = yield from _newest(list(left), desk)
            left = {start: one for start, one in left.items() if not _same(one, seen.get(start), desk)}
            if not left:
                break
            problem = (yield from _embedded(left, vectors)) or problem
            answered = yield Write(_calls(left, seen, vectors, desk))
            for row in answered[2]:
                if row["stored"]:
                    del left[row["slot"]]
        else:
            raise StoreUnavailable(f"values were put by others {ATTEMPTS} times meanwhile; try again")
    return problem


def _newest(slots: Sequence[str], desk: Desk) -> Stage[dict[str, Row]]:
    rows = yield Read(Call(statement("keyed/newest"), {"scope": desk.scope.own, "slots": list(slots)}))
    return {row["slot"]: row["node"] for row in rows}


def _listed(asked: Find, where: str, desk: Desk) -> Stage[tuple[Kept, ...]]:
    most = asked.offset + asked.limit
    wanted: list[Kept] = []
    size = max(PAGE, most) if asked.where is None else PAGE
    skip = 0
    while len(wanted) < most:
        given = {"scope": desk.scope.own, "tag": where, "now": desk.now, "skip": skip, "limit": size}
        rows = yield Read(Call(statement("keyed/page"), given))
        wanted += _wanted(asked, [kept(row["node"], desk.scope) for row in rows])
        if len(rows) < size:
            break
        skip += size
    return tuple(wanted[asked.offset : most])


def _among(ranked: Sequence[Ranked], asked: Find, where: str, desk: Desk) -> Stage[tuple[Kept, ...]]:
    """Those of the memories that are wanted values, in their order, as many as are asked for."""
    wanted: list[Kept] = []
    for first in range(0, len(ranked), PAGE):
        page = ranked[first : first + PAGE]
        given = {"scope": desk.scope.own, "ids": [one.id for one in page], "tag": where, "now": desk.now}
        rows = yield Read(Call(statement("keyed/found"), given))
        nodes = {row["node"]["id"]: row["node"] for row in rows}
        wanted += _wanted(asked, [kept(nodes[one.id], desk.scope, one.score) for one in page if one.id in nodes])
        if len(wanted) >= asked.offset + asked.limit:
            break
    return tuple(wanted)


def _wanted(asked: Find, page: Sequence[Kept]) -> list[Kept]:
    return [one for one in page if asked.where is None or asked.where(one.value)]


def _same(one: Ready, seen: Row | None, desk: Desk) -> bool:
    return seen is not None and seen["expires_at"] > desk.now and one.said == said(seen)


def _since(seen: Row | None, desk: Desk) -> datetime:
    """When there was first a value under a key, of which this is the newest version."""
    return desk.now if seen is None or seen["expires_at"] <= desk.now else kept(seen, desk.scope).created_at


def _embedded(left: Mapping[str, Ready], vectors: dict[str, Embedded | None]) -> Stage[str]:
    """Embed what has no vector yet; why it could not be done."""
    new = [start for start in left if start not in vectors]
    try:
        made: Sequence[Embedded | None] = (
            (yield Embed([left[start].episode.searchable() for start in new], "document")) if new else ()
        )
    except EmbeddingError as error:
        vectors.update(dict.fromkeys(new))
        return f"{UNEMBEDDED}: {error}"
    vectors.update(zip(new, made, strict=True))
    return next((f"{UNEMBEDDED}: {one.problem}" for one in made if one is not None and one.problem), "")


def _calls(
    left: Mapping[str, Ready], seen: Mapping[str, Row], vectors: Mapping[str, Embedded | None], desk: Desk
) -> list[Call]:
    """One transaction: the turn of the scope's queue, a hold on what is there, the next versions, the end of those."""
    scope, order = desk.scope, Order(desk.scope, False, desk.now, desk.model, desk.new_id)
    rows, moves = [], []
    for start, one in sorted(left.items()):
        before = seen.get(start)
        next_id = version(start, number(before["id"]) + 1 if before is not None else 1)
        episode = one.since(_since(before, desk)).model_copy(update={"id": next_id})
        made = node(episode, vectors[start], 0, order, one.redacted)
        rows.append({**made, "slot": start, "seen": before["id"] if before is not None else ""})
        if before is not None:
            event = Event(at=desk.now, what="superseded", by="caller", reason=f"another value was put ({next_id})")
            moves += [Move(scope.own, before["id"], out_of, to, event) for out_of, to in REPLACED]
    turn = {"scope": scope.own, "tenant": scope.tenant, "user": scope.user, "worker": desk.new_id()}
    return [
        Call(statement("learn/turn"), turn),
        held(moves, [scope.own]),
        Call(statement("keyed/put"), {"scope": scope.own, "rows": rows}),
        moved(moves, [scope.own], desk.now),
    ]
