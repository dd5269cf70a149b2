"""`graphmem record --file`: every good record is stored, every other one is told."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from pathlib import Path

import pytest

from tests.cli.shell import COMMAND, Inside, Shell, strict

ASCII = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
WINDOWS = (
    b"\xef\xbb\xbf"
    + '{"kind": "episode", "id": "first", "task": "Zurück — 日本", "outcome": "success"}\r\n\r\n'.encode()
    + '{"kind": "reflection", "id": "second", "insight": "one\u2028line", "sources": ["first"]}\r\n'.encode()
    + b'{"kind": "skill", "id": "third", "name": "n", "steps": ["s"], "approved_by": "Ann", "sources": ["second"]}'
)


@pytest.mark.parametrize("by", ["file", "stdin"])
def test_a_file_from_windows_read_in_an_ascii_locale(shell: Shell, tmp_path: Path, by: str) -> None:
    folder = tmp_path / "mein ordner\\zurück"
    folder.mkdir()
    file = folder / "日本 é.jsonl"
    file.write_bytes(WINDOWS)
    plain = Shell(shell.env | ASCII | {"GRAPHMEM_EMBEDDING__MODEL": "none"})
    told = plain("record", "--file", file) if by == "file" else plain("record", "--file", "-", stdin=WINDOWS)
    assert told.code == 0
    assert told.out == "3 created\n"
    stored = {row["id"]: row["memory"] for row in plain("list", "--json").json}
    assert stored["first"]["task"] == "Zurück — 日本"
    assert stored["second"]["insight"] == "one\u2028line"
    assert stored["third"]["sources"] == ["second"]


def test_what_cannot_be_stored_is_told_with_its_line(wordy: Inside) -> None:
    lines = [
        '{"id": "a", "task": "good", "outcome": "success"}',
        "",
        '{"id": "b", "task": ""}',
        '{"id": "c", "task": "broken"',
        '{"id": "d", "kind": "episodes", "task": "x"}',
        '{"id": "e", "task": "x", "colour": "red"}',
        '{"id": "a", "task": "other words", "outcome": "success"}',
        '{"id": "f", "kind": "reflection", "insight": "x", "sources": ["nobody"]}',
        "[1]",
        '{"id": "z", "task": "also good", "outcome": "fail"}',
    ]
    told = wordy("record", "--file", "-", "--json", stdin="\n".join(lines))
    assert told.code == 1
    answers = strict(told.out)
    results = ["created", "invalid", "invalid", "invalid", "invalid", "conflict", "no source", "invalid", "created"]
    assert [answer["result"] for answer in answers] == results
    assert [answer["id"] for answer in answers] == ["a", "b", None, "d", "e", "a", "f", None, "z"]
    for number, answer in zip((3, 4, 5, 6, 7, 8, 9), answers[1:8], strict=True):
        assert answer["problem"].startswith(f"line {number}: ")
        assert f"graphmem: {answer['problem']}\n" in told.err
    assert "Episode.colour" in answers[4]["problem"]
    assert {row["id"] for row in wordy("list", "--json").json} == {"a", "z"}
    again = wordy("record", "--file", "-", stdin=lines[0] + "\n" + lines[-1])
    assert (again.code, again.out) == (0, "2 unchanged\n")


def test_an_array_and_an_object(wordy: Inside, tmp_path: Path) -> None:
    one = {"id": "one", "task": "t", "trajectory": [{"action": "a", "observation": "o"}]}
    file = tmp_path / "one.json"
    file.write_text(json.dumps(one, indent=2), "utf-8")
    assert [answer["id"] for answer in wordy("record", "--file", file, "--json").json] == ["one"]
    assert wordy("get", "one", "--json").json["memory"]["trajectory"][0]["observation"] == "o"
    told = wordy("record", "--file", "-", stdin=json.dumps([one, 7, {"id": "two", "task": "t"}]))
    assert told.code == 1
    assert told.out == "1 created, 1 unchanged, 1 invalid\n"
    assert told.err.startswith("graphmem: item 2: int is no memory")
    assert wordy("record", "--file", "-", "--json", stdin="").json == []


def test_of_a_file_that_is_not_there_only_the_error_is_told(wordy: Inside, tmp_path: Path) -> None:
    for options in ((), ("--json",)):
        told = wordy("record", "--file", tmp_path / "no.jsonl", *options)
        assert told.out == ""
        assert told.refusal == f"file '{tmp_path / 'no.jsonl'}' cannot be read: No such file or directory"
    assert wordy("record", "--file", "-").out == "no records\n"


@pytest.mark.parametrize(
    "content",
    [
        '{"id": "a", "task": "x", "outcome": "success"}\n'.encode("utf-16"),
        b'[{"id": "a", "task": "x", "outcome": "success"},',
        b"id,task\na,x\n",
    ],
)
def test_a_file_that_is_refused_stores_nothing(wordy: Inside, tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "file"
    file.write_bytes(content)
    for source, stdin in ((file, b""), ("-", content)):
        told = wordy("record", "--file", source, stdin=stdin)
        assert told.code == 1
        assert "Traceback" not in told.err
        assert told.err.count("\n") == 1
        assert told.out == ""
    assert wordy("list", "--json").json == []


def test_what_a_stopped_run_has_told_is_stored(shell: Shell) -> None:
    """Ctrl-C in the middle of an endless input: the answers so far are whole JSON, and true."""
    env = shell.env | {"GRAPHMEM_EMBEDDING__MODEL": "none"}
    ours = signal.signal(signal.SIGINT, signal.default_int_handler)  # an ignored signal would be inherited
    running = subprocess.Popen(
        [*COMMAND, "record", "--file", "-", "--json"],
        env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0,
    )  # fmt: skip
    signal.signal(signal.SIGINT, ours)
    assert running.stdin is not None
    assert running.stdout is not None
    lines = [b'{"id": "e%d", "task": "t", "outcome": "success"}\n' % number for number in range(300)]
    assert running.stdin.write(b"".join(lines)) == sum(map(len, lines))
    told = running.stdout.readline() + running.stdout.readline()
    os.kill(running.pid, signal.SIGINT)
    out, err = running.communicate(timeout=60)
    assert running.returncode == 130
    assert b"Traceback" not in err
    answers = strict((told + out).decode())
    stored = Inside(env)("list", "--limit", "1000", "--json").json
    assert {answer["id"] for answer in answers} == {row["id"] for row in stored}
    assert len(answers) == 256
