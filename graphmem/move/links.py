"""The links of a file, and which ends each may have."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, model_validator

from graphmem.models import Identifier, LinkKind, Text, When
from graphmem.move.records import End, Number, Record, Share


class Link(Record):
    """A link between two memories, or from a receipt to a memory.

    `user` is whose word it is, where it belongs to nobody's by its ends (relates, corrects).
    """

    sort = 4

    start: End
    end: End

    @property
    def owner(self) -> str:
        """The user whose link it is; its ends are that user's, or shared."""
        return self.end.user

    @property
    def relation(self) -> str:
        """What tells apart several links of a kind between the same ends."""
        return ""

    @model_validator(mode="after")
    def _ended(self) -> Link:
        if {self.start.user, self.end.user} - {"", self.owner}:
            raise ValueError("it joins memories of different users, or says of a user's what is said for others")
        if (self.start, self.kind) == (self.end, self.kind) and self.kind not in ("returned", "misled"):
            raise ValueError("it leads from a memory to itself")
        return self


class Derived(Link):
    """An episode derives a reflection, or a reflection generalizes to a skill."""

    kind: Literal["derives", "generalizes"]
    at: When
    by: Text


class Related(Link):
    """Two memories are related, as somebody said."""

    kind: Literal["relates"]
    relates: LinkKind
    weight: Share
    at: When
    by: Text
    resolved_at: When | None = None
    resolved_by: Text | None = None

    @property
    def owner(self) -> str:
        return self.user

    @property
    def relation(self) -> str:
        return self.relates.value


class Corrected(Link):
    """The memory it starts at is right where the one it ends at is wrong: everywhere, or in contexts."""

    kind: Literal["corrects"]
    at: When
    by: Text
    reason: Text
    everywhere: bool
    contexts: tuple[Text, ...] = ()
    receipts: tuple[Identifier, ...] = ()
    revoked_at: When | None = None

    @property
    def owner(self) -> str:
        return self.user

    @model_validator(mode="after")
    def _holds(self) -> Corrected:
        if len(self.contexts) != len(self.receipts) or len({*self.receipts}) < len(self.receipts):
            raise ValueError("its contexts and receipts are no pairs")
        if not self.everywhere and not self.receipts and self.revoked_at is None:
            raise ValueError("it holds nowhere, and is not revoked")
        return self


class Use(Link):
    """What a receipt says of a memory; it belongs to the receipt's user."""

    @property
    def owner(self) -> str:
        return self.start.user


class Returned(Use):
    """A receipt returned a memory: at which rank, with which score and components, and whether it was used."""

    kind: Literal["returned"]
    hit: bool | None = None
    used: bool | None = None
    relevant: bool | None = None
    rank: Number | None = None
    score: float | None = None
    relevance: float | None = None
    semantic: float | None = None
    outcome: float | None = None
    recency: float | None = None
    specificity: float | None = None
    centrality: float | None = None
    lexical: float | None = None
    false_hit: float | None = None


class Misled(Use):
    """A memory misled in the context of a receipt."""

    kind: Literal["misled"]
    weight: float = Field(ge=0, le=1000)
    at: When
    reason: Text = ""
