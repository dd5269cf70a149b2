"""The verb `erase`: memories by id or subject with all that speaks of them, or everything of a scope."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from graphmem.erase.everything import everything
from graphmem.erase.graph import Key, around
from graphmem.erase.models import Erased, Target
from graphmem.erase.order import Order
from graphmem.erase.plan import Plan, plan
from graphmem.erase.words import naming
from graphmem.erase.write import INSTEAD, SIGNED, Done, names, written, yielded
from graphmem.errors import InvalidInput, NotFound, StoreUnavailable
from graphmem.govern.tokens import tokens
from graphmem.learn import RuleReflector, Work
from graphmem.learn.promoting import judge
from graphmem.learn.work import Tally
from graphmem.models import Status
from graphmem.scope import Scope, new_id
from graphmem.steps import Call, Forget, Read, Stage, Write
from graphmem.store.catalogue import statement

BATCH = 50  # memories of one transaction, with all that goes with them
ATTEMPTS = 50  # each loss means that another writer won
KIND = "erasure"
LEASE = timedelta(hours=1)  # an erasure that has not ended a batch for so long counts as killed
CHANGED = ("awaiting", "demoted", "superseded")  # what becomes of memories that stay


@dataclass(slots=True)
class _Run:
    """One erasure: what, whose, in the scopes of which tokens, under which name, and what it did so far."""

    target: Target
    order: Order
    tokens: Sequence[str]
    worker: str
    job: Mapping[str, str]
    counts: Counter[str] = field(default_factory=Counter)
    changed: dict[str, set[Key]] = field(default_factory=lambda: {name: set() for name in CHANGED})

    @property
    def told(self) -> dict[str, int]:
        """The counts of what it did."""
        return {**self.counts, **{name: len(keys) for name, keys in self.changed.items()}}

    def roots(self) -> Stage[list[Key]]:
        """The next memories that the target means."""
        if self.target.id is not None:
            call = Call(statement("erase/of_id"), {"scope": self.order.scope.own, "id": self.target.id})
        else:
            given = {"scopes": list(self.tokens), "subject": self.target.subject, "most": BATCH}
            call = Call(statement("erase/of_subject"), given)
        rows = yield Read(call)
        return [(row["scope"], row["id"]) for row in rows]

    def ruled(self) -> Stage[None]:
        """Take what rules say of the person away, and count the versions that said something, or were signed so."""
        if self.target.subject is None:
            return
        words = {"pattern": naming([self.target.subject]), "instead": INSTEAD, "signed": SIGNED}
        where = {"scopes": list(self.tokens), "tenant": self.order.scope.tenant}
        given = {**words, **where, "by": KIND, "now": self.order.clock()}
        (row,), *_ = yield Write([Call(statement("erase/rules"), given)])
        self.counts.update(rules=row["told"], signed=row["signatures"])

    def over(self, roots: list[Key]) -> Stage[None]:
        """Erase these memories and all others that the target means, batch by batch."""
        lost = 0
        while roots:
            done = yield from self._batch(roots)
            lost = 0 if done is not None else lost + 1
            if lost == ATTEMPTS:
                raise StoreUnavailable(f"what is to be erased was changed by others {ATTEMPTS} times; try again")
            yield Write([_job("end", self.job, {"until": self.order.clock() + LEASE})])
            self.order.progress("erasing", sum(self.counts[name] for name in ("episodes", "reflections", "skills")), 0)
            roots = yield from self.roots()

    def _batch(self, roots: list[Key]) -> Stage[Done | None]:
        order, scope, whole = self.order, self.order.scope, sorted({token for token, _ in roots})
        learnt = (yield Read(Call(statement("erase/learnt"), {"scopes": whole})))[0]["learnt"]
        # What a user's own memories led to is that user's own.
        reach = self.tokens if scope.shared in whole else whole
        graph = yield from around(roots, reach, scope.shared)
        planned = yield from plan(graph, roots)
        self.counts["waiting"] += yield _forget(planned, scope)
        now = order.clock()
        done = yield from written(planned, learnt, whole, self.tokens, scope, self.worker, now, order.dimensions)
        if done is not None:
            self.counts.update(done.counts)
            for name, keys in zip(CHANGED, (done.awaiting, done.unproven, done.superseded), strict=True):
                self.changed[name] = (self.changed[name] | keys) - done.gone  # another batch may have let it stay
            users = {key[0]: str(node.get("user") or "") for key, node in graph.nodes.items()}
            yield from self._judged(done, {token: Scope(scope.tenant, user) for token, user in users.items()})
        return done

    def _judged(self, done: Done, whose: Mapping[str, Scope]) -> Stage[None]:
        """Count anew how well the skills that lost evidence are proven, and give up the lead of their queues."""
        for token in sorted({token for token, _ in done.skills}):
            only, tally = sorted(id_ for where, id_ in done.skills if where == token), Tally()
            yield from judge(self._work(whose[token]), tally, only=only)
            proven = {(token, one.id) for one in tally.decided if one.change.endswith(Status.ACTIVE.value)}
            self.changed["demoted"] -= proven
        yield from yielded(whose.values(), self.worker)

    def _work(self, scope: Scope) -> Work:
        rules = RuleReflector()
        return Work(
            scope=scope,
            reflector=rules,
            rules=rules,
            settings=self.order.rules,
            clock=self.order.clock,
            embedding_model="",
            worker=self.worker,
            progress=self.order.progress,
        )


def erase(target: Target, order: Order) -> Stage[Erased]:
    """Erase what a target means, and all that speaks of it; the answer, and the Job that is left, hold counts only.

    Each batch is one transaction: it may be stopped and run again. Erasing everything leaves no Job. Raises NotFound,
    with nothing written, when there is nothing of the target; InvalidInput when it is shared, and the client a user's.
    """
    scope = order.scope
    if target.everything:
        waiting = yield Forget(scope, everything=True)
        erased = yield from everything(scope, order.dimensions, order.progress)
        return erased.model_copy(update={"waiting": waiting})
    job = {"scope": scope.own, "id": new_id()}
    run = _Run(target, order, (yield from tokens(scope, not scope.user)), new_id(), job)
    roots = yield from run.roots()
    if not roots and target.id is not None and scope.user:
        yield from _own(target.id, scope)
    named = {(scope.own, target.id)} if target.id is not None else ()
    subjects = {target.subject} if target.subject is not None else ()
    words = {name for name in (target.id, target.subject) if name is not None}
    run.counts["waiting"] += yield Forget(scope, memories=named, subjects=subjects, names=words)
    yield from run.ruled()
    if not roots and not any(run.counts.values()):
        what = "no memory about this subject" if target.id is None else f"no memory {target.id}"
        raise NotFound(f"not found: {what} in this scope; nothing was erased")
    begun = {"kind": KIND, "tenant": scope.tenant, "user": scope.user, "state": "running"}
    times = {"started_at": order.clock(), "until": order.clock() + LEASE}
    gone = Call(statement("jobs/abandoned"), {"scope": scope.own, "kind": KIND, "now": order.clock()})
    yield Write([gone, _job("begin", job, {**begun, **times})])
    try:
        yield from run.over(roots)
    except Exception as error:
        told = {"state": "failed", "ended_at": order.clock(), "error": type(error).__name__}
        yield Write([_job("end", job, {**told, **run.told})])
        raise
    yield Write([_job("end", job, {"state": "done", "ended_at": order.clock(), **run.told})])
    return Erased(**run.told)


def _forget(planned: Plan, scope: Scope) -> Forget:
    """What waits in the outbox and is about what a plan erases."""
    found = (str(planned.graph.nodes[key].get("trace_id") or "") for key in planned.gone)
    return Forget(scope, memories=planned.gone, traces={one for one in found if one.strip()}, names=names(planned))


def _own(id_: str, scope: Scope) -> Stage[None]:
    if (yield Read(Call(statement("erase/of_id"), {"scope": scope.shared, "id": id_}))):
        raise InvalidInput(f"memory {id_} is shared by the tenant; make a client of the tenant to erase it")


def _job(name: str, job: Mapping[str, str], properties: Mapping[str, Any]) -> Call:
    return Call(statement(f"jobs/{name}"), {**job, "properties": properties})
