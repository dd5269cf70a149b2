"""The verb `load`: a whole file is looked at before anything is written, and then written in batches."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from graphmem.move.arrive import Arrival, order
from graphmem.move.compare import compare
from graphmem.move.draft import draft
from graphmem.move.models import NAMES, Counts, Format, Loaded, Order
from graphmem.move.nodes import Space
from graphmem.move.parse import origin_of
from graphmem.move.read import Reading
from graphmem.redact import Redactor
from graphmem.scope import Scope
from graphmem.source import Source
from graphmem.steps import Progress, Stage
from graphmem.store.schema import inspect


@dataclass(frozen=True, slots=True)
class Heir:
    """Who takes what a file holds: whose client, with which redactor and embedding model, and by which rules."""

    scope: Scope
    redactor: Redactor | None
    embedding_model: str
    support: int
    clock: Callable[[], datetime]
    progress: Progress


def load(source: Source, asked: Order, heir: Heir) -> Stage[Loaded]:
    """Import a file; stopped anywhere and run again, it goes on, and nothing is there twice.

    Raises InvalidInput, ScopeError or Conflict, with nothing written, when anything is wrong with the file (lenient:
    with all of it); Conflict when others take an id of it while it is written, what came before stays.
    """
    with draft() as drafted:
        reading = Reading(heir.scope, asked, heir.redactor, drafted, heir.progress)
        reading.read(source)
        yield from compare(reading, heir.progress)
        present = yield from inspect()
        space = Space(present.embedding_model or "", present.dimensions or 0)
        arrival = Arrival(drafted, heir.scope.tenant, space, heir.support, heir.clock(), heir.progress)
        if reading.header is None:
            yield from arrival.items(order(heir.scope, asked.share, heir.clock(), heir.embedding_model))
        else:
            yield from arrival.everything()
        arrival.skipped += Counter({NAMES[kind]: count for kind, count in reading.repeated.items()})
        return Loaded(
            format=reading.format or Format.RECORDS,
            tenant=heir.scope.tenant,
            user=reading.target.user,
            inherited_from=origin_of(reading.header) if asked.inherit else "",
            created=Counts(**arrival.created),
            skipped=Counts(**arrival.skipped),
            left_out=drafted.bad,
            faults=tuple(drafted.faults),
            unembedded=arrival.unembedded,
            waiting=arrival.waiting,
            redacted=reading.redacted,
        )
