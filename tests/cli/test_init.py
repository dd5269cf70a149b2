"""`graphmem init`."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from typing import Any

import pytest

from graphmem.settings import Connection
from graphmem.store.schema import migrations
from tests.cli.shell import COMMAND, Inside, Shell, strict


def test_init_tells_what_is_there(graphmem: Inside, at: Connection) -> None:
    graphmem("init")
    told = Inside({name: value for name, value in graphmem.env.items() if name != "GRAPHMEM_TENANT"})(
        "init", "--json"
    ).json
    assert told.pop("neo4j") >= "2026.08"
    assert told == {
        "applied": [],
        "server": at.uri,
        "database": "neo4j",
        "embedding_model": "bge-small-en-v1.5",
        "dimensions": 384,
        "analyzer": "cjk",
    }
    text = graphmem("init").out
    assert text.startswith("nothing was needed\n")
    assert at.uri in text


def test_init_refuses_in_one_sentence(graphmem: Inside) -> None:
    graphmem("init")
    refusal = graphmem("init", GRAPHMEM_FULLTEXT__ANALYZER="english").refusal
    assert "english" in refusal
    assert "cjk" in refusal


@pytest.mark.usefixtures("bare")
def test_two_processes_at_once_make_one_schema(shell: Shell, cypher: Callable[..., list[dict[str, Any]]]) -> None:
    running = [
        subprocess.Popen([*COMMAND, "init", "--json"], env=shell.env, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        for _ in range(2)
    ]
    ended = [process.communicate(timeout=120) for process in running]
    assert [process.returncode for process in running] == [0, 0], ended
    titles = {migration.title for migration in migrations()}
    told = [set(strict(out.decode())["applied"]) for out, _ in ended]
    assert set.union(*told) == titles
    noted = cypher("MATCH (m:Migration) RETURN m.number AS number ORDER BY number")
    assert [row["number"] for row in noted] == [migration.number for migration in migrations()]
    assert shell("init", "--json").json["applied"] == []
