"""No text that any verb is given, and no secret, is in a log record or on a span: not in detail, not in an error."""

from __future__ import annotations

import inspect
import io
import itertools
import json
import random
from collections.abc import Iterator
from typing import Any

import pytest

from graphmem import AsyncMemory, Episode, Memory, Reflection, Request, Settings, Skill, Step
from graphmem.embed import Embedder
from graphmem.errors import EmbeddingError, GraphmemError
from graphmem.keyed import Get, Put
from graphmem.llm import Completion, Prompt
from graphmem.verbs import Verbs
from tests.angles import Angles
from tests.conftest import Driven
from tests.observe.conftest import Kept
from tests.outbox.conftest import here, relay
from tests.outbox.relay import Relay
from tests.redact.planted import TOKENS, mail

__all__ = ["here", "relay"]


class Marks:
    """Words that are nowhere else, each given once, now and then beside a secret."""

    def __init__(self) -> None:
        self._draw = random.Random(9)
        self._turns = itertools.cycle([*TOKENS.values(), mail])
        self.given: list[str] = []

    def __call__(self, text: str = "{}") -> str:
        secret = next(self._turns)(self._draw)
        self.given.append(secret.splitlines()[1] if "\n" in secret else secret)
        return text.format(f"{self.word()} {secret}")

    def word(self) -> str:
        """A word alone, as an id or a label may be."""
        self.given.append(f"quagga{len(self.given):04}")
        return self.given[-1]

    def found_in(self, text: str) -> list[str]:
        """What was given and stands in a text."""
        return [one for one in self.given if one in text or json.dumps(one)[1:-1] in text]


class Parrot:
    """A language model that repeats what it is shown, and then fails with it."""

    name = "parrot"

    def __init__(self) -> None:
        self.asked = 0

    def complete(self, prompt: Prompt) -> Completion:
        self.asked += 1
        if self.asked > 2:
            raise ValueError(prompt.data)
        return Completion(prompt.data, "parrot", prompt_tokens=5, completion_tokens=5)


class Deaf(Angles):
    """An embedder that fails with what it was given once it is told to."""

    failing: list[bool] = []  # noqa: RUF012 - one switch for the one test

    def embed(self, texts: Any, kind: Any = "document") -> Any:
        if self.failing:
            raise EmbeddingError(f"cannot read {texts}")
        return super().embed(texts, kind)


@pytest.fixture(params=["sync", "async"])
def make(request: pytest.FixtureRequest, here: Settings, tenant: str, embedder: Embedder) -> Iterator[Any]:
    kind = Memory if request.param == "sync" else AsyncMemory
    client = kind(tenant, settings=here, embedder=Deaf(embedder.name), llm=Parrot())
    yield client if isinstance(client, Memory) else Driven(client)
    Deaf.failing.clear()
    (client if isinstance(client, Memory) else Driven(client)).close()


def episode(mark: Marks, id_: str, **fields: Any) -> Episode:
    given: dict[str, Any] = {
        "id": id_, "title": mark(), "domain": mark.word(), "task_type": mark.word(), "toolchain": mark.word(),
        "tags": [mark.word()], "subject": mark.word(), "source_ref": mark(), "feedback_ref": mark(),
        "metadata": {mark.word(): [mark()]}, "task": mark("drain the boiler north:0.9 {}"), "summary": mark(),
        "outcome": "success", "trajectory": [Step(action=mark(), observation=mark(), decision=mark())],
        "outcome_evidence": mark(), "failure_reason": mark(), "techniques": [mark.word()], "ground_truth": mark(),
    }  # fmt: skip
    return Episode(**{**given, **fields})


