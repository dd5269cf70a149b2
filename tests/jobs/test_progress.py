"""Long work shows how far it is, also while Graph Data Science computes; who raises in the progress stops the job."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from graphmem import Memory, Settings
from graphmem.jobs import centrality, gds
from graphmem.policies import CentralitySettings
from graphmem.scope import Scope

Cypher = Callable[..., list[dict[str, Any]]]
COUNT = 4000
DOING = "computing betweenness"


@pytest.fixture
def exact(settings: Settings, make: Callable[..., Memory], cypher: Cypher, tenant: str) -> Settings:
    """A binary tree of 4,000 memories, and settings by which its betweenness is exact, which takes a while."""
    make().init()
    scope = Scope(tenant).shared
    cypher(
        "UNWIND range(1, $n) AS i CREATE (:Memory {tenant: $t, user: '', scope: $s, id: toString(i), "
        "recallable: true, expires_at: datetime('9999-01-01T00:00:00Z')})",
        n=COUNT, t=tenant, s=scope,
    )  # fmt: skip
    cypher(
        "MATCH (a:Memory {tenant: $t}) MATCH (b:Memory {scope: $s, id: toString(toInteger(a.id) / 2)}) "
        "CREATE (a)-[:RELATES {scope: $s, kind: 'similar'}]->(b)",
        t=tenant, s=scope,
    )  # fmt: skip
    return settings.model_copy(update={"centrality": CentralitySettings(exact_up_to=COUNT)})


@pytest.fixture(autouse=True)
def looking_often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gds, "SECONDS_BETWEEN_LOOKS", 0.01)


def test_each_part_of_the_work_is_told_in_its_order(exact: Settings, tenant: str) -> None:
    told: list[tuple[str, int, int]] = []
    done = centrality(exact, Scope(tenant), progress=lambda *step: told.append(step))
    assert (done.written, done.samples) == (COUNT, 0)
    assert list(dict.fromkeys(doing for doing, _, _ in told)) == [
        "reading the graph", "projecting the graph", "computing degree", DOING, "writing"
    ]  # fmt: skip
    read = [done for doing, done, _ in told if doing == "reading the graph"]
    assert read[-1] == COUNT
    assert read == sorted(read)
    shares = [done for doing, done, whole in told if doing == DOING and whole == 100]
    assert len(set(shares)) > 2
    assert shares == sorted(shares)
    assert shares[0] == 0
    assert shares[-1] <= 100
    assert told[-1] == ("writing", COUNT, COUNT)


def test_who_raises_while_it_computes_fails_the_job(
    exact: Settings, tenant: str, cypher: Cypher, projections: Callable[[], list[str]]
) -> None:
    def stop(doing: str, done: int, whole: int) -> None:
        if doing == DOING and done:
            raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        centrality(exact, Scope(tenant), progress=stop)
    (job,) = cypher("MATCH (j:Job {tenant: $t}) RETURN j.state AS state, j.error AS error", t=tenant)
    assert (job["state"], job["error"]) == ("failed", "enough")
    assert not [name for name in projections() if Scope(tenant).shared in name]
    (row,) = cypher("MATCH (m:Memory {tenant: $t}) RETURN count(m.centrality_at) AS written", t=tenant)
    assert row["written"] == 0
