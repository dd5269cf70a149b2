"""Settings of the vector index, measured: build time, search time and recall against exact search."""

from __future__ import annotations

import statistics
import time
from functools import partial

import neo4j

from graphmem.bench.data import Question
from graphmem.bench.load import Loaded, Say
from graphmem.bench.result import Result
from graphmem.bench.timing import interleaved, ratio
from graphmem.measure.bootstrap import mean_interval

SETTINGS: dict[str, dict[str, object]] = {
    "as it is": {},
    "scalar": {"vector.quantization.type": "SCALAR"},
    "exact vectors": {"vector.quantization.type": "NONE"},
    "m 32": {"vector.hnsw.m": 32},
    "ef 400": {"vector.hnsw.ef_construction": 400},
}
"""What is tried beside the index that graphmem makes, by name: the options that differ."""

LIMITS = (10, 60)  # what is asked for at least, and what a recall asks for
EXACT = 10
LABEL = """
CYPHER 25
MATCH (m:Memory) WHERE m.id IS NOT NULL
CALL (m) { SET m:$($label) } IN TRANSACTIONS OF 1000 ROWS
"""
UNLABEL = """
CYPHER 25
MATCH (m:$($label))
CALL (m) { REMOVE m:$($label) } IN TRANSACTIONS OF 1000 ROWS
"""
INDEX = """
CYPHER 25
CREATE VECTOR INDEX {label} FOR (m:{label}) ON m.embedding WITH [m.scope, m.recallable] OPTIONS {{indexConfig: $config}}
"""
SEARCH = """
CYPHER 25
MATCH (m:{label})
  SEARCH m IN (
    VECTOR INDEX {label} FOR $vector WHERE m.scope IN $scopes AND m.recallable = true LIMIT $limit
  ) SCORE AS score
RETURN m.id AS id, score
"""


def indexes(loaded: Loaded, rounds: int, result: Result, say: Say) -> None:
    """Build an index with each of the settings over all memories, and search the big tenant by each in turn."""
    labels = {name: f"Tried{number}" for number, name in enumerate(SETTINGS)}
    with loaded.driver() as driver:
        try:
            for name, label in labels.items():
                say(f"{loaded.data.size}: an index, {name}")
                result.figures[f"index, {name}: build s"] = _built(driver, label, SETTINGS[name], loaded)
            _searched(driver, labels, loaded, rounds, result)
        finally:
            for label in labels.values():
                driver.execute_query(f"DROP INDEX {label} IF EXISTS")
                _alone(driver, UNLABEL, label)


def _built(driver: neo4j.Driver, label: str, options: dict[str, object], loaded: Loaded) -> float:
    _alone(driver, LABEL, label)
    given = {"vector.dimensions": loaded.embedder.dimensions, "vector.similarity_function": "cosine", **options}
    start = time.perf_counter()
    driver.execute_query(INDEX.format(label=label), config=given)
    driver.execute_query("CALL db.awaitIndexes(3600)")
    return time.perf_counter() - start


def _searched(driver: neo4j.Driver, labels: dict[str, str], loaded: Loaded, rounds: int, result: Result) -> None:
    scope, asked = loaded.scope("big"), loaded.questions["big"]
    exact = [set(loaded.data.exact("big", question, None, EXACT)) for question in asked]
    for limit in LIMITS:
        taken = interleaved(
            {name: partial(_turn, driver, label, asked, scope, limit) for name, label in labels.items()},
            rounds,
            rounds // 2,
        )
        for name, label in labels.items():
            found = [_search(driver, label, question, scope, limit)[:EXACT] for question in asked]
            shares = [len(best & set(ids)) / len(best) for best, ids in zip(exact, found, strict=True)]
            result.ratios[f"index, {name}: recall of {limit}"] = mean_interval(shares)
            result.ratios[f"index, {name}: time of {limit}"] = ratio(taken[name], taken["as it is"])
        result.figures[f"index, as it is: {limit} p50 ms"] = 1000 * statistics.median(taken["as it is"])


def _turn(
    driver: neo4j.Driver, label: str, asked: list[Question], scope: str, limit: int, number: int
) -> None:  # fmt: skip
    _search(driver, label, asked[number % len(asked)], scope, limit)


def _search(driver: neo4j.Driver, label: str, question: Question, scope: str, limit: int) -> list[str]:
    with driver.session(database="neo4j", default_access_mode=neo4j.READ_ACCESS) as session:
        found = session.run(SEARCH.format(label=label), vector=question.vector, scopes=[scope], limit=limit)
        return [record["id"] for record in found]


def _alone(driver: neo4j.Driver, text: str, label: str) -> None:
    with driver.session(database="neo4j") as session:
        session.run(text, label=label).consume()
