"""The commands of the private server, as far as they go without one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner, Result

from graphmem.cli.server import register


@pytest.fixture
def app() -> typer.Typer:
    app = typer.Typer()
    register(app)
    return app


def invoke(app: typer.Typer, home: Path, *arguments: str) -> Result:
    return CliRunner().invoke(app, arguments, env={"GRAPHMEM_HOME": str(home), "GRAPHMEM_INSTANCE": "mine"})


def test_status_of_a_server_that_does_not_run(app: typer.Typer, tmp_path: Path) -> None:
    told = json.loads(invoke(app, tmp_path, "status", "--json").stdout)
    assert told["name"] == "mine"
    assert told["running"] is False
    assert told["pid"] is told["uri"] is told["browser"] is None
    assert told["data_bytes"] == 0
    assert "Server 'mine' does not run" in invoke(app, tmp_path, "status").stdout


def test_the_name_outranks_the_environment(app: typer.Typer, tmp_path: Path) -> None:
    assert json.loads(invoke(app, tmp_path, "status", "--json", "--name", "other").stdout)["name"] == "other"


def test_down_twice_is_fine(app: typer.Typer, tmp_path: Path) -> None:
    for _ in range(2):
        result = invoke(app, tmp_path, "down")
        assert result.exit_code == 0
        assert result.stdout == "Server 'mine' was not running.\n"


def test_doctor_says_what_to_do(app: typer.Typer, tmp_path: Path) -> None:
    result = invoke(app, tmp_path, "doctor", "--json")
    assert result.exit_code == 1
    told = json.loads(result.stdout)
    assert told["ok"] is False
    server = next(check for check in told["checks"] if check["name"] == "server")
    assert server["ok"] is False
    assert server["remedy"] == "run 'graphmem up'"
    assert all(check["ok"] == (check["remedy"] == "") for check in told["checks"])
    assert "-> run 'graphmem up'" in invoke(app, tmp_path, "doctor").stdout


def test_doctor_of_a_given_address_looks_only_there(app: typer.Typer, tmp_path: Path) -> None:
    env = {"GRAPHMEM_HOME": str(tmp_path), "GRAPHMEM_NEO4J__URI": "bolt://127.0.0.1:9"}
    result = CliRunner().invoke(app, ["doctor", "--json"], env=env)
    *models, database = json.loads(result.stdout)["checks"]
    assert [check["name"] for check in models] == ["embedding", "llm"]
    assert database["name"] == "database"
    assert "bolt://127.0.0.1:9" in database["found"]


def test_doctor_shows_where_models_are_asked_and_no_key(app: typer.Typer, tmp_path: Path) -> None:
    env = {
        "GRAPHMEM_HOME": str(tmp_path), "GRAPHMEM_NEO4J__URI": "bolt://127.0.0.1:9",
        "GRAPHMEM_LLM__MODEL": "small", "GRAPHMEM_LLM__BASE_URL": "http://127.0.0.1:8",
        "GRAPHMEM_LLM__API_KEY": "sk-1234",
        "GRAPHMEM_EMBEDDING__MODEL": "openai:wide", "GRAPHMEM_EMBEDDING__DIMENSIONS": "384",
    }  # fmt: skip
    result = CliRunner().invoke(app, ["doctor", "--json"], env=env)
    found = {check["name"]: check["found"] for check in json.loads(result.stdout)["checks"]}
    assert found["llm"] == "small at http://127.0.0.1:8/v1"
    assert found["embedding"] == "wide at http://127.0.0.1:8/v1"
    assert "sk-1234" not in result.output
