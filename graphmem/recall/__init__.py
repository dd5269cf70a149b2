"""Recall: find the few memories that fit, decide whether they may be used, and say why."""

from graphmem.recall.asked import Setting
from graphmem.recall.decide import policy
from graphmem.recall.models import Budget, Candidate, Components, Decision, Evidence, Hit, Left, Recall
from graphmem.recall.parameters import Parameters
from graphmem.recall.request import Request
from graphmem.recall.stage import recall, unavailable

__all__ = [
    "Budget",
    "Candidate",
    "Components",
    "Decision",
    "Evidence",
    "Hit",
    "Left",
    "Parameters",
    "Recall",
    "Request",
    "Setting",
    "policy",
    "recall",
    "unavailable",
]
