"""The standing proof in a small size, on the real simulator and the real database."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from graphmem import Memory, Settings
from graphmem.agent.agent import Agent
from graphmem.demo.pool import Pool
from graphmem.demo.proof import draws, figures, main
from graphmem.demo.proof.bench import Bench
from graphmem.demo.proof.command import hired
from graphmem.demo.proof.draws import Size, draw
from graphmem.demo.proof.page import page
from graphmem.demo.proof.played import Played, hits
from graphmem.demo.proof.players import Listed, remembering
from graphmem.demo.proof.proof import Proof, prove, replays
from graphmem.demo.protocol import Condition, Plan, Protocol
from graphmem.demo.rounds import Rounds
from graphmem.demo.scienceworld import Simulator
from graphmem.demo.teacher import nearest
from graphmem.errors import ConfigurationError, GraphmemError, InvalidInput
from graphmem.models import Episode, Step
from graphmem.recall import Decision, Request
from graphmem.settings import load_settings
from tests.embedders import HashEmbedder
from tests.endpoint import Endpoint, said
from tests.outbox.relay import Relay

TASKS = ("find-living-thing", "lifespan-longest-lived")
SPLITS = {"train": list(range(10)), "dev": [10, 11], "test": [12, 13, 14]}
SIZE = Size(variations=1, demonstrations=2, rounds=1, lives=1, split="dev")


@pytest.fixture(scope="module")
def pool(java: Path) -> Iterator[Pool]:
    with Pool(java, 1) as started:
        yield started


@pytest.fixture
def bench(pool: Pool, connect: Callable[..., Memory], tenant: str) -> Bench:
    splits = dict(pool.map(Simulator.splits, TASKS))
    drawn = [draw(task, splits[task], SIZE) for task in TASKS]
    return Bench(pool, connect(), connect(tenant=f"{tenant}-empty"), SIZE, drawn, Agent, lambda _: None)


Cypher = Callable[..., list[dict[str, Any]]]


def test_every_condition_is_played_and_no_test_is_recorded(bench: Bench, tenant: str, cypher: Cypher) -> None:
    proof = prove(bench, HashEmbedder())
    names = [draws.EMPTY, draws.ORACLE, draws.NEAREST, draws.RANDOM, draws.LIST, draws.GRAPHMEM, draws.after(1)]
    assert proof.conditions() == names
    assert all({run.job for run in proof.of(name)} == set(bench.tests) for name in names)
    assert all(0 <= run.final <= run.best <= 100 for run in proof.runs)
    best = {name: figures.scores(proof.of(name), 0).best.value for name in names}
    assert best[draws.GRAPHMEM] > best[draws.NEAREST]
    assert best[draws.ORACLE] >= max(best[draws.NEAREST], 0)
    _only_training_was_recorded(bench)
    _the_report_is_whole(proof)
    lived = sum(len(one.lives) for one in proof.rounds)
    assert receipts(tenant, cypher) == lived == 2  # of what was learnt; what was only played left none
    again = bench.play(draws.after(1), remembering(bench.agent()))
    assert again == sorted(proof.of(draws.after(1)), key=lambda run: run.job)


def _only_training_was_recorded(bench: Bench) -> None:
    kept = bench.memory.list(kind="episode", limit=100)
    recorded = {(one.memory.metadata["task"], one.memory.metadata["variation"]) for one in kept}
    allowed = {(one.task, v) for one in bench.draws for v in (*one.demonstrations, *sum(one.rounds, ()))}
    assert recorded == allowed
    assert not recorded & set(bench.tests)
    assert bench.nothing.list(limit=1) == ()


def _the_report_is_whole(proof: Proof) -> None:
    written = json.loads(figures.to_json(proof, SIZE, 1.0, "rules"))
    assert written["conditions"]["graphmem"]["best"]["n"] == len(TASKS)
    assert set(written["retries"]) == {"first try", "with its own experience", "and the correction"}
    assert [one["number"] for one in written["rounds"]] == [1]
    each = Counter(run["condition"] for run in written["runs"])
    assert each == dict.fromkeys((*proof.conditions(), *written["retries"]), len(TASKS))
    assert written["recall"]["graphmem"]["converted"] == 1.0
    shown = page(proof, SIZE, TASKS)
    assert all(task in shown for task in TASKS)
    assert "<svg" in shown
    assert "plans for the agent" not in shown
    assert "m/plan-1 plans for the agent" in page(proof, SIZE, TASKS, "m/plan-1")


def receipts(tenant: str, cypher: Cypher) -> int:
    (row,) = cypher("MATCH (r:Recall) WHERE r.tenant STARTS WITH $t RETURN count(r) AS number", t=tenant)
    return int(row["number"])


def test_a_test_round_writes_nothing_where_nothing_fits_either(bench: Bench, tenant: str, cypher: Cypher) -> None:
    shown = bench.shown([(one.task, one.demonstrations[0]) for one in bench.draws], "shown")
    assert bench.memory.recall_many([Request(text=shown[0].task)])[0].decision is Decision.NOVEL
    assert len(replays(bench, shown)) == 3 * len(bench.tests)
    plans = [Plan(one.task, (), (), one.tests) for one in bench.draws]
    rounds = Rounds(bench.pool, bench.memory, bench.nothing, Protocol(), plans)
    assert len(list(rounds.test(Condition.LITERAL))) == len(bench.tests)
    assert receipts(tenant, cypher) == 0


def test_the_nearest_is_not_replayed_while_the_store_is_away(here: Settings, relay: Relay, tenant: str) -> None:
    with Memory(tenant, settings=here, embedder=HashEmbedder()) as memory:
        relay.cut()
        with pytest.raises(GraphmemError, match="could not be asked"):
            nearest(memory, "Your task is to boil water")


def test_an_action_that_the_simulator_does_not_know_is_none(bench: Bench) -> None:
    did = [Step(action=action) for action in ("begin", "dance the polka", "look around", "look around")]
    episode = Episode(id="odd", task="Look around", trajectory=did)
    assert [run.actions for run in bench.replay("odd", lambda *_: [episode])] == [2] * len(bench.tests)


def test_what_is_shown_lived_and_played_never_overlaps() -> None:
    for seed in range(20):
        drawn = draw("a", SPLITS, Size(demonstrations=3, rounds=3, lives=2, seed=seed))
        lived = sum(drawn.rounds, ())
        assert len({*drawn.demonstrations, *lived}) == 3 + 6
        assert {*drawn.demonstrations, *lived} <= set(SPLITS["train"])
        assert set(drawn.tests) <= set(SPLITS["test"])


def test_a_small_split_is_used_up_and_no_more() -> None:
    drawn = draw("a", {"train": [1, 2, 3], "test": [4]}, Size(demonstrations=2, rounds=2, lives=1))
    assert (len(drawn.demonstrations), [len(one) for one in drawn.rounds], drawn.tests) == (2, [1, 0], (4,))


def test_false_hits_conversion_and_gain_are_counted() -> None:
    before = [_run("empty", task, 10, "novel") for task in ("a", "b", "c", "d")]
    now = [
        _run("graphmem", "a", 50, "use", "of-a"),
        _run("graphmem", "b", 10, "use", "of-a"),
        _run("graphmem", "c", 90, "verify", "of-c"),
        _run("graphmem", "d", 10, "novel"),
    ]
    found = hits(now, before, {"of-a": "a", "of-c": "c"})
    assert (found.answered, found.converted) == (0.75, 0.75)
    assert found.false == pytest.approx(1 / 3)
    assert found.gained == pytest.approx(2 / 3)


def test_a_round_is_compared_with_the_one_before_on_the_same_variations() -> None:
    runs = tuple(
        _run(name, task, score, "use")
        for name, scores in (("list", (10, 20)), ("graphmem", (30, 20)), ("round_1", (30, 40)))
        for task, score in zip("ab", scores, strict=True)
    )
    pairs = figures.steps(Proof(runs, (), (), ()), 1, 0)
    assert [(one.condition, one.than, one.best.value) for one in pairs] == [
        ("graphmem", "list", 10.0),
        ("round_1", "graphmem", 10.0),
    ]


def test_the_list_recalls_the_nearest_and_needs_no_graphmem(bench: Bench) -> None:
    shown = bench.shown([(one.task, one.demonstrations[0]) for one in bench.draws], "shown")
    listed = Listed(shown, HashEmbedder(), SIZE.actions)
    runs = bench.play(draws.LIST, listed.solve)
    assert all(run.followed[0].startswith(f"gold-{run.task}-") for run in runs)
    assert bench.memory.list(limit=1) == ()


def test_a_model_plays_the_same_protocol_and_is_shown_what_is_remembered_as_data(bench: Bench) -> None:
    plan = {"steps": [{"action": "look around", "expects": ""}], "follows": [], "finished": True, "why": "to begin"}
    with Endpoint([said(plan)]) as endpoint:
        settings = load_settings(llm={"model": "m", "base_url": f"{endpoint.address}/v1"})
        bench.hire = hired("openai", settings)
        (shown,) = bench.shown([(bench.draws[0].task, bench.draws[0].demonstrations[0])], "shown")
        bench.memory.record(shown)
        (first, *_) = bench.play(draws.GRAPHMEM, remembering(bench.agent()))
    assert (first.actions, first.lost) == (1, False)
    asked = next(one for one in endpoint.chats if shown.task[:40] in one.user)
    assert "<memory" in asked.user
    assert shown.task[:40] not in asked.system


def test_a_model_that_is_not_named_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="GRAPHMEM_LLM__MODEL"):
        hired("openai", load_settings(llm={"model": None}))


def test_an_unknown_task_is_refused_by_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told = main(Memory, ["--json", str(tmp_path / "x.json"), "--tasks", "fly-to-the-moon", "--workers", "1"])
    assert told == 2
    assert "fly-to-the-moon" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("option", "reason"),
    [
        *(((f"--{name}", "0"), f"{name} must be") for name in ("variations", "demonstrations", "lives", "actions")),
        (("--rounds", "-1"), "rounds must be"),
        (("--workers", "0"), "at least 1 simulator"),
        (("--tasks", "0"), "no task to play"),
        (("--tasks", ","), "no task to play"),
        (("--agent", "openai"), "GRAPHMEM_LLM__MODEL"),
    ],
)
def test_what_cannot_be_played_is_refused_with_the_reason(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], option: tuple[str, str], reason: str
) -> None:
    assert main(Memory, ["--json", str(tmp_path / "x.json"), "--workers", "1", *option]) == 2
    assert reason in capsys.readouterr().err


def test_no_other_split_is_played_and_no_round_has_to_be() -> None:
    with pytest.raises(InvalidInput, match="split"):
        Size(split="train")
    assert Size(rounds=0).rounds == 0


def _run(condition: str, task: str, best: int, decision: str, *followed: str) -> Played:
    return Played(condition, task, 1, best, best, False, 1, decision, followed)
