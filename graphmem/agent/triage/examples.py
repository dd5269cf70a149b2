"""The reviewed examples of a decision: which of the recalled ones are shown, and how they vote."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from graphmem.agent.triage.episode import TASK_TYPE, routed
from graphmem.agent.triage.message import Route
from graphmem.agent.triage.trace import Example, Vote
from graphmem.models import Episode, Outcome
from graphmem.recall import Hit

POOL = 20
"""Accepted episodes that are recalled, of which the examples are chosen."""

WORDING = 0.05
"""What an example loses in relevance where all its words are those of one that was chosen before."""

SAME_ROUTE, SAME_RELATION = 0.005, 0.005
"""Of two examples as relevant, the one of a route that none has yet, or of the sender's relationship, goes first."""

AGREEMENT = 0.75
"""The share of the relevance that must be for one route: of three examples, all have to agree.

Those that contradict each other decide nothing."""

_WORDS = re.compile(r"\w+")


def usable(hits: Iterable[Hit], domain: str) -> list[tuple[Example, Episode]]:
    """The hits that are accepted decisions of a domain: triage episodes with a route that ended in success."""
    found = []
    for hit in hits:
        memory = hit.memory
        if not isinstance(memory, Episode) or memory.outcome is not Outcome.SUCCESS:
            continue
        route = routed(memory)
        if route is None or memory.task_type != TASK_TYPE or memory.domain != domain or memory.secure:
            continue
        relationship = memory.metadata.get("relationship")
        example = Example(
            id=hit.id,
            route=route,
            relevance=min(1.0, max(0.0, hit.relevance)),
            relationship=relationship if isinstance(relationship, str) else "",
            source_ref=memory.source_ref,
            feedback_ref=memory.feedback_ref,
        )
        found.append((example, memory))
    return found


def diverse(
    pool: Sequence[tuple[Example, Episode]], most: int, relationship: str = ""
) -> list[tuple[Example, Episode]]:
    """At most so many examples, greedily: each is the most relevant one, less what it has in common with those before.

    After maximal marginal relevance (Carbonell and Goldstein 1998, "The use of MMR, diversity-based reranking for
    reordering documents and producing summaries"): what is common is the Jaccard index of the words, times WORDING,
    and whether the route is the same. Ties go by id.
    """
    words = {example.id: frozenset(_WORDS.findall(episode.task.casefold())) for example, episode in pool}
    left, chosen = sorted(pool, key=lambda one: one[0].id), list[tuple[Example, Episode]]()

    def worth(one: tuple[Example, Episode]) -> float:
        example = one[0]
        related = SAME_RELATION * bool(relationship and example.relationship == relationship)
        common = (
            WORDING * _jaccard(words[example.id], words[other.id]) + SAME_ROUTE * (example.route is other.route)
            for other, _ in chosen
        )
        return example.relevance + related - max(common, default=0.0)

    while left and len(chosen) < most:
        best = max(left, key=worth)
        chosen.append(best)
        left.remove(best)
    return chosen


def vote(examples: Iterable[Example]) -> Vote:
    """The votes of examples, each of the weight of its relevance; the first route first, ties by name."""
    weights: dict[Route, float] = {}
    for one in examples:
        weights[one.route] = weights.get(one.route, 0.0) + one.relevance
    ordered = sorted(weights.items(), key=lambda item: (-item[1], item[0].value))
    total = sum(weights.values())
    return Vote(weights=dict(ordered), share=ordered[0][1] / total if total else 0.0)


def agreed(found: Vote) -> Route | None:
    """The route that a vote is for; None where too little of its weight agrees, or nobody voted."""
    return next(iter(found.weights)) if found.share >= AGREEMENT else None


def _jaccard(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / len(one | other) if one or other else 0.0
