"""docker-compose.yml offers what the private server is, and the jobs beside it; what it runs is run here."""

from __future__ import annotations

import json
import re
import shlex
import signal
import subprocess
import sys
from pathlib import Path
from typing import Annotated, Any, Literal

import pytest
import yaml
from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from graphmem import Memory, Settings
from graphmem.server.lock import read_lock
from graphmem.server.status import NEO4J
from graphmem.settings import Connection
from tests.cli.shell import ROOT, environment

FILE = ROOT / "docker-compose.yml"
Duration = Annotated[str, StringConstraints(pattern=r"^(\d+(us|ms|s|m|h))+$")]
Text = Annotated[str, StringConstraints(min_length=1)]


class Part(BaseModel):
    """A part of the file, as the Compose Specification names its fields; what is not named here is not used."""

    model_config = ConfigDict(extra="forbid", strict=True)


class Condition(Part):
    condition: Literal["service_started", "service_healthy", "service_completed_successfully"]
    restart: bool = False
    required: bool = True


class Healthcheck(Part):
    test: Annotated[list[Text], Field(min_length=2)]
    interval: Duration
    timeout: Duration
    retries: Annotated[int, Field(ge=1)]
    start_period: Duration


class Service(Part):
    image: Annotated[str, StringConstraints(pattern=r"^[a-z0-9./-]+:[\w.-]+$")]
    profiles: list[Annotated[str, StringConstraints(pattern=r"^[a-zA-Z0-9][a-zA-Z0-9_.-]*$")]] = []
    depends_on: dict[str, Condition] = {}
    environment: dict[Annotated[str, StringConstraints(pattern=r"^\w+$")], str | None]
    ports: list[Annotated[str, StringConstraints(pattern=r"^[\d.]+:\d+:\d+$")]] = []
    volumes: list[Annotated[str, StringConstraints(pattern=r"^[\w./-]+:/[\w./-]+(:ro)?$")]] = []
    entrypoint: list[Text] = []
    command: list[Text] = []
    healthcheck: Healthcheck
    stop_grace_period: Duration = "10s"
    restart: Literal["no", "always", "on-failure", "unless-stopped"]


class Compose(Part):
    services: dict[str, Service]
    volumes: dict[str, None]


@pytest.fixture
def raw() -> Any:
    return yaml.safe_load(FILE.read_text("utf-8"))


@pytest.fixture
def compose(raw: Any) -> Compose:
    return Compose.model_validate(raw)


@pytest.fixture
def neo4j(compose: Compose) -> Service:
    return compose.services["neo4j"]


@pytest.fixture
def jobs(compose: Compose) -> Service:
    return compose.services["jobs"]


def test_what_it_names_is_there(compose: Compose) -> None:
    assert sorted(compose.services) == ["jobs", "neo4j"]
    for service in compose.services.values():
        assert set(service.depends_on) <= set(compose.services)
        named = {volume.split(":")[0] for volume in service.volumes} - {"."}
        assert named <= set(compose.volumes)


@pytest.mark.parametrize(
    ("service", "changed"),
    [
        ("neo4j", {"imagee": "x"}),
        ("neo4j", {"environment": {"NEO4J_dbms_usage__report_enabled": False}}),
        ("neo4j", {"ports": [7687]}),
        ("jobs", {"depends_on": {"neo4j": {"condition": "healthy"}}}),
        ("jobs", {"stop_grace_period": 120}),
    ],
)
def test_the_schema_refuses_what_compose_would_not_take(raw: Any, service: str, changed: dict[str, Any]) -> None:
    raw["services"][service] |= changed
    with pytest.raises(ValidationError):
        Compose.model_validate(raw)


def test_it_runs_the_locked_version_of_the_community_edition(neo4j: Service) -> None:
    assert neo4j.image == f"neo4j:{read_lock().version(NEO4J)}-community"


def test_it_brings_gds(neo4j: Service) -> None:
    assert json.loads(neo4j.environment["NEO4J_PLUGINS"] or "") == ["graph-data-science"]


def test_it_listens_on_this_machine_alone(neo4j: Service, jobs: Service) -> None:
    assert sorted(neo4j.ports) == ["127.0.0.1:7474:7474", "127.0.0.1:7687:7687"]
    assert jobs.ports == []


def test_it_does_not_start_without_a_password(neo4j: Service, jobs: Service) -> None:
    assert re.fullmatch(r"neo4j/\$\{GRAPHMEM_NEO4J__PASSWORD:\?.+\}", neo4j.environment["NEO4J_AUTH"] or "")
    assert jobs.environment["GRAPHMEM_NEO4J__PASSWORD"] == "${GRAPHMEM_NEO4J__PASSWORD:?}"


def test_its_data_outlive_it(compose: Compose, neo4j: Service) -> None:
    volume, place = neo4j.volumes[0].split(":")
    assert place == "/data"
    assert volume in compose.volumes


