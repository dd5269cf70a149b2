"""Alerts of the kubernetes-mixin and two trees of runbooks (prometheus-operator, OpenShift)."""

from __future__ import annotations

import re
from pathlib import Path

from graphmem.errors import InvalidInput
from graphmem.measure.evaluate.data import Ask, DataSet, Known, Stage, neutral_id
from graphmem.measure.evaluate.read import json_lines
from graphmem.models import Skill
from graphmem.text import has_words

_FRONT = re.compile(r"\A---\n.*?\n---\n", re.DOTALL)
_HEADING = re.compile(r"^##\s", re.MULTILINE)


def load(folder: Path, seed: int) -> DataSet:
    """Read ``alerts.jsonl`` and the ``*.md`` files of `folder`; nothing is drawn, so the seed plays no part.

    Each runbook is a Skill that its authors approved: its sections are the steps, its first line the name. The names of
    all alerts and runbooks are taken out of the documents, and so is front matter, whose title spells the name; pages
    that only list others (``_index.md``) are left out. An alert asks with its summary and description; the listed paths
    are relevant. Alerts that list no runbook, or say nothing, are not asked. Raises InvalidInput when a file is
    missing, or a listed path is none of the documents.
    """
    alerts = json_lines(folder / "alerts.jsonl", ("alert", "summary", "description", "runbooks"))
    paths = sorted(path for path in folder.rglob("*.md") if path.name != "_index.md")
    names = {path.stem for path in paths} | {line["alert"] for line in alerts}
    name = re.compile("|".join(sorted(map(re.escape, names), key=len, reverse=True)) or r"(?!)", re.IGNORECASE)
    known = []
    for path in paths:
        text = name.sub("", _FRONT.sub("", path.read_text("utf-8")))
        if has_words(text):
            where = path.relative_to(folder).as_posix()
            known.append(Known(_skill(where, text), where))
    there = {one.group for one in known}
    asks = []
    for number, line in enumerate(alerts):
        text = " ".join(part for part in (line["summary"], line["description"]) if part)
        lost = [path for path in line["runbooks"] if path not in there]
        if lost:
            raise InvalidInput(f"{folder / lost[0]} is not there, but alert {line['alert']} lists it; download it too")
        if line["runbooks"] and has_words(text):
            asks.append(Ask(neutral_id("alert", number), text, frozenset(line["runbooks"])))
    return DataSet("runbooks", (Stage(tuple(known), tuple(asks)),))


def _skill(where: str, text: str) -> Skill:
    sections = [part.strip() for part in _HEADING.split(text) if has_words(part)]
    return Skill(
        id=neutral_id("runbook", where),
        name=next(line for line in sections[0].splitlines() if has_words(line)),
        steps=tuple(sections),
        approved_by="the authors of the runbooks",
    )
