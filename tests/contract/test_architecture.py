"""Imports go one way, foreign packages have one home, files stay small, nothing heavy is imported."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import graphmem

PACKAGE = Path(graphmem.__file__).parent
ORDER = [
    "errors",
    "text",
    "settings",
    "fields",
    "models",
    "steps",
    "scope",
    "store",
    "server",
    "embed",
    "record",
    "recall",
    "learn",
    "correct",
    "govern",
    "jobs",
    "measure",
    "verbs",
    "memory",
    "agent",
    "adapters",
    "demo",
    "cli",
    "__main__",
]
HOMES = {
    "neo4j": {"store"},
    "graphdatascience": {"jobs"},
    "openai": {"embed", "llm"},
    "tenacity": {"embed", "llm"},
    "typer": {"cli"},
    "scienceworld": {"demo"},
    "matplotlib": {"demo"},
    "onnxruntime": {"embed"},
}
FILES = sorted(path for path in PACKAGE.rglob("*.py") if path.relative_to(PACKAGE).as_posix() != "__init__.py")


def stage(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imported(path: Path) -> set[str]:
    """The modules that a file imports at run time, anywhere in it."""
    tree = ast.parse(path.read_text("utf-8"))
    checked = {node for guard in ast.walk(tree) if _type_checking(guard) for node in ast.walk(guard)}
    found: set[str] = set()
    for node in ast.walk(tree):
        if node in checked:
            continue
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            whole = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= whole if node.module == "graphmem" else {node.module}
    return found


def _type_checking(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_a_module_imports_only_what_stands_before_it(path: Path) -> None:
    own = stage(path)
    assert own in ORDER
    for name in imported(path):
        root, _, rest = name.partition(".")
        other = rest.split(".")[0]
        if root == "graphmem" and other in ORDER and other != own:
            assert ORDER.index(other) < ORDER.index(own), f"{own} imports {name}"
        elif root in HOMES:
            assert own in HOMES[root], f"{own} imports {root}"


def test_only_the_settings_read_the_environment() -> None:
    readers = {
        stage(path) for path in FILES if "os.environ" in path.read_text("utf-8") or "getenv" in path.read_text("utf-8")
    }
    assert readers <= {"settings"}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_files_stay_small(path: Path) -> None:
    assert len(path.read_text("utf-8").splitlines()) <= 250


def test_public_names_can_be_imported() -> None:
    assert all(getattr(graphmem, name) is not None for name in graphmem.__all__)
    with pytest.raises(AttributeError):
        _ = graphmem.Nothing


@pytest.mark.parametrize("line", ["import graphmem", "from graphmem import Memory, AsyncMemory, Episode, Recall"])
def test_importing_graphmem_loads_nothing_heavy(line: str) -> None:
    heavy = "{'pandas', 'openai', 'graphdatascience', 'onnxruntime', 'numpy', 'neo4j', 'typer'}"
    program = f"import sys; {line}; print(sorted({heavy} & set(sys.modules)))"
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[]"


def test_memory_and_async_memory_have_the_same_verbs() -> None:
    from graphmem.verbs import Verbs

    def verbs(kind: type) -> set[str]:
        return {name for name in dir(kind) if not name.startswith("_")} - {"settings", "close"}

    assert verbs(graphmem.Memory) == verbs(graphmem.AsyncMemory) == verbs(Verbs)
    assert all(getattr(graphmem.Memory, name).__doc__ for name in verbs(graphmem.Memory))
