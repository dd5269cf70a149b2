"""`graphmem report`: a page on the disk, whole or not at all, and its owner's alone."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from graphmem import Memory, Settings
from graphmem.settings import Connection
from tests.cli.shell import Inside, Shell, environment
from tests.memories import won

Connect = Callable[..., Memory]


@pytest.fixture
def shell(settings: Settings, at: Connection, tenant: str) -> Shell:
    return Shell(environment(settings, at, tenant))


@pytest.fixture
def graphmem(shell: Shell) -> Inside:
    return Inside(shell.env)


def test_it_writes_a_page_that_its_owner_alone_can_read(graphmem: Inside, connect: Connect, tmp_path: Path) -> None:
    connect().record(won("a", "Oil the <hinge>"))
    file = tmp_path / "report.html"
    file.write_text("what was there before")
    file.chmod(0o644)
    ran = graphmem("report", "--output", file)
    assert (ran.code, ran.out, ran.err) == (0, f"the report is in {file}\n", "")
    assert file.read_text("utf-8").startswith("<!DOCTYPE html>")
    if os.name == "posix":
        assert file.stat().st_mode & 0o777 == 0o600
    assert [path.name for path in tmp_path.iterdir()] == ["report.html"], "no draft is left"


def test_without_a_name_it_is_in_the_working_folder(
    graphmem: Inside, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert graphmem("report").out == "the report is in graphmem-report.html\n"
    assert "Nothing was recorded yet" in (tmp_path / "graphmem-report.html").read_text("utf-8")


def test_as_json_it_is_what_the_verb_gives_and_no_page(
    graphmem: Inside, connect: Connect, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    memory = connect()
    memory.record_many([won("a", "Oil the hinge"), won("b", "Oil the lock")])
    memory.link("a", "b")
    memory.recall("Oil the hinge", receipt=True)
    told = graphmem("report", "--json").json
    wanted = memory.report().model_dump(mode="json")
    assert {**told, "at": None} == {**wanted, "at": None}
    assert [node["id"] for node in told["graph"]["nodes"]] == ["a", "b"]
    assert list(tmp_path.iterdir()) == []
    assert graphmem("report", "--json", "-o", "both.html").json["graph"] == told["graph"]
    assert (tmp_path / "both.html").exists()


def test_a_page_that_cannot_be_written_is_one_sentence(graphmem: Inside, tmp_path: Path) -> None:
    assert "cannot be written" in graphmem("report", "-o", tmp_path / "nowhere" / "x.html").refusal
    assert "no file that can be replaced" in graphmem("report", "-o", tmp_path).refusal


def test_while_the_store_is_away_no_page_is_written(graphmem: Inside, tmp_path: Path) -> None:
    file = tmp_path / "report.html"
    file.write_text("what was there before")
    away = {"GRAPHMEM_NEO4J__URI": "bolt://127.0.0.1:9", "GRAPHMEM_NEO4J__TIMEOUT": "2"}
    assert "bolt://127.0.0.1:9" in graphmem("report", "-o", file, **away).refusal
    assert file.read_text() == "what was there before"


@pytest.mark.skipif(os.name != "posix", reason="a browser is a shell script here")
def test_it_opens_the_page_in_the_browser_of_the_system(shell: Shell, tmp_path: Path) -> None:
    file, seen, browser = tmp_path / "the report.html", tmp_path / "seen", tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\nprintf %s "$1" > "{seen}"\n')
    browser.chmod(0o755)
    ran = shell("report", "-o", file, "--open", BROWSER=str(browser))
    assert (ran.code, ran.err) == (0, "")
    assert seen.read_text() == file.as_uri()
    browser.write_text("#!/bin/sh\nexit 1\n")
    ran = shell("report", "-o", file, "--open", BROWSER=str(browser), PATH=str(Path(sys.executable).parent))
    assert ran.code == 0
    assert ran.err == f"graphmem: no browser could be opened; open {file} in one\n"


def test_the_command_line_starts_without_what_makes_pages(shell: Shell) -> None:
    heavy = "{'jinja2', 'prometheus_client'}"
    program = f"import sys, graphmem.cli, graphmem.memory; print(sorted({heavy} & set(sys.modules)))"
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, env=shell.env)
    assert ran.stdout.strip() == "[]"


def test_a_receipt_moves_with_how_long_it_took_and_old_files_are_read(
    connect: Connect, tmp_path: Path, tenant: str, cypher: Callable[..., list[dict[str, Any]]]
) -> None:
    memory = connect()
    memory.record(won("a", "Oil the hinge"))
    found = memory.recall("Oil the hinge", receipt=True)
    file, old = tmp_path / "new.jsonl", tmp_path / "old.jsonl"
    memory.export(file)
    (line,) = [line for line in file.read_text("utf-8").splitlines() if '"kind":"receipt"' in line]
    field = f'"milliseconds":{found.milliseconds},'
    assert field in line
    old.write_text(file.read_text("utf-8").replace(field, ""), "utf-8")
    for source, took in ((file, found.milliseconds), (old, None)):
        memory.erase(everything=True)
        memory.load(source)
        rows = cypher("MATCH (r:Recall {tenant: $t}) RETURN r.milliseconds AS took", t=tenant)
        assert rows == [{"took": took}]
        assert memory.report().speed.measured == (took is not None)
        again = tmp_path / "again.jsonl"
        memory.export(again)
        assert again.read_bytes() == source.read_bytes()
