"""What is to be erased, and what an erasure tells: counts, and nothing of what is gone."""

from __future__ import annotations

from pydantic import Field

from graphmem.errors import InvalidInput
from graphmem.models import Identifier, Input, Label, Value
from graphmem.text import has_words


class Target(Input):
    """What is to be erased: one memory, all memories about a subject, or everything; exactly one of the three."""

    id: Identifier | None = None
    subject: Label | None = None
    everything: bool = Field(False, strict=True)

    def __init__(self, **fields: object) -> None:
        super().__init__(**fields)
        given = [self.id is not None, self.subject is not None, self.everything]
        if sum(given) != 1:
            raise InvalidInput("erase takes exactly one of id=…, subject=… and everything=True; nothing was erased")
        if self.subject is not None and not has_words(self.subject):
            raise InvalidInput("a subject has words: memories without one are not erased together; nothing was erased")


class Erased(Value):
    """How many of each kind were erased, and what that changed of what stays.

    `receipts` are those of recalls, `parameters` and `rules` versions of them; of a subject, `rules` are those that
    spoke of it, and `signed` those that do not say any more that it signed them. `links` between memories: with
    everything those of the erased scope between memories that stay, else those that went with the erased ones.
    `waiting` are entries of the local outbox. The others are memories that stay: `awaiting` await learning anew, since
    a lesson or skill that came of them is gone; `demoted` skills are proven no more, and candidates again; `superseded`
    ones were corrected everywhere by an erased one.
    """

    episodes: int = 0
    reflections: int = 0
    skills: int = 0
    receipts: int = 0
    parameters: int = 0
    rules: int = 0
    signed: int = 0
    jobs: int = 0
    links: int = 0
    waiting: int = 0
    awaiting: int = 0
    demoted: int = 0
    superseded: int = 0
