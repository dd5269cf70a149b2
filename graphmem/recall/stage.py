"""The verb `recall`: embed the question, ask the graph once, decide, present."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from time import perf_counter
from typing import Any, NamedTuple

from graphmem.embed import Embedded
from graphmem.errors import EmbeddingError, StoreError, StoreUnavailable
from graphmem.recall.asked import Setting, parameters, query
from graphmem.recall.decide import Policy, Verdict, budget, decide
from graphmem.recall.models import Candidate, Components, Decision, Evidence, Hit, Left, Recall
from graphmem.recall.parameters import Parameters
from graphmem.recall.request import Request
from graphmem.record.properties import context_hash, to_item
from graphmem.record.settle import UNSETTLED, settled
from graphmem.steps import Call, Embed, Read, Row, Stage, Write
from graphmem.store.catalogue import statement

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
COMPONENTS = tuple(Components.model_fields)
MOVED = "the vectors of this database are of another embedding model, or being made anew ('graphmem reembed')"


def recall(requests: Sequence[Request], setting: Setting) -> Stage[tuple[Recall, ...]]:
    """Answer questions in their order, in one round trip, and another one if some of them include secure memories.

    Without vectors the answers are found by words alone.
    """
    begun = perf_counter()
    try:
        embedded: Sequence[Embedded | None] = yield Embed([request.text for request in requests], "query")
        away = ""
    except EmbeddingError as error:
        embedded, away = [None] * len(requests), str(error)
    queries = [query(position, *pair, setting) for position, pair in enumerate(zip(requests, embedded, strict=True))]
    found: dict[int, Row] = {}
    for secure in sorted({request.include_secure for request in requests}):
        asked = [one for one, request in zip(queries, requests, strict=True) if request.include_secure is secure]
        call = Call(statement("recall/hybrid"), parameters(asked, setting, secure))
        found |= {row["position"]: row for row in (yield from _found(call, embedded))}
    answers = [
        _answer(request, vector, away, found[place], setting, setting.ids[place])
        for place, (request, vector) in enumerate(zip(requests, embedded, strict=True))
    ]
    took = round(1000 * (perf_counter() - begun), 3)
    return tuple(answer.model_copy(update={"milliseconds": took}) for answer in answers)


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


def _answer(request: Request, embedded: Embedded | None, away: str, row: Row, setting: Setting, new_id: str) -> Recall:
    rows = [found for found in (_Found(*values) for values in row["candidates"]) if found.whole]
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


class _Found(NamedTuple):
    """A candidate as the statement tells it: a list without names, for there are many and names are what weighs."""

    body: Row | None
    id: str
    kind: str
    user: str
    label: str
    rank: int
    score: float
    relevance: float
    hop: int
    path: Sequence[str]
    replaces: str | None
    centrality_at: int | None  # in microseconds: of all values a time costs the client most
    components: Sequence[float]

    @property
    def whole(self) -> bool:
        """Whether it is there still: what is deleted while the server answers has no properties."""
        return self.id is not None and self.kind is not None and self.body != {}


def _candidate(found: _Found) -> Candidate:
    ranked = found.centrality_at
    said = found._asdict()
    del said["body"]
    said["centrality_at"] = None if ranked is None else EPOCH + timedelta(microseconds=ranked)
    said["components"] = dict(zip(COMPONENTS, found.components, strict=True))
    return Candidate(**said)


def _hits(rows: Sequence[_Found], candidates: Sequence[Candidate], verdict: Verdict, sure: float) -> tuple[Hit, ...]:
    if verdict.decision not in (Decision.USE, Decision.VERIFY):
        return ()
    return tuple(
        Hit(
            **dict(candidate),
            decision=verdict.decision if candidate.relevance >= sure else Decision.VERIFY,
            memory=to_item(row.body),
        )
        for row, candidate in zip(rows, candidates, strict=True)
        if row.body is not None
    )
