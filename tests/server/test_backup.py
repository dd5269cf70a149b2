"""A backup is whole or not there; a restore ends with the new database or with the old one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import psutil  # type: ignore[import-untyped]
import pytest

from graphmem import Episode, Memory
from graphmem.embed import Embedder
from graphmem.errors import ConfigurationError, InvalidInput, ServerError
from graphmem.server.backup import backup, restore
from graphmem.server.halt import down
from graphmem.server.instance import DATABASE, Instance, instance_of
from graphmem.server.start import up
from graphmem.server.status import status
from graphmem.server.swap import KEPT, OWNER, PARTS, Swap, heal
from graphmem.settings import Settings, load_settings

SMALL = {"heap": "384m", "page_cache": "32m", "bolt_port": 0, "http_port": 0}


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Settings]:
    chosen = load_settings(home=tmp_path_factory.mktemp("home with ü"), instance="kept", server=SMALL)
    yield chosen
    down(chosen)


def _known(settings: Settings, embedder: Embedder) -> set[str]:
    with Memory("acme", settings=settings, embedder=embedder) as memory:
        assert memory.check() == ()
        return {one.id for one in memory.list()}


def _record(settings: Settings, embedder: Embedder, id_: str) -> None:
    with Memory("acme", settings=settings, embedder=embedder) as memory:
        memory.record(Episode(id=id_, task=f"Descale boiler {id_}", outcome="success"))


def test_a_database_goes_into_a_file_and_comes_back(place: Settings, embedder: Embedder, tmp_path: Path) -> None:
    file = tmp_path / "first backup.dump"
    with pytest.raises(ServerError, match="no database yet"):
        backup(place, file)
    started = up(place)
    _record(place, embedder, "first")
    psutil.Process(started.pid).kill()
    psutil.wait_procs([psutil.Process(started.pid)] if psutil.pid_exists(started.pid or 0) else [], timeout=10)
    done = backup(place, file)
    assert (done.file, done.bytes, done.running) == (file, file.stat().st_size, False)
    assert file.stat().st_mode & 0o077 == 0
    assert [path.name for path in tmp_path.iterdir()] == [file.name]
    with pytest.raises(InvalidInput, match=r"is there already; .* --overwrite"):
        backup(place, file)

    up(place)
    _record(place, embedder, "second")
    with pytest.raises(InvalidInput, match=r"has a database already; .* --overwrite"):
        restore(place, file)
    told: list[str] = []
    back = restore(place, file, overwrite=True, tell=told.append)
    assert (back.memories, back.running) == (1, True)
    assert told == ["loading the backup", "stopping the server", "starting the server with it"]
    assert _known(place, embedder) == {"first"}
    assert not (instance_of(place).home / KEPT).exists()

    _record(place, embedder, "third")
    pid = status(place).pid
    for bad, content in (("half.dump", file.read_bytes()[:9000]), ("other.dump", b"no backup at all")):
        (tmp_path / bad).write_bytes(content)
        with pytest.raises(ServerError, match="no whole backup, nothing was changed"):
            restore(place, tmp_path / bad, overwrite=True)
    assert status(place).pid == pid, "a damaged file does not even stop it"
    assert _known(place, embedder) == {"first", "third"}


def _instance(home: Path) -> tuple[Instance, Path]:
    """An instance with files for a database, and another one that was loaded apart."""
    instance, apart = Instance(home / "instance", "kept"), home / "apart"
    for part in PARTS:
        (instance.data / part / DATABASE).mkdir(parents=True)
        (instance.data / part / DATABASE / "old").touch()
        (apart / "home" / "data" / part / DATABASE).mkdir(parents=True)
        (apart / "home" / "data" / part / DATABASE / "new").touch()
    return instance, apart


def _found(instance: Instance) -> set[str]:
    return {path.name for part in PARTS for path in (instance.data / part / DATABASE).iterdir()}


@pytest.mark.parametrize("undone", [False, True])
@pytest.mark.parametrize("moves", range(12))
def test_whoever_is_killed_in_a_swap_leaves_one_database_whole(
    moves: int, undone: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Killed before any of its moves, in the trying or in the way back: the next start has the old one."""
    instance, apart = _instance(tmp_path)
    left, move = moves, Path.replace

    def replace(path: Path, target: Path) -> Path:
        nonlocal left
        left -= 1
        if left < 0:
            raise KeyboardInterrupt
        return move(path, target)

    swap = Swap(instance, apart, DATABASE)
    monkeypatch.setattr(Path, "replace", replace)
    with suppress(KeyboardInterrupt):
        swap.begin()
        if undone:
            swap.undo()
    monkeypatch.setattr(Path, "replace", move)
    owner = instance.home / KEPT / OWNER
    if owner.exists():
        heal(instance, DATABASE)
        assert owner.exists(), "who tries it still runs"
        owner.write_text("1 0.5", "utf-8")
    heal(instance, DATABASE)
    assert _found(instance) == {"old"}
    assert [path.name for path in instance.home.iterdir()] == ["data"]


def test_a_swap_that_was_tried_is_ended(tmp_path: Path) -> None:
    instance, apart = _instance(tmp_path)
    swap = Swap(instance, apart, DATABASE)
    swap.begin()
    swap.end()
    heal(instance, DATABASE)
    assert _found(instance) == {"new"}
    assert [path.name for path in instance.home.iterdir()] == ["data"]


def test_only_the_private_server_is_backed_up(place: Settings, tmp_path: Path) -> None:
    other = place.model_copy(update={"neo4j": place.neo4j.model_copy(update={"uri": "bolt://db.example:7687"})})
    with pytest.raises(ConfigurationError, match="neo4j-admin"):
        backup(other, tmp_path / "a.dump")
    with pytest.raises(ConfigurationError, match="neo4j-admin"):
        restore(other, tmp_path / "a.dump")
    with pytest.raises(InvalidInput, match="no file"):
        restore(place, tmp_path / "a.dump")
    with pytest.raises(InvalidInput, match="no folder"):
        backup(place, tmp_path / "not there" / "a.dump")
