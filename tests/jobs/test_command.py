"""`graphmem jobs centrality`, as a scheduler runs it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from graphmem import Settings
from graphmem.settings import Connection
from tests.cli.shell import Inside, Shell, environment

Cypher = Callable[..., list[dict[str, Any]]]


@pytest.fixture
def shell(settings: Settings, at: Connection, tenant: str) -> Shell:
    """The command line as a process, without an embedding model."""
    return Shell({**environment(settings, at, tenant), "GRAPHMEM_EMBEDDING__MODEL": "none"})


def test_the_command_writes_and_says_what_it_did(shell: Shell, tenant: str) -> None:
    inside = Inside(shell.env)
    for id_ in "abc":
        inside("record", "--id", id_, "--task", f"task {id_}", "--outcome", "success")
    inside("link", "a", "b")
    inside("link", "b", "c")
    ran = shell("jobs", "centrality", "--json")
    assert ran.err == ""
    job = ran.json
    assert (job["kind"], job["state"], job["tenant"], job["user"]) == ("centrality", "done", tenant, "")
    assert (job["nodes"], job["edges"], job["written"], job["error"]) == (3, 2, 3, "")
    assert all(job[name] for name in ("id", "started_at", "ended_at", "neo4j", "gds", "graphmem"))
    assert inside("get", "b", "--json").json["centrality"] == 1
    again = inside("jobs", "centrality")
    assert (again.code, again.err) == (0, "")
    assert again.out == "skipped: nothing changed since the last job (3 memories, 2 links)\n"
    assert inside("jobs", "centrality", "--force").out == "3 of 3 memories written, 2 links, betweenness exact\n"
    sampled = inside("jobs", "centrality", GRAPHMEM_CENTRALITY__EXACT_UP_TO="1", GRAPHMEM_CENTRALITY__SAMPLES="2")
    assert sampled.out == "3 of 3 memories written, 2 links, betweenness estimated from 2 of them\n"
    said = inside("--tenant", tenant, "jobs", "centrality", "--user", "u7")
    assert said.out == "0 of 3 memories written, 2 links, betweenness exact\n"


def test_the_command_refuses_in_one_line(shell: Shell) -> None:
    inside = Inside({name: value for name, value in shell.env.items() if name != "GRAPHMEM_TENANT"})
    assert inside("jobs", "centrality").refusal.startswith("no tenant")
    wrong = Inside(shell.env)("jobs", "centrality", GRAPHMEM_CENTRALITY__RELATES="-1")
    assert "GRAPHMEM_CENTRALITY__RELATES" in wrong.refusal
    assert inside("jobs").code == 2
