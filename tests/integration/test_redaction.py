"""Secrets planted in every field of every verb are nowhere: no property, no prompt, no output, no message."""

from __future__ import annotations

import itertools
import json
import logging
import random
import subprocess
import sys
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from graphmem import AsyncMemory, Episode, Memory, Recall, Reflection, Request, Settings, Skill, Step
from graphmem.embed import Embedder
from graphmem.errors import GraphmemError, InvalidInput, NotFound, RedactionError
from graphmem.redact import Redaction
from graphmem.settings import Connection
from tests.angles import Angles
from tests.cli.shell import Shell, environment
from tests.conftest import Driven
from tests.endpoint import Asked, Endpoint, said
from tests.redact.planted import TOKENS, card, drawn, iban, mail, phone

Cypher = Callable[..., list[dict[str, Any]]]
SCAN = (
    "MATCH (n {tenant: $t}) RETURN properties(n) AS said UNION ALL "
    "MATCH (n {tenant: $t})-[e]-() RETURN properties(e) AS said"
)


class Plant:
    """Texts with something planted in each, never the same twice, and what was planted."""

    def __init__(self, seed: int) -> None:
        self._draw = random.Random(seed)
        self._turns = itertools.cycle([*TOKENS.values(), mail, phone, card, iban])
        self.secrets: list[str] = []

    def __call__(self, text: str = "see {}") -> str:
        secret = next(self._turns)(self._draw)
        self.secrets += secret.splitlines()[1:-1] if "\n" in secret else [secret]
        return text.format(secret)

    def label(self) -> str:
        """A text that fits a label."""
        secret = drawn(self._draw, 24)
        self.secrets.append(secret)
        return f"token={secret}"

    def found_in(self, text: str) -> list[str]:
        """What was planted and stands in a text, as it is or as JSON writes it."""
        return [one for one in self.secrets if one in text or json.dumps(one)[1:-1] in text]


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    with Endpoint() as made:
        yield made


@pytest.fixture(params=["sync", "async"])
def make(
    request: pytest.FixtureRequest, settings: Settings, embedder: Embedder, tenant: str, endpoint: Endpoint
) -> Iterator[Callable[..., Any]]:
    """Clients of both kinds, whose language model is the endpoint."""
    llm = {"model": "small", "base_url": endpoint.address, "api_key": "k", "attempts": 1}
    chosen = settings.model_copy(update={"llm": type(settings.llm)(**llm)})
    made: list[Any] = []

    def one(**given: Any) -> Any:
        kind = Memory if request.param == "sync" else AsyncMemory
        client = kind(tenant, **{"settings": chosen, "embedder": Angles(embedder.name), **given})
        made.append(client if isinstance(client, Memory) else Driven(client))
        return made[-1]

    yield one
    for client in made:
        client.close()


def episode(plant: Plant, id_: str, **fields: Any) -> Episode:
    given: dict[str, Any] = {
        "id": id_, "title": plant(), "domain": plant.label(), "task_type": plant.label(), "toolchain": plant.label(),
        "tags": [plant.label()], "subject": plant.label(), "source_ref": plant(), "feedback_ref": plant(),
        "trace_id": plant.label(), "metadata": {plant.label(): {plant.label(): [plant(), None, 1]}},
        "task": plant("Drain the boiler north:0.9 {}"), "summary": plant(), "outcome": "success",
        "trajectory": [Step(action=plant("drain {}"), observation=plant(), decision=plant())],
        "outcome_evidence": plant(), "failure_reason": plant(), "techniques": [plant.label()], "ground_truth": plant(),
    }  # fmt: skip
    return Episode(**{**given, **fields})


def everything(cypher: Cypher, tenant: str) -> str:
    return json.dumps([row["said"] for row in cypher(SCAN, t=tenant)], default=str, ensure_ascii=False)


