"""`graphmem export` and `graphmem import`, as a process and from inside."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from graphmem import Settings
from graphmem.settings import Connection
from tests.cli.shell import Inside, environment
from tests.move.conftest import lines, write


@pytest.fixture
def graphmem(settings: Settings, at: Connection, tenant: str) -> Inside:
    """The command line in this process, for this test's tenant."""
    return Inside(environment(settings, at, tenant) | {"GRAPHMEM_EMBEDDING__MODEL": "none"})


def test_out_and_in_again(graphmem: Inside, file: Path) -> None:
    write(file, [{"task": "brew", "outcome": "success", "id": "e1"}, {"task": "pour", "id": "e2", "secure": True}])
    assert graphmem("import", file).out.splitlines() == [
        "created 2, skipped 0", "  created  2 episodes", "  skipped  nothing",
    ]  # fmt: skip
    told = graphmem("export", file.with_name("out"))
    assert (told.code, told.out) == (0, "exported 1 episodes\n")
    assert graphmem("export", file.with_name("out"), "--include-secure", "--json").json["counts"]["episodes"] == 2
    again = graphmem("import", file.with_name("out"), "--json").json
    assert (again["created"]["episodes"], again["skipped"]["episodes"]) == (0, 2)
    stream = graphmem("export", "-", "--json")
    assert [json.loads(line).get("id") for line in stream.out.splitlines()] == [None, "e1"]
    assert json.loads(stream.err)["counts"]["episodes"] == 1
    assert graphmem("import", "-", stdin=stream.out).out.startswith("created 0, skipped 1")
    flex = graphmem("export", file, "--format", "flex")
    assert flex.code == 0
    assert lines(file)[0]["problem"] == "brew"


def test_faults_are_told_line_by_line(graphmem: Inside, file: Path) -> None:
    write(file, [{"task": "brew", "id": "e1"}, {"task": " "}, {"task": "x", "id": "a b"}])
    ran = graphmem("import", file)
    assert (ran.code, ran.out) == (1, "")
    first, *listed = ran.err.splitlines()
    assert first == "graphmem: 2 faults, nothing was written:"
    assert [line.split(": ")[1] for line in listed] == ["line 2", "line 3"]
    ran = graphmem("import", file, "--lenient")
    assert (ran.code, ran.out.splitlines()[0]) == (0, "created 1, skipped 0")
    assert "2 lines were left out" in ran.err


def test_a_library_changes_hands(graphmem: Inside, file: Path) -> None:
    write(file, [{"task": "brew", "id": "e1", "outcome": "success"}])
    graphmem("import", file, "--user", "bob")
    graphmem("export", file, "--user", "bob")
    refused = graphmem("import", file, "--user", "ann").refusal
    assert "user 'bob'" in refused
    done = graphmem("import", file, "--user", "ann", "--inherit", "--json").json
    assert done["inherited_from"].endswith(", user bob")
    assert graphmem("import", "missing", "--user", "ann").refusal.startswith("file 'missing' cannot be read")
    assert graphmem("export", "/dev/null").refusal.endswith("give another path")
    assert Path("/dev/null").is_char_device()
