"""The readable page: one HTML file that needs nothing else."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from html import escape

from graphmem.fields import DEFAULT_LIMIT
from graphmem.measure.bootstrap import Estimate
from graphmem.measure.evaluate.ablation import Ablated, Limited
from graphmem.measure.evaluate.data import RANKING
from graphmem.measure.evaluate.plots import bars, lines
from graphmem.measure.evaluate.report import PRODUCT, Report

_STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; max-width: 1200px; margin: 2em auto; padding: 0 1em; color: #222 }
table { border-collapse: collapse; margin: 1em 0; font-size: 13px } th, td { padding: 3px 9px; text-align: right }
th { border-bottom: 1px solid #888; font-weight: 600 } td:first-child, th:first-child { text-align: left }
tr:nth-child(even) { background: #f6f6f4 } .best { font-weight: 700 } .worse { color: #a40000 } small { color: #777 }
.plots { display: flex; flex-wrap: wrap; gap: 1em } svg { width: 560px; max-width: 100% } nav a { margin-right: 1em }
"""
_INTRODUCTION = """
<p>Every system answered the same questions about the same memories, on the same vectors and the same full-text index.
<b>vector</b> is exact cosine, <b>fulltext</b> the index alone, <b>rrf</b> their reciprocal rank fusion (k = 60),
<b>random</b> chance; <b>graphmem_fitted</b> orders the answers of graphmem by weights fitted to the other half of
the questions. Small figures are 95 % bootstrap intervals over the questions; bold is the best of a column.</p>
"""
_FEEDBACK = """
<p>Feedback: a memory that came first and was not relevant is blamed, and paraphrases of that question are asked again.
<b>repeat_before_feedback</b> and <b>repeat_after_feedback</b> are the shares of <i>all</i> paraphrases that have it
among their first three, before and after; many never had it. <b>repeat_where_before</b> looks at those alone that had
it, and is the share that has it still. <b>kept_after_feedback</b> is the share of the questions that the memory fits,
and that had it, which kept it. Each blame is taken back before the next.</p>
"""
_UNEXERCISED = """
<p><b>not exercised</b>: the component is the same for all candidates of each question here, so nothing is known of its
worth. specificity needs a context that is asked for, and no set has one that would not give away what is judged;
recency needs memories of different ages, centrality relations between them. false_hit needs feedback that something
misled: it is measured by the repeat_ and kept_ figures, where there are some.</p>
"""
_TRIALS = """
<p>Runs of agents that reflect on failures, lived through again: before each attempt that holds lessons, graphmem is
asked for lessons, and afterwards it is told how the attempt ended, as feedback on those that it held.
<b>attempts_auroc</b> is how well the score of the best recalled lesson predicts that the attempt succeeds (0.5 is
chance), <b>pairs_auroc</b> the same for all ten; <b>graphmem</b> scores them by S, <b>cosine</b> and <b>outcome</b> by
that component alone. <b>…_gain</b> is S less cosine, paired. Intervals are over environments or questions.
<b>solved</b> is the share of the tasks that the runs with and without lessons had solved in the end.</p>
"""
_LOWER_IS_BETTER = ("false_hit@", "repeat_", "latency_", "time_", "decided_by_", "foreign_")


def page(reports: Sequence[Report], seed: int) -> str:
    """The HTML of an evaluation."""
    links = "".join(f'<a href="#{escape(report.name)}">{escape(report.name)}</a>' for report in reports)
    body = "".join(_section(report) for report in reports)
    return (
        f'<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Evaluation of graphmem</title>'
        f"<style>{_STYLE}</style></head><body><h1>Evaluation of graphmem</h1>{_INTRODUCTION}"
        f"<p>Seed {seed}.</p><nav>{links}</nav>{body}</body></html>\n"
    )


