"""Rules and erasure: everything takes them along, and of a person they say nothing any more."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from graphmem import Memory
from graphmem.erase import Erased
from graphmem.errors import NotFound
from tests.erase.conftest import spoken
from tests.memories import won

Cypher = Callable[..., list[dict[str, Any]]]
Make = Callable[..., Memory]
LEFT = "MATCH (r:Rule {tenant: $t}) RETURN count(r) AS n"


def test_everything_takes_the_rules_of_the_scope_and_no_others(make: Make, cypher: Cypher, tenant: str) -> None:
    shared, ann, bob = make(), make(user="ann"), make(user="bob")
    for client in (shared, ann, bob):
        client.set_rule("r", "one", by="ada")
        client.set_rule("r", "two", by="ada")
        client.set_rule("s", "one", domain="plant", by="ada")
        client.withdraw_rule("r", by="ada")
    assert ann.erase(everything=True) == Erased(rules=3)
    assert ann.rules(versions=True) == shared.rules(versions=True)
    assert len(bob.rules(versions=True)) == 6
    assert shared.erase(everything=True) == Erased(rules=6)
    assert cypher(LEFT, t=tenant) == [{"n": 0}]
    assert shared.set_rule("r", "three", by="ada").rule.version == 1


def test_rules_say_nothing_of_an_erased_person(make: Make, texts: Callable[[], str]) -> None:
    memory, frieda = make(), "Frieda Lindqvist"
    memory.record(won("e", subject=frieda))
    memory.set_rule("answer", "Answer letters of frieda lindqvist at once.", by="ada", decision="respond")
    memory.set_rule("answer", "Answer all letters at once.", by=frieda, decision="respond")
    memory.set_rule("condition", "words", conditions=["sender = Frieda Lindqvist"], decision="respond", by="ada")
    memory.set_rule("mention", "words", mentions=["urgent", "FRIEDA LINDQVIST"], decision="respond", by="ada")
    memory.set_rule("letters of Frieda Lindqvist", "words", by="ada")
    memory.set_rule("ended", "words", by="ada")
    memory.withdraw_rule("ended", by=frieda)
    memory.set_rule("kept", "Frieda Lindqvistson has a rule of her own.", by="ada", mentions=["Lindqvist"])
    (kept,) = [one for one in memory.rules() if one.name == "kept"]
    assert memory.erase(subject=frieda).rules == 4
    assert spoken(texts().replace("lindqvistson", ""), ("frieda lindqvist",)) == []
    found = {(one.name, one.version): one for one in memory.rules(versions=True)}
    assert found.keys() == {("answer", 1), ("answer", 2), ("condition", 1), ("mention", 1), ("ended", 1), ("kept", 1)}
    assert found["kept", 1] == kept
    assert (found["answer", 2].by, found["answer", 2].active) == ("erased", True)
    assert found["ended", 1].withdrawn_by == "erased"
    for key in (("answer", 1), ("condition", 1), ("mention", 1)):
        one = found[key]
        assert one.text == "it named what was erased"
        assert (one.conditions, one.mentions, one.decision, one.active) == ((), (), "", False)
    assert [found[name, 1].withdrawn_by for name in ("condition", "mention", "answer")] == ["erasure", "erasure", ""]
    assert {one.name for one in memory.rules()} == {"answer", "kept"}, "what lost words decides nothing any more"
    assert memory.check() == ()
    assert memory.set_rule("condition", "words", by="ada").rule.version == 2


def test_a_person_who_is_in_rules_alone_is_erased_from_them(make: Make) -> None:
    memory = make()
    memory.set_rule("r", "Never answer Frieda.", by="ada")
    assert memory.erase(subject="Frieda") == Erased(rules=1)
    with pytest.raises(NotFound):
        memory.erase(subject="Frieda")


def test_a_user_erases_a_person_from_rules_of_their_own_alone(make: Make) -> None:
    shared, ann = make(), make(user="ann")
    for client in (shared, ann):
        client.set_rule("r", "Never answer Frieda.", by="ada")
    assert ann.erase(subject="Frieda").rules == 1
    assert [one.user for one in ann.rules()] == [""]
    assert shared.rules()[0].text == "Never answer Frieda."


def test_an_erased_memory_leaves_the_rules_and_takes_the_signature_of_its_subject(make: Make) -> None:
    memory = make()
    memory.record(won("refund", subject="Frieda"))
    memory.set_rule("r", "A refund needs a person. Ask Frieda.", by="Frieda")
    assert memory.erase(id="refund").rules == 0
    (rule,) = memory.rules()
    assert (rule.text, rule.by, rule.active) == ("A refund needs a person. Ask Frieda.", "erased", True)
