"""Every part talks to the named database, and a server that is away, foreign or bare is told in one sentence."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import neo4j
import pytest

from graphmem import Decision, Episode, Memory, Settings
from graphmem.embed import Embedder
from graphmem.errors import AccessDenied, ConfigurationError, StoreUnavailable
from graphmem.jobs import centrality
from graphmem.server import checks
from graphmem.server.doctor import doctor
from graphmem.server.ports import Ports, choose
from graphmem.settings import Connection, load_settings
from graphmem.store.catalogue import names, statement

JOB = Episode(id="e1", task="Rotate the mailer's key", outcome="success")


def at_other(settings: Settings, at: Connection, **other: Any) -> Settings:
    """Settings that lead to the server of this run by its address, with something changed."""
    given = {"uri": at.uri, "user": at.user, "password": at.password, "timeout": 3, **other}
    return load_settings(cache=settings.cache, neo4j=given, outbox={"enabled": False})


@pytest.mark.parametrize("named", [None, "neo4j"])
def test_every_session_names_its_database(
    settings: Settings,
    at: Connection,
    connect: Callable[..., Memory],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    named: str | None,
) -> None:
    asked: list[str | None] = []
    session = neo4j.Driver.session  # every way to run anything goes through it, execute_query too

    def spy(driver: neo4j.Driver, **given: Any) -> neo4j.Session:
        asked.append(given["database"])
        return session(driver, **given)

    monkeypatch.setattr(neo4j.Driver, "session", spy)
    memory = connect(settings=at_other(settings, at, database=named))
    memory.record(JOB)
    memory.record(JOB.model_copy(update={"id": "e2", "tags": ("again",)}))
    answer = memory.recall("rotate the key")
    memory.feedback(answer, outcome="success", used=["e1"])
    memory.correct(wrong="e2", right="e1", reason="outdated")
    memory.link("e1", "e2")
    memory.update("e1", tags=["a"])
    memory.list()
    memory.reembed()
    memory.consolidate()
    memory.retention(apply=True)
    memory.check()
    memory.export(tmp_path / "all.jsonl")
    assert centrality(memory.settings, memory.scope).written > 0
    memory.erase(everything=True)
    memory.load(tmp_path / "all.jsonl")
    # Without a setting the first session of each of the two asks the server for the account's home database.
    assert asked.count(None) == (2 if named is None else 0)
    assert set(asked) - {None} == {"neo4j"}
    assert asked[0] == named
    assert len(asked) > 30


def test_a_database_that_does_not_exist_is_told_at_once(
    settings: Settings, at: Connection, connect: Callable[..., Memory]
) -> None:
    memory = connect(settings=at_other(settings, at, database="nope"))
    with pytest.raises(ConfigurationError, match=r"database 'nope' at .* does not exist.*GRAPHMEM_NEO4J__DATABASE"):
        memory.record(JOB)


def test_a_wrong_password_is_told_at_once(settings: Settings, at: Connection, connect: Callable[..., Memory]) -> None:
    memory = connect(settings=at_other(settings, at, password="wrong"))
    with pytest.raises(AccessDenied, match="refused the credentials"):
        memory.recall("rotate the key")


def test_an_account_locked_after_wrong_passwords_is_told(
    settings: Settings, at: Connection, connect: Callable[..., Memory], cypher: Callable[..., Any], tenant: str
) -> None:
    cypher("CREATE USER $name SET PASSWORD 'right-password' CHANGE NOT REQUIRED", name=tenant)
    try:
        for _ in range(5):
            with pytest.raises(AccessDenied) as caught:
                connect(settings=at_other(settings, at, user=tenant, password="wrong")).list()
        assert "too many times" in str(caught.value)
    finally:
        cypher("DROP USER $name", name=tenant)


def test_an_address_where_something_else_answers_is_told(
    settings: Settings, at: Connection, connect: Callable[..., Memory]
) -> None:
    assert at.browser is not None
    http = at.browser.split("/")[2]
    with pytest.raises(StoreUnavailable) as caught:
        connect(settings=at_other(settings, at, uri=f"bolt://{http}", timeout=1)).list()
    assert http in str(caught.value)
    assert "\n" not in str(caught.value)


def test_doctor_says_what_is_missing_where_there_is_no_gds(settings: Settings, at: Connection) -> None:
    with_gds = {check.name: check for check in doctor(at_other(settings, at))}
    assert with_gds["GDS"].ok
    # The one database of this server where no plugin can be called.
    without = checks._gds(at.model_copy(update={"database": "system"}))
    assert without.found == "not installed"
    assert "only 'graphmem jobs centrality' needs it" in without.remedy


@pytest.mark.parametrize(
    "uri",
    ["ftp://127.0.0.1:1", "http://127.0.0.1:7474", "localhost:7687", "nonsense", "bolt+what://x", "bolt://x:port"],
)
def test_an_address_that_is_none_is_told_at_once(
    settings: Settings, at: Connection, connect: Callable[..., Memory], uri: str
) -> None:
    with pytest.raises(ConfigurationError, match="is not a usable address"):
        connect(settings=at_other(settings, at, uri=uri)).list()


def test_while_the_store_is_away_recall_goes_by_policy_and_writes_say_so(
    settings: Settings, at: Connection, connect: Callable[..., Memory]
) -> None:
    free = choose(Ports(28687, 28474), set()).bolt
    memory = connect(settings=at_other(settings, at, uri=f"bolt://127.0.0.1:{free}"))
    answer = memory.recall("rotate the key", receipt=True)
    assert (answer.decision, answer.hits) == (Decision.POLICY_ONLY, ())
    assert answer.warnings == ("no receipt was written: the memory is away",)
    assert answer.budget is not None
    assert f"127.0.0.1:{free}" in answer.reason
    with pytest.raises(StoreUnavailable, match=r"nothing answers at .*start it"):
        memory.record(JOB)


def test_without_centralities_the_rerank_is_neutral(memory: Memory, cypher: Callable[..., Any], tenant: str) -> None:
    memory.record_many([JOB, JOB.model_copy(update={"id": "e2", "tags": ("again",)})])
    bare = memory.recall("rotate the key")
    assert {candidate.components.centrality for candidate in bare.candidates} == {0.0}
    assert [candidate.id for candidate in bare.candidates] == ["e1", "e2"]
    cypher("MATCH (m:Memory {tenant: $t, id: 'e2'}) SET m.centrality = 1.0", t=tenant)
    ranked = memory.recall("rotate the key")
    assert [candidate.id for candidate in ranked.candidates] == ["e2", "e1"]
    assert (ranked.decision, ranked.best) == (bare.decision, bare.best)


def test_no_statement_of_the_verbs_needs_a_plugin() -> None:
    users = [
        name
        for name in names()
        if not name.startswith("jobs/") and any(word in statement(name).text for word in ("gds.", "apoc."))
    ]
    assert users == ["server/gds"]


def test_a_memory_without_a_database_says_what_to_do(embedder: Embedder, tmp_path: Any) -> None:
    with pytest.raises(ConfigurationError, match=r"run 'graphmem up', or set the address"):
        Memory("acme", settings=load_settings(home=tmp_path), embedder=embedder)
