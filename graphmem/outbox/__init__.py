"""Writes that wait while the store is away: kept in a local file, delivered once each, in order, when it is back.

Erasure asks for ``yield Forget(scope, memories={(token, id), …}, subjects={…})`` or ``Forget(scope, everything=True)``
(`graphmem.steps`) and is answered how many entries are gone; their bytes are gone from the file with them. Nobody
delivers meanwhile, so nothing that was forgotten reaches the store afterwards: it is asked before the store is erased,
and again with the memories that were found there.
"""

from graphmem.outbox.box import Outbox, held
from graphmem.outbox.deliver import Delivery, Means, deliver
from graphmem.outbox.entry import Entry, of_feedback, of_record
from graphmem.outbox.models import Backlog, DeadLetter, Flushed, Held

__all__ = [
    "Backlog",
    "DeadLetter",
    "Delivery",
    "Entry",
    "Flushed",
    "Held",
    "Means",
    "Outbox",
    "deliver",
    "held",
    "of_feedback",
    "of_record",
]
