"""What models send instead of what the schema says: one meaning is understood, all else is refused by name."""

from __future__ import annotations

from typing import Any

import pytest

from graphmem.adapters.arguments import MOST, Arguments, RecallArguments, RecordArguments
from graphmem.adapters.forms import read, schema
from graphmem.adapters.table import TOOLS
from graphmem.errors import InvalidInput
from graphmem.models import Kind, Outcome, Status


def asked(arguments: type[Arguments], given: object) -> dict[str, Any]:
    """What is understood, without what was left out."""
    return read(arguments, schema(arguments)["properties"], given).model_dump(exclude_none=True)


UNDERSTOOD: dict[str, tuple[Any, Any]] = {
    "tags": ('["ops", "db"]', ["ops", "db"]),
    "techniques": (" one word ", ["one word"]),
    "limit": (" 5 ", 5),
    "reviewed": ("True", True),
    "context": ('{"os": "linux"}', {"os": "linux"}),
    "kind": ("skill", Kind.SKILL),
    "domain": (None, None),
}


@pytest.mark.parametrize("field", UNDERSTOOD)
def test_a_text_form_with_one_meaning_is_understood(field: str) -> None:
    given, meant = UNDERSTOOD[field]
    expected = {"text": "x"} if meant is None else {"text": "x", field: meant}
    assert asked(RecallArguments, {"text": "x", field: given}) == expected


def test_what_is_typed_as_the_schema_says_stays_as_it_is() -> None:
    given = {"text": "5", "tags": ["[a]", "b, c"], "limit": 5.0, "domain": "7", "context": {"n": "1"}}
    assert asked(RecallArguments, given) == {**given, "limit": 5}
    steps = [{"action": "go", "observation": "[1]"}]
    assert asked(RecordArguments, {"task": '["x"]', "trajectory": steps})["trajectory"] == steps
    assert asked(RecordArguments, '{"task": "x", "trajectory": "[{\\"action\\": \\"go\\"}]"}')["trajectory"] == [
        {"action": "go"}
    ]


REFUSED: dict[str, list[Any]] = {
    "text": ["", " \u200b", 5, None, ["x"], "x" * 8001, "\ud800"],
    "tags": ["ops,db", "[ops]", '["a"', "", {"a": 1}, [1], [""], ["a"] * (MOST + 1), '["a", 1]', 5],
    "limit": [-1, 0, 1_000_000, MOST + 1, True, 2.5, float("nan"), "five", "5.0", "-1", "1000000", [5], "9" * 400],
    "kind": ["skills", "", 1, ["skill"]],
    "domain": ["", " ", 5, ["ops"], "x" * 201],
    "context": ["linux", "[1]", '{"a": 1}', {"a": 1}, {"": "x"}, '{"a": NaN}', {str(n): "x" for n in range(21)}],
    "reviewed": ["yes", 1, "1"],
    "colour": ["red", None],
    "include_secure": [True],
    "user": ["u7"],
}


@pytest.mark.parametrize(("field", "given"), [(field, one) for field, several in REFUSED.items() for one in several])
def test_all_else_is_refused_in_a_line_that_names_the_field(field: str, given: Any) -> None:
    with pytest.raises(InvalidInput) as caught:
        asked(RecallArguments, {"text": "x", field: given})
    told = str(caught.value)
    assert field in told.split(": ")[0]
    assert "\n" not in told
    assert len(told) < 300
    assert caught.value.__cause__ is None


@pytest.mark.parametrize(
    ("field", "given"),
    [
        ("metadata", [1]), ("metadata", "[1]"), ("metadata", "a"), ("metadata", {"a": "x" * 16_000}), ("task", " "),
        ("metadata", {str(n): n for n in range(51)}), ("trajectory", "go"), ("trajectory", [{"did": "go"}]),
        ("trajectory", [{"action": "go", "then": "stop"}]), ("outcome", "won"), ("id", "a b"), ("secure", True),
        ("pinned", True), ("status", "active"), ("approved_by", "ada"), ("trajectory", [{"action": "a"}] * 201),
    ],
)  # fmt: skip
def test_a_record_is_bounded_too(field: str, given: Any) -> None:
    with pytest.raises(InvalidInput, match=field):
        asked(RecordArguments, {"task": "x", field: given})


@pytest.mark.parametrize("given", ["{", "[]", "5", b"\xff", 5, ["text"], {1: "x"}, '{"text": "x", "limit": NaN}', "x"])
def test_arguments_that_are_no_object_are_refused(given: Any) -> None:
    with pytest.raises(InvalidInput, match="arguments: "):
        asked(RecallArguments, given)


def test_a_long_name_is_not_repeated() -> None:
    with pytest.raises(InvalidInput, match="no such argument") as caught:
        asked(RecallArguments, {"text": "x", "k" * 5000: 1})
    assert len(str(caught.value)) < 300
    with pytest.raises(InvalidInput) as caught:
        asked(RecallArguments, {"text": "x", "context": {"k" * 150: 1}})
    assert len(str(caught.value)) < 300


def _types(part: dict[str, Any]) -> list[dict[str, Any]]:
    return [form for form in (part, *part.get("anyOf", ())) if "type" in form]


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_a_published_schema_states_types_bounds_and_sets(tool: Any) -> None:
    def bounded(part: dict[str, Any]) -> None:
        assert "$ref" not in part
        for form in _types(part):
            if form["type"] == "string":
                assert {"maxLength", "pattern", "enum", "format"} & {*form}, form
            elif form["type"] == "integer":
                assert {"minimum", "maximum"} <= {*form}
            elif form["type"] == "array":
                assert form["maxItems"] > 0
                bounded(form["items"])
            elif form["type"] == "object" and "properties" in form:
                assert form["additionalProperties"] is False
                for inner in form["properties"].values():
                    bounded(inner)
            elif form["type"] == "object":
                assert form["maxProperties"] > 0

    bounded(tool.schema)
    sets = {"kind": Kind, "outcome": Outcome, "status": Status}
    for name, field in tool.schema["properties"].items():
        assert field["description"]
        if name in sets:
            (form,) = [form for form in _types(field) if form["type"] == "string"]
            assert form["enum"] == [choice.value for choice in sets[name]]
