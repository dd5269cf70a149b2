"""Imports go one way, foreign packages have one home, files stay small, nothing heavy is imported."""

from __future__ import annotations

import ast
import importlib
import inspect
import pkgutil
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

import graphmem

PACKAGE = Path(graphmem.__file__).parent
ORDER = [
    "errors",
    "text",
    "telemetry",
    "disk",
    "source",
    "endpoints",
    "policies",
    "settings",
    "fields",
    "models",
    "steps",
    "scope",
    "store",
    "server",
    "llm",
    "embed",
    "redact",
    "record",
    "recall",
    "correct",
    "govern",
    "learn",
    "erase",
    "move",
    "jobs",
    "measure",
    "report",
    "keyed",
    "outbox",
    "verbs",
    "client",
    "memory",
    "schedule",
    "agent",
    "adapters",
    "bench",
    "demo",
    "explore",
    "cli",
    "__main__",
]
HOMES = {
    "neo4j": {"bench", "store"},
    "graphdatascience": {"jobs"},
    "apscheduler": {"schedule"},
    "openai": {"llm"},
    "opentelemetry": {"telemetry"},
    "tenacity": {"llm"},
    "sqlite3": {"move", "outbox"},
    "typer": {"cli"},
    "scienceworld": {"demo"},
    "matplotlib": {"bench", "demo"},
    "jinja2": {"report"},
    "prometheus_client": {"report"},
    "neo4j_viz": {"recall"},
    "mcp": {"adapters"},
    "mcp_types": {"adapters"},
    "agents": {"adapters"},
    "langgraph": {"adapters"},
    "langchain_core": {"adapters"},
    "onnxruntime": {"embed"},
    "detect_secrets": {"redact"},
    "phonenumbers": {"redact"},
    "stdnum": {"redact"},
}
# What a Verbs is made of, beside its verbs.
CLIENTS = {"settings", "scope", "scoped", "redactor", "close"}  # what a client has beside the verbs
STATE = {"scope", "settings", "embedder", "clock", "llm", "redactor"}
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
    reading = re.compile(r"\bos\.(environb?|getenvb?|putenv|path\.expandvars)\b|from os import .*(environ|getenv)")
    assert {stage(path) for path in FILES if reading.search(path.read_text("utf-8"))} == {"settings"}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_files_stay_small(path: Path) -> None:
    assert len(path.read_text("utf-8").splitlines()) <= 250


def test_public_names_can_be_imported() -> None:
    assert all(getattr(graphmem, name) is not None for name in graphmem.__all__)
    with pytest.raises(AttributeError):
        _ = graphmem.Nothing


@pytest.mark.parametrize("line", ["import graphmem", "from graphmem import Memory, AsyncMemory, Episode, Recall"])
def test_importing_graphmem_loads_nothing_heavy(line: str) -> None:
    heavy = (
        "{'apscheduler', 'pandas', 'openai', 'graphdatascience', 'onnxruntime', 'neo4j_viz', 'IPython', 'numpy', "
        "'neo4j', 'typer'}"
    )
    program = f"import sys; {line}; print(sorted({heavy} & set(sys.modules)))"
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[]"


def test_memory_and_async_memory_have_the_same_verbs() -> None:
    from graphmem.verbs import Verbs

    def verbs(kind: type) -> set[str]:
        return {name for name in dir(kind) if not name.startswith("_")} - CLIENTS

    assert verbs(graphmem.Memory) == verbs(graphmem.AsyncMemory) == {*verbs(Verbs)} - STATE
    for name in verbs(graphmem.Memory):
        signature = inspect.signature(getattr(Verbs, name))
        for client in (graphmem.Memory, graphmem.AsyncMemory):
            verb = getattr(client, name)
            assert inspect.signature(verb) == signature
            assert inspect.iscoroutinefunction(verb) == (client is graphmem.AsyncMemory), name


def modules() -> list[ModuleType]:
    found = pkgutil.walk_packages(graphmem.__path__, "graphmem.")
    return [importlib.import_module(one.name) for one in found if not one.name.endswith("__main__")]


def test_what_is_public_says_what_it_means() -> None:
    silent = []
    for module in modules():
        for name, thing in vars(module).items():
            if name.startswith("_") or getattr(thing, "__module__", None) != module.__name__:
                continue
            if inspect.isfunction(thing) or inspect.isclass(thing):
                silent += [f"{module.__name__}.{name}"] * (not inspect.getdoc(thing))
            if inspect.isclass(thing) and not getattr(thing, "_is_protocol", False):
                own = {key: value for key, value in vars(thing).items() if not key.startswith("_")}
                silent += [
                    f"{module.__name__}.{name}.{key}"
                    for key, value in own.items()
                    if inspect.isfunction(value) and not inspect.getdoc(getattr(thing, key))
                ]
    assert silent == []


def test_a_package_offers_exactly_what_it_lists() -> None:
    for module in modules():
        listed = getattr(module, "__all__", None)
        if listed and hasattr(module, "__path__"):
            inner = {name for _, name, _ in pkgutil.iter_modules(module.__path__)}
            public = {name for name in vars(module) if not name.startswith("_")} - {"annotations"}
            assert public - inner == {*listed} - inner, module.__name__
        elif listed:
            assert {name for name in listed if not hasattr(module, name)} == set(), module.__name__
    assert graphmem.__all__ == sorted(graphmem._HOMES)
