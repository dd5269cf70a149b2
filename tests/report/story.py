"""Two weeks of a small memory, told by the real verbs at hours that a test knows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from graphmem import Episode, Memory, Recall, Skill
from tests.angles import Angles
from tests.memories import Clock, won

MONDAY = datetime(2025, 6, 2, tzinfo=UTC)
END = datetime(2025, 6, 12, 6, tzinfo=UTC)
HOSTILE = "<script>alert('x')</script> \u202egnp.exe <img src=http://evil.invalid/x>"
HIDDEN = "the vault's combination"


@dataclass(frozen=True)
class Story:
    """A client whose clock stands at the end of the story, and the recalls that left a receipt."""

    memory: Memory
    clock: Clock
    recalls: tuple[Recall, ...]


def tell(connect: Callable[..., Memory], **given: Any) -> Story:
    """Live through it: attempts at one pump that fail twice and then succeed, and some beside it."""
    clock = Clock()
    memory = connect(embedder=Angles("bge-small-en-v1.5"), clock=clock, **given)
    recalls = []

    def at(day: int, hour: int) -> None:
        clock.now = MONDAY + timedelta(days=day, hours=hour)

    def ask(text: str, domain: str, outcome: str | None = None, **named: Any) -> None:
        found = memory.recall(text, domain=domain)
        recalls.append(found)
        if outcome is not None:
            memory.feedback(found, outcome=outcome, **named)

    def failed(id_: str, reason: str) -> Episode:
        return Episode(id=id_, task="pump north:0.9", outcome="fail", failure_reason=reason, domain="plant")

    at(0, 8)
    ask("north:1", "plant", "fail")
    at(0, 9)
    memory.record(failed("e1", "Valve stuck at 3 bar"))
    at(1, 9)
    memory.record(failed("e2", "valve stuck at 4 bar"))
    at(1, 10)
    ask("north:1", "plant", "fail", misled=["e2"])
    at(2, 10)
    memory.record(won("e3", "pump north:0.9", domain="plant"))
    at(3, 10)
    memory.correct(wrong="e2", right="e3", reason="the valve was open")
    at(3, 11)
    ask("north:1", "plant", "success", used=["e3"])
    at(7, 10)
    ask("east:1", "lab")
    at(8, 9)
    memory.record_many([
        won("x1", "wire east:0.9", domain="lab"),
        won("y1", "door up:0.9", domain="lab", title=HOSTILE, outcome="mixed"),
        won("sec1", HIDDEN, domain="lab", secure=True, failure_reason=HIDDEN),
    ])  # fmt: skip
    memory.record(Skill(id="s1", name="Open a valve", steps=["turn"], approved_by="ada", version=3))
    memory.link("x1", "y1", kind="similar")
    memory.link("x1", "sec1", kind="causes")
    at(8, 12)
    ask("up:1", "lab", "fail", misled=["y1"])
    at(9, 0)
    memory.consolidate()
    at(10, 0)
    memory.record(won("z1", "lamp", domain="lab"))
    clock.now = END
    return Story(memory, clock, tuple(recalls))
