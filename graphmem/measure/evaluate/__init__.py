"""The evaluation: real data sets, graphmem beside simple baselines, intervals, a page."""

from graphmem.measure.evaluate.command import main

__all__ = ["main"]
