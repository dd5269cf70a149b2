"""ScienceWorld as the standing proof: every condition over all kinds of tasks, in one run."""

from graphmem.demo.proof.command import main

__all__ = ["main"]
