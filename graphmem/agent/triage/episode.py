"""Decisions as episodes: the situation is the task, the route the action, the reasoning its decision."""

from __future__ import annotations

from typing import Any

from pydantic import JsonValue

from graphmem.agent.bounds import kept
from graphmem.agent.triage.message import Judged, Message, Route
from graphmem.agent.triage.trace import By, Trace
from graphmem.errors import InvalidInput
from graphmem.models import Episode, Outcome, Step, Stored
from graphmem.record.properties import digest
from graphmem.redact import Redactor

TASK_TYPE = "triage"
"""The task type of all decisions, by which they are recalled."""


def decision(message: Message, trace: Trace, redactor: Redactor | None) -> Episode:
    """A decision as it is recorded: nobody knows yet whether it was right, so it is kept and never recalled.

    Its id is a digest of the message and of what was decided on which grounds: decided again alike, it is the same.
    """
    said: dict[str, JsonValue] = {
        "by": trace.by.value,
        "rule": f"{trace.ruled.name} (version {trace.ruled.version})" if trace.ruled is not None else "",
        "policy_only": trace.by is By.POLICY_ONLY,
        "examples": [one.id for one in trace.top],
    }
    episode = _episode(message, trace.domain, trace.route, trace.reasoning, said, redactor)
    return episode.model_copy(update={"id": f"triage-{digest(episode.model_dump(mode='json', exclude={'id'}))}"})


def learnt(judged: Judged, domain: str, redactor: Redactor | None) -> Episode:
    """A message whose route a person gave, as a success; its id is a digest of the domain and the message's id."""
    message = judged.message
    episode = _episode(message, domain, judged.route, judged.reasoning, {"by": "person"}, redactor)
    proof = {
        "outcome": Outcome.SUCCESS,
        "outcome_evidence": "a person gave the route",
        "feedback_ref": judged.feedback_ref,
    }
    return episode.model_copy(update={"id": f"triage-{digest(['learnt', domain, message.id])}", **proof})


def corrected(wrong: Stored, route: Route, by: str) -> Episode:
    """What should have been decided instead; its id is a digest of the wrong decision's and the route."""
    episode = decided(wrong)
    was = routed(episode)
    step = Step(action=route.value, decision=f"{by} chose it in the place of {was.value if was else 'another route'}")
    return episode.model_copy(
        update={
            "id": corrected_id(wrong.id, route),
            "trajectory": (step,),
            "outcome": Outcome.UNKNOWN,
            "outcome_evidence": "",
            "failure_reason": "",
            "feedback_ref": "",
            "metadata": {**_context(episode), "by": "person", "corrects": wrong.id},
        }
    )


def corrected_id(wrong: str, route: Route) -> str:
    """The id of what takes the place of a wrong decision."""
    return f"triage-{digest(['corrected', wrong, route.value])}"


def decided(stored: Stored) -> Episode:
    """The episode of a decision. Raises InvalidInput for a memory that is none."""
    memory = stored.memory
    if not isinstance(memory, Episode) or memory.task_type != TASK_TYPE or routed(memory) is None:
        raise InvalidInput(f"memory {stored.id} is no decision of a triage; give the id that 'decide' told")
    return memory


def routed(episode: Episode) -> Route | None:
    """The route that an episode took; None where its one action is no route."""
    actions = [step.action for step in episode.trajectory]
    return Route(actions[0]) if len(actions) == 1 and actions[0] in set(Route) else None


def _episode(
    message: Message,
    domain: str,
    route: Route,
    reasoning: str,
    said: dict[str, JsonValue],
    redactor: Redactor | None,
) -> Episode:
    about: dict[str, JsonValue] = {"message": message.id, "relationship": message.relationship}
    return Episode(
        task=message.situation(redactor),
        domain=domain,
        task_type=TASK_TYPE,
        trajectory=(Step(action=route.value, decision=kept(reasoning, redactor)),),
        subject=message.whose,
        occurred_at=message.at,
        source_ref=message.source_ref,
        secure=message.secure,
        metadata={**about, "facts": dict(message.facts), **said},
    )


def _context(episode: Episode) -> dict[str, Any]:
    return {name: episode.metadata[name] for name in ("message", "relationship", "facts") if name in episode.metadata}
