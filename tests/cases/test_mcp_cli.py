"""The MCP server with clients that send what they should not, and with a standard output that others write to."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from mcp.client.client import Client

from graphmem import Memory, Settings
from graphmem.settings import Connection
from tests.adapters.serving import TRANSPORTS, Raw, client, text
from tests.cli.shell import ROOT, environment
from tests.memories import won
from tests.outbox.relay import Relay


@pytest.fixture
def env(settings: Settings, at: Connection, tenant: str, tmp_path: Path) -> dict[str, str]:
    """The environment of a server of this test's tenant, with an outbox of its own."""
    return environment(settings, at, tenant) | {"GRAPHMEM_OUTBOX__PATH": str(tmp_path / "outbox.sqlite")}


@pytest.fixture
def relay(at: Connection) -> Iterator[Relay]:
    """A way to the store that can be cut."""
    parts = urlsplit(at.uri)
    assert parts.hostname is not None
    assert parts.port is not None
    made = Relay((parts.hostname, parts.port))
    yield made
    made.cut()


# GM-BUG-44
@pytest.mark.parametrize("transport", TRANSPORTS)
async def test_text_forms_are_understood_or_refused_by_name(
    transport: str, env: dict[str, str], memory: Memory, tenant: str, tmp_path: Path
) -> None:
    for n in range(7):
        memory.record(won(f"both{n}", f"Descale boiler {n}", tags=["ops", "db"]))
    memory.record(won("one", "Descale the boiler", tags=["ops"]))
    memory.record(won("none", "Descale a boiler"))
    async with client(transport, env, tmp_path / "err") as one:

        async def recalled(**given: Any) -> list[str]:
            answer = await one.call_tool("graphmem_recall", {"text": "descale the boiler", **given})
            assert not answer.is_error, text(answer)
            return re.findall(r'<memory id="(\w+)"', text(answer))

        assert {*await recalled(tags='["ops","db"]', limit=20)} == {f"both{n}" for n in range(7)}
        assert {*await recalled(tags="ops", limit="20")} == {*(f"both{n}" for n in range(7)), "one"}
        assert len(await recalled(limit="5")) == 5
        for same in ({"tenant": None}, {}, {"tenant": tenant}):
            assert len(await recalled(limit=20, **same)) == 9
        said = {"task": "Clean the frother", "outcome": "success", "tags": '["a","b"]', "metadata": '{"a":1}'}
        assert not (await one.call_tool("graphmem_record", {**said, "id": "new", "tenant": None})).is_error
        assert not (await one.call_tool("graphmem_record", {**said, "id": "other", "tags": "a"})).is_error
        assert memory.get("new").memory.metadata == {"a": 1}
        assert (memory.get("new").memory.tags, memory.get("other").memory.tags) == (("a", "b"), ("a",))

        before = memory.list(limit=100)
        for tool, field, value in (
            ("recall", "limit", -1), ("recall", "limit", 1_000_000), ("recall", "limit", "-1"),
            ("recall", "limit", "many"), ("recall", "tags", "ops, db"), ("recall", "tags", '["ops"'),
            ("recall", "tags", [1]), ("recall", "tags", ""), ("recall", "tag", "ops"), ("recall", "where", "1=1"),
            ("recall", "tenant", "other"), ("record", "tenant", "other"), ("record", "metadata", "a=1"),
            ("record", "metadata", '["a"]'), ("record", "tags", {"a": 1}), ("record", "colour", "red"),
            ("list", "limit", 1_000_000), ("list", "limit", -1), ("list", "user", "u7"),
        ):  # fmt: skip
            needed = {"recall": {"text": "descale"}, "record": {"task": "Paint"}}.get(tool, {})
            answer = await one.call_tool(f"graphmem_{tool}", {**needed, field: value})
            assert answer.is_error, (tool, field, value)
            told = text(answer)
            assert re.match(rf"Error: '?{field}\b", told), told
            assert "\n" not in told
            assert len(told) < 300
            assert "boiler" not in told
        assert memory.list(limit=100) == before
        await published(one)


