"""The floor: the least that the bare driver can do on the same server for the same data."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import neo4j

from graphmem.bench.data import TASK_TYPE, Question

SEARCH = """
CYPHER 25
MATCH (m:Memory)
  SEARCH m IN (
    VECTOR INDEX memory_vector FOR $vector WHERE m.scope IN $scopes AND m.recallable = true LIMIT 80
  ) SCORE AS score
RETURN m.id AS id, score
"""
ALIKE = """
CYPHER 25
MATCH (m:Memory)
  SEARCH m IN (
    VECTOR INDEX memory_vector FOR $vector
    WHERE m.scope IN $scopes AND m.recallable = true AND m.domain = $domain AND m.task_type = $task_type LIMIT 80
  ) SCORE AS score
RETURN m.id AS id, score
"""
LOAD = """
CYPHER 25
UNWIND $rows AS row
CREATE (m:Memory {scope: row.scope, id: row.id})
SET m += row.properties
"""


def search(driver: neo4j.Driver, question: Question, scope: str) -> list[str]:
    """The ids of the 80 nearest memories of a scope: one filtered search of the vector index, one round trip."""
    return _searched(driver, SEARCH, vector=question.vector, scopes=[scope])


def alike(driver: neo4j.Driver, question: Question, scope: str) -> list[str]:
    """The same with the question's filters too: by domain and task type, as a recall is asked."""
    return _searched(driver, ALIKE, vector=question.vector, scopes=[scope], domain=question.domain, task_type=TASK_TYPE)


def _searched(driver: neo4j.Driver, text: str, **given: Any) -> list[str]:
    with driver.session(database="neo4j", default_access_mode=neo4j.READ_ACCESS) as session:
        return [record["id"] for record in session.run(text, **given)]


def load(driver: neo4j.Driver, rows: Sequence[dict[str, Any]]) -> None:
    """Create nodes with all their properties, in one transaction that asks nothing."""
    with driver.session(database="neo4j") as session:
        session.execute_write(lambda transaction: transaction.run(LOAD, rows=rows).consume())


async def searches(driver: neo4j.AsyncDriver, questions: Sequence[Question], scope: str, at_once: int) -> None:
    """All searches, so many at once, in one event loop."""
    left = iter(questions)

    async def worker() -> None:
        for question in left:
            async with driver.session(database="neo4j", default_access_mode=neo4j.READ_ACCESS) as session:
                found = await session.run(SEARCH, vector=question.vector, scopes=[scope])
                [record["id"] async for record in found]

    await asyncio.gather(*(worker() for _ in range(at_once)))
