"""Planning by a language model: it proposes, what it says is checked, and without it the rules plan."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from importlib import resources
from typing import Any

from graphmem.agent.bounds import cut, plain
from graphmem.agent.plan import Brief, Intent, Plan, Planner, check_planner
from graphmem.agent.planner import RulePlanner
from graphmem.agent.words import content
from graphmem.errors import ConfigurationError, GraphmemError
from graphmem.learn.model_data import data, marked
from graphmem.learn.model_reply import Object, Reply, Unreadable, read
from graphmem.llm import Llm, Prompt, ask, check_llm, make_llm
from graphmem.models import Step
from graphmem.recall.prompt import included
from graphmem.redact import Redactor, clean, make_redactor
from graphmem.redact.rules import RuleRedactor
from graphmem.settings import Settings
from graphmem.text import has_words, shown

VERSION = 1
"""The version of the prompt."""

STEPS, ACTION, EXPECTS, WHY, FOLLOWS = 30, 1000, 200, 300, 10  # the most of each
_ASKED = 2  # times, before what cannot be read is given up
_OPTIONS, _LONG, _SEEN = 60, 400, 20  # options and earlier steps that are shown, characters of an observation
_RULES = RuleRedactor()
_SCHEMA = {
    "type": "object",
    "properties": {
        "steps": {
            "type": "array",
            "maxItems": STEPS,
            "items": {
                "type": "object",
                "properties": {
                    "action": {"type": "string", "maxLength": ACTION},
                    "expects": {"type": "string", "maxLength": EXPECTS},
                },
                "required": ["action", "expects"],
                "additionalProperties": False,
            },
        },
        "follows": {"type": "array", "maxItems": FOLLOWS, "items": {"type": "string", "maxLength": 200}},
        "finished": {"type": "boolean"},
        "why": {"type": "string", "maxLength": WHY},
    },
    "required": ["steps", "follows", "finished", "why"],
    "additionalProperties": False,
}


@cache
def instructions() -> str:
    """Our own words to the model."""
    return resources.files("graphmem.agent").joinpath("prompts", f"plan-{VERSION}.md").read_text("utf-8")


class ModelPlanner:
    """A planner on a language model; where it is away or says nothing usable, `otherwise` plans, and a note says why.

    The model has no tools and no say but the plan. What was recalled, seen and asked goes to it as quoted data, without
    the secrets and personal data that `redactor` finds (by rules, if none is given; with None nothing is looked for).
    So does a task whose context is `secure`: whoever lets a model plan shows it what is to be done. Of an answer at
    most 30 steps are taken, an action of more than 1000 characters is refused, and a memory counts as followed only if
    it was shown and named.
    """

    def __init__(
        self, llm: Llm, *, redactor: Redactor | None = _RULES, tokens: int = 6000, otherwise: Planner | None = None
    ) -> None:
        """`tokens` is the most tokens of memories in a prompt, at four characters each."""
        self._llm = check_llm(llm)
        self._redactor = redactor
        self._tokens = tokens
        self._otherwise = check_planner(otherwise) if otherwise is not None else RulePlanner()

    @classmethod
    def configured(cls, settings: Settings, *, tokens: int = 6000) -> ModelPlanner:
        """The planner on the language model of some settings. Raises ConfigurationError where they name none."""
        llm = make_llm(settings)
        if llm is None:
            raise ConfigurationError("no language model is in use: set GRAPHMEM_LLM__MODEL")
        return cls(llm, redactor=make_redactor(settings), tokens=tokens)

    @property
    def name(self) -> str:
        """The model, and the version of the prompt that it is given."""
        return f"{self._llm.name}/plan-{VERSION}"

    def plan(self, brief: Brief) -> Plan:
        """What the model proposes, asked at most twice; else what the rules do."""
        fault = ""
        for _ in range(_ASKED):
            try:
                completion = ask(self._llm, Prompt(instructions(), self._data(brief, fault), "plan", _SCHEMA))
                return self._read(read(completion, _form).items, brief)
            except Unreadable as error:
                fault = str(error)
            except GraphmemError as error:
                return self._without(brief, cut(f"{type(error).__name__}: {error}", 500, self._redactor))
        return self._without(brief, f"it gave nothing that can be used in {_ASKED} answers; the last one: {fault}")

    def _data(self, brief: Brief, fault: str) -> str:
        """What the model is shown; the memories, redacted when they were kept, stand there as recall quotes them."""
        said, fault = clean(self._redactor, (tuple(_said(brief, self._redactor)), fault))[0]
        return data((*said, brief.recall.as_prompt(self._tokens)) if brief.recall is not None else said, fault)

    def _read(self, items: Sequence[Object], brief: Brief) -> Plan:
        found = items[0]
        known = {hit.id for hit in included(brief.recall, self._tokens)} if brief.recall is not None else set()
        named = [one for one in _texts(found.get("follows")) if one]
        sources = tuple(dict.fromkeys(one for one in named if one in known))[:FOLLOWS]
        why = cut(_text(found.get("why")), WHY, self._redactor)
        steps: list[Intent] = []
        for step in found["steps"][:STEPS]:
            action, expects = _text(step.get("action")), cut(_text(step.get("expects")), EXPECTS, self._redactor)
            if len(action) > ACTION:
                raise Unreadable(f"an action has {len(action)} characters; at most {ACTION} are taken")
            if has_words(action):
                steps.append(Intent(action, expects, why if not steps else ""))
        if not steps and not brief.seen:
            raise Unreadable("it has no step, and nothing was done yet")
        repeated = [one.action for one in steps if one.action in {tried.failed for tried in brief.tried}]
        if repeated and len(steps) == len(repeated):
            raise Unreadable(f"it does again what failed: {shown(repeated[0], 200)}")
        if steps and brief.place.strict and steps[0].action not in brief.options:
            raise Unreadable(f"it is not among the options, and nothing else is done: {shown(steps[0].action, 200)}")
        unknown = sum(one not in known for one in named)
        note = f"{unknown} memories that it named were not shown to it" if unknown else ""
        return Plan(
            self.name, tuple(steps), sources, open=found.get("finished") is False and bool(steps), why=why, note=note
        )

    def _without(self, brief: Brief, problem: str) -> Plan:
        plan: Plan = self._otherwise.plan(brief)
        return replace(plan, note=f"planned without {self._llm.name}: {problem}")


def _said(brief: Brief, redactor: Redactor | None) -> Iterator[str]:
    yield marked("task", {"task": brief.task, "left": brief.left})
    if brief.place.tools:
        yield marked("tools", list(brief.place.tools))
    if brief.options:
        wanted = content(brief.task)
        fitting = (one for one in brief.options if len(one) <= ACTION)
        likely = sorted(fitting, key=lambda one: -len(content(one) & wanted))[:_OPTIONS]
        yield marked("options", {"actions": likely, "of": len(brief.options)})
    if has_words(brief.view):
        yield marked("view", cut(brief.view, 10 * _LONG, redactor))
    if brief.seen:
        yield marked("done", _steps(brief.seen, redactor))
    for tried in brief.tried[-3:]:
        because = cut(tried.reason, _LONG, redactor)
        yield marked("failed", {"steps": _steps(tried.steps, redactor), "at": tried.failed, "because": because})


def _steps(steps: Sequence[Step], redactor: Redactor | None) -> list[dict[str, str]]:
    return [{"action": step.action, "seen": cut(step.observation, _LONG, redactor)} for step in steps[-_SEEN:]]


def _form(found: Any) -> Reply | None:
    """A plan: an object with a list of steps, each an object with an action; an empty list says that all is done."""
    if not isinstance(found, dict) or not isinstance(found.get("steps"), list):
        return None
    steps = [step for step in found["steps"] if isinstance(step, dict)]
    return Reply(({**found, "steps": steps},)) if len(steps) == len(found["steps"]) else None


def _texts(found: object) -> list[str]:
    return [_text(one) for one in found] if isinstance(found, list) else []


def _text(said: object) -> str:
    return plain(said.strip()) if isinstance(said, str) else ""
