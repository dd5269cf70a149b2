"""The HTTP server lets nobody in without the token, nor under a name that is not its own."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import httpx2
import pytest

from tests.adapters.serving import TOKEN, listening, over_http, text
from tests.cli.shell import COMMAND, Inside, clean

INITIALIZE = {
    "jsonrpc": "2.0", "id": 1, "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}},
}  # fmt: skip
ACCEPT = {"Accept": "application/json, text/event-stream"}
BEARER = {"Authorization": f"Bearer {TOKEN}"}


def post(address: str, **headers: str) -> httpx2.Response:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return httpx2.post(address, json=INITIALIZE, headers=ACCEPT | named, timeout=30)


async def test_who_may_come_in(env: dict[str, str], tmp_path: Path) -> None:
    named = {"GRAPHMEM_MCP__HOSTS": '["memory.example"]'}
    with listening(env | named, tmp_path / "err", "--log-level", "debug") as served:
        wrong = ("", "Bearer", f"Bearer {TOKEN[:-1]}", f"Bearer {TOKEN}x", f"Basic {TOKEN}", TOKEN, "Bearer é")
        for given in wrong:
            shown: dict[str, Any] = {"Authorization": given.encode()} if given else {}
            answer = post(served.address, **shown)
            assert answer.status_code == 401, given
            assert answer.headers["WWW-Authenticate"].startswith("Bearer")
            assert TOKEN not in answer.text
        for path in ("", "/", "/other"):
            base = served.address.removesuffix("/mcp")
            assert httpx2.get(base + path, timeout=30).status_code == 401
            assert httpx2.get(base + path, headers=BEARER, timeout=30).status_code == 404
        assert post(served.address, **BEARER).status_code == 200
        assert post(served.address, Authorization=f"bearer {TOKEN}").status_code == 200

        for host, code in (("evil.example", 421), ("memory.example", 200), ("localhost:8765", 200)):
            assert post(served.address, **BEARER, Host=host).status_code == code, host
        for origin, code in (
            ("http://evil.example", 403), ("null", 403), ("https://memory.example", 200), ("http://localhost:1", 200),
        ):  # fmt: skip
            assert post(served.address, **BEARER, Origin=origin).status_code == code, origin

        async with over_http(served.address) as one:
            assert "No such memories" in text(await one.call_tool("graphmem_list", {}))
        with pytest.raises(BaseExceptionGroup):
            async with over_http(served.address, token="x" * 40) as one:
                await one.list_tools()
    assert TOKEN not in (tmp_path / "err").read_text()


def test_it_ends_by_a_signal_also_while_a_client_listens(env: dict[str, str], tmp_path: Path) -> None:
    with listening(env, tmp_path / "err") as served, httpx2.Client(headers=ACCEPT | BEARER, timeout=30) as http:
        begun = http.post(served.address, json=INITIALIZE)
        session = {"Mcp-Session-Id": begun.headers["Mcp-Session-Id"], "MCP-Protocol-Version": "2025-06-18"}
        http.post(served.address, json={"jsonrpc": "2.0", "method": "notifications/initialized"}, headers=session)
        with http.stream("GET", served.address, headers=session) as stream:
            assert stream.status_code == 200
            served.process.terminate()
            assert served.process.wait(20) == 0


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({}, "GRAPHMEM_MCP__TOKEN"), ({"GRAPHMEM_MCP__TOKEN": "short"}, "at least 32 characters"),
        ({"GRAPHMEM_MCP__TOKEN": TOKEN, "host": "nowhere.invalid"}, "cannot listen on nowhere.invalid"),
        ({"GRAPHMEM_MCP__TOKEN": TOKEN, "GRAPHMEM_TENANT": ""}, "tenant"),
    ],
)  # fmt: skip
def test_it_refuses_to_start_otherwise(given: dict[str, Any], told: str) -> None:
    env = clean(**{"GRAPHMEM_TENANT": "acme"} | {name: value for name, value in given.items() if name != "host"})
    command = [*COMMAND, "mcp", "--http", "--port", "0", "--host", given.get("host", "127.0.0.1")]
    ran = subprocess.run(command, env=env, capture_output=True, text=True, check=False, timeout=60)
    assert (ran.returncode, ran.stdout) == (1, "")
    assert ran.stderr.count("\n") == 1
    assert told in ran.stderr
    assert "short" not in ran.stderr.replace("shorter", "")


def test_a_host_without_http_is_a_mistake() -> None:
    for option in (["--host", "0.0.0.0"], ["--port", "1"]):
        ran = Inside(clean())("mcp", *option)
        assert ran.code == 2
        assert "--http" in ran.err
