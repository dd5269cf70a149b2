"""Planning by rules: what they make of memories."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from graphmem import Memory
from graphmem.agent import Brief, RulePlanner, Tried
from graphmem.agent.literal import renamed, renames
from graphmem.models import Episode, Reflection, Skill, Step
from graphmem.recall import Decision

DOMAIN = "work"


def brief(memory: Memory, task: str, **given: Any) -> Brief:
    recall = memory.recall(task, domain=DOMAIN, limit=10)
    return Brief(task=task, recall=recall, decision=recall.decision, **given)


def lived(name: str, task: str, *actions: str, outcome: str = "success", **fields: Any) -> Episode:
    steps = tuple(Step(action=action, observation="done") for action in actions)
    return Episode(id=name, task=task, domain=DOMAIN, trajectory=steps, outcome=outcome, **fields)


@pytest.mark.parametrize(
    ("old", "new", "action", "becomes"),
    [
        (
            "Convert a-b.csv to JSON",
            "Convert X-y.csv to JSON",
            "run --from a-b.csv > a-b.json",
            "run --from X-y.csv > X-y.json",
        ),
        ("Copy left to right", "Copy right to left", "cp left right", "cp right left"),
        ("Ping 'db.local'", "Ping 'web.local'", "ping -c1 db.local", "ping -c1 web.local"),
        ("Convert data.csv", "Bake a cake with much sugar", "run data.csv", "run data.csv"),
        ("Load v1 data", "Load v2 data", "load v12 v1", "load v12 v2"),
        ("Restart it", "Restart it", "restart it", "restart it"),
    ],
)
def test_names_are_replaced_by_the_letter(old: str, new: str, action: str, becomes: str) -> None:
    assert renamed(action, renames(old, new)) == becomes


def test_rules_follow_the_success_and_not_what_failed(memory: Memory) -> None:
    memory.record(lived("good", "Convert sales.csv to JSON lines", "load sales.csv", "write sales.jsonl"))
    memory.record(lived("bad", "Convert sales.csv to JSON lines", "guess sales.csv", outcome="fail"))
    plan = RulePlanner().plan(brief(memory, "Convert orders.csv to JSON lines"))
    assert [one.action for one in plan.steps] == ["load orders.csv", "write orders.jsonl"]
    assert plan.sources == ("good",)


def test_rules_expect_what_was_seen_then_where_nobody_else_checks(memory: Memory) -> None:
    memory.record(lived("good", "Convert sales.csv to JSON lines", "load sales.csv"))
    asked = brief(memory, "Convert orders.csv to JSON lines")
    verified = Brief(asked.task, asked.recall, Decision.VERIFY)
    assert [one.expects for one in RulePlanner().plan(verified).steps] == ["done"]
    for other in (
        Brief(asked.task, asked.recall, Decision.USE),
        Brief(asked.task, asked.recall, Decision.VERIFY, gated=True),
    ):
        assert [one.expects for one in RulePlanner().plan(other).steps] == [""]


def test_rules_follow_a_skill_and_leave_out_what_a_lesson_forbids(memory: Memory) -> None:
    steps = ("load the file", "delete the source", "write the lines")
    memory.record(Skill(id="s", name="Convert a file to JSON lines", steps=steps, approved_by="ada", domain=DOMAIN))
    memory.record(
        Reflection(
            id="r",
            insight="Convert a file to JSON lines: the source is still needed",
            guardrails=("never delete the source",),
            domain=DOMAIN,
        )
    )
    plan = RulePlanner().plan(brief(memory, "Convert a file to JSON lines"))
    assert plan.sources == ("s",)
    assert [one.action for one in plan.steps] == ["load the file", "write the lines"]


def test_rules_try_what_sounds_like_the_task_and_nothing_that_failed(memory: Memory) -> None:
    memory.record(lived("bad", "Build and publish the docs", "build docs fast", outcome="fail"))
    options = ("publish docs", "build docs fast", "build docs", "burn everything")
    asked = brief(memory, "Build and publish the docs", options=options)
    assert [one.action for one in RulePlanner().plan(asked).steps] == ["build docs", "publish docs"]
    tried = Tried((Step(action="build docs"),), "build docs", "no", ())
    again = Brief(asked.task, asked.recall, asked.decision, options, tried=(tried,))
    assert [one.action for one in RulePlanner().plan(again).steps] == ["publish docs"]


def test_rules_leave_a_memory_that_failed_in_this_run(memory: Memory) -> None:
    memory.record(lived("one", "Convert sales.csv to JSON lines", "load sales.csv"))
    memory.record(lived("two", "Convert sales.csv to JSON lines now", "read sales.csv"))
    asked = brief(memory, "Convert orders.csv to JSON lines")
    first = RulePlanner().plan(asked)
    tried = Tried((), first.steps[0].action, "no", first.sources)
    second = RulePlanner().plan(Brief(asked.task, asked.recall, asked.decision, tried=(tried,)))
    assert {*first.sources, *second.sources} == {"one", "two"}


@pytest.mark.parametrize("spatial", [False, True])
def test_a_skill_of_which_nothing_may_be_done_is_no_plan(memory: Memory, spatial: bool) -> None:
    task = "Convert a file to JSON lines"
    memory.record(Skill(id="s", name=task, steps=("delete the source",), approved_by="ada", domain=DOMAIN))
    asked = brief(memory, task, options=("load the file",), spatial=spatial)
    tried = Tried((Step(action="delete the source"),), "delete the source", "no", ())
    memory.record(
        Reflection(
            id="r", insight=f"{task}: the source is needed", guardrails=("never delete the source",), domain=DOMAIN
        )
    )
    warned = brief(memory, task, options=("load the file",), spatial=spatial)
    assert RulePlanner().plan(asked).sources == ("s",)
    for other in (warned, replace(asked, tried=(tried,))):
        plan = RulePlanner().plan(other)
        assert (plan.sources, plan.adaptive, plan.empty) == ((), spatial, False)
