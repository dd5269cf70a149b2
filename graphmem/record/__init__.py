"""Recording: what was lived becomes nodes, once each."""

from graphmem.record.accept import Given, accept, accepted, batches, sorted_out
from graphmem.record.embed import BATCH, Reembedded, move, reembed
from graphmem.record.stage import Accepted, Order, Recorded, Result, record

__all__ = [
    "BATCH",
    "Accepted",
    "Given",
    "Order",
    "Recorded",
    "Reembedded",
    "Result",
    "accept",
    "accepted",
    "batches",
    "move",
    "record",
    "reembed",
    "sorted_out",
]
