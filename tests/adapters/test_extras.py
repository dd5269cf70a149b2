"""Without an extra one clear error names it; without being asked nothing of a framework is imported."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.cli.shell import ROOT, clean

WITHOUT = """
import sys

class Without:
    def find_spec(self, name, path=None, target=None):
        if name in ("mcp", "agents"):
            raise ModuleNotFoundError(f"No module named {name!r}")

sys.meta_path.insert(0, Without())
"""
EXTRAS = {
    "mcp": "sys.argv = ['graphmem', 'mcp', '--tenant', 'acme']\nfrom graphmem.cli import main\nmain()",
    "mcp over http": "sys.argv = ['graphmem', 'mcp', '--http']\nfrom graphmem.cli import main\nmain()",
    "openai-agents": "import graphmem.adapters.openai_agents",
}


@pytest.mark.parametrize("extra", EXTRAS)
def test_what_is_missing_is_named(extra: str) -> None:
    env = clean(GRAPHMEM_TENANT="acme", GRAPHMEM_MCP__TOKEN="t" * 40)
    command = [sys.executable, "-c", WITHOUT + EXTRAS[extra]]
    ran = subprocess.run(command, env=env, capture_output=True, text=True, check=False, timeout=60, cwd=ROOT)
    assert (ran.returncode, ran.stdout) == (1, "")
    assert f"pip install 'graphmem[{extra.split()[0]}]'" in ran.stderr.splitlines()[-1]
    if extra != "openai-agents":
        assert ran.stderr.startswith("graphmem: ")
        assert ran.stderr.count("\n") == 1


@pytest.mark.parametrize("line", ["import graphmem", "import graphmem.adapters", "import graphmem.cli"])
def test_no_framework_is_imported_unasked(line: str) -> None:
    program = f"import sys; {line}; print(sorted({{'mcp', 'agents', 'langgraph', 'uvicorn'}} & set(sys.modules)))"
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=ROOT)
    assert ran.stdout.strip() == "[]"
