"""The third phase: groups that changed become skills, or new versions of them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from graphmem.embed import Embedded
from graphmem.errors import EmbeddingError, ReflectionError, StoreError
from graphmem.learn.drafts import Group, Practice
from graphmem.learn.work import Tally, Work, attempt, known, readable
from graphmem.models import Skill
from graphmem.record.properties import digest, to_item
from graphmem.record.stage import Order, node
from graphmem.scope import new_id
from graphmem.steps import Embed, Read, Row, Stage, Write
from graphmem.text import normalise

MEMBERS, ATTEMPTS = 30, 20  # lessons of a group, and attempts behind them, that a reflector is shown


def distil(work: Work, tally: Tally) -> Stage[bool]:
    """Distil one group; whether there was one, and this worker still leads.

    A practice that says what the newest version of the group's skill says only adds its lessons to that version.
    """
    rows = yield Read(work.call("leaders", now=work.clock(), latest=work.latest, members=MEMBERS, attempts=ATTEMPTS))
    if not rows:
        return False
    leader = rows[0]["id"]
    try:
        found = work.shown(_group(rows[0]))
        if not found.lessons:  # all that it taught was taken back
            return (yield from _write(leader, None, (), work, tally))
        said = work.shown((yield from (work.rules if found.secure else work.reflector).distil(found)))
        tally.usage += said.usage
        tally.warn(said.warnings)
    except (ReflectionError, StoreError) as error:
        tally.spend(error)
        tally.warn((f"a group of {len(rows[0]['members'])} lessons was not distilled: {error}",))
        until = work.clock() + timedelta(seconds=work.settings.retry_seconds)
        given = {
            "id": leader,
            "worker": work.worker,
            "until": until,
            "tries": work.settings.tries,
            "problem": work.told(str(error)),
        }
        return bool((yield Write([work.turn(), work.call("postpone", **given)]))[-1])
    skill = None if said.practice is None else _skill(said.practice, found, rows[0]["last"])
    return (yield from _write(leader, skill, [one.id for one in found.lessons], work, tally))


def _group(row: Row) -> Group:
    current = None if row["current"] is None else to_item(row["current"])
    if current is not None and not isinstance(current, Skill):
        raise StoreError(f"memory {row['current'].get('id')} was damaged in the database: it is no skill")
    lessons, _ = readable(row["members"], known)
    attempts, _ = readable(row["attempts"], attempt)
    return Group(lessons=lessons, attempts=attempts, current=current)


def _skill(practice: Practice, group: Group, last: int) -> Skill:
    """The practice as a memory: the same one whichever group of a domain and task type comes to it."""
    current, lessons = group.current, [one.reflection for one in group.lessons]
    said = (practice.name, practice.steps, practice.preconditions)
    same = current is not None and said == (current.name, current.steps, current.preconditions)
    version = current.version if same and current is not None else last + 1
    first = lessons[0]
    shared: set[str] = set.intersection(*(set(one.tags) for one in lessons))
    words = [practice.name, *practice.steps, "", *sorted(practice.preconditions)]
    labels = [first.domain, first.task_type, group.secure]
    return Skill(
        id="skill-" + digest([*labels, *(normalise(text).casefold() for text in words)]),
        name=practice.name,
        steps=practice.steps,
        preconditions=practice.preconditions,
        quality_notes=practice.quality_notes,
        version=version,
        domain=first.domain,
        task_type=first.task_type,
        toolchain=first.toolchain if all(one.toolchain == first.toolchain for one in lessons) else "",
        tags=tuple(sorted(shared)),
        secure=group.secure,
        sources=tuple(one.id for one in group.lessons),
    )


def _write(leader: str, skill: Skill | None, members: Sequence[str], work: Work, tally: Tally) -> Stage[bool]:
    row: dict[str, Any] | None = None
    if skill is not None:
        kept, redacted = work.kept(skill)
        order = Order(work.scope, share=False, now=work.clock(), embedding_model=work.embedding_model, new_id=new_id)
        vector: Embedded | None = None
        try:
            vector = (yield Embed([kept.searchable()], "document"))[0]
        except EmbeddingError as error:
            tally.warn((f"skill {kept.id} is stored without a vector (run 'graphmem reembed' later): {error}",))
        row = node(kept, vector, 0, order, redacted)
        row["properties"] |= {"family": leader, "secure_said": False}
    given = {"group": leader, "members": list(members), "skill": row, "worker": work.worker}
    write = work.call("skill", **given, by=work.reflector.name, now=work.clock())
    rows = (yield Write([work.turn(), write]))[-1]
    tally.skills += sum(found["created"] for found in rows)
    return bool(rows)
