"""Scopes: a tenant, or a tenant and one of its users, as one exact token on every memory.

The token is a digest, so no tenant's name can be written so that it reads as another's, and it is one word of letters
and digits for every full-text analyzer.
"""

from __future__ import annotations

import hashlib
import uuid
from dataclasses import dataclass

from graphmem.errors import InvalidInput, ScopeError


@dataclass(frozen=True, slots=True)
class Scope:
    """What a client sees and where it writes; `user` is empty for the tenant's shared memories."""

    tenant: str
    user: str = ""

    @property
    def shared(self) -> str:
        """The token of what the tenant shares."""
        return _token(self.tenant, "")

    @property
    def own(self) -> str:
        """The token of the user's own memories, or the shared one if there is no user."""
        return _token(self.tenant, self.user)

    @property
    def visible(self) -> list[str]:
        """The tokens of all that this client sees, its own first."""
        return [self.own, self.shared] if self.user else [self.shared]

    def keys(self, secure: bool) -> list[str]:
        """The words by which what this client sees is found; with `secure`, its secure memories as well."""
        return [
            recall_key(token, marked) for marked in ([False, True] if secure else [False]) for token in self.visible
        ]

    def writes(self, share: bool) -> Scope:
        """Where a write goes: the user's own scope, or what the tenant shares. Raises InvalidInput for no bool."""
        if not isinstance(share, bool):
            raise InvalidInput(f"share is True or False, and not {share!r:.60}")
        return Scope(self.tenant) if share else self


def recall_key(token: str, secure: bool) -> str:
    """The word by which the active memories of a scope are found: its token, or that of its secure memories."""
    return f"secure{token}" if secure else token


def new_id() -> str:
    """A fresh random id."""
    return uuid.uuid4().hex


def scope(tenant: object, user: object = None) -> Scope:
    """Check a tenant and a user.

    Raises ScopeError when the tenant is missing or empty, or either is not a plain name.
    """
    if tenant is None:
        raise ScopeError("no tenant: give --tenant or Memory(tenant=…), or set GRAPHMEM_TENANT; nothing means 'all'")
    return Scope(_name("tenant", tenant), "" if user is None else _name("user", user))


def _name(what: str, value: object) -> str:
    if not isinstance(value, str) or not value or value != value.strip() or not value.isprintable() or len(value) > 200:
        raise ScopeError(f"{what} {value!r:.60} is not a name: 1 to 200 printable characters, no space at either end")
    return value


def _token(tenant: str, user: str) -> str:
    return "s" + hashlib.blake2b(f"{len(tenant)}:{tenant}{user}".encode(), digest_size=16).hexdigest()
