"""Feedback: credit, blame, and how it fades."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from graphmem import Decision, Memory
from graphmem.errors import InvalidInput, NotFound, ScopeError
from tests.memories import Clock, won

Connect = Callable[..., Memory]


Cypher = Callable[..., list[dict[str, Any]]]


def record_of(memory: Memory, id_: str) -> tuple[int, int]:
    found = memory.get(id_)
    return found.successes, found.failures


@pytest.mark.parametrize("form", ["recall", "json", "bytes", "mapping", "receipt"])
def test_feedback_takes_a_recall_its_json_or_a_receipts_id(
    memory: Memory, cypher: Cypher, tenant: str, form: str
) -> None:
    memory.record_many([won("a", "pump north:0.9"), won("b", "pump north:0.8")])
    recall = memory.recall("north:1", receipt=form == "receipt")
    given: Any = {
        "recall": recall,
        "json": recall.to_json(),
        "bytes": recall.to_json().encode(),
        "mapping": recall.model_dump(),
        "receipt": recall.id,
    }[form]
    for _ in range(2):
        told = memory.feedback(given, outcome="fail", used=["a"], misled=["b"], evidence="it leaked")
        assert (told.recall_id, told.outcome, told.used, told.misled) == (recall.id, "fail", ("a",), ("b",))
        assert told.warnings == ()
        assert record_of(memory, "a") == (0, 1)
        assert record_of(memory, "b") == (0, 0)
    (row,) = cypher(
        "MATCH (r:Recall {tenant: $t}) RETURN r.id AS id, r.outcome AS outcome, r.evidence AS evidence, "
        "COUNT { (r)-[:RETURNED]->() } AS returned, COUNT { (r)-[:MISLED]->() } AS misled, size(r.vector) AS size",
        t=tenant,
    )
    assert row == {
        "id": recall.id, "outcome": "fail", "evidence": "it leaked", "returned": 2, "misled": 1, "size": 384
    }  # fmt: skip
    (blamed,) = [candidate for candidate in memory.recall("north:1").candidates if candidate.id == "b"]
    assert blamed.components.false_hit == pytest.approx(1.0)


def test_the_latest_word_counts(memory: Memory) -> None:
    memory.record_many([won("a", "pump north:0.9"), won("b", "pump north:0.8")])
    recall = memory.recall("north:1")
    told = [
        ({"outcome": "fail", "used": ["a"], "misled": ["b"]}, (0, 1), (0, 0), 1.0),
        ({"outcome": "success", "used": ["a"], "misled": ["b"]}, (1, 0), (0, 0), 1.0),
        ({"outcome": "success", "used": ["b"]}, (0, 0), (1, 0), 0.0),
        ({"outcome": "mixed", "used": ["a", "b"]}, (0, 0), (0, 0), 0.0),
        ({"outcome": "unknown"}, (0, 0), (0, 0), 0.0),
        ({"outcome": "fail", "misled": ["b", "b"]}, (0, 0), (0, 0), 1.0),
    ]
    for said, a, b, blame in told:
        memory.feedback(recall, **said)  # type: ignore[arg-type]
        assert (record_of(memory, "a"), record_of(memory, "b")) == (a, b), said
        found = {candidate.id: candidate.components.false_hit for candidate in memory.recall("north:1").candidates}
        assert found["b"] == pytest.approx(blame), said
        assert found["a"] == 0


def test_two_recalls_add_up(memory: Memory) -> None:
    memory.record(won("a", "pump north:0.9"))
    for outcome in ("success", "success", "fail"):
        memory.feedback(memory.recall("north:1"), outcome=outcome, used=["a"])
    assert record_of(memory, "a") == (2, 1)


def test_feedback_on_what_is_not_there_writes_nothing(memory: Memory, cypher: Cypher, tenant: str) -> None:
    memory.record(won("a", "pump north:0.9"))
    recall = memory.recall("north:1")
    wrong: list[tuple[Any, dict[str, Any], type[Exception]]] = [
        (recall, {"outcome": "fail", "used": ["a", "nobody"]}, NotFound),
        (recall, {"outcome": "fail", "misled": ["nobody"]}, NotFound),
        (recall, {"outcome": "fail", "used": ["a"], "misled": ["a"]}, InvalidInput),
        (recall, {"outcome": "great", "used": ["a"]}, InvalidInput),
        (recall, {"outcome": "fail", "used": "a"}, InvalidInput),
        (recall, {"outcome": "fail", "used": [None]}, InvalidInput),
        (recall, {"outcome": "fail", "used": 7}, InvalidInput),
        ("not-a-receipt", {"outcome": "fail", "used": ["a"]}, NotFound),
        (recall.id, {"outcome": "fail", "used": ["a"]}, NotFound),
        ("", {"outcome": "fail"}, InvalidInput),
        (None, {"outcome": "fail"}, InvalidInput),
        (7, {"outcome": "fail"}, InvalidInput),
        ("{", {"outcome": "fail"}, InvalidInput),
        (b"receipt", {"outcome": "fail"}, InvalidInput),
        ({"id": "x"}, {"outcome": "fail"}, InvalidInput),
    ]
    for given, said, error in wrong:
        with pytest.raises(error) as caught:
            memory.feedback(given, **said)
        assert "\n" not in str(caught.value)
    assert cypher("MATCH (r:Recall {tenant: $t}) RETURN r", t=tenant) == []
    assert record_of(memory, "a") == (0, 0)


def test_anothers_recall_is_refused(make: Connect, tenant: str, cypher: Cypher) -> None:
    make().record(won("a", "pump north:0.9"))
    recall = make(user="ann").recall("north:1")
    for stranger in (make(), make(user="bob"), make(tenant=f"{tenant}-x", user="ann")):
        for given in (recall, recall.to_json()):
            with pytest.raises(ScopeError):
                stranger.feedback(given, outcome="fail")
        with pytest.raises(NotFound):
            stranger.feedback(recall.id, outcome="fail")
    assert cypher("MATCH (r:Recall {tenant: $t}) RETURN r", t=tenant) == []


def test_a_forged_answer_reaches_no_other_users_memory(make: Connect, tenant: str, cypher: Cypher) -> None:
    make().record(won("a", "pump north:0.9"))
    make(user="bob").record(won("secret", "pump north:0.9"))
    ann = make(user="ann")
    recall = ann.recall("north:1")
    forged = recall.model_copy(
        update={"hits": tuple(hit.model_copy(update={"id": "secret", "user": "bob"}) for hit in recall.hits)}
    )
    ann.feedback(forged.to_json(), outcome="success")
    assert cypher("MATCH (m:Memory {tenant: $t, id: 'secret'}) RETURN COUNT { (m)--() } AS n", t=tenant) == [{"n": 0}]


def test_the_penalty_is_contextual_and_fades(memory: Memory, clock: Clock) -> None:
    memory.record(won("a", "pump north:0.7 east:0.7"))

    def penalty(query: str) -> Any:
        (found,) = memory.recall(query).candidates
        return found.components.false_hit, found.relevance

    assert penalty("north:1") == (0, pytest.approx(0.7))
    memory.feedback(memory.recall("north:1"), outcome="fail", misled=["a"])
    assert penalty("north:1") == (pytest.approx(1.0), pytest.approx(0.7 - 0.5))
    assert memory.recall("north:1").decision is Decision.NOVEL
    assert penalty("east:1") == (0, pytest.approx(0.7))
    assert penalty("north:0.9")[0] == 1.0, "nearer to where it misled than to the memory"
    assert penalty("north:0.8 east:0.6")[0] == 0.0, "nearer to the memory"
    assert penalty("north:0.91 east:0.41")[0] == pytest.approx(0.5, abs=0.01), "in the margin of one and the same"
    assert penalty("north:0.93 east:0.36")[0] == 1.0, "one and the same, though the memory is as near"
    assert penalty("north:0.59")[0] == 0.0, "too far to be alike"
    clock.now += timedelta(days=90)
    assert penalty("north:1") == (pytest.approx(0.5), pytest.approx(0.7 - 0.25))
    clock.now += timedelta(days=90)
    assert penalty("north:1")[0] == pytest.approx(0.25)
    for _ in range(3):
        memory.feedback(memory.recall("north:1"), outcome="fail", misled=["a"])
    assert penalty("north:1")[0] == 1.0
