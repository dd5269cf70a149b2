"""Statements, one a ``.cypher`` file, each with a header that is checked against its body when it is loaded.

    // name: record/episodes
    // mode: write
    // params: rows
    // returns: id, result
    //
    // What it does.

`name` is the path below ``cypher/``; `mode` is read, write, schema or batch (its own transactions); `params` and
`returns` list what the body takes and what its last RETURN names, in any order.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from graphmem.errors import ConfigurationError

_HEADER = re.compile(r"^// (name|mode|params|returns):[ \t]*(.*?)[ \t]*$", re.MULTILINE)
_OPAQUE = re.compile(r"'(?:\\.|[^'\\])*'|\"(?:\\.|[^\"\\])*\"|`[^`]*`|//[^\n]*|/\*.*?\*/", re.DOTALL)
_WRITES = re.compile(r"\b(CREATE|MERGE|SET|DELETE|REMOVE)\b")
_SCHEMA = re.compile(r"\b(CREATE|DROP)\s+(VECTOR\s+|FULLTEXT\s+|RANGE\s+)?(INDEX|CONSTRAINT)\b")
_INNERMOST = re.compile(r"\([^(){}\[\]]*\)|\{[^(){}\[\]]*\}|\[[^(){}\[\]]*\]")
_TAIL = re.compile(r"\b(ORDER\s+BY|SKIP|LIMIT)\b")


@dataclass(frozen=True, slots=True)
class Statement:
    """One named statement: its text, how it runs, what it takes and returns."""

    name: str
    mode: str
    params: frozenset[str]
    returns: tuple[str, ...]
    text: str
    checksum: str


def root() -> Path:
    """Where the ``.cypher`` files are: in the installed package, else beside it in a checkout."""
    package = Path(__file__).parents[1]
    installed = package / "cypher"
    return installed if installed.is_dir() else package.parent / "cypher"


def names(folder: str = "") -> list[str]:
    """The names of all statements in a folder of the catalogue, sorted."""
    base = root()
    return sorted(path.relative_to(base).with_suffix("").as_posix() for path in (base / folder).rglob("*.cypher"))


@cache
def statement(name: str) -> Statement:
    """Load one statement by name.

    Raises ConfigurationError when the file is missing or its header and body disagree.
    """
    try:
        source = (root() / f"{name}.cypher").read_text("utf-8")
    except OSError as error:
        raise ConfigurationError(f"statement {name} is not in {root()}; install graphmem again") from error
    return parse(source, name)


def parse(source: str, name: str) -> Statement:
    """Check a statement's header against its body.

    Raises ConfigurationError that names the first disagreement.
    """
    header = dict(_HEADER.findall(source))
    bare = _OPAQUE.sub(lambda match: "" if match.group().startswith("/") else "''", source)
    params = frozenset(re.findall(r"\$([A-Za-z_]\w*)", bare))
    returns = _returned(bare)
    wanted = {
        "name": (header.get("name"), name),
        "params": (frozenset(_listed(header.get("params", ""))), params),
        "returns": (frozenset(_listed(header.get("returns", ""))), frozenset(returns)),
        "mode": (header.get("mode"), _mode(bare)),
    }
    for key, (said, found) in wanted.items():
        if said != found:
            raise ConfigurationError(f"statement {name}: header {key} says {_shown(said)}, the body {_shown(found)}")
    digest = hashlib.sha256(source.encode()).hexdigest()
    return Statement(name, str(header["mode"]), params, returns, source, digest)


def _listed(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]


def _mode(bare: str) -> str:
    if re.search(r"\bIN\s+(\d+\s+CONCURRENT\s+)?TRANSACTIONS\b", bare):
        return "batch"
    if _SCHEMA.search(bare):
        return "schema"
    return "write" if _WRITES.search(bare) else "read"


def _returned(bare: str) -> tuple[str, ...]:
    flat, nested = bare, 1
    while nested:
        flat, nested = _INNERMOST.subn("", flat)
    _, *clauses = re.split(r"\bRETURN\b", flat)
    if not clauses:
        return ()
    columns = re.sub(r"^\s*DISTINCT\b", "", _TAIL.split(clauses[-1])[0]).split(",")
    return tuple(re.split(r"\bAS\b|\.", column)[-1].strip() for column in columns)


def _shown(value: object) -> str:
    return ", ".join(sorted(value)) if isinstance(value, frozenset) else str(value)
