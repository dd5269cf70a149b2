"""What filters, tags and contexts let through."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from graphmem import Memory, Reflection, Settings, Skill
from graphmem.errors import InvalidInput
from tests.memories import LABELLED, NOW, Clock, ids, ranked, won

Connect = Callable[..., Memory]


@pytest.mark.parametrize(
    ("filters", "left"),
    [
        ({}, {"a", "b", "c", "r", "s"}),
        ({"kind": "episode"}, {"a", "b", "c"}),
        ({"kind": "skill"}, {"s"}),
        ({"domain": "plant"}, {"a", "r", "s"}),
        ({"domain": "pla"}, set()),
        ({"domain": ""}, {"c"}),
        ({"task_type": "repair"}, {"a", "b"}),
        ({"toolchain": "rust"}, {"b"}),
        ({"tags": ["wet"]}, {"a", "b"}),
        ({"tags": ["hot", "wet"]}, {"a"}),
        ({"tags": ["cold"]}, set()),
        ({"techniques": ["vise"]}, {"a", "b"}),
        ({"techniques": ["vise", "file"]}, {"b"}),
        ({"difficulty": (0.0, 0.5)}, {"a"}),
        ({"difficulty": (0.5, 1.0)}, {"a", "b"}),
        ({"difficulty": (0.6, 0.7)}, set()),
        ({"difficulty": (0.5, 0.9), "techniques": ["vise"], "tags": ["hot"]}, {"a"}),
        ({"domain": "plant", "kind": "episode", "toolchain": "python", "tags": ["hot"]}, {"a"}),
    ],
)  # fmt: skip
def test_filters(make: Connect, filters: dict[str, Any], left: set[str]) -> None:
    memory = make()
    memory.record_many(LABELLED)
    assert set(ranked(memory.recall("pump north:1", limit=10, **filters))) == left


def test_labels_of_any_script_pass_an_absent_filter(make: Connect) -> None:
    memory = make()
    labels = ["！ｆｕｌｌ", "\uffee", "豈", "😀", "\U0010fffd"]
    memory.record_many(
        [won(f"e{n}", "pump north:0.9", domain=label, task_type=label) for n, label in enumerate(labels)]
    )
    assert set(ranked(memory.recall("pump north:1", limit=9))) == {"e0", "e1", "e2", "e3", "e4"}
    for n, label in enumerate(labels):
        assert ranked(memory.recall("pump north:1", domain=label)) == [f"e{n}"]


RARE = {"tags": ["blue"], "techniques": ["lathe"], "difficulty": 0.25}


@pytest.mark.parametrize("asked", [{"tags": ["blue"]}, {"techniques": ["lathe"]}, {"difficulty": (0.2, 0.3)}])
def test_what_is_rare_is_found_behind_nearer_memories_without_it(make: Connect, asked: dict[str, Any]) -> None:
    memory = make(vector_candidates=5, text_candidates=5)
    memory.record_many(
        [won(f"n{n}", "pump north:0.95", metadata={"n": n}) for n in range(20)]
        + [won("rare", "lamp north:0.8", domain="plant", **RARE), won("far", "lamp north:-0.8", domain="lab", **RARE)]
    )
    recall = memory.recall("pump north:1", **asked)
    assert ids(recall) == ["rare"]
    assert 5 <= recall.left.filtered <= 10, "what the vectors and the words found, often the same"
    assert recall.hits[0].path == ("filter",)
    assert not recall.cut
    assert ids(memory.recall("pump north:1", domain="lab", **asked)) == []


@pytest.mark.parametrize("tags", [["t"], []])
def test_words_elsewhere_and_memories_without_vectors_hide_nothing(
    make: Connect, connect: Connect, settings: Settings, tags: list[str]
) -> None:
    """Text that matches in another domain, or far away, and what has no vector yet, keep no place from what fits."""
    memory = make(vector_candidates=20, text_candidates=20)
    memory.record_many(
        [won(f"n{n}", "pump north:0.95", domain="b", metadata={"n": n}) for n in range(20)]
        + [won(f"z{n}", f"zebra crossing {n} north:0.1", domain="a", tags=["t"]) for n in range(5)]
        + [won("right", "pump north:0.85", domain="b", tags=["t"])]
    )
    bare = settings.model_copy(update={"embedding": settings.embedding.model_copy(update={"model": "none"})})
    connect(settings=bare).record_many(won(f"u{n}", f"lamp {n}", domain="b", tags=["t"]) for n in range(25))
    found = ids(memory.recall("zebra crossing north:1", domain="b", tags=tags, limit=1 if tags else 21))
    assert "right" in found


def test_words_behind_other_domains_and_expired_memories_are_found_without_vectors(
    connect: Connect, settings: Settings
) -> None:
    bare = settings.model_copy(update={"embedding": settings.embedding.model_copy(update={"model": "none"})})
    clock = Clock()
    memory = connect(settings=bare, clock=clock)
    memory.record_many(won(f"a{n}", "zebra zebra", domain="a", metadata={"n": n}) for n in range(60))
    memory.record_many(won(f"x{n}", "zebra zebra", domain="b", expires_at=NOW, metadata={"n": n}) for n in range(60))
    memory.record(won("right", "a zebra on the road", domain="b"))
    assert ids(memory.recall("zebra", domain="b")) == ["right"]


@pytest.mark.parametrize(("better", "path"), [(9, ("vector", "text")), (10, ("vector",))])
def test_beside_vectors_the_best_words_alone_are_looked_through(
    make: Connect, better: int, path: tuple[str, ...]
) -> None:
    memory = make(text_candidates=2)  # five times as many are looked through for some of the wanted domain
    memory.record_many(won(f"a{n}", "zebra north:0.1", domain="a", metadata={"n": n}) for n in range(better))
    memory.record(won("right", "a zebra on the road north:0.9", domain="b"))
    (hit,) = memory.recall("zebra north:1", domain="b").hits
    assert (hit.id, hit.path) == ("right", path)


@pytest.mark.parametrize(("limit", "fetched"), [(1, 5), (5, 5), (6, 6), (20, 20)])
def test_never_fewer_nearest_are_fetched_than_hits_are_asked_for(make: Connect, limit: int, fetched: int) -> None:
    memory = make(vector_candidates=5, text_candidates=1, shown=100)
    memory.record_many(won(f"e{n}", f"north:0.{99 - n}", metadata={"n": n}) for n in range(30))
    assert len(memory.recall("pump north:1", limit=limit).candidates) == fetched


@pytest.mark.parametrize("difficulty", [(0.6, 0.5), (-0.1, 0.5), (0.5, 1.1), (0.5,), "easy"])
def test_a_difficulty_that_is_no_range_is_refused(make: Connect, difficulty: Any) -> None:
    with pytest.raises(InvalidInput, match="difficulty"):
        make().recall("pump", difficulty=difficulty)


@pytest.mark.parametrize(
    ("conditions", "context", "kept"),
    [
        (["os = linux"], {"os": "linux"}, True),
        (["os = linux"], {"os": "windows"}, False),
        (["os = linux"], {"shell": "bash"}, True),
        (["os = linux"], {}, True),
        (["os = linux", "os = macos"], {"os": "macos"}, True),
        (["os = linux", "os = macos"], {"os": "windows"}, False),
        (["os = linux", "shell = bash"], {"os": "linux", "shell": "fish"}, False),
        (["OS=Linux"], {"os": " linux "}, True),
        (["only on a good day"], {"day": "bad"}, True),
        (["city = Orle\u0301ans"], {"city": "Orl\u00e9ans"}, True),
        (["city = Orl\u00e9ans"], {"city": "Orle\u0301ans"}, True),
        (["tool = file"], {"tool": "\ufb01le"}, True),
        (["python version = 3.12"], {"python  version": "3.12"}, True),
    ],
)
def test_a_context_excludes_what_it_contradicts(
    make: Connect, conditions: list[str], context: dict[str, str], kept: bool
) -> None:
    memory = make()
    memory.record(Reflection(id="r", insight="pump north:0.9", conditions=conditions))
    memory.record(Skill(id="s", name="pump north:0.9", steps=["go"], preconditions=conditions, approved_by="ada"))
    assert set(ids(memory.recall("pump north:1", context=context))) == ({"r", "s"} if kept else set())
