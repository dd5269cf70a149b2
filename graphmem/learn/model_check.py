"""What a model proposed, brought down to what it may propose; everything else is dropped and named.

Whatever stands in an answer, these are all its effects: texts of bounded length, about attempts and lessons that were
offered, and links of a fixed set of kinds.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from graphmem.learn import model_schema as bounds
from graphmem.learn.drafts import Lesson, Practice, Tie
from graphmem.learn.model_reply import Object
from graphmem.models import LinkKind
from graphmem.text import has_words

_SHOWN = 80  # characters of a stray value in a warning
_WARNINGS = 50


class Checker:
    """Checks the items of one answer; `warnings` tells what was dropped or changed."""

    def __init__(self, attempts: Iterable[str], known: Iterable[str]) -> None:
        """`attempts` and `known` are the ids of attempts and lessons that the model was offered."""
        self._attempts = frozenset(attempts)
        self._known = frozenset(known)
        self._warnings: list[str] = []

    @property
    def warnings(self) -> tuple[str, ...]:
        """The warnings so far: the first 50, and how many more there were."""
        more = len(self._warnings) - _WARNINGS
        return (*self._warnings[:_WARNINGS], *((f"and {more} more warnings",) if more > 0 else ()))

    def lessons(self, items: Iterable[Object]) -> tuple[tuple[Lesson, ...], tuple[Tie, ...]]:
        """The lessons that have a source, and their links by place."""
        kept: list[Lesson] = []
        ties: list[Tie] = []
        for number, item in enumerate(items, start=1):
            where = f"lesson {number}"
            if number > bounds.LESSONS:
                self._warn(where, f"only {bounds.LESSONS} are taken; dropped")
                continue
            lesson = self._lesson(item, where)
            if lesson is not None:
                ties += self._ties(item.get("links"), where, len(kept))
                kept.append(lesson)
        return tuple(kept), tuple(ties)

    def practice(self, item: Object) -> Practice:
        """The practice; it has a name and a step, since answers without are not read."""
        where = "practice"
        self._strays(item, bounds.PRACTICE_FIELDS, where)
        return Practice(
            name=self._text(item.get("name"), bounds.NAME, f"{where}, name"),
            steps=self._texts(item.get("steps"), bounds.STEPS, bounds.STEP, f"{where}, steps", repeats=True),
            preconditions=self._labels(item, "preconditions", where),
            quality_notes=self._text(item.get("quality_notes"), bounds.NOTES, f"{where}, quality_notes"),
        )

    def reason(self, given: Any) -> str:
        """Why there is no practice."""
        return self._text(given, bounds.REASON, "reason")

    def _lesson(self, item: Object, where: str) -> Lesson | None:
        self._strays(item, bounds.LESSON_FIELDS, where)
        insight = self._text(item.get("insight"), bounds.INSIGHT, f"{where}, insight")
        if not has_words(insight):
            self._warn(where, "it says nothing; dropped")
            return None
        sources = self._sources(item.get("sources"), where)
        if not sources:
            self._warn(where, "no source is left; dropped")
            return None
        return Lesson(
            insight=insight,
            conditions=self._labels(item, "conditions", where),
            failure_mode=self._text(item.get("failure_mode"), bounds.FAILURE_MODE, f"{where}, failure_mode"),
            guardrails=self._labels(item, "guardrails", where),
            sources=sources,
        )

    def _sources(self, given: Any, where: str) -> tuple[str, ...]:
        kept: dict[str, None] = {}
        for source in given if isinstance(given, list) else [given]:
            if isinstance(source, str) and source.strip() in self._attempts:
                kept[source.strip()] = None
            elif source is not None:
                self._warn(where, f"source {_shown(source)} is no attempt that was offered; dropped")
        return tuple(kept)

    def _ties(self, given: Any, where: str, place: int) -> list[Tie]:
        kept: dict[str, Tie] = {}
        links = given if isinstance(given, list) else [] if given is None else [given]
        for count, link in enumerate(links):
            known = link.get("known") if isinstance(link, dict) else link
            if not isinstance(link, dict) or not isinstance(known, str) or known.strip() not in self._known:
                self._warn(where, f"link to {_shown(known)}, which is no lesson that was offered; dropped")
                continue
            self._strays(link, bounds.LINK_FIELDS, f"{where}, link to {_shown(known)}")
            if count >= bounds.LINKS:
                self._warn(where, f"only {bounds.LINKS} links are taken; dropped {_shown(known)}")
                continue
            kind = self._kind(link.get("kind"), where)
            kept.setdefault(known.strip(), Tie(lesson=place, known=known.strip(), kind=kind))
        return list(kept.values())

    def _kind(self, given: Any, where: str) -> LinkKind:
        try:
            return LinkKind(given.strip().lower() if isinstance(given, str) else given)
        except ValueError:
            self._warn(where, f"{_shown(given)} is no kind of link; taken as 'other'")
            return LinkKind.OTHER

    def _labels(self, item: Object, name: str, where: str) -> tuple[str, ...]:
        return self._texts(item.get(name), bounds.LABELS, bounds.LABEL, f"{where}, {name}")

    def _texts(self, given: Any, most: int, length: int, where: str, repeats: bool = False) -> tuple[str, ...]:
        parts = given if isinstance(given, list) else [given]
        texts = [text for part in parts if has_words(text := self._text(part, length, where))]
        kept = texts if repeats else list(dict.fromkeys(texts))
        if len(kept) > most:
            self._warn(where, f"only {most} of {len(kept)} are taken")
        return tuple(kept[:most])

    def _text(self, given: Any, most: int, where: str) -> str:
        if given is None:
            return ""
        if not isinstance(given, str):
            self._warn(where, f"{_shown(given)} is no text; dropped")
            return ""
        text = given.encode("utf-8", "replace").decode("utf-8").strip()  # half a surrogate pair cannot be stored
        if len(text) <= most:
            return text
        self._warn(where, f"cut from {len(text)} to {most} characters")
        return text[: most - 1].rstrip() + "…"

    def _strays(self, item: Object, fields: frozenset[str], where: str) -> None:
        for name in item:
            if name not in fields:
                self._warn(where, f"{_shown(name)} is nothing that can be asked for; dropped with {_shown(item[name])}")

    def _warn(self, where: str, said: str) -> None:
        self._warnings.append(f"{where}: {said}")


def _shown(value: Any) -> str:
    shown = ascii(value) if not isinstance(value, str) else repr(value)
    return shown if len(shown) <= _SHOWN else shown[: _SHOWN - 1] + "…"