async def published(one: Client) -> None:
    """What the schema of recall and record says of types and bounds."""
    schemas = {tool.name: tool.input_schema["properties"] for tool in (await one.list_tools()).tools}
    limit = schemas["graphmem_recall"]["limit"]["anyOf"][0]
    assert (limit["type"], limit["minimum"], limit["maximum"]) == ("integer", 1, 20)
    for name in ("graphmem_recall", "graphmem_record"):
        tags = schemas[name]["tags"]["anyOf"][0]
        assert (tags["type"], tags["items"]["type"], tags["maxItems"]) == ("array", "string", 20)
    assert schemas["graphmem_record"]["metadata"]["anyOf"][0]["type"] == "object"
    assert schemas["graphmem_record"]["outcome"]["anyOf"][0]["enum"] == ["success", "mixed", "fail", "unknown"]


NOISE = """
import atexit, os, subprocess, sys, threading

WATCHED = {"mcp", "neo4j", "onnxruntime", "graphmem.store.driver", "tokenizers"}

def noise(what):
    print("noise:", what)
    os.write(1, b"noise on the descriptor\\n")
    subprocess.run(["echo", "noise of a child"], check=True)

class Noisy:
    def find_spec(self, name, path=None, target=None):
        if name in WATCHED:
            WATCHED.discard(name)
            noise(name)

if sys.argv[:1] == ["-m"]:
    sys.meta_path.insert(0, Noisy())
    atexit.register(noise, "the end")
"""
"""What a chatty dependency writes to standard output: when it is imported, as a child, at the end."""


# GM-BUG-45
@pytest.mark.parametrize("level", ["debug", "warning"])
def test_nothing_but_protocol_is_on_standard_output(
    level: str, env: dict[str, str], relay: Relay, memory: Memory, tmp_path: Path
) -> None:
    (tmp_path / "sitecustomize.py").write_text(NOISE)
    memory.record(won("good"))
    relay.cut()
    noisy = env | {
        "GRAPHMEM_NEO4J__URI": f"bolt://127.0.0.1:{relay.port}",
        "GRAPHMEM_NEO4J__TIMEOUT": "1",
        "PYTHONPATH": f"{tmp_path}:{ROOT}",
        "PYTHONWARNINGS": "always",
        "PYTHONASYNCIODEBUG": "1",
    }
    with Raw(noisy, tmp_path / "err", "--log-level", level) as raw:
        assert raw.initialise()["result"]["serverInfo"]["name"] == "graphmem"
        assert len(raw.ask("tools/list")["result"]["tools"]) > 0
        away = raw.call("graphmem_get", id="good")
        assert away["isError"]
        assert "nothing answers at" in away["content"][0]["text"]
        assert raw.call("graphmem_recall", text="descale the boiler")["isError"]
        relay.mend()
        for _ in range(60):
            answer = raw.call("graphmem_get", id="good")
            if not answer["isError"]:
                break
            time.sleep(0.25)
        assert not answer["isError"], answer
        assert 'id="good"' in raw.call("graphmem_recall", text="descale the boiler")["content"][0]["text"]
        assert raw.call("graphmem_get", id="none")["isError"]
        assert raw.call("graphmem_recall", text="descale", limit=-1)["isError"]
        assert raw.ask("tools/call", name="none", arguments={})["error"]["code"] == -32602
        assert raw.end() == 0
    assert len(raw.lines) >= 9
    for line in raw.lines:
        said = json.loads(line)
        assert said["jsonrpc"] == "2.0"
        assert {"result", "error", "method"} & {*said}
    told = (tmp_path / "err").read_text("utf-8")
    for noise in ("noise: mcp", "noise: neo4j", "noise: the end", "noise on the descriptor", "noise of a child"):
        assert noise in told
    assert ("DEBUG graphmem." in told) == (level == "debug")
