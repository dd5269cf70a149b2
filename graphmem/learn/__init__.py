"""Learning: how memories relate."""

from graphmem.learn.link import Link, link

__all__ = ["Link", "link"]
