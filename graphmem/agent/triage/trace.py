"""What a decision stood on: the examples, the votes, the rule, and what was kept out; printable, and JSON."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum

from pydantic import Field

from graphmem.agent.triage.message import Route
from graphmem.fields import Value
from graphmem.recall import Decision


class By(StrEnum):
    """Who decided: a rule, the reviewed examples, the policy, a language model; the policy alone, the memory away."""

    RULE = "rule"
    EXAMPLES = "examples"
    POLICY = "policy"
    MODEL = "model"
    POLICY_ONLY = "policy_only"


class Example(Value):
    """A reviewed episode that was shown: its route, how relevant it is (in [0, 1]), and its references."""

    id: str
    route: Route
    relevance: float
    relationship: str = ""
    source_ref: str = ""
    feedback_ref: str = ""


class Ruling(Value):
    """The version of a rule that decided."""

    name: str
    version: int
    domain: str = ""
    by: str = ""


class Vote(Value):
    """How the examples voted: the sum of their relevances for each route, and the share of the first (in [0, 1])."""

    weights: dict[Route, float] = Field(default_factory=dict)
    share: float = 0.0


class Denied(Value):
    """A memory that a recall without the filter would have brought, and why it was kept out; never its words."""

    id: str
    reason: str


class Trace(Value):
    """A decision from the scope to what was recorded.

    `recall` is what the memory decided, `bar` the relevance from which on an example counts, `recalled` the ids of all
    accepted episodes in the order of the recall; `top` are the examples that were shown, in the order in which they
    were chosen. `ruled` is the rule that decided. `denied` is told by an audit alone; `notes` say what was missing.
    """

    message: str
    tenant: str
    user: str
    domain: str
    recall: Decision
    why: str = ""
    bar: float = 0.0
    recalled: tuple[str, ...] = ()
    top: tuple[Example, ...] = ()
    vote: Vote = Vote()
    ruled: Ruling | None = None
    route: Route
    by: By
    reasoning: str = ""
    episode: str = ""
    recorded: str = ""
    denied: tuple[Denied, ...] = ()
    notes: tuple[str, ...] = ()

    def __str__(self) -> str:
        return "\n".join(self._lines())

    def _lines(self) -> Iterator[str]:
        whose = f"{self.tenant}/{self.user}" if self.user else self.tenant
        yield f"message {self.message} of {whose}, domain {self.domain or '-'}"
        yield f"route {self.route.value}, by {self.by.value}: {self.reasoning}"
        if self.ruled is not None:
            yield f"rule {self.ruled.name}, version {self.ruled.version}, set by {self.ruled.by}"
        yield f"recall {self.recall.value} ({self.why}), {len(self.recalled)} accepted"
        for place, one in enumerate(self.top, 1):
            told = [f"{one.relevance:.3f}", one.route.value, one.relationship]
            refs = [
                f"source {one.source_ref}" * bool(one.source_ref),
                f"feedback {one.feedback_ref}" * bool(one.feedback_ref),
            ]
            yield f"  {place}. {one.id}  " + "  ".join(part for part in (*told, *refs) if part)
        for denied in self.denied:
            yield f"  denied {denied.id}: {denied.reason}"
        yield from (f"note: {note}" for note in self.notes)
        if self.episode:
            yield f"episode {self.episode} ({self.recorded})"


class Decided(Value):
    """What was decided about a message, and on which grounds.

    `examples` are the reviewed episodes that were shown, in order; `rule` the name of the one that decided, else empty;
    `policy_only` tells that the memory was away. `episode` is the id by which `review` knows the decision, empty where
    nothing was recorded (`trace.recorded` says what became of it). Nothing of it is evidence until it is reviewed.
    """

    route: Route
    by: By
    reasoning: str
    examples: tuple[Example, ...] = ()
    rule: str = ""
    policy_only: bool = False
    episode: str = ""
    trace: Trace

    @classmethod
    def of(cls, trace: Trace) -> Decided:
        """The decision that a trace tells."""
        return cls(
            route=trace.route,
            by=trace.by,
            reasoning=trace.reasoning,
            examples=trace.top,
            rule=trace.ruled.name if trace.ruled is not None else "",
            policy_only=trace.by is By.POLICY_ONLY,
            episode=trace.episode,
            trace=trace,
        )
