"""A language model at an endpoint: how it is asked for JSON, and how its answers are read."""

from __future__ import annotations

import json
from typing import Any

import pytest

from graphmem.errors import ReflectionError
from tests.endpoint import Answer, Asked, Endpoint, failing, said
from tests.llm.patience import PROMPT, Patience


def test_our_words_and_stored_ones_are_kept_apart(endpoint: Endpoint) -> None:
    endpoint.play([said("{}")])
    Patience().llm(endpoint.address).complete(PROMPT)
    (asked,) = endpoint.asked
    assert asked.body["messages"] == [
        {"role": "system", "content": "ours"},
        {"role": "user", "content": "theirs"},
    ]
    assert asked.body["response_format"] == {
        "type": "json_schema",
        "json_schema": {"name": "lessons", "strict": True, "schema": dict(PROMPT.schema)},
    }


def _knows(*forms: str) -> Any:
    """An endpoint that answers to these forms alone and refuses others with 400."""

    def play(asked: Asked) -> Answer:
        return said("ok") if _form(asked) in forms else failing(400, "response_format is not supported")

    return play


def _form(asked: Asked) -> str:
    if "response_format" not in asked.body:
        return "plain"
    return "bounded" if "maxItems" in json.dumps(asked.body["response_format"]) else "unbounded"


@pytest.mark.parametrize(
    ("knows", "first", "then"),
    [
        ("bounded", ["bounded"], ["bounded"]),
        ("unbounded", ["bounded", "unbounded"], ["unbounded"]),
        ("plain", ["bounded", "unbounded", "plain"], ["plain"]),
    ],
)
def test_what_an_endpoint_knows_is_found_once_and_remembered(
    endpoint: Endpoint, knows: str, first: list[str], then: list[str]
) -> None:
    endpoint.play(_knows(knows))
    llm = Patience().llm(endpoint.address)
    assert llm.complete(PROMPT).text == "ok"
    assert [_form(asked) for asked in endpoint.asked] == first
    assert llm.complete(PROMPT).text == "ok"
    assert [_form(asked) for asked in endpoint.asked[len(first) :]] == then


def test_without_a_format_the_schema_is_said_in_our_own_words(endpoint: Endpoint) -> None:
    endpoint.play(_knows("plain"))
    Patience().llm(endpoint.address).complete(PROMPT)
    assert endpoint.asked[-1].system.startswith("ours\n")
    assert json.dumps(dict(PROMPT.schema)) in endpoint.asked[-1].system
    assert endpoint.asked[-1].user == "theirs"


@pytest.mark.parametrize(
    "answer",
    [
        failing(400, "Invalid schema for response_format 'lessons'"),
        failing(400, "no", "unsupported_parameter"),
        failing(422, "This model does not currently support it"),
        failing(400, 'Unknown name "maxItems": cannot find field'),
        Answer(422, {"detail": [{"loc": ["body", "response_format"], "msg": "extra fields not permitted"}]}),
        Answer(400, b"failed to parse grammar"),
    ],
)
def test_a_refusal_of_the_form_is_known_by_its_words(endpoint: Endpoint, answer: Answer) -> None:
    endpoint.play([answer, said("ok")])
    assert Patience().llm(endpoint.address).complete(PROMPT).text == "ok"
    assert [_form(asked) for asked in endpoint.asked] == ["bounded", "unbounded"]


@pytest.mark.parametrize("status", [400, 422])
@pytest.mark.parametrize("message", ["context length exceeded", "restricted input; for more information ask", "no"])
def test_a_fault_that_is_not_the_format_is_told_and_not_remembered(
    endpoint: Endpoint, status: int, message: str
) -> None:
    endpoint.play([failing(status, message)])
    llm = Patience().llm(endpoint.address)
    with pytest.raises(ReflectionError, match=f"HTTP {status}: {message}"):
        llm.complete(PROMPT)
    assert len(endpoint.asked) == 1
    endpoint.play([said("ok")])
    llm.complete(PROMPT)
    assert _form(endpoint.asked[-1]) == "bounded"


def test_the_search_for_a_form_and_the_patience_are_one_budget(endpoint: Endpoint) -> None:
    patience = Patience()
    refused = failing(400, "no such response_format")
    endpoint.play([refused, failing(500), refused, failing(500)])
    with pytest.raises(ReflectionError, match="HTTP 500"):
        patience.llm(endpoint.address, attempts=4).complete(PROMPT)
    assert [_form(asked) for asked in endpoint.asked] == ["bounded", "unbounded", "unbounded", "plain"]
    assert len(patience.waits) == 3
    assert [wait > 0 for wait in patience.waits] == [False, True, False], "another form is tried at once"


@pytest.mark.parametrize("attempts", [1, 2])
def test_a_search_that_few_requests_cut_short_goes_on_with_the_next_prompt(endpoint: Endpoint, attempts: int) -> None:
    endpoint.play(_knows("plain"))
    llm = Patience().llm(endpoint.address, attempts=attempts)
    for asked in range(attempts, 3, attempts):
        with pytest.raises(ReflectionError, match="HTTP 400: response_format is not supported"):
            llm.complete(PROMPT)
        assert len(endpoint.asked) == asked
    assert llm.complete(PROMPT).text == "ok"
    assert [_form(asked) for asked in endpoint.asked] == ["bounded", "unbounded", "plain"]


@pytest.mark.parametrize(
    ("answer", "text", "finish", "refusal", "tokens"),
    [
        (said("t", tokens=(120, 30)), "t", "stop", "", (120, 30)),
        (said("cut", "length"), "cut", "length", "", (11, 7)),
        (said(None, refusal="I cannot"), "", "stop", "I cannot", (11, 7)),
        (Answer(body={"choices": [{"message": {"content": "bare"}}]}), "bare", "stop", "", (0, 0)),
        (
            Answer(body={"choices": [{"message": {"content": [{"type": "text", "text": "a"}, {"text": "b"}]}}]}),
            "ab",
            "stop",
            "",
            (0, 0),
        ),
    ],
)
def test_answers_are_read_as_they_come(
    endpoint: Endpoint, answer: Answer, text: str, finish: str, refusal: str, tokens: tuple[int, int]
) -> None:
    endpoint.play([answer])
    read = Patience().llm(endpoint.address).complete(PROMPT)
    assert (read.text, read.finish, read.refusal) == (text, finish, refusal)
    assert (read.prompt_tokens, read.completion_tokens) == tokens


@pytest.mark.parametrize("body", [{"choices": []}, {"choices": None}, {"error": {"message": "overloaded"}}])
def test_an_answer_without_a_completion_says_what_came(endpoint: Endpoint, body: Any) -> None:
    endpoint.play([Answer(body=body)])
    with pytest.raises(ReflectionError, match="answered no completion") as caught:
        Patience().llm(endpoint.address).complete(PROMPT)
    assert json.dumps(body) in str(caught.value)
