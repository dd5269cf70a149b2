"""What Neo4j Browser is given: the statements of ``cypher/explore``, the style, and the parameters of a scope."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from importlib import resources

from graphmem.scope import Scope
from graphmem.store.catalogue import names, statement

FOLDER = "graphmem"
"""The folder of Browser's favourites that holds the statements."""

_RULE = re.compile(r"([^{}\s]+)\s*\{((?:'[^']*'|[^'{}])*)\}")
_PROPERTY = re.compile(r"([\w-]+):\s*(?:'([^']*)'|([^;']+));")


@dataclass(frozen=True, slots=True)
class Saved:
    """A saved statement: its name, the first sentence of what it shows, and its text, header included.

    The first line of the text is a readable name, since that is what Browser calls a favourite by.
    """

    name: str
    shows: str
    text: str


def statements() -> tuple[Saved, ...]:
    """All saved statements, by name. They only read, and take no parameters but those of `command`."""
    return tuple(_saved(name) for name in names("explore"))


def _saved(name: str) -> Saved:
    text = statement(name).text
    prose = " ".join(line[3:] for line in text.partition("\n//\n")[2].splitlines() if line.startswith("// "))
    own = name.partition("/")[2]
    return Saved(own, re.split(r"(?<=[.?:])\s", prose)[0].rstrip(":"), f"// {called(own)}\n{text}")


def called(name: str) -> str:
    """The name of a statement as Browser shows it."""
    return name.replace("_", " ").capitalize()


def style() -> str:
    """The GraSS style sheet: kinds and outcomes told apart by colour, captions that can be read."""
    return resources.files("graphmem.explore").joinpath("style.grass").read_text("utf-8")


def rules(sheet: str) -> dict[str, dict[str, str]]:
    """The rules of a GraSS style sheet, as Browser keeps them: selector, then property and value."""
    return {
        selector: {name: quoted or plain.strip() for name, quoted, plain in _PROPERTY.findall(body)}
        for selector, body in _RULE.findall(sheet)
    }


def command(scope: Scope) -> str:
    """Browser's command that sets every parameter of the statements, for one scope; one line.

    `scope` is the token of what is the client's own, `scopes` those of all that it sees; `id` and `recall` are empty,
    which means the newest skill and the latest receipt.
    """
    return f":params {json.dumps({'scope': scope.own, 'scopes': scope.visible, 'id': '', 'recall': ''})}"
