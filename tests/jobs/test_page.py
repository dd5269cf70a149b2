"""What the page about jobs shows is what it seems: its commands run, its files are read as their programs read them."""

from __future__ import annotations

import configparser
import json
import re
import shlex
import subprocess
from typing import Annotated, Any, Literal

import pytest
import yaml
from apscheduler.triggers.cron import CronTrigger
from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from graphmem import Memory, Settings
from graphmem.jobs import JobState
from graphmem.schedule import JobName
from tests.documents.test_documents import ROOT, blocks, environment

__all__ = ["environment"]
PAGE = "docs/jobs.md"
TEXT = (ROOT / PAGE).read_text("utf-8")
Name = Annotated[str, StringConstraints(pattern=r"^[a-z0-9]([-a-z0-9]{0,50}[a-z0-9])?$")]


@pytest.fixture(autouse=True)
def lived(memory: Memory) -> None:
    """Something that the jobs have to do with."""
    memory.record({"task": "wind the clock", "outcome": "fail", "failure_reason": "no key"})


def ran(command: str, env: dict[str, str]) -> subprocess.CompletedProcess[str]:
    """A command of the page, which does its work."""
    done = subprocess.run(
        ["sh", "-euc", command], env=env | {"GRAPHMEM_EMBEDDING__MODEL": "none"},
        capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done


def test_the_commands_of_the_page_run(environment: dict[str, str]) -> None:
    scheduled, central = blocks(PAGE, "sh")
    assert "centrality of" in ran(scheduled, environment).stdout
    first, *rest = ran(central, environment).stdout.splitlines()
    assert first.startswith("skipped: nothing changed")
    assert json.loads(rest[-1])["state"] == "done"


def test_the_line_for_cron_runs(environment: dict[str, str], tenant: str) -> None:
    (lines,) = blocks(PAGE, "cron")
    setting, line = lines.splitlines()
    *fields, command = line.split(None, 5)
    CronTrigger.from_crontab(" ".join(fields))
    name, _, value = setting.partition("=")
    assert (name, value) == ("GRAPHMEM_TENANT", "acme")
    assert f"centrality of {tenant}" in ran(command, environment).stdout


def test_the_units_of_systemd_are_read_and_what_they_start_runs(environment: dict[str, str]) -> None:
    service, timer = (_unit(block) for block in blocks(PAGE, "ini"))
    assert service["Service"]["Type"] == "oneshot"
    assert re.fullmatch(r"\*:0/\d+", timer["Timer"]["OnCalendar"])
    assert timer["Install"]["WantedBy"] == "timers.target"
    command = service["Service"]["ExecStart"]
    assert not set(command) & set("|&;<>$`\"'\\"), "systemd starts programs without a shell"
    assert "centrality of" in ran(shlex.join(command.split()), environment).stdout


def _unit(text: str) -> configparser.ConfigParser:
    unit = configparser.ConfigParser(interpolation=None, delimiters=("=",))
    unit.optionxform = str  # type: ignore[assignment,method-assign]  # the way to keep the case of names
    unit.read_string(text)
    return unit


class Part(BaseModel):
    """A part of a CronJob, as the API of batch/v1 names its fields; what is not named here is not used."""

    model_config = ConfigDict(extra="forbid", strict=True)


class Named(Part):
    name: Name


class Secret(Part):
    secretRef: Named  # noqa: N815


class Variable(Part):
    name: Annotated[str, StringConstraints(pattern=r"^[A-Z_]+$")]
    value: str


class Container(Part):
    name: Name
    image: str
    command: list[str]
    envFrom: list[Secret]  # noqa: N815
    env: list[Variable]


class Pod(Part):
    restartPolicy: Literal["Never", "OnFailure"]  # noqa: N815
    containers: Annotated[list[Container], Field(min_length=1)]


class Template(Part):
    spec: Pod


class JobSpec(Part):
    backoffLimit: Annotated[int, Field(ge=0)]  # noqa: N815
    template: Template


class JobTemplate(Part):
    spec: JobSpec


class CronJobSpec(Part):
    schedule: str
    concurrencyPolicy: Literal["Allow", "Forbid", "Replace"]  # noqa: N815
    jobTemplate: JobTemplate  # noqa: N815


class CronJob(Part):
    apiVersion: Literal["batch/v1"]  # noqa: N815
    kind: Literal["CronJob"]
    metadata: Named
    spec: CronJobSpec


def test_the_cron_job_of_kubernetes_is_one_and_what_it_starts_runs(environment: dict[str, str]) -> None:
    (text,) = blocks(PAGE, "yaml")
    made = CronJob.model_validate(yaml.safe_load(text))
    CronTrigger.from_crontab(made.spec.schedule)
    assert made.spec.concurrencyPolicy == "Forbid"
    (container,) = made.spec.jobTemplate.spec.template.spec.containers
    given = {one.name: one.value for one in container.env}
    done = ran(shlex.join([*container.command, "--json"]), environment | given)
    assert [json.loads(line)["job"] for line in done.stdout.splitlines()] == [
        "consolidation",
        "retention",
        "centrality",
    ]


def test_the_tables_of_the_page_say_what_is_so() -> None:
    rows = re.findall(r"^\| (\w+) \| `graphmem [^|]+` \| `GRAPHMEM_SCHEDULE__(\w+)` \| (\d+) \|$", TEXT, re.MULTILINE)
    schedule: Any = Settings.model_fields["schedule"].default
    assert [(job, float(seconds)) for job, _, seconds in rows] == [
        (name.value, getattr(schedule, name.value)) for name in JobName
    ]
    assert all(job.upper() == setting for job, setting, _ in rows)
    ends = re.findall(r"^\| `(\w+)` \| [^|]+ \| (\d) \|$", TEXT, re.MULTILINE)
    assert {state for state, _ in ends} == {state.value for state in JobState} - {"running", "killed"}


@pytest.mark.parametrize("field", ["derives", "generalizes", "corrects", "relates", "exact_up_to", "samples"])
def test_the_page_names_the_settings_of_centrality_with_their_defaults(field: str) -> None:
    centrality: Any = Settings.model_fields["centrality"].default
    assert f"__{field.upper()}`" in TEXT
    assert re.search(rf"\b{re.escape(f'{getattr(centrality, field):g}')}\b", TEXT)


def test_links_of_the_page_lead_somewhere_and_lines_are_short() -> None:
    linked = re.findall(r"\]\((?!https?:)([^)#]+)", TEXT)
    assert [path for path in linked if not (ROOT / "docs" / path).exists()] == []
    assert max(map(len, TEXT.splitlines())) <= 120
