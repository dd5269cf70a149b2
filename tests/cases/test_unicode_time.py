"""Instants are kept and shown in UTC, whatever the zone of the process; text in any script comes back unchanged."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import unicodedata
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest

from graphmem import Episode, Memory, Reflection, Request, Settings, Skill
from graphmem.embed import Embedder
from graphmem.errors import InvalidInput
from graphmem.text import instant

TIMES = {
    "2025-03-30T02:30": "2025-03-30T02:30:00+00:00",
    "2025-03-30T02:30+09:00": "2025-03-29T17:30:00+00:00",
    "2025-03-30T02:30:00Z": "2025-03-30T02:30:00+00:00",
    "2025-03-30": "2025-03-30T00:00:00+00:00",
    "2025-03-30T02:30:00.123456789Z": "2025-03-30T02:30:00.123456+00:00",
    "0001-01-01T00:00:00Z": "0001-01-01T00:00:00+00:00",
    "9999-12-31T23:59:59Z": "9999-12-31T23:59:59+00:00",
    "2999-01-01T00:00:00Z": "2999-01-01T00:00:00+00:00",
}


@pytest.mark.parametrize(("given", "shown"), TIMES.items())
def test_an_instant_is_equal_after_the_round_trip(memory: Memory, given: str, shown: str) -> None:
    memory.record(Episode(id="e1", task="Rotate the mailer's key", outcome="success", occurred_at=given))
    kept = memory.get("e1").memory
    assert kept.occurred_at is not None
    assert kept.occurred_at.isoformat() == shown
    assert memory.record(kept).result == "unchanged"
    assert memory.recall("rotate the mailer's key").hits[0].memory == kept


@pytest.mark.parametrize("zone", ["America/Los_Angeles", "Asia/Tokyo"])
def test_the_zone_of_the_process_changes_nothing(zone: str) -> None:
    program = f"from graphmem.text import instant; print([instant(t).isoformat() for t in {list(TIMES)!r}])"
    ran = subprocess.run(
        [sys.executable, "-c", program], env={**os.environ, "TZ": zone}, capture_output=True, text=True, check=True
    )
    assert ran.stdout.strip() == str(list(TIMES.values()))


STORY = """
import json, sys
from datetime import datetime
from graphmem import Memory
from graphmem.settings import load_settings
from tests.embedders import HashEmbedder

home, tenant, model, *times = sys.argv[1:]
given = {"settings": load_settings(home=home, instance="tests"), "embedder": HashEmbedder(name=model)}
naive = datetime(2025, 3, 30, 2, 30)
with Memory(tenant, clock=lambda: naive, **given) as memory:
    won = {"task": "x y", "outcome": "success"}
    memory.record_many({"id": f"e{n}", "occurred_at": t, "tags": [f"t{n}"], **won} for n, t in enumerate(times))
    memory.record({"id": "now", "task": "x y", "outcome": "success", "expires_at": "9999-01-01"})
    memory.update("now", expires_at=datetime(2025, 3, 30, 8))
    recall = memory.recall("x y", limit=100)
    hits = {hit.id: hit.memory.model_dump(mode="json")["occurred_at"] for hit in recall.hits}
    print(json.dumps({
        "hits": [hits[f"e{n}"] for n in range(len(times))],
        "at": json.loads(recall.to_json())["at"],
        "created": memory.get("now").model_dump(mode="json")["created_at"],
        "expires": memory.get("now").model_dump(mode="json")["memory"]["expires_at"],
        "day": [stored.id for stored in memory.list(since="2025-03-30", until="2025-03-31")],
        "new": {candidate.id: candidate.components.recency for candidate in recall.candidates}["now"],
    }))
with Memory(tenant, clock=lambda: datetime(2025, 3, 30, 7, 59, 59), **given) as memory:
    memory.get("now")
with Memory(tenant, clock=lambda: datetime(2025, 3, 30, 8), **given) as memory:
    print([stored.id for stored in memory.list() if stored.id == "now"])
