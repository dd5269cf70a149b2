"""The first phase: episodes that wait are claimed, all of a task together, and become lessons."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from graphmem.embed import Embedded
from graphmem.errors import EmbeddingError, ReflectionError
from graphmem.learn.drafts import Case, Lesson, Reflected
from graphmem.learn.work import Tally, Work, attempt, known, readable
from graphmem.models import LinkKind, Reflection
from graphmem.record.properties import digest, task_key
from graphmem.record.stage import Order, node
from graphmem.scope import new_id
from graphmem.steps import Embed, Read, Row, Stage, Write
from graphmem.text import normalise

KEPT = 4  # a claim is renewed, and what is done is written, when this part of a lease is over
AWAY = 3  # tasks in a row for which a reflector that is away fails
KNOWN, LESSONS = 10, 8  # attempts reflected before, and lessons, that a reflector is shown


@dataclass(frozen=True, slots=True)
class _Done:
    """A case and what its reflector said."""

    case: Case
    said: Reflected


def reflect(work: Work, tally: Tally) -> Stage[bool]:
    """Reflect one batch of tasks; whether there may be more to do. Of each case all is written or nothing.

    A reflector that fails for several tasks in a row is away: what is left is given back, and the run goes on to what
    was reflected before.
    """
    claim = work.call(
        "claim",
        worker=work.worker,
        now=work.clock(),
        until=work.until,
        latest=work.latest,
        most=work.settings.batch,
        tries=work.settings.tries,
    )
    claimed = (yield Write([work.turn(), claim]))[-1]
    if not claimed:
        return False
    held, failed, written = {row["id"] for row in claimed}, 0, work.clock()
    done: list[_Done] = []
    tasks = list(dict.fromkeys(row["task"] for row in claimed))
    for row in (yield from cases(work, tasks, work.worker)):
        ids = [found["id"] for found in row["new"]]
        if failed >= AWAY:
            yield from give_back(ids, f"the reflector failed for {AWAY} tasks in a row", work, tally, counts=False)
            continue
        if work.clock() - written > timedelta(seconds=work.settings.lease_seconds / KEPT):
            yield from _write(done, work, tally)
            held, done, written = (yield from _renewed(work)), [], work.clock()
        case, damaged = case_of(row)
        if damaged:
            yield from give_back(list(damaged), "; ".join(damaged.values()), work, tally)
        if case is None or not held.issuperset(ids):
            continue
        try:
            said = yield from (work.rules if case.secure else work.reflector).reflect(work.shown(case))
        except ReflectionError as error:
            failed += 1
            tally.spend(error)
            asked = any(error.spent)  # a model that is away has judged nothing
            yield from give_back(
                [one.id for one in case.new], str(error), work, tally, counts=asked or not error.__cause__
            )
        else:
            failed = 0
            done.append(_Done(case, work.shown(said)))
            tally.usage += said.usage
            tally.warn(said.warnings)
    yield from _write(done, work, tally)
    yield from give_back(None, "an attempt at the same task was taken back meanwhile", work, tally, counts=False)
    return failed < AWAY


def cases(work: Work, tasks: Sequence[str], worker: str | None) -> Stage[Sequence[Row]]:
    """What is known of tasks: with the episodes that a worker holds, or with all that wait."""
    given = {"worker": worker, "now": work.clock(), "known": KNOWN, "lessons": LESSONS}
    rows = yield Read(work.call("cases", tasks=list(tasks), **given))
    return [row for row in rows if row["new"]]


def case_of(row: Row) -> tuple[Case | None, dict[str, str]]:
    """A case from its row, with what can be read of it; new episodes that are damaged, by id, with what is wrong."""
    new, damaged = readable(row["new"], attempt)
    before, _ = readable(row["before"], attempt)
    near, _ = readable(row["near"], known)
    return (Case(new=new, known=before, lessons=near) if new else None), damaged


def reflection(lesson: Lesson, case: Case) -> Reflection:
    """The lesson as a memory: the same one whenever a task of the same domain and type teaches the same.

    Its labels are those of the task, its tags those that all the new attempts share.
    """
    first = case.new[0].episode
    said = [normalise(lesson.insight).casefold(), sorted(normalise(c).casefold() for c in lesson.conditions)]
    shared = set.intersection(*(set(one.episode.tags) for one in case.new))
    return Reflection(
        id="reflection-" + digest([first.domain, first.task_type, first.toolchain, case.secure, *said]),
        insight=lesson.insight,
        conditions=lesson.conditions,
        failure_mode=lesson.failure_mode,
        guardrails=lesson.guardrails,
        domain=first.domain,
        task_type=first.task_type,
        toolchain=first.toolchain,
        tags=tuple(sorted(shared)),
        secure=case.secure,
        occurred_at=case.new[-1].happened_at,
        sources=lesson.sources,
    )


def _write(done: Sequence[_Done], work: Work, tally: Tally) -> Stage[None]:
    if not done:
        return
    drafts = [[work.kept(reflection(lesson, one.case)) for lesson in one.said.lessons] for one in done]
    texts = [draft.searchable() for each in drafts for draft, _ in each]
    try:
        vectors: list[Embedded | None] = (yield Embed(texts, "document")) if texts else []
    except EmbeddingError as error:
        vectors = [None] * len(texts)
        tally.warn((f"lessons are stored without a vector (run 'graphmem reembed' later): {error}",))
    order = Order(work.scope, share=False, now=work.clock(), embedding_model=work.embedding_model, new_id=new_id)
    given = iter(vectors)
    rows = [_case(position, *pair, given, order) for position, pair in enumerate(zip(done, drafts, strict=True))]
    write = work.call("reflect", cases=rows, worker=work.worker, by=work.reflector.name, now=order.now)
    for row in (yield Write([work.turn(), write]))[-1]:
        tally.episodes += len(done[row["position"]].case.new)
        tally.lessons += row["written"]
        tally.repeated += row["known"]


def _case(
    position: int,
    done: _Done,
    drafts: Sequence[tuple[Reflection, Sequence[str]]],
    vectors: Iterator[Embedded | None],
    order: Order,
) -> dict[str, Any]:
    lessons = []
    for place, (draft, redacted) in enumerate(drafts):
        ties = [{"id": tie.known, "kind": _kind(tie.kind)} for tie in done.said.ties if tie.lesson == place]
        row = node(draft, next(vectors), place, order, redacted)
        row["properties"] |= {"secure_said": False}
        lessons.append(row | {"sources": list(draft.sources), "ties": ties})
    task = task_key(done.case.new[0].episode)
    return {"position": position, "task": task, "new": [one.id for one in done.case.new], "lessons": lessons}


def _kind(said: LinkKind) -> str:
    """What a reflector says of two lessons; whether they are duplicates is decided by their nearness, at grouping."""
    return (LinkKind.SIMILAR if said is LinkKind.DUPLICATE else said).value


def _renewed(work: Work) -> Stage[set[str]]:
    """Say that this run is alive, and keep what it still holds; what others took meanwhile is not among it."""
    beat = work.call("beat", id=work.worker, until=work.until, properties={})
    renew = work.call("renew", worker=work.worker, until=work.until)
    return {row["id"] for row in (yield Write([work.turn(), beat, renew]))[-1]}


def give_back(ids: Sequence[str] | None, problem: str, work: Work, tally: Tally, counts: bool = True) -> Stage[None]:
    """Let episodes that this run holds (all, without ids) be tried again later; `counts` whether this was a try."""
    until = work.clock() + timedelta(seconds=work.settings.retry_seconds)
    given = {"problem": work.told(problem), "until": until, "tries": work.settings.tries, "counts": counts}
    ids = None if ids is None else list(ids)
    rows = (yield Write([work.turn(), work.call("release", ids=ids, worker=work.worker, **given)]))[-1]
    tally.failed += len(rows)
    tally.dead += sum(row["dead"] for row in rows)
    if rows:
        tally.warn((f"{len(rows)} episodes were given back: {problem[:300]}",))
