"""Both clients answer a stage that asks for a completion, by any object that is a language model."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from graphmem import AsyncMemory, Memory
from graphmem.errors import ConfigurationError, ReflectionError
from graphmem.llm import Completion, Llm, Prompt, check_llm
from graphmem.settings import Settings, load_settings
from graphmem.steps import Complete, Stage, arun, run
from tests.endpoint import Endpoint, said
from tests.llm.patience import PROMPT


class Echo:
    """Answers with the data of the prompt, or fails; it keeps the threads that asked."""

    name = "echo"

    def __init__(self, error: Exception | None = None, answer: Any = None) -> None:
        self.error = error
        self.answer = answer
        self.threads: list[int] = []

    def complete(self, prompt: Prompt) -> Completion:
        self.threads.append(threading.get_ident())
        if self.error is not None:
            raise self.error
        return self.answer or Completion(prompt.data, self.name)


def completed() -> Stage[str]:
    completion: Completion = yield Complete(PROMPT)
    return completion.text


Drive = Callable[..., str]


@pytest.fixture
def nowhere() -> Settings:
    """Settings of a database that nobody needs here."""
    return load_settings(neo4j={"uri": "bolt://127.0.0.1:9"})


@pytest.fixture(params=[Memory, AsyncMemory])
def drive(request: pytest.FixtureRequest, nowhere: Settings) -> Drive:
    def with_(llm: Llm | None = None, settings: Settings = nowhere) -> str:
        client = request.param("t", settings=settings, llm=llm)
        if isinstance(client, Memory):
            return run(completed(), client._answer)
        return asyncio.run(arun(completed(), client._answer))

    return with_


def test_a_given_model_answers(drive: Drive) -> None:
    assert drive(Echo()) == "theirs"


def test_the_model_of_the_settings_answers(drive: Drive, endpoint: Endpoint, nowhere: Settings) -> None:
    endpoint.play([said("from afar")])
    llm = nowhere.llm.model_copy(update={"model": "m", "base_url": f"{endpoint.address}/v1"})
    settings = nowhere.model_copy(update={"llm": llm})
    assert drive(settings=settings) == "from afar"
    assert drive(Echo(), settings) == "theirs"
    assert len(endpoint.asked) == 1


def test_without_a_model_it_is_said_how_to_get_one(drive: Drive) -> None:
    with pytest.raises(ConfigurationError, match=r"GRAPHMEM_LLM__MODEL, or give one as Memory\(llm=…\)"):
        drive()


def test_whatever_a_model_raises_becomes_one_error_with_its_cause(drive: Drive) -> None:
    cause = KeyError("boom")
    with pytest.raises(ReflectionError, match="language model 'echo' gave no answer") as caught:
        drive(Echo(cause))
    assert caught.value.__cause__ is cause
    own = ReflectionError("as it is")
    with pytest.raises(ReflectionError) as caught:
        drive(Echo(own))
    assert caught.value is own
    with pytest.raises(ReflectionError, match="returned a str, no Completion"):
        drive(Echo(answer="text"))


def test_a_model_does_not_hold_up_the_event_loop(nowhere: Settings) -> None:
    llm = Echo()
    asyncio.run(arun(completed(), AsyncMemory("t", settings=nowhere, llm=llm)._answer))
    assert threading.get_ident() not in llm.threads
    assert len(llm.threads) == 1


@pytest.mark.parametrize(
    ("bad", "says"),
    [
        (object(), "object is no language model: give it name and complete"),
        (SimpleNamespace(name="m"), "give it complete"),
        (SimpleNamespace(name=" ", complete=print), "name is ' '"),
        (SimpleNamespace(name=3, complete=print), "name is 3"),
    ],
)
def test_what_is_no_language_model_is_refused(bad: Any, says: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        check_llm(bad)
    assert says in str(caught.value)
    with pytest.raises(ConfigurationError):
        Memory("t", settings=load_settings(neo4j={"uri": "bolt://127.0.0.1:9"}), llm=bad)


def test_costs_follow_the_prices() -> None:
    llm = load_settings(llm={"prompt_price": 0.15, "completion_price": 0.6}).llm
    assert llm.cost(2_000_000, 500_000) == pytest.approx(0.6)
    assert load_settings().llm.cost(10**9, 10**9) == 0
