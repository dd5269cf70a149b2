"""The figures of a report on the real server, against those counted by hand."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from importlib import import_module
from typing import Any

import neo4j
import pytest

from graphmem import AsyncMemory, Memory, Recall
from graphmem.embed import Embedder
from graphmem.report import Report
from graphmem.report.models import Ended
from graphmem.settings import Connection, Settings
from graphmem.store.catalogue import statement
from tests.angles import Angles
from tests.conftest import Driven
from tests.measure.planting import Planter
from tests.memories import NOW, Clock, won
from tests.report.story import HIDDEN, MONDAY, Story

Connect = Callable[..., Memory]
Cypher = Callable[..., list[dict[str, Any]]]
HOUR = 3600.0


def test_nothing_was_recorded_yet(client: Any) -> None:
    report = client.report()
    assert report.empty
    assert (report.weeks, report.attempts, report.skills, report.graph.nodes) == ((), (), (), ())
    assert (report.recalls, report.corrections.took, report.speed.p50) == (Ended(), None, None)


def test_the_figures_are_those_counted_by_hand(story: Story) -> None:
    report = story.memory.report()
    assert not report.empty
    assert (report.tenant, report.user, report.at) == (story.memory.scope.tenant, "", story.clock.now)
    assert (report.recalls.success, report.recalls.mixed, report.recalls.fail) == (1, 0, 3)
    assert (report.recalls.rate, report.recalls.lower, report.recalls.upper) == (
        0.25,
        pytest.approx(0.0456, abs=1e-4),
        pytest.approx(0.6994, abs=1e-4),
    )
    first, second = report.weeks
    assert (first.starts, second.starts) == (date(2025, 6, 2), date(2025, 6, 9))
    assert (first.use, first.verify, first.novel, first.policy_only) == (2, 0, 1, 0)
    assert (second.use, second.verify, second.novel, second.policy_only) == (1, 0, 1, 0)
    assert (first.recalls.success, first.recalls.fail, second.recalls.success, second.recalls.fail) == (1, 2, 0, 1)
    assert first.episodes == Ended.of(success=1, fail=2)
    assert second.episodes == Ended.of(success=2, mixed=1), "the secure one does not count"
    assert [(one.n, one.ended) for one in report.attempts] == [
        (1, Ended.of(success=2, mixed=1, fail=1)),
        (2, Ended.of(fail=1)),
        (3, Ended.of(success=1)),
    ]
    told = report.corrections
    assert (told.blamed, told.corrected, told.uncorrected) == (2, 1, 1)
    assert told.took is not None
    assert (told.took.lower, told.took.median, told.took.upper) == (48 * HOUR, 48 * HOUR, 48 * HOUR)
    (left,) = told.open
    assert (left.id, left.times, left.since) == ("y1", 1, MONDAY + timedelta(days=8, hours=12))
    lag = report.metrics.lag
    assert (lag.waiting, lag.oldest, lag.dead) == (1, MONDAY + timedelta(days=10), 0)
    assert lag.waited is not None
    # They waited 15 h three times, 158 h, 183 h and 207 h.
    assert (lag.waited.lower, lag.waited.median, lag.waited.upper) == (15 * HOUR, 86.5 * HOUR, 176.75 * HOUR)


def test_decisions_false_hits_novelty_and_errors_are_those_of_the_metrics(story: Story) -> None:
    report = story.memory.report()
    assert report.metrics == story.memory.metrics()
    lab, plant = report.metrics.domains
    assert (lab.domain, lab.asked, lab.use, lab.novel, lab.labelled, lab.false_hits) == ("lab", 2, 1, 1, 1, 1)
    assert (plant.domain, plant.asked, plant.use, plant.novel, plant.labelled, plant.false_hits) == (
        "plant", 3, 2, 1, 2, 1,
    )  # fmt: skip
    assert (report.metrics.conversion.contexts, report.metrics.conversion.converted) == (2, 1)
    (found,) = report.metrics.patterns
    assert (found.mode.casefold(), found.count) == ("valve stuck at 4 bar", 4), "two episodes, and a lesson of each"


def test_skills_speed_and_picture(story: Story) -> None:
    report = story.memory.report()
    skill = next(one for one in report.skills if one.id == "s1")
    assert (skill.label, skill.version, skill.status.value, skill.approved) == ("Open a valve", 3, "active", True)
    took = {one.id: one.milliseconds for one in story.recalls}
    assert report.speed.measured == 5
    slowest = [(one.id, one.milliseconds) for one in report.speed.slowest]
    assert slowest == sorted(took.items(), key=lambda pair: -(pair[1] or 0.0))
    assert report.speed.p50 == sorted(value or 0.0 for value in took.values())[2]
    ids = [node.id for node in report.graph.nodes]
    linked = {(ids[edge.start], ids[edge.end], edge.kind) for edge in report.graph.edges}
    assert {("e3", "e2", "corrects"), ("x1", "y1", "similar")} <= linked
    assert {kind for _, _, kind in linked} >= {"derives"}
    for place, node in enumerate(report.graph.nodes):
        assert node.links == sum(place in (edge.start, edge.end) for edge in report.graph.edges) > 0


def test_secure_memories_appear_nowhere(story: Story, cypher: Cypher) -> None:
    assert "sec1" in {one.id for one in story.memory.list()}
    told = story.memory.report().model_dump_json()
    assert "sec1" not in told
    assert HIDDEN not in told
    secure = cypher("MATCH (m:Memory {tenant: $t}) WHERE m.secure RETURN m.id AS id", t=story.memory.scope.tenant)
    assert {row["id"] for row in secure} > {"sec1"}, "its lesson is secure too"
    assert not [row["id"] for row in secure if row["id"] in told]


def test_both_clients_tell_the_same(story: Story, settings: Settings) -> None:
    scope = story.memory.scope
    other = Driven(AsyncMemory(scope.tenant, settings=settings, clock=story.clock))
    assert other.report() == story.memory.report()
    other.close()


def test_what_memories_say_is_redacted_once_more(connect: Connect, cypher: Cypher, tenant: str) -> None:
    memory = connect()
    memory.record_many([won("a", "Open the door"), won("b", "Close the door")])
    memory.link("a", "b")
    cypher("MATCH (m:Memory {tenant: $t, id: 'a'}) SET m.label = 'ask ann@example.org'", t=tenant)
    labels = {node.id: node.label for node in memory.report().graph.nodes}
    assert labels == {"a": "ask [email]", "b": "Close the door"}


def test_other_scopes_are_not_told_of(story: Story, connect: Connect) -> None:
    stranger = connect(tenant=f"{story.memory.scope.tenant}-x", clock=story.clock)
    assert stranger.report().empty
    user = connect(tenant=story.memory.scope.tenant, user="u7", embedder=Angles("bge-small-en-v1.5"), clock=story.clock)
    told = user.report()
    assert (told.recalls.known, told.metrics.stock, told.metrics.domains) == (0, (), ())
    assert told.graph == story.memory.report().graph, "what the tenant shares is seen"
    user.record(won("secret-of-u7", "lamp"))
    assert "secret-of-u7" not in story.memory.report().model_dump_json()


def test_a_correction_counts_from_the_blame_on(connect: Connect) -> None:
    clock = Clock()
    memory = connect(embedder=Angles("bge-small-en-v1.5"), clock=clock)
    memory.record_many([won("w", "pump north:0.9"), won("r", "hose east:0.9"), won("free", "lamp up:0.9")])

    def blame(hours: int, text: str = "north:1", id_: str = "w") -> None:
        clock.now = NOW + timedelta(hours=hours)
        memory.feedback(memory.recall(text), outcome="fail", misled=[id_])

    clock.now = NOW + timedelta(hours=1)
    memory.correct(wrong="w", right="r", reason="before", context="north:0.8 up:0.5")
    assert memory.report().corrections.blamed == 0, "a context that a correction names is no recall"
    blame(2)
    blame(3)
    blame(4, "up:1", "free")
    found = memory.report().corrections
    assert (found.blamed, found.corrected) == (2, 0), "what was corrected before is not answered by that"
    assert [(one.id, one.times) for one in found.open] == [("free", 1), ("w", 2)]
    clock.now = NOW + timedelta(hours=12)
    memory.correct(wrong="w", right="r", reason="one more context", context="north:0.9 east:0.4")
    found = memory.report().corrections
    assert found.took is not None
    assert (found.corrected, found.took.median) == (1, 10 * HOUR)
    clock.now = NOW + timedelta(hours=13)
    memory.correct(wrong="r", right="w", reason="no, the other way round")
    assert memory.report().corrections.corrected == 0, "a revoked correction answers nothing"


def test_what_misled_before_a_correction_is_answered_by_it_though_it_is_said_later(connect: Connect) -> None:
    clock = Clock()
    memory = connect(embedder=Angles("bge-small-en-v1.5"), clock=clock)
    memory.record_many([
        won("w", "pump north:0.9"), won("r", "hose east:0.9"), won("free", "lamp up:0.9"), won("late", "door up:-0.9"),
    ])  # fmt: skip

    def ask(hours: int, text: str) -> Recall:
        clock.now = NOW + timedelta(hours=hours)
        return memory.recall(text, receipt=True)

    def blame(hours: int, recall: Recall, id_: str) -> None:
        clock.now = NOW + timedelta(hours=hours)
        memory.feedback(recall, outcome="fail", misled=[id_])

    late, wrong = ask(1, "up:-1"), ask(2, "north:1")
    blame(4, ask(4, "up:1"), "free")
    clock.now = NOW + timedelta(hours=5)
    memory.correct(wrong="w", right="r", reason="it leaks")
    blame(8, wrong, "w")
    blame(9, late, "late")
    found = memory.report().corrections
    assert found.took is not None
    assert (found.blamed, found.corrected, found.took.median) == (3, 1, 3 * HOUR)
    assert [(one.id, one.since) for one in found.open] == [
        ("late", NOW + timedelta(hours=1)),
        ("free", NOW + timedelta(hours=4)),
    ], "the last blamed first"


class Slow(Angles):
    """It takes at least a fiftieth of a second to embed a question."""

    def embed(self, texts: Any, kind: Any = "document") -> list[list[float]]:
        time.sleep(0.02 if kind == "query" else 0.0)
        return super().embed(texts, kind)


def test_a_recall_says_how_long_it_took_and_its_receipt_keeps_that(
    connect: Connect, cypher: Cypher, tenant: str, embedder: Embedder
) -> None:
    memory = connect(embedder=Slow(embedder.name))
    memory.record(won("a", "pump north:0.9"))
    found = memory.recall("north:1", receipt=True)
    assert found.milliseconds is not None
    assert found.milliseconds >= 20
    again = memory.recall("north:1")
    memory.feedback(again.to_json(), outcome="success", used=["a"])
    rows = cypher("MATCH (r:Recall {tenant: $t}) RETURN r.id AS id, r.milliseconds AS took", t=tenant)
    assert {row["id"]: row["took"] for row in rows} == {one.id: one.milliseconds for one in (found, again)}


def test_of_very_many_receipts_a_bounded_number_of_rows_is_read(
    connect: Connect, planter: Planter, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory = connect()
    memory.record(won("boiler"))
    planter.plant([
        (planter.receipt(n, outcome=("success", "fail")[n % 2], milliseconds=float(n)),
         [planter.edge("boiler", misled="x")] if n % 100 == 0 else [])
        for n in range(10_000)
    ])  # fmt: skip
    stage = import_module("graphmem.report.stage")
    rows: dict[str, int] = {}
    read = stage._read

    def counted(name: str, given: Any) -> Any:
        found = yield from read(name, given)
        rows[name] = len(found)
        return found

    monkeypatch.setattr(stage, "_read", counted)
    report: Report = memory.report()
    # 10,000 minutes are 7 days, in 2 weeks; each has two outcomes of one decision.
    assert rows == {"recalls": 4, "attempts": 1, "blamed": 1, "skills": 0, "speed": 1, "graph": 1}
    assert (report.recalls.success, report.recalls.fail, report.speed.measured) == (5000, 5000, 10_000)
    assert [one.milliseconds for one in report.speed.slowest] == [float(9_999 - n) for n in range(10)]
    assert report.speed.p50 == 4999.5
    assert [(one.id, one.times) for one in report.corrections.open] == [("boiler", 100)]
    monkeypatch.setattr(stage, "LOOKED", 100)
    assert memory.report().recalls == Ended.of(success=50, fail=50), "the newest"


@pytest.mark.parametrize("name", ["recalls", "speed", "blamed"])
def test_the_newest_receipts_are_read_in_the_order_of_the_index(name: str, connect: Connect, at: Connection) -> None:
    """So that the work is bounded, however many receipts a scope has."""
    connect().init()
    found = statement(f"report/{name}")
    assert at.password is not None
    auth = (at.user, at.password.get_secret_value())
    with neo4j.GraphDatabase.driver(at.uri, auth=auth, notifications_min_severity="OFF") as driver:
        text = found.text.replace("\nCYPHER 25\n", "\nCYPHER 25 EXPLAIN\n")
        plan = driver.execute_query(text, dict.fromkeys(found.params)).summary.plan
    operators = list(walked(plan))
    limit = operators.index("Limit")
    assert operators[limit + 1] == "NodeIndexSeek", "nothing sorts between them"


def walked(plan: Any) -> Iterator[str]:
    """The operators of a plan, each before those that it reads from."""
    yield plan["operatorType"].partition("@")[0]
    for child in plan.get("children", ()):
        yield from walked(child)
