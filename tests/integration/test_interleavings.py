"""Whatever is recorded, said, learnt and decided in whatever order: the scope stays in order."""

from __future__ import annotations

import io
import uuid
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from graphmem import Episode, Memory, Settings
from graphmem.embed import Embedder
from graphmem.errors import InvalidInput, NotFound
from graphmem.models import Step, Stored
from tests.angles import Angles
from tests.memories import Clock

DIRECTIONS = ("north", "east", "up")
SHARED, ANN = "", "ann"
Cypher = Callable[..., list[dict[str, Any]]]
EVERY_TEXT = (
    "MATCH (n {tenant: $t}) RETURN n {.*, embedding: null, vector: null} AS found "
    "UNION ALL MATCH (n {tenant: $t})-[e]->() RETURN properties(e) AS found"
)
SUBJECTS = ("eve", "adam", "nobody")
NUMBER = st.integers(0, 200)
WHO = st.sampled_from((SHARED, ANN))
WHERE = st.sampled_from(DIRECTIONS)
OPERATION = st.one_of(
    st.tuples(
        st.just("record"), WHO, WHERE, st.sampled_from(("success", "success", "success", "fail", "mixed", "unknown"))
    ),
    st.tuples(st.just("feedback"), WHO, WHERE, st.sampled_from(("success", "fail")), NUMBER, NUMBER),
    st.tuples(st.just("correct"), WHO, NUMBER, NUMBER, st.one_of(st.none(), WHERE)),
    st.tuples(st.just("consolidate"), WHO),
    st.tuples(st.just("retire"), WHO, NUMBER),
    st.tuples(st.just("review"), WHO, NUMBER, st.booleans()),
    st.tuples(st.just("retention"), WHO, st.integers(1, 30)),
    st.tuples(st.just("erase"), WHO, NUMBER),
    st.tuples(st.just("forget"), WHO, st.sampled_from(SUBJECTS)),
    st.tuples(st.just("move"), WHO, st.booleans()),
)


@dataclass
class Life:
    """One tenant with a user, and what was done to it."""

    clients: dict[str, Memory]
    clock: Clock
    recorded: int = 0
    erased: set[str] = field(default_factory=set)  # a lesson may be learnt again

    def do(self, operation: tuple[Any, ...]) -> None:
        """One operation, a minute after the one before; ids are drawn from what the client sees."""
        name, who, *given = operation
        self.clock.now += timedelta(minutes=1)
        getattr(self, name)(self.clients[who], *given)

    def record(self, client: Memory, where: str, outcome: str) -> None:
        n = self.recorded = self.recorded + 1
        client.record(
            Episode(
                id=f"e{n}", task=f"go {where}:0.9 on floor {n % 4}", domain="house", outcome=outcome, trace_id=f"t{n}",
                subject=("", "eve", "adam")[n % 3], summary=f"word{n}",
                trajectory=(Step(action=f"open the {where} door"), Step(action="walk")),
                failure_reason="it was locked" if outcome in ("fail", "mixed") else "",
            )
        )  # fmt: skip

    def feedback(self, client: Memory, where: str, outcome: str, used: int, misled: int) -> None:
        recall = client.recall(f"{where}:1", limit=10)
        named = [hit.id for hit in recall.hits]
        chosen = {named[used % len(named)]} if named else set()
        blamed = {named[misled % len(named)]} - chosen if named else set()
        client.feedback(recall, outcome=outcome, used=chosen, misled=blamed)

    def correct(self, client: Memory, wrong: int, right: int, where: str | None) -> None:
        known = self.ids(client)
        if len(known) > 1 and known[wrong % len(known)] != known[right % len(known)]:
            context = None if where is None else f"{where}:1"
            client.correct(
                wrong=known[wrong % len(known)], right=known[right % len(known)], reason="better", context=context
            )

    def consolidate(self, client: Memory) -> None:
        assert client.consolidate().failed == 0

    def retire(self, client: Memory, place: int) -> None:
        own = self.ids(client, own=True)
        if own:
            client.retire(own[place % len(own)], by="ada")

    def review(self, client: Memory, place: int, approve: bool) -> None:
        own = self.ids(client, own=True)
        if own:
            with suppress(InvalidInput):  # an episode of unknown outcome, or a version that made way
                client.review(own[place % len(own)], approve=approve, by="ada")

    def retention(self, client: Memory, budget: int) -> None:
        client.retention(budget=budget, apply=True)

    def erase(self, client: Memory, place: int) -> None:
        own = self.ids(client, own=True)
        if own:
            client.erase(id=(id_ := own[place % len(own)]))
            self.erased |= {id_} if id_.startswith("e") else set()

    def forget(self, client: Memory, subject: str) -> None:
        gone = {stored.id for stored in self.all(client) if stored.memory.subject == subject}
        if not gone:
            with pytest.raises(NotFound):
                client.erase(subject=subject)
            return
        assert client.erase(subject=subject).episodes >= len(gone)
        self.erased |= gone

    def move(self, client: Memory, empty: bool) -> None:
        """Out and in again, over what is there or into an empty scope: nothing has changed."""
        whole = {"everything": True} if not client._verbs.scope.user else {}
        before, after = io.BytesIO(), io.BytesIO()
        client.export(before, include_secure=True, **whole)
        if empty:
            client.erase(everything=True)
        done = client.load(io.BytesIO(before.getvalue()), **whole)
        assert empty or done.created.total == 0
        client.export(after, include_secure=True, **whole)
        assert after.getvalue() == before.getvalue()

    def all(self, client: Memory) -> list[Stored]:
        """What an erasure by subject reaches: the client's own, or, of the tenant's client, everybody's."""
        whose = [client] if client._verbs.scope.user else list(self.clients.values())
        return [stored for one in whose for stored in one.list(limit=1000) if stored.user == one._verbs.scope.user]

    def ids(self, client: Memory, own: bool = False) -> list[str]:
        """The ids that a client sees, or owns."""
        return sorted(
            stored.id for stored in client.list(limit=1000) if not own or stored.user == client._verbs.scope.user
        )


def _live(operations: list[tuple[Any, ...]], settings: Settings, embedder: Embedder, cypher: Cypher) -> None:
    clock, tenant = Clock(), f"t-{uuid.uuid4().hex[:12]}"
    given = {"settings": settings, "embedder": Angles(embedder.name), "clock": clock}
    with Memory(tenant, **given) as shared, Memory(tenant, ANN, **given) as ann:
        life = Life({SHARED: shared, ANN: ann}, clock)
        for operation in operations:
            life.do(operation)
        assert shared.check(everything=True) == (), operations
        said = repr(cypher(EVERY_TEXT, t=tenant))
        gone = [id_ for id_ in life.erased if f"'{id_}'" in said or f"word{id_[1:]}'" in said]
        assert gone == [], operations
        shared.erase(everything=True)


@pytest.mark.parametrize(
    "lives", [pytest.param(30, id="some"), pytest.param(1000, marks=pytest.mark.evaluation, id="many")]
)
def test_any_order_leaves_everything_in_order(
    lives: int, settings: Settings, embedder: Embedder, cypher: Cypher
) -> None:
    @hypothesis_settings(
        max_examples=lives, deadline=None, derandomize=True, database=None, phases=[Phase.generate],
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    )  # fmt: skip
    @given(st.lists(OPERATION, min_size=6, max_size=25))
    def live(operations: list[tuple[Any, ...]]) -> None:
        _live(operations, settings, embedder, cypher)

    live()
