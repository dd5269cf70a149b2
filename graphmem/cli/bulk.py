"""Recording a whole file: read, stored and told batch by batch, so that its length does not matter."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from itertools import islice

import typer

from graphmem.cli.output import note, say
from graphmem.errors import InvalidInput
from graphmem.memory import Memory
from graphmem.models import AnyItem
from graphmem.record import BATCH, Recorded, Result, accept
from graphmem.redact import Redactor, make_redactor, told
from graphmem.source import Entry, entries

PROGRESS_SECONDS = 2.0


def record_file(memory: Memory, source: str, share: bool, as_json: bool) -> bool:
    """Record what a file holds; whether all of it is stored now, or waits in the outbox."""
    found = entries(source)
    batch = list(islice(found, BATCH))  # before anything is told: of what cannot be read there is nothing to tell
    report = _Report(as_json)
    try:
        while batch:
            report.tell(_recorded(memory, batch, share))
            batch = list(islice(found, BATCH))
    finally:
        report.end()
    if not (report.total or as_json):
        say("no records")
    return report.kept == report.total


def _recorded(memory: Memory, batch: Sequence[Entry], share: bool) -> list[Recorded]:
    redactor = make_redactor(memory.settings)
    read = [_accepted(entry, redactor) for entry in batch]
    answers = iter(memory.record_many([item for item in read if not isinstance(item, Recorded)], share=share))
    return [
        _placed(entry, item if isinstance(item, Recorded) else next(answers))
        for entry, item in zip(batch, read, strict=True)
    ]


def _placed(entry: Entry, answer: Recorded) -> Recorded:
    if not answer.problem or answer.result is Result.QUEUED:
        return answer
    return answer.model_copy(update={"problem": f"{entry.place}: {answer.problem}"})


def _accepted(entry: Entry, redactor: Redactor | None) -> AnyItem | Recorded:
    problem, named = entry.problem, entry.value.get("id") if isinstance(entry.value, dict) else None
    if not problem:
        try:
            return accept(entry.value)  # type: ignore[arg-type]  # it refuses what is no mapping
        except InvalidInput as error:
            problem = str(error)
    id_ = told(redactor, named) if isinstance(named, str) else None
    return Recorded(id=id_, result=Result.INVALID, problem=told(redactor, problem))


class _Report:
    """What became of the records: a JSON array or counts on stdout, problems and progress on stderr.

    Stopped between two batches or within one, the array is whole, and all in it is true.
    """

    def __init__(self, as_json: bool) -> None:
        self.results: Counter[Result] = Counter()
        self.stored = 0
        self._as_json = as_json
        self._told_at = time.monotonic()
        if as_json:
            typer.echo("[", nl=False)

    @property
    def kept(self) -> int:
        return self.stored + self.results[Result.QUEUED]

    @property
    def total(self) -> int:
        return self.results.total()

    def tell(self, answers: Sequence[Recorded]) -> None:
        separator = ",\n" if self.total else "\n"
        self.results.update(answer.result for answer in answers)
        self.stored += sum(answer.stored for answer in answers)
        if self._as_json:
            typer.echo(separator + ",\n".join(answer.model_dump_json() for answer in answers), nl=False)
        queued = [answer.problem for answer in answers if answer.result is Result.QUEUED]
        if queued:
            note(f"{len(queued)} queued: {queued[0]}")
        for answer in answers:
            if answer.problem and answer.result is not Result.QUEUED:
                note(answer.problem)
        if time.monotonic() - self._told_at >= PROGRESS_SECONDS:
            note(f"{self.total} read, {self.stored} stored")
            self._told_at = time.monotonic()

    def end(self) -> None:
        if self._as_json:
            typer.echo("\n]")
        elif self.total:
            say(", ".join(f"{self.results[result]} {result.value}" for result in Result if self.results[result]))
