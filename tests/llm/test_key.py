"""No error shows a key that an endpoint repeats, however short it is and wherever the endpoint's words are cut."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from pydantic import SecretStr

from graphmem.errors import EmbeddingError, ReflectionError
from graphmem.llm.later import QUOTED, without_key
from tests.endpoint import Answer, Endpoint, failing
from tests.llm.patience import KEY, PROMPT, Patience

SHORT = "sk-short"  # short enough that an answer that can be read may hold it by chance
ERRORS = (ReflectionError, EmbeddingError, ValueError)


@pytest.fixture(params=["chat", "embeddings"])
def shown(request: pytest.FixtureRequest, endpoint: Endpoint) -> Callable[..., tuple[str, str]]:
    """What the error of an answer says, and all that a traceback shows."""

    def ask(answer: Answer, key: str) -> tuple[str, str]:
        endpoint.play([answer], everywhere=True)
        given = {"api_key": SecretStr(key), "attempts": 1}
        llm = partial(Patience().llm(endpoint.address, **given).complete, PROMPT)
        embedder = partial(Patience().embedder(endpoint.address, **given).embed, ["text"])
        call: Callable[[], object] = llm if request.param == "chat" else embedder
        with pytest.raises(ERRORS) as caught:
            call()
        return str(caught.value), "".join(traceback.format_exception(caught.value))

    return ask


@pytest.mark.parametrize("left", range(1, len(KEY) + 1, 5))
@pytest.mark.parametrize("form", ["message", "body", "text"])
def test_a_key_across_the_cut_leaves_no_part(shown: Callable[..., tuple[str, str]], left: int, form: str) -> None:
    filled = "x" * (QUOTED - left)
    answers = {
        "message": failing(401, f"{filled}{KEY}"),
        "body": Answer(200, {"a": "x" * (QUOTED - left - len('{"a": "')) + KEY}),
        "text": Answer(401, f"{filled}{KEY}".encode()),
    }
    said, all_of_it = shown(answers[form], KEY)
    assert "x[k"[: 1 + left] in said, "the cut is where the key was"
    assert KEY[:4] not in all_of_it


@pytest.mark.parametrize(
    "body", [{"echo": SHORT}, {"choices": [{"message": SHORT}]}, {"data": [SHORT]}, [SHORT], SHORT]
)
@pytest.mark.parametrize("status", [200, 401])
def test_a_short_key_is_in_no_error(shown: Callable[..., tuple[str, str]], body: Any, status: int) -> None:
    said, all_of_it = shown(Answer(status, body), SHORT)
    assert "[key]" in said
    assert SHORT[:4] not in all_of_it


@pytest.mark.parametrize("key", ['sk-"quoted"', "sk-back\\slash", "sk-'both'\"", KEY])
def test_a_key_is_found_as_json_and_as_python_write_it(shown: Callable[..., tuple[str, str]], key: str) -> None:
    for answer in (Answer(200, {"echo": key}), Answer(401, {"echo": key}), failing(401, f"wrong: {key}")):
        said, _ = shown(answer, key)
        assert "[key]" in said
        assert key[3:8] not in said


def test_no_key_is_nothing_to_hide() -> None:
    assert without_key("as it is", "") == "as it is"
