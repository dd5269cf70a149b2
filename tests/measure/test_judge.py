"""A person's judgements: written on the receipt, crediting nobody, read by calibration."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from graphmem import Memory
from graphmem.errors import GraphmemError, InvalidInput, NotFound, ScopeError
from graphmem.measure import Judgements
from graphmem.steps import Call, Write
from graphmem.store.catalogue import statement
from tests.embedders import AwayEmbedder
from tests.memories import won

Cypher = Callable[..., list[dict[str, Any]]]
Edges = Callable[[], dict[str, Any]]

TASKS = ("Descale the espresso machine", "Rotate the API key of the mailer", "Free space on the build server")
VERBS = (
    "please",
    "how do I",
    "today:",
    "why not",
    "must I",
    "we have to",
    "help me to",
    "I want to",
    "kindly",
    "again:",
)
THINGS = (
    "a sonnet",
    "bread",
    "chess",
    "a divorce",
    "Latin verbs",
    "a marathon",
    "roses",
    "guitar chords",
    "taxes",
    "jazz",
)


@pytest.fixture
def edges(cypher: Cypher, tenant: str) -> Edges:
    """What the RETURNED edges of this tenant's receipts say about relevance, by memory."""
    return lambda: {
        row["id"]: (row["relevant"], row["used"], row["ranked"])
        for row in cypher(
            "MATCH (r:Recall {tenant: $t})-[e:RETURNED]->(m) RETURN m.id AS id, e.relevant AS relevant, "
            "e.used AS used, e.rank IS NOT NULL AND e.semantic IS NOT NULL AS ranked",
            t=tenant,
        )
    }


@pytest.fixture
def recorded(client: Any) -> Any:
    client.record_many([won(f"e{number}", task) for number, task in enumerate(TASKS)])
    return client


@pytest.mark.parametrize("form", ["recall", "json", "receipt"])
def test_judgements_are_written_whatever_names_the_recall(recorded: Any, edges: Edges, form: str) -> None:
    recall = recorded.recall("descale the coffee machine", receipt=form == "receipt")
    given = {"recall": recall, "json": recall.to_json(), "receipt": recall.id}[form]
    for _ in range(2):
        told = recorded.judge(given, relevant=["e0"], irrelevant=["e1"])
        assert (told.recall_id, told.relevant, told.irrelevant) == (recall.id, ("e0",), ("e1",))
        found = edges()
        assert found["e0"] == (True, False, True)
        assert found["e1"][:2] == (False, False)
        assert found["e1"][2] == (form != "receipt"), "only the answer knows how a memory ranked that was no hit"
    memory = recorded.get("e0")
    assert (memory.successes, memory.failures) == (0, 0)