@pytest.fixture
def env(settings: Settings, at: Connection, tenant: str, tmp_path: Path) -> dict[str, str]:
    """What the services' commands find here: this run's server, and a `graphmem` on the path."""
    programs = tmp_path / "bin"
    programs.mkdir()
    _program(programs / "graphmem", f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m graphmem "$@"\n')
    given = {**environment(settings, at, tenant), "GRAPHMEM_EMBEDDING__MODEL": "none"}
    return {**given, "PATH": f"{programs}:{given['PATH']}"}


def _program(path: Path, text: str) -> None:
    path.write_text(text, "utf-8")
    path.chmod(0o755)


def _seen(command: list[str]) -> list[str]:
    """A command as a container gets it: '$$' is how Compose writes '$', and nothing else of it is replaced."""
    assert not any("$" in part.replace("$$", "") for part in command)
    return [part.replace("$$", "$") for part in command]


CYPHER_SHELL = """#!{python}
import os, sys
import neo4j
(query,) = sys.argv[1:]  # a password among them could be read by everybody
user, password = os.environ["NEO4J_USERNAME"], os.environ["NEO4J_PASSWORD"]
with neo4j.GraphDatabase.driver(os.environ["GRAPHMEM_NEO4J__URI"], auth=(user, password)) as driver:
    print(driver.execute_query(query).records[0].value())
"""


def test_the_database_is_healthy_when_gds_answers_over_bolt_to_the_password(
    neo4j: Service, env: dict[str, str], at: Connection, tmp_path: Path
) -> None:
    kind, command = neo4j.healthcheck.test
    assert kind == "CMD-SHELL"
    # cypher-shell is in the image alone: here the driver asks in its place.
    _program(tmp_path / "bin" / "cypher-shell", CYPHER_SHELL.format(python=sys.executable))
    assert at.password is not None
    password = at.password.get_secret_value()
    for given, code in ((password, 0), (f"{password}/more", 1)):
        ran = subprocess.run(
            ["/bin/sh", "-c", *_seen([command])],
            env=env | {"NEO4J_AUTH": f"neo4j/{given}"}, capture_output=True, text=True, check=False, timeout=60,
        )  # fmt: skip
        assert ran.returncode == code, ran.stderr
    assert "Unauthorized" in ran.stderr


def test_the_jobs_run_by_their_entry_command_are_healthy_and_end_when_they_are_told(
    jobs: Service, env: dict[str, str], tenant: str, memory: Memory
) -> None:
    memory.record({"task": "wind the clock", "outcome": "fail", "failure_reason": "no key"})
    kind, *check = jobs.healthcheck.test
    assert kind == "CMD"
    given = {
        name: value for name, value in jobs.environment.items() if name.startswith("GRAPHMEM_SCHEDULE__") and value
    }
    with subprocess.Popen(
        _seen([*jobs.entrypoint, *jobs.command]),
        env=env | given, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    ) as process:  # fmt: skip
        assert process.stdout is not None
        assert process.stderr is not None
        try:
            began = process.stderr.readline()
            ran = [process.stdout.readline() for _ in range(2)]
            healthy = subprocess.run(_seen(check), env=env, capture_output=True, text=True, check=False, timeout=60)
            # Docker sends SIGTERM to the process that it started, which is graphmem itself by then.
            process.send_signal(signal.SIGTERM)
            code = process.wait(60)
        finally:
            process.kill()
        rest = process.stderr.read()
    assert began == "graphmem: consolidation every 300 s, retention every 86400 s, centrality every 3600 s\n"
    assert [f"{job} of {tenant}" in "".join(ran) for job in ("consolidation", "centrality")] == [True, True]
    assert healthy.returncode == 0, healthy.stdout
    assert code == 0
    assert rest.endswith("graphmem: stopped\n")


def test_the_first_start_installs_the_checkout_and_then_runs_it(
    jobs: Service, env: dict[str, str], tmp_path: Path
) -> None:
    programs = tmp_path / "installed"
    programs.mkdir()
    _program(
        programs / "pip",
        f'#!/bin/sh\necho "pip $*"\nprintf "#!/bin/sh\\necho graphmem \\$*\\n" > {programs}/graphmem\n'
        f"/bin/chmod +x {programs}/graphmem\n",
    )
    for installed in (False, True):
        ran = subprocess.run(
            _seen([*jobs.entrypoint, *jobs.command]),
            env=env | {"PATH": str(programs)}, capture_output=True, text=True, check=True, timeout=60,
        )  # fmt: skip
        *before, last = ran.stdout.splitlines()
        assert last == "graphmem jobs schedule --everything"
        assert before == ([] if installed else ["pip install --quiet /graphmem[fast,local]"])
    mounted = dict(volume.split(":")[:2] for volume in jobs.volumes)
    assert mounted["."] == "/graphmem"


def test_the_jobs_know_the_settings_that_exist(jobs: Service) -> None:
    for name in jobs.environment:
        if name.startswith("GRAPHMEM_"):
            section, _, field = name.removeprefix("GRAPHMEM_").lower().partition("__")
            annotation = Settings.model_fields[section].annotation
            assert not field or field in annotation.model_fields, name  # type: ignore[union-attr]
