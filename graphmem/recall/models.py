"""What recall answers."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import Field, ValidationError, model_validator

from graphmem.errors import InvalidInput
from graphmem.fields import faults
from graphmem.models import (
    KINDS,
    Episode,
    Identifier,
    Kind,
    Reflection,
    Skill,
    Value,
)
from graphmem.recall.explain import explained
from graphmem.recall.parameters import Parameters
from graphmem.recall.prompt import prompt
from graphmem.recall.request import Request, Unit
from graphmem.text import Instant

if TYPE_CHECKING:
    from graphmem.recall.picture import Picture

# What the server computes: in [0, 1] but for its rounding.
Share = Annotated[float, Field(ge=-1e-4, le=1 + 1e-4)]
Count = Annotated[int, Field(ge=0)]


class Decision(StrEnum):
    """What may be done with the hits of a recall."""

    USE = "use"
    VERIFY = "verify"
    NOVEL = "novel"
    POLICY_ONLY = "policy_only"


class Components(Value):
    """The parts of a score, each in [0, 1]; `false_hit` is subtracted, the others are added, by their weights."""

    semantic: Share
    outcome: Share
    recency: Share
    specificity: Share
    centrality: Share
    lexical: Share
    false_hit: Share


class Candidate(Value):
    """A memory that was looked at: its place in the ranking, and why.

    `score` is S, which orders; `relevance` = max(0, cosine) less the false-hit penalty, which decides. `hop` is the
    distance in the graph from what the indexes found, and `path` how it was come upon: the indexes ("vector", "text";
    or "filter", found by its labels alone), or memory and edge by turns. `replaces` is the id of the corrected memory
    whose place it took. `centrality_at` is when its centrality was computed; None: never, and it counts as 0.
    """

    id: str
    kind: Kind
    user: str
    label: str
    rank: int = Field(ge=1)
    score: float
    relevance: Share
    hop: int = Field(ge=0, le=2)
    path: tuple[str, ...] = ()
    replaces: str | None
    components: Components
    centrality_at: Instant | None = None


class Hit(Candidate):
    """A candidate that was relevant enough to be returned, with what it says.

    `decision` is use, or verify for one within δ of the bar while others are above it.
    """

    decision: Decision
    memory: Episode | Reflection | Skill

    @model_validator(mode="before")
    @classmethod
    def _typed(cls, values: Any) -> Any:
        if isinstance(values, dict) and isinstance(values.get("memory"), dict):
            return {**values, "memory": KINDS[Kind(values["kind"])].model_validate(values["memory"])}
        return values


class Budget(Value):
    """A bounded zero-shot attempt: how often it may be tried, and which checks must pass."""

    attempts: int = Field(ge=1)
    checks: tuple[str, ...]


class Evidence(Value):
    """What a decision reads, all on the scale of relevances; see `Parameters` for what each is.

    A memory is a hit from relevance `bar` on: θ, raised where the nearest disagree or the surroundings are crowded.
    """

    best: Share = 0.0
    agreed: Share = 0.0
    surroundings: Share = 0.0
    bar: float = 0.0

    def confidence(self, threshold: float) -> float:
        """The best relevance, less what the bar lies above θ; it is answered from θ on."""
        return self.best - (self.bar - threshold)


class Left(Value):
    """How many candidates were left out: by tags, techniques, difficulty; by a condition; as a better one's double."""

    filtered: Count = 0
    contradicted: Count = 0
    duplicates: Count = 0


class Recall(Value):
    """The answer: a decision, the hits that may be used (best first), and the whole ranking behind it.

    `best` is the greatest relevance seen, `novelty` = 1 − the confidence, in [0, 1]. `parameters` say with which θ and
    δ it was decided, and in which version; `lexical_only` marks an answer found by words alone. `cut` says that
    a memory had more neighbours or corrections, or a filter more matches, than are looked at. `budget` is set
    when the decision is novel or policy_only. `milliseconds` is how long it took from the question's embedding to the
    ranked answer, for all of one `recall_many`; None where the memory was away.
    """

    id: Identifier
    trace_id: str
    request: Request
    at: Instant
    tenant: str
    user: str
    decision: Decision
    reason: str
    hits: tuple[Hit, ...]
    candidates: tuple[Candidate, ...]
    novelty: Unit
    parameters: Parameters
    evidence: Evidence = Evidence()
    left: Left = Left()
    embedding_model: str = ""
    context_hash: str
    lexical_only: bool = False
    cut: bool = False
    budget: Budget | None = None
    warnings: tuple[str, ...] = ()
    milliseconds: float | None = Field(None, ge=0)
    vector: tuple[float, ...] = Field((), exclude=True, repr=False)

    @property
    def best(self) -> float:
        """The greatest relevance seen, in [0, 1]."""
        return min(1.0, self.evidence.best)

    @property
    def threshold(self) -> float:
        """θ of this decision."""
        return self.parameters.threshold

    @property
    def band(self) -> float:
        """δ of this decision: from θ up to θ + δ it is verify."""
        return self.parameters.band

    def as_prompt(self, tokens: int | None = None) -> str:
        """The hits as quoted evidence for a prompt's data part: never put it into the system role.

        What worked comes first, then what failed and why, each memory with its origin. `tokens` is the most tokens,
        estimated as characters / 4: long trajectories lose steps, then memories that do not fit beside better ones are
        left out, and the text says how many. Raises InvalidInput when it is no whole number, or below 1.
        """
        return prompt(self, tokens)

    def explain(self) -> str:
        """Why this was the answer, for a person: what was read, every candidate, what was left out, as aligned text."""
        return explained(self)

    def visualize(self, path: str | os.PathLike[str] | None = None) -> Picture:
        """This answer as a graph: the question, its candidates, what led to them and what they replace.

        A notebook shows it by itself; with a `path` it is also written as one standalone HTML file. Raises
        ConfigurationError without the `viz` extra, InvalidInput when the file cannot be written.
        """
        from graphmem.recall.picture import pictured

        return pictured(self, path)

    def to_json(self) -> str:
        """This answer as JSON; `feedback` takes it back."""
        return self.model_dump_json()

    def warned(self, warning: str) -> Recall:
        """This answer with one more warning."""
        return self.model_copy(update={"warnings": (*self.warnings, warning)})

    @classmethod
    def from_json(cls, text: str | bytes | Mapping[str, Any]) -> Recall:
        """Read an answer back. Raises InvalidInput when it is none."""
        try:
            said = dict(json.loads(text) if isinstance(text, str | bytes) else text)
            said.pop("vector", None)  # it is embedded again: a wrong one would harm every later recall
            return cls.model_validate(said)
        except ValidationError as error:
            raise InvalidInput(f"this is not the JSON of a recall: {faults('Recall', error)}") from None
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            raise InvalidInput(f"this is not the JSON of a recall: {str(error).splitlines()[0]}") from error
