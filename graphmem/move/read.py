"""The first pass of an import: every line becomes a typed record, without secrets, in a draft; faults are told."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from graphmem.errors import InvalidInput, ScopeError
from graphmem.govern import decisive
from graphmem.models import AnyItem, Kind, Reflection, Skill
from graphmem.move import flex
from graphmem.move.draft import Draft, Key
from graphmem.move.links import Corrected, Link, Related, Use
from graphmem.move.models import Format, Order
from graphmem.move.nodes import line
from graphmem.move.parse import as_object, key_of, origin_of, parsed
from graphmem.move.policy import Policy
from graphmem.move.records import FORMAT, VERSION, Header, Record, Remembered
from graphmem.record import accept, accepted
from graphmem.record.properties import content_hash
from graphmem.redact import Redactor, clean, noted, told
from graphmem.scope import Scope
from graphmem.source import Entry, Source, entries, named
from graphmem.steps import Progress
from graphmem.text import shown

# What people and models said, and so may hold what must not be kept.
SAID = (
    "memory",
    "problem",
    "events",
    "reason",
    "contexts",
    "by",
    "reviewed_by",
    "resolved_by",
    "evidence",
    "error",
    "question",
    "domain",
    "trace_id",
    "context_hash",
    "embedding_model",
    "embedded",
    "reflected_by",
    "inherited_from",
    "texts",
    "text",
    "withdrawn_by",
)
IMPORTED = "imported-"
PAGE = 256


@dataclass(slots=True)
class Reading:
    """One reading of a source for a client, into a draft."""

    scope: Scope
    order: Order
    redactor: Redactor | None
    draft: Draft
    progress: Progress
    header: Header | None = None
    format: Format | None = None
    repeated: Counter[Kind] = field(default_factory=Counter)
    redacted: int = 0
    _begun: bool = field(default=False)

    @property
    def target(self) -> Scope:
        """Where records without an owner go, and what is inherited."""
        return self.scope.writes(self.order.share)

    def read(self, source: Source) -> None:
        """Read all of it. Raises InvalidInput when it is not for this client, or in no layout that was asked for."""
        for number, entry in enumerate(entries(source), 1):
            if number % PAGE == 0:
                self.progress("reading", number, 0)
            if not self._begun and not entry.problem:
                self._begun = True
                if self._begin(entry.value, named(source)):
                    continue
            try:
                if entry.problem:
                    raise InvalidInput(entry.problem)
                self._line(entry)
            except InvalidInput as error:
                self._bad(entry, told(self.redactor, str(error)))
            except (RecursionError, TypeError, ValueError) as error:
                self._bad(entry, f"no record: {type(error).__name__}")
        if self.format is None:
            self.format = self.order.format or Format.RECORDS

    def _bad(self, entry: Entry, problem: str) -> None:
        """Tell a fault; a memory of that id is not to be mistaken for one that the database has."""
        self.draft.fault(entry.place, problem)
        value = entry.value if isinstance(entry.value, dict) else {}
        id_, user = value.get("id"), value.get("user", "")
        if self.header is None or self.order.inherit:
            user = self.target.user
        if isinstance(id_, str) and isinstance(user, str):
            key = Key("recall" if value.get("kind") == "receipt" else "memory", user, id_)
            if not self.draft.has(key):
                self.draft.gone(key)

    def _begin(self, value: object, source: str) -> bool:
        """Learn from the first value what the source holds; whether it is a header."""
        if isinstance(value, dict) and "format" in value and "kind" not in value and "problem" not in value:
            if (value["format"], value.get("version")) != (FORMAT, VERSION):
                said = f"{shown(value['format'])}, version {shown(value.get('version'))}"
                raise InvalidInput(f"{source} is in the format {said}; this graphmem reads {FORMAT!r}, {VERSION}")
            self.header = Header(**value)
            self.format = Format.GRAPHMEM
        else:
            self.format = Format.FLEX if flex.recognised(value) else Format.RECORDS
        if self.order.format not in (None, self.format):
            if Format.GRAPHMEM in (self.order.format, self.format):
                raise InvalidInput(f"{source} is in the layout {self.format.value!r}, not {self.order.format.value!r}")
            self.format = self.order.format
        self._admit(source)
        return self.header is not None

    def _admit(self, source: str) -> None:
        header, order = self.header, self.order
        if header is None:
            if order.inherit or order.everything:
                raise InvalidInput(f"{source} does not say whose it is; load it without inherit and everything")
            return
        if order.inherit:
            if header.everything or order.everything:
                raise InvalidInput("inherit takes one library: what a tenant shares, or what is one user's own")
        elif order.share:
            raise InvalidInput("share is for records without an owner and for what is inherited")
        elif header.tenant != self.scope.tenant:
            raise ScopeError(
                f"{source} is of tenant {header.tenant!r}, this client of {self.scope.tenant!r}; nothing was written "
                "(inherit=True takes its memories into this client's scope)"
            )
        elif header.everything and (self.scope.user or not order.everything):
            raise ScopeError(f"{source} holds all of a tenant; load it with everything=True and a client of the tenant")
        elif header.user != self.scope.user and (self.scope.user or not order.everything):
            raise ScopeError(f"{source} is user {header.user!r}'s, this client user {self.scope.user!r}'s")

    def _line(self, entry: Entry) -> None:
        if self.header is None:
            given = flex.read(entry.value) if self.format is Format.FLEX else [accept(as_object(entry.value))]
            for item in given:
                self._item(item, entry.place)
            return
        record = self._clean(parsed(entry.value))
        if not self.header.everything and not self._owned_by(record, self.header.user):
            raise InvalidInput("it is of another user than the header says")
        if self.order.inherit:
            heir = self._heir(record)
            if heir is None:
                return
            record = heir
        twin = self._keep(record, entry.place)
        if twin:
            raise InvalidInput(f"it is there already, at {twin}")

    def _item(self, item: AnyItem, place: str) -> None:
        """Keep a memory as `record` takes it; without an id it gets the digest of what it says as one."""
        kept = accepted(item, self.redactor)
        item = kept.item
        if item.id is None:
            item = item.model_copy(update={"id": IMPORTED + content_hash(item)})
        user, id_ = self.target.user, str(item.id)
        body = json.dumps(
            {"memory": {"kind": item.kind.value, **item.model_dump(mode="json")}, "redacted": kept.redacted}
        )
        twin = self.draft.node(0, Key("memory", user, id_), item.kind.value, item.secure, place, body)
        if twin is not None:
            if not twin[1]:
                self.draft.fault(place, f"id {id_} is taken by other content at {twin[0]}", conflict=True)
            self.repeated[item.kind] += twin[1]
            return
        self.redacted += bool(kept.redacted)
        if isinstance(item, Reflection | Skill):
            wanted = Kind.EPISODE if isinstance(item, Reflection) else Kind.REFLECTION
            for source in item.sources:
                self.draft.link(("source", user, "memory", user, source, user, id_, wanted.value), place, "")

    def _keep(self, record: Record, place: str) -> str:
        body = line(record).decode()
        if isinstance(record, Link):
            label = "recall" if isinstance(record, Use) else "memory"
            start, end = record.start, record.end
            key = (record.kind, record.user, label, start.user, start.id, end.user, end.id, record.relation)
            return self.draft.link(key, place, body)
        secure = isinstance(record, Remembered) and record.guarded
        twin = self.draft.node(record.sort, key_of(record), record.kind, secure, place, body)
        return twin[0] if twin is not None else ""

    def _clean(self, record: Record) -> Record:
        """The record without secrets and personal data; a memory whose words change loses its vector."""
        if isinstance(record, Remembered):
            record = record.model_copy(update={"memory": record.memory.model_copy(update={"id": record.id})})
        if isinstance(record, Policy):
            decisive(record, clean(self.redactor, record)[0])
        changed: dict[str, Any] = {}
        found: tuple[str, ...] = ()
        for name in SAID:
            before = getattr(record, name, None)
            after, kinds = clean(self.redactor, before)
            found += kinds
            if after != before:
                changed[name] = after
        self.redacted += bool(found)
        if "question" in changed:
            changed["vector"] = ()
        if isinstance(record, Remembered):
            memory = changed.get("memory", record.memory)
            if memory.searchable() != record.memory.searchable():
                changed["vector"] = ()
            if found:
                changed["redacted"] = noted(found, record.redacted)
            changed["memory"] = memory.model_copy(update={"id": None})
        return record.model_copy(update=changed)

    def _owned_by(self, record: Record, user: str) -> bool:
        if isinstance(record, Link):
            return {record.owner, record.start.user, record.end.user} == {user}
        return record.user == user

    def _heir(self, record: Record) -> Record | None:
        """What is inherited of a record: memories, and links between them, as the heir's own; nothing of their use."""
        user = self.target.user
        if isinstance(record, Remembered):
            origin = record.inherited_from or origin_of(self.header)
            gone = dict.fromkeys(("centrality", "degree", "betweenness", "centrality_at", "claimed_until"))
            return record.model_copy(update={"user": user, "inherited_from": origin, "authority": 0, **gone})
        if not isinstance(record, Link) or isinstance(record, Use):
            return None
        ends: dict[str, Any] = {
            name: getattr(record, name).model_copy(update={"user": user}) for name in ("start", "end")
        }
        if isinstance(record, Corrected):
            if not record.everywhere:
                return None
            ends |= {"contexts": (), "receipts": ()}
        if isinstance(record, Related | Corrected):
            ends["user"] = user
        return record.model_copy(update=ends)
