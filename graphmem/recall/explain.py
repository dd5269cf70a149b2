"""A recall for a person: how it was decided and ranked, what brought each memory, what was left out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import timedelta
from typing import TYPE_CHECKING

from graphmem.settings import Weights

if TYPE_CHECKING:
    from graphmem.recall.models import Candidate, Recall

SUBTRACTED = ("false_hit",)
LABEL = 60  # characters of a label that are shown
_LEFT = {
    "filtered": "without the tags, techniques or difficulty asked for",
    "contradicted": "whose conditions the context contradicts",
    "duplicates": "that double a better one",
}


def explained(recall: Recall) -> str:
    """The decision with all that it read, a line for each candidate, and what was left out, as aligned plain text.

    A candidate's line has its mark (`*` a hit to use, `?` a hit to verify), rank, S, relevance, every component (with
    its part of S behind it where the weights are known), what brought it, and its name. Characters that could steer a
    terminal are escaped.
    """
    lines = [f"{recall.decision.value}: {recall.reason}", *_read(recall), *_ranking(recall), *_central(recall)]
    lines += _missing(recall)
    return "\n".join(_plain(line) for line in [*lines, *(f"warning: {warning}" for warning in recall.warnings)])


def _read(recall: Recall) -> Iterator[str]:
    """What the decision read, all on the scale of relevances."""
    parameters, evidence = recall.parameters, recall.evidence
    if recall.lexical_only:
        yield f"found by words alone: no relevance was read, novelty {recall.novelty:.3f}"
    elif recall.candidates:
        confidence = evidence.confidence(parameters.threshold)
        yield (
            f"confidence {confidence:.3f}, novelty {recall.novelty:.3f}: best relevance {evidence.best:.3f}, "
            f"the three best {evidence.agreed:.3f}, surroundings {evidence.surroundings:.3f}"
        )
    bar = f"bar {evidence.bar:.3f}, " if recall.candidates and not recall.lexical_only else ""
    named = f"version {parameters.version}" if parameters.version else "version 0 (the settings)"
    domain = f" of domain {parameters.domain}" if parameters.domain else ""
    yield f"{bar}θ {parameters.threshold:.3f}, δ {parameters.band:.3f}, parameters {named}{domain}"


def _ranking(recall: Recall) -> list[str]:
    if not recall.candidates:
        return []
    names = list(type(recall.candidates[0].components).model_fields)
    weights = recall.parameters.weights
    marks = {(hit.user, hit.id): "?" if hit.decision.value == "verify" else "*" for hit in recall.hits}
    heads = ["", "rank", "S", "relevance", *(name.replace("_", " ") for name in names), "brought by"]
    rows = [[*heads, "memory"]]
    for found in recall.candidates:
        rows.append(
            [
                marks.get((found.user, found.id), ""),
                str(found.rank),
                f"{found.score:.3f}",
                f"{found.relevance:.3f}",
                *(_part(name, getattr(found.components, name), weights) for name in names),
                _way(found),
                f"{found.kind.value} {found.id} {' '.join(found.label.split())[:LABEL]}",
            ]
        )
    return _aligned(rows, left=(0, len(heads) - 1, len(heads)))


def _central(recall: Recall) -> Iterator[str]:
    """How old the centralities of the ranking are."""
    known = [found.centrality_at for found in recall.candidates if found.centrality_at is not None]
    without = len(recall.candidates) - len(known)
    if known:
        newest, oldest = _age(recall.at - max(known)), _age(recall.at - min(known))
        ages = newest if newest == oldest else f"{newest} to {oldest}"
        yield f"centrality: computed {ages} before{f', {without} have none yet' if without else ''}"
    elif without:
        yield "centrality: none was computed yet ('graphmem jobs centrality')"


def _age(age: timedelta) -> str:
    for seconds, unit in ((86_400, "day"), (3600, "hour"), (60, "minute")):
        count = int(age.total_seconds() // seconds)
        if count > 0:
            return f"{count} {unit}{'s' if count > 1 else ''}"
    return "less than a minute"


def _part(name: str, value: float, weights: Weights | None) -> str:
    if weights is None:
        return f"{value:.2f}"
    sign = "-" if name in SUBTRACTED else "+"
    return f"{value:.2f} {sign}{value * getattr(weights, name):.3f}"


def _way(found: Candidate) -> str:
    """The indexes that found it, or the memories and edges that led to it; and whose place it took."""
    if found.hop:
        memories, edges = found.path[::2], found.path[1::2]
        way = " ".join(f"{memory} -{edge}-" for memory, edge in zip(memories, edges, strict=False))
    else:
        way = "+".join(found.path)
    return f"{way} replaces {found.replaces}".strip() if found.replaces else way


def _missing(recall: Recall) -> Iterator[str]:
    counts = [(getattr(recall.left, name), what) for name, what in _LEFT.items()]
    told = ", ".join(f"{count} {what}" for count, what in counts if count)
    if told:
        yield f"left out: {told}"
    hits = {(hit.user, hit.id) for hit in recall.hits}
    if hits and not recall.lexical_only:
        beyond = [
            found
            for found in recall.candidates
            if found.relevance >= recall.evidence.bar and (found.user, found.id) not in hits
        ]
        if beyond:
            yield f"beyond the limit of {recall.request.limit}: {len(beyond)} more at or above the bar"
    if recall.cut:
        yield "cut: a memory had more neighbours or corrections, or a filter more matches, than are looked at"


def _aligned(rows: Sequence[Sequence[str]], left: Sequence[int]) -> list[str]:
    clean = [[_plain(cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*clean, strict=True)]
    return [
        "  ".join(
            cell.ljust(width) if place in left else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in clean
    ]


def _plain(text: str) -> str:
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode("ascii") for char in text)
