"""What tools answer: text for a model, in which stored words are quoted, marked and stand with their origin.

Nothing here shows the words of a secure memory: no language model is shown one unless its owner asks for that.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from graphmem.correct import Correction, Feedback
from graphmem.errors import NotFound
from graphmem.govern import History
from graphmem.govern.history import Linked
from graphmem.models import Episode, Status, Stored
from graphmem.recall import Decision, Recall
from graphmem.recall.prompt import HEAD, evidence, quoted, tag
from graphmem.record import Recorded, Result

TOKENS = 4000  # of one answer's quotations, at four characters each
LABEL = 100  # characters of a label in a list
LATEST = 10  # uses and events of a history


@dataclass(frozen=True, slots=True)
class Answer:
    """What a tool says; `failed` when it could not do what it was asked for."""

    text: str
    failed: bool = False


def refused(error: Exception) -> Answer:
    """Why nothing was done, in one line."""
    return Answer(f"Error: {' '.join(str(error).split())}", failed=True)


def recalled(answer: Recall) -> Answer:
    """The hits as quoted evidence, or that nothing fits and what may be tried; it failed if the memory is away."""
    lines = [answer.as_prompt(TOKENS)]
    if answer.budget is not None:
        lines.append(
            f"Novelty {answer.novelty:.2f}: nothing that was remembered may be relied on. "
            f"At most {answer.budget.attempts} attempts without memory, and in each:"
        )
        lines += [f"- {check}" for check in answer.budget.checks]
    lines += _warnings(answer.warnings)
    away = answer.decision is Decision.POLICY_ONLY
    if not away:  # else there is no receipt that feedback could be about
        lines.append(f"recall_id: {answer.id}")
    return Answer("\n".join(lines), failed=away)


def recorded(answer: Recorded) -> Answer:
    """Whether it is stored, and whether it can be recalled."""
    how = {
        Result.CREATED: "recorded",
        Result.UNCHANGED: "was recorded before, nothing changed",
        Result.QUEUED: "kept in the outbox until the store is back",
    }
    lines = [f"episode {answer.id}: {how.get(answer.result, answer.result.value)}"]
    if answer.status is Status.ACTIVE:
        lines.append("It can be recalled.")
    elif answer.status is Status.AUDIT:
        lines.append("Its outcome is unknown, so it is kept and not recalled; a person's review can change that.")
    elif answer.status is not None:
        lines.append(f"Its status is {answer.status.value}.")
    return Answer("\n".join([*lines, *_warnings((answer.problem,) if answer.problem else ())]))


def credited(answer: Feedback) -> Answer:
    """What was noted about which memories."""
    lines = [f"recall {answer.recall_id}: {'kept in the outbox' if answer.queued else 'noted'}, {answer.outcome.value}"]
    lines += [f"{name}: {', '.join(ids)}" for name, ids in (("used", answer.used), ("misled", answer.misled)) if ids]
    return Answer("\n".join([*lines, *_warnings(answer.warnings)]))


def corrected(answer: Correction) -> Answer:
    """Which memory takes whose place, and where."""
    where = "everywhere" if answer.everywhere else "in tasks like:"
    lines = [f"memory {answer.right} takes the place of {answer.wrong} {where}"]
    lines += [] if answer.everywhere else [f"- {quoted(text)}" for text in answer.contexts]
    return Answer("\n".join([*lines, *_warnings(answer.warnings)]))


def one(stored: Stored) -> Answer:
    """A memory as quoted evidence. Raises NotFound for a secure one, as for one that is not there."""
    _visible(stored)
    return Answer(evidence(stored.memory, _origin(stored), TOKENS))


def several(found: Sequence[Stored]) -> Answer:
    """A line for each memory that is not secure."""
    seen = [stored for stored in found if not stored.memory.secure]
    lines = [tag(_origin(stored) | {"label": _short(stored.memory.label())}, end="/>") for stored in seen]
    return Answer("\n".join([HEAD, *lines] if lines else ["No such memories."]))


def lived(history: History) -> Answer:
    """Where a memory comes from, what came of it, how it was used. Raises NotFound for a secure one."""
    _visible(history.memory)
    return Answer("\n".join(_life(history)))


def _life(history: History) -> Iterator[str]:
    yield HEAD
    stored = history.memory
    yield tag(_origin(stored) | {"label": _short(stored.memory.label())}, end="/>")
    sections = (
        ("came from", history.sources),
        ("became", history.results),
        ("corrected by", history.corrected_by),
        ("corrects", history.corrects),
        ("related to", history.related),
        ("other version", history.versions),
    )
    for name, links in sections:
        yield from (f"{name}: {tag(_link(link), end='/>')}" for link in links)
    uses = history.uses
    yield (
        f"returned {uses.returned} times, used {uses.used}, misled {uses.misled}; "
        f"{uses.successes} successes, {uses.failures} failures in all"
    )
    for use in uses.latest[:LATEST]:
        how = "used" if use.used else "misled" if use.misled else "returned"
        yield f"- {use.at.isoformat()}: {how}, {use.outcome.value}{f', {quoted(use.reason)}' if use.reason else ''}"
    for event in history.events[-LATEST:]:
        reason = f": {quoted(event.reason)}" if event.reason else ""
        yield f"{event.at.isoformat()} {event.what} by {quoted(event.by)}{reason}"
    if history.cut:
        yield "There is more of it than is told."


def _link(link: Linked) -> dict[str, str]:
    """What is known of a linked memory: not its words, since it may be secure."""
    return {
        "id": link.id,
        "kind": link.kind.value,
        "status": link.status.value,
        "edge": link.edge,
        "steps": str(link.hop) if link.hop > 1 else "",
        "by": link.by,
        "reason": link.reason,
        "revoked": link.revoked_at.isoformat() if link.revoked_at else "",
    }


def _origin(stored: Stored) -> dict[str, str]:
    memory = stored.memory
    return {
        "id": stored.id,
        "kind": stored.kind.value,
        "status": stored.status.value,
        "outcome": memory.outcome.value if isinstance(memory, Episode) else "",
        "owner": "user" if stored.user else "tenant",
        "source": memory.source_ref,
        "inherited_from": stored.inherited_from,
        "happened": (memory.occurred_at or stored.created_at).isoformat(),
    }


def _visible(stored: Stored) -> None:
    if stored.memory.secure:
        raise NotFound(f"no memory {stored.id} in this scope")


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= LABEL else f"{line[: LABEL - 1]}…"


def _warnings(warnings: Sequence[str]) -> list[str]:
    return [f"Warning: {' '.join(text.split())}" for text in warnings]
