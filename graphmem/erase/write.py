"""One transaction that erases what a plan says, if everything is still as it was read."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from graphmem.erase.graph import Key, rows_of
from graphmem.erase.plan import Plan, content_hash
from graphmem.erase.words import naming
from graphmem.govern.status import Event, Move, moved
from graphmem.models import Status
from graphmem.record.settle import settled
from graphmem.scope import Scope
from graphmem.steps import Call, Read, Row, Stage, Write
from graphmem.store.catalogue import statement
from graphmem.text import has_words

BY = "erasure"  # who changes what stays, as events say it
LEAD = timedelta(seconds=60)  # for which nobody else leads the queues, unless this erasure ends before
INSTEAD = "it named what was erased"
SIGNED = "erased"  # who approved what stays
SPENT = "what was learnt from it was erased"


@dataclass(frozen=True, slots=True)
class Done:
    """What one transaction did: the counts of what is gone, by their names, and what became of what stays.

    `skills` are to be judged anew; `unproven` ones of them are no longer in use, `superseded` memories neither;
    `awaiting` are to be learnt from anew.
    """

    counts: dict[str, int]
    gone: frozenset[Key]
    skills: frozenset[Key] = frozenset()
    unproven: frozenset[Key] = frozenset()
    superseded: frozenset[Key] = frozenset()
    awaiting: frozenset[Key] = frozenset()


def written(
    plan: Plan,
    learnt: int,
    whole: list[str],
    tokens: Sequence[str],
    client: Scope,
    worker: str,
    now: datetime,
    dims: int,
) -> Stage[Done | None]:
    """Write a plan in one transaction; None, with nothing changed, when what it rests on has changed meanwhile.

    `learnt` is how much the scopes of the tokens `whole` had learnt before the plan was read, `tokens` are those of all
    scopes that the client erases in; `worker` is the name under which this erasure leads the queues of the scopes that
    it changes, from then on. Vectors have `dims` dimensions.
    """
    nodes, gone = plan.graph.nodes, plan.gone
    keys = [" ".join(key) for key in sorted(gone)]
    rows, traces = rows_of(gone), _traces(plan, tokens, client.shared)
    wrong = yield Read(_call("wrong", rows=rows, keys=keys))
    told = yield Read(_call("named", rows=rows, traces=traces))
    corrected = {(row["scope"], row["id"]) for row in wrong}
    scopes = sorted({scope for scope, _ in gone | plan.touched | plan.again | corrected} | {*whole})
    held = sorted(
        {id_ for _, id_ in gone | plan.touched | plan.again | plan.skills | corrected} | {r["id"] for r in told}
    )
    whose = {key[0]: Scope(client.tenant, str(node.get("user") or "")) for key, node in nodes.items()}
    named = {"scope": whole[0], "worker": worker}
    moves = _moves(plan, corrected, worker, now)
    stay = [
        {"scope": key[0], "id": key[1], "sources": list(ids), "content_hash": content_hash(nodes[key], ids)}
        for key, ids in sorted(plan.sources.items())
    ]
    called = sorted({form for name in names(plan) for form in (name, json.dumps(name, ensure_ascii=False)[1:-1])})
    spoken = naming(called, cased=False)
    reach = sorted({*scopes, *tokens}) if any(scope == client.shared for scope, _ in gone) else scopes
    vouched = yield Read(_call("vouched", scopes=reach, pattern=spoken))
    calls = {
        **{f"turn {token}": _turn(token, whose.get(token, client), worker) for token in scopes},
        "hold": Call(statement("record/hold"), {"scopes": scopes, "ids": held}),
        "agree": _call(
            "agree", scopes=scopes, rows=_expected(plan), learnt=learnt, whole=whole, worker=worker, until=now + LEAD
        ),
        "receipts": _call("receipts", **named, rows=rows, keys=keys, traces=traces),
        "blame": _call("blame", **named, rows=rows),
        "stay": _call("stay", **named, stay=stay, now=now),
        "unvouched": _call("unvouched", **named, rows=_unvouched(plan, vouched), instead=SIGNED),
        "again": _call("again", **named, again=rows_of(plan.again)),
        "groups": _call("groups", **named, rows=rows, keys=keys),
        "uncount": _call("uncount", **named, skills=rows_of(plan.skills)),
        "unnamed": _call(
            "unnamed",
            **named,
            scopes=reach,
            pattern=spoken,
            signature=naming(called),
            keys=keys,
            problems=[" ".join(key) for key in sorted(plan.problems)],
            instead=INSTEAD,
        ),
        "moves": moved(moves, scopes, now),
        "memories": _call("memories", **named, rows=rows, spent=SPENT),
        "release": _call("release", scopes=scopes, worker=worker),
        "settle": settled(dims),
    }
    answers: dict[str, list[Row]] = dict(zip(calls, (yield Write(list(calls.values()))), strict=True))
    if not answers["agree"]:
        led = yield Read(_call("led", **named))
        return _retried(plan) if led else None
    erased, receipts = answers["memories"][0], answers["receipts"][0]
    changed = {(row["scope"], row["id"]): row["status"] for row in answers["moves"]}
    counts = {
        **{name: erased[name] for name in ("episodes", "reflections", "skills", "links")},
        "receipts": receipts["erased"],
    }
    used = {(scope, id_) for scope, id_ in receipts["skills"]}
    return Done(
        counts,
        gone,
        skills=(plan.skills | used) - gone,
        unproven=frozenset(key for key, status in changed.items() if status == Status.CANDIDATE),
        superseded=frozenset(key for key, status in changed.items() if status == Status.SUPERSEDED),
        awaiting=frozenset((row["scope"], row["id"]) for name in ("again", "groups") for row in answers[name]),
    )


def _unvouched(plan: Plan, vouched: Sequence[Row]) -> list[dict[str, str]]:
    """Skills that stay and were approved by an erased name: their digest, as `stay` leaves it, and that without it."""
    rows = []
    for node in (row["node"] for row in vouched):
        key = (node["scope"], node["id"])
        ids = plan.sources.get(key, tuple(node.get("sources") or ()))
        was = content_hash(node, ids) if key in plan.sources else node["content_hash"]
        after = content_hash({**node, "approved_by": SIGNED}, ids)
        rows.append({"scope": key[0], "id": key[1], "was": was, "content_hash": after})
    return rows


def _retried(plan: Plan) -> Done:
    """What was done, as far as the plan tells it: the transaction was retried after its commit, and found it done."""
    kinds = [str(plan.graph.nodes[key].get("kind") or "") for key in plan.gone]
    counts = {f"{kind}s": kinds.count(kind) for kind in ("episode", "reflection", "skill")}
    return Done(counts, plan.gone, skills=plan.skills - plan.gone, unproven=plan.unproven, awaiting=plan.again)


def yielded(scopes: Iterable[Scope], worker: str) -> Stage[None]:
    """Give up the lead of these scopes' queues."""
    for scope in sorted(scopes, key=lambda one: one.own):
        given = {"scope": scope.own, "worker": worker}
        yield Write([_turn(scope.own, scope, worker), Call(statement("learn/yield"), given)])


