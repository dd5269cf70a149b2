"""An import that is killed goes on when it is run again, and an export that is killed leaves the old file."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from graphmem import Memory, Reflection, Settings
from graphmem.move import Counts
from tests.angles import Angles
from tests.govern.lived import live
from tests.memories import won
from tests.move.conftest import Cypher

MODEL = "bge-small-en-v1.5"
PROGRAM = """
import sys
from graphmem import Memory
from graphmem.settings import load_settings
from tests.angles import Angles

home, tenant, verb, path = sys.argv[1:]
settings = load_settings(home=home, instance="tests")
with Memory(tenant, settings=settings, embedder=Angles("bge-small-en-v1.5")) as memory:
    print(getattr(memory, verb)(path, everything=True).model_dump_json())
"""
COUNT = "MATCH (n) WHERE n.tenant = $t AND n.arriving RETURN count(n) AS n"


def begun(settings: Settings, tenant: str, verb: str, path: Path, root: Path) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", PROGRAM, str(settings.home), tenant, verb, str(path)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=root)


def filled(client: Memory) -> None:
    """Enough for many batches, with links of every kind."""
    live(client)
    client.consolidate()
    client.record_many([won(f"n{n:04}", f"case {n} north:0.5") for n in range(600)])
    client.record_many([Reflection(id=f"m{n:04}", insight=f"lesson {n}", sources=[f"n{n:04}"]) for n in range(600)])


def test_three_imports_one_of_them_killed_come_to_the_same_counts(
    settings: Settings, tenant: str, file: Path, cypher: Cypher, counts: Callable[[], Any], request: Any
) -> None:
    root = request.config.rootpath
    with Memory(tenant, settings=settings, embedder=Angles(MODEL)) as client:
        filled(client)
        done, before = client.export(file, everything=True, include_secure=True), counts()
        client.load(file, everything=True)
        assert counts() == before
        client.erase(everything=True)
        killed = begun(settings, tenant, "load", file, root)
        until = time.monotonic() + 60
        while cypher(COUNT, t=tenant)[0]["n"] < 300 and time.monotonic() < until:
            time.sleep(0.01)
        killed.send_signal(signal.SIGKILL)
        killed.communicate()
        half = cypher("MATCH (m:Memory {tenant: $t}) RETURN count(m) AS n", t=tenant)[0]["n"]
        assert 300 <= half < 1200, "it was killed midway"
        learnt = "MATCH (m:Memory {tenant: $t}) WHERE m.kind <> 'episode' AND m.recallable RETURN m.id AS id"
        assert cypher(learnt, t=tenant) == [], "nothing that was learnt is recalled before its evidence is there"
        second = begun(settings, tenant, "load", file, root)
        told, _ = second.communicate(timeout=120)
        assert second.returncode == 0
        assert '"left_out":0' in told
        assert counts() == before
        third = client.load(file, everything=True)
        assert (third.created, third.skipped) == (Counts(), done.counts)
        assert counts() == before
        assert cypher(COUNT, t=tenant)[0]["n"] == 0
        assert client.check(everything=True) == ()
        again = file.with_name("again.jsonl")
        client.export(again, everything=True, include_secure=True)
        assert again.read_bytes() == file.read_bytes()


def test_a_killed_export_leaves_the_file_that_was_there(
    settings: Settings, tenant: str, file: Path, request: Any
) -> None:
    file.write_text("before")
    with Memory(tenant, settings=settings, embedder=Angles(MODEL)) as client:
        client.record_many([won(f"n{n:04}", f"case {n}") for n in range(2000)])
        killed = begun(settings, tenant, "export", file, request.config.rootpath)
        until = time.monotonic() + 60
        while time.monotonic() < until and not any(
            path.stat().st_size > 100_000 for path in file.parent.glob(".*.part")
        ):
            time.sleep(0.001)
        killed.send_signal(signal.SIGKILL)
        killed.communicate()
        assert file.read_text() == "before"
        (draft,) = file.parent.glob(".*.part")
        assert draft.stat().st_mode & 0o077 == 0
