"""What the guide shows of LangGraph runs as it stands there."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

from graphmem import Settings
from graphmem.settings import Connection

ROOT = Path(__file__).parents[3]


def test_the_example_of_the_guide_gains_from_its_first_run(settings: Settings, at: Connection, tenant: str) -> None:
    section = (ROOT / "docs" / "adapters.md").read_text("utf-8").partition("\n## LangGraph\n")[2].partition("\n## ")[0]
    (example,) = re.findall(r"```python\n(.*?)```", section, re.DOTALL)
    assert at.password is not None
    environment = {
        **os.environ,
        "PYTHONPATH": str(ROOT),
        "GRAPHMEM_CACHE": str(settings.cache),
        "GRAPHMEM_NEO4J__URI": at.uri,
        "GRAPHMEM_NEO4J__USER": at.user,
        "GRAPHMEM_NEO4J__PASSWORD": at.password.get_secret_value(),
    }
    ran = subprocess.run(
        [sys.executable, "-W", "error", "-c", example.replace('"acme"', repr(tenant))],
        env=environment, capture_output=True, text=True, check=False, timeout=240,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr
    first, second = ran.stdout.split()
    assert first == "novel"
    assert second in ("use", "verify")
