"""What a data set is made of, whatever it was read from."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from graphmem.models import AnyItem

RANKING = ("ndcg@10", "mrr", "recall@10", "precision@3", "success@1")


@dataclass(frozen=True, slots=True)
class Known:
    """A memory, and what judges it: the `group` that it belongs to, and whether it ended well (`better`).

    Neither is shown to a system, except as the outcome that the memory itself carries.
    """

    item: AnyItem
    group: str
    better: bool = False

    @property
    def id(self) -> str:
        """The id of the memory."""
        return str(self.item.id)


@dataclass(frozen=True, slots=True)
class Evidence:
    """How the attempt behind a question ended, and with which memory."""

    used: str
    succeeded: bool


@dataclass(frozen=True, slots=True)
class Ask:
    """One question: `text` is all that a system is shown.

    Memories of one of its `groups` are relevant; none means that nothing is. The `excluded` memories are taken out of
    every ranking (leave one out). The `evidence` becomes known after all questions of the stage were asked.
    """

    id: str
    text: str
    groups: frozenset[str]
    excluded: frozenset[str] = frozenset()
    evidence: Evidence | None = None


@dataclass(frozen=True, slots=True)
class Stage:
    """One moment: these memories are recorded, then these questions are asked."""

    known: tuple[Known, ...]
    asks: tuple[Ask, ...]


@dataclass(frozen=True, slots=True)
class DataSet:
    """Real memories and questions, in the order of time.

    A relevant memory has grade 1, or 2 when it ended well and the set is `graded`. `metrics` are the ranking metrics
    that mean something here; `novelty` says that questions without a group are out of scope; `paraphrases` are further
    questions of the same groups, to be asked after feedback (none: no feedback is tried).
    """

    name: str
    stages: tuple[Stage, ...]
    graded: bool = False
    metrics: tuple[str, ...] = RANKING
    novelty: bool = False
    paraphrases: tuple[Ask, ...] = ()


def neutral_id(*parts: object) -> str:
    """An id that tells nothing of what it names: ties of scores break by id, which must favour nobody."""
    return hashlib.sha256("\x1f".join(map(str, parts)).encode()).hexdigest()[:16]
