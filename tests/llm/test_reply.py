"""What is read of a model's answer."""

from __future__ import annotations

import json
from typing import Any

import pytest

from graphmem.learn.model_reply import Unreadable, lessons, practice, read
from graphmem.llm import Completion

LESSON = {"insight": "Vent first, then fill", "sources": ["e1"]}
OTHER = {"insight": "Fill by weight: {a}, [b]", "sources": ["e2"]}
TEXT = json.dumps({"lessons": [LESSON, OTHER]})


def lessons_of(text: str) -> tuple[Any, ...]:
    return read(Completion(text, "m"), lessons).items


@pytest.mark.parametrize(
    "text",
    [
        TEXT,
        json.dumps([LESSON, OTHER]),
        f"\ufeff{TEXT}",
        f"  \n{TEXT}\n ",
        f"```json\n{TEXT}\n```",
        f"```\n{TEXT}\n```",
        f"Here is what I found [1], as {{asked}}:\n```json\n{TEXT}\n```\nI left guardrails empty: []. Good luck!",
        f"Sure! {TEXT} I hope that helps.",
        f"I looked at [] and {{}} first. {TEXT}",
        f'<think>Maybe {{"lessons": [{{"insight": "no"}}]}}?</think>{TEXT}',
        '{"lessons": [' + json.dumps(LESSON)[:-1] + ",}, " + json.dumps(OTHER) + ",\n],}",
        json.dumps({"lessons": [LESSON, OTHER]}, indent=2),
    ],
)
def test_json_is_found_whatever_stands_around_it(text: str) -> None:
    assert lessons_of(text) == (LESSON, OTHER)


def test_one_object_instead_of_a_list() -> None:
    assert lessons_of(json.dumps(LESSON)) == (LESSON,)
    assert lessons_of(json.dumps({"lessons": LESSON})) == (LESSON,)


@pytest.mark.parametrize("text", ["[]", "```json\n[]\n```", '{"lessons": []}', "Nothing new: ```\n[]\n```", "[ ]"])
def test_an_empty_list_is_an_answer(text: str) -> None:
    assert lessons_of(text) == ()


def test_a_line_break_inside_a_text_is_read() -> None:
    assert lessons_of('{"lessons": [{"insight": "two\nlines, ]"}]}') == ({"insight": "two\nlines, ]"},)


def test_commas_inside_texts_stay() -> None:
    odd = {"insight": 'say ",]" and \\",}', "sources": []}
    assert lessons_of(json.dumps([odd])[:-1] + ",]") == (odd,)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   \n",
        "I am sorry, there is nothing to learn here.",
        TEXT[:-20],  # broken: no part of it is taken
        TEXT[: TEXT.index("]") + 1],
        "{'lessons': [{'insight': 'python'}]}",
        '{"lessons": 3}',
        '{"lessons": null}',
        "{}",
        "[1, 2]",
        '[{"text": "no lesson"}]',
        "[" * 50_000,
        '{"a":' * 50_000,
        "9" * 10_000,
    ],
)
def test_what_is_not_of_the_form_is_unreadable(text: str) -> None:
    with pytest.raises(Unreadable):
        lessons_of(text)


@pytest.mark.parametrize("text", ["[{" * 100_000, "{ " * 100_000, '["' * 100_000, ",]" * 100_000, '"\\' * 100_000])
def test_reading_ends(text: str) -> None:
    with pytest.raises(Unreadable):
        lessons_of(text)


@pytest.mark.parametrize(
    ("completion", "says"),
    [
        (Completion(TEXT, "m", finish="length"), "cut off"),
        (Completion("", "m", refusal="I cannot help"), "refusal: I cannot help"),
        (Completion(TEXT, "m", finish="content_filter"), "refusal"),
        (Completion("", "m"), "empty"),
        (Completion("prose", "m"), "not JSON of the form"),
    ],
)
def test_what_is_wrong_is_said(completion: Completion, says: str) -> None:
    with pytest.raises(Unreadable, match=says):
        read(completion, lessons)


PRACTICE = {"name": "Fill the boiler", "steps": ["Vent", "Fill"]}


@pytest.mark.parametrize(
    ("found", "items", "reason"),
    [
        ({"practice": PRACTICE, "reason": ""}, (PRACTICE,), ""),
        (PRACTICE, (PRACTICE,), ""),
        ([PRACTICE], (PRACTICE,), ""),
        ({"practice": None, "reason": "they differ"}, (), "they differ"),
        ({"practice": None}, (), ""),
        ([], (), ""),
    ],
)
def test_a_practice_or_none(found: Any, items: tuple[Any, ...], reason: str) -> None:
    reply = read(Completion(f"```json\n{json.dumps(found)}\n```", "m"), practice)
    assert (reply.items, reply.reason) == (items, reason)


@pytest.mark.parametrize(
    "found",
    [
        {"name": "x"},
        {"name": "x", "steps": []},
        {"name": " ", "steps": ["a"]},
        {"name": "x", "steps": ["\u200b"]},
        {"practice": {"name": "x", "steps": "a"}},
        {"practice": 3},
        [PRACTICE, PRACTICE],
    ],
)
def test_what_is_no_practice_is_unreadable(found: Any) -> None:
    with pytest.raises(Unreadable):
        read(Completion(json.dumps(found), "m"), practice)
