"""`graphmem jobs schedule` as a process: what it prints, how it waits, how it ends."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from graphmem import Settings
from graphmem.settings import Connection
from tests.cli.shell import COMMAND, ROOT, Inside, Shell, environment
from tests.jobs.test_schedule import OFF, filled, plain
from tests.outbox.relay import Relay

__all__ = ["filled", "plain"]


@pytest.fixture
def env(settings: Settings, at: Connection, tenant: str, tmp_path: Path) -> dict[str, str]:
    """What a process needs: this run's server, an outbox of its own, and all intervals off but those a test sets."""
    off = {f"GRAPHMEM_SCHEDULE__{name.upper()}": "off" for name in OFF}
    own = {"GRAPHMEM_OUTBOX__PATH": str(tmp_path / "outbox.sqlite"), "GRAPHMEM_EMBEDDING__MODEL": "none"}
    return {**environment(settings, at, tenant), **off, **own}


@contextmanager
def scheduling(env: dict[str, str], *arguments: str) -> Iterator[subprocess.Popen[str]]:
    """`graphmem jobs schedule` as a process, killed at the latest at the end."""
    with subprocess.Popen(
        [*COMMAND, "jobs", "schedule", *arguments],
        env=env, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    ) as process:  # fmt: skip
        guard = threading.Timer(90, process.kill)
        guard.start()
        try:
            yield process
        finally:
            guard.cancel()
            process.kill()


def line(stream: Any) -> str:
    """The next line, which is there."""
    read: str = stream.readline()
    assert read.endswith("\n"), read
    return read.rstrip("\n")


@pytest.mark.usefixtures("filled")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_the_process_runs_jobs_at_their_intervals_and_ends_by_a_signal(
    env: dict[str, str], tenant: str, number: signal.Signals
) -> None:
    with scheduling(env | {"GRAPHMEM_SCHEDULE__CENTRALITY": "2"}, "--json") as process:
        assert line(process.stderr) == "graphmem: centrality every 2 s"
        runs = [json.loads(line(process.stdout)) for _ in range(3)]
        process.send_signal(number)
        assert process.wait(60) == 0
        assert process.stderr is not None
        assert process.stderr.read() == ("graphmem: stopping, once the running steps have ended\ngraphmem: stopped\n")
    assert [run["state"] for run in runs] == ["done", "skipped", "skipped"]
    assert {(run["job"], run["tenant"], run["user"]) for run in runs} == {("centrality", tenant, "")}
    assert [run["told"] for run in runs] == [
        "3 of 3 memories written, 1 links", *["nothing changed since the last job"] * 2
    ]  # fmt: skip
    assert all(first["ended_at"] <= second["started_at"] for first, second in pairwise(runs))


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_second_signal_ends_it_in_the_middle_of_a_step(env: dict[str, str], number: signal.Signals) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        more = {
            "GRAPHMEM_NEO4J__URI": f"bolt://127.0.0.1:{silent.getsockname()[1]}",
            "GRAPHMEM_NEO4J__TIMEOUT": "80",
            "GRAPHMEM_SCHEDULE__CENTRALITY": "60",
        }
        with scheduling(env | more) as process:
            assert line(process.stderr) == "graphmem: centrality every 60 s"
            held, _ = silent.accept()  # and nothing is ever answered
            process.send_signal(number)
            assert line(process.stderr) == "graphmem: stopping, once the running steps have ended"
            process.send_signal(number)
            assert process.wait(30) == 128 + number
            held.close()


@pytest.mark.usefixtures("filled")
def test_a_reader_that_has_gone_ends_it(env: dict[str, str]) -> None:
    with scheduling(env | {"GRAPHMEM_SCHEDULE__CENTRALITY": "1"}, "--json") as process:
        line(process.stdout)
        assert process.stdout is not None
        process.stdout.close()
        assert process.wait(60) != 0
        assert process.stderr is not None
        assert "Traceback" not in process.stderr.read()


