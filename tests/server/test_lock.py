"""The lock: read, written, and the one that ships."""

from __future__ import annotations

import re
from importlib import resources
from pathlib import Path

import pytest

from graphmem.errors import ConfigurationError
from graphmem.server.lock import Artifact, Lock, Part, parse, read_lock, render

SHA = "ab" * 32


def test_a_lock_reads_back_what_was_written() -> None:
    lock = Lock((Artifact(Part.MODEL, "a:b:1", 7, SHA), Artifact(Part.SERVER, "a.c:d:2:osx", 9, SHA)))
    assert parse(render(lock)) == lock


def test_maven_names_follow_the_coordinates() -> None:
    artifact = Artifact(Part.SERVER, "io.netty:netty-epoll:4.2.1:linux-x86_64", 1, SHA)
    assert artifact.repository_path == "io/netty/netty-epoll/4.2.1/netty-epoll-4.2.1-linux-x86_64.jar"
    assert artifact.version == "4.2.1"


@pytest.mark.parametrize(
    "line",
    [
        "server a:b:1 7",
        f"elsewhere a:b:1 7 {SHA}",
        f"server a:b:1 seven {SHA}",
        f"server a:b 7 {SHA}",
        "server a:b:1 7 abcd",
        f"server a:b:1 7 {'zz' * 32}",
    ],
)
def test_a_damaged_line_is_named(line: str) -> None:
    with pytest.raises(ConfigurationError, match="damaged at line 2; install graphmem again"):
        parse(f"# a comment\n{line}\n")


def test_another_lock_has_other_folders_for_what_changed(tmp_path: Path) -> None:
    model = Artifact(Part.MODEL, "a:m:1", 7, SHA)
    old = Lock((model, Artifact(Part.SERVER, "a:b:1", 7, SHA)))
    new = Lock((model, Artifact(Part.SERVER, "a:b:2", 7, SHA)))
    assert old.folder(Part.SERVER, tmp_path) != new.folder(Part.SERVER, tmp_path)
    assert old.folder(Part.MODEL, tmp_path) == new.folder(Part.MODEL, tmp_path)


def test_the_shipped_lock_has_the_whole_server_and_names_no_host() -> None:
    lock = read_lock()
    projects = {artifact.coordinates.rsplit(":", 1)[0] for artifact in lock.artifacts}
    assert {
        "org.neo4j.app:neo4j-server",
        "org.neo4j.client:neo4j-browser",
        "org.neo4j.gds:opengds-extension",
    } <= projects
    assert {"org.opencypher:cypher-javacc-parser-9.0", "org.opencypher:cypher-ast-factory-9.0"} <= projects
    assert len(lock.part(Part.MODEL)) == 1
    paths = [lock.path(artifact, Path("cache")) for artifact in lock.artifacts]
    assert len(set(paths)) == len(paths)
    text = resources.files("graphmem.server").joinpath("artifacts.lock").read_text("utf-8")
    assert text == render(lock)
    assert not re.search(r"https?://|www\.", text)


def test_no_jar_of_gds_is_a_second_version_of_a_server_jar() -> None:
    def projects(part: Part) -> set[tuple[str, ...]]:
        return {tuple(a.coordinates.split(":")[:2] + a.coordinates.split(":")[3:]) for a in read_lock().part(part)}

    assert not projects(Part.SERVER) & projects(Part.PLUGINS)
