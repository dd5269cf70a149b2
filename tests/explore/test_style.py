"""The GraSS style sheet: what is told apart by colour, and whether it can be read in both of Browser's themes."""

from __future__ import annotations

import re
from itertools import combinations

import pytest

from graphmem.explore import rules, style
from graphmem.models import Kind, Outcome

SHEET = rules(style())
CANVAS = {"light": "#F9FCFF", "dark": "#292C33"}  # as Browser paints what is behind a graph
LABELS = ["Episode", "Reflection", "Skill", "Recall", "Parameters", "Rule", "Job"]
OUTCOMES = ["Success", "Mixed", "Fail", "Unknown"]
EDGES = ["RETURNED", "MISLED", "CORRECTS", "DERIVES", "GENERALIZES", "RELATES"]


def _luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    """The contrast ratio of WCAG 2.2, from 1 to 21."""
    light, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _lab(colour: str) -> tuple[float, float, float]:
    linear = [((part / 255 + 0.055) / 1.055) ** 2.4 if part > 10 else part / 255 / 12.92
              for part in (int(colour[at : at + 2], 16) for at in (1, 3, 5))]  # fmt: skip
    matrix = ((0.4124, 0.3576, 0.1805), (0.2126, 0.7152, 0.0722), (0.0193, 0.1192, 0.9505))
    white = (0.9505, 1.0, 1.089)
    x, y, z = (
        (lambda t: t ** (1 / 3) if t > 0.008856 else 7.787 * t + 16 / 116)(
            sum(a * b for a, b in zip(row, linear, strict=True)) / w
        )
        for row, w in zip(matrix, white, strict=True)
    )
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def difference(one: str, other: str) -> float:
    """How far apart two colours are in CIELAB (1976); above 10 nobody takes one for the other side by side."""
    return sum((a - b) ** 2 for a, b in zip(_lab(one), _lab(other), strict=True)) ** 0.5


def test_every_label_and_every_edge_has_a_rule_of_one_class() -> None:
    """A label without a rule gets one from Browser, which would outrank those of the other labels of a node."""
    assert {*SHEET} == {
        "node", "node.Memory", "relationship", *(f"node.{label}" for label in LABELS + OUTCOMES),
        *(f"relationship.{edge}" for edge in EDGES),
    }  # fmt: skip
    assert {kind.value.capitalize() for kind in Kind} < {*LABELS}
    assert {outcome.value.capitalize() for outcome in Outcome} == {*OUTCOMES}
    order = list(SHEET)
    assert max(order.index(f"node.{name}") for name in ("Memory", "Episode")) < order.index("node.Success")


@pytest.mark.parametrize(
    ("one", "other"),
    [*combinations([*OUTCOMES, *(name for name in LABELS if name != "Episode")], 2)],
)
def test_kinds_and_outcomes_are_told_apart_by_colour(one: str, other: str) -> None:
    assert difference(SHEET[f"node.{one}"]["color"], SHEET[f"node.{other}"]["color"]) > 20


def test_an_episode_of_no_known_outcome_looks_like_one_that_is_not_marked_yet() -> None:
    assert SHEET["node.Episode"]["color"] == SHEET["node.Unknown"]["color"]


@pytest.mark.parametrize("name", [name for name in SHEET if name.startswith("node")])
def test_captions_are_readable_and_nodes_stand_out_in_both_themes(name: str) -> None:
    rule = SHEET[name]
    assert contrast(rule["color"], rule["text-color-internal"]) >= 4.5
    for canvas in CANVAS.values():
        assert max(contrast(rule["color"], canvas), contrast(rule["border-color"], canvas)) >= 3
    assert name == "node" or "{" in rule["caption"]


@pytest.mark.parametrize("name", [name for name in SHEET if name.startswith("relationship")])
def test_edges_stand_out_in_both_themes(name: str) -> None:
    for canvas in CANVAS.values():
        assert contrast(SHEET[name]["color"], canvas) >= 3


def test_the_sheet_is_one_that_browser_can_read() -> None:
    """Its parser splits at each colon and semicolon, quoted or not, and knows no comments."""
    for properties in SHEET.values():
        assert not any(set(":;'\"/*") & set(value) for value in properties.values())
    written = "".join(
        f"{selector}{{{''.join(f'{name}:{value};' for name, value in body.items())}}}"
        for selector, body in SHEET.items()
    )
    assert re.sub(r"['\s]", "", style()) == re.sub(r"['\s]", "", written)
