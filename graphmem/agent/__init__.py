"""Agents that learn: the loop from recall to outcome, its planners, and the deployed agent with its monitor."""

from graphmem.agent.cohort import Cohort, Observation
from graphmem.agent.deployed import AsyncDeployedAgent, DeployedAgent
from graphmem.agent.events import (
    Acted,
    Checked,
    Evaluated,
    FedBack,
    Planned,
    Recalled,
    Recorded,
    Reflected,
    Wrong,
)
from graphmem.agent.loop import AsyncLoop, Loop
from graphmem.agent.monitor import Monitor, Report
from graphmem.agent.plan import Brief, Intent, Plan, Planner, Tried
from graphmem.agent.planner import RulePlanner
from graphmem.agent.planner_model import ModelPlanner
from graphmem.agent.problem import Answer, Augmented, Problem, Solution
from graphmem.agent.run import Run
from graphmem.agent.task import Context, Task
from graphmem.agent.world import View, World

__all__ = [
    "Acted",
    "Answer",
    "AsyncDeployedAgent",
    "AsyncLoop",
    "Augmented",
    "Brief",
    "Checked",
    "Cohort",
    "Context",
    "DeployedAgent",
    "Evaluated",
    "FedBack",
    "Intent",
    "Loop",
    "ModelPlanner",
    "Monitor",
    "Observation",
    "Plan",
    "Planned",
    "Planner",
    "Problem",
    "Recalled",
    "Recorded",
    "Reflected",
    "Report",
    "RulePlanner",
    "Run",
    "Solution",
    "Task",
    "Tried",
    "View",
    "World",
    "Wrong",
]
