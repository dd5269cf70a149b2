"""Where a rule holds: conditions of the facts, mentions as whole words of any script, in normal form and any case."""

from __future__ import annotations

from typing import Any

import pytest

from graphmem.errors import InvalidInput
from graphmem.govern import Rule

WHOLE = [
    ("refund", "Please refund me", True),
    ("refund", "REFUND?", True),
    ("Refund", "the refund's date", True),
    ("refund", "no refunds today", False),
    ("refund", "prerefund", False),
    ("refund", "refund_7", False),
    ("refund", "refund7", False),
    ("refund", "refund-7", True),
    ("refund", "", False),
    ("weekly report", "the  weekly\n\treport is here", True),
    ("weekly report", "the weekly reports", False),
    ("weekly report", "weekly, report", False),
    ("refund", "a re\u200bfund", True),
    ("refund", "ｒｅｆｕｎｄ", True),
    ("straße", "STRASSE 7", True),
    ("Größe", "gro\u0308\u00dfe", True),
    ("cafe", "cafe\u0301", False),
    ("café", "cafe\u0301!", True),
    ("счёт", "Ваш СЧЁТ готов", True),
    ("счёт", "счёты", False),
    ("λόγος", "ο ΛΌΓΟΣ", True),
    ("חשבון", "זה חשבון חדש", True),
    ("فاتورة", "هذه فاتورة", True),
    ("हिन", "हिन्दी", False),
    ("हिन्दी", "मैं हिन्दी बोलता", True),
    ("报销", "请批准报销申请", True),
    ("报销", "请批准申请", False),
    ("คืนเงิน", "ขอคืนเงินด้วยค่ะ", True),
    ("ก", "กำ", False),
    ("승인", "승인을 부탁합니다", True),
    ("返金", "ABC返金123", True),
    ("vip", "我是vip客户", True),
    ("c++", "we use C++ here", True),
    ("c++", "c++11", True),
    ("🔥", "🔥deal", True),
    (".*", "anything", False),
    ("ss a", "ss ss a", True),
    ("aa a", "aa aa a", True),
]


@pytest.mark.parametrize(("mention", "text", "found"), WHOLE)
def test_a_mention_stands_as_a_whole(mention: str, text: str, found: bool) -> None:
    assert Rule(name="r", text="t", mentions=[mention]).holds(text, {}) is found


@pytest.mark.parametrize(
    ("conditions", "facts", "held"),
    [
        ([], {}, True),
        ([], {"relation": "peer"}, True),
        (["relation = manager"], {"relation": "manager"}, True),
        (["relation=manager"], {"Relation": " MANAGER "}, True),
        (["Relation = Ｍanager"], {"relation": "manager"}, True),
        (["relation = manager"], {"relation": "peer"}, False),
        (["relation = manager"], {}, False),
        (["relation = manager"], {"relation": "manager of none"}, False),
        (["relation = manager", "kind = request"], {"relation": "manager"}, False),
        (["relation = manager", "kind = request"], {"kind": "request", "relation": "manager", "x": "y"}, True),
        (["relation = manager", "RELATION=Manager"], {"relation": "manager"}, True),
        (["sum = a = b"], {"sum": "a = b"}, True),
        (["größe = groß"], {"GRÖSSE": "GROSS"}, True),
    ],
)
def test_all_conditions_hold_of_the_facts(conditions: list[str], facts: dict[str, str], held: bool) -> None:
    assert Rule(name="r", text="t", conditions=conditions).holds("any text", facts) is held


def test_conditions_and_one_of_the_mentions_hold_together() -> None:
    rule = Rule(name="r", text="t", conditions=["relation = manager"], mentions=["refund", "pay back"])
    manager, peer = {"relation": "manager"}, {"relation": "peer"}
    assert rule.holds("please pay  back", manager)
    assert not rule.holds("please pay back", peer)
    assert not rule.holds("please pay", manager)
    always = Rule(name="r", text="t")
    assert always.holds("", {})
    assert always.holds("anything", peer)


@pytest.mark.parametrize("conditions", [["monday"], ["= a"], ["a ="], ["a = 1", "a = 2"]])
def test_what_cannot_be_judged_is_no_condition(conditions: list[str]) -> None:
    given: dict[str, Any] = {"name": "r", "text": "t", "conditions": conditions}
    with pytest.raises(InvalidInput, match=r"Rule\.conditions"):
        Rule(**given)


@pytest.mark.parametrize("unseen", ["\ufe0f", "\ufe0e", "\u034f", "\u200d", "\u180b", "\U000e0100", "\u3164"])
def test_what_nobody_sees_does_not_matter(unseen: str) -> None:
    for mention, text in (("refund", f"re{unseen}fund"), (f"re{unseen}fund", "refund"), ("\u2764", f"\u2764{unseen}!")):
        assert Rule(name="r", text="t", mentions=[mention]).holds(text, {}), (mention, text)
    assert not Rule(name="r", text="t", mentions=["refund"]).holds(f"refund{unseen}s", {})
    assert Rule(name="r", text="t", mentions=["caf\u00e9"]).holds(f"cafe{unseen}\u0301", {})


@pytest.mark.parametrize(
    ("condition", "facts", "held"),
    [
        ("a = b=c", {"a": "b=c"}, True),
        ("a = b=c", {"a=b": "c"}, False),
        ("a = b", {"a=b": ""}, False),
        ("a = b", {"": "a=b"}, False),
    ],
)
def test_an_equals_sign_in_a_fact_is_no_boundary(condition: str, facts: dict[str, str], held: bool) -> None:
    assert Rule(name="r", text="t", conditions=[condition]).holds("any", facts) is held
