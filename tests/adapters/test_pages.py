"""What the guide shows of MCP, of the OpenAI Agents SDK and of plain tools runs as it stands there."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client

from graphmem import Memory
from graphmem.adapters.table import TOOLS
from graphmem.cli.mcp import PORT
from tests.adapters.serving import TOKEN, listening, text
from tests.endpoint import Answer, Asked, Endpoint, said
from tests.memories import won

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "adapters.md").read_text("utf-8")
TASK = "The nightly job says the disk is full"


def example(section: str, language: str, number: int = 0) -> str:
    """A fenced block of a section."""
    body = PAGE.partition(f"\n## {section}\n")[2].partition("\n## ")[0]
    return str(re.findall(rf"```{language}\n(.*?)```", body, re.DOTALL)[number])


def served(number: int) -> dict[str, Any]:
    return dict(json.loads(example("MCP", "json", number))["mcpServers"]["graphmem"])


async def test_the_configuration_of_a_client_starts_the_server(
    env: dict[str, str], tenant: str, memory: Memory, tmp_path: Path
) -> None:
    config = served(0)
    (tmp_path / config["command"]).write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m graphmem "$@"\n')
    (tmp_path / config["command"]).chmod(0o755)
    whose = {**config["env"], "GRAPHMEM_TENANT": tenant}
    started = StdioServerParameters(
        command=str(tmp_path / config["command"]), args=config["args"], env={**env, **whose}
    )
    memory.record(won("good", TASK))
    with (tmp_path / "err").open("w") as log:
        async with Client(stdio_client(started, errlog=log)) as one:
            assert 'id="good"' in text(await one.call_tool("graphmem_recall", {"text": TASK}))
            await one.call_tool("graphmem_record", {"id": "mine", "task": TASK})
    assert config["env"]["GRAPHMEM_TENANT"] == "acme"
    assert [stored.id for stored in memory.list()] == ["good"], "what a user's server records is the user's"


async def test_the_configuration_of_a_client_reaches_the_server(env: dict[str, str], tmp_path: Path) -> None:
    import httpx2

    config = served(1)
    headers = {name: value.replace("${GRAPHMEM_MCP__TOKEN}", TOKEN) for name, value in config["headers"].items()}
    with listening(env, tmp_path / "err") as running:
        found = running.address.replace(f":{running.address.rsplit(':', 1)[1].split('/')[0]}/", f":{PORT}/")
        assert config["url"] == found
        async with (
            httpx2.AsyncClient(headers=headers, timeout=60) as http,
            Client(streamable_http_client(running.address, http_client=http)) as one,
        ):
            assert len((await one.list_tools()).tools) == len(TOOLS)


def scripted(asked: Asked) -> Answer:
    """A model that recalls once, and answers with what it was told."""
    results = [message["content"] for message in asked.body["messages"] if message["role"] == "tool"]
    if results:
        return said(f"told: {results[-1]}")
    answer = said(None, finish="tool_calls")
    function = {"name": "graphmem_recall", "arguments": json.dumps({"text": asked.user})}
    answer.body["choices"][0]["message"]["tool_calls"] = [{"id": "c1", "type": "function", "function": function}]
    return answer


PREPARED = {
    "OpenAI Agents": "from agents import set_default_openai_api\nset_default_openai_api('chat_completions')\n",
    "Plain tools": "",
}


@pytest.mark.parametrize("section", PREPARED)
def test_an_example_recalls_what_was_recorded(section: str, env: dict[str, str], tenant: str, memory: Memory) -> None:
    memory.record(won("good", TASK))
    shown = example(section, "python")
    assert len(shown.splitlines()) <= 14
    program = PREPARED[section] + shown.replace('tenant="acme"', f"tenant={tenant!r}")
    with Endpoint(scripted) as endpoint:
        ran = subprocess.run(
            [sys.executable, "-W", "error", "-c", program],
            env=env | {
                "OPENAI_BASE_URL": f"{endpoint.address}/v1", "OPENAI_API_KEY": "none",
                "OPENAI_AGENTS_DISABLE_TRACING": "1",
            },
            capture_output=True, text=True, check=False, timeout=240,
        )  # fmt: skip
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.startswith("told: Recalled experience.")
    assert '<memory id="good" kind="episode"' in ran.stdout
    offered = {tool["function"]["name"] for tool in endpoint.chats[0].body["tools"]}
    assert offered == {tool.name for tool in TOOLS}


def test_the_guide_names_every_tool() -> None:
    assert {*re.findall(r"`(graphmem_\w+)`", PAGE)} >= {tool.name for tool in TOOLS}
