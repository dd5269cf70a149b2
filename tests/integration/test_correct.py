"""Feedback and corrections on the real server: credit, blame, and who takes whose place."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from graphmem import Decision, Episode, Memory, Recall
from graphmem.embed import Embedder
from graphmem.errors import InvalidInput, NotFound, ScopeError
from tests.angles import Angles

NOW = datetime(2025, 6, 1, 12, tzinfo=UTC)
Connect = Callable[..., Memory]
Cypher = Callable[..., list[dict[str, Any]]]


class Clock:
    def __init__(self) -> None:
        self.now = NOW

    def __call__(self) -> datetime:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def make(connect: Connect, embedder: Embedder, clock: Clock) -> Connect:
    """Clients with cosines by hand, whose clock the test moves."""

    def made(user: str | None = None, tenant: str | None = None) -> Memory:
        other = {} if tenant is None else {"tenant": tenant}
        return connect(embedder=Angles(embedder.name), clock=clock, user=user, **other)

    return made


@pytest.fixture
def memory(make: Connect) -> Memory:
    return make()


def won(id_: str, text: str, **fields: Any) -> Episode:
    return Episode(**{"id": id_, "task": text, "outcome": "success", **fields})


def ids(recall: Recall) -> list[str]:
    return [hit.id for hit in recall.hits]


def ranked(recall: Recall) -> list[str]:
    return [candidate.id for candidate in recall.candidates]


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
    assert penalty("north:0.9")[0] == pytest.approx(0.5)
    assert penalty("north:0.8")[0] == pytest.approx(0.0, abs=1e-6)
    clock.now += timedelta(days=90)
    assert penalty("north:1") == (pytest.approx(0.5), pytest.approx(0.7 - 0.25))
    clock.now += timedelta(days=90)
    assert penalty("north:1")[0] == pytest.approx(0.25)
    for _ in range(3):
        memory.feedback(memory.recall("north:1"), outcome="fail", misled=["a"])
    assert penalty("north:1")[0] == 1.0


def test_a_correction_everywhere_takes_the_place_of_the_wrong_one(memory: Memory) -> None:
    memory.record_many([won("wrong", "pump north:0.9"), won("right", "lamp north:0.1")])
    first = memory.recall("north:1")
    assert ids(first) == ["wrong"]
    for _ in range(2):
        told = memory.correct(wrong="wrong", right="right", reason="it floods")
        assert (told.everywhere, told.contexts, told.warnings) == (True, (), ())
        recall = memory.recall("north:1")
        assert ranked(recall) == ["right"]
        assert ids(recall) == ["right"]
        assert recall.hits[0].replaces == "wrong"
        assert recall.hits[0].relevance == pytest.approx(0.9)
    assert memory.get("wrong").id == "wrong"


def test_a_correction_in_a_context_holds_there_and_only_there(memory: Memory, cypher: Cypher, tenant: str) -> None:
    memory.record_many([won("wrong", "pump north:0.7 east:0.7"), won("right", "lamp")])
    for _ in range(2):
        told = memory.correct(wrong="wrong", right="right", reason="it floods", context="north:1")
        assert (told.everywhere, told.contexts) == (False, ("north:1",))
        assert cypher("MATCH (:Memory {tenant: $t})<-[x:MISLED]-() RETURN count(x) AS n", t=tenant) == [{"n": 1}]
        assert ids(memory.recall("north:1")) == ["right"]
        assert ids(memory.recall("north:0.95")) == ["right"]
        assert ids(memory.recall("east:1")) == ["wrong"]
        assert ids(memory.recall("north:0.84 east:0.5")) == ["wrong"]
    assert memory.correct(wrong="wrong", right="right", reason="it floods", context="east:1").contexts == (
        "north:1",
        "east:1",
    )
    assert ids(memory.recall("east:1")) == ["right"]


def test_blame_in_another_context_does_not_spread_a_correction(memory: Memory) -> None:
    memory.record_many([won("wrong", "pump north:0.7 east:0.7"), won("right", "lamp")])
    memory.correct(wrong="wrong", right="right", reason="it floods", context="north:1")
    memory.feedback(memory.recall("east:1"), outcome="fail", misled=["wrong"])
    assert "right" not in [hit.id for hit in memory.recall("east:1").hits]
    assert memory.recall("east:1").candidates[0].replaces is None


@pytest.mark.parametrize("length", [2, 3, 8])
def test_a_chain_of_corrections_leads_to_its_end(memory: Memory, length: int) -> None:
    memory.record_many([won("c0", "pump north:0.9")] + [won(f"c{n}", f"lamp {n}") for n in range(1, length + 1)])
    for n in range(length):
        memory.correct(wrong=f"c{n}", right=f"c{n + 1}", reason="better")
    recall = memory.recall("north:1")
    assert ids(recall) == [f"c{length}"]
    assert ranked(recall) == [f"c{length}"]
    assert recall.hits[0].relevance == pytest.approx(0.9)


def test_a_correction_may_be_reversed(memory: Memory, cypher: Cypher, tenant: str) -> None:
    memory.record_many([won("a", "pump north:0.9"), won("b", "lamp north:0.6")])
    for wrong, right in (("a", "b"), ("b", "a"), ("a", "b")):
        memory.correct(wrong=wrong, right=right, reason="tried again")
        assert ranked(memory.recall("north:1")) == [right]
    assert cypher("MATCH (:Memory {tenant: $t})-[c:CORRECTS]->() RETURN count(c) AS n", t=tenant) == [{"n": 2}]


def test_a_cycle_of_three_ends_at_the_last_word(memory: Memory) -> None:
    memory.record_many([won("a", "pump north:0.9"), won("b", "lamp north:0.8"), won("c", "lime north:0.7")])
    for wrong, right in (("a", "b"), ("b", "c"), ("c", "a")):
        memory.correct(wrong=wrong, right=right, reason="better")
    assert ranked(memory.recall("north:1")) == ["a"]


def test_two_wrong_ones_have_one_right_one(memory: Memory) -> None:
    memory.record_many([won("a", "pump north:0.9"), won("b", "pump north:0.8"), won("c", "lamp")])
    memory.correct(wrong="a", right="c", reason="better")
    memory.correct(wrong="b", right="c", reason="better")
    recall = memory.recall("north:1")
    assert ranked(recall) == ["c"]
    assert recall.hits[0].relevance == pytest.approx(0.9)
    assert recall.hits[0].replaces in ("a", "b")


@pytest.mark.parametrize(
    "fields", [{"secure": True}, {"expires_at": NOW + timedelta(days=1)}, {"outcome": "unknown"}], ids=str
)
def test_a_wrong_memory_stays_away_when_the_right_one_may_not_be_recalled(
    memory: Memory, clock: Clock, fields: dict[str, Any]
) -> None:
    memory.record_many([won("wrong", "pump north:0.9"), won("right", "lamp north:0.9", **fields)])
    memory.correct(wrong="wrong", right="right", reason="it floods")
    clock.now += timedelta(days=2)
    assert ranked(memory.recall("north:1")) == []


def test_an_expired_wrong_memory_calls_nobody(memory: Memory, clock: Clock) -> None:
    memory.record_many([won("wrong", "quixotic", expires_at=NOW + timedelta(days=1)), won("right", "lamp")])
    memory.correct(wrong="wrong", right="right", reason="better")
    clock.now += timedelta(days=2)
    assert [candidate.replaces for candidate in memory.recall("quixotic").candidates] == [None]


def test_a_users_correction_of_a_shared_memory_is_the_users_own(make: Connect) -> None:
    shared, ann, bob = make(), make(user="ann"), make(user="bob")
    shared.record_many([won("s1", "pump north:0.9"), won("s2", "lamp")])
    ann.record(won("mine", "lime"))
    ann.correct(wrong="s1", right="mine", reason="for me")
    assert ids(ann.recall("north:1")) == ["mine"]
    assert ids(bob.recall("north:1")) == ids(shared.recall("north:1")) == ["s1"]
    shared.correct(wrong="s1", right="s2", reason="for all")
    ann.correct(wrong="s2", right="mine", reason="for me")
    assert ids(bob.recall("north:1")) == ids(shared.recall("north:1")) == ["s2"]
    assert ids(ann.recall("north:1")) == ["mine"]


@pytest.mark.parametrize(
    ("said", "error"),
    [
        ({"wrong": "a", "right": "nobody"}, NotFound),
        ({"wrong": "nobody", "right": "a"}, NotFound),
        ({"wrong": "a", "right": "a"}, InvalidInput),
        ({"wrong": "a", "right": "b", "reason": "  "}, InvalidInput),
        ({"wrong": "a", "right": "b", "reason": None}, InvalidInput),
        ({"wrong": "a", "right": "b", "context": ""}, InvalidInput),
        ({"wrong": "a", "right": "b", "context": "\u200b"}, InvalidInput),
        ({"wrong": None, "right": "b"}, (InvalidInput, NotFound)),
    ],
)
def test_a_correction_that_cannot_be_is_refused(
    memory: Memory, cypher: Cypher, tenant: str, said: dict[str, Any], error: Any
) -> None:
    memory.record_many([won("a", "pump north:0.9"), won("b", "lamp")])
    with pytest.raises(error):
        memory.correct(**{"reason": "because", **said})
    assert cypher("MATCH (n {tenant: $t})-[e]-() RETURN e", t=tenant) == []
    assert cypher("MATCH (n:Recall {tenant: $t}) RETURN n", t=tenant) == []


def test_both_drivers_tell_the_same_story(client: Any) -> None:
    client.record_many([won("a", "Descale the coffee machine with vinegar"), won("b", "Use citric acid")])
    recall = client.recall("descale the coffee machine", limit=1)
    client.feedback(recall.to_json(), outcome="fail", misled=["a"], reason="vinegar smells")
    client.correct(wrong="a", right="b", reason="vinegar smells", context="descale the coffee machine")
    assert ids(client.recall("descale the coffee machine")) == ["b"]
