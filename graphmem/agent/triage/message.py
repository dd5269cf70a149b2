"""What is triaged: a message, whose it is, and the situation that it describes."""

from __future__ import annotations

import re
from enum import StrEnum

from pydantic import Field, model_validator

from graphmem.agent.bounds import cut
from graphmem.errors import ScopeError
from graphmem.fields import Identifier, Input, Label, Text, When, Words
from graphmem.redact import Redactor
from graphmem.scope import Scope
from graphmem.text import has_words, normalise

LONGEST = 2000
"""Characters of a situation that are kept: what is asked mostly stands at the beginning of a message."""

_ADDRESS = re.compile(r"[^\s<>@,;:\"()]+@[^\s<>@,;:\"()]+")


class Route(StrEnum):
    """What becomes of a message: it is answered, a person is told of it, or nothing is done."""

    RESPOND = "respond"
    NOTIFY = "notify"
    IGNORE = "ignore"


class Message(Input):
    """An email, a ticket, or whatever else comes in.

    `id` is the caller's own; the same message has the same one. `tenant` and `user` say whom it belongs to (an empty
    user: the tenant), and must be those of the client. `sender` is who wrote it, `relationship` what that one is to the
    receiver ("manager", "customer", "newsletter"). `facts` are what the caller knows of it ("attachment": "yes"), and
    never what the message says of itself. `at` is when it came, `source_ref` where it is kept; that never changes.
    What is remembered of a `secure` message is recalled for no other. Raises InvalidInput without words.
    """

    id: Identifier
    tenant: Text = ""
    user: Text = ""
    sender: Text = ""
    relationship: Label = ""
    subject: Text = ""
    body: Text = ""
    at: When | None = None
    facts: dict[Words, Text] = Field(default_factory=dict)
    source_ref: Text = ""
    secure: bool = Field(False, strict=True)

    @model_validator(mode="after")
    def _says_something(self) -> Message:
        if not has_words(self.text):
            raise ValueError("a message needs a subject or a body with words")
        return self

    @property
    def text(self) -> str:
        """All that it says: what rules look for their mentions in."""
        return f"{self.subject}\n{self.body}"

    @property
    def known(self) -> dict[str, str]:
        """What rules go by: the facts, and the relationship, whatever a fact of that name says."""
        return {**self.facts, **({"relationship": self.relationship} if self.relationship else {})}

    @property
    def whose(self) -> str:
        """The person whom it is from, by whom it can be erased: the address, else the sender as given."""
        return next(iter(_ADDRESS.findall(self.sender)), self.sender.strip())[:200]

    def situation(self, redactor: Redactor | None) -> str:
        """Subject and body in normal form, at most 2000 characters, without the sender's address.

        What is longer is redacted before it is cut. It is what the message is remembered and recalled by; who sent it
        is no part of the lesson.
        """
        said = self.text
        for address in _ADDRESS.findall(self.sender):
            said = re.sub(re.escape(address), "the sender", said, flags=re.IGNORECASE)
        parts = [normalise(part) for part in said.split("\n", 1)]
        return cut("\n".join(part for part in parts if part), LONGEST, redactor).strip()

    def within(self, scope: Scope) -> None:
        """See that it belongs to a scope. Raises ScopeError for one without a tenant or user, or with another."""
        for what, told, own in (("tenant", self.tenant, scope.tenant), ("user", self.user, scope.user)):
            if told == own:
                continue
            named = f"it belongs to another {what} than" if told else f"it names no {what}, and there is one in"
            raise ScopeError(f"message {self.id}: {named} the scope of this client; nothing was read or recorded")


class Judged(Input):
    """A message whose route a person gave, with the reason and where that word is kept."""

    message: Message
    route: Route
    reasoning: Text = ""
    feedback_ref: Text = ""


class Policy(Input):
    """What is done where neither a rule nor reviewed examples decide; it is local, so it holds when the memory is away.

    `text` is what a language model is told in the system role, `default` the route.
    """

    text: Text = ""
    default: Route = Route.NOTIFY
