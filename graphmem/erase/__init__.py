"""Erasing: a memory, all about a subject, or everything, and all that speaks of it."""

from graphmem.erase.models import Erased, Target
from graphmem.erase.order import Order
from graphmem.erase.stage import erase

__all__ = ["Erased", "Order", "Target", "erase"]
