"""`graphmem calibrate`, `graphmem metrics` and `graphmem judge`: how well recall works, and what is set by that."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from graphmem.cli.client import connect
from graphmem.cli.options import By, Domain, Json, Tenant, User
from graphmem.cli.output import note, print_json, say, say_columns
from graphmem.errors import InvalidInput

if TYPE_CHECKING:
    from graphmem.measure import Calibration, Judged, Metrics, Rollback, Version
    from graphmem.memory import Memory
    from graphmem.recall import Candidate, Recall

KEYS = {"y": "relevant", "n": "not", "s": "skip", "q": "quit"}


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command()(calibrate)
    app.command()(metrics)
    app.command()(judge)


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


def metrics(domain: Domain = None, tenant: Tenant = None, user: User = None, as_json: Json = False) -> None:
    """Show decisions and false hits by domain, what became of novel contexts, and which failures recur."""
    with connect(tenant, user) as memory:
        measured = memory.metrics(domain=domain)
    if as_json:
        print_json(measured)
        return
    _show(measured)


def judge(
    task: Annotated[str | None, typer.Argument(help="A task to ask for, in plain words.", show_default=False)] = None,
    file: Annotated[Path | None, typer.Option(help="Ask for the tasks of this file, one a line.")] = None,
    recall: Annotated[str | None, typer.Option(metavar="ID", help="Judge this recall, which has a receipt.")] = None,
    relevant: Annotated[
        list[str] | None, typer.Option(metavar="ID", help="A memory that is relevant; may be given again.")
    ] = None,
    irrelevant: Annotated[
        list[str] | None, typer.Option(metavar="ID", help="A memory that is not; may be given again.")
    ] = None,
    domain: Domain = None,
    limit: Annotated[int, typer.Option(min=1, max=100, help="k, the memories to judge of each recall.")] = 3,
    tenant: Tenant = None,
    user: User = None,
    as_json: Json = False,
) -> None:
    """Judge which memories are relevant to a task, one by one; calibration learns from it.

    With --relevant and --irrelevant nothing is asked. The precision@k of
    what was judged is printed at the end.
    """
    named = relevant or irrelevant
    if sum(given is not None for given in (task, file, recall)) != 1:
        raise typer.BadParameter("give a task, --file or --recall")
    if recall is not None and not named:
        raise typer.BadParameter("--recall needs --relevant or --irrelevant")
    if file is not None and named:
        raise typer.BadParameter("--file asks for each memory; leave out --relevant and --irrelevant")
    session = _Session(limit)
    with connect(tenant, user) as memory:
        if recall is not None:
            session.add(memory.judge(recall, relevant=relevant or (), irrelevant=irrelevant or ()))
        for text in _tasks(file) if file is not None else [] if task is None else [task]:
            answer = memory.recall(text, domain=domain, limit=limit, receipt=True)
            if named:
                session.add(memory.judge(answer, relevant=relevant or (), irrelevant=irrelevant or ()), answer)
            elif not _asked(memory, answer, session):
                break
    if as_json:
        print_json(session.judged)
    else:
        say(session.precision())


@dataclass
class _Session:
    """What was judged so far, and how many of the first k memories were relevant."""

    k: int
    judged: list[Judged] = field(default_factory=list)
    good: int = 0
    seen: int = 0

    def add(self, one: Judged, answer: Recall | None = None) -> None:
        self.judged.append(one)
        first = {candidate.id for candidate in (answer.candidates[: self.k] if answer else ())}
        self.good += len(first.intersection(one.relevant))
        self.seen += len(first.intersection((*one.relevant, *one.irrelevant)))

    def precision(self) -> str:
        recalls = f"{len(self.judged)} recall{'s' * (len(self.judged) != 1)} judged"
        if not self.seen:
            return recalls
        return f"{recalls}, precision@{self.k} {self.good / self.seen:.2f} ({self.good} of {self.seen})"


def _asked(memory: Memory, answer: Recall, session: _Session) -> bool:
    """Ask about the first memories of a recall and write what is said; whether to go on to the next one."""
    note(f"{answer.request.text} ({answer.decision.value})")
    said: dict[str, list[str]] = {"y": [], "n": []}
    key = ""
    for place, candidate in enumerate(answer.candidates[: session.k], 1):
        note(f"{place}. {_shown(memory, candidate)}")
        key = _key()
        if key == "q":
            break
        if key in said:
            said[key].append(candidate.id)
    if not answer.candidates:
        note("nothing was found to judge")
    if any(said.values()):
        session.add(memory.judge(answer, relevant=said["y"], irrelevant=said["n"]), answer)
        note(session.precision())
    return key != "q"


def _shown(memory: Memory, candidate: Candidate) -> str:
    text = memory.get(candidate.id).memory.searchable()
    return f"{candidate.kind.value} {candidate.id}: {text[:1000]}{'…' if len(text) > 1000 else ''}"


def _key() -> str:
    """One of the keys; the end of the input quits."""
    while True:
        note(", ".join(f"{key} {meaning}" for key, meaning in KEYS.items()))
        line = sys.stdin.readline()
        key = line.strip().casefold()[:1] if line else "q"
        if key in KEYS:
            return key


def _tasks(file: Path) -> Iterator[str]:
    try:
        lines = file.read_text("utf-8-sig").splitlines()
    except (OSError, ValueError) as error:
        raise InvalidInput(f"file {str(file)!r} cannot be read: {error}") from error
    return (line for line in lines if line.strip())


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
            [one.domain or "-", *(str(getattr(one, name)) for name in counted), _percent(one.false_hit_rate)]
            for one in measured.domains
        ]
        say_columns([["domain", *counted, "rate"], *rows])
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
