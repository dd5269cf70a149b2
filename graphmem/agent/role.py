"""A script while it is played."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from graphmem.agent.align import Substitution
from graphmem.agent.script import Script
from graphmem.agent.words import content


@dataclass(slots=True)
class Role:
    """A script being played: its words for the present run, which grow as things are found to stand for others."""

    script: Script
    words: Substitution
    stalled: bool = False  # something of the task itself could not be done: no use to go on
    failed: bool = False  # an action that the task asks for could not be done
    twins: dict[str, str] = field(
        default_factory=dict
    )  # names of the demonstration's things, and of what stands for them

    def beside(self, phrase: str) -> bool:
        """Whether words to replace only happen to stand in a phrase: it lacks the head that they have in the task."""
        words = phrase.split()
        heads = self.script.substitution.heads
        return any(head and set(old.split()) <= set(words) and head not in words for old, head in heads)

    def particular(self, parts: Iterable[str]) -> frozenset[str]:
        """The words of the present task that are put into phrases of the demonstration."""
        put = (content(self.script.substitution(part)) - content(part) for part in parts if not self.beside(part))
        return self.script.substitution.new & frozenset[str]().union(*put)
