"""Files from elsewhere, and one's own files again: read whole, and harmless."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from graphmem import Memory
from graphmem.errors import Conflict, InvalidInput
from graphmem.move import Counts
from tests.cli.shell import Shell, environment
from tests.govern.conftest import clock, make
from tests.govern.lived import live

__all__ = ["clock", "make"]
TEXT = "one\u2028line\u2029and\x85only one"
LINES = [
    json.dumps({"kind": "episode", "id": "e1", "task": TEXT, "outcome": "success"}, ensure_ascii=False),
    "",
    json.dumps({"kind": "episode", "id": "e2", "task": "Grüße, 世界", "outcome": "success"}, ensure_ascii=False),
    " \t",
    json.dumps({"kind": "reflection", "id": "r1", "insight": "i", "sources": ["e1"]}),
]
WINDOWS = b"\xef\xbb\xbf" + "\r\n".join(LINES).encode()
COUNT = """
MATCH (n {tenant: $t}) WHERE coalesce(n.kind, '') <> 'queue' WITH count(n) AS nodes
OPTIONAL MATCH ({tenant: $t})-[e]->() RETURN nodes, count(e) AS links
"""


# GM-BUG-41: a file made on Windows starts with a byte-order mark.
def test_a_file_of_windows_is_read_whole(client: Any, tmp_path: Path) -> None:
    file = tmp_path / "my äxports" / "a b\\c 世.jsonl"
    file.parent.mkdir()
    file.write_bytes(WINDOWS)
    assert client.load(file).created.total == 3
    assert client.load(str(file)).created.total == 0
    assert client.get("e1").memory.task == TEXT
    assert client.get("e2").memory.task == "Grüße, 世界"
    client.export(file)
    client.erase(everything=True)
    file.write_bytes(b"\xef\xbb\xbf" + file.read_bytes().replace(b"\n", b"\r\n\r\n").rstrip())
    assert client.load(file).created.episodes == 2
    assert client.get("e1").memory.task == TEXT


def test_line_numbers_count_every_line(memory: Memory, tmp_path: Path) -> None:
    file = tmp_path / "f"
    file.write_bytes(WINDOWS + b"\r\n\r\n{")
    with pytest.raises(InvalidInput, match="line 7: not JSON"):
        memory.load(file)
    assert memory.list() == ()


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_utf_16_is_refused(memory: Memory, tmp_path: Path, encoding: str) -> None:
    file = tmp_path / "f"
    file.write_bytes("\n".join(LINES).encode(encoding))
    with pytest.raises(InvalidInput, match="UTF-8"):
        memory.load(file)


@pytest.mark.parametrize("locale", ["C", "de_DE.ISO-8859-1", "POSIX"])
def test_stdin_and_stdout_do_not_depend_on_the_locale(
    settings: Any, at: Any, tenant: str, memory: Memory, locale: str
) -> None:
    shell = Shell(
        environment(settings, at, tenant) | {"LC_ALL": locale, "PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii"}
    )
    ran = shell("import", "-", stdin=WINDOWS)
    assert (ran.code, ran.out.splitlines()[0]) == (0, "created 3, skipped 0"), ran.err
    assert memory.get("e1").memory.task == TEXT
    out = shell("export", "-").out
    assert [json.loads(line).get("id") for line in out.split("\n") if line] == [None, "e1", "e2", "r1", None]
    assert shell("import", "-", stdin=out).out.startswith("created 0, skipped 4")


# GM-BUG-42: importing one's own export doubled part of it.
def test_ones_own_export_is_harmless(make: Callable[..., Any], cypher: Any, tenant: str, tmp_path: Path) -> None:
    def counted() -> list[dict[str, Any]]:
        return list(cypher(COUNT, t=tenant))

    client, file, second = make(), tmp_path / "first", tmp_path / "second"
    live(client)
    client.consolidate()
    done, before = client.export(file, include_secure=True), counted()
    history = client.history("e2")
    assert client.load(file).created == Counts()
    assert counted() == before
    client.erase(everything=True)
    assert client.load(file).created == done.counts
    again = client.load(file)
    assert (again.created, again.skipped) == (Counts(), done.counts)
    assert counted() == before
    assert client.history("e2") == history, "ids, times, penalties and links are kept"
    client.export(second, include_secure=True)
    assert second.read_bytes() == file.read_bytes()
    changed = tmp_path / "changed"
    changed.write_bytes(file.read_bytes().replace(b'"task":"pump north:0.9"', b'"task":"pump south"'))
    with pytest.raises(Conflict, match=r"line 2: memory e1 is taken by other content"):
        client.load(changed)
    assert counted() == before
    assert client.get("e1").memory.task == "pump north:0.9"
