"""Moving memories: all that a scope keeps into a file, a file into a scope, one agent's library into another's."""

from graphmem.move.leave import export
from graphmem.move.load import Heir, load
from graphmem.move.models import Ask, Counts, Exported, Fault, Format, Loaded, Order

__all__ = ["Ask", "Counts", "Exported", "Fault", "Format", "Heir", "Loaded", "Order", "export", "load"]
