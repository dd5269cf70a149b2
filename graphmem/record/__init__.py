"""Recording: what was lived becomes nodes, once each."""

from graphmem.record.accept import Given, accept, batches, sorted_out
from graphmem.record.embed import BATCH, Reembedded, reembed
from graphmem.record.stage import Order, Recorded, Result, record

__all__ = [
    "BATCH",
    "Given",
    "Order",
    "Recorded",
    "Reembedded",
    "Result",
    "accept",
    "batches",
    "record",
    "reembed",
    "sorted_out",
]
