"""The guides: every command and example runs as it stands there, in the order of the page, and prints what it says.

A fence `sh` or `python` is run, each in a process of its own; a fence `text` right after it is what that prints.
"""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from contextlib import nullcontext
from pathlib import Path
from typing import LiteralString, cast

import neo4j
import pytest

from graphmem import Settings
from graphmem.settings import Connection
from graphmem.store.catalogue import names, statement
from tests.cli.shell import clean

ROOT = Path(__file__).parents[2]
GUIDES = (
    "first-steps",
    "recording",
    "reading-a-recall",
    "correcting",
    "consolidation",
    "operating",
    "security",
    "from-a-vector-store",
    "beyond-one-machine",
)
_FENCE = re.compile(r"^```(\w+)\n(.*?)^```$(?:\n\n```text\n(.*?)^```$)?", re.DOTALL | re.MULTILINE)
RUN = {"sh": ["sh", "-euc"], "python": [sys.executable, "-W", "error", "-c"]}


def page(guide: str) -> str:
    """The text of a guide."""
    return (ROOT / "docs" / f"{guide}.md").read_text("utf-8")


@pytest.fixture
def env(settings: Settings, tenant: str, tmp_path: Path) -> dict[str, str]:
    """The environment of somebody who works with the private server of this run."""
    (tmp_path / "bin").mkdir()
    program = tmp_path / "bin" / "graphmem"
    program.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m graphmem "$@"\n')
    program.chmod(0o755)
    (tmp_path / "bin" / "python").symlink_to(sys.executable)
    made = clean(
        GRAPHMEM_HOME=str(settings.home),
        GRAPHMEM_CACHE=str(settings.cache),
        GRAPHMEM_INSTANCE=settings.instance,
        GRAPHMEM_OUTBOX__PATH=str(tmp_path / "outbox.sqlite"),
        GRAPHMEM_TENANT=tenant,
    )
    return {**made, "PATH": f"{program.parent}:{made['PATH']}"}


@pytest.mark.parametrize("guide", GUIDES)
def test_a_guide_does_what_it_says(guide: str, env: dict[str, str], tenant: str, tmp_path: Path) -> None:
    examples = [found.groups() for found in _FENCE.finditer(page(guide)) if found[1] in RUN]
    assert examples
    (tmp_path / "work").mkdir()
    for language, example, printed in examples:
        mine = example.replace('tenant="acme"', f'tenant="{tenant}"').replace(
            "GRAPHMEM_TENANT=acme", f"GRAPHMEM_TENANT={tenant}"
        )
        ran = subprocess.run(
            [*RUN[language], mine],
            env=env,
            cwd=tmp_path / "work",
            capture_output=True,
            text=True,
            check=False,
            timeout=300,
        )
        assert ran.returncode == 0, f"{example}\n{ran.stderr}"
        if printed is not None:
            assert ran.stdout.replace(tenant, "acme") == printed, example


@pytest.mark.parametrize("guide", GUIDES)
def test_a_guide_is_short_and_links_to_what_is_there(guide: str) -> None:
    text = page(guide)
    prose = re.sub(r"^```.*?^```$", "", text, flags=re.DOTALL | re.MULTILINE).splitlines()
    assert len(text.splitlines()) <= 150
    assert [line for line in prose if len(line) > 120 and not line.startswith("|")] == []
    linked = re.findall(r"\]\((?!https?:)([^)#]+)", text)
    assert [path for path in linked if not (ROOT / "docs" / path).exists()] == []


def test_the_readme_leads_to_every_page() -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    pages = {path.name for path in (ROOT / "docs").glob("*.md")}
    assert {name for name in pages if f"docs/{name}" not in readme} == set()


def test_the_roles_of_the_guide_are_cypher_that_the_server_reads(at: Connection) -> None:
    (block,) = re.findall(r"^```cypher\n(.*?)^```$", page("beyond-one-machine"), re.DOTALL | re.MULTILINE)
    commands = [command.strip() for command in block.split(";") if command.strip()]
    assert len(commands) > 15
    auth = (at.user, at.password.get_secret_value()) if at.password else None
    with neo4j.GraphDatabase.driver(at.uri, auth=auth) as driver:
        for command in commands:
            # Community parses what is said of roles, and then says that it has none.
            refused = ".UnsupportedAdministrationCommand" if "USER agent" not in command else None
            with pytest.raises(neo4j.exceptions.ClientError) if refused else nullcontext() as told:
                driver.execute_query(cast("LiteralString", f"EXPLAIN {command}"), database_="system")
            assert refused is None or str(told.value.code).endswith(refused), command
        with pytest.raises(neo4j.exceptions.ClientError) as wrong:
            driver.execute_query("EXPLAIN GRANT SET PROPERTIES ON GRAPH memories TO x", database_="system")
        assert str(wrong.value.code).endswith(".SyntaxError")


def test_only_a_job_and_an_erasure_delete_nodes() -> None:
    deleting = {name for name in names() if re.search(r"\bDELETE\b", statement(name).text)}
    of_links = {"correct/correct", "correct/misled"}
    assert {
        name for name in deleting - of_links if not name.startswith(("erase/", "govern/retention_", "jobs/"))
    } == set()
    for name in of_links:
        assert not re.search(r"DETACH\s+DELETE", statement(name).text)
