"""The verb `consolidate`: from episodes to lessons to skills, in steps that may be stopped anywhere and run again."""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime
from typing import Any

from graphmem.errors import GraphmemError
from graphmem.learn.distilling import distil
from graphmem.learn.grouping import group
from graphmem.learn.models import Consolidation, Drafted, Queue
from graphmem.learn.promoting import judge
from graphmem.learn.reflecting import case_of, cases, give_back, reflect
from graphmem.learn.work import Tally, Work
from graphmem.steps import Call, Read, Stage, Write
from graphmem.store.catalogue import statement

KIND = "consolidation"
DRAFTED = 1000  # episodes that a dry run looks at


def consolidate(work: Work, dry_run: bool = False) -> Stage[Consolidation]:
    """Work until nothing waits that this run may have: reflect, and, if no other run leads, group, distil and promote.

    Any number of runs share a scope. Each episode is reflected by one of them: what a killed run had claimed returns
    when its lease ends. A Job node says what a run did, and carries a time after which it counts as killed; a run that
    finds nothing to do leaves none.
    """
    tally, begun = Tally(), work.clock()
    if dry_run:
        drafts = yield from _drafts(work, tally)
        yield from judge(work, tally, dry_run=True)
        return (yield from _told(work, tally, begun, dry_run=True, drafts=drafts))
    left = yield from queue(work)
    waiting, idle = left.waiting, not (left.waiting or left.grouping or left.distilling)
    begin = _job("begin", work, {**_whose(work), "started_at": begun, "state": "running", "until": work.until})
    if not idle:
        gone = {"scope": work.scope.own, "kind": KIND, "now": begun}
        yield Write([Call(statement("jobs/abandoned"), gone), begin])
    try:
        while (yield from reflect(work, tally)):
            work.progress("reflecting episodes", min(tally.episodes + tally.failed, waiting), waiting)
            yield from _beat(work, tally)
        if (yield from _leads(work)):
            yield from _lead(work, tally)
    except Exception as error:
        end = {**_counts(tally), "state": "failed", "ended_at": work.clock(), "error": work.told(str(error))}
        with suppress(GraphmemError):  # what happened first is what is told
            yield from give_back(None, f"the run failed: {error}", work, tally, counts=False)
            yield Write([work.turn(), work.call("yield", worker=work.worker), _job("end", work, end)])
        raise
    done = yield from _told(work, tally, begun)
    if not idle or done.decided:  # a run that found nothing to do leaves nothing
        end = {**_counts(tally), "state": "done", "ended_at": done.ended_at, "cost": done.cost}
        yield Write([begin, _job("end", work, end)])
    return done


def queue(work: Work) -> Stage[Queue]:
    """What waits in the scope."""
    row = (yield Read(work.call("queue", now=work.clock())))[0]
    lags = sorted(row["lags"])
    wanted = (("lag_p50", 0.5), ("lag_p95", 0.95)) if lags else ()
    shares = {name: float(lags[int(share * (len(lags) - 1))]) for name, share in wanted}
    counts = {name: row[name] for name in ("waiting", "grouping", "distilling", "dead", "oldest")}
    return Queue(**counts, **shares)


def _lead(work: Work, tally: Tally) -> Stage[None]:
    while (yield from _leads(work)) and (yield from group(work, tally)):
        work.progress("grouping lessons", tally.grouped, 0)
        yield from _beat(work, tally)
    while (yield from _leads(work)) and (yield from distil(work, tally)):
        work.progress("distilling skills", tally.skills, 0)
        yield from _beat(work, tally)
    if (yield from _leads(work)):
        yield from judge(work, tally)
        work.progress("promoting skills", len(tally.decided), 0)
    yield Write([work.turn(), work.call("yield", worker=work.worker)])


def _leads(work: Work) -> Stage[bool]:
    lead = work.call("lead", worker=work.worker, now=work.clock(), until=work.until)
    return bool((yield Write([work.turn(), lead]))[-1])


def _beat(work: Work, tally: Tally) -> Stage[None]:
    yield Write([work.call("beat", id=work.worker, until=work.until, properties=_counts(tally))])


def _drafts(work: Work, tally: Tally) -> Stage[tuple[Drafted, ...]]:
    """What the rules would write of all that waits, or the model would be asked about."""
    drafts: list[Drafted] = []
    tasks = [row["task"] for row in (yield Read(work.call("waiting", now=work.clock(), most=DRAFTED)))]
    for row in (yield from cases(work, tasks, None)):
        case, damaged = case_of(row)
        tally.warn(tuple(damaged.values()))
        if case is None:
            continue
        said = yield from work.rules.reflect(work.shown(case))
        tally.episodes += len(case.new)
        drafts += [Drafted(insight=lesson.insight, sources=lesson.sources) for lesson in said.lessons]
    return tuple(drafts)


def _told(
    work: Work, tally: Tally, begun: datetime, *, dry_run: bool = False, drafts: tuple[Drafted, ...] = ()
) -> Stage[Consolidation]:
    done = Consolidation(
        id=work.worker,
        tenant=work.scope.tenant,
        user=work.scope.user,
        started_at=begun,
        ended_at=work.clock(),
        reflector=work.reflector.name,
        dry_run=dry_run,
        **{name: getattr(tally, name) for name in _COUNTED},
        lessons=len(drafts) if dry_run else tally.lessons,
        decided=tuple(tally.decided),
        drafts=drafts,
        usage=tally.usage,
        cost=work.price(tally.usage),
        queue=(yield from queue(work)),
        warnings=tuple(tally.warnings),
    )
    return work.shown(done)


_COUNTED = ("episodes", "repeated", "grouped", "skills", "failed", "dead")


def _counts(tally: Tally) -> dict[str, Any]:
    counts = {name: getattr(tally, name) for name in (*_COUNTED, "lessons")}
    return {**counts, **tally.usage.model_dump(), "decided": len(tally.decided)}


def _whose(work: Work) -> dict[str, Any]:
    return {
        "kind": KIND,
        "tenant": work.scope.tenant,
        "user": work.scope.user,
        "reflector": work.reflector.name,
    }


def _job(name: str, work: Work, properties: dict[str, Any]) -> Call:
    given = {"scope": work.scope.own, "id": work.worker, "properties": properties}
    return Call(statement(f"jobs/{name}"), given)
