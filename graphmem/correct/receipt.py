"""The receipt of a recall: what an answer returned, written before anything is said about it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from graphmem.errors import EmbeddingError, InvalidInput, NotFound, ScopeError
from graphmem.recall import Recall
from graphmem.record.known import hold
from graphmem.record.properties import context_hash
from graphmem.redact import Redactor, clean
from graphmem.scope import Scope
from graphmem.steps import Call, Embed, Read, Stage, Write
from graphmem.store.catalogue import statement


@dataclass(frozen=True, slots=True)
class Reference:
    """The recall that feedback is about: the answer itself, or the id of a receipt written before."""

    id: str
    answer: Recall | None = None


@dataclass(frozen=True, slots=True)
class Filed:
    """Where the receipt of a recall is, and what writes it there unless that was done before.

    `scope` is the token of the receipt's scope, `calls` belong into the transaction that writes about it, `answer` is
    the recall with its query's vector, as far as there is one; a receipt that is named by its id has neither.
    """

    scope: str
    calls: tuple[Call, ...] = ()
    answer: Recall | None = None

    @property
    def blind(self) -> bool:
        """Whether it is written without a vector of what was asked."""
        return self.answer is not None and not self.answer.vector

    @property
    def hits(self) -> tuple[str, ...]:
        """The ids of the hits that are written with it."""
        return () if self.answer is None else tuple(hit.id for hit in self.answer.hits)


def reference(recall: Recall | Mapping[str, Any] | str | bytes, redactor: Redactor | None) -> Reference:
    """Take a Recall, its JSON, or a receipt's id; what it asks for is redacted, since the caller may have changed it.

    Raises InvalidInput when it is none of them.
    """
    if isinstance(recall, Recall):
        return Reference(recall.id, _redacted(recall, redactor))
    if isinstance(recall, Mapping) or (isinstance(recall, str | bytes) and recall.lstrip()[:1] in ("{", b"{")):
        answer = Recall.from_json(recall)
        return Reference(answer.id, _redacted(answer, redactor))
    if not isinstance(recall, str) or not recall.strip():
        raise InvalidInput("feedback needs a Recall, its JSON, or the id of a written receipt")
    return Reference(recall.strip())


def _redacted(answer: Recall, redactor: Redactor | None) -> Recall:
    kept, _ = clean(redactor, answer)
    if kept.request == answer.request:
        return kept
    # What was computed of the words before says something of them: it is computed anew.
    asked = kept.request
    labels = (asked.domain or "", asked.task_type or "", asked.toolchain or "")
    return kept.model_copy(update={"vector": (), "context_hash": context_hash(*labels, asked.text)})


def check_scope(answer: Recall, scope: Scope) -> None:
    """Raises ScopeError for a recall that another tenant's or user's client answered."""
    if (answer.tenant, answer.user) != (scope.tenant, scope.user):
        raise ScopeError("that recall was answered for another tenant or user; give feedback with the same client")


def receipt(
    about: Reference, named: Collection[str], scope: Scope, now: datetime, keep_days: float, embedding_model: str
) -> Stage[Filed]:
    """The receipt that something is said about, with those of its candidates that are `named`; nothing is written yet.

    It is kept for `keep_days` from `now` on. Raises NotFound when no receipt has that id in this scope, ScopeError when
    the recall is another scope's.
    """
    if about.answer is not None:
        answer = yield from _with_vector(about.answer, embedding_model)
        return Filed(scope.own, (_call(answer, scope, now, keep_days, named),), answer)
    found = yield Read(Call(statement("correct/receipt_of"), {"scope": scope.own, "id": about.id}))
    if not found:
        raise NotFound(f"no receipt {about.id} in this scope; give the Recall itself or its JSON")
    return Filed(scope.own)


def write_receipt(answer: Recall, scope: Scope, now: datetime, keep_days: float) -> Stage[None]:
    """Write the receipt of a recall, with its hits, and keep it for `keep_days`; a receipt that is there stays."""
    hits = hold([hit.id for hit in answer.hits], scope)  # so that none is erased before the receipt names it
    yield Write([hits, _call(answer, scope, now, keep_days)])


def _call(answer: Recall, scope: Scope, now: datetime, keep_days: float, named: Collection[str] = ()) -> Call:
    check_scope(answer, scope)
    written: dict[str, Any] = {
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
    if answer.milliseconds is not None:
        written["milliseconds"] = answer.milliseconds
    if answer.vector:
        written["vector"] = list(answer.vector)
    return Call(statement("correct/receipt"), {"receipt": written, "rows": _returned(answer, scope, named)})


def _returned(answer: Recall, scope: Scope, named: Collection[str]) -> Sequence[Mapping[str, Any]]:
    hits = {(hit.user, hit.id) for hit in answer.hits}
    others = {*named} - {hit.id for hit in answer.hits}
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
        for key, hit in sorted(ranking.items(), key=lambda found: found[0][::-1])  # the order of all that lock
        if (key in hits or hit.id in others) and Scope(scope.tenant, hit.user).own in scope.visible
    ]


def _with_vector(answer: Recall, embedding_model: str) -> Stage[Recall]:
    """The answer with its query's vector of this model: its JSON carries none, and another model may have answered."""
    if answer.vector and answer.embedding_model == embedding_model:
        return answer
    try:
        embedded = yield Embed([answer.request.text], "query")
    except EmbeddingError:
        return answer
    return answer.model_copy(update={"vector": embedded[0].vector or (), "embedding_model": embedding_model})
