"""Erasing a subject that is in episodes, lessons, skills, receipts, links and the outbox: nothing speaks of it."""

from __future__ import annotations

import io
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from graphmem import Episode, Memory, Reflection, Settings, Skill
from graphmem.erase import Erased
from graphmem.errors import NotFound
from graphmem.models import Step
from graphmem.settings import Connection
from tests.angles import Angles
from tests.erase.conftest import spoken
from tests.memories import Clock, ids
from tests.outbox.relay import Relay

Cypher = Callable[..., list[dict[str, Any]]]
SUBJECT = "Frieda Lindqvist"
WORDS = (
    "frieda",
    "lindqvist",
    "turquoise",
    "wheelbarrow",
    "kumquat",
    "zeppelin",
    "quokka",
    "marzipan",
    "oboe",
    "yodel",
)
"""What only the episodes about the subject say, and what was said of them."""


def lived(number: int, **fields: Any) -> Episode:
    """An attempt of several that went the same way, each at a task of its own."""
    actions = ("close the inlet valve", "drain the boiler", "dissolve the scale with acid", "rinse the boiler")
    given = {
        "id": f"boiler-{number}", "task": f"Descale the boiler of house {number} north:0.97", "outcome": "success",
        "domain": "plant", "task_type": "descaling", "trace_id": f"trace-{number}",
        "trajectory": tuple(Step(action=action) for action in actions),
    }  # fmt: skip
    return Episode(**{**given, **fields})


def of_frieda(number: int, **fields: Any) -> Episode:
    """The same, with words about her in every place where a caller can put some."""
    steps = (Step(action="fetch the turquoise wheelbarrow"), *lived(number).trajectory, Step(action="rest a while"))
    given = {
        "id": f"private-{number}", "subject": SUBJECT, "trajectory": steps, "tags": ["kumquat"],
        "metadata": {"Zeppelin": ["quokka", {"deep": "marzipan"}]}, "summary": "Frieda played the oboe",
    }  # fmt: skip
    return lived(number, **{**given, **fields})


@pytest.fixture
def town(make: Callable[..., Memory], clock: Clock) -> Memory:
    """What is about her beside what is not, learnt from by rules and by hand, used, corrected in both directions."""
    memory = make()
    memory.record_many([lived(1), lived(2), of_frieda(3), of_frieda(4), of_frieda(5)])
    fail = {"outcome": "fail", "failure_reason": "the valve was open", "task": "Close the valve north:0.8"}
    memory.record(lived(6, id="both-6", **fail))
    won = {
        "task": "Close the valve north:0.8",
        "trajectory": [Step(action="ask the turquoise zeppelin"), Step(action="shut it")],
    }
    memory.record(of_frieda(6, **won))
    assert memory.consolidate().skills >= 1
    memory.record_many(
        [
            Reflection(id="hers", insight="the oboe calms her", sources=["private-3"]),
            Reflection(
                id="mixed", insight="boilers and the turquoise kumquat north:0.7", sources=["private-3", "boiler-1"]
            ),
            Reflection(id="plain", insight="rinse the boiler twice north:0.7", sources=["private-3", "boiler-1"]),
            Skill(id="of-hers", name="calm her", steps=["play"], sources=["hers"], approved_by="ada"),
            Skill(
                id="of-plain", name="rinse north:0.6", steps=["rinse the boiler"], sources=["plain"], approved_by="ada"
            ),
            lived(8, id="wrong-8", task="Pour cold acid north:0.7", trajectory=()),
            lived(9, id="right-9", task="Pour warm acid north:0.7", trajectory=()),
        ]
    )
    recall = memory.recall("north:1", limit=20)
    memory.feedback(
        recall, outcome="success", used=["private-3", "of-plain"], misled=["boiler-2"], evidence="Frieda said yodel",
        reason="quokka",
    )  # fmt: skip
    memory.feedback(memory.recall("boiler of house 1 north:0.97", limit=1), outcome="success", used=["boiler-1"])
    memory.recall("of Frieda north:1", trace_id="trace-4", receipt=True)
    memory.correct(wrong="wrong-8", right="private-3", reason="Frieda knows", context="with the yodel north:0.9")
    memory.correct(wrong="private-4", right="right-9", reason="marzipan", context="in the zeppelin east:0.9")
    memory.correct(wrong="both-6", right="private-5", reason="quokka everywhere")
    memory.link("boiler-1", "private-5", kind="similar", by="Frieda")
    memory.retire("boiler-2", by="ada", reason="as private-4 says, of Frieda Lindqvist")
    memory.review("boiler-2", approve=True, by="ada")
    clock.now += timedelta(minutes=1)
    return memory


