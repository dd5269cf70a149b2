"""Whatever holds for LangGraph's own store holds for ours, for values that name their outcome."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from langgraph.store.base import GetOp, InvalidNamespaceError, ListNamespacesOp, MatchCondition, PutOp, SearchOp

Root = tuple[str, ...]
SECOND = timedelta(seconds=1)
NAMES = [("a", "b", "c"), ("a", "b", "d", "e"), ("a", "b", "d", "i"), ("a", "b", "f"), ("a", "c", "f"), ("v", "f")]
"""Namespaces, as they stand below the scope."""


def won(text: str, **fields: Any) -> dict[str, Any]:
    return {"text": text, "outcome": "success", **fields}


def keys(items: Any) -> set[str]:
    return {item.key for item in items}


def test_a_value_comes_back_as_it_was_put(store: Any, root: Root) -> None:
    value = won("a key", deep={"list": [1, 2.5, None, True, {"é": ["\x00", "𝄞", ""]}]}, big=2**80, zero=-0.0, empty={})
    before = datetime.now(UTC)
    store.put((*root, "n"), "k", value)
    item = store.get((*root, "n"), "k")
    assert item.value == value
    assert (item.key, item.namespace) == ("k", (*root, "n"))
    assert before - SECOND <= item.created_at <= item.updated_at <= datetime.now(UTC) + SECOND
    assert item.created_at.tzinfo is not None


def test_what_is_not_there_is_none(store: Any, root: Root) -> None:
    assert store.get((*root, "n"), "k") is None
    store.put((*root, "n"), "k", won("here"))
    assert store.get((*root, "n"), "K") is None
    assert store.get((*root, "n", "n"), "k") is None
    assert store.get(root, "k") is None
    store.delete((*root, "n"), "other")
    assert store.get((*root, "n"), "k").value == won("here")


def test_another_value_takes_the_place_of_the_first(store: Any, root: Root) -> None:
    for n in range(3):
        store.put((*root, "n"), "k", won(f"take {n}", n=n))
    assert store.get((*root, "n"), "k").value["n"] == 2
    assert [item.value["n"] for item in store.search((*root, "n"))] == [2]
    assert [item.value["n"] for item in store.search((*root, "n"), query="take 0")] == [2]


def test_a_deleted_value_is_gone_and_may_come_again(store: Any, root: Root) -> None:
    store.put((*root, "n"), "k", won("one"))
    store.put((*root, "n"), "k", won("two"))
    store.put((*root, "n"), "stays", won("three"))
    store.delete((*root, "n"), "k")
    store.delete((*root, "n"), "k")
    assert store.get((*root, "n"), "k") is None
    assert keys(store.search((*root, "n"))) == keys(store.search((*root, "n"), query="one")) == {"stays"}
    store.put((*root, "n"), "k", won("four"))
    assert store.get((*root, "n"), "k").value == won("four")


@pytest.mark.parametrize("name", [" ", "a b", "k/k", "*", "k\nk", "'\"`{}$", "ünï", "名前", "🙂", "x" * 500, "-", "[]"])
def test_keys_and_labels_are_any_text(store: Any, root: Root, name: str) -> None:
    store.put((*root, name), name, won("here"))
    store.put((*root, name + "x"), name, won("beside"))
    assert store.get((*root, name), name).value == won("here")
    assert [(item.namespace, item.key) for item in store.search((*root, name))] == [((*root, name), name)]
    assert store.list_namespaces(prefix=(*root, name))[:1] == [(*root, name)]


def test_a_key_may_hold_a_period_and_a_zero(store: Any, root: Root) -> None:
    for key in ("a.b", "a\x00b", "", "ab"):
        store.put(root, key, won(repr(key)))
    assert {key: store.get(root, key).value["text"] for key in ("a.b", "a\x00b", "", "ab")} == {
        key: repr(key) for key in ("a.b", "a\x00b", "", "ab")
    }


@pytest.mark.parametrize("bad", [("a.b",), ("",), (7,), ("a", "\x00")])
def test_labels_that_langgraph_refuses_are_refused(store: Any, root: Root, bad: tuple[Any, ...]) -> None:
    with pytest.raises(InvalidNamespaceError):
        store.put((*root, *bad), "k", won("x"))
    with pytest.raises(InvalidNamespaceError):
        store.search((*root, *bad))


def test_search_goes_down_from_a_prefix(store: Any, root: Root) -> None:
    store.batch([PutOp((*root, *names), f"k{place}", won(f"text {place}")) for place, names in enumerate(NAMES)])
    assert keys(store.search((*root, "a", "b"))) == {"k0", "k1", "k2", "k3"}
    assert keys(store.search((*root, "a", "b", "d"))) == {"k1", "k2"}
    assert keys(store.search((*root, "a", "b", "d", "e"))) == {"k1"}
    assert keys(store.search(root)) == {f"k{n}" for n in range(6)}
    assert store.search((*root, "b")) == store.search((*root, "A")) == []


def test_pages_are_disjoint_and_whole(store: Any, root: Root) -> None:
    store.batch([PutOp((*root, "n"), f"k{n}", won(f"text {n}", odd=bool(n % 2))) for n in range(7)])
    pages = [[item.key for item in store.search((*root, "n"), limit=3, offset=offset)] for offset in (0, 3, 6, 9)]
    assert [len(page) for page in pages] == [3, 3, 1, 0]
    assert {key for page in pages for key in page} == {f"k{n}" for n in range(7)}
    assert [len(store.search((*root, "n"), filter={"odd": True}, limit=2, offset=at)) for at in (0, 2, 4)] == [2, 1, 0]
    assert store.search((*root, "n"), limit=0) == []


FILTERS: list[tuple[dict[str, Any], set[str]]] = [
    ({"colour": "red"}, {"a", "c"}),
    ({"colour": {"$eq": "red"}}, {"a", "c"}),
    ({"colour": {"$ne": "red"}}, {"b", "d"}),
    ({"n": {"$gt": 1}}, {"b", "c", "d"}),
    ({"n": {"$gte": 2, "$lt": 3}}, {"b", "c"}),
    ({"n": {"$lte": 1}}, {"a"}),
    ({"n": 2, "colour": "blue"}, {"b"}),
    ({"deep": {"x": 1}}, {"a", "b"}),
    ({"deep": {"x": {"$gt": 1}}}, {"c", "d"}),
    ({"deep": {"x": 1, "y": [1, 2]}}, {"b"}),
    ({"deep": {"y": [1, {"$gt": 1}]}}, {"b"}),
    ({"deep": {"y": [1]}}, set()),
    ({"nothing": None}, {"a", "b", "c", "d"}),
    ({"nothing": {"$ne": 1}}, {"a", "b", "c", "d"}),
    ({"colour": {"r": 1}}, set()),
    ({}, {"a", "b", "c", "d"}),
]


@pytest.mark.parametrize("query", [None, "text"])
def test_a_filter_takes_what_it_says(store: Any, root: Root, query: str | None) -> None:
    store.put((*root, "n"), "a", won("text one", colour="red", n=1, deep={"x": 1}))
    store.put((*root, "n"), "b", won("text two", colour="blue", n=2, deep={"x": 1, "y": [1, 2], "z": 0}))
    store.put((*root, "n"), "c", won("text three", colour="red", n=2.5, deep={"x": 2}))
    store.put((*root, "n"), "d", won("text four", n=3, deep={"x": 3, "y": [2]}))
    for conditions, wanted in FILTERS:
        assert keys(store.search((*root, "n"), query=query, filter=conditions)) == wanted, conditions


def test_an_operator_that_there_is_not_is_refused(store: Any, root: Root) -> None:
    store.put((*root, "n"), "a", won("text one", n=1))
    with pytest.raises(ValueError, match=r"\$near"):
        store.search((*root, "n"), filter={"n": {"$near": 1}})


TEXTS = {
    "boiler": "descale the boiler of the espresso machine",
    "kettle": "the kettle is full of limescale",
    "key": "rotate the API key of the mailer",
    "tax": "file the tax return of last year",
}


def test_a_query_ranks_by_nearness(store: Any, root: Root) -> None:
    store.batch([PutOp((*root, "n"), key, won(text)) for key, text in TEXTS.items()])
    store.put((*root, "m"), "elsewhere", won("how do I descale my espresso machine?"))
    found = store.search((*root, "n"), query="how do I descale my espresso machine?")
    assert [item.key for item in found][:2] == ["boiler", "kettle"]
    assert keys(found) == {*TEXTS}
    scores = [item.score for item in found]
    assert scores == sorted(scores, reverse=True)
    assert 0.8 < scores[0] <= 1
    assert [
        item.key for item in store.search((*root, "n"), query="how do I descale my espresso machine?", offset=1)
    ] == [item.key for item in found[1:]]
    assert store.search((*root, "n"), query="tax", limit=1)[0].key == "tax"
    assert [item.score for item in store.search((*root, "n"))] == [None] * 4


def test_a_query_looks_at_the_fields_that_the_put_names(store: Any, root: Root) -> None:
    value = won("nothing of interest", notes=[{"body": "descale the boiler"}, {"body": "bleed the radiator"}])
    store.put((*root, "n"), "noted", value, index=["notes[*].body"])
    store.put((*root, "n"), "plain", won("a walk in the rain"))
    assert [item.key for item in store.search((*root, "n"), query="descale a boiler")] == ["noted", "plain"]


def test_what_is_not_indexed_is_got_and_listed(store: Any, root: Root) -> None:
    store.put((*root, "n"), "k", won("descale the boiler"), index=False)
    assert store.get((*root, "n"), "k").value == won("descale the boiler")
    assert keys(store.search((*root, "n"))) == {"k"}
    assert [
        item.score for item in store.search((*root, "n"), query="descale the boiler") if item.score is not None
    ] == []


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        ({}, NAMES),
        ({"prefix": ("a", "b")}, NAMES[:4]),
        ({"prefix": ("a", "b"), "max_depth": 3}, [("a", "b", "c"), ("a", "b", "d"), ("a", "b", "f")]),
        ({"prefix": ("a", "*", "f")}, [("a", "b", "f"), ("a", "c", "f")]),
        ({"suffix": ("f",)}, [("a", "b", "f"), ("a", "c", "f"), ("v", "f")]),
        ({"suffix": ("b", "*")}, [("a", "b", "c"), ("a", "b", "f")]),
        ({"prefix": ("a",), "suffix": ("f",)}, [("a", "b", "f"), ("a", "c", "f")]),
        ({"prefix": ("b",)}, []),
        ({"max_depth": 1}, [("a",), ("v",)]),
        ({"limit": 2, "offset": 1}, NAMES[1:3]),
        ({"limit": 2, "offset": 5}, NAMES[5:]),
    ],
)
def test_namespaces_are_listed_as_asked(store: Any, root: Root, given: dict[str, Any], wanted: list[Root]) -> None:
    store.batch([PutOp((*root, *names), key, won(f"{key} in {names}")) for names in NAMES for key in ("one", "two")])
    below = {**given, "prefix": (*root, *given.get("prefix", ()))}
    if "max_depth" in given:
        below["max_depth"] += len(root)
    assert store.list_namespaces(**below) == [(*root, *names) for names in wanted]


def test_a_batch_answers_in_its_order_and_reads_before_it_writes(store: Any, root: Root) -> None:
    store.put((*root, "n"), "old", won("before"))
    answers = store.batch(
        [
            PutOp((*root, "n"), "new", won("first")),
            GetOp((*root, "n"), "new"),
            SearchOp((*root, "n")),
            PutOp((*root, "n"), "old", None),
            PutOp((*root, "n"), "new", won("last")),
            GetOp((*root, "n"), "old"),
            ListNamespacesOp((MatchCondition("prefix", root),)),
            PutOp((*root, "m"), "gone", won("x")),
            PutOp((*root, "m"), "gone", None),
        ]
    )
    assert answers[:2] == [None, None]
    assert [item.key for item in answers[2]] == ["old"]
    assert answers[3:5] == [None, None]
    assert answers[5].value == won("before")
    assert answers[6:] == [[(*root, "n")], None, None]
    assert [item.value for item in store.search(root)] == [won("last")]
    assert store.batch([]) == []


def test_there_is_no_time_to_live(store: Any, root: Root) -> None:
    with pytest.raises(NotImplementedError, match="TTL is not supported"):
        store.put((*root, "n"), "k", won("x"), ttl=5)
    assert store.get((*root, "n"), "k") is None
