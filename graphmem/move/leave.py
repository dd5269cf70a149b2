"""The verb `export`: all that a scope keeps, page by page, into one file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import IO, Any

from graphmem.errors import InvalidInput, StoreError
from graphmem.move import flex, nodes
from graphmem.move.file import written
from graphmem.move.models import NAMES, Ask, Counts, Exported, Format
from graphmem.move.ran import KINDS
from graphmem.move.records import End, Header, Record
from graphmem.move.seen import Seen, seen
from graphmem.scope import Scope
from graphmem.source import Source
from graphmem.steps import Call, Progress, Read, Row, Rows, Stage
from graphmem.store.catalogue import statement
from graphmem.store.schema import inspect

PAGE = 200  # nodes of one read
SCOPES = 10_000_000  # of a tenant
FULL: Rows = [{}] * PAGE  # as if a page had been read
LINKED = {"receipts": "receipts", **dict.fromkeys(NAMES.values(), "memories")}  # what links join


@dataclass(slots=True)
class _Writer:
    """Where the lines go, and how many of each kind went."""

    stream: IO[bytes]
    progress: Progress
    seen: Seen
    done: Counter[str] = field(default_factory=Counter)

    def write(self, name: str, records: Sequence[Record]) -> None:
        """Write the records of one page."""
        self.stream.writelines(map(nodes.line, records))
        self.done[name] += len(records)
        if name in LINKED:
            self.seen.add(LINKED[name], records)
        if records:
            self.progress(f"exporting {name}", self.done.total(), 0)


@dataclass(frozen=True, slots=True)
class _Leaving:
    """What leaves: of which scopes (their tokens, with the user of each), when, and whether what is secure does."""

    users: Mapping[str, str]
    now: datetime
    secure: bool

    def all(self, out: _Writer) -> Stage[int]:
        """Write everything in its order; how many links lead to what does not leave."""
        outside = 0
        for kind, name in NAMES.items():
            more = {"now": self.now, "secure": self.secure, "kind": kind.value}
            yield from self._nodes("memories", nodes.remembered, out, name, **more)
        yield from self._nodes("receipts", nodes.receipt, out, "receipts", now=self.now, secure=self.secure)
        for token in self.users:
            yield from self._parameters(token, out)
        yield from self._nodes("jobs", nodes.ran, out, "jobs", kinds=list(KINDS))
        for token in self.users:
            yield from self._rules(token, out)
        for name in ("links", "uses"):
            for token in self.users:
                outside += yield from self._links(name, token, out)
        return outside

    def _nodes(self, query: str, record: Callable[[Row], Record], out: _Writer, name: str, **more: Any) -> Stage[None]:
        for token in self.users:
            after, rows = "", FULL
            while len(rows) == PAGE:
                given = {"scope": token, "after": after, "most": PAGE, **more}
                rows = yield Read(Call(statement(f"move/{query}"), given))
                if rows:
                    out.write(name, [record(row["node"]) for row in rows])
                    after = rows[-1]["node"]["id"]

    def _parameters(self, token: str, out: _Writer) -> Stage[None]:
        domain, version, rows = "", 0, FULL
        while len(rows) == PAGE:
            given = {"scope": token, "domain": domain, "version": version, "most": PAGE}
            rows = yield Read(Call(statement("move/parameters"), given))
            if rows:
                out.write("parameters", [nodes.tuned(row["node"]) for row in rows])
                domain, version = rows[-1]["node"]["domain"], rows[-1]["node"]["version"]

    def _rules(self, token: str, out: _Writer) -> Stage[None]:
        last, rows = {"domain": "", "name": "", "version": 0}, FULL
        while len(rows) == PAGE:
            rows = yield Read(Call(statement("move/rules"), {"scope": token, "most": PAGE, **last}))
            if rows:
                out.write("rules", [nodes.policy(row["node"]) for row in rows])
                last = {name: rows[-1]["node"][name] for name in last}

    def _links(self, query: str, token: str, out: _Writer) -> Stage[int]:
        after, rows, outside = "", FULL, 0
        given = {"scope": token, "scopes": [*self.users], "now": self.now, "secure": self.secure, "most": PAGE}
        while len(rows) == PAGE:
            rows = yield Read(Call(statement(f"move/{query}"), {**given, "after": after}))
            for row in rows:
                start = End(user=self.users[token], id=row["start"])
                found = [nodes.link(start, one, self.users) for one in row["links"]]
                out.write("links", [one for one in found if out.seen.both(one)])
                outside += row["outside"]
                after = row["start"]
        return outside


def export(target: Source, ask: Ask, scope: Scope, now: datetime, progress: Progress) -> Stage[Exported]:
    """Write what leaves to a file, which appears whole or not at all, or to a binary stream.

    Raises InvalidInput when a user's client asks for everything, or the file cannot be written; StoreError when
    somebody has damaged what is to leave.
    """
    users = yield from _users(scope, ask.everything)
    present = yield from inspect()
    with written(target) as stream, seen() as left:
        out = _Writer(stream, progress, left)
        if ask.format is Format.FLEX:
            yield from _flex(scope, now, out)
            return _told(ask, out, 0)
        header = Header(
            format="graphmem",
            version=1,
            tenant=scope.tenant,
            user=scope.user,
            everything=ask.everything,
            secure=ask.include_secure,
            embedding_model=present.embedding_model or "",
            dimensions=present.dimensions or 0,
        )
        stream.write(nodes.line(header))
        outside = yield from _Leaving(users, now, ask.include_secure).all(out)
    return _told(ask, out, outside)


def _users(scope: Scope, everything: bool) -> Stage[dict[str, str]]:
    if not everything:
        return {scope.own: scope.user}
    if scope.user:
        raise InvalidInput("a user's client exports that user's own; make a client of the tenant for everything")
    given = {"tenant": scope.tenant, "scopes": [scope.own], "most": SCOPES}
    rows = yield Read(Call(statement("move/owners"), given))
    for row in rows:
        if row["user"] is None or Scope(scope.tenant, row["user"]).own != row["scope"]:
            raise StoreError(f"what is kept as user {row['user']!r:.60}'s is in another's scope; see 'graphmem check'")
    return {row["scope"]: row["user"] for row in rows}


def _flex(scope: Scope, now: datetime, out: _Writer) -> Stage[None]:
    after, rows = "", FULL
    while len(rows) == PAGE:
        given = {"scope": scope.own, "after": after, "now": now, "most": PAGE}
        rows = yield Read(Call(statement("move/lessons"), given))
        for row in rows:
            out.stream.write(flex.line(nodes.said(row["node"]), row["lessons"]))
            after = row["node"]["id"]
        out.done["episodes"] += len(rows)
        out.progress("exporting episodes", out.done["episodes"], 0)


def _told(ask: Ask, out: _Writer, outside: int) -> Exported:
    return Exported(format=ask.format, counts=Counts(**out.done), outside=outside)
