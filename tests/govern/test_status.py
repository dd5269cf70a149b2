"""The one statement that changes statuses."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from graphmem import Episode, Memory, Skill, Status
from graphmem.errors import StoreError
from graphmem.govern.status import KEPT, Event, Move, held, moved
from graphmem.scope import Scope
from graphmem.steps import Row, Write
from tests.embedders import HashEmbedder
from tests.memories import NOW, won

ANY = frozenset(Status)


@pytest.fixture
def memory(connect: Callable[..., Memory]) -> Memory:
    return connect(embedder=HashEmbedder(name="bge-small-en-v1.5"), clock=lambda: NOW)


@pytest.fixture
def change(memory: Memory, tenant: str) -> Callable[..., list[Row]]:
    """Move a memory of this test's tenant; the rows that come back."""

    def done(id_: str, to: Status, out_of: frozenset[Status] = ANY, reason: str = "", user: str = "") -> list[Row]:
        event = Event(at=NOW, what=to.value, by="ada", reason=reason)
        move = Move(Scope(tenant, user).own, id_, out_of, to, event)
        scopes = Scope(tenant).visible
        rows: list[Row] = memory._answer(Write([held([move], scopes), moved([move], scopes, NOW)]))[1]
        return rows

    return done


@pytest.mark.parametrize("secure", [False, True])
@pytest.mark.parametrize("to", [Status.RETIRED, Status.QUARANTINED, Status.SUPERSEDED, Status.CANDIDATE, Status.ACTIVE])
def test_what_is_recallable_follows_from_the_status(
    memory: Memory, change: Callable[..., list[Row]], node: Callable[[str], Any], to: Status, secure: bool
) -> None:
    memory.record(won("e", secure=secure))
    (row,) = change("e", to, reason="because")
    assert (row["id"], row["before"], row["status"]) == ("e", "active", to)
    after = node("e")
    active = to is Status.ACTIVE and not secure
    assert (after["status"], after["recallable"]) == (to, active)
    kept = f"secure{after['scope']}" if secure and to is Status.ACTIVE else ""
    assert after["recall_key"] == (after["scope"] if active else kept)
    (event,) = map(json.loads, after["events"])
    assert event == {"at": "2025-06-01T12:00:00+00:00", "what": to.value, "by": "ada", "reason": "because"}


def test_only_what_is_still_as_it_was_read_is_changed(
    memory: Memory, change: Callable[..., list[Row]], node: Callable[[str], Any]
) -> None:
    memory.record_many([won("e"), won("gone", expires_at=NOW), Episode(id="open", task="t")])
    before = [node(id_) for id_ in ("e", "gone", "open")]
    assert change("e", Status.RETIRED, frozenset({Status.CANDIDATE, Status.AUDIT})) == []
    assert change("gone", Status.RETIRED) == []
    assert change("open", Status.ACTIVE) == [], "nobody knows how it ended"
    assert change("nobody", Status.RETIRED) == []
    assert change("e", Status.RETIRED, user="ann") == [], "of another scope"
    assert [node(id_) for id_ in ("e", "gone", "open")] == before


def test_a_pin_spares_a_memory_from_moves_that_heed_it(memory: Memory, tenant: str, node: Callable[[str], Any]) -> None:
    memory.record_many([won("dear", pinned=True), won("e")])
    token = Scope(tenant).own
    event = Event(at=NOW, what="archived", by="retention")

    def archive(spare: bool) -> set[str]:
        moves = [Move(token, id_, ANY, Status.RETIRED, event, spare=spare) for id_ in ("dear", "e")]
        answered = memory._answer(Write([held(moves, [token]), moved(moves, [token], NOW)]))
        return {row["id"] for row in answered[1]}

    before = node("dear")
    assert archive(True) == {"e"}
    assert node("dear") == before
    assert archive(False) == {"dear"}


def test_a_transaction_that_is_retried_leaves_one_event_and_the_newest_events_stay(
    memory: Memory, change: Callable[..., list[Row]], node: Callable[[str], Any]
) -> None:
    memory.record(won("e"))
    assert len(change("e", Status.ACTIVE, reason="once")) == 1
    assert change("e", Status.ACTIVE, reason="once") == []
    for n in range(KEPT + 5):
        change("e", Status.ACTIVE, reason=str(n))
    events = [Event.read(text).reason for text in node("e")["events"]]
    assert events == [str(n) for n in range(5, KEPT + 5)]
    with pytest.raises(StoreError, match="damaged"):
        Event.read("no event")


def test_a_version_does_not_become_active_beside_another_one(
    memory: Memory, change: Callable[..., list[Row]], damage: Callable[..., None]
) -> None:
    for n in (1, 2):
        memory.record(Skill(id=f"s{n}", name="pump", steps=[f"step {n}"], version=n))
        damage(f"s{n}", "SET m.family = 'g'")
    assert len(change("s2", Status.ACTIVE)) == 1
    assert change("s1", Status.ACTIVE) == []
    change("s2", Status.RETIRED)
    assert len(change("s1", Status.ACTIVE)) == 1
    assert change("s2", Status.ACTIVE) == []


def test_events_are_read_as_they_were_written() -> None:
    event = Event(at=NOW, what="retired", by='ö "x"', reason="日本\n\u2028")
    assert Event.read(event.text) == event
