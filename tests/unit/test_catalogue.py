"""How the catalogue reads a statement: its parameters, what it returns, what it does."""

from __future__ import annotations

import pytest

from graphmem.errors import ConfigurationError
from graphmem.store.catalogue import names, parse, statement


def source(body: str, mode: str = "read", params: str = "", returns: str = "") -> str:
    return f"// name: a/b\n// mode: {mode}\n// params: {params}\n// returns: {returns}\n//\n// What it does.\n{body}\n"


RETURNS = [
    ("RETURN 1 AS one", "one"),
    ("RETURN DISTINCT n.x AS x, n.y AS y ORDER BY x SKIP 1 LIMIT 2", "x, y"),
    ("MATCH (n) RETURN n, n.y", "n, y"),
    ("RETURN f(a, b) AS c, {d: 1, e: [2, 3]} AS g", "c, g"),
    ("CALL (n) { RETURN 1 AS inner } RETURN inner AS outer", "outer"),
    ("CALL (n) { CALL (n) { RETURN 1 AS deep } RETURN deep AS inner LIMIT 3 } RETURN inner", "inner"),
    ("RETURN COUNT { MATCH (n) RETURN n } AS n, head(COLLECT { RETURN 1 AS x ORDER BY x }) AS first", "n, first"),
    ("RETURN 'RETURN 1 AS no, ' AS text, \"RETURN\" AS other // RETURN x AS y", "text, other"),
    ("RETURN `RETURN` AS odd /* RETURN 2 AS two */", "odd"),
    ("CALL db.awaitIndexes(3)", ""),
]


@pytest.mark.parametrize(("body", "returns"), RETURNS)
def test_what_is_returned_is_what_the_last_return_names(body: str, returns: str) -> None:
    assert ", ".join(parse(source(body, returns=returns), "a/b").returns) == returns


MODES = [
    ("MATCH (n) RETURN n.created AS x, n.set AS y", "read", "x, y"),
    ("SHOW INDEXES YIELD name RETURN name AS name", "read", "name"),
    ("MATCH (n) SET n.x = 1", "write", ""),
    ("MATCH (n) DETACH DELETE n", "write", ""),
    ("MERGE (n:X {id: 1})", "write", ""),
    ("MATCH (n) REMOVE n.x", "write", ""),
    ("CREATE (n:INDEX)", "write", ""),
    ("CREATE VECTOR INDEX i IF NOT EXISTS FOR (n:X) ON n.v", "schema", ""),
    ("CREATE CONSTRAINT c FOR (n:X) REQUIRE n.id IS UNIQUE", "schema", ""),
    ("DROP INDEX i", "schema", ""),
    ("MATCH (n) CALL (n) { SET n.x = 1 } IN TRANSACTIONS OF 10 ROWS", "batch", ""),
    ("MATCH (n) CALL (n) { SET n.x = 1 } IN 4 CONCURRENT TRANSACTIONS", "batch", ""),
]


@pytest.mark.parametrize(("body", "mode", "returns"), MODES)
def test_the_mode_is_what_the_body_does(body: str, mode: str, returns: str) -> None:
    assert parse(source(body, mode, returns=returns), "a/b").mode == mode
    for other in {"read", "write", "schema", "batch", "", "rw"} - {mode}:
        with pytest.raises(ConfigurationError, match="statement a/b: header mode says"):
            parse(source(body, other, returns=returns), "a/b")


def test_parameters_inside_texts_and_comments_do_not_count() -> None:
    body = "MATCH (n {id: $id}) WHERE n.x = '$no' AND n.y = \"$no\" AND n.`$no` = $x.y // $no\nRETURN n /* $no */"
    assert parse(source(body, params="id, x", returns="n"), "a/b").params == {"id", "x"}


@pytest.mark.parametrize(
    ("key", "change"),
    [
        ("params", ("// params: id", "// params: id, unused")),
        ("params", ("// params: id", "// params:")),
        ("params", ("// params: id\n", "")),
        ("returns", ("// returns: x", "// returns: y")),
        ("returns", ("// returns: x", "// returns: x, y")),
        ("mode", ("// mode: read\n", "")),
        ("name", ("// name: a/b", "// name: a/c")),
        ("name", ("// name: a/b\n", "")),
    ],
)
def test_the_first_disagreement_is_named(key: str, change: tuple[str, str]) -> None:
    good = source("MATCH (n {id: $id}) RETURN n.x AS x", params="id", returns="x")
    assert parse(good, "a/b").name == "a/b"
    with pytest.raises(ConfigurationError, match=f"statement a/b: header {key} says"):
        parse(good.replace(*change), "a/b")


def test_the_checksum_follows_every_character() -> None:
    one, other = source("RETURN 1 AS x", returns="x"), source("RETURN 2 AS x", returns="x")
    assert parse(one, "a/b").checksum == parse(one, "a/b").checksum != parse(other, "a/b").checksum


def test_a_statement_that_is_not_there_is_told() -> None:
    with pytest.raises(ConfigurationError, match="statement recall/nope is not in"):
        statement("recall/nope")


def test_every_file_is_a_statement() -> None:
    assert len(names()) >= 25
    assert names("recall") == [name for name in names() if name.startswith("recall/")]
    assert all(statement(name).name == name for name in names())
