"""The command that erases a scope."""

from __future__ import annotations

import json

import pytest

from graphmem import Settings
from graphmem.govern.erase import Erased
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
