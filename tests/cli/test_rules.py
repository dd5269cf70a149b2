"""`graphmem rules`: set, listed and withdrawn, as text for people and as the verbs' JSON."""

from __future__ import annotations

import re

import pytest

from tests.cli.shell import Inside

SET = ("rules", "set", "refunds", "--text", "A person decides on refunds.", "--by", "ada")
WHERE = ("--domain", "mail", "--condition", "relation=customer", "--mention", "refund", "--mention", "money back")


def test_a_rule_is_set_listed_and_withdrawn(wordy: Inside) -> None:
    assert wordy("rules").out == "no rule is in force\n"
    assert wordy("rules", "--json").json == []
    assert wordy(*SET).out == "refunds, version 1, is in force\n"
    assert wordy(*SET).out == "refunds, version 1, is in force already\n"
    done = wordy(*SET, *WHERE, "--decision", "notify", "--json").json
    assert (done["changed"], done["rule"]["version"], done["rule"]["domain"]) == (True, 1, "mail")
    assert done["rule"]["conditions"] == ["relation=customer"]
    assert done["rule"]["mentions"] == ["refund", "money back"]
    shown = [re.split(r" {2,}", line) for line in wordy("rules").out.splitlines()]
    assert shown == [
        ["name", "version", "domain", "of", "holds", "decides", "text"],
        [
            "refunds",
            "1",
            "mail",
            "-",
            "relation=customer; refund or money back",
            "notify",
            "A person decides on refunds.",
        ],
        ["refunds", "1", "-", "-", "always", "-", "A person decides on refunds."],
    ]
    assert [one["domain"] for one in wordy("rules", "--domain", "ops", "--json").json] == [""]
    assert wordy("rules", "withdraw", "refunds", "--by", "bob").out == "refunds, version 1, is withdrawn\n"
    assert wordy("rules", "withdraw", "refunds", "--by", "bob").out == "refunds, version 1, is withdrawn already\n"
    assert [one["domain"] for one in wordy("rules", "--json").json] == ["mail"]
    again = ("rules", "set", "refunds", "--text", "Two persons decide.", "--by", "bob", "--domain", "mail")
    assert wordy(*again, "--json").json["rule"]["version"] == 2
    listed = [line.split()[:3] for line in wordy("rules", "--versions").out.splitlines()[1:]]
    assert listed == [["refunds", "2", "mail"], ["refunds", "1,", "replaced"], ["refunds", "1,", "withdrawn"]]


def test_a_users_rules_stand_before_those_of_the_tenant(wordy: Inside) -> None:
    wordy(*SET)
    wordy("rules", "set", "tone", "--text", "Be brief.", "--by", "u7", "--user", "u7")
    wordy("rules", "set", "shared", "--text", "Be kind.", "--by", "u7", "--user", "u7", "--share")
    whose = [(one["user"], one["name"]) for one in wordy("rules", "--user", "u7", "--json").json]
    assert whose == [("u7", "tone"), ("", "refunds"), ("", "shared")]
    assert [one["name"] for one in wordy("rules", "--json").json] == ["refunds", "shared"]
    refused = wordy("rules", "withdraw", "refunds", "--by", "u7", "--user", "u7").refusal
    assert refused.endswith("is shared by the tenant; give share=True to withdraw it for everybody")
    assert wordy("rules", "withdraw", "refunds", "--by", "u7", "--user", "u7", "--share").code == 0
    assert [one["name"] for one in wordy("rules", "--json").json] == ["shared"]


@pytest.mark.parametrize(
    "wrong",
    [
        ("rules", "set"),
        ("rules", "set", "r", "--by", "ada"),
        ("rules", "set", "r", "--text", "t"),
        ("rules", "withdraw", "r"),
        ("rules", "withdraw", "--by", "ada"),
        ("rules", "forget", "r"),
    ],
    ids=" ".join,
)
def test_a_wrong_call_ends_with_2(wordy: Inside, wrong: tuple[str, ...]) -> None:
    ran = wordy(*wrong)
    assert (ran.code, ran.out) == (2, "")


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (("rules", "set", " ", "--text", "t", "--by", "ada"), "Rule.name: must not be blank"),
        (("rules", "set", "r", "--text", " ", "--by", "ada"), "Rule.text: must not be blank"),
        (("rules", "set", "r", "--text", "t", "--by", " "), "RuleOrder.by: must not be blank"),
        (("rules", "set", "r", "--text", "t", "--by", "a", "--condition", "monday"), "'monday' is not \"key = value\""),
        (("rules", "set", "r", "--text", "t", "--by", "a", "--mention", "a@example.org"), "Rule.mentions holds what"),
        (("rules", "withdraw", "r", "--by", "ada"), "no rule 'r' without a domain in this scope; nothing was changed"),
    ],
)
def test_what_is_refused_is_told_in_one_line(wordy: Inside, given: tuple[str, ...], said: str) -> None:
    assert said in wordy(*given).refusal


@pytest.mark.parametrize(
    "whose", [("--user", "u9"), ("--tenant", "rules-elsewhere"), ("--tenant", "rules-elsewhere", "--user", "u9")]
)
def test_whose_rules_they_are_may_stand_before_the_subcommand(wordy: Inside, whose: tuple[str, ...]) -> None:
    wordy("rules", *whose, "set", "tone", "--text", "Be brief.", "--by", "ada")
    assert wordy("rules", "--json").json == []
    (rule,) = wordy("rules", *whose, "--json").json
    assert rule == {**rule, "name": "tone", "user": "u9" if "--user" in whose else ""}
    assert wordy("rules", *whose, "withdraw", "tone", "--by", "ada").code == 0
    assert wordy("rules", *whose, "--json").json == []
    wordy("erase", *whose, "--everything", "--yes")
    wordy("rules", *whose, "set", "tone", "--text", "Be kind.", "--by", "ada", "--user", "nearer")
    assert [one["user"] for one in wordy("rules", *whose[:2], "--user", "nearer", "--json").json] == ["nearer"]
    wordy("erase", *whose[:2], "--user", "nearer", "--everything", "--yes")


@pytest.mark.parametrize("before", [("--domain", "mail"), ("--versions",), ("--json",)])
def test_what_is_for_the_list_is_refused_before_a_subcommand(wordy: Inside, before: tuple[str, ...]) -> None:
    for ran in (wordy("rules", *before, *SET[1:]), wordy("rules", *before, "withdraw", "refunds", "--by", "ada")):
        assert (ran.code, ran.out) == (2, "")
        assert before[0] in ran.err
    assert wordy("rules", "--versions", "--json").json == []
