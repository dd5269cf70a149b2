"""How long a recall takes beside the raw search of the vector index, and how good what it finds is."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, TypeAlias

from graphmem.bench import floor
from graphmem.bench.data import TASK_TYPE, Question
from graphmem.bench.load import WHICH, Loaded, Say
from graphmem.bench.result import Result
from graphmem.bench.timing import Action, interleaved, median, percentile, ratio
from graphmem.measure.bootstrap import mean_interval
from graphmem.recall import Request

if TYPE_CHECKING:
    from neo4j import Driver

    from graphmem.memory import Memory

K = 10
Search: TypeAlias = "Callable[[Driver, Question, str], object]"
BATCH = 32  # questions of one recall_many


def request(question: Question) -> Request:
    """A question as it is asked in use: with filters inside the index, and with facts that conditions are held to."""
    return Request(text=question.text, domain=question.domain, task_type=TASK_TYPE, context={"os": "linux"})


def plain(question: Question) -> Request:
    """A question without filters."""
    return Request(text=question.text)


def recalls(servers: Sequence[Loaded], rounds: int, warm: int, result: Result, say: Say) -> None:
    """Raw searches and recalls of all sizes and both tenants, taking turns."""
    with ExitStack() as stack:
        actions: dict[str, Action] = {}
        for loaded in servers:
            driver = stack.enter_context(loaded.driver())
            for which in WHICH:
                memory = stack.enter_context(loaded.memory(which))
                asked, scope, at = loaded.questions[which], loaded.scope(which), f"{which} {loaded.data.size}"
                actions[f"floor {at}"] = partial(_search, floor.search, driver, asked, scope)
                actions[f"floor alike {at}"] = partial(_search, floor.alike, driver, asked, scope)
                actions[f"recall {at}"] = partial(_recall, memory, [request(one) for one in asked])
                actions[f"unfiltered {at}"] = partial(_recall, memory, [plain(one) for one in asked])
        say(f"{len(actions)} searches and recalls, {warm} + {rounds} rounds")
        often = max(1, (warm + rounds) // 10)
        taken = interleaved(actions, rounds, warm, lambda done: say(f"round {done}") if done % often == 0 else None)
    for name, column in taken.items():
        result.figures[f"{name} p50 ms"] = 1000 * statistics.median(column)
        result.figures[f"{name} p95 ms"] = 1000 * percentile(column, 0.95)
    sizes = [loaded.data.size for loaded in servers]
    for which in WHICH:
        for size in sizes:
            at = f"{which} {size}"
            name = f"recall_{which}" if size == sizes[-1] else f"recall_{which}_{size}"
            result.ratios[name] = ratio(taken[f"recall {at}"], taken[f"floor {at}"])
            result.ratios[f"{name}_alike"] = ratio(taken[f"recall {at}"], taken[f"floor alike {at}"])
            result.ratios[f"{name}_unfiltered"] = ratio(taken[f"unfiltered {at}"], taken[f"floor {at}"])
    for before, after in pairwise(sizes):
        name = "growth" if after == sizes[-1] else f"growth_{after}"
        result.ratios[name] = ratio(taken[f"recall small {after}"], taken[f"recall small {before}"])


def quality(loaded: Loaded, result: Result) -> None:
    """The share of the exact 10 nearest that the index part finds; and whether anything foreign is among them."""
    shares = []
    settings = loaded.settings
    every = settings.recall.model_copy(update={"shown": 1000})  # the ranking goes by more than nearness
    for which in WHICH:
        with loaded.memory(which, settings=settings.model_copy(update={"recall": every})) as memory:
            for question in loaded.questions[which]:
                found = memory.recall_many([Request(text=question.text, domain=question.domain, limit=K)])[0]
                near = sorted(found.candidates, key=lambda one: -one.components.semantic)
                exact = loaded.data.exact(which, question, question.domain, K)
                shares.append(len({one.id for one in near[:K]} & set(exact)) / len(exact))
    result.ratios["index_recall"] = mean_interval(shares)


def overhead(loaded: Loaded, rounds: int, result: Result) -> None:
    """Milliseconds of a recall in which the client computes: processor time of its thread, the driver's included."""
    with loaded.memory("small") as memory:
        asked = [request(one) for one in loaded.questions["small"]]
        spent = []
        for number in range(2 * rounds):
            start = time.thread_time()
            memory.recall_many([asked[number % len(asked)]])
            spent.append(1000 * (time.thread_time() - start))
    result.ratios["overhead_ms"] = median(spent[rounds:])


def batches(loaded: Loaded, rounds: int, result: Result, say: Say) -> None:
    """A question of a `recall_many` beside one that is asked alone."""
    with loaded.memory("small") as memory:
        asked = [request(one) for one in loaded.questions["small"]]
        say(f"recall_many of {BATCH}")
        taken = interleaved(
            {"one": partial(_recall, memory, asked), "many": partial(_many, memory, asked)}, rounds, rounds // 2
        )
    result.ratios["recall_many_per_question"] = ratio([one / BATCH for one in taken["many"]], taken["one"])


def _search(search: Search, driver: Driver, asked: Sequence[Question], scope: str, number: int) -> None:
    search(driver, asked[number % len(asked)], scope)


def _recall(memory: Memory, asked: Sequence[Request], number: int) -> None:
    memory.recall_many([asked[number % len(asked)]])


def _many(memory: Memory, asked: Sequence[Request], number: int) -> None:
    start = number * BATCH % len(asked)
    memory.recall_many([*asked[start:], *asked[:start]][:BATCH])
