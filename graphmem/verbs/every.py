"""All verbs together."""

from __future__ import annotations

from graphmem.verbs.deciding import Deciding
from graphmem.verbs.delivering import Delivering
from graphmem.verbs.erasing import Erasing
from graphmem.verbs.governing import Governing
from graphmem.verbs.keeping import Keeping
from graphmem.verbs.learning import Learning
from graphmem.verbs.measuring import Measuring
from graphmem.verbs.moving import Moving
from graphmem.verbs.recalling import Recalling
from graphmem.verbs.shelving import Shelving


class Verbs(Keeping, Delivering, Recalling, Learning, Governing, Deciding, Shelving, Erasing, Moving, Measuring):
    """The verbs of one client, whose scope, settings, embedder and clock they share."""
