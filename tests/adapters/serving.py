"""`graphmem mcp` as clients have it: a process, over stdio or HTTP, and the SDK's client of it."""

from __future__ import annotations

import json
import subprocess
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2
from mcp.client.client import Client, ConnectMode
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp_types import CallToolResult, TextContent

from tests.cli.shell import COMMAND

TOKEN = "t" * 43
OF_2025 = "http, as clients of 2025"
TRANSPORTS = ("stdio", "http")


@dataclass(frozen=True)
class Served:
    """A server over HTTP: its process and where it listens."""

    process: subprocess.Popen[str]
    address: str


@asynccontextmanager
async def client(transport: str, env: dict[str, str], errors: Path, *more: str) -> AsyncIterator[Client]:
    """The SDK's client of a server in a process of its own, whose stderr goes to a file."""
    if transport == "stdio":
        command, *arguments = COMMAND
        started = StdioServerParameters(command=command, args=[*arguments, "mcp", *more], env=env)
        with errors.open("w") as log:
            async with Client(stdio_client(started, errlog=log)) as one:
                yield one
    else:
        with listening(env, errors, *more) as served:
            async with over_http(served.address, mode="legacy" if transport == OF_2025 else "auto") as one:
                yield one


@asynccontextmanager
async def over_http(address: str, token: str = TOKEN, mode: ConnectMode = "auto") -> AsyncIterator[Client]:
    """The SDK's client of a server that listens."""
    async with (
        httpx2.AsyncClient(headers={"Authorization": f"Bearer {token}"}, timeout=60) as http,
        Client(streamable_http_client(address, http_client=http), mode=mode) as one,
    ):
        yield one


@contextmanager
def listening(env: dict[str, str], errors: Path, *more: str) -> Iterator[Served]:
    """A server over HTTP, on a free port; it is ended by SIGTERM."""
    command = [*COMMAND, "mcp", "--http", "--port", "0", *more]
    process = subprocess.Popen(
        command, env={"GRAPHMEM_MCP__TOKEN": TOKEN} | env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stderr is not None
    said = ""
    for line in process.stderr:
        said += line
        if "serving MCP at " in line:
            break
    else:
        process.communicate(timeout=20)
        raise AssertionError(said)
    log = errors.open("w")
    thread = threading.Thread(target=lambda: log.writelines(process.stderr or ()), daemon=True)
    thread.start()
    try:
        yield Served(process, line.split("serving MCP at ")[1].strip())
    finally:
        process.terminate()
        assert process.stdout is not None
        printed = process.stdout.read()
        code = process.wait(20)
        thread.join(20)
        for stream in (process.stdout, process.stderr, log):
            stream.close()
        assert (code, printed) == (0, "")


def text(result: CallToolResult) -> str:
    """The one text of an answer."""
    (content,) = result.content
    assert isinstance(content, TextContent)
    return content.text


class Raw:
    """A server on stdio that is spoken to line by line, of which every line is kept."""

    def __init__(self, env: dict[str, str], errors: Path, *more: str) -> None:
        self._log = errors.open("wb")
        self.process = subprocess.Popen(
            [*COMMAND, "mcp", *more], env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._log
        )
        self.lines: list[bytes] = []
        self._id = 0

    def __enter__(self) -> Raw:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout, self._log):
            if stream is not None:
                stream.close()

    def initialise(self) -> dict[str, Any]:
        """Shake hands as clients of 2025 do."""
        who = {"name": "test", "version": "1"}
        answer = self.ask("initialize", protocolVersion="2025-06-18", capabilities={}, clientInfo=who)
        self._send({"jsonrpc": "2.0", "method": "notifications/initialized"})
        return answer

    def ask(self, method: str, **params: Any) -> dict[str, Any]:
        """Send a request, and read lines until its answer."""
        self._id += 1
        self._send({"jsonrpc": "2.0", "id": self._id, "method": method, "params": params})
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.lines.append(line)
            said = json.loads(line)
            if said.get("id") == self._id:
                return dict(said)
        raise AssertionError("the server is gone")

    def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """Call a tool."""
        return dict(self.ask("tools/call", name=tool, arguments=arguments)["result"])

    def end(self) -> int:
        """Close the input, read what is left, and wait for the end."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.close()
        self.lines += self.process.stdout.readlines()
        return self.process.wait(20)

    def _send(self, message: dict[str, Any]) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()