"""


@pytest.mark.parametrize("zone", ["America/Los_Angeles", "Asia/Tokyo"])
def test_every_verb_tells_utc_in_any_zone_also_by_a_clock_without_one(
    settings: Settings, tenant: str, embedder: Embedder, zone: str
) -> None:
    command = [sys.executable, "-c", STORY, str(settings.home), tenant, embedder.name, *TIMES]
    ran = subprocess.run(command, env={**os.environ, "TZ": zone}, capture_output=True, text=True)
    assert (ran.returncode, ran.stderr) == (0, "")
    told, gone = ran.stdout.splitlines()
    assert json.loads(told) == {
        "hits": list(TIMES.values()),
        "at": "2025-03-30T02:30:00+00:00",
        "created": "2025-03-30T02:30:00+00:00",
        "expires": "2025-03-30T08:00:00+00:00",
        "day": ["e4", "e0", "e2", "now", "e3"],
        "new": 1.0,
    }
    assert gone == "[]"


@pytest.mark.parametrize(
    "bad", ["yesterday", "2025-13-01", "0001-01-01T00:00:00+09:00", "9999-12-31T23:59:59-09:00", 12]
)
def test_what_names_no_instant_is_refused(bad: Any) -> None:
    with pytest.raises(InvalidInput, match="occurred_at"):
        Episode(task="x", occurred_at=bad)


def test_dates_and_datetimes_are_instants() -> None:
    assert instant(date(2025, 3, 30)) == datetime(2025, 3, 30, tzinfo=UTC)
    assert instant(None) is None


def test_lists_are_right_around_midnight_and_sorted_by_time(client: Any) -> None:
    at = {"late": "2025-03-29T23:59:59.999999Z", "first": "2025-03-30T00:00:00Z", "noon": "2025-03-30T21:00+09:00",
          "last": "2025-03-30T23:59:59Z", "next": "2025-03-31"}  # fmt: skip
    client.record_many(
        [Episode(id=id_, task=f"job {id_}", outcome="success", occurred_at=when) for id_, when in at.items()]
    )
    day = client.list(since="2025-03-30", until="2025-03-31")
    assert [stored.id for stored in day] == ["last", "noon", "first"]
    assert [stored.id for stored in client.list()] == ["next", "last", "noon", "first", "late"]


def test_what_has_expired_is_gone_to_the_microsecond(connect: Callable[..., Memory]) -> None:
    end = datetime(2025, 3, 30, tzinfo=UTC)
    before = connect(clock=lambda: end - timedelta(microseconds=1))
    before.record(
        Episode(id="e1", task="Rotate the mailer's key", outcome="success", expires_at="2025-03-30T09:00+09:00")
    )
    assert [hit.id for hit in before.recall("rotate the mailer's key").hits] == ["e1"]
    after = connect(clock=lambda: end)
    assert after.recall("rotate the mailer's key").candidates == ()
    assert after.list() == ()
    with pytest.raises(KeyError, match=r"expired at 2025-03-30T00:00:00\+00:00"):
        after.get("e1")


@pytest.mark.parametrize(
    "text",
    [
        "Café résumé",
        unicodedata.normalize("NFD", "Café résumé"),
        "مرحبا بالعالم",
        "🚀 launch 👩‍🚀",
        "a\x00b",
        "ﬁne print Ⅳ",
        "x\u2028y",
        "zero\u200bwidth no\u2060break",
        "\u202eright to left",
    ],
)
def test_text_comes_back_unchanged_and_is_found_in_its_normal_form(memory: Memory, text: str) -> None:
    memory.record(Episode(id="e1", task=text, outcome="success"))
    assert memory.get("e1").memory == Episode(id="e1", task=text, outcome="success")
    assert memory.recall(unicodedata.normalize("NFKC", text)).hits[0].id == "e1"


def test_a_lone_surrogate_is_refused_naming_the_field() -> None:
    with pytest.raises(InvalidInput, match=r"Episode\.task: .*surrogate"):
        Episode(task="a\ud800b")


CREAM = "crème brûlée"


@pytest.mark.parametrize("form", ["NFC", "NFD", "NFKD"])
def test_composed_and_decomposed_text_is_the_same_question(memory: Memory, form: Any) -> None:
    memory.record(Episode(id="e1", task=unicodedata.normalize(form, "Crème brûlée naïveté"), outcome="success"))
    found = [memory.recall(asked).candidates[0] for asked in (CREAM, unicodedata.normalize("NFD", CREAM))]
    assert found[0].components.semantic == pytest.approx(found[1].components.semantic)
    assert found[0].components.lexical == pytest.approx(found[1].components.lexical)
    assert found[0].components.lexical > 0


LONE = "a\ud800b"
REFUSED: dict[str, Callable[[Any], object]] = {
    "metadata value": lambda client: client.record(Episode(task="x", metadata={"k": LONE})),
    "metadata key": lambda client: client.record(Episode(task="x", metadata={LONE: 1})),
    "trajectory": lambda client: client.record(Episode(task="x", trajectory=[{"action": LONE}])),
    "insight": lambda client: client.record(Reflection(insight=LONE)),
    "step": lambda client: client.record(Skill(name="x", steps=[LONE])),
    "tag": lambda client: client.record(Episode(task="x", tags=[LONE])),
    "id": lambda client: client.record(Episode(id=LONE, task="x")),
    "query": lambda client: client.recall(LONE),
    "domain": lambda client: client.recall("x", domain=LONE),
    "context": lambda client: client.recall("x", context={"k": LONE}),
    "requests": lambda client: client.recall_many([Request(text=LONE)]),
    "receipt": lambda client: client.feedback(LONE, outcome="fail"),
    "used": lambda client: client.feedback(client.recall("x"), outcome="fail", used=[LONE]),
    "evidence": lambda client: client.feedback(client.recall("x"), outcome="fail", evidence=LONE),
    "wrong": lambda client: client.correct(wrong=LONE, right="e1", reason="x"),
    "reason": lambda client: client.correct(wrong="e1", right="e2", reason=LONE),
    "correction context": lambda client: client.correct(wrong="e1", right="e2", reason="x", context=LONE),
    "get": lambda client: client.get(LONE),
    "list": lambda client: client.list(domain=LONE),
    "update": lambda client: client.update("e1", metadata={"k": LONE}),
    "update tags": lambda client: client.update("e1", tags=[LONE]),
    "link": lambda client: client.link("e1", LONE),
    "link by": lambda client: client.link("e1", "e2", by=LONE),
}


@pytest.mark.parametrize("place", REFUSED)
def test_a_lone_surrogate_is_refused_everywhere_and_harms_nothing(client: Any, place: str) -> None:
    client.record_many([Episode(id=id_, task="pump", outcome="success") for id_ in ("e1", "e2")])
    with pytest.raises(InvalidInput) as caught:
        REFUSED[place](client)
    str(caught.value).encode()
    assert {stored.id for stored in client.list()} == {"e1", "e2"}
    assert client.get("e1").memory == Episode(id="e1", task="pump", outcome="success")


def test_long_texts_are_stored_whole_and_asked_without_error(memory: Memory) -> None:
    words = "rotate the mailer key of österreich 明日の会議 🚀 "
    text = words * (200_000 // len(words.encode()))
    memory.record(Episode(id="e1", task=text, outcome="success"))
    assert memory.get("e1").memory == Episode(id="e1", task=text, outcome="success")
    assert memory.get("e1").embedded.startswith("leading")
    recall = memory.recall(text)
    assert [hit.id for hit in recall.hits] == ["e1"]
    assert any("longer than the model reads" in warning for warning in recall.warnings)
    assert memory.recall("明日の会議").candidates[0].components.lexical > 0
