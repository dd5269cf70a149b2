"""Neo4j Browser in a real Chromium: it opens connected, each statement shows what it should, the style is seen."""

from __future__ import annotations

from pathlib import Path

import pytest

from graphmem.explore import called, rules, statements, style
from tests.explore.screen import Screen

GRAPHS = {
    "contradictions": {"lesson · keep it dry", "lesson · keep it wet"},
    "corrections": {"success · Changed the seal", "success · Changed it again", "fail · Hit it"},
    "hubs": {
        "lesson · change the", "success · Changed the seal", "success · Changed it again", "fail · Hit it",
        "mixed · Tightened", "lesson · do not", "lesson · keep it dry", "lesson · keep it wet",
        "skill, active · seal a",
    },
    "life_of_a_memory": {
        "skill, candidate", "lesson · change the", "success · Changed the seal", "success · Changed it again",
    },
    "why_recalled": {"recall use success", "skill, active · seal a"},
}  # fmt: skip
"""How the captions begin that each graph must show, no more of them and no less."""

LINKS = {
    "contradictions": {"RELATES (1)"},
    "corrections": {"CORRECTS (2)"},
    "hubs": {"DERIVES (5)", "GENERALIZES (1)", "CORRECTS (2)", "RELATES (1)"},
    "life_of_a_memory": {"DERIVES (2)", "GENERALIZES (1)", "CORRECTS (1)"},
    "why_recalled": {"RETURNED (1)"},
}
"""What Browser counts beside a graph; it adds the links between the nodes that it got."""

TABLES = {
    "false_hits_by_domain": (2, ["plant", "2", "2", "1", "0.5", "0", "again", "it leaks"]),
    "novelty_by_week": (1, None),
    "scope_overview": (13, ["episode", "audit", "unknown", "1"]),
    "stale_skills": (2, ["old", "seal a pump north:0.6", "1", "active"]),
    "why_recalled_table": (1, ["1", "old", "seal a pump north:0.6", "true", "true", "false"]),
}
"""How many rows each table must show, and cells that stand side by side in one of them."""


def test_the_saved_statements_are_among_the_favourites(opened: Screen, shots: Path) -> None:
    assert opened.saved() == sorted(called(one.name) for one in statements())
    assert {*GRAPHS, *TABLES} == {one.name for one in statements()}
    opened.shot(shots / "connected.png")


@pytest.mark.parametrize("name", sorted(GRAPHS))
def test_a_statement_shows_a_graph(name: str, opened: Screen, shots: Path) -> None:
    frame = opened.run(called(name))
    nodes = opened.nodes(frame, len(GRAPHS[name]))
    opened.shot(shots / f"{name}.png")
    missing = [start for start in GRAPHS[name] if sum(caption.startswith(start) for caption in nodes) != 1]
    assert missing == [], nodes
    legend = frame.get_by_test_id("vizInspector").inner_text()
    assert {link for link in LINKS[name] if link not in legend} == set(), legend


@pytest.mark.parametrize("name", sorted(TABLES))
def test_a_statement_shows_a_table(name: str, opened: Screen, shots: Path) -> None:
    frame = opened.run(called(name))
    header, *rows = opened.rows(frame)
    opened.shot(shots / f"{name}.png")
    number, cells = TABLES[name]
    returns = next(line for line in _text(name).splitlines() if line.startswith("// returns: "))
    assert header[1:] == returns.removeprefix("// returns: ").split(", ")
    assert len(rows) >= number if name == "novelty_by_week" else len(rows) == number
    assert cells is None or any(_beside(cells, row) for row in rows), rows


def test_kinds_and_outcomes_have_the_colours_of_the_style(opened: Screen, shots: Path) -> None:
    sheet = rules(style())
    nodes = opened.nodes(opened.run(called("hubs")), len(GRAPHS["hubs"]))
    opened.shot(shots / "colours.png")
    labels = {"success": "Success", "fail": "Fail", "mixed": "Mixed", "lesson": "Reflection", "skill, active": "Skill"}
    for caption, (fill, text) in nodes.items():
        rule = sheet[f"node.{labels[caption.partition(' · ')[0]]}"]
        assert (fill, text) == (rule["color"], rule["text-color-internal"]), caption
    assert len({fill for fill, _ in nodes.values()}) == len(labels)


def _text(name: str) -> str:
    return next(one.text for one in statements() if one.name == name)


def _beside(cells: list[str], row: list[str]) -> bool:
    return any(row[at : at + len(cells)] == cells for at in range(len(row)))
