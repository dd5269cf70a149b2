"""Looking at memories, changing what may be changed, erasing."""

from graphmem.govern.erase import Erased, erase
from graphmem.govern.stage import Filters, get, listed, update

__all__ = ["Erased", "Filters", "erase", "get", "listed", "update"]
