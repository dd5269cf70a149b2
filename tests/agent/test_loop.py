"""The loop: a program under test, a world of places, one trace, credit and blame, gates."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from graphmem import Memory, Settings
from graphmem.agent import (
    Acted,
    Checked,
    Context,
    Evaluated,
    FedBack,
    Intent,
    Loop,
    Plan,
    Planned,
    Recalled,
    Recorded,
    Reflected,
    Run,
    Task,
)
from graphmem.models import Episode, Outcome
from graphmem.recall import Decision
from tests.agent.office import filing
from tests.agent.shelf import Converter
from tests.agent.test_agent import shown

DOMAIN = "work"


@pytest.fixture
def converter(tmp_path: Path) -> Converter:
    return Converter(tmp_path)


def of(run: Run, kind: type) -> list[Any]:
    return [event for event in run.trace if isinstance(event, kind)]


def test_a_program_that_failed_is_used_rightly_once_it_is_remembered(memory: Memory, converter: Converter) -> None:
    loop = Loop(memory, domain=DOMAIN, gate=converter.gate, evaluate=converter.evaluate)
    first = loop.solve(converter.task("sales"))
    assert (first.decision, first.outcome, first.attempts, first.actions) == (Decision.NOVEL, Outcome.FAIL, 3, 3)
    second = loop.solve(converter.task("orders"))
    assert second.outcome is Outcome.SUCCESS
    assert second.actions == 2  # of five ways three are known to fail
    third = loop.solve(converter.task("clients"))
    assert (third.outcome, third.attempts, third.actions) == (Outcome.SUCCESS, 1, 1)
    assert third.steps[0].action == "python convert.py --to jsonl --from clients.csv"
    assert third.used == (f"run-{second.trace_id}",)
    assert len(converter.runs) == 6


def test_the_same_loop_drives_a_world_of_places_and_a_program(memory: Memory, converter: Converter) -> None:
    walk = ("walk to archive", "grab invoice", "walk to hall", "walk to study", "file invoice in red tray")
    memory.record(shown(filing("invoice", "red tray"), "invoice", *walk).model_copy(update={"domain": DOMAIN}))
    loop = Loop(memory, domain=DOMAIN, budget=25)
    world = filing("letter", "blue tray")
    run = loop.solve(world, evaluate=lambda _: Outcome.SUCCESS if world.filed == {"letter": "blue tray"} else "fail")
    assert (run.outcome, run.used) == (Outcome.SUCCESS, ("invoice",))
    assert world.calls <= 25
    told = loop.solve(converter.task("sales"), gate=converter.gate, evaluate=converter.evaluate)
    assert told.outcome is Outcome.FAIL
    assert told.used == ()


def test_one_trace_leads_from_recall_to_outcome(memory: Memory, converter: Converter, cypher: Any) -> None:
    loop = Loop(memory, domain=DOMAIN, gate=converter.gate)
    run = loop.solve(converter.task("sales"), Context(toolchain="python", where={"os": "linux"}, tags=("csv",)))
    attempt = [Planned, Acted, Checked, Evaluated]
    assert [type(one) for one in run.trace] == [Recalled, *attempt, *attempt, *attempt, Recorded, FedBack, Reflected]
    episode = memory.get(f"run-{run.trace_id}").memory
    assert isinstance(episode, Episode)
    assert episode.trace_id == run.trace_id == run.recall.trace_id  # type: ignore[union-attr]
    assert (episode.domain, episode.toolchain, episode.tags) == (DOMAIN, "python", ("csv",))
    assert episode.metadata["os"] == "linux"
    assert [step.action for step in episode.trajectory] == converter.runs
    assert "usage: the target format comes first" in episode.trajectory[1].observation
    assert episode.trajectory[1].decision.startswith("it failed here: exit status 1: usage")
    assert episode.outcome is Outcome.FAIL
    assert "unknown format" in episode.failure_reason
    receipt = cypher(
        "MATCH (r:Recall {trace_id: $id}) RETURN r.decision AS decision, r.outcome AS outcome", id=run.trace_id
    )
    assert receipt == [{"decision": "novel", "outcome": "fail"}]
    assert of(run, Reflected)[0].episodes == 1


def test_an_attempt_only_reads(memory: Memory, converter: Converter, cypher: Any, tenant: str) -> None:
    run = Loop(memory, domain=DOMAIN, gate=converter.gate).attempt(converter.task("sales"))
    assert run.outcome is Outcome.FAIL
    assert cypher("MATCH (n {tenant: $t}) RETURN count(n) AS n", t=tenant) == [{"n": 0}]


def test_what_led_to_a_failure_is_blamed_and_what_led_to_the_success_credited(
    memory: Memory, converter: Converter
) -> None:
    def way(name: str, action: str) -> Episode:
        return Episode(
            id=name,
            task=converter.task("sales").text,
            domain=DOMAIN,
            trajectory=({"action": action, "observation": "2 rows of sales.csv converted"},),  # type: ignore[arg-type]
            outcome=Outcome.SUCCESS,
            outcome_evidence="a person said so",
        )

    memory.record(way("a-wrong", "python convert.py sales.csv --to jsonl"))
    memory.record(way("b-right", "python convert.py --to jsonl --from sales.csv"))
    run = Loop(memory, domain=DOMAIN, gate=converter.gate).solve(converter.task("orders"))
    assert run.outcome is Outcome.SUCCESS
    assert (run.attempts, run.used, run.misled) == (2, ("b-right",), ("a-wrong",))
    (fed,) = of(run, FedBack)
    assert (fed.used, fed.misled) == (("b-right",), ("a-wrong",))
    assert (memory.get("b-right").successes, memory.get("a-wrong").successes) == (1, 0)
    episode = memory.get(f"run-{run.trace_id}").memory
    assert isinstance(episode, Episode)
    assert [step.action for step in episode.trajectory] == ["python convert.py --to jsonl --from orders.csv"]
    assert "instead of: python convert.py orders.csv --to jsonl" in episode.trajectory[0].decision


@pytest.mark.parametrize(
    ("gate", "evaluate", "outcome"),
    [
        (None, None, Outcome.UNKNOWN),
        (lambda step: True, None, Outcome.SUCCESS),
        (lambda step: (False, "no"), None, Outcome.FAIL),
        (lambda step: False, lambda run: ("mixed", "half of it"), Outcome.MIXED),
        (lambda step: True, lambda run: Outcome.FAIL, Outcome.FAIL),
        (lambda step: True, lambda run: 1 / 0, Outcome.UNKNOWN),
        (lambda step: True, lambda run: "splendid", Outcome.UNKNOWN),
        (lambda step: 1 / 0, None, Outcome.UNKNOWN),
        (lambda step: None, None, Outcome.UNKNOWN),
    ],
)
def test_who_says_how_it_ended(memory: Memory, gate: Any, evaluate: Any, outcome: Outcome) -> None:
    loop = Loop(memory, domain=DOMAIN, gate=gate, evaluate=evaluate, reflect=False)
    run = loop.solve(Task("Say hello", act=lambda action: "hello", options=["say hello"]))
    assert run.outcome is outcome
    stored = memory.get(f"run-{run.trace_id}").memory
    assert isinstance(stored, Episode)
    assert stored.outcome is outcome
    assert run.attempts <= 3


def test_a_plan_that_is_open_goes_on_from_what_was_seen(memory: Memory) -> None:
    class Stairs:
        name = "stairs"

        def plan(self, brief: Any) -> Plan:
            return Plan("stairs", (Intent(f"climb {len(brief.seen)}", expects="a step higher"),), open=True)

    def act(action: str) -> str:
        return "a step higher" if action != "climb 3" else "the top"

    loop = Loop(memory, planner=Stairs(), gate=lambda step: True, reflect=False)
    run = loop.solve(Task("Climb", act=act, done=lambda seen: seen == "the top"))
    assert [step.action for step in run.steps] == ["climb 0", "climb 1", "climb 2", "climb 3"]
    missed = [one for one in of(run, Checked) if not one.passed]
    assert (missed[0].by, missed[0].number) == ("expectation", 4)


@pytest.mark.parametrize(("band", "decision", "checked"), [(0.0, Decision.USE, [3]), (0.5, Decision.VERIFY, [1, 2, 3])])
def test_what_is_used_is_checked_at_its_end_and_what_is_verified_at_every_step(
    settings: Settings, connect: Callable[..., Memory], band: float, decision: Decision, checked: list[int]
) -> None:
    rules = settings.recall.model_copy(update={"threshold": 0.5, "band": band})
    memory = connect(settings=settings.model_copy(update={"recall": rules}))
    steps = tuple({"action": f"turn {word}", "observation": "a click"} for word in ("left", "right", "up"))
    task = "Open the safe in the cellar of the old bank"
    memory.record(Episode(id="safe", task=task, trajectory=steps, outcome="success"))
    gate: list[int] = []
    loop = Loop(memory, gate=lambda step: gate.append(step.number) is None, reflect=False)
    run = loop.attempt(Task("Open the strongbox in the basement of a bank", act=lambda action: "a click"))
    assert (run.decision, run.outcome, gate) == (decision, Outcome.SUCCESS, checked)


def test_tools_are_called_by_their_names(memory: Memory) -> None:
    class Two:
        name = "two"

        def plan(self, brief: Any) -> Plan:
            self.tools = brief.place.tools
            return Plan("two", (Intent("shout: be quiet: now"), Intent("sing: la")))

    def shout(text: str) -> str:
        """Say it loudly.

        Nobody reads this."""
        return text.upper()

    planner = Two()
    run = Loop(memory, planner=planner, attempts=1, reflect=False).solve(Task("Make noise", tools={"shout": shout}))
    assert planner.tools == ("shout: Say it loudly.",)
    assert [step.observation for step in run.steps] == ["BE QUIET: NOW"]
    assert "no tool is called 'sing'" in run.evidence


def test_what_is_known_counts_once_for_each_id(memory: Memory) -> None:
    walk = ("walk to archive", "grab invoice", "walk to hall", "walk to study", "file invoice in red tray")
    named = shown(filing("invoice", "red tray"), "invoice", *walk)
    nameless = named.model_copy(update={"id": None})
    run = Loop(memory, domain="elsewhere").attempt(Task("Say hello", act=lambda action: "hello"))

    def facts(*told: list[Episode]) -> Any:
        loop = Loop(memory)
        for episodes in told:
            loop.know(episodes)
        return loop._setting(None, None).facts(run)

    assert facts([named]) == facts([named, named]) == facts([named], [named]) == facts([nameless])
    assert facts([nameless], [nameless]) == facts([named], [nameless]) != facts([named])
