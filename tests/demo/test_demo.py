"""The demonstration in a small size, on the real simulator and the real database."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from graphmem.cli.demo import register
from graphmem.settings import Connection, Settings
from tests.cli.shell import ROOT, clean

TASKS = ("find-living-thing", "use-thermometer")


@pytest.fixture
def app(monkeypatch: pytest.MonkeyPatch, at: Connection) -> typer.Typer:
    """The command, led to the server of this run."""
    assert at.password is not None
    monkeypatch.setenv("GRAPHMEM_NEO4J__URI", at.uri)
    monkeypatch.setenv("GRAPHMEM_NEO4J__USER", at.user)
    monkeypatch.setenv("GRAPHMEM_NEO4J__PASSWORD", at.password.get_secret_value())
    made = typer.Typer()
    made.callback()(lambda: None)
    register(made)
    return made


def test_a_small_demonstration_ends_with_its_scores_a_picture_and_a_graph(
    app: typer.Typer, tmp_path: Path, cypher: Callable[..., list[dict[str, Any]]]
) -> None:
    picture = tmp_path / "curve.png"
    small = ["--tasks", ",".join(TASKS), "--variations", "1", "--lives", "1", "--picture", str(picture), "--json"]
    before = _tenants(cypher)
    done = CliRunner().invoke(app, ["demo", *small])
    assert done.exit_code == 0, done.output
    answer = json.loads(done.stdout.splitlines()[-1])
    assert answer["variations"] == len(TASKS)
    assert list(answer["scores"]) == ["empty", "random", "literal", "memory", "after_correction"]
    assert all(0 <= score <= 100 for score in answer["scores"].values())
    assert answer["scores"]["memory"] > answer["scores"]["literal"]
    assert "simplification 'easy'" in done.stderr
    assert picture.read_bytes().startswith(b"\x89PNG")
    (tenant,) = _tenants(cypher) - before
    _nothing_of_the_test_was_recorded(tenant, cypher)
    _lessons_skills_and_a_dispute_are_there(tenant, cypher)
    assert f"graphmem explore --tenant {tenant}" in done.stderr or "Neo4j Browser" not in done.stderr
    assert f"\n  graphmem review --tenant {tenant}\n" in done.stderr
    assert "best: the highest score during a run" in done.stderr
    assert "graphmem down" not in done.stderr, "it is not the demo's server"


def test_an_unknown_task_is_refused_by_name(app: typer.Typer) -> None:
    done = CliRunner().invoke(app, ["demo", "--tasks", "fly-to-the-moon"])
    assert done.exit_code != 0
    assert "fly-to-the-moon" in str(done.exception)
    assert "is kept" not in done.output


def test_where_nothing_was_recorded_it_says_how_to_stop_its_server_and_no_more(
    app: typer.Typer, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("GRAPHMEM_NEO4J__URI")
    monkeypatch.setenv("GRAPHMEM_HOME", str(settings.home))
    done = CliRunner().invoke(app, ["demo", "--name", settings.instance, "--tasks", "fly-to-the-moon"])
    assert done.output.splitlines()[1:] == ["the server runs on; this stops it:", "  graphmem down --name tests"]


@pytest.mark.parametrize("part", ["scienceworld", "py4j", "matplotlib"])
def test_without_its_extra_it_starts_nothing(part: str, tmp_path: Path) -> None:
    program = f"import sys; sys.modules[{part!r}] = None; sys.argv = ['graphmem', 'demo']\n"
    ran = subprocess.run(
        [sys.executable, "-c", f"{program}from graphmem.cli import main; main()"],
        env=clean(GRAPHMEM_HOME=str(tmp_path)), cwd=ROOT, capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip
    assert (ran.returncode, ran.stdout) == (1, "")
    assert ran.stderr == f"graphmem: the demo needs {part}; run: pip install 'graphmem[demo]'\n"
    assert list(tmp_path.iterdir()) == []


def _tenants(cypher: Callable[..., list[dict[str, Any]]]) -> set[str]:
    rows = cypher("MATCH (e:Episode) WHERE e.tenant STARTS WITH 'demo-' RETURN DISTINCT e.tenant AS tenant")
    return {row["tenant"] for row in rows}


def _nothing_of_the_test_was_recorded(tenant: str, cypher: Callable[..., list[dict[str, Any]]]) -> None:
    rows = cypher("MATCH (e:Episode {tenant: $tenant}) RETURN e.id AS id", tenant=tenant)
    kinds = [row["id"].split("-")[0] for row in rows]
    assert kinds.count("lived") == len(TASKS)
    assert set(kinds) == {"gold", "lived"}
    assert 3 * len(TASKS) <= kinds.count("gold") <= 4 * len(TASKS)


def _lessons_skills_and_a_dispute_are_there(tenant: str, cypher: Callable[..., list[dict[str, Any]]]) -> None:
    rows = cypher("MATCH (m:Memory {tenant: $tenant}) RETURN m.kind AS kind, count(*) AS n", tenant=tenant)
    assert {"episode", "reflection", "skill"} <= {row["kind"] for row in rows}
    disputed = (
        "MATCH (:Memory {tenant: $tenant})-[e:RELATES {kind: 'contradicts', by: 'onlooker'}]->() RETURN e.at AS at"
    )
    assert len(cypher(disputed, tenant=tenant)) == 1
