"""Rules and erasure: everything takes them along, and of a person they say nothing any more."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
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
    memory.set_rule("answer", "Answer letters of Frieda Lindqvist at once.", by="ada", decision="respond")
    memory.set_rule("answer", "Answer all letters at once.", by=frieda, decision="respond")
    memory.set_rule("condition", "words", conditions=["sender = Frieda Lindqvist"], decision="respond", by="ada")
    memory.set_rule("mention", "words", mentions=["urgent", "Frieda Lindqvist"], decision="respond", by="ada")
    memory.set_rule("letters of Frieda Lindqvist", "words", by="ada")
    memory.set_rule("ended", "words", by="ada")
    memory.withdraw_rule("ended", by=frieda)
    memory.set_rule("kept", "Frieda Lindqvistson has a rule of her own.", by="ada", mentions=["Lindqvist"])
    (kept,) = [one for one in memory.rules() if one.name == "kept"]
    erased = memory.erase(subject=frieda)
    assert (erased.rules, erased.signed) == (4, 2)
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


NAMED = [
    ("Frieda Lindqvist", "for Frieda  Lindqvist"),
    ("Frieda Lindqvist", "for Frieda\nLindqvist"),
    ("Frieda Lindqvist", "for Frieda\u00a0Lindqvist."),
    ("Frieda  Lindqvist", "for Frieda Lindqvist"),
    ("Frieda", "for Frie\u200bda"),
    ("Frieda", "for Frie\ufe0fda"),
    ("Zoe\u0301", "for Zo\u00e9 only"),
    ("Zo\u00e9", "for Zoe\u0301 only"),
    ("\uff2f\uff54\uff54\uff4f", "ask Otto"),
    ("Otto", "ask \uff2f\uff54\uff54\uff4f"),
    ("\u674e\u96f7", "\u8bf7\u7ed9\u674e\u96f7\u56de\u590d"),
    ("\uae40\ucca0\uc218", "\uae40\ucca0\uc218\uc5d0\uac8c"),
    ("Otto", "\u8bf7\u7ed9Otto\u56de\u590d"),
    ("O'Neil", "by O'Neil."),
    ("a.b*c", "see a.b*c"),
    ("x\\E y", "see x\\E y"),
]
UNNAMED = [
    ("May", "Refunds may be given"),
    ("May", "MAY be given"),
    ("Otto", "Ottos letters"),
    ("Otto", "ask Lotto and Otto_2"),
    ("a.b", "see aXb"),
    ("Zoe", "for Zo\u00e9"),
    ("Zoe", "for Zoe\u0301"),
    ("Frieda Lindqvist", "FriedaLindqvist"),
]


@pytest.mark.parametrize("field", ["text", "decision", "conditions", "mentions"])
def test_a_name_is_found_in_its_normal_form_and_case_as_a_whole(make: Make, field: str) -> None:
    for name, said in NAMED:
        memory = make(user="found")
        value = {"conditions": [f"a = {said}"], "mentions": [said]}.get(field, said)
        memory.set_rule("r", **{"text": "words", field: value}, by="ada")
        assert memory.erase(subject=name) == Erased(rules=1), (name, said)
        (rule,) = memory.rules(versions=True)
        assert (rule.text, rule.active) == ("it named what was erased", False)
        memory.erase(everything=True)
    memory = make()
    for n, (_, said) in enumerate(UNNAMED):
        value = {"conditions": [f"a = {said}"], "mentions": [said]}.get(field, said)
        memory.set_rule(f"r{n}", **{"text": "words", field: value}, by="ada")
    kept = memory.rules()
    for name, said in UNNAMED:
        with pytest.raises(NotFound):
            memory.erase(subject=name)
        assert memory.rules() == kept, (name, said)


def test_who_only_signed_is_told_and_taken_away(make: Make, cypher: Cypher, tenant: str) -> None:
    memory = make()
    memory.set_rule("r", "one", by="Frieda")
    memory.set_rule("r", "two", by="ada")
    memory.set_rule("s", "one", by="ada (with Frieda)")
    memory.withdraw_rule("r", by="Frieda")
    memory.set_rule("t", "one", by="frieda")
    assert memory.erase(subject="Frieda") == Erased(signed=3)
    assert {(one.name, one.version, one.by, one.withdrawn_by) for one in memory.rules(versions=True)} == {
        ("r", 1, "erased", ""), ("r", 2, "ada", "erased"), ("s", 1, "erased", ""), ("t", 1, "frieda", ""),
    }  # fmt: skip
    with pytest.raises(NotFound):
        memory.erase(subject="Frieda")
    jobs = cypher("MATCH (j:Job {tenant: $t, kind: 'erasure'}) RETURN j.signed AS n, j.state AS s", t=tenant)
    assert jobs == [{"n": 3, "s": "done"}]


@pytest.mark.parametrize("target", [{"everything": True}, {"subject": "Otto"}])
def test_rules_that_are_set_while_they_are_erased_are_whole(
    make: Make, cypher: Cypher, tenant: str, target: dict[str, Any]
) -> None:
    memory, eraser = make(), make()
    for turn in range(5):
        memory.set_rule("for Otto", "words", by="ada")

        def work(number: int, turn: int = turn) -> None:
            for n in range(4):
                if number:
                    memory.set_rule("for Otto", f"words {turn} {number} {n}", by="ada")
                else:
                    try:
                        eraser.erase(**target)
                    except NotFound:
                        continue

        with ThreadPoolExecutor(4) as pool:
            list(pool.map(work, range(4)))
        assert memory.check() == ()
        assert sum(one.active for one in memory.rules(versions=True)) <= 1
    memory.set_rule("for Otto", "the last words", by="ada")
    eraser.erase(**target)
    assert cypher(LEFT, t=tenant) == [{"n": 0}]


@pytest.mark.parametrize("target", [{"everything": True}, {"subject": "Otto"}])
@pytest.mark.parametrize("version", [None, "one", -1])
def test_a_rule_that_lost_its_version_is_erased_too(
    make: Make, cypher: Cypher, tenant: str, target: dict[str, Any], version: object
) -> None:
    memory = make()
    memory.set_rule("for Otto", "words", by="ada")
    cypher("MATCH (r:Rule {tenant: $t}) WHERE r.version > 0 SET r.version = $v", t=tenant, v=version)
    (finding,) = memory.check()
    assert (finding.id, finding.what) == ("rule for Otto", "its version is none")
    assert "erase" in finding.remedy
    assert memory.erase(**target).rules == 1
    assert cypher(LEFT, t=tenant) == [{"n": 0}]
    assert memory.check() == ()


def test_the_subject_of_an_erased_memory_is_taken_in_its_case_alone(make: Make) -> None:
    memory = make()
    memory.record(won("letter", subject="May"))
    memory.set_rule("r", "Refunds may be given.", by="may")
    memory.set_rule("s", "words", by="May")
    erased = memory.erase(subject="May")
    assert (erased.episodes, erased.rules, erased.signed) == (1, 0, 1)
    assert [(one.text, one.by) for one in memory.rules()] == [("Refunds may be given.", "may"), ("words", "erased")]
