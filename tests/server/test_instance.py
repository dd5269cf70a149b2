"""What an instance writes, and how its process is told from others."""

from __future__ import annotations

import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import psutil  # type: ignore[import-untyped]
import pytest

from graphmem.errors import ServerError
from graphmem.server.conf import conf
from graphmem.server.halt import Ending, down
from graphmem.server.instance import Instance, instance_of, write_private
from graphmem.server.lock import Lock
from graphmem.server.ports import Ports
from graphmem.server.process import MAIN_CLASS, find, home_argument
from graphmem.server.status import status
from graphmem.settings import Settings, connection, load_settings

Run = Callable[..., "subprocess.Popen[bytes]"]
SLEEPS = "import time; print(flush=True); time.sleep(60)"
STUBBORN = f"import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); {SLEEPS}"


@pytest.fixture
def run() -> Iterator[Run]:
    """Runs a program with the arguments that a server has, or some of them."""
    started: list[subprocess.Popen[bytes]] = []

    def start(*arguments: str, code: str = SLEEPS) -> subprocess.Popen[bytes]:
        # It runs Python, and is called what a server's program is called.
        process = subprocess.Popen(["java", "-c", code, *arguments], executable=sys.executable, stdout=subprocess.PIPE)
        started.append(process)
        assert process.stdout is not None
        process.stdout.readline()  # it has its signal handlers now
        return process

    yield start
    for process in started:
        process.kill()
        process.communicate()


def test_the_server_is_found_and_only_it_is_stopped(mine: Settings, run: Run) -> None:
    instance = instance_of(mine)
    instance.home.mkdir(parents=True)
    longer = replace(instance, home=instance.home.with_name("default-2"))
    others = [
        run(MAIN_CLASS, home_argument(longer)),
        run(home_argument(instance)),
        run(MAIN_CLASS),
        run(f"{MAIN_CLASS} {home_argument(instance)}"),
    ]
    assert find(instance) is None
    own = run(MAIN_CLASS, home_argument(instance))
    found = find(instance)
    assert found is not None
    assert found.pid == own.pid
    assert down(mine) is Ending.STOPPED
    assert own.wait(5) is not None
    assert all(other.poll() is None for other in others)
    assert down(mine) is Ending.WAS_DOWN


def test_one_that_does_not_end_is_killed(mine: Settings, run: Run) -> None:
    instance = instance_of(mine)
    instance.home.mkdir(parents=True)
    own = run(MAIN_CLASS, home_argument(instance), code=STUBBORN)
    assert down(mine, patience=0.5) is Ending.KILLED
    assert own.wait(5) is not None
    assert find(instance) is None


def test_a_zombie_is_no_server(mine: Settings, run: Run) -> None:
    own = run(MAIN_CLASS, home_argument(instance_of(mine)))
    own.kill()
    psutil.wait_procs([psutil.Process(own.pid)], timeout=0)
    assert find(instance_of(mine)) is None


def test_down_of_what_never_was_leaves_no_trace(mine: Settings) -> None:
    assert down(mine) is Ending.WAS_DOWN
    assert not mine.home.exists()
    assert not status(mine).running
    assert not mine.home.exists()


def test_down_takes_the_address_away(mine: Settings) -> None:
    instance = instance_of(mine)
    instance.home.mkdir(parents=True)
    write_private(instance.connection_file, "{}")
    down(mine)
    assert not instance.connection_file.exists()


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX permissions")
def test_secrets_are_readable_by_their_owner_alone(tmp_path: Path) -> None:
    secret = tmp_path / "password"
    secret.write_text("old")
    secret.chmod(0o644)
    write_private(secret, "new")
    assert secret.read_text() == "new"
    assert stat.S_IMODE(secret.stat().st_mode) == 0o600
    assert list(tmp_path.iterdir()) == [secret]


def test_the_password_is_random_and_kept(tmp_path: Path) -> None:
    instances = [Instance(tmp_path / name, name) for name in ("a", "b")]
    for instance in instances:
        instance.home.mkdir()
    first, second = (instance.password() for instance in instances)
    assert first != second
    assert len(first) >= 32
    assert instances[0].password() == first


def test_a_lost_password_is_said_and_not_replaced(tmp_path: Path) -> None:
    instance = Instance(tmp_path, "a")
    (instance.data / "databases").mkdir(parents=True)
    with pytest.raises(ServerError, match=r"password is gone.*put it back, or move the folder away"):
        instance.password()
    assert not instance.password_file.exists()


def test_the_configuration_keeps_to_this_machine(mine: Settings, lock: Lock) -> None:
    text = conf(mine, lock, Ports(17687, 17474))
    lines = dict(line.split("=", 1) for line in text.splitlines() if not line.startswith("#"))
    listening = {name: value for name, value in lines.items() if "listen_address" in name}
    assert len(listening) == 3
    assert all(value.split(":")[0] == "127.0.0.1" for value in listening.values())
    assert lines["server.bolt.listen_address"] == "127.0.0.1:17687"
    assert lines["server.http.listen_address"] == "127.0.0.1:17474"
    assert lines["dbms.usage_report.enabled"] == "false"
    assert lines["dbms.security.procedures.unrestricted"] == "gds.*"
    assert "auth_enabled" not in text


def test_memory_is_what_the_settings_say(mine: Settings, lock: Lock) -> None:
    small = mine.model_copy(update={"server": mine.server.model_copy(update={"heap": "300m", "page_cache": "64m"})})
    text = conf(small, lock, Ports(1, 2))
    assert "server.memory.heap.max_size=300m\n" in text
    assert "server.memory.pagecache.size=64m\n" in text


def test_the_ports_are_those_of_the_configuration(mine: Settings, lock: Lock) -> None:
    instance = instance_of(mine)
    assert instance.ports() is None
    instance.conf.parent.mkdir(parents=True)
    instance.conf.write_text(conf(mine, lock, Ports(17687, 17474)))
    assert instance.ports() == Ports(17687, 17474)
    instance.conf.write_text("server.bolt.listen_address=damaged\n")
    assert instance.ports() is None


def test_instances_have_folders_and_names_of_their_own(mine: Settings) -> None:
    other = load_settings(home=mine.home, instance="other")
    assert instance_of(other).home != instance_of(mine).home
    assert instance_of(other).home.parent == instance_of(mine).home.parent


def test_a_client_without_a_server_is_told_to_start_one(mine: Settings) -> None:
    with pytest.raises(Exception, match="run 'graphmem up'"):
        connection(mine)
