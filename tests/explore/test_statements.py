"""Every saved statement, by the driver: what it says of a graph that is known, and that it says nothing of others'."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import neo4j
import pytest

from graphmem import Memory
from graphmem.explore import command, statements
from graphmem.scope import Scope
from graphmem.settings import Connection
from tests.explore.conftest import Lived
from tests.memories import won

Cypher = Callable[..., list[dict[str, Any]]]
Ask = Callable[..., list[dict[str, Any]]]
EDGES = {
    ("fixed", "DERIVES", "seal"),
    ("again", "DERIVES", "seal"),
    ("seal", "GENERALIZES", "new"),
    ("seal", "GENERALIZES", "old"),
    ("broke", "DERIVES", "hammer"),
    ("half", "DERIVES", "dry"),
    ("half", "DERIVES", "wet"),
    ("fixed", "CORRECTS", "broke"),
    ("fixed", "CORRECTS", "again"),
    ("dry", "RELATES", "wet"),
}


def given(scope: Scope) -> dict[str, Any]:
    """The parameters that Browser is told to set."""
    read: dict[str, Any] = json.loads(command(scope).removeprefix(":params "))
    return read


@pytest.fixture
def driver(lived: Lived, at: Connection) -> Iterator[neo4j.Driver]:
    """For what the server says beside the rows."""
    assert at.password is not None
    auth = (at.user, at.password.get_secret_value())
    with neo4j.GraphDatabase.driver(at.uri, auth=auth) as opened:
        yield opened


@pytest.fixture
def ask(lived: Lived, cypher: Cypher) -> Ask:
    """Run a saved statement with the parameters of the scope that was lived in."""
    texts = {one.name: one.text for one in statements()}
    return lambda name, **more: cypher(texts[name], **given(lived.scope) | more)


def triple(edge: tuple[dict[str, Any], str, dict[str, Any]]) -> tuple[str, str, str]:
    start, kind, end = edge
    return start["id"], kind, end["id"]


def told(rows: list[dict[str, Any]], column: str) -> set[tuple[str, str, str]]:
    return {triple(row[column]) for row in rows if row[column] is not None}


def test_why_a_memory_was_recalled_is_its_receipt_with_every_component(ask: Ask, lived: Lived) -> None:
    rows = ask("why_recalled", recall=lived.answered)
    assert told(rows, "edge") >= {(lived.answered, "RETURNED", id_) for id_ in ("fixed", "again")}
    assert {row["recall"]["id"] for row in rows} == {lived.answered}
    table = ask("why_recalled_table", recall=lived.answered)
    assert [row["rank"] for row in table] == list(range(1, len(table) + 1))
    first = next(row for row in table if row["memory"] == "fixed")
    assert (first["hit"], first["used"], first["misled"], first["decision"]) == (True, True, False, "use")
    assert first["semantic"] == pytest.approx(0.9, abs=1e-5)
    assert first["relevance"] == pytest.approx(first["semantic"])
    assert all(first[name] is not None for name in ("score", "outcome", "recency", "specificity", "centrality"))


def test_what_misled_stands_beside_what_was_returned(ask: Ask, lived: Lived) -> None:
    assert (lived.misled, "MISLED", "again") in told(ask("why_recalled", recall=lived.misled), "edge")
    marks = {row["memory"]: row["misled"] for row in ask("why_recalled_table", recall=lived.misled)}
    assert [id_ for id_, misled in marks.items() if misled] == ["again"]
    assert len(marks) > 1


def test_without_an_id_the_latest_answered_recall_and_the_newest_skill_are_told(ask: Ask) -> None:
    assert [row["memory"]["id"] for row in ask("why_recalled")] == ["old"]
    assert told(ask("life_of_a_memory"), "edge") == {
        ("fixed", "DERIVES", "seal"),
        ("again", "DERIVES", "seal"),
        ("seal", "GENERALIZES", "new"),
    }


@pytest.mark.parametrize("name", ["why_recalled", "why_recalled_table"])
def test_what_was_not_answered_is_told_by_its_id_alone_and_a_context_never(
    name: str, memory: Memory, cypher: Cypher
) -> None:
    text = next(one.text for one in statements() if one.name == name)

    def told_of(id_: str) -> list[dict[str, Any]]:
        return cypher(text, **given(memory.scope) | {"recall": id_})

    memory.record_many([won("a"), won("b", "pump")])
    memory.correct(wrong="a", right="b", reason="it leaks", context="a pump")
    (context,) = cypher("MATCH (r:Recall {scope: $s}) RETURN r.id AS id", s=memory.scope.own)
    assert told_of("") == told_of(context["id"]) == []
    novel = memory.recall("quite another thing", receipt=True, kind="skill")
    assert (novel.decision.value, novel.candidates) == ("novel", ())
    assert told_of("") == []
    assert [row["memory"] for row in told_of(novel.id)] == ([None] if name == "why_recalled" else [])


@pytest.mark.parametrize("name", ["why_recalled", "why_recalled_table"])
def test_the_receipt_is_sought_by_its_id_or_among_the_newest(name: str, lived: Lived, driver: neo4j.Driver) -> None:
    """So that the work is bounded, however many receipts a scope has."""
    found = next(one.text for one in statements() if one.name == name)
    text = found.replace("\nCYPHER 25\n", "\nCYPHER 25 PROFILE\n")

    def rows(id_: str) -> dict[str, int]:
        profile = driver.execute_query(text, given(lived.scope) | {"recall": id_}).summary.profile
        return {one["operatorType"].partition("@")[0]: one["rows"] for one in seeks(profile)}

    # Of five: the latest is a context, then comes what is told; the next that was answered is not as new.
    assert rows("") == {"NodeUniqueIndexSeek": 0, "NodeIndexSeek": 4}
    assert rows(lived.answered) == {"NodeUniqueIndexSeek": 1, "NodeIndexSeek": 0}


def seeks(plan: Any) -> Iterator[Any]:
    """The operators that seek in an index."""
    if "Seek" in plan["operatorType"]:
        yield plan
    for child in plan.get("children", ()):
        yield from seeks(child)


def test_the_life_of_a_memory_goes_from_its_sources_to_its_uses(ask: Ask, lived: Lived) -> None:
    edges = told(ask("life_of_a_memory", id="fixed"), "edge")
    assert edges == {
        ("fixed", "DERIVES", "seal"),
        ("seal", "GENERALIZES", "old"),
        ("seal", "GENERALIZES", "new"),
        ("fixed", "CORRECTS", "broke"),
        ("fixed", "CORRECTS", "again"),
        (lived.answered, "RETURNED", "fixed"),
    }
    (alone,) = ask("life_of_a_memory", id="open")
    assert (alone["source"]["id"], alone["edge"]) == ("open", None)


def test_a_revoked_correction_and_a_context_are_no_part_of_a_life(memory: Memory, cypher: Cypher) -> None:
    text = next(one.text for one in statements() if one.name == "life_of_a_memory")
    memory.record_many([won("a"), won("b", "pump")])
    memory.correct(wrong="a", right="b", reason="it leaks")
    memory.correct(wrong="b", right="a", reason="no, the other way round")
    memory.correct(wrong="b", right="a", reason="here too", context="a pump")
    for id_ in ("a", "b"):
        rows = cypher(text, **given(memory.scope) | {"id": id_})
        assert told(rows, "edge") == {("a", "CORRECTS", "b")}


def test_what_corrected_what(ask: Ask) -> None:
    rows = ask("corrections")
    assert told(rows, "correction") == {("fixed", "CORRECTS", "broke"), ("fixed", "CORRECTS", "again")}
    assert {(row["right"]["id"], row["wrong"]["id"]) for row in rows} == {("fixed", "broke"), ("fixed", "again")}


def test_false_hits_by_domain(ask: Ask) -> None:
    plant, none = ask("false_hits_by_domain")
    assert plant == {
        "domain": "plant", "asked": 2, "answered": 2, "misled": 1, "share": 0.5, "corrected": 0, "most_blamed": "again",
        "last_reason": "it leaks",
    }  # fmt: skip
    assert (none["domain"], none["asked"], none["answered"], none["misled"]) == ("(none)", 2, 1, 0)
    assert (none["corrected"], none["most_blamed"]) == (1, "again")


def test_hubs_come_in_the_order_of_their_centrality_and_each_link_once(ask: Ask) -> None:
    rows = ask("hubs")
    edges = [triple(row["edge"]) for row in rows if row["edge"] is not None]
    assert sorted(edges) == sorted(edge for edge in EDGES if "new" not in edge)  # a candidate is not recallable
    hubs = [row["hub"] for row in rows]
    scores = [hub["centrality"] for hub in hubs]
    assert scores == sorted(scores, reverse=True)
    # Three links each: ties go by id.
    assert [*dict.fromkeys(hub["id"] for hub in hubs if hub["centrality"] == scores[0])] == ["fixed", "seal"]


def test_contradictions_that_wait_for_a_person(ask: Ask) -> None:
    (row,) = ask("contradictions")
    assert triple(row["contradiction"]) == ("dry", "RELATES", "wet")
    assert (row["one"]["id"], row["other"]["id"]) == ("dry", "wet")


def test_stale_skills_say_when_they_last_worked(ask: Ask) -> None:
    rows = {row["id"]: row for row in ask("stale_skills")}
    assert set(rows) == {"old", "new"}
    assert (rows["old"]["status"], rows["old"]["successes"], rows["old"]["approved_by"]) == ("active", 1, "ada")
    assert rows["old"]["last_success"] is not None
    assert (rows["new"]["status"], rows["new"]["last_success"], rows["new"]["version"]) == ("candidate", None, 2)


def test_novelty_by_week(ask: Ask) -> None:
    rows = ask("novelty_by_week")  # two, where the tests run through the night to Monday
    assert [sum(row[name] for row in rows) for name in ("asked", "novel", "solved")] == [4, 1, 1]
    assert all(row["share"] == pytest.approx(row["novel"] / row["asked"], abs=1e-3) for row in rows)


def test_the_overview_counts_what_the_scope_keeps(ask: Ask) -> None:
    counts = {(row["what"], row["status"], row["outcome"]): row["number"] for row in ask("scope_overview")}
    assert counts == {
        ("episode", "active", "success"): 2,
        ("episode", "active", "mixed"): 1,
        ("episode", "active", "fail"): 1,
        ("episode", "audit", "unknown"): 1,
        ("reflection", "active", ""): 4,
        ("skill", "active", ""): 1,
        ("skill", "candidate", ""): 1,
        ("recall", "use", "success"): 2,
        ("recall", "use", "fail"): 1,
        ("recall", "novel", "success"): 1,
        ("recall", "corrected", "fail"): 1,
        ("rule", "in force", ""): 1,
        ("job centrality", "done", ""): 1,
    }


@pytest.mark.parametrize("name", [one.name for one in statements()])
def test_a_statement_shows_nothing_of_another_scope(name: str, cypher: Cypher, lived: Lived) -> None:
    """A user who keeps nothing sees what the tenant shares; a tenant that keeps nothing sees nothing."""
    text = next(one.text for one in statements() if one.name == name)
    assert cypher(text, **given(Scope("explored-by-nobody"))) == []
    shared = json.dumps(cypher(text, **given(Scope("explored", "nobody"))), default=str)
    assert "strange" not in shared
    assert "strange" not in json.dumps(cypher(text, **given(lived.scope)), default=str)


@pytest.mark.parametrize(("name", "key"), [("contradictions", "resolved_at"), ("scope_overview", "active")])
def test_a_property_that_nothing_has_yet_is_not_remarked(
    name: str, key: str, lived: Lived, driver: neo4j.Driver
) -> None:
    found = next(one.text for one in statements() if one.name == name)
    text = found.replace(f".{key}", ".never_written")
    assert text != found
    remarks = driver.execute_query(text, given(lived.scope)).summary.gql_status_objects
    assert not [one.status_description for one in remarks if "never_written" in one.status_description]


def test_a_user_sees_the_own_memories_beside_the_shared_ones(cypher: Cypher, lived: Lived) -> None:
    text = next(one.text for one in statements() if one.name == "life_of_a_memory")
    assert cypher(text, **given(lived.scope) | {"id": "strange"}) == []
    (row,) = cypher(text, **given(Scope("explored", "stranger")) | {"id": "strange"})
    assert row["source"]["id"] == "strange"
