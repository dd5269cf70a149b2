"""docker-compose.yml offers what the private server is."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from graphmem.server.lock import read_lock
from graphmem.server.status import NEO4J

FILE = Path(__file__).parents[2] / "docker-compose.yml"


@pytest.fixture
def compose() -> Any:
    return yaml.safe_load(FILE.read_text("utf-8"))


@pytest.fixture
def service(compose: Any) -> Any:
    (only,) = compose["services"].values()
    return only


def test_it_runs_the_locked_version_of_the_community_edition(service: Any) -> None:
    assert service["image"] == f"neo4j:{read_lock().version(NEO4J)}-community"


def test_it_brings_gds(service: Any) -> None:
    assert json.loads(service["environment"]["NEO4J_PLUGINS"]) == ["graph-data-science"]


def test_it_listens_on_this_machine_alone(service: Any) -> None:
    assert sorted(service["ports"]) == ["127.0.0.1:7474:7474", "127.0.0.1:7687:7687"]


def test_it_does_not_start_without_a_password(service: Any) -> None:
    assert re.fullmatch(r"neo4j/\$\{GRAPHMEM_NEO4J__PASSWORD:\?.+\}", service["environment"]["NEO4J_AUTH"])


def test_it_is_healthy_when_gds_answers_over_bolt(service: Any) -> None:
    kind, command = service["healthcheck"]["test"]
    assert kind == "CMD-SHELL"
    # '$$' is how Compose writes the '$' that the container's shell shall see.
    assert command.replace("$$", "") == command.replace("$$", "$").replace("$", "")
    assert "cypher-shell" in command
    assert "gds.version()" in command


def test_its_data_outlive_it(compose: Any, service: Any) -> None:
    volume, place = service["volumes"][0].split(":")
    assert place == "/data"
    assert volume in compose["volumes"]
