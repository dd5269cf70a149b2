"""Mail of an office, as the tests of triage use it."""

from __future__ import annotations

from typing import Any

from graphmem import AsyncMemory, Memory
from graphmem.agent.triage import Judged, Message, Policy, Triage

GRACE = "Grace Hopper <grace@example.org>"
NEWS = (
    "Weekly FYI: numbers of the sales team, for your information only",
    "Weekly FYI: the sales figures of last week, no action needed",
    "Weekly FYI, sales team: figures attached, just so you know",
)
ASKS = (
    "Please approve the purchase order for the new laptops by Friday",
    "Can you approve the purchase order for the office chairs today?",
    "I need your approval of the purchase order for the printers",
)
QUIET = Policy(default="notify")


def message(memory: Memory | AsyncMemory, name: str, body: str, **given: Any) -> Message:
    """A message that belongs to the scope of a client."""
    fields = {"tenant": memory.scope.tenant, "user": memory.scope.user, "sender": GRACE, "body": body, **given}
    return Message(id=name, **fields)


def triage(memory: Memory, **given: Any) -> Triage:
    """A triage of mail whose policy is to tell a person."""
    return Triage(memory, **{"domain": "email", "policy": QUIET, **given})


def judged(memory: Memory | AsyncMemory, name: str, body: str, route: str, **given: Any) -> Judged:
    """A message whose route a person gave."""
    return Judged(message=message(memory, name, body, source_ref=f"imap:{name}", **given), route=route)


def lived(memory: Memory, **given: Any) -> Triage:
    """A triage that has learnt what becomes of one sender's news and of what the same one asks for."""
    made = triage(memory, **given)
    news = [judged(memory, f"news-{n}", body, "ignore") for n, body in enumerate(NEWS)]
    asks = [judged(memory, f"asks-{n}", body, "respond") for n, body in enumerate(ASKS)]
    told = made.learn([*news, *asks], by="ada")
    assert all(one.changed and not one.problem for one in told)
    return made
