"""All verbs together."""

from __future__ import annotations

from graphmem.verbs.keeping import Keeping
from graphmem.verbs.measuring import Measuring
from graphmem.verbs.recalling import Recalling


class Verbs(Keeping, Recalling, Measuring):
    """The verbs of one client, whose scope, settings, embedder and clock they share."""
