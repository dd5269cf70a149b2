"""Rows to a numbered graph, scores to one scale, and what is refused before anything is projected."""

from __future__ import annotations

import pytest

from graphmem.errors import ConfigurationError, StoreError
from graphmem.jobs.gds import EXACT_UP_TO, SAMPLES, require_room, samples, supported
from graphmem.jobs.graph import Centrality, numbered, scaled
from graphmem.scope import Scope
from graphmem.steps import Rows

SCOPE = Scope("acme", "u7")
ROWS: Rows = [
    {"scope": SCOPE.own, "id": "a", "neighbours": [[SCOPE.own, "b"], [SCOPE.shared, "a"]]},
    {"scope": SCOPE.own, "id": "b", "neighbours": []},
    {"scope": SCOPE.shared, "id": "a", "neighbours": []},
]


def test_memories_are_numbered_and_only_the_scopes_own_are_written_on() -> None:
    graph = numbered(ROWS, SCOPE)
    assert graph.nodes == 3
    assert graph.edges == ((0, 1), (0, 2))
    assert graph.own == {0: "a", 1: "b"}
    assert graph.pairs == [[0, None], [1, None], [2, None], [0, 1], [0, 2]]


def test_no_rows_are_an_empty_graph() -> None:
    assert numbered([], SCOPE).pairs == []


@pytest.mark.parametrize(
    ("scores", "expected"),
    [
        ({0: 3.0, 1: 1.5, 2: 0.0}, {0: 1.0, 1: 0.5, 2: 0.0}),
        ({0: 0.0, 1: 0.0}, {0: 0.0, 1: 0.0}),
        ({}, {}),
    ],
)
def test_scores_are_scaled_by_the_greatest(scores: dict[int, float], expected: dict[int, float]) -> None:
    assert scaled(scores) == expected


def test_centrality_is_the_mean_of_its_parts() -> None:
    assert Centrality("a", 0.5, 1.0).row == {"id": "a", "degree": 0.5, "betweenness": 1.0, "centrality": 0.75}


def test_a_large_graph_is_sampled() -> None:
    assert samples(EXACT_UP_TO) == 0
    assert samples(EXACT_UP_TO + 1) == SAMPLES


@pytest.mark.parametrize("found", ["2.13.0", "2.26.0", "3.0.1", "2.14.0-alpha01", "2026.01.0"])
def test_a_version_that_the_client_speaks_to_is_taken(found: str) -> None:
    assert supported(found, "bolt://x") == found


@pytest.mark.parametrize("found", ["2.12.9", "1.99.0", "2.6", "unknown", ""])
def test_an_older_one_is_refused_in_a_sentence(found: str) -> None:
    with pytest.raises(ConfigurationError, match=r"on bolt://x is too old: this job needs 2\.13 or newer"):
        supported(found, "bolt://x")


def test_what_fits_is_let_through_and_what_does_not_is_refused_with_numbers() -> None:
    require_room(1000, 1000, 5, 6)
    with pytest.raises(StoreError, match=r"5 memories and 6 links takes at least 2000 MB, .* 1000 MB .*SERVER__HEAP"):
        require_room(2_000_000_000, 1_000_000_000, 5, 6)