@pytest.mark.usefixtures("filled")
def test_a_store_that_is_away_is_told_once_and_waited_for(env: dict[str, str], at: Connection, tenant: str) -> None:
    relay = Relay((at.uri.partition("//")[2].split(":")[0], int(at.uri.rpartition(":")[2])))
    relay.cut()
    more = {
        "GRAPHMEM_NEO4J__URI": f"bolt://127.0.0.1:{relay.port}",
        "GRAPHMEM_NEO4J__TIMEOUT": "1",
        "GRAPHMEM_SCHEDULE__CENTRALITY": "3600",
        "GRAPHMEM_SCHEDULE__FLUSH": "1",
    }
    try:
        with scheduling(env | more) as process:
            assert line(process.stderr) == "graphmem: flush every 1 s, centrality every 3600 s"
            away = line(process.stderr)
            assert away.startswith(f"graphmem: nothing answers at bolt://127.0.0.1:{relay.port}")
            assert away.endswith("; waiting for it")
            time.sleep(3)  # a flush that finds nothing waiting has heard of nobody
            relay.mend()
            assert line(process.stderr) == "graphmem: the database answers again"
            done = line(process.stdout).split(" ", 2)[2]
            process.send_signal(signal.SIGTERM)
            assert process.wait(60) == 0
    finally:
        relay.cut()
    assert done == f"centrality of {tenant}: 3 of 3 memories written, 1 links"


@pytest.mark.usefixtures("filled")
def test_the_command_once_is_told_to_people_in_lines(env: dict[str, str], tenant: str) -> None:
    every = {name: "60" for name in env if name.startswith("GRAPHMEM_SCHEDULE__")}
    inside = Inside(env | every)
    ran = inside("jobs", "schedule", "--once")
    assert (ran.code, ran.err) == (0, "")
    jobs = [text.split(" ", 2)[2].partition(":")[0] for text in ran.out.splitlines()]
    assert jobs == [f"consolidation of {tenant}", f"centrality of {tenant}"], "what did nothing is not told"
    again = Shell(env | every)("jobs", "schedule", "--once", "--everything", "--json")
    assert again.code == 0
    states = [(run["job"], run["user"], run["state"]) for run in map(json.loads, again.out.splitlines())]
    assert states[:2] == [("flush", "", "skipped"), ("consolidation", "", "skipped")]
    assert states[-1] == ("centrality", "u8", "done")
    other = inside("jobs", "schedule", "--once", GRAPHMEM_FULLTEXT__ANALYZER="english")
    assert (other.code, other.out) == (1, "")
    assert [text.split(" failed: ")[0] for text in other.err.splitlines()] == [
        f"graphmem: {job} of {tenant}" for job in ("consolidation", "retention", "centrality")
    ]


def test_the_command_refuses_in_one_line(env: dict[str, str]) -> None:
    inside = Inside(env | {"GRAPHMEM_SCHEDULE__CENTRALITY": "60"})
    assert inside("jobs", "schedule", "--once", GRAPHMEM_TENANT="").refusal.startswith("tenant '' is not a name")
    assert "name no user" in inside("jobs", "schedule", "--everything", "--user", "u7").refusal
    assert "GRAPHMEM_SCHEDULE__CENTRALITY" in inside("jobs", "schedule", GRAPHMEM_SCHEDULE__CENTRALITY="0").refusal
    assert "run 'graphmem up'" in Inside(
        {name: value for name, value in inside.env.items() if not name.startswith("GRAPHMEM_NEO4J")}
        | {"GRAPHMEM_HOME": inside.env["GRAPHMEM_OUTBOX__PATH"]}
    )("jobs", "schedule").refusal  # fmt: skip
    away = inside("jobs", "schedule", "--once", GRAPHMEM_NEO4J__URI="bolt://127.0.0.1:1", GRAPHMEM_NEO4J__TIMEOUT="1")
    assert away.refusal.startswith("nothing answers at bolt://127.0.0.1:1")
    idle = Inside(env)("jobs", "schedule")
    assert idle.code == 2
    assert "nothing to run" in " ".join(idle.err.split())
