"""What is derived: its sources, its scope, its secrecy, when it may be recalled."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from graphmem import Episode, Memory, Reflection, Skill, Status
from graphmem.errors import NotFound
from graphmem.models import AnyItem
from graphmem.record import Result
from tests.memories import won

Connect = Callable[..., Memory]


@pytest.fixture
def memory(make: Connect) -> Memory:
    return make()


def test_a_skill_may_name_a_reflection_of_its_own_batch(memory: Memory, edges: Callable[[], Any]) -> None:
    told = memory.record_many(
        [
            Skill(id="s", name="n", steps=("a",), sources=("r",), approved_by="ann"),
            Reflection(id="r", insight="i", sources=("e", "e")),
            won("e"),
        ]
    )
    assert [answer.result for answer in told] == [Result.CREATED] * 3
    assert edges() == [("e", "DERIVES", "r"), ("r", "GENERALIZES", "s")]
    again = memory.record(Reflection(id="r", insight="i", sources=("e", "e")))
    assert again.result is Result.UNCHANGED
    assert edges() == [("e", "DERIVES", "r"), ("r", "GENERALIZES", "s")]


@pytest.mark.parametrize(
    "derived",
    [
        Reflection(id="x", insight="i", sources=("nobody",)),
        Reflection(id="x", insight="i", sources=("e", "nobody")),
        Reflection(id="x", insight="i", sources=("r",)),
        Reflection(id="x", insight="i", sources=("s",)),
        Reflection(id="x", insight="i", sources=("x",)),
        Skill(id="x", name="n", steps=("a",), sources=("e",)),
        Skill(id="x", name="n", steps=("a",), sources=("s",)),
    ],
)
def test_a_source_that_is_missing_or_of_another_kind(
    memory: Memory, nodes: Callable[[], Any], edges: Callable[[], Any], derived: AnyItem
) -> None:
    memory.record_many([won("e"), Reflection(id="r", insight="i"), Skill(id="s", name="n", steps=("a",))])
    before = nodes()
    with pytest.raises(NotFound, match=r"x names a source that is not in this scope; it was not stored"):
        memory.record(derived)
    assert (nodes(), edges()) == (before, [])


def test_while_an_outcome_is_unknown_what_is_derived_waits(memory: Memory) -> None:
    memory.record_many([won("e"), Episode(id="open", task="t")])
    for sources, status in ((("e",), Status.ACTIVE), (("open",), Status.CANDIDATE), (("e", "open"), Status.CANDIDATE)):
        id_ = "r-" + "-".join(sources)
        assert memory.record(Reflection(id=id_, insight="i", sources=sources)).status is status
        assert memory.get(id_).recallable == (status is Status.ACTIVE)
        skill = Skill(id="s" + id_, name="n", steps=("a",), sources=(id_,), approved_by="ann")
        assert memory.record(skill).status is status


def test_the_secure_mark_passes_on(memory: Memory) -> None:
    memory.record_many([won("open"), won("secret", secure=True)])
    memory.record(Reflection(id="r", insight="i", sources=("open", "secret")))
    memory.record(Skill(id="s", name="n", steps=("a",), sources=("r",), approved_by="ann"))
    for id_ in ("r", "s"):
        stored = memory.get(id_)
        assert (stored.memory.secure, stored.recallable) == (True, False)
        assert memory.record(_again(id_)).result is Result.UNCHANGED
        changed = memory.update(id_, tags=["x"])
        assert (changed.memory.tags, changed.memory.secure, changed.recallable) == (("x",), True, False)


def _again(id_: str) -> AnyItem:
    if id_ == "r":
        return Reflection(id="r", insight="i", sources=("open", "secret"))
    return Skill(id="s", name="n", steps=("a",), sources=("r",), approved_by="ann")


def test_what_is_derived_takes_the_narrowest_scope(make: Connect) -> None:
    shared, ann, bob = make(), make(user="ann"), make(user="bob")
    shared.record(won("ours"))
    ann.record(won("mine"))
    assert ann.get("mine").user == "ann"
    for id_, sources in (("from-mine", ("mine",)), ("from-both", ("mine", "ours"))):
        ann.record(Reflection(id=id_, insight="i", sources=sources), share=True)
        assert ann.get(id_).user == "ann"
        for other in (shared, bob):
            with pytest.raises(NotFound):
                other.get(id_)
    ann.record(Reflection(id="from-ours", insight="i", sources=("ours",)), share=True)
    assert [client.get("from-ours").user for client in (shared, ann, bob)] == ["", "", ""]
    ann.record(Reflection(id="own", insight="i", sources=("ours",)))
    assert ann.get("own").user == "ann"


def test_another_users_source_is_not_there(make: Connect, edges: Callable[[], Any]) -> None:
    shared, ann, bob = make(), make(user="ann"), make(user="bob")
    ann.record(won("hers"))
    for client in (bob, shared, make(tenant="somebody-else")):
        with pytest.raises(NotFound, match="names a source that is not in this scope"):
            client.record(Reflection(id="r", insight="i", sources=("hers",)))
    assert edges() == []
    assert ann.record(Reflection(id="r", insight="i", sources=("hers",))).result is Result.CREATED
