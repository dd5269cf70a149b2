"""What must never happen, tried in small: that it is seen to hold, and that a fault would be seen."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from graphmem import Memory, Settings
from graphmem.measure.evaluate.guards import HEAVY, heavy, isolation, tried_centrality
from graphmem.measure.evaluate.sets import load
from graphmem.measure.evaluate.systems import showing_all
from graphmem.scope import scope
from graphmem.settings import Connection
from graphmem.store.driver import Database
from tests.evaluation import files


class Careless(Memory):
    """A client that mixes up whom it serves: everybody is the large scope."""

    def __init__(self, tenant: str, user: str | None = None, **given: Any) -> None:
        super().__init__("large", "u1", **given)


@pytest.mark.usefixtures("bare")
def test_small_scopes_are_found_beside_a_large_one(settings: Settings) -> None:
    said: list[str] = []
    report = isolation(Memory, settings, said.append, large=130, small=3, batch=60)
    assert said == [f"{n} of 130 memories of another scope recorded" for n in (60, 120, 130)]
    assert (report.known, report.asked) == (136, 6)
    found = report.systems["graphmem"]
    assert (found["own_found"].value, found["foreign_seen"].value) == (1, 0)


@pytest.mark.usefixtures("bare")
def test_a_scope_that_is_starved_would_be_seen(settings: Settings) -> None:
    report = isolation(Careless, settings, lambda _: None, large=130, small=3, batch=130)
    found = report.systems["graphmem"]
    assert (found["own_found"].value, found["foreign_seen"].value) == (0, 1)


@pytest.fixture
def database(at: Connection) -> Iterator[Database]:
    made = Database(at, 15.0)
    yield made
    made.close()


@pytest.mark.parametrize("changed", ["nothing", "threshold", "admitted"])
def test_centrality_orders_and_never_decides(
    changed: str,
    connect: Callable[..., Memory],
    database: Database,
    settings: Settings,
    tenant: str,
    tmp_path: Path,
) -> None:
    """A client that decides otherwise for another reason is seen, so nothing would pass unseen."""
    files.clinc150(tmp_path)
    data = load("clinc150", tmp_path, 0)
    known, asks = data.stages[0].known, data.stages[0].asks
    rules = showing_all(settings).recall
    if changed == "admitted":
        rules = rules.model_copy(update={"threshold": 0.0})  # so that everything that is seen is admitted
    shown = settings.model_copy(update={"recall": rules})
    memory = connect(settings=shown)
    memory.record_many([one.item for one in known])
    others = [connect(settings=heavy(shown, weight)) for weight in HEAVY]
    if changed == "threshold":
        rules = rules.model_copy(update={"threshold": 1.0})
        others.append(connect(settings=shown.model_copy(update={"recall": rules})))
    if changed == "admitted":  # the same best and the same bar, and fewer memories are looked at
        rules = rules.model_copy(update={"vector_candidates": 3, "text_candidates": 1})
        others.append(connect(settings=shown.model_copy(update={"recall": rules})))
    ids, texts = [one.id for one in known], [one.text for one in asks]
    found = tried_centrality(memory, others, database, scope(tenant), ids, texts, seed=0, asked=10)
    assert found["decided_by_centrality"].n == 10
    assert found["decided_by_centrality"].value == (0 if changed == "nothing" else 1)
    assert found["ordered_by_centrality"].value == 1
    assert all(one.components.centrality == 0 for one in memory.recall(asks[0].text).candidates)
