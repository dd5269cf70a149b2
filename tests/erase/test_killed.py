"""An erasure in a process of its own that is killed midway: run again, it completes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

import pytest

from graphmem import Memory, Settings
from graphmem.embed import Embedder
from graphmem.errors import NotFound, StoreUnavailable
from tests.erase.test_id import lived
from tests.memories import won

Cypher = Callable[..., list[dict[str, Any]]]
PROGRAM = """
import sys
from graphmem import Memory
from graphmem.settings import load_settings
from tests.angles import Angles

settings = load_settings(home=sys.argv[1], instance="tests")
with Memory(sys.argv[2], settings=settings, embedder=Angles(sys.argv[3])) as memory:
    done = memory.erase(subject="Eve", progress=lambda doing, done, whole: print(doing, done, flush=True))
"""


def test_kill_9_in_the_middle_and_run_again(
    settings: Settings, tenant: str, embedder: Embedder, make: Callable[..., Memory], cypher: Cypher, request: Any
) -> None:
    memory = make()
    memory.record_many([won(f"e{n}", f"pump {n} north:0.9", subject="Eve", trace_id=f"t{n}") for n in range(400)])
    memory.record_many([lived(n) for n in range(4)])
    memory.consolidate()
    for n in range(5):
        memory.recall(f"pump {n} north:1", receipt=True)
    command = [sys.executable, "-c", PROGRAM, str(settings.home), tenant, embedder.name]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=request.config.rootpath) as process:
        assert process.stdout is not None
        assert process.stdout.readline().split()[0] == "erasing"
        os.kill(process.pid, signal.SIGKILL)
        process.wait(60)
    _settled(cypher, tenant)
    left = len([one for one in memory.list(kind="episode", limit=1000) if one.memory.subject])
    assert 0 < left < 400
    assert memory.check() == ()
    states = (
        "MATCH (j:Job {tenant: $t, kind: 'erasure'}) RETURN j.state AS state, j.episodes AS n ORDER BY j.started_at"
    )
    assert cypher(states, t=tenant) == [{"state": "running", "n": None}]
    assert memory.erase(subject="Eve").episodes == left
    assert {one.id for one in memory.list(kind="episode", limit=1000)} == {f"boiler-{n}" for n in range(4)}
    assert memory.check() == ()
    assert memory.consolidate().failed == 0
    assert [one.status for one in memory.list(kind="skill")] == ["active"]
    with pytest.raises(NotFound):
        memory.erase(subject="Eve")


def _settled(cypher: Cypher, tenant: str) -> None:
    """Wait until the server has ended what the killed process had begun."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        rows = cypher("SHOW TRANSACTIONS YIELD currentQuery RETURN currentQuery AS text")
        if not any("erase/" in row["text"] and "SHOW" not in row["text"] for row in rows):
            return
        time.sleep(0.1)
    raise AssertionError("the server did not end it")


def test_stopped_between_what_is_erased_and_what_is_counted_nothing_is_counted_wrong(
    make: Callable[..., Memory], cypher: Cypher, tenant: str, monkeypatch: pytest.MonkeyPatch, clock: Any
) -> None:
    """The skill is a candidate until somebody counts: a later consolidation does."""
    memory = make()
    memory.record_many([lived(n) for n in range(5)])
    memory.consolidate()
    answer = memory._answer

    def stop(step: Any) -> Any:
        if any(call.statement.name == "learn/proven" for call in getattr(step, "calls", ())):
            raise StoreUnavailable("gone")
        return answer(step)

    monkeypatch.setattr(memory, "_answer", stop)
    with pytest.raises(StoreUnavailable):
        memory.erase(id="boiler-1")
    monkeypatch.setattr(memory, "_answer", answer)
    skill = "MATCH (s:Skill {tenant: $t}) RETURN s.status AS status, s.support AS support"
    assert cypher(skill, t=tenant) == [{"status": "candidate", "support": None}]
    assert memory.check() == ()
    clock.now = clock.now.replace(hour=13)
    memory.consolidate()
    assert cypher(skill, t=tenant) == [{"status": "active", "support": 4}]


def test_a_transaction_that_is_retried_after_its_commit_is_told_once(
    make: Callable[..., Memory], cypher: Cypher, tenant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The acknowledgement was lost, and the driver tried again."""
    memory = make()
    memory.record_many([lived(n) for n in range(5)])
    memory.consolidate()
    answer = memory._answer

    def twice(step: Any) -> Any:
        if any(call.statement.name == "erase/memories" for call in getattr(step, "calls", ())):
            answer(step)
        return answer(step)

    monkeypatch.setattr(memory, "_answer", twice)
    done = memory.erase(id="boiler-1")
    assert (done.episodes, done.reflections, done.demoted) == (1, 1, 0)
    skill = "MATCH (s:Skill {tenant: $t}) RETURN s.status AS status, s.support AS support"
    assert cypher(skill, t=tenant) == [{"status": "active", "support": 4}]
    queue = "MATCH (q:Job {tenant: $t, id: 'queue'}) RETURN q.lead AS lead"
    assert cypher(queue, t=tenant) == [{"lead": None}]
