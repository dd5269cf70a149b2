"""How an episode ended, said by a person afterwards."""

from __future__ import annotations

from pydantic import model_validator

from graphmem.errors import InvalidInput
from graphmem.govern.stage import caller_said
from graphmem.govern.status import Standing
from graphmem.models import Episode, Input, Outcome, Text
from graphmem.record.properties import attempt_key, to_item
from graphmem.scope import Scope
from graphmem.steps import Call, Read, Stage
from graphmem.store.catalogue import statement
from graphmem.text import shown

_SAID = ("outcome", "outcome_evidence", "feedback_ref", "content_hash")


class Ending(Input):
    """An outcome (not unknown) of an episode that had none, what proved it, and where that word came from."""

    outcome: Outcome | None = None
    evidence: Text = ""
    feedback_ref: Text = ""

    @model_validator(mode="after")
    def _known(self) -> Ending:
        if self.outcome is Outcome.UNKNOWN:
            raise ValueError("outcome must be success, fail or mixed: it says how an episode ended")
        if self.outcome is None and (self.evidence or self.feedback_ref):
            raise ValueError("evidence and feedback_ref say what proved an outcome; give the outcome too")
        return self


def end(said: Ending, found: Standing, scope: Scope) -> Stage[tuple[Call, ...]]:
    """What writes how an episode ended: one call, or none where that is known or was not said.

    Raises InvalidInput for what is no episode, for one that ended otherwise, and for another evidence or reference to
    feedback than it has.
    """
    if said.outcome is None:
        return ()
    if found.outcome is None:
        raise InvalidInput(f"{found.id} is a {found.kind.value}: only an episode has an outcome; leave it out")
    if found.outcome not in (Outcome.UNKNOWN, said.outcome):
        raise InvalidInput(
            f"episode {found.id} ended in {found.outcome.value}, and not in {said.outcome.value}; a known outcome "
            "never changes: correct the episode by another one"
        )
    rows = yield Read(Call(statement("govern/get"), {"scopes": [found.scope], "id": found.id}))
    if not rows:
        return ()  # erased meanwhile, which whoever asks finds out
    node = rows[0]["node"]
    episode = to_item(node)
    assert isinstance(episode, Episode)
    known = found.outcome is not Outcome.UNKNOWN
    for name, new, old in (
        ("feedback_ref", said.feedback_ref, episode.feedback_ref),
        ("outcome_evidence", said.evidence, episode.outcome_evidence if known else ""),
    ):
        if new and new != old and (old or known):
            told = f"has the {name} {shown(old)}" if old else f"ended without {name}"
            raise InvalidInput(f"episode {found.id} {told}, and that never changes")
    if known:
        return ()
    after = episode.model_copy(
        update={
            "outcome": said.outcome,
            "outcome_evidence": said.evidence or episode.outcome_evidence,
            "feedback_ref": said.feedback_ref or episode.feedback_ref,
        }
    )
    properties = {name: value for name, value in caller_said(after, node).items() if name in _SAID}
    given = {
        "scopes": scope.visible,
        "scope": found.scope,
        "id": found.id,
        "was": node["content_hash"],
        "properties": {**properties, "attempt_key": attempt_key(after)},
    }
    return (Call(statement("govern/outcome"), given),)