def test_nothing_planted_is_stored_sent_or_said(
    make: Callable[..., Any],
    cypher: Cypher,
    tenant: str,
    endpoint: Endpoint,
    capfd: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.DEBUG)
    plant, memory = Plant(1), make()

    def answer(asked: Asked) -> Any:
        ids = [part.partition('"')[0] for part in asked.user.split('"id": "')[1:]]
        lesson = {
            "insight": plant("Drain it first. {}"), "conditions": [plant.label()], "failure_mode": plant(),
            "guardrails": [plant.label()], "sources": ids, "links": [], plant.label(): plant.label(),
        }  # fmt: skip
        practice = {
            "name": plant("Drain {}"), "steps": [plant("drain {}")], "preconditions": [plant.label()],
            "quality_notes": plant(),
        }  # fmt: skip
        distilling = "practice" in json.dumps(asked.body.get("response_format", asked.system))
        return said({"practice": practice, "reason": plant()} if distilling else {"lessons": [lesson]})

    endpoint.play(answer)
    answers: list[Any] = [
        memory.record(episode(plant, "e1")),
        memory.record({**episode(plant, "e2").model_dump(mode="json"), "kind": "episode"}),
        *memory.record_many(
            [
                episode(plant, "lost", outcome="fail"),
                Reflection(
                    id="r", insight=plant("pump north:0.8 {}"), conditions=[plant.label()], failure_mode=plant(),
                    guardrails=[plant.label()], sources=["e1"],
                ),
                Skill(
                    id="s", name=plant("pump north:0.7 {}"), steps=[plant()], preconditions=[plant.label()],
                    quality_notes=plant(), sources=["r"], approved_by=plant.label(),
                ),
                {"task": " ", plant.label(): 1},
                {"id": plant.label().replace(" ", ""), "task": "x"},
            ]
        ),
        memory.update("e1", tags=[plant.label()], metadata={plant.label(): plant()}),
    ]  # fmt: skip
    asked = memory.recall(
        plant("Drain the boiler north:1 {}"), context={plant.label(): plant()}, trace_id=plant.label(), receipt=True
    )
    many = memory.recall_many([Request(text=plant("pump north:1 {}"), trace_id=plant.label())])
    novel = memory.recall(plant("lamp east:1 {}"), domain=plant.label())
    altered = json.loads(many[0].to_json())
    altered["request"]["text"], altered["trace_id"], altered["context_hash"] = plant(), plant.label(), plant.label()
    answers += [
        asked,
        novel,
        *many,
        *(text for one in (asked, novel, *many) for text in (one.to_json(), one.as_prompt(), one.explain())),
        memory.feedback(asked, outcome="fail", used=["e1"], misled=["e2"], evidence=plant(), reason=plant()),
        memory.feedback(altered, outcome="success", evidence=plant()),
        memory.judge(many[0], relevant=["e1"]),
        memory.correct(wrong="e2", right="e1", reason=plant(), context=plant("boilers north:0.9 {}"), by=plant.label()),
        memory.link("e1", "e2", kind="duplicate", by=plant.label()),
        memory.consolidate(),
        memory.review("s", approve=True, by=plant.label(), reason=plant()),
        memory.retire("r", by=plant.label(), reason=plant()),
        memory.pin("e1", by=plant.label()),
        memory.history("s"),
        *memory.list(domain=plant.label()),
        *memory.list(),
        memory.metrics(),
        *memory.check(),
    ]
    assert endpoint.chats
    kinds = {row["kind"] for row in cypher("MATCH (m:Memory {tenant: $t}) RETURN DISTINCT m.kind AS kind", t=tenant)}
    assert kinds == {"episode", "reflection", "skill"}
    by_model = cypher(
        "MATCH (m {tenant: $t})-[e]->() WHERE e.by STARTS WITH 'small' RETURN DISTINCT type(e) AS e", t=tenant
    )
    assert {row["e"] for row in by_model} == {"DERIVES", "GENERALIZES"}
    written = everything(cypher, tenant)
    assert "[secret]" in written
    assert "[email]" in written
    for what in (
        written,
        json.dumps([one.body for one in endpoint.asked], ensure_ascii=False),
        " ".join(map(repr, answers)),
        "".join(capfd.readouterr()),
        caplog.text,
    ):
        assert plant.found_in(what) == []


