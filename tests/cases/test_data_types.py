"""Values come back as they were given, and every output is strict JSON with times in ISO-8601."""

from __future__ import annotations

import inspect
import io
import json
import re
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from graphmem import Episode, Memory, Reflection, Request, Skill
from graphmem.errors import InvalidInput
from graphmem.keyed import Get, Put
from graphmem.verbs import Verbs

NESTED = {"run": {"id": 7, "tags": ["a", "b"]}, "steps": [{"n": 1}, {"n": 2}], "ok": True, "none": None}
ISO = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?\+00:00")


def test_nested_metadata_is_equal_after_every_round_trip(client: Any) -> None:
    client.record(Episode(id="e1", task="Rotate the mailer's key", outcome="success", metadata=NESTED))
    assert client.get("e1").memory.metadata == NESTED
    assert client.recall("rotate the key of the mailer").hits[0].memory.metadata == NESTED
    assert client.update("e1", metadata={"colour": None}).memory.metadata == {**NESTED, "colour": None}
    assert client.list()[0].memory.metadata == {**NESTED, "colour": None}


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text(st.characters(exclude_categories=["Cs"])), inner, max_size=3)
    ),
    max_leaves=8,
)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(metadata=st.dictionaries(st.text(st.characters(exclude_categories=["Cs"])), JSON, max_size=4))
def test_any_json_object_is_kept(memory: Memory, metadata: dict[str, Any]) -> None:
    told = memory.record(Episode(task="Rotate the mailer's key", metadata=metadata))
    assert told.id is not None
    assert memory.get(told.id).memory.metadata == metadata


@pytest.mark.parametrize("bad", [{"a": {"b": float("nan")}}, {"a": {"b": object()}}, {"a": {"b": {1, 2}}}])
def test_what_json_cannot_hold_is_refused_naming_where(memory: Memory, bad: dict[str, Any]) -> None:
    with pytest.raises(InvalidInput, match=r"metadata.*"):
        Episode(task="x", metadata=bad)
    assert memory.list() == ()


ASKED = [Request(text=f"rotate the key of mailer {n}") for n in range(50)]
"""As many questions as a calibration needs."""


def test_every_answer_is_strict_json_with_iso_times(client: Any) -> None:
    task = {"task": "Rotate the mailer's key", "outcome": "success", "expires_at": "2999-01-01T00:00+09:00"}
    exported = io.BytesIO()
    answers: dict[str, tuple[Any, ...]] = {
        "record": (client.record(Episode(id="e1", occurred_at="2025-03-30T02:30", **task)),),
        "record_many": client.record_many(
            [
                Episode(id="e2", task="Rotate the mailer's secret", outcome="fail", occurred_at="2025-03-30"),
                Reflection(id="r1", insight="Rotate the key before it expires", sources=("e1",)),
                Skill(id="s1", name="Rotate a key", steps=("make", "swap", "revoke"), sources=("r1",)),
            ]
        ),
        "link": (client.link("e1", "e2", kind="similar"),),
        "recall": (client.recall("rotate the key", receipt=True),),
        "recall_many": client.recall_many([Request(text="rotate the key"), Request(text="paint the fence")]),
        "correct": (client.correct(wrong="e2", right="e1", reason="that one failed", context="keys that expire"),),
        "feedback": (client.feedback(client.recall("rotate the key"), outcome="success", used=["e1"]),),
        "update": (client.update("e1", metadata={"seen_on": "2025"}, expires_at="2998-01-01"),),
        "get": (client.get("e1"), client.get("r1"), client.get("s1")),
        "list": client.list(),
        "keyed": client.keyed(
            [
                Put(namespace=(client.scope.tenant,), key="k", value={"n": 1, "outcome": "success"}, task="n"),
                Get(namespace=(client.scope.tenant,), key="k"),
            ]
        ),
        "reembed": (client.reembed(),),
        "judge": tuple(client.judge(asked, relevant=["e1"]) for asked in client.recall_many(ASKED)),
        "calibrate": (client.calibrate(),),
        "parameters": client.parameters(),
        "metrics": (client.metrics(),),
        "report": (client.report(),),
        "rollback": (client.rollback(),),
        "consolidate": (client.consolidate(),),
        "reviews": client.reviews(),
        "review": (client.review("s1", approve=True, by="ada", reason="tried it"),),
        "retire": (client.retire("e2", by="ada"),),
        "pin": (client.pin("e1"),),
        "history": (client.history("e2"), client.history("s1"), client.history("e1")),
        "retention": (client.retention(), client.retention(budget=1, apply=True)),
        "check": client.check(),
        "set_rule": (client.set_rule("refunds", "A person decides on refunds.", by="ada", decision="notify"),),
        "rules": client.rules(versions=True),
        "withdraw_rule": (client.withdraw_rule("refunds", by="ada"),),
        "flush": (client.flush(),),
        "waiting": (client.waiting(),),
        "export": (client.export(exported),),
        "load": (client.load(io.BytesIO(exported.getvalue())),),
    }
    kept = client.get("e1")
    answers["erase"] = (client.erase(everything=True),)
    verbs = {name for name, _ in inspect.getmembers(Verbs, inspect.isgeneratorfunction) if name[0] != "_"}
    assert {*answers} == verbs - {"init"}
    assert {verb for verb, answer in answers.items() if not answer} == {"check"}, "all is in order"
    for answer in (answer for several in answers.values() for answer in several):
        shown = json.loads(answer.model_dump_json(), parse_constant=pytest.fail)
        for name, value in _times(shown):
            assert ISO.fullmatch(value), name
    assert json.loads(kept.model_dump_json())["memory"]["occurred_at"] == "2025-03-30T02:30:00+00:00"


def _times(shown: Any) -> list[tuple[str, str]]:
    if isinstance(shown, dict):
        own = [(name, value) for name, value in shown.items() if value and (name == "at" or name.endswith("_at"))]
        return own + [found for value in shown.values() for found in _times(value)]
    if isinstance(shown, list):
        return [found for value in shown for found in _times(value)]
    return []
