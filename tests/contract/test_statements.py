"""Every statement of the catalogue, on the real server: it parses, is not deprecated, does what its header says."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import neo4j
import pytest

from graphmem import Memory, Settings
from graphmem.errors import ConfigurationError
from graphmem.settings import Connection
from graphmem.store.catalogue import Statement, names, parse, statement
from tests.embedders import HashEmbedder

QUERY_TYPES = {"read": {"r"}, "write": {"rw", "w"}, "batch": {"rw", "w"}, "schema": {"s"}}
# The server counts the look at its own version among its administration.
EXCEPTIONS = {"schema/server": {"s"}}
MEMORY = re.compile(r":(Memory|Episode|Reflection|Skill|Recall)\b|'memory_\w+'")
# One parameter that is a scope, or a row that carries its own.
SCOPED = re.compile(r"\$scopes?\b|\b(?:row|\$receipt)\.scope\b")


@pytest.fixture(scope="module")
def driver(at: Connection, settings: Settings) -> Iterator[neo4j.Driver]:
    with Memory("contract", settings=settings, embedder=HashEmbedder(name="bge-small-en-v1.5")) as memory:
        memory.init()
    assert at.password is not None
    auth = (at.user, at.password.get_secret_value())
    # What no memory has yet is unrecognised; that is all that may be remarked.
    with neo4j.GraphDatabase.driver(
        at.uri, auth=auth, notifications_disabled_classifications=["UNRECOGNIZED"]
    ) as opened:
        yield opened


def _explain(found: Statement) -> str:
    before, mark, body = found.text.partition("\nCYPHER 25\n")
    assert mark, "the version of the language is named"
    return f"{before}\nCYPHER 25 EXPLAIN\n{body}"


@pytest.mark.parametrize("name", names())
def test_a_statement_is_what_its_header_says(name: str, driver: neo4j.Driver) -> None:
    found = statement(name)
    with driver.session() as session:
        result = session.run(_explain(found), dict.fromkeys(found.params))
        columns = result.keys()
        summary = result.consume()
    assert summary.query_type in EXCEPTIONS.get(name, QUERY_TYPES[found.mode])
    assert tuple(columns) == found.returns
    remarks = [status for status in summary.gql_status_objects if status.gql_status[:2] not in ("00", "02")]
    assert [status.status_description for status in remarks] == []


@pytest.mark.parametrize("name", [name for name in names() if not name.startswith("schema/")])
def test_a_statement_that_touches_memories_takes_a_scope(name: str) -> None:
    found = statement(name)
    body = found.text.partition("\nCYPHER 25\n")[2]
    if MEMORY.search(body):
        assert SCOPED.search(body)


def _operators(plan: dict[str, Any]) -> set[str]:
    return {plan["operatorType"].partition("@")[0]}.union(*map(_operators, plan.get("children", ())))


def _planned(text: str, params: set[str] | frozenset[str], driver: neo4j.Driver) -> set[str]:
    with driver.session() as session:
        plan = session.run(text, dict.fromkeys(params)).consume().plan
    assert plan is not None
    return _operators(plan)


@pytest.mark.parametrize("name", [name for name in names() if not name.startswith("schema/")])
def test_a_statement_seeks_in_an_index_and_scans_no_label(name: str, driver: neo4j.Driver) -> None:
    """Whoever scans a label walks over the memories of every tenant."""
    found = statement(name)
    scans = ("LabelScan", "LabelsScan", "AllNodesScan")
    operators = _planned(_explain(found), found.params, driver)
    assert [operator for operator in operators if operator.endswith(scans)] == []


def _walks_every_path(operators: set[str]) -> list[str]:
    walks = ("VarLengthExpand", "Repeat", "BidirectionalRepeat", "StatefulShortestPath")
    return [operator for operator in operators if operator.startswith(walks) and "Pruning,BFS" not in operator]


@pytest.mark.parametrize("name", names())
def test_a_statement_walks_to_each_node_once(name: str, driver: neo4j.Driver) -> None:
    """Whoever walks every path is lost in memories that correct each other many times over."""
    found = statement(name)
    assert _walks_every_path(_planned(_explain(found), found.params, driver)) == []


def test_a_plan_that_walks_every_path_is_told_from_one_that_prunes(driver: neo4j.Driver) -> None:
    start = "CYPHER 25 EXPLAIN MATCH (m:Memory {scope: 'a', id: 'a'}) WITH m LIMIT 1 MATCH "
    walks = {
        "(m)(()-[d:CORRECTS]->(b) WHERE d.scope = 'a'){0,20}(x) RETURN DISTINCT x": False,
        "(m)(()-[d:CORRECTS]->(b) WHERE d.scope = 'a'){0,20}(x) RETURN x": True,
        "ANY (m)(()-[d:CORRECTS]->(b) WHERE d.scope = 'a'){0,20}(x) RETURN DISTINCT x": True,
        "path = (m)-[:CORRECTS*0..20]->(x) RETURN path": True,
    }
    assert {walk: bool(_walks_every_path(_planned(start + walk, set(), driver))) for walk in walks} == walks


def test_a_plan_that_scans_is_told_from_one_that_seeks(driver: neo4j.Driver) -> None:
    where = {
        "m.id = $id": True,
        "m.scope = $id": True,
        "m.scope = $id AND m.id IS NOT NULL": False,
        "m.scope IN [$id]": True,
        "m.tenant = $id": True,
        "m.tenant = $id AND m.scope IS NOT NULL": False,
    }
    with driver.session() as session:
        for condition, scans in where.items():
            result = session.run(f"CYPHER 25 EXPLAIN MATCH (m:Memory) WHERE {condition} RETURN m", id=None)
            plan = result.consume().plan
            assert plan is not None
            assert ("NodeByLabelScan" in _operators(plan)) == scans, condition


GOOD = "// name: a/b\n// mode: read\n// params: x\n// returns: y\n//\n// Doc.\nMATCH (n {id: $x}) RETURN n.y AS y\n"


def test_a_header_that_agrees_is_taken() -> None:
    found = parse(GOOD, "a/b")
    assert found.mode == "read"
    assert found.params == {"x"}
    assert found.returns == ("y",)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("a/b", "a/c", "name"),
        ("params: x", "params:", "params"),
        ("params: x", "params: x, z", "params"),
        ("returns: y", "returns: z", "returns"),
        ("mode: read", "mode: write", "mode"),
        ("RETURN n.y", "SET n.z = 1 RETURN n.y", "mode"),
    ],
)
def test_a_header_that_disagrees_with_its_body_is_refused(old: str, new: str, said: str) -> None:
    with pytest.raises(ConfigurationError, match=f"header {said} says"):
        parse(GOOD.replace(old, new), "a/b")


def test_parameters_in_texts_and_nested_returns_do_not_count() -> None:
    source = GOOD.replace(
        "RETURN n.y AS y", "CALL (n) { RETURN '$nope' AS z ORDER BY z LIMIT 1 } RETURN n.y AS y // $no"
    )
    assert parse(source, "a/b").params == {"x"}
