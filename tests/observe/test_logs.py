"""What is logged: verbs with their trace, what an operator has to know, and nothing raw of the driver."""

from __future__ import annotations

import io
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest

from graphmem import Episode, Memory, Settings
from graphmem.cli.logs import show
from graphmem.embed import Embedder, make_embedder
from graphmem.errors import EmbeddingError, StoreUnavailable
from tests.angles import Angles
from tests.cli.shell import Inside, clean, environment
from tests.memories import won
from tests.outbox.conftest import angles as angles
from tests.outbox.conftest import here, make, relay
from tests.outbox.relay import Relay

__all__ = ["here", "make", "relay"]
DRIVERS = """
import sys
from graphmem import Episode, Memory
with Memory() as memory:
    memory.record(Episode(task="wind the clock", outcome="success"))
    print("ready", flush=True)
    sys.stdin.readline()
    answer = memory.recall("wind the clock")
    print(answer.decision, answer.reason)
    print(memory.record(Episode(task="wind the other clock", outcome="success")).result)
    try:
        memory.link("a", "b", kind="similar")
    except Exception as error:
        print(type(error).__name__, error)
"""


def said(caplog: pytest.LogCaptureFixture, part: str) -> list[tuple[str, str, str]]:
    """What one part logged: level, trace id, message."""
    return [
        (record.levelname, record.trace_id, record.getMessage())  # type: ignore[attr-defined]
        for record in caplog.records
        if record.name == f"graphmem.{part}"
    ]


def test_a_verb_its_statement_and_its_embedding_carry_the_trace(client: Any, heard: pytest.LogCaptureFixture) -> None:
    client.record(won("good", "The disk is full", trace_id="attempt-1"))
    client.recall("The disk is full", trace_id="attempt-2")
    answer = client.recall("The disk is full")
    client.feedback(answer, outcome="success", used=["good"])
    by_trace = {trace: [] for trace in ("attempt-1", "attempt-2", answer.id)}
    for record in heard.records:
        if record.name.startswith("graphmem") and record.trace_id in by_trace:
            by_trace[record.trace_id].append(record.getMessage().split(" after ")[0])
    for trace, statement in (
        ("attempt-1", "record/episodes"),
        ("attempt-2", "recall/hybrid"),
        (answer.id, "correct/outcome"),
    ):
        assert f"{statement} ended" in by_trace[trace]
        assert any(line.startswith("embeddings ") for line in by_trace[trace])
    assert "graphmem.record ended" in by_trace["attempt-1"]
    assert "graphmem.recall ended" in by_trace["attempt-2"]
    assert "graphmem.feedback ended" in by_trace[answer.id]
    parts = ("verbs", "store", "embed", "outbox")
    assert {level for part in parts for level, _, _ in said(heard, part)} == {"DEBUG"}
    (ended,) = [line for _, trace, line in said(heard, "verbs") if trace == "attempt-2" and "ended" in line]
    assert f"decision={answer.decision.value} hits=1" in ended


def test_a_trace_id_cannot_forge_a_line(memory: Memory, heard: pytest.LogCaptureFixture) -> None:
    memory.record(Episode(task="x", trace_id="a\nWARNING graphmem: forged", outcome="success"))
    memory.record(Episode(task="y", trace_id="z" * 500, outcome="success"))
    traces = {record.trace_id for record in heard.records if record.name.startswith("graphmem")}
    assert "'a\\nWARNING graphmem: forged'" in traces
    assert all("\n" not in trace and len(trace) < 250 for trace in traces)


def test_a_job_that_ended_is_told_with_its_counts(memory: Memory, heard: pytest.LogCaptureFixture) -> None:
    memory.record(won("good", "The disk is full"))
    memory.consolidate()
    memory.retention()
    jobs = [line for level, _, line in said(heard, "verbs") if level == "INFO"]
    assert [line.split()[0] for line in jobs] == ["graphmem.consolidate", "graphmem.retention"]
    assert " episodes=1 " in jobs[0]


def test_a_store_that_goes_away_and_comes_back(
    make: Callable[..., Memory], relay: Relay, heard: pytest.LogCaptureFixture
) -> None:
    memory = make()
    memory.recall("pump north:1")
    relay.cut()
    for _ in range(2):
        assert memory.recall("pump north:1", trace_id="a-7").decision == "policy_only"
    memory.record(Episode(id="e", task="pump north:0.9", trace_id="a-8", outcome="success"))
    memory.record(Episode(id="e", task="something else", outcome="fail"))
    with pytest.raises(StoreUnavailable):
        memory.link("e", "f")
    relay.mend()
    assert (memory.flush().delivered, memory.waiting().dead) == (1, 1)
    store = [(level, line.split(" (")[0]) for level, _, line in said(heard, "store") if level != "DEBUG"]
    assert store == [("WARNING", "the store at 127.0.0.1 is away"), ("INFO", "the store at 127.0.0.1 answers again")]
    told = "the store is away: a recall is answered policy_only"
    assert said(heard, "verbs").count(("WARNING", "a-7", told)) == 2
    outbox = [(level, line) for level, _, line in said(heard, "outbox")]
    kept = ("WARNING", "kept in the outbox: 1 (the store is away)")
    dead = ("WARNING", "refused for good, now dead letters ('graphmem flush'): 1")
    assert outbox == [kept, kept, ("INFO", "delivered from the outbox: 1"), dead]


