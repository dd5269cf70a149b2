"""The readable page of a proof: one HTML file with the learning curve and all tables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape

from graphmem.demo.proof import figures
from graphmem.demo.proof.draws import LIST, NEAREST, Size, meaning
from graphmem.demo.proof.proof import Proof
from graphmem.measure.bootstrap import Estimate
from graphmem.measure.evaluate.plots import lines

_STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; max-width: 1100px; margin: 2em auto; padding: 0 1em; color: #222 }
table { border-collapse: collapse; margin: 1em 0; font-size: 13px } th, td { padding: 3px 9px; text-align: right }
th { border-bottom: 1px solid #888; font-weight: 600 } td:first-child, th:first-child { text-align: left }
tr:nth-child(even) { background: #f6f6f4 } small { color: #777 } svg { width: 700px; max-width: 100% }
"""


def page(proof: Proof, size: Size, tasks: Sequence[str], planner: str = "") -> str:
    """The HTML; `planner` is the language model that planned, if one did."""
    parts = (
        "".join(f"<p>{escape(line)}.</p>" for line in size.lines(tasks, planner)),
        _curve(proof, size),
        "<h2>Conditions</h2><p>In points, with 95 % bootstrap intervals over the variations.</p>",
        _table(("condition", "what it is", "best", "final", "lost", "runs"), _conditions(proof, size)),
        "<h2>Differences</h2><p>Best scores on the same variations, paired.</p>",
        _table(
            ("condition", "than", "difference"),
            (
                (one.condition, one.than, _estimate(one.best, "+"))
                for one in figures.steps(proof, size.rounds, size.seed)
            ),
        ),
        "<h2>Recall</h2><p>answered: runs for which recall gave anything; false hits: of these, the memory followed "
        "first is of another kind of task; converted: of what was novel to the empty memory, answered now; gained: of "
        "these, with a better score than the empty memory's.</p>",
        _table(
            ("condition", "episodes", "answered", "false hits", "converted", "gained"),
            (
                (name, str(dict(proof.episodes)[name]), *(f"{100 * value:.0f} %" for value in values))
                for name, found in proof.recalled
                for values in [(found.answered, found.false, found.converted, found.gained)]
            ),
        ),
        "<h2>Own life</h2>",
        _table(
            ("round", "lived", "corrected", "lessons", "skills"),
            (
                (str(one.number), *map(str, (len(one.lives), one.corrected, one.lessons, one.skills)))
                for one in proof.rounds
            ),
        ),
        "<h2>Retries</h2><p>The training variations of the first round, played again.</p>",
        _table(
            ("try", "best", "final", "lost"),
            (
                (name, _estimate(found.best), _estimate(found.final), str(found.lost))
                for name, found in figures.retries(proof, size.seed).items()
            ),
        ),
        _tasks("best", figures.by_task(proof, lambda run: run.best)),
        _tasks("final", figures.by_task(proof, lambda run: run.final)),
    )
    return (
        '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>ScienceWorld with graphmem</title>'
        f"<style>{_STYLE}</style></head><body><h1>ScienceWorld with graphmem</h1>{''.join(parts)}</body></html>\n"
    )


def _curve(proof: Proof, size: Size) -> str:
    most = float(max(count for _, count in proof.episodes) or 1)
    found = {name: figures.scores(proof.of(name), size.seed) for name in proof.conditions()}
    curves = {
        "best": [(float(count), found[name].best.value / 100) for name, count in proof.episodes],
        "final": [(float(count), found[name].final.value / 100) for name, count in proof.episodes],
    }
    for name in (LIST, NEAREST):
        level = found[name].best.value / 100
        curves[name] = [(0.0, level), (most, level)]
    return lines("mean score / 100", "episodes in memory", curves, most)


def _conditions(proof: Proof, size: Size) -> Iterable[Sequence[str]]:
    for name in proof.conditions():
        runs = proof.of(name)
        found = figures.scores(runs, size.seed)
        yield name, meaning(name), _estimate(found.best), _estimate(found.final), str(found.lost), str(len(runs))


def _tasks(what: str, found: Mapping[str, Mapping[str, float]]) -> str:
    names = list(next(iter(found.values()), {}))
    rows = ((task, *(f"{values.get(name, 0):.0f}" for name in names)) for task, values in found.items())
    return f"<h2>By task, {what} score</h2>" + _table(("task", *names), rows)


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    top = "".join(f"<th>{escape(name)}</th>" for name in head)
    body = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<table><tr>{top}</tr>{body}</table>"


def _estimate(one: Estimate, sign: str = "") -> str:
    return f"{one.value:{sign}.1f} ({one.low:{sign}.1f} to {one.high:{sign}.1f})"
