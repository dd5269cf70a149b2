"""Which examples are shown and how they vote, without a server."""

from __future__ import annotations

import pytest

from graphmem import Episode
from graphmem.agent.triage import Example, Route
from graphmem.agent.triage.examples import agreed, diverse, vote

ASK, TELL, DROP = Route.RESPOND, Route.NOTIFY, Route.IGNORE


def shown(name: str, route: Route, relevance: float, task: str, relationship: str = "") -> tuple[Example, Episode]:
    return Example(id=name, route=route, relevance=relevance, relationship=relationship), Episode(id=name, task=task)


def names(pool: list[tuple[Example, Episode]], most: int = 3, relationship: str = "") -> list[str]:
    return [example.id for example, _ in diverse(pool, most, relationship)]


def test_the_same_words_are_said_once() -> None:
    pool = [
        shown("a", DROP, 0.90, "weekly figures for you"),
        shown("b", DROP, 0.89, "weekly figures for you"),
        shown("c", DROP, 0.85, "the monthly report is out"),
        shown("d", DROP, 0.60, "lunch menu"),
    ]
    assert names(pool) == ["a", "c", "b"]
    assert names(pool, 2) == ["a", "c"]


def test_another_route_goes_first_only_where_it_is_as_relevant() -> None:
    pool = [shown("a", DROP, 0.90, "one"), shown("b", DROP, 0.890, "two"), shown("c", ASK, 0.888, "three")]
    assert names(pool, 2) == ["a", "c"]
    far = [shown("a", DROP, 0.90, "one"), shown("b", DROP, 0.89, "two"), shown("c", ASK, 0.80, "three")]
    assert names(far, 2) == ["a", "b"]


def test_the_sender_s_relationship_decides_between_equals_alone() -> None:
    pool = [shown("a", DROP, 0.80, "one", "newsletter"), shown("b", ASK, 0.80, "one", "manager")]
    assert names(pool, 1, "manager") == ["b"]
    assert names(pool, 1, "newsletter") == ["a"]
    assert names(pool, 1) == ["a"]
    far = [shown("a", DROP, 0.83, "one", "newsletter"), shown("b", ASK, 0.80, "one", "manager")]
    assert names(far, 1, "manager") == ["a"]


def test_the_order_of_the_pool_plays_no_part() -> None:
    pool = [shown(name, DROP, 0.8, f"words {name}") for name in "cab"]
    assert names(pool) == names(pool[::-1]) == ["a", "b", "c"]


@pytest.mark.parametrize(
    ("votes", "route"),
    [
        ([], None),
        ([(ASK, 0.8)], ASK),
        ([(ASK, 0.8), (ASK, 0.7), (ASK, 0.7)], ASK),
        ([(ASK, 0.9), (ASK, 0.9), (DROP, 0.7)], None),
        ([(ASK, 0.9), (ASK, 0.9), (ASK, 0.9), (DROP, 0.7)], ASK),
        ([(ASK, 0.8), (DROP, 0.8)], None),
        ([(ASK, 0.7), (TELL, 0.7), (DROP, 0.7)], None),
        ([(ASK, 0.0)], None),
    ],
)
def test_three_quarters_of_the_weight_decide(votes: list[tuple[Route, float]], route: Route | None) -> None:
    examples = [shown(str(n), one, weight, "x")[0] for n, (one, weight) in enumerate(votes)]
    found = vote(examples)
    assert agreed(found) is route
    assert sum(found.weights.values()) == pytest.approx(sum(weight for _, weight in votes))
