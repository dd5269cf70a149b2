"""The verb `link`: a typed relation between two memories."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from pydantic import Field

from graphmem.errors import InvalidInput
from graphmem.models import Identifier, Input, LinkKind, Text
from graphmem.record.known import hold, require_known
from graphmem.scope import Scope
from graphmem.steps import Call, Stage, Write
from graphmem.store.catalogue import statement

MUTUAL = frozenset({LinkKind.SIMILAR, LinkKind.DUPLICATE, LinkKind.CONTRADICTS, LinkKind.OTHER})

Weight = Annotated[float, Field(ge=0, le=1, strict=True)]


class Link(Input):
    """One RELATES edge; `weight` in [0, 1] says how strongly, `by` who says so."""

    start: Identifier
    end: Identifier
    kind: LinkKind
    weight: Weight
    by: Text = "caller"


def link(said: Link, scope: Scope, now: datetime) -> Stage[Link]:
    """Relate two memories; said again, or the other way round for a mutual kind, it is the same edge.

    Raises NotFound when either is not there, InvalidInput for a memory and itself.
    """
    if said.start == said.end:
        raise InvalidInput(f"memory {said.start} cannot be linked to itself")
    yield from require_known([said.start, said.end], scope, now)
    if said.kind in MUTUAL and said.start > said.end:
        said = said.model_copy(update={"start": said.end, "end": said.start})
    given = {**said.model_dump(), "kind": said.kind.value, "scopes": scope.visible, "now": now}
    yield Write([hold([said.start, said.end], scope), Call(statement("learn/link"), given)])
    return said
