"""The verb `feedback`: a receipt of the recall, how the attempt ended, which memories helped, which misled."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from graphmem.errors import EmbeddingError, InvalidInput, NotFound, ScopeError
from graphmem.models import Identifier, Input, Outcome, Text, Value
from graphmem.recall import Recall
from graphmem.record.known import hold, require_known
from graphmem.scope import Scope
from graphmem.steps import Call, Embed, Read, Stage, Write
from graphmem.store.catalogue import statement

WEIGHT = 1.0  # of one word of blame; false_hit adds them up, to at most 1
UNKNOWN = "so it is not recognised; say it again once the embedding model is back"


class Feedback(Value):
    """What was written: the receipt's id, the outcome, and the memories whose records changed."""

    recall_id: str
    outcome: Outcome
    used: tuple[str, ...] = ()
    misled: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Reference:
    """The recall that feedback is about: the answer itself, or the id of a receipt written before."""

    id: str
    answer: Recall | None = None


class Verdict(Input):
    """How the attempt ended, and what that says about the memories."""

    outcome: Outcome
    used: tuple[Identifier, ...]
    misled: tuple[Identifier, ...]
    evidence: Text
    reason: Text


def reference(recall: Recall | Mapping[str, Any] | str | bytes) -> Reference:
    """Take a Recall, its JSON, or a receipt's id.

    Raises InvalidInput when it is none of them.
    """
    if isinstance(recall, Recall):
        return Reference(recall.id, recall)
    if isinstance(recall, Mapping) or (isinstance(recall, str | bytes) and recall.lstrip()[:1] in ("{", b"{")):
        answer = Recall.from_json(recall)
        return Reference(answer.id, answer)
    if not isinstance(recall, str) or not recall.strip():
        raise InvalidInput("feedback needs a Recall, its JSON, or the id of a written receipt")
    return Reference(recall.strip())


def feedback(about: Reference, verdict: Verdict, scope: Scope, now: datetime, keep_days: float) -> Stage[Feedback]:
    """Write receipt, outcome, credit and blame in one transaction; said again, it changes nothing.

    Raises NotFound when a memory or the receipt is not there, ScopeError when the recall is another scope's.
    """
    both = sorted(set(verdict.used) & set(verdict.misled))
    if both:
        raise InvalidInput(f"memory {both[0]} cannot have been used well and have misled; name it once")
    yield from require_known(sorted({*verdict.used, *verdict.misled}), scope, now)
    where = scope.own
    calls, warnings = [], []
    if about.answer is not None:
        answer = yield from _with_vector(about.answer)
        if verdict.misled and not answer.vector:
            warnings.append(f"the context of what misled has no vector, {UNKNOWN}")
        calls.append(_receipt(answer, scope, now, keep_days, {*verdict.used, *verdict.misled}))
    else:
        found = yield Read(Call(statement("correct/receipt_of"), {"scopes": scope.visible, "id": about.id}))
        if not found:
            raise NotFound(f"no receipt {about.id} in this scope; give the Recall itself or its JSON")
        where = found[0]["scope"]
    at = {"scope": where, "id": about.id}
    seen = {**at, "scopes": scope.visible}
    said = {**at, "outcome": verdict.outcome.value, "evidence": verdict.evidence, "now": now}
    calls.append(Call(statement("correct/outcome"), said))
    calls.append(Call(statement("correct/used"), {**seen, "used": sorted(set(verdict.used))}))
    blame = {"misled": sorted(set(verdict.misled)), "weight": WEIGHT, "reason": verdict.reason, "now": now}
    calls.append(Call(statement("correct/misled"), {**seen, **blame}))
    returned = [hit.id for hit in about.answer.hits] if about.answer is not None else []
    yield Write([hold([*returned, *verdict.used, *verdict.misled], scope), *calls])
    return Feedback(
        recall_id=about.id,
        outcome=verdict.outcome,
        used=tuple(dict.fromkeys(verdict.used)),
        misled=tuple(dict.fromkeys(verdict.misled)),
        warnings=tuple(warnings),
    )


def write_receipt(
    answer: Recall, scope: Scope, now: datetime, keep_days: float, judged: Collection[str] = ()
) -> Stage[None]:
    """Write the receipt of a recall: what it returned, and those of its candidates that somebody judges."""
    yield Write([_receipt(answer, scope, now, keep_days, judged)])


def _receipt(answer: Recall, scope: Scope, now: datetime, keep_days: float, judged: Collection[str]) -> Call:
    if (answer.tenant, answer.user) != (scope.tenant, scope.user):
        raise ScopeError("that recall was answered for another tenant or user; give feedback with the same client")
    receipt: dict[str, Any] = {
        "scope": scope.own,
        "id": answer.id,
        "tenant": scope.tenant,
        "user": scope.user,
        "trace_id": answer.trace_id,
        "context_hash": answer.context_hash,
        "domain": answer.request.domain or "",
        "decision": answer.decision.value,
        "best": answer.best,
        "agreed": answer.evidence.agreed,
        "surroundings": answer.evidence.surroundings,
        "confidence": answer.evidence.confidence(answer.threshold),
        "parameters": answer.parameters.version,
        "embedding_model": answer.embedding_model,
        "novelty": answer.novelty,
        "threshold": answer.threshold,
        "lexical_only": answer.lexical_only,
        "at": answer.at,
        "expires_at": now + timedelta(days=keep_days),
    }
    if answer.vector:
        receipt["vector"] = list(answer.vector)
    return Call(statement("correct/receipt"), {"receipt": receipt, "rows": _returned(answer, scope, judged)})


def _returned(answer: Recall, scope: Scope, judged: Collection[str]) -> Sequence[Mapping[str, Any]]:
    hits = {(hit.user, hit.id) for hit in answer.hits}
    others = {*judged} - {hit.id for hit in answer.hits}
    ranking = {(found.user, found.id): found for found in (*answer.candidates, *answer.hits)}
    return [
        {
            "scope": Scope(scope.tenant, hit.user).own,
            "id": hit.id,
            "edge": {
                "rank": hit.rank,
                "score": hit.score,
                "relevance": hit.relevance,
                "hit": key in hits,
                "used": False,
                **hit.components.model_dump(),
            },
        }
        for key, hit in ranking.items()
        if (key in hits or hit.id in others) and Scope(scope.tenant, hit.user).own in scope.visible
    ]


def _with_vector(answer: Recall) -> Stage[Recall]:
    """The answer with its query's vector, which its JSON does not carry."""
    if answer.vector:
        return answer
    try:
        embedded = yield Embed([answer.request.text], "query")
    except EmbeddingError:
        return answer
    return answer.model_copy(update={"vector": embedded[0].vector or ()})
