"""What is decided about an answer, and what that leaves behind."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from graphmem import Decision, Memory
from graphmem.embed import Embedder
from tests.angles import Angles
from tests.memories import ids, ranked, won

Connect = Callable[..., Memory]


Cypher = Callable[..., list[dict[str, Any]]]


@pytest.mark.parametrize(
    ("cosine", "decision"),
    [(0.49, "novel"), (0.51, "verify"), (0.59, "verify"), (0.61, "use"), (1.0, "use"), (0.0, "novel"), (-1, "novel")],
)
def test_relevance_against_threshold_and_band_decides(make: Connect, cosine: float, decision: str) -> None:
    memory = make(threshold=0.5, band=0.1)
    memory.record(won("a", f"pump north:{cosine}"))
    recall = memory.recall("north:1")
    assert recall.decision == decision
    assert ids(recall) == ([] if decision == "novel" else ["a"])
    assert ranked(recall) == ["a"]
    assert recall.best == pytest.approx(max(0.0, cosine), abs=1e-6)
    assert recall.novelty == pytest.approx(1 - recall.best)
    assert (recall.threshold, recall.band) == (0.5, 0.1)
    assert (recall.budget is None) == (decision != "novel")


def test_without_a_chosen_threshold_nothing_is_used_unverified(connect: Connect, embedder: Embedder) -> None:
    memory = connect(embedder=Angles(embedder.name, threshold=None))
    memory.record(won("a", "pump north:1"))
    assert memory.recall("north:1").decision is Decision.VERIFY


def test_neither_centrality_nor_recency_nor_words_lift_an_unrelated_memory(
    make: Connect, tenant: str, cypher: Cypher
) -> None:
    memory = make()
    memory.record_many([won("a", "valve north:0.3", domain="d"), won("b", "valve north:0.2", domain="d")])
    cypher("MATCH (m:Memory {tenant: $t}) SET m.centrality = 1.0, m.successes = 99", t=tenant)
    recall = memory.recall("valve north:1", domain="d")
    assert recall.decision is Decision.NOVEL
    assert recall.hits == ()
    assert recall.candidates[0].score > 0.5


def test_a_novel_answer_brings_a_budget_and_leaves_a_receipt(make: Connect, tenant: str, cypher: Cypher) -> None:
    memory = make(zero_shot_attempts=7)
    memory.record(won("a", "pump north:0.2"))
    recall = memory.recall("north:1", domain="")
    assert recall.budget is not None
    assert recall.budget.attempts == 7
    assert recall.budget.checks
    assert recall.context_hash
    (receipt,) = cypher("MATCH (r:Recall {tenant: $t}) RETURN r {.*} AS r", t=tenant)
    kept = receipt["r"]
    assert kept["id"] == recall.id
    assert kept["decision"] == "novel"
    assert kept["novelty"] == recall.novelty
    assert kept["context_hash"] == recall.context_hash
    assert "query" not in kept


def test_an_answered_recall_leaves_no_trace_unless_a_receipt_is_asked_for(
    make: Connect, tenant: str, cypher: Cypher
) -> None:
    memory = make()
    memory.record(won("a", "pump north:1"))
    memory.recall("north:1")
    assert cypher("MATCH (r:Recall {tenant: $t}) RETURN r.id AS id", t=tenant) == []
    recall = memory.recall("north:1", receipt=True)
    rows = cypher(
        "MATCH (r:Recall {tenant: $t})-[e:RETURNED]->(m) RETURN r.id AS id, m.id AS m, e.used AS used", t=tenant
    )
    assert rows == [{"id": recall.id, "m": "a", "used": False}]


def test_equal_problems_have_equal_context_hashes(make: Connect) -> None:
    memory = make()
    one, two = memory.recall("Fix  the PUMP"), memory.recall("fix the pump")
    assert one.context_hash == two.context_hash
    assert memory.recall("fix the lamp").context_hash != one.context_hash
    typed = [memory.recall(text, task_type="repair").context_hash for text in ("fix the pump", "fix the lamp")]
    assert typed[0] == typed[1] != one.context_hash


def test_unrelated_questions_are_not_answered(client: Any) -> None:
    unrelated = ("harbour blimp ordinance of 1911", "gravitational lensing")
    assert [client.recall(text).decision for text in unrelated] == ["novel", "novel"]
    assert client.recall(unrelated[0]).best == 0
    client.record(won("descale", "Descale the espresso machine with citric acid, then rinse it twice"))
    for text in unrelated:
        assert client.recall(text).decision is Decision.NOVEL
    client.record(won("grinder", "Adjust the grinder of the coffee machine until the shot takes 25 seconds"))
    client.record(won("leak", "Replace the gasket of a leaking coffee machine"))
    for text in unrelated:
        recall = client.recall(text)
        assert recall.decision is Decision.NOVEL
        assert recall.hits == ()
        assert recall.reason
        assert 0 < recall.best < recall.threshold
    assert client.recall("descale the coffee machine").hits[0].id == "descale"
