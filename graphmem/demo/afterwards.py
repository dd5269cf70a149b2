"""What is made of the lives afterwards, so that the graph that is kept has lessons, skills, and one dispute."""

from __future__ import annotations

from rich.console import Console

from graphmem.memory import Memory
from graphmem.models import Reflection

ONLOOKER = "onlooker"


def afterwards(memory: Memory, console: Console) -> None:
    """Consolidate what was lived; then an onlooker disputes one lesson, which waits for a person from then on."""
    console.print("making lessons and skills of what was lived …")
    memory.consolidate()
    lessons = memory.list(kind="reflection", limit=1)
    if not lessons:
        return
    lesson = lessons[0].memory
    said = Reflection(insight=f"An onlooker doubts it: {lesson.label()[:200]}", domain=lesson.domain)
    doubt = memory.record(said)
    if doubt.id is not None:
        memory.link(doubt.id, lessons[0].id, kind="contradicts", by=ONLOOKER)
        console.print("an onlooker disputes one lesson")
