"""The verb `recall`: embed the question, ask the graph once, decide, present."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from graphmem.embed import Embedded
from graphmem.errors import EmbeddingError, StoreError, StoreUnavailable
from graphmem.models import Kind
from graphmem.recall.decide import Policy, Verdict, budget, decide
from graphmem.recall.lexical import lucene
from graphmem.recall.models import Candidate, Components, Decision, Evidence, Hit, Left, Recall
from graphmem.recall.parameters import Parameters
from graphmem.recall.request import Request
from graphmem.record.properties import context_hash, features, to_item
from graphmem.record.settle import UNSETTLED, settled
from graphmem.scope import Scope
from graphmem.settings import RecallSettings
from graphmem.steps import Call, Embed, Read, Row, Stage, Write
from graphmem.store.catalogue import statement
from graphmem.text import normalise

HIGHEST = "\U0010ffff"
DAY = 86_400.0
LOOKED = 1000  # at most so many links of a memory are looked at
MOVED = "the vectors of this database are of another embedding model, or being made anew ('graphmem reembed')"
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


def recall(requests: Sequence[Request], setting: Setting) -> Stage[tuple[Recall, ...]]:
    """Answer questions in their order, in one round trip, and another one if some of them include secure memories.

    Without vectors the answers are found by words alone.
    """
    texts = [request.text for request in requests]
    try:
        embedded: Sequence[Embedded | None] = yield Embed(texts, "query")
        away = ""
    except EmbeddingError as error:
        embedded, away = [None] * len(texts), str(error)
    queries = [_query(position, *pair, setting) for position, pair in enumerate(zip(requests, embedded, strict=True))]
    found: dict[int, Row] = {}
    for secure in sorted({request.include_secure for request in requests}):
        asked = [query for query, request in zip(queries, requests, strict=True) if request.include_secure is secure]
        call = Call(statement("recall/hybrid"), _parameters(asked, setting, secure))
        found |= {row["position"]: row for row in (yield from _found(call, embedded))}
    return tuple(
        _answer(request, vector, away, found[place], setting, setting.ids[place])
        for place, (request, vector) in enumerate(zip(requests, embedded, strict=True))
    )


def _found(call: Call, embedded: Sequence[Embedded | None]) -> Stage[Sequence[Row]]:
    """The rows of a recall; where the vector index is found unsettled by deletions, it is settled, and asked again."""
    try:
        rows: Sequence[Row] = yield Read(call)
    except StoreError as error:
        vector = next((one.vector for one in embedded if one is not None and one.vector), None)
        if UNSETTLED not in str(error) or vector is None:
            raise
        yield Write([settled(len(vector))])
        rows = yield Read(call)
    return rows


def unavailable(request: Request, new_id: str, setting: Setting, error: StoreUnavailable) -> Recall:
    """The answer while the store is away: go by policy alone."""
    verdict = Verdict(Decision.POLICY_ONLY, f"the memory is away: {error}")
    parameters = setting.policy.parameters
    evidence = Evidence(bar=parameters.threshold)
    return _recall(request, new_id, setting, verdict, parameters, evidence, hits=(), candidates=())


def _recall(
    request: Request,
    new_id: str,
    setting: Setting,
    verdict: Verdict,
    parameters: Parameters,
    evidence: Evidence,
    **found: Any,
) -> Recall:
    """An answer: what was asked, how it was decided, and what was found, if anything was."""
    return Recall(
        id=new_id,
        trace_id=request.trace_id or new_id,
        request=request,
        at=setting.now,
        tenant=setting.scope.tenant,
        user=setting.scope.user,
        decision=verdict.decision,
        reason=verdict.reason,
        novelty=min(1.0, max(0.0, 1.0 - evidence.confidence(parameters.threshold))),
        parameters=parameters,
        evidence=evidence,
        embedding_model=setting.model,
        context_hash=context_hash(request.domain or "", request.task_type or "", request.toolchain or "", request.text),
        budget=budget(verdict.decision, setting.rules),
        **found,
    )


def _parameters(queries: Sequence[Mapping[str, Any]], setting: Setting, secure: bool) -> dict[str, Any]:
    rules = setting.rules
    wanted = max(rules.vector_candidates, *(query["limit"] for query in queries))
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


def _query(position: int, request: Request, embedded: Embedded | None, setting: Setting) -> dict[str, Any]:
    vector = embedded.vector if embedded is not None else None
    pairs = [f"{normalise(key)}={normalise(value)}".casefold() for key, value in request.context.items()]
    return {
        "position": position,
        "vectors": [] if vector is None else [list(vector)],
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
        "narrow": bool(request.tags or request.techniques or request.difficulty),
        "pairs": pairs,
        "keys": [pair.split("=", 1)[0] for pair in pairs],
        "asked": features(request.domain, request.task_type, request.toolchain, request.tags, pairs),
        "threshold": 0.0 if vector is None else setting.policy.parameters.threshold,
        "limit": request.limit,
    }


def _range(value: str | None) -> list[str]:
    return ["", HIGHEST] if value is None else [value, value]


def _answer(request: Request, embedded: Embedded | None, away: str, row: Row, setting: Setting, new_id: str) -> Recall:
    rows = [found for found in row["candidates"] if _whole(found)]
    candidates = tuple(_candidate(found) for found in rows)
    vector = embedded.vector if embedded is not None and row["by_vector"] else None
    ruling = _policy(row["calibrated"], setting)
    evidence = Evidence(bar=ruling.parameters.threshold)
    if vector is not None:
        evidence = Evidence(**{name: row[name] for name in Evidence.model_fields})
    verdict = decide(candidates, evidence, ruling, lexical_only=vector is None)
    moved = MOVED if embedded is not None and embedded.vector is not None and vector is None else ""
    problems = (away, embedded and embedded.problem, moved)
    warnings = [f"recalled by words alone: {problem}" for problem in problems if problem]
    if embedded is not None and vector is not None and not embedded.whole:
        warnings.append(
            f"the query was longer than the model reads; its vector stands for {embedded.covered} characters"
        )
    return _recall(
        request,
        new_id,
        setting,
        verdict,
        ruling.parameters,
        evidence,
        hits=_hits(rows, candidates, verdict, evidence.bar + ruling.parameters.band),
        candidates=candidates,
        left=Left(**{name: row[name] for name in Left.model_fields}),
        lexical_only=vector is None,
        cut=row["cut"],
        warnings=tuple(warnings),
        vector=vector or (),
    )


def _policy(calibrated: Row | None, setting: Setting) -> Policy:
    """What was calibrated for this scope and domain; else what the settings say."""
    if calibrated is None:
        return setting.policy
    stored = Parameters.stored(calibrated)
    if stored.weights is None or "weights" in setting.rules.model_fields_set:
        stored = stored.model_copy(update={"weights": setting.rules.weights})
    return Policy(stored, vouched=True)


def _whole(found: Row) -> bool:
    """Whether a candidate is there still: what is deleted while the server answers has no properties."""
    return found["id"] is not None and found["kind"] is not None and found["body"] != {}


def _candidate(found: Row) -> Candidate:
    plain = {name: found[name] for name in Candidate.model_fields if name != "components"}
    return Candidate(
        **{**plain, "kind": Kind(found["kind"])},
        components=Components(**{name: found[name] for name in Components.model_fields}),
    )


def _hits(rows: Sequence[Row], candidates: Sequence[Candidate], verdict: Verdict, sure: float) -> tuple[Hit, ...]:
    if verdict.decision not in (Decision.USE, Decision.VERIFY):
        return ()
    return tuple(
        Hit(
            **dict(candidate),
            decision=verdict.decision if candidate.relevance >= sure else Decision.VERIFY,
            memory=to_item(row["body"]),
        )
        for row, candidate in zip(rows, candidates, strict=True)
        if row["body"] is not None
    )