@pytest.mark.parametrize("form", ["recall", "json", "receipt"])
@pytest.mark.parametrize("verb", ["judge", "feedback"])
def test_all_that_is_said_about_a_recall_is_one_transaction(
    memory: Memory, cypher: Cypher, tenant: str, form: str, verb: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It begins by holding the memories, and when it fails at its end, nothing of it is there."""
    memory.record_many([won(f"e{number}", task) for number, task in enumerate(TASKS)])
    recall = memory.recall("descale the coffee machine", receipt=form == "receipt")
    about = {"recall": recall, "json": recall.to_json(), "receipt": recall.id}[form]
    said: dict[str, dict[str, Any]] = {
        "judge": {"relevant": ["e0"], "irrelevant": ["e1"]},
        "feedback": {"outcome": "fail", "used": ["e0"], "misled": ["e1"]},
    }
    look = (
        "MATCH (n {tenant: $t}) OPTIONAL MATCH (n)-[e]->(m) RETURN labels(n) AS labels, n.id AS id, "
        "n.outcome AS outcome, n.failures AS failures, m.id AS to, properties(e) AS edge ORDER BY labels, id, to"
    )
    before, answer, sent = cypher(look, t=tenant), memory._answer, []

    def cut(step: Any) -> Any:
        if not isinstance(step, Write):
            return answer(step)
        sent.append([call.statement.name for call in step.calls])
        broken = Call(statement("record/episodes"), {"rows": "none", "scopes": []})
        return answer(Write([*step.calls, broken]))

    monkeypatch.setattr(memory, "_answer", cut)
    with pytest.raises(GraphmemError):
        getattr(memory, verb)(about, **said[verb])
    assert cypher(look, t=tenant) == before
    (names,) = sent
    assert names[0] == "record/hold"
    monkeypatch.setattr(memory, "_answer", answer)
    getattr(memory, verb)(about, **said[verb])
    assert cypher(look, t=tenant) != before


@pytest.mark.parametrize("form", ["recall", "json"])
def test_a_receipt_has_the_vector_of_what_was_asked_or_it_is_said(
    recorded: Any, connect: Callable[..., Memory], cypher: Cypher, tenant: str, form: str
) -> None:
    away = connect(embedder=AwayEmbedder(name="bge-small-en-v1.5"))
    recall = away.recall("descale the coffee machine")
    given = recall if form == "recall" else recall.to_json()
    (warning,) = away.judge(given, relevant=["e0"]).warnings
    assert warning.startswith("the context of this receipt has no vector")
    size = "MATCH (r:Recall {tenant: $t, id: $i}) RETURN size(r.vector) AS size"
    assert cypher(size, t=tenant, i=recall.id) == [{"size": None}]
    assert recorded.judge(given, relevant=["e0"]).warnings == ()
    assert cypher(size, t=tenant, i=recall.id) == [{"size": 384}]


def test_what_was_judged_says_how_it_ranked(recorded: Any) -> None:
    recall = recorded.recall("descale the coffee machine", receipt=True)
    (first, second, third) = (found.id for found in recall.candidates)
    told = recorded.judge(recall, relevant=[third, first], irrelevant=[second])
    ranked = [(one.id, one.rank, one.relevant) for one in told.ranked]
    assert ranked == [(first, 1, True), (second, 2, False), (third, 3, True)]
    assert [one.id for one in told.first(2)] == [first, second]
    counted = Judgements.of([told, told], 2)
    assert (counted.ranked, counted.relevant, counted.precision) == (4, 2, 0.5)
    assert Judgements.of([], 3).precision is None
    recorded.record(won("new", "polish the floor"))
    (late,) = recorded.judge(recall.id, relevant=["new"]).ranked
    assert late.rank is None
    assert Judgements.of([recorded.judge(recall.id, relevant=["new"])], 3).precision is None


def test_the_latest_word_on_a_memory_counts_and_others_stay(recorded: Any, edges: Edges) -> None:
    recall = recorded.recall("descale the coffee machine")
    recorded.judge(recall, relevant=["e0", "e1"])
    recorded.judge(recall, irrelevant=["e1"])
    recorded.feedback(recall, outcome="success", used=["e0"])
    assert {id_: said[:2] for id_, said in edges().items()} == {"e0": (True, True), "e1": (False, False)}


def test_what_is_not_there_or_contradicts_itself_is_refused(recorded: Any, edges: Edges) -> None:
    recall = recorded.recall("descale the coffee machine")
    with pytest.raises(NotFound, match="no memory nobody"):
        recorded.judge(recall, relevant=["nobody"])
    with pytest.raises(InvalidInput, match="e0 cannot be relevant and irrelevant"):
        recorded.judge(recall, relevant=["e0"], irrelevant=["e0"])
    with pytest.raises(NotFound, match="no receipt nothing"):
        recorded.judge("nothing", relevant=["e0"])
    assert edges() == {}


def test_nobody_judges_for_another_scope(
    recorded: Any, connect: Callable[..., Memory], tenant: str, edges: Edges
) -> None:
    recall = recorded.recall("descale the coffee machine", receipt=True)
    before = edges()
    stranger = connect(tenant=f"{tenant}-x")
    stranger.record(won("e0"))
    with pytest.raises(ScopeError):
        stranger.judge(recall, relevant=["e0"])
    with pytest.raises(NotFound):
        stranger.judge(recall.id, relevant=["e0"])
    assert edges() == before


def test_a_person_teaches_recall_when_to_answer(recorded: Any) -> None:
    """From real questions alone: half have an answer here, half do not; afterwards recall tells them apart."""
    known = [f"{verb} {task[0].lower()}{task[1:]}" for task in TASKS for verb in VERBS]
    unknown = [f"{verb} {thing}" for thing in THINGS for verb in ("tell me about", "explain", "I like")]
    for number, text in enumerate(known):
        recorded.judge(recorded.recall(text), relevant=[f"e{number // 10}"])
    for text in unknown:
        recall = recorded.recall(text)
        recorded.judge(recall, irrelevant=[recall.candidates[0].id])
    done = recorded.calibrate(false_hit_rate=0.05)
    assert done.labelled == 60
    assert done.fit.false_hits <= 0.05
    assert done.fit.right_answers >= 0.4
    assert recorded.recall("could you rotate the API key of the mailer").decision.value in ("use", "verify")
    assert recorded.recall("what is the capital of Peru").decision.value == "novel"
