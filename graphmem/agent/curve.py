"""A learning curve as a plain SVG: no library is needed to draw it, any browser shows it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape

from graphmem.agent.cohort import Observation, rate, verdicts_of

_WIDTH, _HEIGHT = 760, 380
_LEFT, _RIGHT, _TOP, _BOTTOM = 56, 190, 44, 48
_POINTS = 400  # of a line, at most
_UNFIT = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")  # what no XML may have

Figure = Callable[[Sequence[Observation]], float | None]


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the curve: what it is called and shows, and how it looks."""

    name: str
    figure: Figure
    style: str


LINES = (
    Line("success", lambda seen: rate(verdicts_of(seen)), 'stroke="#1a7f37" stroke-width="2.5"'),
    Line("novel", lambda seen: rate([one.novel for one in seen]), 'stroke="#6e7781" stroke-dasharray="6 4"'),
    Line("false hits", lambda seen: rate([one.false_hit for one in seen if one.answered]), 'stroke="#cf222e"'),
)


def drawn(seen: Sequence[Observation], window: int, before: int, title: str = "") -> str:
    """The SVG: each rate over the latest `window` problems, after each of them; `before` were seen earlier."""
    head = escape(_UNFIT.sub("?", title) or f"Rates over the latest {window} problems")
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" font-family="sans-serif" '
        f'font-size="12" role="img"><title>{head}</title>',
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="white"/>',
        f'<text x="{_LEFT}" y="24" font-size="14" font-weight="bold">{head}</text>',
        *_grid(len(seen), before),
        *_lines(seen, window),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _grid(number: int, before: int) -> Iterator[str]:
    right, bottom = _WIDTH - _RIGHT, _HEIGHT - _BOTTOM
    for share in (0.0, 0.25, 0.5, 0.75, 1.0):
        y = _y(share)
        yield f'<line x1="{_LEFT}" y1="{y}" x2="{right}" y2="{y}" stroke="#d0d7de"/>'
        yield f'<text x="{_LEFT - 8}" y="{y + 4}" text-anchor="end">{share:.0%}</text>'
    for place in sorted({1, (number + 1) // 2, number}) if number else ():
        x = _x(place, number)
        yield f'<text x="{x}" y="{bottom + 18}" text-anchor="middle">{before + place}</text>'
    yield f'<text x="{(_LEFT + right) / 2}" y="{_HEIGHT - 8}" text-anchor="middle">problems</text>'
    if not number:
        yield f'<text x="{(_LEFT + right) / 2}" y="{_HEIGHT / 2}" text-anchor="middle">no problem yet</text>'


def _lines(seen: Sequence[Observation], window: int) -> Iterator[str]:
    step = max(1, -(-len(seen) // _POINTS))
    places = [*range(1, len(seen), step), len(seen)] if seen else []
    labels: list[tuple[float, str, str]] = []
    for line in LINES:
        found = [(place, line.figure(seen[max(0, place - window) : place])) for place in places]
        points = [(_x(place, len(seen)), _y(value)) for place, value in found if value is not None]
        if points:
            listed = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
            yield f'<polyline fill="none" {line.style} points="{listed}"/>'
            yield f'<circle cx="{points[-1][0]:.1f}" cy="{points[-1][1]:.1f}" r="3" {line.style} fill="white"/>'
            last = next(value for _, value in reversed(found) if value is not None)
            labels.append((points[-1][1], f"{line.name} {last:.0%}", line.style))
    free = float(_TOP)
    for y, text, style in sorted(labels):
        free = max(free, y)
        yield f'<line x1="{_WIDTH - _RIGHT + 12}" y1="{free:.1f}" x2="{_WIDTH - _RIGHT + 36}" y2="{free:.1f}" {style}/>'
        yield f'<text x="{_WIDTH - _RIGHT + 42}" y="{free + 4:.1f}">{escape(text)}</text>'
        free += 18


def _x(place: int, number: int) -> float:
    width = _WIDTH - _RIGHT - _LEFT
    return _LEFT + (width * (place - 1) / (number - 1) if number > 1 else width / 2)


def _y(share: float) -> float:
    return _TOP + (_HEIGHT - _BOTTOM - _TOP) * (1 - share)
