"""The course of a review: a person's word turns a decision into evidence; and of learning what was routed before.

Each step may be done twice, so a review that was killed is simply given again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from graphmem.agent.calls import Ask, Course
from graphmem.agent.triage.deciding import Means
from graphmem.agent.triage.episode import corrected, corrected_id, decided, learnt, routed
from graphmem.agent.triage.message import Judged, Route
from graphmem.errors import Conflict, InvalidInput, NotFound
from graphmem.fields import Input, Text, Value, Words, chosen
from graphmem.models import Identifier, Outcome, Stored
from graphmem.record import BATCH, Recorded, Result

Progress = Callable[[int], object]


class Word(Input):
    """A person's word on a decision: it was right (no route), or another route is; by whom, and where that is kept."""

    id: Identifier
    route: Route | None
    by: Words
    reason: Text = ""
    feedback_ref: Text = ""


class Reviewed(Value):
    """What a review did: the decision and its route, the accepted episode and its route, which are the same where the
    decision was right; `changed` is false where all of that stood so already.
    """

    id: str
    route: Route
    accepted: str
    accepted_route: Route
    by: str
    changed: bool


class Learnt(Value):
    """What became of one message: the id of its episode, or the reason why it is no example (`problem`)."""

    message: str
    id: str
    changed: bool = False
    problem: str = ""


def word(name: str, accepted: bool, route: str | None, by: str, reason: str, feedback_ref: str) -> Word:
    """A person's word, checked. Raises InvalidInput unless it either accepts the decision or names a route."""
    if not isinstance(accepted, bool):
        raise InvalidInput(f"accepted is True or False, and not {accepted!r:.60}")
    if accepted == (route is not None):
        raise InvalidInput("give either accepted=True or the route that is right; silence says nothing")
    right = chosen(Route, route, "route") if route is not None else None
    return Word(id=name, route=right, by=by, reason=reason, feedback_ref=feedback_ref)


def review(said: Word) -> Course[Reviewed]:
    """Turn a decision into evidence; see `Triage.review`."""
    stored: Stored = yield Ask(lambda memory: memory.get(said.id))
    episode = decided(stored)
    was = routed(episode)
    assert was is not None
    if said.route is None and episode.outcome is Outcome.FAIL:
        raise InvalidInput(f"decision {said.id} was corrected before; give the route that is right after all")
    route = said.route or was
    own = route is was and episode.outcome is not Outcome.FAIL
    right = said.id if own else corrected_id(said.id, route)
    wrong = [*([] if own else [stored]), *(yield from _others(said.id, route))]
    changed = False
    for one in wrong:
        changed |= yield from _rejected(one, said, route)
    outcome = episode.outcome if own else (yield from _stands(right, stored, route, said.by))
    changed |= yield from _approved(right, said, outcome)
    for one in wrong:
        because = said.reason or f"{said.by} chose {route.value}"
        yield Ask(partial(_corrects, wrong=one.id, right=right, reason=because, by=said.by))
    return Reviewed(id=said.id, route=was, accepted=right, accepted_route=route, by=said.by, changed=changed)


def learn(judged: Sequence[Judged], by: str, means: Means, progress: Progress | None) -> Course[tuple[Learnt, ...]]:
    """Take messages that a person routed; see `Triage.learn`."""
    for one in judged:
        one.message.within(means.scope)
    Word(id="learnt", route=None, by=by)  # what is no name of a person is refused before anything is recorded
    told: list[Learnt] = []
    for start in range(0, len(judged), BATCH):
        batch = judged[start : start + BATCH]
        drafts = [learnt(one, means.domain, means.redactor) for one in batch]
        answers: Sequence[Recorded] = yield Ask(partial(_record, drafts))
        for one, answer in zip(batch, answers, strict=True):
            told.append((yield from _vouched(one, answer, by)))
            if progress is not None:
                progress(len(told))
    return tuple(told)


def _vouched(one: Judged, answer: Recorded, by: str) -> Course[Learnt]:
    name = answer.id or ""
    if not answer.stored:
        problem = answer.problem
        if answer.result is Result.CONFLICT:
            problem = f"it was learnt before with another route or other words; correct that by a review of {name}"
        elif answer.result is Result.QUEUED:
            problem = f"it is no example until it is learnt again: {problem}"
        return Learnt(message=one.message.id, id=name, problem=problem)
    done = yield Ask(lambda memory: memory.review(name, approve=True, by=by))
    return Learnt(message=one.message.id, id=name, changed=done.changed)


def _approved(name: str, said: Word, outcome: Outcome) -> Course[bool]:
    ended = {"outcome": Outcome.SUCCESS.value, "evidence": f"accepted by {said.by}", "feedback_ref": said.feedback_ref}
    given = {"approve": True, "by": said.by, "reason": said.reason, **(ended if outcome is Outcome.UNKNOWN else {})}
    done = yield Ask(lambda memory: memory.review(name, **given))
    return bool(done.changed)


def _rejected(one: Stored, said: Word, route: Route) -> Course[bool]:
    """A decision that was wrong: a failure where nobody knew, and recalled no more."""
    proof = f"{said.by} chose {route.value}"
    ended = {"outcome": Outcome.FAIL.value, "evidence": proof, "feedback_ref": said.feedback_ref}
    unknown = decided(one).outcome is Outcome.UNKNOWN
    given = {"approve": False, "by": said.by, "reason": said.reason or proof, **(ended if unknown else {})}
    done = yield Ask(lambda memory: memory.review(one.id, **given))
    return bool(done.changed)


def _stands(right: str, wrong: Stored, route: Route, by: str) -> Course[Outcome]:
    """See that what takes a decision's place is there; how it ended so far."""
    known = yield from _known(right)
    if known is None:
        draft = corrected(wrong, route, by)
        try:
            yield Ask(lambda memory: memory.record(draft))
        except Conflict:  # another process was quicker
            known = yield from _known(right)
    return decided(known).outcome if known is not None else Outcome.UNKNOWN


def _others(name: str, route: Route) -> Course[list[Stored]]:
    """What took the decision's place by an earlier word, with another route."""
    found = []
    for other in Route:
        known = (yield from _known(corrected_id(name, other))) if other is not route else None
        found += [known] if known is not None else []
    return found


def _known(name: str) -> Course[Stored | None]:
    try:
        stored: Stored = yield Ask(lambda memory: memory.get(name))
    except NotFound:
        return None
    return stored


def _record(drafts: Sequence[Any], memory: Any) -> Any:
    return memory.record_many(drafts)


def _corrects(memory: Any, **given: str) -> Any:
    return memory.correct(**given)
