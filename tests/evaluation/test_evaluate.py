"""The whole evaluation on tiny data and a real server: all systems on the same memories, feedback taken back."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from graphmem import Memory, Settings
from graphmem.embed import Embedder
from graphmem.measure.evaluate import main
from graphmem.measure.evaluate.feedback import cases
from graphmem.measure.evaluate.fitted import candidates, reordered
from graphmem.measure.evaluate.run import replay
from graphmem.measure.evaluate.sets import load
from graphmem.measure.evaluate.systems import BASELINES, Baselines, Once, Product
from graphmem.scope import scope
from graphmem.settings import Connection
from graphmem.store.driver import Database
from tests.evaluation import files


@pytest.fixture
def baselines(at: Connection, embedder: Embedder, tenant: str) -> Iterator[Baselines]:
    database = Database(at, 15.0)
    yield Baselines(Once(embedder), database, scope(tenant).visible, seed=0)
    database.close()


def silent(*_: object) -> None:
    pass


def test_all_systems_rank_the_same_memories_without_the_excluded_one(
    memory: Memory, baselines: Baselines, tmp_path: Path
) -> None:
    files.tau_bench(tmp_path)
    data = load("tau_bench", tmp_path, 0)
    answers = replay(data, Product(memory), baselines, silent)
    assert set(answers) == {"graphmem", *BASELINES}
    every = {one.id for one in data.stages[0].known}
    for name, judged in answers.items():
        assert len(judged) == 12
        for one in judged:
            assert not one.ask.excluded & {*one.ranked.ids}
            assert {*one.ranked.ids} <= every
        if name in ("graphmem", "vector", "random"):
            assert all(len(one.ranked.ids) == 11 for one in judged)
    for name in ("graphmem", "vector", "fulltext", "rrf"):
        assert sum(one.wrong for one in answers[name]) <= 1
    assert sum(one.wrong for one in answers["random"]) > 4
    weights = memory.settings.recall.weights
    for one in answers["graphmem"]:
        assert reordered(one, weights).ranked.ids == one.ranked.ids
        heavy = reordered(one, weights.model_copy(update={"outcome": 50.0}))
        outcomes = {found.id: found.components.outcome for found in candidates(one)}
        column = [outcomes[id_] for id_ in heavy.ranked.ids]
        assert column == sorted(column, reverse=True)


def test_evidence_reaches_the_memory_before_the_next_trial(
    memory: Memory, baselines: Baselines, tmp_path: Path
) -> None:
    files.alfworld(tmp_path)
    data = load("reflexion_alfworld", tmp_path, 0)
    answers = replay(data, Product(memory), baselines, silent)
    *_, last = answers["graphmem"]
    lesson = data.stages[1].known
    outcomes = {found.id: found.components.outcome for found in candidates(last)}
    assert outcomes[lesson[0].id] > 0.5 > outcomes[lesson[2].id]
    assert last.ranked.ids[0] == lesson[0].id
    assert memory.get(lesson[0].id).successes == 1
    assert memory.get(lesson[2].id).failures == 1


def test_feedback_is_tried_and_taken_back(memory: Memory, baselines: Baselines, tmp_path: Path) -> None:
    files.clinc150(tmp_path)
    data = load("clinc150", tmp_path, 0)
    product = Product(memory)
    answers = replay(data, product, baselines, silent)["graphmem"]
    first = next(one for one in answers if one.ask.groups)
    # Judged as if nothing that was found had been right.
    foul = replace(first, bar=replace(first.bar, relevant=frozenset()))
    steps: list[int] = []
    (case,) = cases(data, product, [foul], 0, lambda: steps.append(1))
    assert len(steps) == 1
    assert case.seconds is not None
    assert case.paraphrases == 3
    assert case.before > 0
    assert (case.after, case.both) == (0, 0)
    again = product.rank([first.ask])[0]
    assert again.ids == first.ranked.ids
    assert all(found.components.false_hit == 0 for found in again.recall.candidates)  # type: ignore[union-attr]


def test_a_memory_that_is_not_taken_is_told(connect: Callable[..., Memory], tmp_path: Path) -> None:
    files.email(tmp_path)
    data = load("email_intent", tmp_path, 0)
    product = Product(connect())
    known = data.stages[0].known
    product.learn(known)
    other = replace(known[0], item=known[0].item.model_copy(update={"task": "Something else."}))
    with pytest.raises(ValueError, match="was not recorded"):
        product.learn([other])


def test_each_text_is_embedded_once(embedder: Embedder) -> None:
    asked: list[str] = []

    class Counting:
        name, dimensions = embedder.name, embedder.dimensions

        def embed(self, texts: list[str], kind: str) -> object:
            asked.extend(texts)
            return embedder.embed(texts, "query")

    once = Once(Counting())  # type: ignore[arg-type]
    assert once.embed(["a", "b", "a"], "query") == once.embed(["a", "b", "a"], "query")
    assert asked == ["a", "b"]


@pytest.mark.evaluation
def test_the_command_from_files_to_figures(tmp_path: Path, settings: Settings) -> None:
    files.clinc150(tmp_path / "data")
    figures, html = tmp_path / "out" / "figures.json", tmp_path / "out" / "page.html"
    arguments = ["--data", str(tmp_path / "data"), "--json", str(figures), "--page", str(html), "--only", "clinc150"]
    assert main(Memory, arguments) == 0
    content = json.loads(figures.read_text("utf-8"))["clinc150"]
    assert set(content) == {"graphmem", "graphmem_fitted", *BASELINES}
    for name in ("graphmem", *BASELINES):
        assert {"ndcg@10", "mrr", "recall@10", "precision@3", "success@1", "novelty_auroc"} <= set(content[name])
        assert set(content[name]["mrr"]) == {"value", "low", "high", "n"}
        assert {"coverage@0.05", "false_hit@0.05", "coverage@0.10", "false_hit@0.10"} <= set(content[name])
    assert content["graphmem"]["mrr"]["value"] > content["random"]["mrr"]["value"]
    assert content["graphmem"]["latency_ms@3"]["n"] == 12 - 5  # the first ones warm up
    assert content["graphmem"]["decided_by_centrality"]["value"] == 0
    assert content["graphmem"]["ordered_by_centrality"]["value"] == 1
    shown = html.read_text("utf-8")
    assert all(name in shown for name in ("specificity", "paired", "<svg", "Other limits", "not exercised"))