def test_nothing_speaks_of_an_erased_subject_and_the_rest_is_still_recalled(
    town: Memory, cypher: Cypher, tenant: str, texts: Callable[[], str]
) -> None:
    assert spoken(texts(), WORDS) == list(WORDS), "all of it is there before, or the scan would prove nothing"
    active = cypher(
        "MATCH (s:Skill {tenant: $t, status: 'active'}) WHERE s.approved_by = '' RETURN s.support AS n", t=tenant
    )
    assert active == [{"n": 5}]
    done = town.erase(subject=SUBJECT)
    assert (done.episodes, done.receipts) == (4, 3)
    assert spoken(texts(), WORDS) == []
    exported = io.BytesIO()
    town.export(exported, everything=True, include_secure=True)
    assert spoken(exported.getvalue().decode().casefold(), WORDS) == []
    assert not [id_ for id_ in ("private-3", "private-4", "private-5", "private-6", "hers", "mixed") if id_ in texts()]
    assert town.check(everything=True) == ()
    kept = {stored.id for stored in town.list(limit=1000)}
    assert {"boiler-1", "boiler-2", "both-6", "plain", "of-plain", "wrong-8", "right-9"} <= kept
    assert not {"hers", "mixed", "of-hers"} & kept
    assert town.get("plain").memory.sources == ("boiler-1",)
    found = ids(town.recall("north:1", limit=20))
    assert {"boiler-1", "plain", "of-plain", "right-9"} <= set(found)
    assert town.get("both-6").status == "superseded", "what corrected it is gone, and it is not right again"
    for question in (*WORDS, SUBJECT):
        assert not [one for one in town.recall(question, limit=20).candidates if one.components.lexical > 0], question
    assert {
        row["n"] for row in cypher("MATCH (s:Skill {tenant: $t}) RETURN coalesce(s.support, 0) AS n", t=tenant)
    } <= {0, 1, 2}
    jobs = cypher("MATCH (j:Job {tenant: $t, kind: 'erasure'}) RETURN j {.*} AS job", t=tenant)
    assert [(row["job"]["state"], row["job"]["episodes"]) for row in jobs] == [("done", 4)]
    again = town.consolidate()
    assert again.failed == 0
    assert spoken(texts(), WORDS) == []
    assert town.check(everything=True) == ()
    rebuilt = [one for one in town.list(kind="skill", limit=100) if one.memory.sources != ("plain",)]
    assert [(one.status, len(one.memory.sources)) for one in rebuilt] == [("candidate", 2)], "three would be needed"
    with pytest.raises(NotFound, match="not found"):
        town.erase(subject=SUBJECT)


def test_no_vector_and_no_index_entry_of_the_erased_is_left(town: Memory, cypher: Cypher, tenant: str) -> None:
    town.erase(subject=SUBJECT)
    near = cypher(
        "MATCH (m:Memory) WHERE m.tenant = $t AND m.id = 'boiler-1' "
        "CALL db.index.vector.queryNodes('memory_vector', 1000, m.embedding) "
        "YIELD node WHERE node.tenant = $t RETURN node.id AS id",
        t=tenant,
    )
    words = cypher(
        "CALL db.index.fulltext.queryNodes('memory_text', $q) YIELD node WHERE node.tenant = $t RETURN node.id AS id",
        t=tenant, q=" ".join(WORDS),
    )  # fmt: skip
    assert not [row for row in near if row["id"].startswith("private")]
    assert words == []
    vectors = cypher("MATCH (r:Recall {tenant: $t}) WHERE r.trace_id = 'trace-4' RETURN r", t=tenant)
    assert vectors == []


def test_what_waits_in_the_outbox_goes_too(
    settings: Settings, at: Connection, tenant: str, tmp_path: Path, texts: Callable[[], str]
) -> None:
    host, _, port = at.uri.partition("//")[2].partition(":")
    relay = Relay((host, int(port)))
    through = {"uri": f"bolt://127.0.0.1:{relay.port}", "user": at.user, "password": at.password, "timeout": 1.0}
    here = settings.model_copy(update={"home": tmp_path, "neo4j": settings.neo4j.model_copy(update=through)})
    with Memory(tenant, settings=here, embedder=Angles("bge-small-en-v1.5")) as memory:
        memory.record_many([lived(1), of_frieda(3)])
        told = memory.recall("north:1", limit=20)
        relay.cut()
        memory.record(of_frieda(4))
        memory.record(lived(2))
        memory.feedback(told, outcome="success", used=["boiler-1"], evidence="Frieda said yodel")
        assert memory.waiting().waiting == 3
        relay.mend()
        assert memory.erase(subject=SUBJECT) == Erased(episodes=1, waiting=2)
        kept = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
        assert b"boiler-2" in kept
        assert not [word for word in WORDS if word.encode() in kept.lower()]
        memory.flush()
        assert {stored.id for stored in memory.list()} == {"boiler-1", "boiler-2"}
        assert spoken(texts(), WORDS) == []
    relay.cut()


def test_the_answer_and_the_errors_say_nothing_of_whom(make: Callable[..., Memory]) -> None:
    memory = make()
    with pytest.raises(NotFound) as caught:
        memory.erase(subject=SUBJECT)
    assert "Frieda" not in str(caught.value)
    memory.record(of_frieda(3))
    done = memory.erase(subject=f"  {SUBJECT} ")
    assert done == Erased(episodes=1)
