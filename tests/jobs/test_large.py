"""At 50,000 memories in one scope: the job runs to its end, with progress, while recalls go on (-m evaluation)."""

from __future__ import annotations

import json
import math
import random
import statistics
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from graphmem import Memory, Settings
from graphmem.scope import Scope
from graphmem.settings import Connection
from tests.cli.shell import COMMAND, ROOT, environment
from tests.embedders import HashEmbedder
from tests.memories import won

Cypher = Callable[..., list[dict[str, Any]]]
MEMORIES, LINKS, BATCH, SEED = 50_000, 150_000, 1000, 7
RECALLS = 150  # before the job, and again after it
KINDS = ("RELATES", "DERIVES", "GENERALIZES", "CORRECTS")

pytestmark = pytest.mark.evaluation


@pytest.fixture
def large(cypher: Cypher, settings: Settings, tenant: str) -> Iterator[Memory]:
    """A tenant of 50,000 memories with vectors of their own and 150,000 links, some memories having many."""
    source = random.Random(SEED)
    scope = Scope(tenant).shared
    with Memory(tenant, settings=settings, embedder=HashEmbedder(name="bge-small-en-v1.5")) as memory:
        memory.record(won("pattern", "the pattern of all"))
        for start in range(1, MEMORIES, BATCH):
            rows = [
                {"id": _name(number), "text": _words(source, 12), "embedding": _unit(source)}
                for number in range(start, min(MEMORIES, start + BATCH))
            ]
            cypher(
                "MATCH (p:Memory {scope: $s, id: 'pattern'}) UNWIND $rows AS row CREATE (m:Memory:Episode) SET m = "
                "p {.*, id: row.id, content_hash: row.id, text: row.text, label: row.text, embedding: row.embedding}",
                s=scope, rows=rows,
            )  # fmt: skip
        for start in range(0, LINKS, BATCH):
            # The lower a number, the more links a memory has.
            rows = [{"a": source.randrange(MEMORIES), "b": int(MEMORIES * source.random() ** 3)} for _ in range(BATCH)]
            kind = KINDS[start // BATCH % len(KINDS)]
            cypher(
                "UNWIND $rows AS row MATCH (a:Memory {scope: $s, id: row.a}), (b:Memory {scope: $s, id: row.b}) "
                f"CREATE (a)-[:{kind} {{scope: $s}}]->(b)",
                s=scope, rows=[{key: _name(number) for key, number in row.items()} for row in rows],
            )  # fmt: skip
        yield memory
    while cypher(
        "MATCH (m:Memory) WHERE m.scope = $s AND m.id IS NOT NULL WITH m LIMIT 5000 DETACH DELETE m "
        "RETURN count(*) AS gone",
        s=scope,
    )[0]["gone"]:
        pass


def _name(number: int) -> str:
    return f"m{number:06}" if number else "pattern"


def _words(source: random.Random, count: int) -> str:
    return " ".join(f"word{source.randrange(2000)}" for _ in range(count))


def _unit(source: random.Random) -> list[float]:
    vector = [source.gauss(0, 1) for _ in range(384)]
    length = math.sqrt(math.fsum(number * number for number in vector))
    return [number / length for number in vector]


def _timed(memory: Memory, source: random.Random) -> float:
    question = _words(source, 6)
    begun = time.perf_counter()
    answer = memory.recall(question)
    took = 1000 * (time.perf_counter() - begun)
    assert answer.candidates
    return took


def _p95(milliseconds: list[float]) -> float:
    return statistics.quantiles(milliseconds, n=20)[-1]


def test_a_large_job_runs_with_progress_while_recalls_go_on(
    large: Memory, settings: Settings, at: Connection, tenant: str, tmp_path: Path, cypher: Cypher
) -> None:
    source = random.Random(SEED)
    for _ in range(50):
        _timed(large, source)
    alone = [_timed(large, source) for _ in range(RECALLS)]
    env = {**environment(settings, at, tenant), "GRAPHMEM_EMBEDDING__MODEL": "none"}
    out, err = tmp_path / "out", tmp_path / "err"
    begun = time.perf_counter()
    with out.open("wb") as stdout, err.open("wb") as stderr:
        job = subprocess.Popen(
            [*COMMAND, "jobs", "centrality", "--json"], env=env, cwd=ROOT, stdout=stdout, stderr=stderr
        )
        beside = []
        while job.poll() is None:
            beside.append(_timed(large, source))
    took = time.perf_counter() - begun
    assert job.returncode == 0, err.read_text()
    alone += [_timed(large, source) for _ in range(RECALLS)]
    done = json.loads(out.read_text())
    ratio = _p95(beside) / _p95(alone)
    print(
        f"\n{done['nodes']} memories, {done['edges']} links: {took:.0f} s, betweenness from {done['samples']}; "
        f"recall p95 {_p95(alone):.1f} ms alone ({len(alone)}), {_p95(beside):.1f} ms during the job ({len(beside)}), "
        f"ratio {ratio:.2f}; p50 {statistics.median(alone):.1f} and {statistics.median(beside):.1f} ms"
    )
    print(err.read_text())
    assert (done["state"], done["nodes"], done["written"]) == ("done", MEMORIES, MEMORIES)
    (row,) = cypher(
        "MATCH (m:Memory) WHERE m.scope = $s AND m.id IS NOT NULL RETURN count(m.degree) AS degrees, "
        "count(m.betweenness) AS betweennesses, max(m.degree) AS d, max(m.betweenness) AS b, "
        "count(DISTINCT m.centrality_at) AS instants",
        s=Scope(tenant).shared,
    )
    assert row == {"degrees": MEMORIES, "betweennesses": MEMORIES, "d": 1.0, "b": 1.0, "instants": 1}
    assert err.read_text().startswith("graphmem: ")  # it said on the way how far it was
    assert ratio <= 3