def _expected(plan: Plan) -> list[dict[str, Any]]:
    """What the plan rests on: each memory as it is, how many it came from, and of what goes how many came of it."""
    graph = plan.graph
    ups: dict[Key, int] = {}
    downs: dict[Key, int] = {}
    for below, above in graph.linked:
        ups[below], downs[above] = ups.get(below, 0) + 1, downs.get(above, 0) + 1
    return [
        {
            "scope": key[0],
            "id": key[1],
            "content_hash": graph.nodes[key].get("content_hash") or "",
            "status": graph.nodes[key].get("status") or "",
            "up": ups.get(key, 0),
            "down": downs.get(key, 0) if key in plan.gone else None,
            "rights": graph.rights[key],
        }
        for key in sorted(plan.gone | plan.touched)
    ]


def names(plan: Plan) -> set[str]:
    """The ids of what goes, and the subjects."""
    subjects = {str(plan.graph.nodes[key].get("subject") or "") for key in plan.gone}
    return {id_ for _, id_ in plan.gone} | {subject for subject in subjects if has_words(subject)}


def _traces(plan: Plan, tokens: Sequence[str], shared: str) -> list[dict[str, str]]:
    """The traces of what goes, each in the scope of its memory; receipts about a shared one may be any user's own."""
    found = {
        (key[0], str(trace))
        for key in plan.gone
        if (trace := plan.graph.nodes[key].get("trace_id")) and str(trace).strip()
    }
    seen = {(token, trace) for scope, trace in found for token in (tokens if scope == shared else [scope])}
    return [{"scope": scope, "trace": trace} for scope, trace in sorted(seen)]


def _moves(plan: Plan, corrected: set[Key], worker: str, now: datetime) -> list[Move]:
    usable = frozenset({Status.ACTIVE, Status.CANDIDATE})
    over = Event(at=now, what="superseded", by=BY, reason="what corrected it was erased")
    moves = [Move(*key, usable, Status.SUPERSEDED, over, lead=worker) for key in sorted(corrected)]
    for key in sorted(plan.unproven - corrected):
        evidence = plan.graph.evidence(key)
        why = f"{len(evidence & plan.gone)} of the {len(evidence)} memories that it came from were erased"
        event = Event(at=now, what="unproven", by=BY, reason=why)
        moves.append(Move(*key, frozenset({Status.ACTIVE}), Status.CANDIDATE, event, lead=worker))
    return moves


def _turn(token: str, scope: Scope, worker: str) -> Call:
    given = {"scope": token, "tenant": scope.tenant, "user": scope.user, "worker": worker}
    return Call(statement("learn/turn"), given)


def _call(name: str, **given: Any) -> Call:
    return Call(statement(f"erase/{name}"), given)
