"""With a `neo4j://` address: what is sent to readers, what to the writer, and that a client sees its own writes.

Read off the driver's own record of its messages, since one server is every member of its cluster.
"""

from __future__ import annotations

import ast
import logging
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from graphmem import AsyncMemory, Episode, Memory, Settings
from graphmem.settings import Connection
from tests.conftest import Driven
from tests.embedders import HashEmbedder

_BEGUN = re.compile(r"C: BEGIN (\{.*\})$")
_RAN = re.compile(r"""C: RUN ["']// name: (\S+?)\\n.* (\{[^{}]*\})$""", re.DOTALL)
_DONE = re.compile(r"S: SUCCESS \{'bookmark': '([^']+)'|S: SUCCESS \{.*'bookmark': '([^']+)'")


@dataclass(frozen=True)
class Sent:
    """A statement, or the beginning of a transaction, as it left for the server, and the newest bookmark before it."""

    name: str
    reads: bool
    bookmarks: tuple[str, ...]
    newest: str


def sent(caplog: pytest.LogCaptureFixture) -> list[Sent]:
    """What was sent, with the parts that route it."""
    found, newest = [], ""
    for record in caplog.records:
        line = record.getMessage()
        ran, begun, done = _RAN.search(line), _BEGUN.search(line), _DONE.search(line)
        if done:
            newest = done[1] or done[2]
        elif begun or (ran and ran[2] != "{}"):
            told: dict[str, Any] = ast.literal_eval(begun[1] if begun else ran[2])  # type: ignore[index]
            name = ran[1] if ran else "transaction"
            found.append(Sent(name, told.get("mode") == "r", tuple(told.get("bookmarks", ())), newest))
    return found


@pytest.fixture(params=["sync", "async"])
def routed(request: pytest.FixtureRequest, settings: Settings, at: Connection, tenant: str) -> Iterator[Any]:
    """A client that asks a cluster where to go."""
    uri = at.uri.replace("bolt://", "neo4j://")
    there = settings.neo4j.model_copy(update={"uri": uri, "user": at.user, "password": at.password})
    kind = Memory if request.param == "sync" else AsyncMemory
    made = kind(
        tenant, settings=settings.model_copy(update={"neo4j": there}), embedder=HashEmbedder(name="bge-small-en-v1.5")
    )
    driven = made if isinstance(made, Memory) else Driven(made)
    yield driven
    driven.close()


def test_reads_go_to_readers_and_see_what_the_client_wrote(routed: Any, caplog: pytest.LogCaptureFixture) -> None:
    routed.init()
    caplog.set_level(logging.DEBUG, "neo4j.io")
    routed.record(Episode(id="e1", task="Wind the clock", outcome="success"))
    assert [hit.id for hit in routed.recall("Wind the clock").candidates] == ["e1"]
    routed.get("e1")
    routed.list()
    routed.metrics()
    routed.history("e1")
    messages = sent(caplog)
    assert [one.reads for one in messages if one.name == "transaction"] == [False], (
        "what is recorded goes to the writer"
    )
    reads = [one for one in messages if one.name != "transaction"]
    assert {"recall/hybrid", "govern/get", "govern/list"} <= {one.name for one in reads}
    assert all(one.reads for one in reads)
    # The driver hands on what it was last told, so a reader that is behind waits until it has that.
    assert all(one.bookmarks == (one.newest,) for one in reads if one.newest)
    assert {one.name for one in reads if one.newest} >= {"recall/hybrid", "govern/list"}


def test_two_clients_do_not_share_their_bookmarks(
    routed: Any, caplog: pytest.LogCaptureFixture, memory: Memory
) -> None:
    memory.init()
    caplog.set_level(logging.DEBUG, "neo4j.io")
    memory.record(Episode(id="e1", task="Wind the clock", outcome="success"))
    written = sent(caplog)
    caplog.clear()
    routed.get("e1")
    first = sent(caplog)[0]
    assert written[-1].bookmarks, "a client goes by its own"
    assert first.bookmarks == ()
