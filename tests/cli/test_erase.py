"""The command that erases a scope."""

from __future__ import annotations

import json

import pytest

from graphmem import Memory, Settings
from graphmem.erase import Erased
from graphmem.settings import Connection
from tests.cli.shell import Inside, environment


@pytest.fixture
def graphmem(settings: Settings, at: Connection, tenant: str) -> Inside:
    return Inside(environment(settings, at, tenant) | {"GRAPHMEM_EMBEDDING__MODEL": "none"})


def test_the_command_asks_first(graphmem: Inside) -> None:
    assert graphmem("record", "--task", "pump", "--id", "e", "--outcome", "success").code == 0
    for arguments, said in (((), "--everything"), (("--yes",), "--everything"), (("--everything",), "--yes")):
        ran = graphmem("erase", *arguments)
        assert (ran.code, said in ran.err) == (2, True), ran
    assert graphmem("get", "e").code == 0
    erased = graphmem("erase", "--everything", "--yes", "--json").json
    assert erased == json.loads(Erased(episodes=1).model_dump_json())
    assert graphmem("get", "e").code == 1
    assert graphmem("erase", "--everything", "--yes").out.startswith("0 episodes, 0 reflections")
    for missing in ({"GRAPHMEM_TENANT": ""}, {"GRAPHMEM_USER": ""}):
        assert "name" in graphmem("erase", "--everything", "--yes", **missing).refusal


def test_one_memory_and_a_subject_are_erased(graphmem: Inside, memory: Memory) -> None:
    memory.record_many([{"id": f"e{n}", "task": f"pump {n}", "subject": "Eve" if n else ""} for n in range(4)])
    for arguments in (
        ("--id", "e1", "--subject", "Eve"),
        ("--id", "e1", "--everything"),
        ("--subject", "Eve", "--everything"),
    ):
        ran = graphmem("erase", *arguments, "--yes")
        assert (ran.code, "exactly one" in ran.err) == (2, True), ran
    ran = graphmem("erase", "--subject", "Eve")
    assert (ran.code, "--yes" in ran.err, "Eve" in ran.err) == (2, True, False)
    ran = graphmem("erase", "--id", "e1", "--yes")
    assert ran.out == "1 episodes, 0 reflections, 0 skills, 0 receipts, 0 parameters, 0 rules, 0 jobs, 0 links erased\n"
    assert graphmem("erase", "--subject", "Eve", "--yes", "--json").json["episodes"] == 2
    for arguments in (("--id", "e1"), ("--subject", "Eve")):
        assert "not found" in graphmem("erase", *arguments, "--yes").refusal
    assert [one.id for one in memory.list()] == ["e0"]