def _section(report: Report) -> str:
    every = dict.fromkeys(metric for metrics in report.systems.values() for metric in metrics)
    shared = [metric for metric in every if sum(metric in found for found in report.systems.values()) > 1]
    ranking = [metric for metric in RANKING if metric in shared]
    plots = [bars("ranking", report.systems, ranking)] if ranking else []
    others = [metric for metric in shared if metric not in ranking]
    if others:
        plots.append(bars("abstaining" if ranking else "predicting", report.systems, others))
    if report.curves:
        curves = {name: [(p.coverage, p.risk) for p in points] for name, points in report.curves.items()}
        plots.append(lines("risk: share of the answers that is wrong", "share of questions answered", curves))
    if report.limits:
        most = float(report.limits[-1].limit)
        shown = {
            "recall": [(one.limit, one.recall.value) for one in report.limits],
            "wrong": [(one.limit, one.wrong.value) for one in report.limits],
        }
        if not any(math.isnan(y) for points in shown.values() for _, y in points):
            plots.append(lines("hits of graphmem by limit", "limit", shown, most))
    return "".join(
        (
            f'<h2 id="{escape(report.name)}">{escape(report.name)}</h2>',
            f"<p>{report.known:,} memories, {report.asked:,} questions, {report.seconds:.0f} s.</p>",
            _TRIALS if "attempts_auroc" in every else "",
            "".join(f"<p>{escape(note)}.</p>" for note in report.notes),
            f'<div class="plots">{"".join(plots)}</div>',
            _compared(report, shared),
            _alone(report, [metric for metric in every if metric not in shared]),
            _ablated(report.ablation),
            _limited(report.limits),
        )
    )


def _compared(report: Report, metrics: Sequence[str]) -> str:
    best = {metric: _best(report, metric) for metric in metrics}
    rows = [
        [escape(name), *(_cell(found[m], found[m].value == best[m]) if m in found else "" for m in metrics)]
        for name, found in report.systems.items()
    ]
    versus = {one.metric: one for one in report.versus}
    if versus:
        cells = [
            f"{_signed(versus[m].difference)}<br><small>{escape(versus[m].baseline)}</small>" if m in versus else ""
            for m in metrics
        ]
        rows.append(["graphmem − best baseline, paired", *cells])
    return _table(["system", *metrics], rows)


def _alone(report: Report, metrics: Sequence[str]) -> str:
    rows = [
        [escape(metric), _cell(report.systems[PRODUCT][metric]), str(report.systems[PRODUCT][metric].n)]
        for metric in metrics
    ]
    explained = _FEEDBACK if "repeat_where_before" in metrics else ""
    return explained + _table(["graphmem alone", "value", "n"], rows) if rows else ""


def _ablated(ablation: Sequence[Ablated]) -> str:
    metrics = list(dict.fromkeys(one.metric for one in ablation))
    found = {(one.component, one.metric): one.loss for one in ablation}
    rows = [
        [escape(component), *(_lost(found[component, metric]) for metric in metrics)]
        for component in dict.fromkeys(one.component for one in ablation)
    ]
    explained = _UNEXERCISED if None in found.values() else ""
    head = f"<h3>What is lost without a component of S</h3>{explained}"
    return head + _table(["component", *metrics], rows) if rows else ""


def _limited(limits: Sequence[Limited]) -> str:
    rows = [
        [
            str(one.limit),
            _cell(one.recall),
            _cell(one.wrong),
            _signed(one.recall_gain),
            _signed(one.wrong_gain),
            "default" if one.limit == DEFAULT_LIMIT else "better" if one.better else "",
        ]
        for one in limits
    ]
    head = ["limit", "recall of the hits", "share of wrong hits", "recall gained", "wrong gained", ""]
    return f"<h3>Other limits than {DEFAULT_LIMIT}</h3>" + _table(head, rows) if rows else ""


def _table(head: Iterable[str], rows: Iterable[Sequence[str]]) -> str:
    top = "".join(f"<th>{escape(name)}</th>" for name in head)
    lines_ = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<table><tr>{top}</tr>{lines_}</table>"


def _cell(one: Estimate, best: bool = False) -> str:
    if math.isnan(one.value):
        return "–"
    shown = f"{one.value:.3f}<br><small>{one.low:.3f} to {one.high:.3f}</small>"
    return f'<span class="best">{shown}</span>' if best else shown


def _lost(one: Estimate | None) -> str:
    return "<small>not exercised</small>" if one is None else _signed(one)


def _signed(one: Estimate) -> str:
    if math.isnan(one.value):
        return "–"
    shown = f"{one.value:+.3f}<br><small>{one.low:+.3f} to {one.high:+.3f}</small>"
    return f'<span class="worse">{shown}</span>' if one.high < 0 else shown


def _best(report: Report, metric: str) -> float:
    values = [metrics[metric].value for metrics in report.systems.values() if metric in metrics]
    found = [value for value in values if not math.isnan(value)]
    lower = metric.startswith(_LOWER_IS_BETTER)
    return (min if lower else max)(found, default=math.nan)
