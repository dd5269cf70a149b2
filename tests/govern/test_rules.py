"""Rules: set in versions that stay, withdrawn, listed in a fixed order, each in its scope, by both clients."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest

from graphmem import Memory
from graphmem.errors import InvalidInput, NotFound
from graphmem.govern import StoredRule
from tests.memories import NOW, Clock

Cypher = Callable[..., list[dict[str, Any]]]
Make = Callable[..., Any]


def told(rules: tuple[StoredRule, ...]) -> list[tuple[str, str, str, int, bool]]:
    return [(one.user, one.name, one.domain, one.version, one.active) for one in rules]


def test_each_change_is_a_new_version_and_what_is_the_same_changes_nothing(make: Make, clock: Clock) -> None:
    memory = make()
    first = memory.set_rule("refunds", "Refunds above 100 need a person.", by="ada", mentions=["refund"])
    assert first.changed
    clock.now += timedelta(hours=1)
    same = memory.set_rule("refunds", "Refunds above 100 need a person.", by="bob", mentions=["refund"])
    assert not same.changed
    assert same.rule == first.rule
    assert (first.rule.version, first.rule.by, first.rule.at, first.rule.active) == (1, "ada", NOW, True)
    second = memory.set_rule("refunds", "Refunds above 50 need a person.", by="bob", decision="notify")
    assert second.changed
    assert (second.rule.version, second.rule.by, second.rule.at) == (2, "bob", NOW + timedelta(hours=1))
    assert (second.rule.mentions, second.rule.decision) == ((), "notify")
    assert memory.rules() == (second.rule,)
    assert memory.rules(versions=True) == (second.rule, first.rule.model_copy(update={"active": False}))
    assert memory.check() == ()


@pytest.mark.parametrize(
    "change",
    [
        {"text": "Other words."},
        {"conditions": ["relation = peer"]},
        {"conditions": []},
        {"mentions": ["refund", "payment"]},
        {"mentions": ["payment"]},
        {"decision": ""},
        {"decision": "ignore"},
    ],
)
def test_whatever_a_rule_says_makes_another_version(make: Make, change: dict[str, Any]) -> None:
    memory, said = make(), {"text": "Words.", "conditions": ["relation = manager"], "mentions": ["refund"]}
    memory.set_rule("r", **said, decision="respond", by="ada")
    changed = memory.set_rule("r", **{**said, "decision": "respond", **change}, by="ada")
    assert changed.changed
    assert changed.rule.version == 2
    assert told(memory.rules()) == [("", "r", "", 2, True)]


def test_a_withdrawal_keeps_the_versions_and_the_next_one_comes_after_them(make: Make, clock: Clock) -> None:
    memory = make()
    memory.set_rule("r", "one", by="ada")
    second = memory.set_rule("r", "two", by="ada").rule
    clock.now += timedelta(days=1)
    gone = memory.withdraw_rule("r", by="bob")
    assert gone.changed
    ended = {"active": False, "withdrawn_by": "bob", "withdrawn_at": NOW + timedelta(days=1)}
    assert gone.rule == second.model_copy(update=ended)
    assert memory.rules() == ()
    assert [one.text for one in memory.rules(versions=True)] == ["two", "one"]
    again = memory.withdraw_rule("r", by="cat")
    assert not again.changed
    assert again.rule == gone.rule
    back = memory.set_rule("r", "two", by="cat")
    assert back.changed
    assert told(memory.rules()) == [("", "r", "", 3, True)]
    assert [one.withdrawn_by for one in memory.rules(versions=True)] == ["", "bob", ""]


def test_rules_come_in_a_fixed_order_and_by_domain(make: Make) -> None:
    shared, own = make(), make("u7")
    for name, domain in (("b", ""), ("a", "mail"), ("a", ""), ("a", "ops"), ("c", "ops")):
        shared.set_rule(name, "shared", domain=domain, by="ada")
    own.set_rule("d", "own", by="u7")
    own.set_rule("b", "own", domain="mail", by="u7")
    everywhere = [(one.user, one.name, one.domain) for one in own.rules()]
    assert everywhere == [
        ("u7", "b", "mail"), ("u7", "d", ""),
        ("", "a", "mail"), ("", "a", "ops"), ("", "a", ""), ("", "b", ""), ("", "c", "ops"),
    ]  # fmt: skip
    mail = [(one.user, one.name, one.domain) for one in own.rules(domain="mail")]
    assert mail == [row for row in everywhere if row[2] in ("", "mail")]
    assert [one.domain for one in own.rules(domain="")] == ["", "", ""]
    assert {one.user for one in shared.rules()} == {""}


def test_a_rule_of_one_scope_is_nobody_elses(make: Make) -> None:
    own, other, stranger = make("u7"), make("u8"), make("u7", suffix="-other")
    own.set_rule("r", "mine", by="u7")
    assert other.rules() == stranger.rules() == make().rules() == ()
    for client in (other, stranger, make()):
        with pytest.raises(NotFound, match="no rule 'r' without a domain in this scope; nothing was changed"):
            client.withdraw_rule("r", by="x")
    assert other.set_rule("r", "mine", by="u8").rule.version == 1
    assert told(own.rules(versions=True)) == [("u7", "r", "", 1, True)]


def test_a_users_client_changes_what_is_shared_only_with_share(make: Make) -> None:
    shared, own = make(), make("u7")
    own.set_rule("r", "for all", by="u7", share=True)
    assert told(shared.rules()) == [("", "r", "", 1, True)]
    with pytest.raises(InvalidInput, match="shared by the tenant; give share=True"):
        own.withdraw_rule("r", by="u7")
    own.set_rule("r", "for me", by="u7")
    assert told(own.rules()) == [("u7", "r", "", 1, True), ("", "r", "", 1, True)]
    assert own.withdraw_rule("r", by="u7", share=True).changed
    assert told(own.rules()) == [("u7", "r", "", 1, True)]
    assert shared.rules() == ()


def test_a_rule_of_another_domain_is_named(make: Make) -> None:
    memory = make()
    memory.set_rule("r", "words", domain="mail", by="ada")
    with pytest.raises(NotFound, match="there is one of domain 'mail'; nothing was changed"):
        memory.withdraw_rule("r", by="ada")
    with pytest.raises(NotFound, match="no rule 's' of domain 'mail'"):
        memory.withdraw_rule("s", domain="mail", by="ada")
    assert memory.withdraw_rule("r", domain="mail", by="ada").changed


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ({"name": " "}, "Rule.name: must not be blank"),
        ({"text": "\u200b"}, "Rule.text: must not be blank"),
        ({"by": ""}, "RuleOrder.by: must not be blank"),
        ({"mentions": ["ok", " "]}, "Rule.mentions.1: must not be blank"),
        ({"conditions": ["only on mondays"]}, "'only on mondays' is not \"key = value\""),
        ({"conditions": ["a = 1", "A=2"]}, "Rule.conditions: 'a' cannot be two values at once"),
        ({"name": "n" * 201}, "at most 200 characters"),
        ({"share": "yes"}, "share is True or False"),
    ],
)
def test_what_is_no_rule_is_refused_and_nothing_is_written(
    make: Make, cypher: Cypher, tenant: str, given: dict[str, Any], problem: str
) -> None:
    with pytest.raises(InvalidInput, match=problem.replace("(", r"\(")):
        make().set_rule(**{"name": "r", "text": "words", "by": "ada", **given})
    assert cypher("MATCH (r:Rule {tenant: $t}) RETURN r", t=tenant) == []


def test_the_words_are_redacted_and_what_a_rule_goes_by_is_refused(make: Make, cypher: Cypher, tenant: str) -> None:
    memory, mail = make(), "kim.lee@example.org"
    kept = memory.set_rule("r", f"Forward to {mail}.", by=f"ada ({mail})").rule
    assert mail not in kept.text + kept.by
    assert kept.text.startswith("Forward to ")
    for field, value in (
        ("name", mail), ("domain", mail), ("conditions", [f"sender = {mail}"]), ("mentions", [mail]),
        ("decision", mail),
    ):  # fmt: skip
        with pytest.raises(InvalidInput, match=f"Rule.{field} holds what must not be kept"):
            memory.set_rule(**{"name": "s", "text": "words", "by": "ada", field: value})
    (row,) = cypher(
        "MATCH (r:Rule {tenant: $t}) WHERE r.version > 0 RETURN count(r) AS n, collect(r.text) AS t", t=tenant
    )
    assert row == {"n": 1, "t": [kept.text]}


def test_of_many_who_set_one_rule_at_once_each_makes_a_version_and_one_is_in_force(
    connect: Callable[..., Memory], cypher: Cypher, tenant: str
) -> None:
    writers, rounds = 8, 3
    clients = [connect() for _ in range(writers)]

    def act(client: Memory, n: int) -> list[tuple[int, bool]]:
        done = []
        for turn in range(rounds):
            if (n, turn) == (0, 1):
                client.withdraw_rule("r", by="w0")
            one = client.set_rule("r", f"writer {n}, turn {turn}", by=f"w{n}")
            done.append((one.rule.version, one.changed))
        return done

    with ThreadPoolExecutor(writers) as pool:
        done = [one for found in pool.map(act, clients, range(writers)) for one in found]
    assert sorted(version for version, _ in done) == [*range(1, writers * rounds + 1)]
    assert all(changed for _, changed in done)
    rows = cypher("MATCH (r:Rule {tenant: $t}) WHERE r.version > 0 RETURN r.version AS v, r.active AS a", t=tenant)
    assert sorted(row["v"] for row in rows) == [*range(1, writers * rounds + 1)]
    assert [row["v"] for row in rows if row["a"]] == [writers * rounds]
    assert clients[0].check() == ()


def test_of_many_who_say_the_same_at_once_one_writes_it(connect: Callable[..., Memory]) -> None:
    clients = [connect() for _ in range(8)]
    with ThreadPoolExecutor(8) as pool:
        done = list(pool.map(lambda client: client.set_rule("r", "the same", by="ada"), clients))
        assert sorted(one.changed for one in done) == [False] * 7 + [True]
        assert {one.rule.version for one in done} == {1}
        ended = list(pool.map(lambda client: client.withdraw_rule("r", by="ada"), clients))
    assert sorted(one.changed for one in ended) == [False] * 7 + [True]
    assert clients[0].rules() == ()
