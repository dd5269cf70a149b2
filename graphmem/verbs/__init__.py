"""Every verb once, as a stage: checked arguments in, steps out. `Memory` and `AsyncMemory` run them."""

from graphmem.verbs.base import Clock, wanted
from graphmem.verbs.every import Verbs

__all__ = ["Clock", "Verbs", "wanted"]
