"""`graphmem calibrate` and `graphmem metrics`: how well recall works, and what is set by that."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from graphmem.cli.client import connect
from graphmem.cli.options import By, Domain, Json, Tenant, User
from graphmem.cli.output import note, print_json, say, say_columns

if TYPE_CHECKING:
    from graphmem.measure import Calibration, Metrics, Rollback, Version


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command()(calibrate)
    app.command()(metrics)


def calibrate(
    domain: Annotated[str, typer.Option(help="Field of work; else every question of the scope.")] = "",
    false_hit_rate: Annotated[
        float, typer.Option(help="The false hits allowed per query asked, between 0 and 1.", show_default=True)
    ] = 0.05,
    by: By = "caller",
    rollback: Annotated[bool, typer.Option("--rollback", help="Go back to the version before the active one.")] = False,
    to: Annotated[int | None, typer.Option(min=0, metavar="N", help="With --rollback: to this one; 0 is none.")] = None,
    history: Annotated[bool, typer.Option("--history", help="List all versions.")] = False,
    tenant: Tenant = None,
    user: User = None,
    as_json: Json = False,
) -> None:
    """Set by labelled recalls when to answer, so that false hits stay rare.

    Labels come from `graphmem feedback` and `graphmem judge`. Each calibration
    is a new version, active at once; none is ever deleted.
    """
    if rollback and history:
        raise typer.BadParameter("--rollback and --history exclude each other")
    if to is not None and not rollback:
        raise typer.BadParameter("--to needs --rollback")
    answer: Calibration | Rollback | tuple[Version, ...]
    with connect(tenant, user) as memory:
        if history:
            answer = memory.parameters(domain=domain)
            told = _history(answer)
        elif rollback:
            answer = memory.rollback(domain=domain, version=to)
            told = [[f"version {answer.version} is active" if answer.version else "no version is active"]]
        else:
            answer = memory.calibrate(domain=domain, false_hit_rate=false_hit_rate, by=by)
            told = _calibrated(answer)
            for warning in answer.warnings:
                note(warning)
    if as_json:
        print_json(answer)
    elif told:
        say_columns(told)


def metrics(
    domain: Domain = None,
    prometheus: Annotated[
        bool, typer.Option("--prometheus", help="Print all of it in the text format of Prometheus.")
    ] = False,
    tenant: Tenant = None,
    user: User = None,
    as_json: Json = False,
) -> None:
    """Show decisions and false hits by domain, what became of novel contexts, and which failures recur."""
    if prometheus and as_json:
        raise typer.BadParameter("--prometheus and --json exclude each other")
    with connect(tenant, user) as memory:
        measured = memory.metrics(domain=domain)
        backlog = memory.waiting() if prometheus else None
        scope = memory.scope
    if backlog is not None:
        from graphmem.report.prometheus import exposition
        from graphmem.text import utc_now

        typer.echo(exposition(scope, measured, backlog.waiting, backlog.dead, utc_now()), nl=False)
        return
    if as_json:
        print_json(measured)
        return
    _show(measured)


def _calibrated(done: Calibration) -> list[list[str]]:
    fit, trial = done.fit, done.trial
    shares = f"{fit.false_hits:.1%} answered wrongly, {fit.right_answers:.1%} answered well"
    return [
        [f"version {done.version}", "is active for " + (f"domain {done.domain}" if done.domain else "all questions")],
        ["labelled", f"{done.labelled} recalls: {fit.chosen_on} to choose by, {fit.fitted_on} for θ"],
        ["θ", f"{fit.threshold:.3f}, agreement {fit.agreement:g}, contrast {fit.contrast:g}"],
        ["false hits", f"at most {done.false_hit_rate:.1%} expected; on the labelled: {shares}"],
        ["weights", trial.reason],
    ]


def _history(versions: tuple[Version, ...]) -> list[list[str]]:
    if not versions:
        return []
    rows = [
        [
            f"{one.parameters.version}{' active' if one.active else ''}",
            f"{one.at:%Y-%m-%d %H:%M}",
            one.by,
            f"{one.false_hit_rate:g}",
            str(one.labelled),
            f"{one.parameters.threshold:.3f}",
            "fitted" if one.parameters.weights else "default",
        ]
        for one in versions
    ]
    return [["version", "at", "by", "false hits", "labelled", "θ", "weights"], *rows]


def _show(measured: Metrics) -> None:
    if measured.domains:
        counted = ["asked", "use", "verify", "novel", "labelled", "false_hits"]
        rows = [
            [
                one.domain or "-",
                *(str(getattr(one, name)) for name in counted),
                _percent(one.false_hit_rate),
                str(one.judged),
                _percent(one.precision_at_3),
            ]
            for one in measured.domains
        ]
        say_columns([["domain", *counted, "rate", "judged", "precision@3"], *rows])
    new = measured.conversion
    took = "" if new.days is None else f" after {new.days:.1f} days (median)"
    say(f"{new.contexts} contexts were new, {new.asked_again} asked again, {new.converted} answered since{took}")
    say(f"known before that: {new.one_shot} with one episode, {new.few_shot} with more")
    ends = ", ".join(f"{count} {end}" for end, count in new.zero_shot)
    say(f"attempts without memory: {ends}")
    if measured.patterns:
        rows = [
            [str(one.count), one.domain or "-", f"{one.last_seen:%Y-%m-%d}", one.mode[:80], ", ".join(one.examples)]
            for one in measured.patterns
        ]
        say_columns([["times", "domain", "last", "what went wrong", "memories"], *rows])


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{share:.1%}"
