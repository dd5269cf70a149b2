"""The benchmark: how fast graphmem is beside the least that the bare driver can do on the same server."""

from graphmem.bench.command import main

__all__ = ["main"]
