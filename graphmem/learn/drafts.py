"""What a reflector is given and what it gives back; nothing of it is in the graph yet."""

from __future__ import annotations

from typing import Protocol

from graphmem.models import Episode, Identifier, Labels, LinkKind, Reflection, Skill, Text, Value, Words
from graphmem.steps import Stage
from graphmem.text import Instant


class Attempt(Value):
    """One episode, as evidence: when it happened, and whether nothing was known that fitted when it began."""

    id: Identifier
    episode: Episode
    happened_at: Instant
    novel: bool = False


class Known(Value):
    """A reflection that is in the graph."""

    id: Identifier
    reflection: Reflection


class Case(Value):
    """All attempts at one task of one scope: the `new` ones are to be reflected, the `known` ones were before.

    `lessons` are those that this domain and task type have already, nearest first; a lesson that says the same again
    adds its evidence to the one that is there. Attempts stand in the order of time, ties by id.
    """

    new: tuple[Attempt, ...]
    known: tuple[Attempt, ...] = ()
    lessons: tuple[Known, ...] = ()

    @property
    def secure(self) -> bool:
        """Whether anything of it is: then no model is shown it, and what comes of it is secure as well."""
        attempts = (*self.new, *self.known)
        return any(one.episode.secure for one in attempts) or any(one.reflection.secure for one in self.lessons)


class Lesson(Value):
    """A lesson to be written: one of failure has a `failure_mode`. `sources` are ids of attempts of the case."""

    insight: Words
    conditions: Labels = ()
    failure_mode: Text = ""
    guardrails: Labels = ()
    sources: tuple[Identifier, ...]


class Tie(Value):
    """A link to be written, between a new lesson (by its place) and one that is known (by its id)."""

    lesson: int
    known: Identifier
    kind: LinkKind


class Usage(Value):
    """What a model was asked: requests, and tokens in and out; nothing for rules."""

    requests: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0

    def __add__(self, other: Usage) -> Usage:
        return Usage(**{name: getattr(self, name) + getattr(other, name) for name in type(self).model_fields})


class Reflected(Value):
    """What became of a case: every new attempt is a source of at least one lesson, or needs none.

    `warnings` name what was dropped of a model's answer, and why.
    """

    lessons: tuple[Lesson, ...]
    ties: tuple[Tie, ...] = ()
    warnings: tuple[str, ...] = ()
    usage: Usage = Usage()


class Group(Value):
    """Similar lessons of one scope, domain and task type, with the attempts behind them and the skill they have."""

    lessons: tuple[Known, ...]
    attempts: tuple[Attempt, ...]
    current: Skill | None = None

    @property
    def secure(self) -> bool:
        """Whether anything of it is: then no model is shown it, and what comes of it is secure as well."""
        lessons = any(one.reflection.secure for one in self.lessons)
        current = self.current is not None and self.current.secure
        return lessons or current or any(one.episode.secure for one in self.attempts)


class Practice(Value):
    """A skill to be written: steps that worked, with what must hold before them."""

    name: Words
    steps: tuple[Words, ...]
    preconditions: Labels = ()
    quality_notes: Text = ""


class Distilled(Value):
    """What a group comes to: a practice, or none and why."""

    practice: Practice | None
    reason: str = ""
    warnings: tuple[str, ...] = ()
    usage: Usage = Usage()


class Reflector(Protocol):
    """Turns attempts into lessons, and lessons into practices. It proposes; what is written is decided elsewhere."""

    @property
    def name(self) -> str:
        """Which rules or model, in which version; it stands on every edge that comes of it."""
        ...

    def reflect(self, case: Case) -> Stage[Reflected]:
        """The lessons of a case. Raises ReflectionError when no answer could be read; nothing is written then."""
        ...

    def distil(self, group: Group) -> Stage[Distilled]:
        """The practice of a group, if its successes have one in common. Raises as `reflect` does."""
        ...
