"""Looking at memories, changing what may be changed."""

from graphmem.govern.stage import Filters, get, listed, update

__all__ = ["Filters", "get", "listed", "update"]
