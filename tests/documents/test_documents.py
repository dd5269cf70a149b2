"""What the documents show runs, and what they name exists."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from graphmem import Settings
from graphmem.settings import Connection

ROOT = Path(__file__).parents[2]
PAGES = ("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md")


def blocks(page: str, language: str) -> list[str]:
    """The fenced blocks of one language in a page."""
    return re.findall(rf"```{language}\n(.*?)```", (ROOT / page).read_text("utf-8"), re.DOTALL)


@pytest.fixture
def environment(settings: Settings, at: Connection, tenant: str, tmp_path: Path) -> dict[str, str]:
    """What a shell needs to work with this run's server, as this test's tenant."""
    assert at.password is not None
    (tmp_path / "graphmem").write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m graphmem "$@"\n')
    (tmp_path / "graphmem").chmod(0o755)
    return {
        **os.environ,
        "PATH": f"{tmp_path}:{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT),
        "GRAPHMEM_TENANT": tenant,
        "GRAPHMEM_CACHE": str(settings.cache),
        "GRAPHMEM_NEO4J__URI": at.uri,
        "GRAPHMEM_NEO4J__USER": at.user,
        "GRAPHMEM_NEO4J__PASSWORD": at.password.get_secret_value(),
    }


def test_the_example_of_the_readme_finds_what_it_recorded(environment: dict[str, str], tenant: str) -> None:
    (example,) = blocks("README.md", "python")
    ran = subprocess.run(
        [sys.executable, "-W", "error", "-c", example.replace('tenant="acme"', f"tenant={tenant!r}")],
        env=environment, capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr
    assert '<memory id="etl-7" kind="episode" outcome="success"' in ran.stdout
    assert "vacuum the staging schema -\\u003e 41 GB freed" in ran.stdout


def test_the_commands_of_the_readme_find_what_they_recorded(environment: dict[str, str]) -> None:
    (script,) = [block for block in blocks("README.md", "sh") if "graphmem record" in block]
    script = script.replace("export GRAPHMEM_TENANT=acme\n", "")
    ran = subprocess.run(
        ["sh", "-euc", script], env=environment, capture_output=True, text=True, check=False, timeout=120
    )
    assert ran.returncode == 0, ran.stderr
    assert "Rotate the API key of the mailer" in ran.stdout


@pytest.mark.parametrize("page", PAGES)
def test_links_and_scripts_that_a_page_names_exist(page: str) -> None:
    text = (ROOT / page).read_text("utf-8")
    linked = re.findall(r"\]\((?!https?:)([^)#]+)", text)
    named = re.findall(r"\bscripts/[a-z_]+", text)
    missing = [path for path in [*linked, *named] if not (ROOT / path).exists()]
    assert not missing


@pytest.mark.parametrize("page", [*PAGES, *(f"docs/{path.name}" for path in sorted((ROOT / "docs").glob("*.md")))])
def test_a_link_leads_to_the_file_that_its_words_name(page: str) -> None:
    text = re.sub(r"^```.*?^```$", "", (ROOT / page).read_text("utf-8"), flags=re.DOTALL | re.MULTILINE)
    guides = {path.stem: path for path in (ROOT / "docs").glob("*.md")}
    wrong = []
    for words, target in re.findall(r"\[([^\]]+)\]\((?!https?:)([^)#]+)", text):
        led = ((ROOT / page).parent / target).resolve()
        name = words.lower()
        meant = guides.get(name) or guides.get(f"{name}s") or guides.get(name.removesuffix("s"))
        if "/" in words or words.endswith(".md"):
            meant = led if str(led).endswith(f"/{words}") else ROOT / words
        if not led.exists() or meant not in (None, led):
            wrong.append((words, target))
    assert wrong == []


def test_the_extras_of_the_readme_are_those_that_exist() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
    table = (ROOT / "README.md").read_text("utf-8").partition("| extra | what for |")[2].partition("\n\n")[0]
    named = [name for row in table.splitlines() for name in re.findall(r"`([\w-]+)`", row.partition(" | ")[0])]
    assert sorted(named) == sorted(extras)


def test_the_settings_of_the_readme_are_those_that_exist() -> None:
    named: set[str] = set()
    for row in (ROOT / "README.md").read_text("utf-8").splitlines():
        whole = re.findall(r"GRAPHMEM_([A-Z0-9_]*[A-Z0-9])", row)
        tails = re.findall(r"`__([A-Z_]+)`", row)
        named |= set(whole) | {f"{whole[0].split('__')[0]}__{tail}" for tail in tails}
    for name in named:
        section, _, field = name.lower().partition("__")
        assert section in Settings.model_fields, name
        nested = Settings.model_fields[section].annotation
        assert not field or field in nested.model_fields, name  # type: ignore[union-attr]
    assert {name.lower().partition("__")[0] for name in named} == set(Settings.model_fields)