def test_what_was_taken_out_is_noted(make: Callable[..., Any]) -> None:
    plant, memory = Plant(2), make()
    memory.record(Episode(id="e", task="by ann@example.com", tags=["bob@example.com"], outcome="success"))
    memory.record(Episode(id="plain", task="by nobody", outcome="success"))
    assert memory.get("e").redacted == ("email:2",)
    assert memory.get("plain").redacted == ()
    memory.update("e", tags=["password=" + drawn(random.Random(1), 12), "carol@example.com"])
    stored = memory.update("e", metadata={"n": 1})
    assert stored.redacted == ("email:3", "secret:1")
    assert stored.memory.tags == ("password=[secret]", "[email]")
    assert plant.secrets == []


def test_the_same_memory_is_the_same_and_its_subject_a_pseudonym(make: Callable[..., Any]) -> None:
    memory = make()
    item = Episode(id="e", task="ask ann@example.com", subject="ann@example.com", outcome="success")
    assert [memory.record(item).result.value for _ in range(2)] == ["created", "unchanged"]
    assert memory.get("e").memory.subject.startswith("subject-")
    assert memory.erase(subject="ann@example.com").episodes == 1


def test_memories_older_than_their_redaction_are_shown_to_no_model(
    make: Callable[..., Any], settings: Settings, endpoint: Endpoint, cypher: Cypher, tenant: str
) -> None:
    plant = Plant(6)
    make(settings=settings.model_copy(update={"redaction": type(settings.redaction)(mode="off")})).record_many(
        episode(plant, f"e{n}", domain="d", task_type="t", toolchain="", trace_id="", task="Drain north:0.9 " + plant())
        for n in range(2)
    )
    assert plant.found_in(everything(cypher, tenant))

    def answer(asked: Asked) -> Any:
        ids = [part.partition('"')[0] for part in asked.user.split('"id": "')[1:]]
        return said({"lessons": [{"insight": asked.user[:900], "sources": ids, "links": []}]})

    endpoint.play(answer)
    done = make().consolidate()
    assert (done.episodes, done.failed) == (2, 0)
    assert plant.found_in(json.dumps([one.body for one in endpoint.chats], ensure_ascii=False)) == []
    lessons = cypher("MATCH (m:Reflection {tenant: $t}) RETURN m {.*} AS m", t=tenant)
    assert lessons
    assert plant.found_in(json.dumps(lessons, default=str, ensure_ascii=False)) == []


def test_secure_text_reaches_no_prompt(
    make: Callable[..., Any], endpoint: Endpoint, cypher: Cypher, tenant: str
) -> None:
    memory = make()
    endpoint.play([said({"lessons": []})])
    trajectory = [Step(action="drain hushhush"), Step(action="rinse hushhush")]
    shut = {"task": "Drain the hushhush", "outcome": "success", "secure": True, "trajectory": trajectory}
    memory.record_many(Episode(id=f"shut-{n}", occurred_at=f"2025-01-0{n}", **shut) for n in range(1, 4))
    memory.record_many(
        Episode(id=f"open-{n}", task="Drain the boiler", outcome="success", tags=[f"{n}"]) for n in range(3)
    )
    memory.record(Reflection(id="r", insight="Rinse the hushhush twice", sources=["shut-1", "open-1"]))
    memory.record(Skill(id="s", name="Rinse hushhush", steps=["rinse hushhush"], sources=["r"], approved_by="ada"))
    memory.consolidate()
    assert endpoint.chats
    assert "hushhush" not in json.dumps([one.body for one in endpoint.asked])
    rows = cypher(
        "MATCH (m:Memory {tenant: $t}) WHERE m.text CONTAINS 'hushhush' "
        "RETURN m.kind AS kind, m.secure AS secure, m.recallable AS open",
        t=tenant,
    )
    assert {row["kind"] for row in rows} == {"episode", "reflection", "skill"}
    assert {(row["secure"], row["open"]) for row in rows} == {(True, False)}
    assert memory.check() == ()
    assert "hushhush" not in memory.recall("Drain the hushhush").model_dump_json(exclude={"request"})


