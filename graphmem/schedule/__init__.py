"""The jobs at their intervals: centrality, consolidation, retention and the delivery of what waits."""

from graphmem.schedule.loop import forever, once
from graphmem.schedule.models import JobName, Run, RunState
from graphmem.schedule.plan import Plan

__all__ = ["JobName", "Plan", "Run", "RunState", "forever", "once"]
