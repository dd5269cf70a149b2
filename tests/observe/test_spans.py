"""Spans of OpenTelemetry: their tree, what they say, and that an error is told by its type alone."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest
from opentelemetry import trace
from opentelemetry.trace import SpanKind, StatusCode

from graphmem import AsyncMemory, Episode, Memory, Settings
from graphmem.embed import Embedder
from graphmem.errors import InvalidInput, NotFound
from graphmem.jobs import centrality
from tests.angles import Angles
from tests.cli.shell import clean, environment
from tests.endpoint import Endpoint, said
from tests.memories import won
from tests.observe.conftest import Kept
from tests.outbox.conftest import here, relay
from tests.outbox.relay import Relay

__all__ = ["here", "relay"]
MODEL = "bge-small-en-v1.5"
TASK = "The nightly job says that the disk is full"


def test_the_tree_of_a_recall(client: Any, spans: Kept, embedder: Embedder) -> None:
    client.record(won("good", TASK))
    answer = client.recall(TASK, receipt=True, trace_id="job-4711")
    name, children = spans.tree("graphmem.recall")
    assert [child for child, _ in children] == [f"embeddings {MODEL}", "recall/hybrid", "transaction"]
    assert [child for child, _ in children[2][1]] == ["record/hold", "correct/receipt"]
    assert name == "graphmem.recall"

    (verb,) = spans.named("graphmem.recall")
    said = dict(verb.attributes or {})
    assert said["graphmem.trace_id"] == "job-4711"
    assert said["graphmem.decision"] == answer.decision.value
    assert said["graphmem.hits"] == len(answer.hits) == 1
    assert said["graphmem.scope"] == client.scope.own
    assert verb.kind is SpanKind.INTERNAL
    assert verb.status.status_code is StatusCode.UNSET
    (asked,) = spans.named("recall/hybrid")
    assert asked.kind is SpanKind.CLIENT
    where = dict(asked.attributes or {})
    assert where["db.system.name"] == "neo4j"
    assert where["db.namespace"] == "neo4j"
    assert where["db.query.summary"] == "recall/hybrid"
    assert where["server.address"] == "127.0.0.1"
    assert where["db.response.returned_rows"] == 1
    assert not any(name.startswith("db.query.") for name in where if name != "db.query.summary")
    embedding = dict(spans.named(f"embeddings {MODEL}")[-1].attributes or {})
    assert embedding == {
        "gen_ai.operation.name": "embeddings", "gen_ai.request.model": MODEL, "graphmem.texts": 1,
    }  # fmt: skip


def test_a_failure_is_told_by_its_type(client: Any, spans: Kept) -> None:
    for verb, kind in (
        (lambda: client.get("no such memory zebra"), NotFound),
        (lambda: client.recall("zebra", limit=0), InvalidInput),
    ):
        with pytest.raises(kind):
            verb()
    for name, kind in (("graphmem.get", "NotFound"), ("graphmem.recall", "InvalidInput")):
        (failed,) = spans.named(name)
        assert failed.status.status_code is StatusCode.ERROR
        assert failed.status.description is None
        assert (failed.attributes or {})["error.type"] == kind
        assert failed.events == ()
        assert "zebra" not in failed.to_json()


def test_a_store_that_is_away(
    here: Settings, relay: Relay, tenant: str, spans: Kept, heard: pytest.LogCaptureFixture, embedder: Embedder
) -> None:
    with Memory(tenant, settings=here, embedder=Angles(embedder.name)) as memory:
        memory.recall("pump north:1")
        relay.cut()
        assert memory.recall("pump north:1").decision == "policy_only"
    (away,) = [one for one in spans.named("recall/hybrid") if one.status.status_code is StatusCode.ERROR]
    assert (away.attributes or {})["error.type"] in ("ServiceUnavailable", "SessionExpired")
    verb = spans.named("graphmem.recall")[-1]
    assert verb.status.status_code is StatusCode.UNSET
    assert (verb.attributes or {})["graphmem.decision"] == "policy_only"


async def test_recalls_at_once_have_trees_of_their_own_below_the_application(
    settings: Settings, tenant: str, embedder: Embedder, spans: Kept
) -> None:
    async with AsyncMemory(tenant, settings=settings, embedder=embedder) as memory:
        await memory.recall(TASK)

        async def handled(number: int) -> None:
            with trace.get_tracer("application").start_as_current_span(f"request {number}"):
                await memory.recall(f"{TASK} {number}", trace_id=f"t{number}")

        await asyncio.gather(*(handled(number) for number in range(4)))
    for number in range(4):
        (request,) = spans.named(f"request {number}")
        _, ((name, children),) = spans.under(request)
        assert name == "graphmem.recall"
        assert [child for child, _ in children][:2] == [f"embeddings {MODEL}", "recall/hybrid"]
        traced = {one.attributes["graphmem.trace_id"] for one in spans.named(name)  # type: ignore[index]
                  if one.parent is not None and one.parent.span_id == request.context.span_id}  # fmt: skip
        assert traced == {f"t{number}"}


def test_a_job_and_its_model(
    settings: Settings, tenant: str, embedder: Embedder, connect: Callable[..., Memory], spans: Kept
) -> None:
    with Endpoint() as endpoint:
        endpoint.play([said({"lessons": []}, tokens=(30, 4))])
        llm = {"model": "small", "base_url": endpoint.address, "api_key": "k", "attempts": 1}
        memory = connect(settings=settings.model_copy(update={"llm": type(settings.llm)(**llm)}))
        memory.record_many(Episode(task=TASK, outcome="success", tags=[str(n)]) for n in range(2))
        done = memory.consolidate()
    (job,) = spans.named("graphmem.consolidate")
    assert (job.attributes or {})["graphmem.episodes"] == done.episodes == 2
    (chat,) = spans.named("chat small")
    assert chat.parent is not None
    assert job.context is not None
    assert chat.parent.span_id == job.context.span_id
    assert chat.kind is SpanKind.CLIENT
    assert dict(chat.attributes or {}) == {
        "gen_ai.operation.name": "chat", "gen_ai.request.model": "small",
        "gen_ai.usage.input_tokens": 30, "gen_ai.usage.output_tokens": 4,
    }  # fmt: skip


def test_the_centrality_job(settings: Settings, memory: Memory, spans: Kept, heard: pytest.LogCaptureFixture) -> None:
    memory.record_many([won("a", "wind the clock"), won("b", "oil the clock")])
    memory.link("a", "b")
    done = centrality(settings, memory.scope)
    (span,) = spans.named("graphmem.centrality")
    assert (span.attributes or {})["graphmem.written"] == done.written == 2
    assert (span.attributes or {})["graphmem.scope"] == memory.scope.own
    inside = [name for _, children in spans.under(span)[1] for name, _ in children]
    assert "jobs/centrality" in inside
    (line,) = [record for record in heard.records if record.levelname == "INFO" and record.name == "graphmem.verbs"]
    assert "graphmem.centrality ended after" in line.getMessage()
    assert " state=done " in line.getMessage()


BLOCKED = """
import sys
class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == "opentelemetry":
            raise ImportError(name)
sys.meta_path.insert(0, Blocked())
"""
RECALL = """
import sys
from graphmem import Episode, Memory
with Memory() as memory:
    memory.record(Episode(task="wind the clock", outcome="success"))
    print(len(memory.recall("wind the clock").hits), sorted(x for x in sys.modules if x.startswith("opentelemetry")))
"""


@pytest.mark.parametrize("before", ["", BLOCKED], ids=["extra installed", "extra missing"])
def test_without_a_tracing_application_nothing_of_it_is_imported(
    settings: Settings, at: Any, tenant: str, before: str
) -> None:
    env = environment(settings, at, tenant) | {"GRAPHMEM_EMBEDDING__MODEL": "none"}
    ran = subprocess.run(
        [sys.executable, "-W", "error", "-c", before + RECALL], env=clean(**env),
        capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "1 []\n", "")