def used(client: Any, mark: Marks) -> set[str]:
    """Every verb, with marks wherever it takes a text; which verbs these were."""
    verbs: set[str] = set()

    def call(verb: str, *args: Any, **kwargs: Any) -> Any:
        verbs.add(verb)
        return getattr(client, verb)(*args, **kwargs)

    one, two, lesson, skill, person = (mark.word() for _ in range(5))
    call("record", episode(mark, one, subject=person))
    insight = Reflection(id=lesson, insight=mark("pump north:0.8 {}"), conditions=[mark()], sources=[one])
    practice = Skill(id=skill, name=mark("pump north:0.7 {}"), steps=[mark()], sources=[lesson], approved_by=mark())
    call("record_many", [episode(mark, two, outcome="fail"), insight, practice, {"task": " ", mark(): 1}])
    asked = call("recall", mark("drain north:1 {}"), domain=mark.word(), context={mark.word(): mark()}, receipt=True)
    (known,) = call("recall_many", [Request(text=mark("drain north:1 {}"))])
    call("feedback", asked, outcome="fail", used=[one], misled=[two], evidence=mark(), reason=mark())
    call("judge", known, relevant=[one])
    call("correct", wrong=two, right=one, reason=mark(), context=mark("north:0.9 {}"), by=mark())
    call("link", one, two, kind="duplicate", by=mark())
    call("get", one)
    call("list", domain=mark.word())
    call("update", one, tags=[mark.word()], metadata={mark.word(): mark()})
    space = (client.scope.tenant, mark.word())
    call("keyed", [Put(namespace=space, key=mark.word(), value={mark.word(): mark()}, task=mark())])
    call("keyed", [Get(namespace=space, key=mark.word())])
    call("reembed")
    for _ in range(2):
        call("consolidate")
    call("review", skill, approve=True, by=mark(), reason=mark())
    call("reviews")
    call("retire", lesson, by=mark(), reason=mark())
    call("pin", one, by=mark())
    call("history", skill)
    call("retention")
    call("check")
    call("metrics")
    call("report")
    call("parameters", domain=mark.word())
    for verb in ("calibrate", "rollback"):
        with pytest.raises(GraphmemError):
            call(verb, domain=mark.word())
    rule = mark.word()
    call("set_rule", rule, mark(), mentions=[mark.word()], by=mark.word())
    call("rules")
    call("withdraw_rule", rule, by=mark.word())
    call("flush")
    call("waiting")
    written = io.BytesIO()
    call("export", written)
    call("load", io.BytesIO(written.getvalue()))
    call("erase", subject=person)
    call("init")
    return verbs


def refused(client: Any, mark: Marks) -> None:
    """Calls that fail, with marks in what is refused."""
    taken = mark.word()
    client.record(Episode(id=taken, task=mark(), outcome="success"))
    for verb in (
        lambda: client.get(mark.word()),
        lambda: client.record(Episode(id=taken, task=mark(), outcome="fail")),
        lambda: client.record({"task": "x", mark.word(): 1}),
        lambda: client.recall("x", kind=mark.word()),
        lambda: client.feedback(mark.word(), outcome="fail"),
        lambda: client.link(taken, mark.word()),
        lambda: client.load(io.BytesIO(mark().encode())),
        lambda: client.record(Reflection(insight=mark(), sources=[mark.word()])),
    ):
        with pytest.raises(GraphmemError):
            verb()


def test_nothing_that_is_asked_or_kept_is_logged_or_traced(
    make: Any,
    relay: Relay,
    heard: pytest.LogCaptureFixture,
    spans: Kept,
    capfd: pytest.CaptureFixture[str],
) -> None:
    mark, client = Marks(), make
    done = used(client, mark)
    assert done == {name for name, _ in inspect.getmembers(Verbs, inspect.isgeneratorfunction) if name[0] != "_"}
    refused(client, mark)
    Deaf.failing.append(True)
    client.record(Episode(id=mark.word(), task=mark(), outcome="success"))
    client.recall(mark())
    Deaf.failing.clear()
    relay.cut()
    client.recall(mark())
    client.record(Episode(id=mark.word(), task=mark(), outcome="success"))
    with pytest.raises(GraphmemError):
        client.retire(mark.word(), reason=mark())
    relay.mend()
    client.flush()

    assert {f"graphmem.{verb}" for verb in done} <= {span.name for span in spans.all}
    assert len(heard.records) > len(done)
    told = "".join(span.to_json() for span in spans.all)
    records = " ".join(repr(vars(record)) for record in heard.records) + heard.text
    assert mark.found_in(told) == []
    assert mark.found_in(records) == []
    assert mark.found_in("".join(capfd.readouterr())) == []


def test_a_mark_is_found_where_it_stands() -> None:
    mark = Marks()
    text = json.dumps([mark("a log of {}"), mark.word()])
    assert mark.found_in(text) == mark.given
