"""The evaluation, from the files to the figures: every system answers the same questions at the same moments."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING

from graphmem.embed import Embedder
from graphmem.measure.bootstrap import Estimate
from graphmem.measure.evaluate import ablation, feedback
from graphmem.measure.evaluate.abstain import abstention, by_confidence, by_parameters, curve
from graphmem.measure.evaluate.data import Ask, DataSet
from graphmem.measure.evaluate.fitted import fitted
from graphmem.measure.evaluate.guards import HEAVY, heavy, tried_centrality
from graphmem.measure.evaluate.judge import Judge, Judged, difference, estimates, values
from graphmem.measure.evaluate.report import FITTED, PRODUCT, Report, Versus
from graphmem.measure.evaluate.systems import BASELINES, Baselines, Once, Product, showing_all
from graphmem.scope import scope
from graphmem.settings import Settings, connection

if TYPE_CHECKING:
    from graphmem.memory import Memory

Say = Callable[[str], object]
Answers = Mapping[str, list[Judged]]


@dataclass(frozen=True, slots=True)
class Bench:
    """Where it is measured: the client's class, settings that lead to an empty database, the model, the seed."""

    client: type[Memory]
    settings: Settings
    model: Embedder
    seed: int


def evaluate(data: DataSet, bench: Bench, say: Say) -> Report:
    """Measure every system on one data set, in a tenant of its name; `say` is told of the progress."""
    from graphmem.store.driver import Database

    start, tenant, seed = time.perf_counter(), data.name, bench.seed
    embedder, shown = Once(bench.model), showing_all(bench.settings)
    database = Database(connection(bench.settings), bench.settings.neo4j.timeout)
    try:
        with bench.client(tenant, settings=shown, embedder=embedder) as memory:
            product = Product(memory)
            answers = replay(data, product, Baselines(embedder, database, scope(tenant).visible, seed), say)
            ours = answers[PRODUCT]
            measured = {name: values(data, judged) for name, judged in answers.items()}
            measured[FITTED] = values(data, fitted(ours, bench.settings.recall.weights, seed))
            systems = {name: estimates(found, seed) for name, found in measured.items()}
            curves = None
            if data.novelty:
                say("calibrating on one half, measuring on the other, 20 times")
                for name, judged in answers.items():
                    calibrator = by_parameters(judged) if name == PRODUCT else by_confidence(judged)
                    systems[name] |= abstention(judged, calibrator, seed)
                curves = {name: curve(judged) for name, judged in answers.items()}
            if data.paraphrases:
                systems[PRODUCT] |= _feedback(data, product, ours, seed, say)
            with ExitStack() as stack:
                clients = [bench.client(tenant, settings=heavy(shown, weight), embedder=embedder) for weight in HEAVY]
                others = [stack.enter_context(client) for client in clients]
                ids = [one.id for stage in data.stages for one in stage.known]
                texts = [one.ask.text for one in ours]
                systems[PRODUCT] |= tried_centrality(memory, others, database, scope(tenant), ids, texts, seed)
        with bench.client(tenant, settings=bench.settings, embedder=bench.model) as memory:
            asks = [one.ask for one in ours]
            systems[PRODUCT] |= ablation.latencies(memory, _spread(asks, ablation.TIMED + 5), seed)
    finally:
        database.close()
    return Report(
        name=data.name,
        known=sum(len(stage.known) for stage in data.stages),
        asked=len(ours),
        seconds=time.perf_counter() - start,
        systems=systems,
        versus=_versus(data, measured, seed),
        ablation=ablation.ablate(data, ours, bench.settings.recall.weights, seed),
        limits=ablation.limits(ours, seed),
        curves=curves,
    )


def replay(data: DataSet, product: Product, baselines: Baselines, say: Say) -> Answers:
    """Live through the stages of a data set: what is known is recorded, all systems are asked, outcomes are told."""
    judge = Judge(data)
    answers: dict[str, list[Judged]] = {name: [] for name in (PRODUCT, *BASELINES)}
    for number, stage in enumerate(data.stages, 1):
        say(f"stage {number} of {len(data.stages)}: {len(stage.known)} memories, {len(stage.asks)} questions")
        product.learn(stage.known)
        baselines.learn(stage.known)
        judge.learn(stage.known)
        if not stage.asks:
            continue
        bars = [judge.bar(ask) for ask in stage.asks]
        ranked = {PRODUCT: product.rank(stage.asks), **baselines.rank(stage.asks)}
        for name, column in ranked.items():
            answers[name] += [Judged(*one) for one in zip(stage.asks, bars, column, strict=True)]
        product.credit(stage.asks, ranked[PRODUCT])
        judge.credit(stage.asks)
    return answers


def _feedback(data: DataSet, product: Product, judged: Sequence[Judged], seed: int, say: Say) -> Mapping[str, Estimate]:
    done = 0

    def step() -> None:
        nonlocal done
        done += 1
        if done % 25 == 0:
            say(f"{done} false hits corrected, and asked again")

    return feedback.estimates(feedback.cases(data, product, judged, seed, step), seed)


def _versus(data: DataSet, measured: Mapping[str, Mapping[str, Sequence[float]]], seed: int) -> list[Versus]:
    found = []
    for metric in data.metrics:
        if measured[PRODUCT][metric]:
            best = max(BASELINES, key=lambda name: sum(measured[name][metric]))
            found.append(Versus(metric, best, difference(measured[PRODUCT][metric], measured[best][metric], seed)))
    return found


def _spread(asks: Sequence[Ask], count: int) -> list[Ask]:
    """So many questions, from all over."""
    return list(asks[:: max(1, len(asks) // count)][:count])