BOOM = "".join(["bo", "om"])  # not as it stands in the lines of a traceback


class Failing:
    """A redactor that fails for one text."""

    name = "failing"

    def redact(self, text: str) -> Redaction:
        if BOOM in text:
            raise ValueError(f"cannot read {text}")
        return Redaction(text)


def test_a_redactor_that_fails_keeps_everything_out(make: Callable[..., Any], cypher: Cypher, tenant: str) -> None:
    memory = make(redactor=Failing())
    memory.record(Episode(id="e", task="fine", outcome="success"))
    before = everything(cypher, tenant)
    for verb in (
        lambda: memory.record(Episode(task=BOOM)),
        lambda: memory.record_many([Episode(task="fine too"), Episode(task=BOOM)]),
        lambda: memory.update("e", metadata={BOOM: 1}),
        lambda: memory.recall(BOOM, receipt=True),
        lambda: memory.retire("e", reason=BOOM),
        lambda: memory.calibrate(by=BOOM),
    ):
        with pytest.raises(RedactionError, match="redactor 'failing' failed") as raised:
            verb()
        assert BOOM not in "".join(traceback.format_exception(raised.value))
    assert everything(cypher, tenant) == before


def test_switched_off_everything_is_kept_as_it_is(make: Callable[..., Any], settings: Settings) -> None:
    off = settings.model_copy(update={"redaction": type(settings.redaction)(mode="off")})
    memory = make(settings=off)
    memory.record(Episode(id="ann@example.com", task="ask ann@example.com", outcome="success"))
    stored = memory.get("ann@example.com")
    assert (stored.memory.task, stored.redacted) == ("ask ann@example.com", ())


@pytest.mark.parametrize(
    "verb",
    [
        lambda memory, text: memory.get(text),
        lambda memory, text: memory.record(Episode(id=text, task="x")),
        lambda memory, text: memory.record({"task": "x", "kind": text}),
        lambda memory, text: memory.record({"task": "x", "outcome": text}),
        lambda memory, text: memory.record({"task": "x", text: 1}),
        lambda memory, text: memory.record({"task": "x", "occurred_at": text}),
        lambda memory, text: memory.record(Reflection(insight="x", sources=[text])),
        lambda memory, text: memory.record("x", share=text),
        lambda memory, text: memory.recall("x", kind=text),
        lambda memory, text: memory.recall("x", limit=text),
        lambda memory, text: memory.feedback(text, outcome="fail"),
        lambda memory, text: memory.feedback("r", outcome=text),
        lambda memory, text: memory.feedback({"id": text}, outcome="fail"),
        lambda memory, text: memory.correct(wrong=text, right="b", reason="x"),
        lambda memory, text: memory.link("a", text),
        lambda memory, text: memory.link("a", "b", kind=text),
        lambda memory, text: memory.update(text, tags=[]),
        lambda memory, text: memory.update("a", metadata={"id": 1, text: text}),
        lambda memory, text: memory.list(**{text: 1}),
        lambda memory, text: memory.review(text, approve=True, by="x"),
        lambda memory, text: memory.history(text),
        lambda memory, text: memory.retire(text),
        lambda memory, text: memory.judge(text, relevant=[text]),
    ],
)
def test_no_error_repeats_what_was_planted(make: Callable[..., Any], verb: Callable[[Any, str], Any]) -> None:
    memory, secret = make(), TOKENS["github"](random.Random(3))
    with pytest.raises((GraphmemError, TypeError)) as raised:
        verb(memory, secret)
    shown = "".join(traceback.format_exception(raised.value))
    assert secret not in shown
    assert isinstance(raised.value, InvalidInput | NotFound)


