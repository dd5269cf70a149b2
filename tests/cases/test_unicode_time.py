"""Instants are kept and shown in UTC, whatever the zone of the process; text in any script comes back unchanged."""

from __future__ import annotations

import os
import subprocess
import sys
import unicodedata
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest

from graphmem import Episode, Memory
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
    ],
)
def test_text_comes_back_unchanged_and_is_found_in_its_normal_form(memory: Memory, text: str) -> None:
    memory.record(Episode(id="e1", task=text, outcome="success"))
    assert memory.get("e1").memory == Episode(id="e1", task=text, outcome="success")
    assert memory.recall(unicodedata.normalize("NFKC", text)).hits[0].id == "e1"


def test_a_lone_surrogate_is_refused_naming_the_field() -> None:
    with pytest.raises(InvalidInput, match=r"Episode\.task: .*surrogate"):
        Episode(task="a\ud800b")
