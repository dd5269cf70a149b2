"""Whoever queues or delivers is killed, or does it at the same time as another: all is there once, in order."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from graphmem import Memory, Settings
from tests.outbox.relay import Relay
from tests.outbox.test_delivery import episode, kept

ROOT = str(Path(__file__).parents[2])
START = """
import sys
sys.path.insert(0, sys.argv[1])
from graphmem import Memory
from graphmem.settings import load_settings
from tests.angles import Angles
from tests.outbox.test_delivery import episode
home, uri, password, tenant, model = sys.argv[2:]
settings = load_settings(home=home, neo4j={"uri": uri, "password": password, "timeout": 1.0})
memory = Memory(tenant, settings=settings, embedder=Angles(model))
"""
QUEUE = """
for n in range(100_000):
    print(memory.record(episode(n)).id, flush=True)
"""
DELIVER = """
memory.flush(progress=lambda doing, done, whole: print(done, flush=True))
"""
FLUSH = """
sys.stdin.readline()
done = memory.flush()
print(done.delivered, done.unchanged, done.waiting)
"""

Cypher = Callable[..., list[dict[str, Any]]]


def started(program: str, here: Settings, tenant: str, model: str) -> subprocess.Popen[str]:
    password = here.neo4j.password
    assert here.neo4j.uri is not None
    assert password is not None
    given = [ROOT, str(here.home), here.neo4j.uri, password.get_secret_value(), tenant, model]
    command = [sys.executable, "-c", START + program, *given]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def lines(process: subprocess.Popen[str], count: int) -> list[str]:
    assert process.stdout is not None
    return [process.stdout.readline().strip() for _ in range(count)]


def ended(process: subprocess.Popen[str]) -> None:
    process.kill()
    process.wait()
    for stream in (process.stdin, process.stdout):
        assert stream is not None
        stream.close()


def test_a_process_killed_while_it_queues_loses_nothing_that_it_was_told(
    make: Callable[..., Memory], here: Settings, relay: Relay, cypher: Cypher, tenant: str, angles: Any
) -> None:
    make().init()
    relay.cut()
    process = started(QUEUE, here, tenant, angles.name)
    told = lines(process, 40)
    process.kill()
    assert process.stdout is not None
    told += process.stdout.read().split()
    ended(process)
    relay.mend()
    memory = make()
    waiting = memory.waiting().waiting
    assert len(told) <= waiting <= len(told) + 1
    assert memory.flush().delivered == waiting
    assert kept(cypher, tenant) == [f"e{n:04}" for n in range(waiting)]
    assert told == kept(cypher, tenant)[: len(told)]


def test_a_process_killed_while_it_delivers_doubles_nothing(
    make: Callable[..., Memory], here: Settings, relay: Relay, cypher: Cypher, tenant: str, angles: Any
) -> None:
    memory = make()
    memory.init()
    relay.cut()
    memory.record_many([episode(n) for n in range(900)])
    relay.mend()
    process = started(DELIVER, here, tenant, angles.name)
    first = lines(process, 1)
    ended(process)
    assert first == ["256"]
    assert memory.waiting().waiting <= 900 - 256
    done = memory.flush()
    assert (done.waiting, done.dead) == (0, 0)
    assert kept(cypher, tenant) == [f"e{n:04}" for n in range(900)]


def test_a_crash_between_commit_and_settling_is_found_unchanged(
    make: Callable[..., Memory], relay: Relay, cypher: Cypher, tenant: str
) -> None:
    memory = make()
    memory.record(episode(0))
    answer = memory.recall("north:1")
    relay.cut()
    memory.record_many([episode(n) for n in range(1, 4)])
    memory.feedback(answer, outcome="fail", misled=["e0000"])
    memory.feedback(answer, outcome="success", used=["e0000"])
    relay.mend()
    answered = memory._answer

    class Died(BaseException):
        """What nobody handles, as the end of the process."""

    def dying(step: Any) -> Any:
        if type(step).__name__ == "Settle":
            raise Died
        return answered(step)

    memory._answer = dying  # type: ignore[method-assign]  # everything before is really done
    try:
        memory.flush()
    except Died:
        memory._answer = answered  # type: ignore[method-assign]
    assert memory.waiting().waiting == 5
    done = memory.flush()
    assert (done.delivered, done.unchanged, done.dead) == (5, 3, 0)
    assert kept(cypher, tenant) == [f"e{n:04}" for n in range(4)]
    rows = cypher(
        "MATCH (m:Memory {tenant: $tenant, id: 'e0000'}) RETURN m.successes AS s, m.failures AS f, m.misled AS x",
        tenant=tenant,
    )
    assert rows == [{"s": 1, "f": 0, "x": 0}]


def test_processes_that_flush_at_once_deliver_each_once(
    make: Callable[..., Memory], here: Settings, relay: Relay, cypher: Cypher, tenant: str, angles: Any
) -> None:
    memory = make()
    memory.init()
    relay.cut()
    memory.record_many([episode(n) for n in range(700)])
    relay.mend()
    processes = [started(FLUSH, here, tenant, angles.name) for _ in range(2)]
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    told = [[int(number) for number in lines(process, 1)[0].split()] for process in processes]
    for process in processes:
        ended(process)
    assert sum(delivered for delivered, _, _ in told) == 700
    assert {(unchanged, waiting) for _, unchanged, waiting in told} == {(0, 0)}
    assert kept(cypher, tenant) == [f"e{n:04}" for n in range(700)]
