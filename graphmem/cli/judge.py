"""`graphmem judge`: a person looks at what recall finds, and says what is relevant."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from graphmem.cli.client import connect
from graphmem.cli.options import Domain, Json, Tenant, User
from graphmem.cli.output import note, print_json, say
from graphmem.errors import InvalidInput

if TYPE_CHECKING:
    from graphmem.measure import Judged, Judgements
    from graphmem.memory import Memory
    from graphmem.recall import Candidate, Recall

KEYS = {"y": "relevant", "n": "not", "s": "skip", "q": "quit"}


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(judge)


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
    what was judged is told at the end: of the memories judged among the
    first k of a recall, the share that is relevant.
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
                session.add(memory.judge(answer, relevant=relevant or (), irrelevant=irrelevant or ()))
            elif not _asked(memory, answer, session):
                break
    if as_json:
        print_json(session.result())
    else:
        say(session.precision())


class _Session:
    """What was judged so far, and how many of the first k memories that were judged were relevant."""

    def __init__(self, k: int) -> None:
        self.k = k
        self.judged: list[Judged] = []

    def add(self, one: Judged) -> None:
        self.judged.append(one)
        for warning in one.warnings:
            note(warning)

    def result(self) -> Judgements:
        from graphmem.measure import Judgements

        return Judgements.of(self.judged, self.k)

    def precision(self) -> str:
        result = self.result()
        recalls = f"{len(self.judged)} recall{'s' * (len(self.judged) != 1)} judged"
        if result.precision is None:
            return recalls
        return f"{recalls}, precision@{self.k} {result.precision:.2f} ({result.relevant} of {result.ranked})"


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
        session.add(memory.judge(answer, relevant=said["y"], irrelevant=said["n"]))
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
