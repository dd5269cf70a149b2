"""Plots as SVG, written by hand: a page that needs no file, no script and no library."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from html import escape

from graphmem.measure.bootstrap import Estimate

COLOURS = (
    "#1b7f4b",
    "#3465a4",
    "#c17d11",
    "#75507b",
    "#888a85",
    "#6cc49a",
)  # in the order of the systems, graphmem first
_WIDTH, _HEIGHT, _LEFT, _TOP, _BOTTOM = 560, 240, 44, 26, 40


def bars(title: str, systems: Mapping[str, Mapping[str, Estimate]], metrics: Sequence[str]) -> str:
    """Groups of bars, one a metric, one bar a system, with its interval; values are in [0, 1]."""
    parts = _axes(title)
    width = (_WIDTH - _LEFT) / max(1, len(metrics))
    bar = width * 0.8 / max(1, len(systems))
    for group, metric in enumerate(metrics):
        left = _LEFT + group * width + width * 0.1
        parts.append(_text(left + width * 0.4, _HEIGHT - _BOTTOM + 16, metric, "middle"))
        for place, (name, found) in enumerate(systems.items()):
            one = found.get(metric)
            if one is None or math.isnan(one.value):
                continue
            x = left + place * bar
            parts.append(
                f'<rect x="{x:.1f}" y="{_y(one.value):.1f}" width="{bar * 0.9:.1f}" '
                f'height="{_y(0) - _y(one.value):.1f}" fill="{_colour(place)}">'
                f"<title>{escape(name)} {escape(metric)} {one.value:.3f}</title></rect>"
            )
            if not math.isnan(one.low):
                middle = x + bar * 0.45
                parts.append(_line([(middle, _y(one.low)), (middle, _y(one.high))], "#222"))
    return _figure([*parts, *_legend(list(systems))])


def lines(title: str, x_name: str, curves: Mapping[str, Sequence[tuple[float, float]]], most: float = 1.0) -> str:
    """Lines through points whose y is in [0, 1] and whose x is in [0, `most`]."""
    parts = _axes(title)
    for place, points in enumerate(curves.values()):
        scaled = [(_LEFT + (_WIDTH - _LEFT - 8) * x / most, _y(y)) for x, y in points]
        parts.append(_line(scaled, _colour(place), 2))
    parts += [_text(_LEFT, _HEIGHT - _BOTTOM + 16, "0"), _text(_WIDTH - 8, _HEIGHT - _BOTTOM + 16, f"{most:g}", "end")]
    parts.append(_text((_LEFT + _WIDTH) / 2, _HEIGHT - _BOTTOM + 16, x_name, "middle"))
    return _figure([*parts, *_legend(list(curves))])


def _axes(title: str) -> list[str]:
    parts = [_text(_LEFT, 14, title, weight="bold")]
    for tenth in range(0, 11, 2):
        y = _y(tenth / 10)
        parts += [_line([(_LEFT, y), (_WIDTH, y)], "#ddd"), _text(_LEFT - 6, y + 4, f"{tenth / 10:.1f}", "end")]
    return parts


def _legend(names: Sequence[str]) -> list[str]:
    parts = []
    for place, name in enumerate(names):
        x = _LEFT + place * 84
        parts.append(f'<rect x="{x}" y="{_HEIGHT - 14}" width="10" height="10" fill="{_colour(place)}"/>')
        parts.append(_text(x + 14, _HEIGHT - 5, name))
    return parts


def _figure(parts: Sequence[str]) -> str:
    return f'<svg viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img">{"".join(parts)}</svg>'


def _text(x: float, y: float, words: str, anchor: str = "start", weight: str = "normal") -> str:
    style = f'text-anchor="{anchor}" font-weight="{weight}" font-size="11"'
    return f'<text x="{x:.1f}" y="{y:.1f}" {style}>{escape(words)}</text>'


def _line(points: Sequence[tuple[float, float]], colour: str, width: int = 1) -> str:
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    return f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="{width}"/>'


def _y(value: float) -> float:
    return _TOP + (_HEIGHT - _TOP - _BOTTOM) * (1 - value)


def _colour(place: int) -> str:
    return COLOURS[place % len(COLOURS)]
