"""Real servers in a home of their own: started at once, killed, stopped, one beside another."""

from __future__ import annotations

import json
import os
import socket
import stat
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import neo4j
import psutil  # type: ignore[import-untyped]
import pytest

from graphmem.errors import ServerError
from graphmem.server.halt import down
from graphmem.server.start import up
from graphmem.server.status import status
from graphmem.settings import Settings, connection, load_settings

COMMAND = "from graphmem.cli import main; main()"
SMALL = {"heap": "384m", "page_cache": "32m"}


@dataclass(frozen=True)
class Pair:
    """An instance that two processes started at once, what `up` printed to them, and the server of the whole run."""

    first: Settings
    second: Settings
    printed: tuple[dict[str, Any], ...]


def graphmem(settings: Settings, *arguments: str) -> Any:
    """Run a command in a process of its own, in the poorest locale, and read the JSON that it prints."""
    sizes = {f"GRAPHMEM_SERVER__{name.upper()}": str(value) for name, value in settings.server if value is not None}
    places = {"LC_ALL": "C", "GRAPHMEM_HOME": str(settings.home), "GRAPHMEM_INSTANCE": settings.instance}
    done = subprocess.run(
        [sys.executable, "-c", COMMAND, *arguments, "--json"], env=os.environ | sizes | places, capture_output=True
    )
    assert done.stdout, done.stderr.decode()
    return json.loads(done.stdout)


def ask(settings: Settings, text: str) -> list[Any]:
    at = connection(settings)
    assert at.password is not None
    with neo4j.GraphDatabase.driver(at.uri, auth=(at.user, at.password.get_secret_value())) as driver:
        return [record.value() for record in driver.execute_query(text).records]


@pytest.fixture(scope="module")
def pair(settings: Settings, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pair]:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        wanted = {"bolt_port": int(other.getsockname()[1]), "http_port": 0}
        first = load_settings(home=tmp_path_factory.mktemp("home with ü"), instance="first", server=SMALL | wanted)
        with ThreadPoolExecutor() as pool:
            printed = tuple(pool.map(lambda one: graphmem(one, "up"), (first, first)))
    yield Pair(first, settings, printed)
    down(first)


def test_two_ups_at_once_are_one_server(pair: Pair) -> None:
    one, two = pair.printed
    assert one["running"] is True
    assert one["pid"] == two["pid"] != status(pair.second).pid
    assert up(pair.first).pid == one["pid"]


def test_a_taken_port_is_left_to_its_owner(pair: Pair) -> None:
    assert not pair.printed[0]["uri"].endswith(f":{pair.first.server.bolt_port}")


def test_it_listens_on_this_machine_alone(pair: Pair) -> None:
    connections = psutil.Process(pair.printed[0]["pid"]).net_connections("tcp")
    listening = {found.laddr for found in connections if found.status == psutil.CONN_LISTEN}
    assert len(listening) == 2
    assert {address.ip.removeprefix("::ffff:") for address in listening} == {"127.0.0.1"}


def test_only_the_owner_reads_the_password_and_nobody_sees_it(pair: Pair) -> None:
    at = connection(pair.first)
    assert at.password is not None
    secret = at.password.get_secret_value()
    for name in ("password", "connection.json"):
        assert stat.S_IMODE((pair.first.instance_home / name).stat().st_mode) == 0o600
    assert secret not in " ".join(psutil.Process(pair.printed[0]["pid"]).cmdline())
    assert secret not in json.dumps(pair.printed)
    assert secret != connection(pair.second).password.get_secret_value()  # type: ignore[union-attr]


def test_browser_is_there(pair: Pair) -> None:
    with urllib.request.urlopen(pair.printed[0]["browser"], timeout=10) as page:
        assert b"<html" in page.read().lower()


def test_gds_is_there(pair: Pair) -> None:
    assert ask(pair.first, "RETURN gds.version()") == [pair.printed[0]["gds"]]


def test_doctor_finds_everything_well_before_the_first_call(pair: Pair) -> None:
    told = graphmem(pair.first, "doctor")
    assert [check["name"] for check in told["checks"] if not check["ok"]] == []
    found = {check["name"]: check["found"] for check in told["checks"]}
    assert {"Java", "downloads", "database", "GDS"} <= set(found)
    assert found["schema"] == "none yet; the first call makes it"


def test_a_killed_server_recovers_its_data_and_leaves_others_alone(pair: Pair) -> None:
    before = pair.printed[0]
    ask(pair.first, "UNWIND range(1, 500) AS n CREATE (:Kept {n: n})")
    bystander = status(pair.second).pid
    victim = psutil.Process(before["pid"])
    victim.kill()
    psutil.wait_procs([victim], timeout=10)
    assert graphmem(pair.first, "status")["running"] is False
    after = up(pair.first)
    assert after.pid != before["pid"]
    assert after.uri == before["uri"]
    assert ask(pair.first, "MATCH (k:Kept) RETURN count(DISTINCT k.n)") == [500]
    assert status(pair.second).pid == bystander


def test_down_stops_exactly_one(pair: Pair) -> None:
    assert graphmem(pair.first, "down")["ending"] == "stopped"
    assert graphmem(pair.first, "down")["ending"] == "was not running"
    assert graphmem(pair.first, "status")["running"] is False
    assert not (pair.first.instance_home / "connection.json").exists()
    assert ask(pair.second, "RETURN 1") == [1]


def test_a_start_that_fails_says_why(pair: Pair) -> None:
    broken = load_settings(home=pair.first.home, instance="broken", server={**SMALL, "heap": "1k"})
    reason = r"'broken' ended while starting: Too small maximum heap; see .*console\.log.*graphmem doctor"
    with pytest.raises(ServerError, match=reason) as caught:
        up(broken)
    assert "initialization of VM" in caught.value.__notes__[0]
    assert graphmem(broken, "status")["running"] is False
