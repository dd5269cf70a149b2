"""What the page about agents shows runs as it stands there."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from graphmem import Settings
from graphmem.settings import Connection

ROOT = Path(__file__).parents[2]
EXAMPLES = re.findall(r"```python\n(.*?)```", (ROOT / "docs" / "agent.md").read_text("utf-8"), re.DOTALL)


@pytest.mark.parametrize("number", range(len(EXAMPLES)))
def test_an_example_runs_and_ends_well(
    settings: Settings, at: Connection, tenant: str, tmp_path: Path, number: int
) -> None:
    assert at.password is not None
    environment = {
        **os.environ,
        "PYTHONPATH": str(ROOT),
        "GRAPHMEM_CACHE": str(settings.cache),
        "GRAPHMEM_NEO4J__URI": at.uri,
        "GRAPHMEM_NEO4J__USER": at.user,
        "GRAPHMEM_NEO4J__PASSWORD": at.password.get_secret_value(),
    }
    example = EXAMPLES[number].replace('tenant="acme"', f"tenant={tenant!r}")
    ran = subprocess.run(
        [sys.executable, "-W", "error", "-c", example],
        env=environment, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=240,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.startswith("success ")
    assert (tmp_path / ("sorted.txt", "curve.svg")[number]).exists()
