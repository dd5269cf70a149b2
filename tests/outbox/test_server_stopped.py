"""A real server, really stopped and started again: the one long test of the outbox, and its commands."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from graphmem import AsyncMemory, Memory, Settings
from graphmem.errors import StoreUnavailable
from graphmem.server.halt import down
from graphmem.server.start import up
from graphmem.settings import connection, load_settings
from tests.cli.shell import Inside, environment
from tests.embedders import HashEmbedder
from tests.outbox.test_delivery import episode

COUNT = 500


@pytest.fixture(scope="module")
def own(settings: Settings, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Settings]:
    """A server of this module's own, that runs."""
    chosen = load_settings(
        home=tmp_path_factory.mktemp("own"), cache=settings.cache, instance="outbox", embedding={"model": "none"},
        neo4j={"timeout": 1}, server={"heap": "512m", "page_cache": "128m", "bolt_port": 28987, "http_port": 28774},
    )  # fmt: skip
    up(chosen)
    yield chosen
    down(chosen)


def in_order(memory: Memory) -> list[str]:
    """The ids of all that a scope keeps, in the order of their times."""
    found: list[Any] = []
    while page := memory.list(limit=1000, skip=len(found)):
        found += page
    return [stored.id for stored in sorted(found, key=lambda stored: (stored.created_at, stored.id))]


def test_a_server_stopped_during_500_records_has_them_all_once_in_order(own: Settings, tmp_path: Path) -> None:
    given: dict[str, Any] = {"settings": own, "embedder": HashEmbedder(name="hash")}
    at = connection(own)
    more = {"GRAPHMEM_NEO4J__TIMEOUT": "1", "GRAPHMEM_EMBEDDING__MODEL": "none"}
    shell = Inside(environment(own, at, "shell") | more)
    other = AsyncMemory("async", **given)
    with Memory("acme", **given) as memory:
        results, waited = [], []
        answer = None
        for numbers in (range(COUNT // 5), range(COUNT // 5, COUNT * 4 // 5), range(COUNT * 4 // 5, COUNT)):
            results += [memory.record(episode(n)).result for n in numbers]
            waited += asyncio.run(_record(other, numbers[::5]))
            if answer is None:
                answer = memory.recall(episode(0).task)
                down(own)
                late = AsyncMemory("late", **given), Memory("late", user="ann", **given)
            elif memory.waiting().waiting:
                assert memory.feedback(answer, outcome="success", used=["e0000"]).queued
                _commands_while_it_is_away(shell, tmp_path)
                _clients_made_while_it_is_away(*late)
                up(own)
        asyncio.run(other.close())
        _those_clients_when_it_is_back(*late)
        assert results == ["created"] * 100 + ["queued"] * 300 + ["created"] * 100
        assert waited == ["created"] * 20 + ["queued"] * 60 + ["created"] * 20
        expected = [f"e{n:04}" for n in range(COUNT)]
        assert in_order(memory) == expected
        assert memory.get("e0000").successes == 1
    with Memory("async", **given) as look:
        assert in_order(look) == expected[::5]
    _commands_when_it_is_back(shell)


async def _record(memory: AsyncMemory, numbers: range) -> list[str]:
    return [(await memory.record(episode(n))).result for n in numbers]


def _clients_made_while_it_is_away(awaited: AsyncMemory, memory: Memory) -> None:
    for answer in (asyncio.run(awaited.recall("wind the clock")), memory.recall("wind the clock")):
        assert answer.decision == "policy_only"
        assert "the private server 'outbox' does not run; run 'graphmem up'" in answer.reason
    assert asyncio.run(awaited.record(episode(1))).result == "queued"
    assert memory.record(episode(2)).result == "queued"
    with pytest.raises(StoreUnavailable, match="run 'graphmem up'"):
        memory.list()


def _those_clients_when_it_is_back(awaited: AsyncMemory, memory: Memory) -> None:
    assert memory.flush().delivered == 1
    assert memory.record(episode(3)).result == "created"
    assert {stored.id for stored in memory.list()} == {"e0002", "e0003"}
    assert asyncio.run(awaited.record(episode(4))).result == "created"
    assert {stored.id for stored in asyncio.run(awaited.list())} == {"e0001", "e0004"}
    asyncio.run(awaited.close())
    memory.close()


def _commands_while_it_is_away(shell: Inside, tmp_path: Path) -> None:
    file = tmp_path / "many.jsonl"
    file.write_text(
        "".join(json.dumps({"id": f"f{n}", "task": f"task {n}", "outcome": "fail"}) + "\n" for n in range(3))
    )
    one = shell("record", "--task", "wind the clock", "--id", "s1", "--outcome", "success")
    assert (one.code, one.out) == (0, "queued episode s1 (not stored yet)\n")
    assert "waits in the outbox" in one.err
    assert shell("record", "--file", str(file), "--json").json[2]["result"] == "queued"
    told = shell("record", "--file", str(file))
    assert (told.code, told.out) == (0, "3 queued\n")
    assert told.err.count("waits in the outbox") == 1
    said = shell("feedback", "no-such-receipt", "--outcome", "fail")
    assert (said.code, said.out) == (0, "queued: recall no-such-receipt ended with fail\n")
    assert "waits in the outbox" in said.err
    status = shell("status", "--json").json["outbox"]
    assert (status["waiting"], status["dead"], status["problem"]) == (369, 0, "")
    assert {one["target"].partition(":")[0]: one["waiting"] for one in status["targets"]}["bolt"] == 8
    assert "8 wait for bolt://" in shell("status").out
    stays = shell("flush", "--json")
    assert stays.code == 1
    assert json.loads(stays.out)["waiting"] == 8
    assert "nothing answers at" in json.loads(stays.out)["problem"]


def _commands_when_it_is_back(shell: Inside) -> None:
    done = shell("flush")
    assert done.code == 1
    assert done.out.splitlines()[0] == "7 delivered, 3 of them known before; 0 wait, 1 dead letters"
    assert "no receipt no-such-receipt in this scope" in done.out
    assert {memory["id"] for memory in shell("list", "--json").json} == {"s1", "f0", "f1", "f2"}
    sick = shell("doctor", "--json")
    (check,) = [check for check in json.loads(sick.out)["checks"] if check["name"] == "outbox"]
    assert (sick.code, check["ok"]) == (1, False)
    assert shell("flush", "--retry-dead", "--drop-dead").code == 2
    assert shell("flush", "--retry-dead").code == 1
    assert shell("flush", "--drop-dead", "--json").json["dropped"] == 1
    assert shell("flush").code == 0
    (check,) = [check for check in json.loads(shell("doctor", "--json").out)["checks"] if check["name"] == "outbox"]
    assert check["ok"]
