"""A real client of the MCP server, over both transports: it lists and calls every tool, many at once, while the store
comes and goes."""

from __future__ import annotations

import asyncio
import json
import logging
import re
import signal
import sys
from pathlib import Path
from typing import Any

import pytest
from mcp.client.client import Client
from mcp.shared.exceptions import MCPError

from graphmem import Memory, Settings, Status
from graphmem.adapters.streams import Redacted
from graphmem.adapters.table import TOOLS
from graphmem.redact import make_redactor
from tests.adapters.serving import OF_2025, TRANSPORTS, Raw, client, text
from tests.outbox.relay import Relay

TASK = "Nightly job fails with 'disk full' on the staging volume"
ETL = {
    "id": "etl-7", "task": TASK, "outcome": "success", "evidence": "job 4711 finished",
    "trajectory": [{"action": "vacuum the staging schema", "observation": "41 GB freed"}],
}  # fmt: skip


async def tried(one: Client, tool: str, **arguments: Any) -> str:
    """What a call says that has to go well."""
    answer = await one.call_tool(tool, arguments)
    assert not answer.is_error, text(answer)
    assert answer.structured_content is None
    return text(answer)


@pytest.mark.parametrize("transport", [*TRANSPORTS, OF_2025])
async def test_a_client_lists_and_calls_every_tool(
    transport: str, env: dict[str, str], memory: Memory, tmp_path: Path
) -> None:
    async with client(transport, env, tmp_path / "err") as one:
        assert (one.protocol_version < "2026") == (transport == OF_2025)
        assert one.instructions is not None
        assert "graphmem_recall" in one.instructions
        listed = (await one.list_tools()).tools
        assert {tool.name for tool in listed} == {tool.name for tool in TOOLS}
        for tool in listed:
            assert tool.description
            assert tool.input_schema["additionalProperties"] is False
            assert all(field.get("description") for field in tool.input_schema["properties"].values())
        reading = {tool.name for tool in listed if tool.annotations and tool.annotations.read_only_hint}
        assert reading == {"graphmem_recall", "graphmem_get", "graphmem_list", "graphmem_history"}

        assert "episode etl-7: recorded" in await tried(one, "graphmem_record", **ETL)
        assert "nothing changed" in await tried(one, "graphmem_record", **ETL)
        wrong = {**ETL, "id": "etl-8", "outcome": "fail", "failure_reason": "it filled up again", "trajectory": None}
        await tried(one, "graphmem_record", **wrong)
        said = await tried(one, "graphmem_recall", text="the nightly job says the disk is full")
        assert '<memory id="etl-7" kind="episode" outcome="success"' in said
        (recall_id,) = re.findall(r"^recall_id: (\S+)$", said, re.MULTILINE)
        noted = await tried(one, "graphmem_feedback", recall_id=recall_id, outcome="success", used=["etl-7"])
        assert "used: etl-7" in noted
        assert memory.get("etl-7").successes == 1
        await tried(one, "graphmem_correct", wrong="etl-8", right="etl-7", reason="vacuum first")
        (correction,) = memory.history("etl-8").corrected_by
        assert (correction.id, correction.by, correction.everywhere) == ("etl-7", "model", True)
        got = await tried(one, "graphmem_get", id="etl-7")
        assert 'status="active"' in got
        assert "vacuum the staging schema -\\u003e 41 GB freed" in got
        listing = await tried(one, "graphmem_list", outcome="fail")
        assert 'id="etl-8"' in listing
        assert 'id="etl-7"' not in listing
        life = await tried(one, "graphmem_history", id="etl-8")
        assert 'corrected by: <memory id="etl-7"' in life
        assert 'reason="vacuum first"' in life


@pytest.mark.parametrize("transport", TRANSPORTS)
async def test_a_novel_question_is_answered_with_its_budget_and_its_receipt(
    transport: str, env: dict[str, str], memory: Memory, tmp_path: Path
) -> None:
    async with client(transport, env, tmp_path / "err") as one:
        said = await tried(one, "graphmem_recall", text="paint the fence")
        assert "Decision: novel" in said
        assert "At most 3 attempts without memory" in said
        (recall_id,) = re.findall(r"^recall_id: (\S+)$", said, re.MULTILINE)
        await tried(one, "graphmem_feedback", recall_id=recall_id, outcome="fail", evidence="it rained")
        with pytest.raises(MCPError, match="no tool 'graphmem_erase'"):
            await one.call_tool("graphmem_erase", {"everything": True})


@pytest.mark.parametrize("transport", TRANSPORTS)
async def test_what_has_no_outcome_waits_for_a_person(
    transport: str, env: dict[str, str], memory: Memory, tmp_path: Path
) -> None:
    async with client(transport, env, tmp_path / "err") as one:
        said = await tried(one, "graphmem_record", id="e", task=TASK)
        assert "not recalled" in said
        assert "Decision: novel" in await tried(one, "graphmem_recall", text=TASK)
    assert memory.get("e").status is Status.AUDIT


