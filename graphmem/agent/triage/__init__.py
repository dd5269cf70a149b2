"""Triage of email and tickets: respond, notify or ignore, by rules, reviewed examples and a policy."""

from graphmem.agent.triage.message import Judged, Message, Policy, Route
from graphmem.agent.triage.reviewing import Learnt, Reviewed
from graphmem.agent.triage.trace import By, Decided, Denied, Example, Ruling, Trace, Vote
from graphmem.agent.triage.triage import AsyncTriage, Triage

__all__ = [
    "AsyncTriage",
    "By",
    "Decided",
    "Denied",
    "Example",
    "Judged",
    "Learnt",
    "Message",
    "Policy",
    "Reviewed",
    "Route",
    "Ruling",
    "Trace",
    "Triage",
    "Vote",
]
