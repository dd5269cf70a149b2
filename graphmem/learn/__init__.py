"""Learning: how memories relate, and how episodes become lessons and skills."""

from graphmem.learn.consolidation import consolidate
from graphmem.learn.drafts import Reflector
from graphmem.learn.link import Link, link
from graphmem.learn.model import ModelReflector
from graphmem.learn.models import Consolidation, Decided, Drafted, Queue
from graphmem.learn.rules import RuleReflector
from graphmem.learn.work import Work

__all__ = [
    "Consolidation",
    "Decided",
    "Drafted",
    "Link",
    "ModelReflector",
    "Queue",
    "Reflector",
    "RuleReflector",
    "Work",
    "consolidate",
    "link",
]
