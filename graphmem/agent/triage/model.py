"""The route by a language model: it is given policy, rules, examples and the message, and what it says is checked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

from graphmem.agent.bounds import cut
from graphmem.agent.triage.message import Message, Policy, Route
from graphmem.agent.triage.trace import Example
from graphmem.errors import GraphmemError
from graphmem.govern import StoredRule
from graphmem.learn.model_data import data, marked
from graphmem.learn.model_reply import Reply, Unreadable, read
from graphmem.llm import Llm, Prompt, ask
from graphmem.models import Episode
from graphmem.redact import Redactor, clean
from graphmem.text import has_words

VERSION = 1
"""The version of the prompt."""

REASONING, BODY, SITUATION = 500, 8000, 2000  # the most of each
_ASKED = 2  # times, before what cannot be read is given up
_SCHEMA = {
    "type": "object",
    "properties": {
        "route": {"type": "string", "enum": [route.value for route in Route]},
        "reasoning": {"type": "string", "maxLength": REASONING},
    },
    "required": ["route", "reasoning"],
    "additionalProperties": False,
}


@dataclass(frozen=True, slots=True)
class Matter:
    """What a model is asked about: the message, and below the policy the rules in force and the examples, in order."""

    message: Message
    policy: Policy
    rules: Sequence[StoredRule]
    examples: Sequence[tuple[Example, Episode]]


@dataclass(frozen=True, slots=True)
class Said:
    """What a model said: no route where nothing of it could be used, and then why (`problem`)."""

    route: Route | None
    reasoning: str = ""
    problem: str = ""


@cache
def instructions() -> str:
    """Our own words to the model; the caller's policy stands below them."""
    return resources.files("graphmem.agent").joinpath("prompts", f"triage-{VERSION}.md").read_text("utf-8")


def said_by(llm: Llm, matter: Matter, redactor: Redactor | None) -> Said:
    """What the model says, asked at most twice; whatever it says, it is one of the routes or nothing.

    The system role holds our instructions and the caller's policy alone. Rules, examples and the message are quoted
    data, the message without what the redactor takes out.
    """
    policy = matter.policy
    told = policy.text if has_words(policy.text) else "(none was given)"
    system = f"{instructions()}{told}\nWhere none of this decides, the route is {policy.default.value}.\n"
    fault = ""
    for _ in range(_ASKED):
        try:
            records = data(_records(matter, redactor), clean(redactor, fault)[0])
            found = read(ask(llm, Prompt(system, records, "triage", _SCHEMA)), _form).items[0]
            return Said(Route(found["route"].strip().lower()), _text(found.get("reasoning")))
        except Unreadable as error:
            fault = str(error)
        except GraphmemError as error:
            return Said(None, problem=f"{type(error).__name__}: {error}"[:500])
    return Said(None, problem=f"it gave nothing that can be used in {_ASKED} answers; the last one: {fault}")


def _records(matter: Matter, redactor: Redactor | None) -> Iterator[str]:
    for rule in matter.rules:
        yield marked("rule", {"name": rule.name, "text": rule.text})
    for example, episode in matter.examples:
        lesson = {
            "id": example.id,
            "situation": episode.task[:SITUATION],
            "relationship": example.relationship,
            "route": example.route.value,
            "reasoning": episode.trajectory[0].decision[:REASONING],
            "source": example.source_ref,
        }
        yield marked("memory", {name: value for name, value in lesson.items() if value})
    message = matter.message
    said: dict[str, Any] = {
        "subject": message.subject,
        "body": cut(message.body, BODY, redactor),
        "relationship": message.relationship,
        "facts": dict(message.facts),
    }
    yield marked("message", clean(redactor, {name: value for name, value in said.items() if value})[0])


def _form(found: Any) -> Reply | None:
    """An object with one of the routes."""
    route = found.get("route") if isinstance(found, dict) else None
    fits = isinstance(route, str) and route.strip().lower() in set(Route)
    return Reply((found,)) if fits else None


def _text(said: object) -> str:
    return said.strip()[:REASONING].encode("utf-8", "replace").decode() if isinstance(said, str) else ""
