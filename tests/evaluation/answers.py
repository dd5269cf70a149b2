"""Answers of recall, made up here."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime

from graphmem.models import Kind
from graphmem.recall import Candidate, Components, Decision, Parameters, Recall, Request

NOTHING = dict.fromkeys(Components.model_fields, 0.0)


def answer(found: Mapping[str, Mapping[str, float]]) -> Recall:
    """An answer with these candidates: their ids, and the components that are not 0."""
    return Recall(
        id="recall",
        trace_id="recall",
        request=Request(text="text"),
        at=datetime(2026, 1, 1, tzinfo=UTC),
        tenant="t",
        user="",
        decision=Decision.NOVEL,
        reason="made up",
        hits=(),
        candidates=tuple(
            Candidate(
                id=id_,
                kind=Kind.EPISODE,
                user="",
                label=id_,
                rank=rank,
                score=0.0,
                relevance=components["semantic"],
                hop=0,
                replaces=None,
                components=Components(**{**NOTHING, **components}),
            )
            for rank, (id_, components) in enumerate(found.items(), 1)
        ),
        novelty=0.5,
        parameters=Parameters(threshold=0.7, band=0.05, weights=None),
        context_hash="0",
    )
