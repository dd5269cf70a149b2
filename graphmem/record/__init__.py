"""Recording: what was lived becomes nodes, once each."""

from graphmem.record.accept import accept
from graphmem.record.stage import BATCH, Order, Recorded, Result, record

__all__ = ["BATCH", "Order", "Recorded", "Result", "accept", "record"]
