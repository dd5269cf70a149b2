"""The verb `link`: a typed relation between two memories."""

from __future__ import annotations

from datetime import datetime

from graphmem.errors import InvalidInput
from graphmem.models import LinkKind, Value
from graphmem.record.known import hold, require_known
from graphmem.scope import Scope
from graphmem.steps import Call, Stage, Write
from graphmem.store.catalogue import statement

MUTUAL = frozenset({LinkKind.SIMILAR, LinkKind.DUPLICATE, LinkKind.CONTRADICTS, LinkKind.OTHER})


class Link(Value):
    """One RELATES edge; `weight` in [0, 1] says how strongly."""

    start: str
    end: str
    kind: LinkKind
    weight: float


def link(start: str, end: str, kind: LinkKind, weight: float, by: str, scope: Scope, now: datetime) -> Stage[Link]:
    """Relate two memories; said again, or the other way round for a mutual kind, it is the same edge.

    Raises NotFound when either is not there, InvalidInput for a memory and itself or a weight outside [0, 1].
    """
    if start == end:
        raise InvalidInput(f"memory {start} cannot be linked to itself")
    if isinstance(weight, bool) or not isinstance(weight, int | float) or not 0 <= weight <= 1:
        raise InvalidInput(f"weight {weight!r:.60} is no number in [0, 1]")
    yield from require_known([start, end], scope)
    if kind in MUTUAL:
        start, end = sorted((start, end))
    given = {"start": start, "end": end, "kind": kind.value, "weight": weight, "by": by, "now": now}
    yield Write([hold([start, end], scope), Call(statement("learn/link"), {**given, "scopes": scope.visible})])
    return Link(start=start, end=end, kind=kind, weight=weight)
