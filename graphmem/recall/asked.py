"""What the recall statement is given: the questions, whose memories, by which rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from graphmem.embed import Embedded
from graphmem.recall.decide import Policy
from graphmem.recall.lexical import lucene
from graphmem.recall.request import Request
from graphmem.record.properties import features
from graphmem.scope import Scope
from graphmem.settings import RecallSettings
from graphmem.store.vectors import packed
from graphmem.text import normalise

HIGHEST = "\U0010ffff"
DAY = 86_400.0
LOOKED = 1000  # at most so many links of a memory are looked at
APART = 10  # times as many are fetched to find the secure ones among what is not recalled
SCANNED = 50_000  # at most so many memories of a scope are looked through for rare tags, techniques or difficulties


@dataclass(frozen=True, slots=True)
class Setting:
    """What a recall is done with: whose memories, by which rules, when."""

    scope: Scope
    rules: RecallSettings
    policy: Policy
    model: str
    now: datetime
    ids: Sequence[str]


def parameters(queries: Sequence[Mapping[str, Any]], setting: Setting, secure: bool) -> dict[str, Any]:
    """The parameters of the statement for these questions; `secure` when they may see secure memories."""
    rules = setting.rules
    wanted = max(rules.vector_candidates, *(one["limit"] for one in queries))
    return {
        "queries": queries,
        "scopes": setting.scope.visible,
        "keys": setting.scope.keys(secure),
        "now": setting.now,
        "model": setting.model,
        "rules": {
            "calibrated": rules.threshold is None,
            "weighted": "weights" in rules.model_fields_set,
            "weights": rules.weights.model_dump(),
            "vector_candidates": wanted,
            "apart": APART * wanted,
            "text_candidates": rules.text_candidates,
            "seeds": rules.seeds,
            "fanout": rules.fanout,
            "looked": LOOKED,
            "scanned": SCANNED,
            "neighbours": rules.neighbours,
            "shown": rules.shown,
            "lexical_half": rules.lexical_half,
            "half_life": rules.half_life_days * DAY,
            "context_floor": rules.context_floor,
            "context_close": rules.context_close,
            "context_margin": rules.context_margin,
            "prior": rules.prior,
        },
    }


def query(position: int, request: Request, embedded: Embedded | None, setting: Setting) -> dict[str, Any]:
    """One question as the statement reads it: an absent filter is the whole range, words alone have no vector."""
    vector = embedded.vector if embedded is not None else None
    pairs = [f"{normalise(key)}={normalise(value)}".casefold() for key, value in request.context.items()]
    return {
        "position": position,
        "vectors": [] if vector is None else [packed(vector)],
        "lucene": lucene(request.text, setting.scope.keys(request.include_secure)),
        "kind": _range(request.kind and request.kind.value),
        "domain": _range(request.domain),
        "domains": sorted({"", request.domain or ""}),
        "task_type": _range(request.task_type),
        "toolchain": _range(request.toolchain),
        "authority": int(request.reviewed),
        "tags": list(request.tags),
        "techniques": list(request.techniques),
        "difficulty": list(request.difficulty or ()),
        "filtered": bool(request.kind or request.domain or request.task_type or request.toolchain or request.reviewed),
        "narrow": bool(request.tags or request.techniques or request.difficulty),
        "pairs": pairs,
        "keys": [pair.split("=", 1)[0] for pair in pairs],
        "asked": features(request.domain, request.task_type, request.toolchain, request.tags, pairs),
        "threshold": 0.0 if vector is None else setting.policy.parameters.threshold,
        "limit": request.limit,
    }


def _range(value: str | None) -> list[str]:
    return ["", HIGHEST] if value is None else [value, value]
