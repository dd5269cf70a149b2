"""How fast memories are written beside a raw load of the same nodes, and how long the verbs of one memory take."""

from __future__ import annotations

import statistics
import time
from collections.abc import Mapping
from typing import Any

from graphmem.bench import floor
from graphmem.bench.data import Data, TableEmbedder
from graphmem.bench.load import Loaded, Say
from graphmem.bench.recalls import request
from graphmem.bench.result import Result
from graphmem.bench.timing import median, ratio
from graphmem.scope import scope

CHUNK = 1_024  # memories of one turn
WARM = 20
RAW = 1_000  # nodes of one raw transaction


def loads(loaded: Loaded, turns: int, result: Result, say: Say) -> None:
    """`record_many` and a raw load of nodes with the same properties, taking turns on an empty server.

    No model and no redaction take part. The first turn of each is not counted.
    """
    data = Data(2 * CHUNK * (turns + 1), seed=loaded.data.size + 1)
    embedder = TableEmbedder(data, {})
    raw, ours = [], []
    with loaded.driver() as driver, loaded.client("load", settings=loaded.settings, embedder=embedder) as memory:
        memory.init()
        for turn in range(turns + 1):
            say(f"load, turn {turn} of {turns}")
            first = 2 * turn * CHUNK
            items = [data.item(place) for place in range(first, first + CHUNK)]
            items = [replaced(item) for item in items]
            start = time.perf_counter()
            memory.record_many(items)
            ours.append(time.perf_counter() - start)
            kept = driver.execute_query(
                "MATCH (m:Memory) WHERE m.scope = $scope AND m.id IN $ids RETURN properties(m) AS p",
                scope=scope("load").own,
                ids=[item.id for item in items],
            )
            rows = [_row(dict(record["p"]), data, first + CHUNK + place) for place, record in enumerate(kept.records)]
            start = time.perf_counter()
            for begin in range(0, len(rows), RAW):
                floor.load(driver, rows[begin : begin + RAW])
            raw.append(time.perf_counter() - start)
    result.ratios["load"] = ratio(raw[1:], ours[1:])
    result.figures["record_many memories per s"] = CHUNK / statistics.median(ours[1:])
    result.figures["raw load nodes per s"] = CHUNK / statistics.median(raw[1:])


def replaced(item: Any) -> Any:
    """The memory without sources: a node, and nothing beside it."""
    return item.model_copy(update={"sources": ()}) if getattr(item, "sources", ()) else item


def verbs(loaded: Loaded, rounds: int, result: Result, say: Say) -> None:
    """`record` of one memory and `feedback` on a recall, beside a raw search."""
    say("record, feedback")
    taken: dict[str, list[float]] = {"floor": [], "record": [], "feedback": []}
    with loaded.driver() as driver, loaded.memory("small") as memory:
        asked = loaded.questions["small"]
        for number in range(WARM + rounds):
            question = asked[number % len(asked)]
            found = memory.recall_many([request(question)])[0]
            start = time.perf_counter()
            floor.search(driver, question, loaded.scope("small"))
            searched = time.perf_counter()
            memory.record({"task": question.text, "outcome": "success"})
            recorded = time.perf_counter()
            memory.feedback(found, outcome="success", used=[one.id for one in found.candidates[:1]])
            told = time.perf_counter()
            if number >= WARM:
                taken["floor"].append(searched - start)
                taken["record"].append(recorded - searched)
                taken["feedback"].append(told - recorded)
    for name in ("record", "feedback"):
        result.ratios[f"{name}_to_search"] = ratio(taken[name], taken["floor"])
        result.figures[f"{name} p50 ms"] = 1000 * median(taken[name]).value


def _row(properties: Mapping[str, Any], data: Data, place: int) -> dict[str, Any]:
    """Another memory's properties with an id, a text and a vector of its own."""
    own = {
        **properties,
        "id": f"raw{place}",
        "text": data.text(place),
        "task": data.text(place),
        "embedding": data.vectors[place].tolist(),
    }
    return {"scope": properties["scope"], "id": own["id"], "properties": own}
