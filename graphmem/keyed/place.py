"""Where a keyed value is: its namespace inside the client's scope, as ids, tags and source of its episodes."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence

from graphmem.errors import ScopeError
from graphmem.keyed.models import Match
from graphmem.scope import Scope
from graphmem.text import shown

ANY = "keyed"  # the tag of all keyed values
SOURCE = "keyed:"
_DIGITS, _INSTEAD = "0123456789abcdef", "abcdefghijklmnop"
_LETTERS, _BACK = str.maketrans(_DIGITS, _INSTEAD), str.maketrans(_INSTEAD, _DIGITS)


def root(scope: Scope) -> tuple[str, ...]:
    """How each namespace of a scope begins: the tenant, then the user if the client is one's.

    A period in a name is written ``%2E`` (and ``%`` is ``%25``), since frameworks take no label with a period.
    """
    names = (scope.tenant, scope.user) if scope.user else (scope.tenant,)
    return tuple(name.replace("%", "%25").replace(".", "%2E") for name in names)


def inside(namespace: tuple[str, ...], scope: Scope) -> tuple[str, ...]:
    """A namespace without what stands for the scope. Raises ScopeError when it does not begin with that."""
    start = root(scope)
    if namespace[: len(start)] != start:
        raise ScopeError(
            f"namespace {shown(namespace)} is outside this client's scope: it must begin with {shown(start)}; "
            "nothing was read or written"
        )
    return namespace[len(start) :]


def reachable(match: Match, scope: Scope) -> None:
    """Check a condition on namespaces. Raises ScopeError when it is a prefix that names another scope."""
    start = root(scope)
    if match.at == "prefix" and not all(asked in ("*", label) for asked, label in zip(match.path, start, strict=False)):
        raise ScopeError(f"prefix {shown(match.path)} is outside this client's scope, which begins with {shown(start)}")


def slot(namespace: Sequence[str], key: str) -> str:
    """How the ids of all versions of a value begin; of letters alone, so that it reads as nobody's number."""
    return f"keyed-{_digest([list(namespace), key])}-"


def version(start: str, number: int) -> str:
    """The id of one version: its number in eight letters, so that ids sort as their numbers."""
    return start + f"{number:08x}".translate(_LETTERS)


def number(id_: str) -> int:
    """The number of a version, from its id."""
    return int(id_.rpartition("-")[2].translate(_BACK), 16)


def tag(namespace: Sequence[str]) -> str:
    """The tag of all values whose namespace begins so."""
    return f"{ANY}:{_digest(list(namespace))}" if namespace else ANY


def tags(namespace: Sequence[str]) -> tuple[str, ...]:
    """The tags of a value: one for each prefix of its namespace, the empty one too."""
    return tuple(tag(namespace[:depth]) for depth in range(len(namespace) + 1))


def source(namespace: Sequence[str]) -> str:
    """A namespace as the text that a memory keeps as its source."""
    return SOURCE + json.dumps(list(namespace), ensure_ascii=False)


def of_source(text: str) -> tuple[str, ...]:
    """The namespace that such a text is. Raises ValueError for any other text."""
    return tuple(map(str, json.loads(text.removeprefix(SOURCE))))


def _digest(value: object) -> str:
    said = json.dumps(value, ensure_ascii=False).encode("utf-8")
    return hashlib.blake2b(said, digest_size=16).hexdigest().translate(_LETTERS)
