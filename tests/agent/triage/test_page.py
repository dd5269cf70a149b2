"""What the page about triage shows runs, and ends as it says."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from graphmem import Settings
from graphmem.settings import Connection

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "triage.md").read_text("utf-8")


@pytest.fixture
def environment(settings: Settings, at: Connection, tenant: str, tmp_path: Path) -> dict[str, str]:
    assert at.password is not None
    (tmp_path / "graphmem").write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m graphmem "$@"\n')
    (tmp_path / "graphmem").chmod(0o755)
    return {
        **os.environ,
        "PATH": f"{tmp_path}:{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT),
        "GRAPHMEM_CACHE": str(settings.cache),
        "GRAPHMEM_NEO4J__URI": at.uri,
        "GRAPHMEM_NEO4J__USER": at.user,
        "GRAPHMEM_NEO4J__PASSWORD": at.password.get_secret_value(),
    }


def run(command: list[str], environment: dict[str, str], folder: Path) -> str:
    ran = subprocess.run(command, env=environment, cwd=folder, capture_output=True, text=True, check=False, timeout=240)
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


def test_the_commands_decide_as_the_page_says(environment: dict[str, str], tenant: str, tmp_path: Path) -> None:
    script = "\n".join(re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL)).replace("acme", tenant)
    out = run(["sh", "-euc", script], environment, tmp_path)
    for name, route, by in (("m5", "ignore", "examples"), ("m6", "respond", "examples"), ("m7", "notify", "policy")):
        assert re.search(rf"message {name} of {tenant}, domain email\nroute {route}, by {by}:", out), out
    assert out.index("1. triage-") < out.index("2. triage-")
    assert "source imap:3" in out
    lines = [line.split() for line in out.splitlines()]
    m7 = [line[1:3] for line in lines if line[:1] == ["m7"]]
    assert m7 == [["respond", "examples"], ["notify", "rule"]]


def test_the_example_runs(environment: dict[str, str], tenant: str, tmp_path: Path) -> None:
    (example,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    code = example.replace('tenant="acme"', f"tenant={tenant!r}")
    out = run([sys.executable, "-W", "error", "-c", code], environment, tmp_path)
    assert out.startswith("respond examples\nmessage t-2 of ")


def test_the_links_lead_somewhere() -> None:
    linked = re.findall(r"\]\((?!https?:)([^)#]+)", PAGE)
    assert linked
    assert [path for path in linked if not (ROOT / "docs" / path).exists()] == []
