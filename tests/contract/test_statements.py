"""Every statement of the catalogue, on the real server: it parses, is not deprecated, does what its header says."""

from __future__ import annotations

import re
from collections.abc import Iterator

import neo4j
import pytest

from graphmem.errors import ConfigurationError
from graphmem.settings import Connection
from graphmem.store.catalogue import Statement, names, parse, statement

QUERY_TYPES = {"read": {"r", "s"}, "write": {"rw", "w"}, "schema": {"s"}}
MEMORY = re.compile(r":(Memory|Episode|Reflection|Skill|Recall)\b")
SCOPED = {"scope", "scopes", "rows", "receipt"}


@pytest.fixture(scope="module")
def driver(at: Connection) -> Iterator[neo4j.Driver]:
    assert at.password is not None
    auth = (at.user, at.password.get_secret_value())
    with neo4j.GraphDatabase.driver(
        at.uri, auth=auth, notifications_disabled_classifications=["UNRECOGNIZED"]
    ) as opened:
        yield opened


@pytest.mark.parametrize("name", names())
def test_a_statement_is_what_its_header_says(name: str, driver: neo4j.Driver) -> None:
    found = statement(name)
    explained = "EXPLAIN " + found.text if "CYPHER 25" not in found.text else _explain(found)
    with driver.session() as session:
        summary = session.run(explained, dict.fromkeys(found.params)).consume()
    assert summary.query_type in QUERY_TYPES[found.mode]
    deprecated = [status for status in summary.gql_status_objects if status.gql_status.startswith("01N0")]
    assert not deprecated


@pytest.mark.parametrize("name", [name for name in names() if not name.startswith("schema/")])
def test_a_statement_that_touches_memories_takes_a_scope(name: str) -> None:
    found = statement(name)
    if MEMORY.search(found.text):
        assert found.params & SCOPED
        assert "scope" in found.text


GOOD = "// name: a/b\n// mode: read\n// params: x\n// returns: y\n//\n// Doc.\nMATCH (n {id: $x}) RETURN n.y AS y\n"


def test_a_header_that_agrees_is_taken() -> None:
    found = parse(GOOD, "a/b")
    assert (found.mode, found.params, found.returns) == ("read", {"x"}, ("y",))


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


def _explain(found: Statement) -> str:
    return found.text.replace("CYPHER 25", "CYPHER 25 EXPLAIN", 1)
