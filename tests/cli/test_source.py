"""How files of memories are read: documents, lines, and what is neither."""

from __future__ import annotations

from pathlib import Path

import pytest

from graphmem.errors import InvalidInput
from graphmem.source import Entry, entries

A, B = {"task": "a"}, {"task": "b"}
LINES = [Entry("line 1", A), Entry("line 2", B)]
ITEMS = [Entry("item 1", A), Entry("item 2", B)]


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("", []),
        ("\ufeff", []),
        ("\r\n \n", []),
        ('{"task": "a"}', LINES[:1]),
        ('{"task": "a"}\n{"task": "b"}\n', LINES),
        ('{"task": "a"}\r\n{"task": "b"}', LINES),
        ('\ufeff{"task": "a"}\r\n{"task": "b"}\r\n', LINES),
        ('\n\n{"task": "a"}\n \t\r\n{"task": "b"}', [Entry("line 3", A), Entry("line 5", B)]),
        ('{"task": "a\u2028\u2029\x85b"}', [Entry("line 1", {"task": "a\u2028\u2029\x85b"})]),
        ('[{"task": "a"}, {"task": "b"}]', ITEMS),
        ('\ufeff[\r\n{"task": "a"},\r\n\r\n{"task": "b"}\r\n]\r\n', ITEMS),
        ("[]", []),
        ('{\n  "task": "a"\n}\n', ITEMS[:1]),
        ('{"task":\n"a"}', ITEMS[:1]),
    ],
)
def test_documents_and_lines(tmp_path: Path, text: str, read: list[Entry]) -> None:
    file = tmp_path / "records"
    file.write_bytes(text.encode())
    assert list(entries(str(file))) == read


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        (b'{"task": "x"', "not JSON"),
        (b'{"task": NaN}', "NaN"),
        (b'{"task": -Infinity}', "Infinity"),
        (b'{"task": "\xe9"}', "not UTF-8 at byte 11"),
        (b'{"task": "x"} {}', "Extra data at character 15"),
        (b'{"metadata": ' + b"[" * 100_000 + b"]" * 100_000 + b"}", "nested too deeply"),
        (b'{"metadata": ' + b"9" * 5000 + b"}", "not JSON"),
    ],
)
@pytest.mark.parametrize("first", [True, False])
def test_a_bad_line_is_told_with_its_number_and_the_others_are_read(
    tmp_path: Path, line: bytes, problem: str, first: bool
) -> None:
    file = tmp_path / "records"
    file.write_bytes(b"\n".join([line, b'{"task": "a"}'] if first else [b'{"task": "a"}', line]))
    read = {entry.place: entry for entry in entries(str(file))}
    bad, good = ("line 1", "line 2") if first else ("line 2", "line 1")
    assert read[good] == Entry(good, A)
    assert problem in read[bad].problem


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-be"])
def test_other_encodings_are_refused_clearly(tmp_path: Path, encoding: str) -> None:
    file = tmp_path / "records"
    file.write_bytes('{"task": "a"}\n{"task": "b"}\n'.encode(encoding))
    with pytest.raises(InvalidInput, match="save it as UTF-8"):
        list(entries(str(file)))


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ('[{"task": "a"},\n\n{"task" "b"}]', "line 3, character 9"),
        ('\n[{"task": "a"},\n{"task" "b"}]', "line 3, character 9"),
        ('{\n"task": "a",\n}', "line 3, character 1"),
        ('\n\n{\n\n"task": "a"', "line 5, character 12"),
        ("task,outcome\na,success\n", "character 1"),
    ],
)
def test_a_damaged_document_is_refused_as_a_whole(tmp_path: Path, text: str, where: str) -> None:
    file = tmp_path / "records"
    file.write_bytes(text.encode())
    with pytest.raises(InvalidInput, match=where):
        list(entries(str(file)))


def test_a_source_that_cannot_be_read(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "absent", Path(f"{tmp_path}/\0")):
        with pytest.raises(InvalidInput, match="cannot be read"):
            list(entries(str(path)))


def test_lines_are_read_one_by_one(tmp_path: Path) -> None:
    file = tmp_path / "records"
    file.write_bytes(b'{"task": "a"}\n' * 3)
    read = entries(str(file))
    assert next(read).place == "line 1"
    with file.open("ab") as more:
        more.write(b'{"task": "late"}\n' * 100_000)
    assert sum(1 for _ in read) > 100_000, "the whole file was read before its first line was given"
