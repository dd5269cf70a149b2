"""Half a secret reaches neither the graph nor a model: what is cut is redacted first."""

from __future__ import annotations

import base64
import json
import random
from collections.abc import Iterator
from typing import Any

import pytest

from graphmem import Memory, Settings
from graphmem.agent import Answer, DeployedAgent, Loop, ModelPlanner, Problem, Task, View
from graphmem.agent.generator import REASONING, Generator
from graphmem.agent.planner_model import WHY
from graphmem.llm import make_llm
from tests.endpoint import Endpoint, said

_BODY = base64.b64encode(random.Random(5).randbytes(2300)).decode()
LINES = [_BODY[at : at + 64] for at in range(0, len(_BODY), 64)]
KEY = "\n".join(["-----BEGIN PRIVATE KEY-----", *LINES, "-----END PRIVATE KEY-----", ""])
# Where a text is cut at 4000 characters from either end, 2000 (what went wrong), 1000, 500, 400 or 300.
TEXTS = {
    at: "log line fine\n" * (at // 14) + KEY + "end of it\n" * 2000 for at in (3600, 1800, 900, 420, 350, 250, 120)
}
TEXTS[-1] = "log line fine\n" * 2000 + KEY + "end of it\n" * 200
# Tokens one after the other: wherever such a text is cut, it is within the beginning of one in some of these texts.
TOKEN = "sk-ant-api03-" + _BODY[:48].replace("+", "a").replace("/", "b")
TEXTS |= {-2 - shift: "x" * shift * 10 + "\n" + f"{TOKEN}\n" * 400 for shift in range(6)}
NEEDLES = (*(line[:20] for line in LINES), TOKEN[:8])


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    with Endpoint() as made:
        yield made


def raising(text: str) -> Any:
    raise OSError(text)


PLACES = (
    "act",
    "raises",
    "gate",
    "gate raises",
    "not understood",
    "action",
    "evaluate",
    "answer",
    "reasoning",
    "truth",
)


@pytest.mark.parametrize("place", [*PLACES, "validate", "validate raises"])
@pytest.mark.parametrize("at", TEXTS)
def test_no_half_of_a_key_is_recorded(memory: Memory, place: str, at: int) -> None:
    text = TEXTS[at]
    asked: dict[str, Any] = {"act": lambda action: "ok", "options": ["show the key"]}
    given: dict[str, Any] = {"gate": lambda step: True}
    model: dict[str, Any] = {"generate": lambda asked: "ok", "validate": lambda problem, answer: True}
    truth = ""
    match place:
        case "act":
            asked["act"] = lambda action: text
        case "raises":
            asked["act"] = lambda action: raising(text)
        case "gate":
            given["gate"] = lambda step: (False, text)
        case "gate raises":
            given["gate"] = lambda step: raising(text)
        case "not understood":
            asked["act"] = lambda action: View(text, "", understood=False)
        case "action":
            asked["options"] = [f"show the key {text[:8000].rpartition(chr(10))[0]}"]
            given["gate"] = lambda step: False
        case "evaluate":
            given["evaluate"] = lambda run: ("fail", text)
        case "answer":
            model["generate"] = lambda asked: text
        case "reasoning":
            model["generate"] = lambda asked: Answer("ok", (), text)
        case "truth":
            truth = text
        case "validate":
            model["validate"] = lambda problem, answer: (False, text)
        case "validate raises":
            model["validate"] = lambda problem, answer: raising(text)
    if place in PLACES[:7]:
        name = Loop(memory, reflect=False, **given).solve(Task("Show the key", **asked)).trace_id
    else:
        name = DeployedAgent(memory, reflect=False, **model).solve(Problem("Show the key", truth=truth)).run.trace_id
    found = memory.get(f"run-{name}").model_dump_json()
    assert not [one for one in NEEDLES if one in found]


@pytest.mark.parametrize("at", TEXTS)
def test_no_half_of_a_key_is_shown_to_a_model(memory: Memory, settings: Settings, endpoint: Endpoint, at: int) -> None:
    fields = {"model": "m", "base_url": f"{endpoint.address}/v1", "timeout": 2.0, "attempts": 1}
    ours = settings.model_copy(update={"llm": settings.llm.model_copy(update=fields)})
    plan = {"steps": [{"action": "show the key", "expects": ""}], "follows": [], "finished": False, "why": "x"}
    endpoint.play([said(plan)])
    loop = Loop(
        memory, planner=ModelPlanner.configured(ours), gate=lambda step: step.number < 2, budget=4, reflect=False
    )
    loop.attempt(
        Task("Show the key", act=lambda action: TEXTS[at][:7900].rpartition(chr(10))[0], options=["show the key"])
    )
    sent = json.dumps([one.body for one in endpoint.asked])
    assert ("log line fine" if at > -2 else "[secret]") in sent
    assert not [one for one in NEEDLES if one in sent]


def test_what_a_model_says_is_redacted_before_it_is_cut(memory: Memory, settings: Settings, endpoint: Endpoint) -> None:
    fields = {"model": "m", "base_url": f"{endpoint.address}/v1", "timeout": 2.0, "attempts": 1}
    ours = settings.model_copy(update={"llm": settings.llm.model_copy(update=fields)})
    long = "w " * ((WHY - 200) // 2) + KEY
    endpoint.play([said({"steps": [{"action": "go", "expects": KEY}], "follows": [], "finished": True, "why": long})])
    task = Task("Show the key", act=lambda action: "ok", options=["go"])
    run = Loop(memory, planner=ModelPlanner.configured(ours), attempts=1, reflect=False).solve(task)
    found = memory.get(f"run-{run.trace_id}").model_dump_json()
    endpoint.play([said({"reasoning": "w " * ((REASONING - 300) // 2) + KEY, "answer": "ok", "used": []})])
    llm = make_llm(ours)
    assert llm is not None
    agent = DeployedAgent(memory, generate=Generator(llm, memory.redactor), reflect=False)
    found += memory.get(f"run-{agent.solve('Show the key').run.trace_id}").model_dump_json()
    assert not [one for one in NEEDLES if one in found]


def test_an_action_of_a_model_that_is_too_long_is_refused_and_not_cut(
    memory: Memory, settings: Settings, endpoint: Endpoint
) -> None:
    fields = {"model": "m", "base_url": f"{endpoint.address}/v1", "timeout": 2.0, "attempts": 1}
    ours = settings.model_copy(update={"llm": settings.llm.model_copy(update=fields)})
    step = {"action": "say hello " + "y" * 5000, "expects": ""}
    endpoint.play([said({"steps": [step], "follows": [], "finished": True, "why": ""})])
    done: list[str] = []
    task = Task("Say hello", act=lambda action: done.append(action) or "ok", options=["say hello"])
    run = Loop(memory, planner=ModelPlanner.configured(ours), attempts=1, reflect=False).attempt(task)
    assert done == ["say hello"]
    assert run.plan is not None
    assert "5010 characters" in run.plan.note