@pytest.mark.parametrize("transport", TRANSPORTS)
async def test_many_calls_at_once(transport: str, env: dict[str, str], memory: Memory, tmp_path: Path) -> None:
    async with client(transport, env, tmp_path / "err") as one:
        await asyncio.gather(*(tried(one, "graphmem_record", **{**ETL, "id": f"e{n}"}) for n in range(8)))
        said = await asyncio.gather(*(tried(one, "graphmem_get", id=f"e{n}") for n in range(8)))
    assert [re.findall(r'<memory id="(e\d)"', one) for one in said] == [[f"e{n}"] for n in range(8)]
    assert {stored.id for stored in memory.list()} == {f"e{n}" for n in range(8)}


async def back(one: Client, tool: str, **arguments: Any) -> str:
    """What a call says once the store is reached again."""
    for _ in range(40):
        answer = await one.call_tool(tool, arguments)
        if not answer.is_error:
            return text(answer)
        await asyncio.sleep(0.25)
    raise AssertionError(text(answer))


@pytest.mark.parametrize("transport", TRANSPORTS)
async def test_the_store_may_be_away_at_the_start_and_go_and_come_back(
    transport: str, relayed: dict[str, str], relay: Relay, memory: Memory, tmp_path: Path
) -> None:
    relay.cut()
    async with client(transport, relayed, tmp_path / "err") as one:
        assert len((await one.list_tools()).tools) == len(TOOLS)
        for _ in range(2):
            answer = await one.call_tool("graphmem_get", {"id": "etl-7"})
            assert answer.is_error
            assert "nothing answers at" in text(answer)
            answer = await one.call_tool("graphmem_recall", {"text": TASK})
            assert answer.is_error
            assert "policy_only" in text(answer)
            assert "recall_id" not in text(answer)
            assert "outbox" in await tried(one, "graphmem_record", **ETL)
            relay.mend()
            assert "vacuum" in await back(one, "graphmem_get", id="etl-7")
            assert "Decision: use" in await back(one, "graphmem_recall", text=TASK)
            relay.cut()
    relay.mend()
    assert [stored.id for stored in memory.list()] == ["etl-7"], "what waited was delivered, once"


@pytest.mark.parametrize("way", ["end of input", "SIGTERM", "SIGINT", "reader gone"])
def test_it_ends_with_its_client(way: str, env: dict[str, str], tmp_path: Path) -> None:
    with Raw(env, tmp_path / "err") as raw:
        raw.initialise()
        assert raw.call("graphmem_list")["isError"] is False
        if way == "end of input":
            assert raw.end() == 0
        elif way == "reader gone":
            assert raw.process.stdout is not None
            raw.process.stdout.close()
            with pytest.raises(ValueError, match="closed"):
                raw.call("graphmem_list")
            assert raw.process.wait(20) == 0
        else:
            raw.process.send_signal(signal.Signals[way])
            assert raw.process.wait(20) == (0 if way == "SIGTERM" else 130)
    assert (tmp_path / "err").read_text() == ""


@pytest.mark.parametrize("transport", TRANSPORTS)
async def test_what_is_logged_is_redacted(transport: str, env: dict[str, str], memory: Memory, tmp_path: Path) -> None:
    async with client(transport, env, tmp_path / "err", "--log-level", "debug") as one:
        await tried(one, "graphmem_record", id="e", task="Write to ada.lovelace@example.org about the boiler")
        await one.call_tool("graphmem_get", {"id": "ada.lovelace@example.org"})
    assert memory.get("e").memory.label() == "Write to [email] about the boiler"
    logged = (tmp_path / "err").read_text("utf-8")
    assert "DEBUG" in logged
    assert "ada.lovelace" not in logged


def test_a_traceback_in_the_log_is_redacted_too(settings: Settings) -> None:
    try:
        raise ValueError("ada.lovelace@example.org")
    except ValueError:
        record = logging.LogRecord("x", logging.ERROR, "x", 1, "by %s", ("ada.lovelace@example.org",), sys.exc_info())
    line = Redacted(make_redactor(settings)).format(record)
    assert "ERROR x: by [email]\nTraceback" in line
    assert "lovelace" not in line


async def test_it_may_be_started_before_the_private_server_and_outlives_its_address(
    env: dict[str, str], relay: Relay, tmp_path: Path
) -> None:
    homeless = {name: value for name, value in env.items() if not name.startswith("GRAPHMEM_NEO4J__")}
    written = tmp_path / "home" / "instances" / "default" / "connection.json"
    written.parent.mkdir(parents=True)
    known = {name: env[f"GRAPHMEM_NEO4J__{name.upper()}"] for name in ("uri", "user", "password")}
    patient = {"GRAPHMEM_HOME": str(tmp_path / "home"), "GRAPHMEM_NEO4J__TIMEOUT": "1"}
    async with client("stdio", homeless | patient, tmp_path / "err") as one:
        answer = await one.call_tool("graphmem_list", {})
        assert answer.is_error
        assert "run 'graphmem up'" in text(answer)
        relay.cut()
        written.write_text(json.dumps({**known, "uri": f"bolt://127.0.0.1:{relay.port}"}))
        assert "nothing answers" in text(await one.call_tool("graphmem_list", {}))
        written.write_text(json.dumps(known))
        assert "No such memories" in await tried(one, "graphmem_list")
        written.unlink()
        assert "No such memories" in await tried(one, "graphmem_list"), "nobody asks for the file of a server in use"
