"""Rows to a numbered graph, scores to one scale, and what is refused before anything is projected."""

from __future__ import annotations

import pytest

from graphmem.errors import StoreError
from graphmem.jobs import graph as graphs
from graphmem.jobs.gds import missing, require_room
from graphmem.jobs.graph import Centrality, Graph, numbered, read_graph, scaled
from graphmem.policies import CentralitySettings
from graphmem.scope import Scope
from graphmem.steps import Read, Row, Step, run
from tests.memories import NOW

SCOPE = Scope("acme", "u7")
ROWS: list[tuple[str, Row]] = [
    (SCOPE.own, {"id": "a", "central": True, "neighbours": [[SCOPE.own, "b", 1.0], [SCOPE.shared, "a", 0.5]]}),
    (SCOPE.own, {"id": "b", "central": True, "neighbours": []}),
    (SCOPE.shared, {"id": "a", "central": False, "neighbours": []}),
]


def test_memories_are_numbered_and_only_the_scopes_own_are_written_on() -> None:
    graph = numbered(ROWS, SCOPE)
    assert graph.nodes == 3
    assert graph.edges == ((0, 1, 1.0), (0, 2, 0.5))
    assert graph.own == {0: "a", 1: "b"}
    alone = [[number, None, None] for number in range(3)]
    assert graph.pairs == [*alone, [0, 1, 1.0], [0, 2, 0.5]]


def test_a_graph_is_complete_when_each_own_memory_has_a_centrality() -> None:
    assert numbered(ROWS, SCOPE).complete
    own = numbered([(SCOPE.own, {**ROWS[1][1], "central": False}), *ROWS[2:]], SCOPE)
    assert not own.complete


def test_a_link_to_a_memory_that_was_not_read_is_left_out() -> None:
    graph = numbered(ROWS[:2], SCOPE)
    assert (graph.nodes, graph.edges) == (2, ((0, 1, 1.0),))


def _relinked(neighbours: list[list[object]]) -> list[tuple[str, Row]]:
    return [(SCOPE.own, {**ROWS[0][1], "neighbours": neighbours}), *ROWS[1:]]


def test_the_digest_is_of_memories_links_and_weights() -> None:
    first = numbered(ROWS, SCOPE).digest
    assert numbered(list(ROWS), SCOPE).digest == first
    unlike = [
        ROWS[:2],
        [*ROWS, (SCOPE.shared, {"id": "b", "central": True, "neighbours": []})],
        _relinked([[SCOPE.own, "b", 1.0]]),
        _relinked([[SCOPE.own, "b", 1.0], [SCOPE.shared, "a", 1.0]]),
        _relinked([[SCOPE.own, "b", 0.5], [SCOPE.shared, "a", 1.0]]),
    ]
    digests = {numbered(rows, SCOPE).digest for rows in unlike}
    assert len(digests) == len(unlike)
    assert first not in digests


def test_the_graph_is_read_page_by_page(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(graphs, "PAGE", 2)
    told: list[tuple[str, int, int]] = []
    pages = [[ROWS[0][1], ROWS[1][1]], [], [ROWS[2][1]]]
    asked: list[tuple[str, str]] = []

    def answer(step: Step) -> list[Row]:
        assert isinstance(step, Read)
        assert step.call.parameters["scopes"] == SCOPE.visible
        asked.append((step.call.parameters["scope"], step.call.parameters["after"]))
        return pages.pop(0)

    stage = read_graph(SCOPE, NOW, CentralitySettings(), lambda *step: told.append(step))
    assert run(stage, answer) == numbered(ROWS, SCOPE)
    assert pages == []
    assert asked == [(SCOPE.own, ""), (SCOPE.own, "b"), (SCOPE.shared, "")]
    assert [done for _, done, _ in told] == [0, 2, 2, 3]


def test_no_rows_are_an_empty_graph() -> None:
    empty = numbered([], SCOPE)
    assert isinstance(empty, Graph)
    assert (empty.pairs, empty.own, empty.complete) == ([], {}, True)


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


@pytest.mark.parametrize("found", ["2.13.0", "2.26.0", "3.0.1", "2.14.0-alpha01", "2026.01.0"])
def test_a_version_that_the_client_speaks_to_is_taken(found: str) -> None:
    assert missing(found, "bolt://x") == ""


@pytest.mark.parametrize("found", ["2.12.9", "1.99.0", "2.6", "unknown"])
def test_an_older_one_is_refused_in_a_sentence(found: str) -> None:
    said = missing(found, "bolt://x")
    assert said == (
        f"Graph Data Science {found} on bolt://x is too old: this job needs 2.13 or newer; update the plugin"
    )


def test_none_at_all_is_told_in_a_sentence() -> None:
    assert missing("", "bolt://x").startswith("Graph Data Science is not installed on bolt://x: install its plugin")


def test_what_fits_is_let_through_and_what_does_not_is_refused_with_numbers() -> None:
    require_room(1000, 1000, 5, 6)
    with pytest.raises(StoreError, match=r"5 memories and 6 links takes at least 2000 MB, .* 1000 MB .*SERVER__HEAP"):
        require_room(2_000_000_000, 1_000_000_000, 5, 6)
