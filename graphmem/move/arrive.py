"""The second pass of an import: what was read is written in batches, each one transaction that may be repeated."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from graphmem.errors import Conflict
from graphmem.govern.rules import held
from graphmem.models import Kind
from graphmem.move import nodes
from graphmem.move.draft import SAME, Draft, Kept
from graphmem.move.links import Link
from graphmem.move.models import NAMES
from graphmem.move.parse import kept_item, parsed
from graphmem.move.policy import Policy
from graphmem.move.ran import Ran
from graphmem.move.records import Receipt, Remembered, Tuned
from graphmem.record import Order, Result, record
from graphmem.scope import Scope, new_id
from graphmem.steps import Call, Progress, Row, Stage, Write
from graphmem.store.catalogue import statement

BATCH = 256


@dataclass(slots=True)
class Arrival:
    """What is written: of which draft, for which tenant, into which space of vectors; and what became of it.

    `support` distinct successes make a skill active that no person vouches for.
    """

    draft: Draft
    tenant: str
    space: nodes.Space
    support: int
    now: datetime
    progress: Progress
    created: Counter[str] = field(default_factory=Counter)
    skipped: Counter[str] = field(default_factory=Counter)
    unembedded: int = 0
    waiting: int = 0

    def items(self, order: Order) -> Stage[None]:
        """Record memories that came without a header, as `record` does."""
        for kind, name in NAMES.items():
            for page in self.draft.nodes(0, BATCH, kind.value):
                new = [kept_item(kept.body) for kept in page if not kept.known]
                self.skipped[name] += len(page) - len(new)
                if not new:
                    continue
                answers = yield from record(new, order)
                for kept, answer in zip((kept for kept in page if not kept.known), answers, strict=True):
                    if not answer.stored:
                        raise Conflict(f"{kept.place}: {answer.problem}; what stood before it was written")
                    self.created[name] += answer.result is Result.CREATED
                    self.skipped[name] += answer.result is Result.UNCHANGED
                    self.unembedded += bool(answer.problem)
                self._tell(name)

    def everything(self) -> Stage[None]:
        """Write nodes, then links; at last let all be there for good, which an import that was killed did not do."""
        for page in self.draft.nodes(0, BATCH):
            yield from self._memories(page)
        for page in self.draft.nodes(1, BATCH):
            yield from self._receipts(page)
        for page in self.draft.nodes(2, BATCH):
            yield from self._parameters(page)
        for page in self.draft.nodes(3, BATCH):
            yield from self._jobs(page)
        for page in self.draft.nodes(4, BATCH):
            yield from self._rules(page)
        for kind in nodes.LINKS:
            for bodies in self.draft.links(kind, BATCH):
                yield from self._links(kind, [_link(body) for body in bodies])
        for page in self.draft.nodes(0, BATCH):
            yield from self._settled(page)
        for page in self.draft.nodes(1, BATCH):
            rows = [{"scope": self._scope(kept).own, "id": kept.key.id} for kept in _unsettled(page)]
            if rows:
                yield Write([_call("arrive_receipts", rows)])

    def _memories(self, page: Sequence[Kept]) -> Stage[None]:
        new = [kept for kept in page if not kept.known]
        self.skipped += Counter(NAMES[Kind(kept.kind)] for kept in page if kept.known)
        if not new:
            return
        records = [_memory(kept) for kept in new]
        rows = [
            nodes.memory_row(one, self._scope(kept), self.space, self.now, position)
            for position, (kept, one) in enumerate(zip(new, records, strict=True))
        ]
        (answers,) = yield Write([_call("memory", rows)])
        for answer in answers:
            kept, one = new[answer["position"]], records[answer["position"]]
            if answer["result"] == Result.CONFLICT:
                raise Conflict(f"{kept.place}: id {one.id} was taken by other content meanwhile; run the import again")
            made = answer["result"] == Result.CREATED
            (self.created if made else self.skipped)[NAMES[one.memory.kind]] += 1
            self.unembedded += made and not answer["embedded"]
        self._tell("memories")

    def _receipts(self, page: Sequence[Kept]) -> Stage[None]:
        rows = [
            nodes.receipt_row(one, self._scope(kept), self.space)
            for kept in page
            if not kept.known and isinstance(one := _record(kept), Receipt)
        ]
        yield from self._written("receipt", "receipts", rows, len(page), model=self.space.model)

    def _jobs(self, page: Sequence[Kept]) -> Stage[None]:
        rows = [
            nodes.ran_row(one, self._scope(kept))
            for kept in page
            if not kept.known and isinstance(one := _record(kept), Ran)
        ]
        yield from self._written("job", "jobs", rows, len(page))

    def _parameters(self, page: Sequence[Kept]) -> Stage[None]:
        for kept in page:
            one = _record(kept)
            if kept.known or not isinstance(one, Tuned):
                self.skipped["parameters"] += 1
                continue
            owner = self._scope(kept)
            whose = {"scope": owner.own, "tenant": owner.tenant, "user": owner.user, "domain": one.domain}
            add = Call(statement("move/tuned"), {"row": nodes.tuned_row(one, owner)})
            yield from self._version("parameters", Call(statement("measure/hold"), whose), add)

    def _rules(self, page: Sequence[Kept]) -> Stage[None]:
        for kept in page:
            one = _record(kept)
            if kept.known or not isinstance(one, Policy):
                self.skipped["rules"] += 1
                continue
            owner = self._scope(kept)
            add = Call(statement("move/rule"), {"row": nodes.policy_row(one, owner)})
            yield from self._version("rules", held(owner, one.domain, one.name), add)

    def _version(self, name: str, hold: Call, add: Call) -> Stage[None]:
        made = (yield Write([hold, add]))[-1][0]["created"]
        self.created[name] += made
        self.skipped[name] += 1 - made

    def _links(self, kind: str, links: Sequence[Link]) -> Stage[None]:
        rows = [nodes.link_row(one, self.tenant) for one in links]
        scopes = sorted({row["start_scope"] for row in rows} | {row["end_scope"] for row in rows})
        ids = sorted({row[name] for row in rows for name in ("start", "end")})  # no receipt is among these memories
        hold = Call(statement("record/hold"), {"scopes": scopes, "ids": ids})
        write = Call(statement(f"move/{kind}"), {"scopes": scopes, "rows": rows})
        answers = (yield Write([hold, write]))[-1]
        made = answers[0]["created"]
        self.created["links"] += made
        self.skipped["links"] += len(rows) - made
        self._tell("links")

    def _settled(self, page: Sequence[Kept]) -> Stage[None]:
        records = [(kept, _memory(kept)) for kept in _unsettled(page)]
        rows = [
            {"scope": self._scope(kept).own, "id": one.id, "active": one.proposed, "vouched": one.vouched}
            for kept, one in records
        ]
        if rows:
            (answers,) = yield Write([Call(statement("move/arrive"), {"rows": rows, "support": self.support})])
            self.waiting += sum(answer["waits"] for answer in answers)

    def _written(self, name: str, told: str, rows: list[dict[str, Any]], whole: int, **more: str) -> Stage[None]:
        made = 0
        if rows:
            (answers,) = yield Write([_call(name, rows, **more)])
            made = answers[0]["created"]
        self.created[told] += made
        self.skipped[told] += whole - made
        self._tell(told)

    def _scope(self, kept: Kept) -> Scope:
        return Scope(self.tenant, kept.key.user)

    def _tell(self, name: str) -> None:
        self.progress(f"importing {name}", self.created.total() + self.skipped.total(), 0)


def order(scope: Scope, share: bool, now: datetime, model: str) -> Order:
    """How memories without a header are recorded."""
    return Order(scope, share, now, model, new_id)


def _unsettled(page: Iterable[Kept]) -> list[Kept]:
    return [kept for kept in page if kept.known != SAME]


def _call(name: str, rows: Sequence[Row], **more: str) -> Call:
    return Call(statement(f"move/{name}"), {"rows": rows, **more})


def _record(kept: Kept) -> Any:
    return parsed(json.loads(kept.body))


def _memory(kept: Kept) -> Remembered:
    one = _record(kept)
    assert isinstance(one, Remembered)
    return one


def _link(body: str) -> Link:
    one = parsed(json.loads(body))
    assert isinstance(one, Link)
    return one