def test_the_command_line_keeps_and_says_nothing_of_it(
    settings: Settings, at: Connection, tenant: str, cypher: Cypher, tmp_path: Path
) -> None:
    plant, shell = Plant(4), Shell({**environment(settings, at, tenant), "GRAPHMEM_EMBEDDING__MODEL": "none"})
    lines = [episode(plant, f"e{n}").model_dump_json() for n in range(3)]
    bad = json.dumps({"task": "x", plant.label(): 1}), json.dumps({"id": plant.label(), "task": "x"}), "{" + plant()
    file = tmp_path / "many.jsonl"
    file.write_text("\n".join([*lines, *bad]), "utf-8")
    ran = [
        shell(
            "record", "--task", plant("drain {}"), "--outcome", "success", "--summary", plant(), "--tag", plant.label()
        ),
        shell("record", "--file", file),
        shell("record", "--file", file, "--json"),
        shell("recall", plant("drain the boiler {}"), "--json"),
        shell("recall", plant("drain the boiler {}"), "--explain"),
        shell("feedback", plant.label(), "--outcome", "fail", "--evidence", plant()),
        shell("correct", "--wrong", "e1", "--right", "e2", "--reason", plant(), "--by", plant.label()),
        shell("retire", "e2", "--by", plant.label(), "--reason", plant()),
        shell("update", "e1", "--tag", plant.label(), "--metadata", json.dumps({plant.label(): plant()})),
        shell("get", plant.label()),
        shell("get", "e1"),
        shell("list"),
        shell("history", "e2"),
    ]
    assert [one.code for one in ran].count(0) >= 8
    assert plant.found_in("".join(one.out + one.err for one in ran)) == []
    assert plant.found_in(everything(cypher, tenant)) == []
    assert "redacted" in shell("get", "e1").out


def test_secure_on_the_command_line(settings: Settings, at: Connection, tenant: str) -> None:
    shell = Shell({**environment(settings, at, tenant), "GRAPHMEM_EMBEDDING__MODEL": "none"})
    assert shell("record", "--task", "drain the pump", "--outcome", "success", "--id", "shut", "--secure").code == 0
    assert shell("recall", "drain the pump", "--json").json["hits"] == []
    (hit,) = shell("recall", "drain the pump", "--include-secure", "--json").json["hits"]
    assert (hit["id"], hit["memory"]["secure"]) == ("shut", True)


def test_nothing_of_the_rules_is_loaded_before_there_is_a_text() -> None:
    program = (
        "import sys; from graphmem.redact import make_redactor; from graphmem.settings import load_settings; "
        "make_redactor(load_settings()); "
        "print(sorted({'detect_secrets', 'phonenumbers', 'stdnum', 'requests'} & set(sys.modules)))"
    )
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[]"


def test_a_recall_that_was_altered_is_redacted_before_its_receipt(
    make: Callable[..., Any], cypher: Cypher, tenant: str
) -> None:
    memory = make()
    memory.record(Episode(id="e", task="pump north:0.9", outcome="success"))
    recall = memory.recall("pump north:1")
    plant = Plant(5)
    altered = recall.model_copy(
        update={"request": recall.request.model_copy(update={"text": plant("pump north:1 {}")})}
    )
    memory.feedback(altered, outcome="success", used=["e"])
    assert isinstance(altered, Recall)
    (receipt,) = cypher("MATCH (r:Recall {tenant: $t}) RETURN r {.*} AS r", t=tenant)
    assert receipt["r"]["vector"] == pytest.approx(Angles("x").embed(["pump north:1 [secret]"])[0])