class Away(Angles):
    """A model that is not there."""

    def embed(self, texts: Any, kind: Any = "document") -> Any:
        raise EmbeddingError(f"no answer about {texts[0]}")


def test_an_embedding_model_that_is_away(
    connect: Callable[..., Memory], embedder: Embedder, heard: pytest.LogCaptureFixture
) -> None:
    memory = connect(embedder=Away(embedder.name))
    memory.record(Episode(task="zebra", outcome="success", trace_id="a-1"))
    assert memory.recall("zebra").lexical_only
    lines = [one for one in said(heard, "embed") if one[0] == "WARNING"]
    assert lines[0] == ("WARNING", "a-1", f"the embedding model {embedder.name} is away (EmbeddingError)")
    assert len(lines) == 2
    assert "zebra" not in heard.text


def test_nothing_of_the_driver_reaches_stderr_when_the_server_goes_away_under_an_open_client(
    here: Settings, at: Any, relay: Relay, tenant: str
) -> None:
    env = environment(here, at, tenant) | {
        "GRAPHMEM_EMBEDDING__MODEL": "none",
        "GRAPHMEM_NEO4J__URI": f"neo4j://127.0.0.1:{relay.port}",
        "GRAPHMEM_NEO4J__TIMEOUT": "2",
        "GRAPHMEM_HOME": str(here.home),
    }
    process = subprocess.Popen(
        [sys.executable, "-c", DRIVERS], env=clean(**env), text=True,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    relay.cut()
    out, err = process.communicate("\n", timeout=120)
    recalled, recorded, linked = out.splitlines()
    assert recalled.startswith("policy_only the memory is away: ")
    assert recorded == "queued"
    assert linked.startswith("StoreUnavailable ")
    assert err == ""


def test_what_a_server_logs_is_graphmems_and_others_warnings() -> None:
    program = """
import logging
from graphmem.adapters.streams import log_to_stderr
from graphmem.settings import Settings
from graphmem.telemetry import logger
log_to_stderr("debug", Settings())
logger("store").debug("ours in detail")
for name in ("neo4j.io", "neo4j.session", "neo4j.pool", "neo4j.notifications", "mcp.server", "openai"):
    logging.getLogger(name).debug("a request with what is stored")
    logging.getLogger(name).warning("from %s", name)
"""
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    told = [line.split(" ", 2)[2] for line in ran.stderr.splitlines()]
    assert told == [
        "DEBUG graphmem.store: ours in detail",
        "WARNING neo4j.notifications: from neo4j.notifications",
        "WARNING mcp.server: from mcp.server",
        "WARNING openai: from openai",
    ]


def test_the_library_configures_no_handler() -> None:
    program = (
        "import logging; from graphmem import Memory; import graphmem.memory, graphmem.store.driver; "
        "print([type(one).__name__ for name in ('', 'graphmem', 'neo4j') for one in logging.getLogger(name).handlers])"
    )
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "['NullHandler', 'NullHandler']"


def test_the_command_line_logs_when_it_is_asked_to(
    settings: Settings, at: Any, tenant: str, heard: pytest.LogCaptureFixture
) -> None:
    shell = Inside(environment(settings, at, tenant) | {"GRAPHMEM_EMBEDDING__MODEL": "none"})
    shell("record", "--task", "wind the clock for ada@example.org", "--outcome", "success", "--id", "a1")
    assert shell("get", "a1").err == ""
    assert "graphmem.verbs" not in shell("--verbose", "get", "a1").err
    detailed = shell("-vv", "recall", "wind the clock").err.splitlines()
    assert any(" DEBUG graphmem.verbs [" in line and "graphmem.recall ended after" in line for line in detailed)
    assert not any("wind" in line or "clock" in line for line in detailed)
    told = shell("consolidate", GRAPHMEM_LOG="Info").err
    assert " INFO graphmem.verbs: graphmem.consolidate ended after" in told
    assert "DEBUG" not in told
    assert shell("list").err == ""
    assert "GRAPHMEM_LOG" in shell("list", GRAPHMEM_LOG="loud").refusal


class Terminal(io.StringIO):
    """A stream that a person looks at."""

    def isatty(self) -> bool:
        return True


def test_what_takes_long_is_said(
    settings: Settings, heard: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("graphmem.telemetry.records.SLOW", 0.0)
    monkeypatch.setattr(sys, "stderr", Terminal())
    hide = show(0)
    loading = make_embedder(settings)
    assert loading is not None
    for text in ("a clock", "another clock"):
        loading.embed([text], "query")
    hide()
    doing = "the embedding model is being loaded, the first time downloaded too"
    assert said(heard, "wait") == [("INFO", "-", doing)]
    assert sys.stderr.getvalue() == f"graphmem: {doing} …\n"  # type: ignore[attr-defined]
