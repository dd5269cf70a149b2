"""What is said about a memory reaches that memory, in that scope, while it lives, and nothing else."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from graphmem import Decision, Episode, Memory, Reflection
from graphmem.errors import InvalidInput, NotFound

QUESTION = "Restart the mail server when it hangs"
START = datetime(2025, 6, 1, tzinfo=UTC)


def won(id_: str, task: str = QUESTION, **fields: Any) -> Episode:
    return Episode(**{"id": id_, "task": task, "outcome": "success", **fields})


@pytest.mark.parametrize("vector", [[0.1, 0.2], [0.0] * 384, [1e200] * 384, "x", None])
def test_a_vector_in_an_answers_json_is_embedded_again(memory: Memory, vector: Any) -> None:
    memory.record(won("a"))
    said = json.loads(memory.recall(QUESTION).to_json()) | {"vector": vector}
    memory.feedback(said, outcome="fail", misled=["a"], evidence="it did not help")
    after = memory.recall(QUESTION)
    assert (after.decision, after.candidates[0].components.false_hit) == (Decision.NOVEL, pytest.approx(1, abs=0.01))


def test_an_answers_json_without_an_id_is_refused(memory: Memory) -> None:
    with pytest.raises(InvalidInput, match="not the JSON of a recall"):
        memory.feedback(json.loads(memory.recall(QUESTION).to_json()) | {"id": ""}, outcome="fail")


def test_feedback_reaches_the_memory_that_was_returned(connect: Callable[..., Memory]) -> None:
    shared, own = connect(), connect(user="u7")
    shared.record(won("a"))
    own.record(won("a", "Paint the garden fence green"))
    first = own.recall(QUESTION)
    assert [(hit.id, hit.user) for hit in first.hits] == [("a", "")]
    own.feedback(first, outcome="success", used=["a"])
    assert (shared.get("a").successes, own.get("a").successes) == (1, 0)
    own.feedback(own.recall(QUESTION), outcome="fail", misled=["a"], evidence="it hung again")
    assert own.recall(QUESTION).decision is Decision.NOVEL


def test_a_user_changes_shared_memories_only_when_told_to(connect: Callable[..., Memory]) -> None:
    shared, own = connect(), connect(user="u7")
    shared.record(won("a"))
    with pytest.raises(InvalidInput, match="share=True"):
        own.update("a", expires_at="2020-01-01")
    assert own.update("a", tags=["mail"], share=True).memory.tags == ("mail",)
    own.record(won("b"))
    with pytest.raises(NotFound):
        own.update("b", tags=["x"], share=True)


def test_a_reversed_contextual_correction_leaves_no_blame(memory: Memory) -> None:
    cleared = won("a", "Clear the print queue by restarting the spooler")
    memory.record_many([cleared, won("b", "Buy new paper for the printer")])
    question = "the print queue is stuck"
    before = memory.recall(question)
    memory.correct(wrong="a", right="b", reason="it is the paper", context=question)
    assert memory.recall(question).hits[0].id == "b"
    memory.correct(wrong="b", right="a", reason="I was mistaken")
    after = memory.recall(question)
    assert (after.hits[0].id, after.hits[0].components.false_hit) == ("a", 0.0)
    assert after.hits[0].relevance == pytest.approx(before.hits[0].relevance)


@pytest.mark.parametrize("again", [{"metadata": {}}, {"tags": []}])
def test_an_update_that_changes_nothing_leaves_the_content_as_it_was(memory: Memory, again: dict[str, Any]) -> None:
    memory.record(won("s", secure=True))
    lesson = Reflection(id="r", insight="Ask before a restart", sources=("s",))
    memory.record(lesson)
    memory.update("r", **again)
    assert memory.record(lesson).result == "unchanged"
    assert memory.get("r").memory.secure
    assert not memory.get("r").recallable


def test_what_has_expired_is_not_there_for_any_verb(connect: Callable[..., Memory]) -> None:
    now = [START]
    memory = connect(clock=lambda: now[0])
    memory.record_many([won("x", expires_at=START + timedelta(days=1)), won("y")])
    recall = memory.recall(QUESTION)
    now[0] += timedelta(days=2)
    acts: list[Callable[[], object]] = [
        lambda: memory.get("x"),
        lambda: memory.update("x", tags=["a"]),
        lambda: memory.link("x", "y"),
        lambda: memory.correct(wrong="x", right="y", reason="r"),
        lambda: memory.correct(wrong="y", right="x", reason="r"),
        lambda: memory.feedback(recall, outcome="success", used=["x"]),
        lambda: memory.feedback(recall, outcome="fail", misled=["x"]),
        lambda: memory.record(Reflection(insight="i", sources=("x",))),
    ]
    for act in acts:
        with pytest.raises(NotFound):
            act()
    assert [hit.id for hit in memory.recall(QUESTION).hits] == ["y"]


def test_a_correction_by_what_may_not_be_recalled_says_so(memory: Memory) -> None:
    memory.record_many([won("a"), won("b", secure=True)])
    told = memory.correct(wrong="a", right="b", reason="outdated")
    assert "nothing takes the place of a" in told.warnings[0]


@pytest.mark.parametrize(
    "act",
    [
        lambda memory: memory.link(["a"], "b"),
        lambda memory: memory.link("a", "b", by=object()),
        lambda memory: memory.recall("x", context=["a"]),
        lambda memory: memory.recall_many(["x"]),
    ],
)
def test_arguments_of_another_kind_are_refused(memory: Memory, act: Callable[[Memory], object]) -> None:
    with pytest.raises(InvalidInput):
        act(memory)


def test_what_a_user_says_of_a_receipt_by_its_id_is_about_that_users_own(connect: Callable[..., Memory]) -> None:
    """By its id nobody changes what the tenant, or another user, was answered and said."""
    shared, own, other = connect(), connect(user="u7"), connect(user="u8")
    shared.record(won("a"))
    for owner, stranger in ((shared, own), (own, other), (own, shared)):
        recall = owner.recall(QUESTION, receipt=True)
        for told in (
            lambda who, id_=recall.id: who.feedback(id_, outcome="fail", misled=["a"]),
            lambda who, id_=recall.id: who.judge(id_, irrelevant=["a"]),
        ):
            with pytest.raises(NotFound, match=f"no receipt {recall.id} in this scope"):
                told(stranger)
        owner.feedback(recall.id, outcome="success", used=["a"])
    assert (shared.get("a").successes, shared.get("a").failures) == (3, 0)
    assert [client.recall(QUESTION).candidates[0].components.false_hit for client in (shared, own, other)] == [0, 0, 0]


@pytest.mark.parametrize("share", ["no", 1, None, "True"])
def test_whether_it_is_shared_is_said_or_refused(connect: Callable[..., Memory], share: Any) -> None:
    shared, own = connect(), connect(user="u7")
    shared.record(won("a"))
    before = shared.get("a")
    for change in (
        lambda: own.record(won("b"), share=share),
        lambda: own.retire("a", by="ada", share=share),
        lambda: own.pin("a", share=share),
        lambda: own.set_rule("r", "words", by="ada", share=share),
        lambda: own.withdraw_rule("r", by="ada", share=share),
        lambda: own.review("a", approve=False, by="ada", share=share),
    ):
        with pytest.raises(InvalidInput, match="share is True or False"):
            change()
    assert shared.get("a") == before
    assert len(shared.list()) == 1
