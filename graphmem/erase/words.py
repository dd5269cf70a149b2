"""The words that a memory says, to tell what only the erased said from what others say too."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from typing import Any
from unicodedata import normalize

from graphmem.govern.mentions import SPACELESS, UNSEEN, mentions, plain, spaced
from graphmem.models import KINDS
from graphmem.record.properties import JSON_FIELDS
from graphmem.text import normalise

SHORTEST = 3  # letters of a word that can tell anything
_CATEGORIES = frozenset({"id", "sources", "domain", "task_type", "toolchain", "trace_id", "outcome", "version"})
SAID = frozenset(name for kind in KINDS.values() for name in kind.model_fields) - _CATEGORIES
"""Properties that are texts of a caller's, and neither names of memories and traces nor categories."""

_STOP = (
    "about above after again against all also and any are because been before being below between both but can cannot "
    "could did does doing done down during each else ever every few for from further had has have having her here hers "
    "him his how however into its itself just less let many may might more most much must nor not now off once one "
    "only onto other our out over own per same she should since some such than that the their them then there these "
    "they this those through thus too under until upon use used using very via was were what when where whether which "
    "while who whom whose why will with within without would yet you your "
    # the words that the rules of reflection and distillation use themselves
    "avoid check checks failed failure failures going instead it known leave number success succeeded techniques "
    "time worked"
)
STOP = frozenset(_STOP.split())
"""Words that say nothing of anybody."""

_WORD = re.compile(r"\w+")
_UNSEEN = rf"\p{{Cf}}{UNSEEN}"
_LETTER = rf"[\p{{L}}\p{{M}}\p{{N}}_&&[^{SPACELESS}]]"  # that goes on with a word before or after it
_SPACELESS = re.compile(f"[{SPACELESS}]+")


def words(texts: Iterable[str]) -> frozenset[str]:
    """The distinct words of texts in one case, without stop words and those of fewer than SHORTEST letters.

    Of scripts that are written without spaces, each pair of neighbours is a word.
    """
    found: set[str] = set()
    for text in texts:
        for run in _WORD.findall(normalise(text).casefold()):
            for dense in _SPACELESS.findall(run):
                found.update(dense[place : place + 2] for place in range(max(1, len(dense) - 1)))
            found.update(part for part in re.split(_SPACELESS, run) if len(part) >= SHORTEST)
    return frozenset(found - STOP)


def said(node: Mapping[str, Any]) -> frozenset[str]:
    """The words that a memory says, from its node's properties, damaged or not: all its texts, to the last of metadata.

    What it belongs to (domain, task type, toolchain) is a category, and not a text.
    """
    return words(text for name in SAID & node.keys() for text in _texts(name, node[name]))


def names(text: str, called: Iterable[str]) -> bool:
    """Whether a text names one of these memories or subjects: as a whole, in normal form and in that very case."""
    form = plain(text)
    return any(mentions(form, plain(name)) for name in called)


def naming(called: Iterable[str], *, cased: bool = True) -> str:
    """A Java pattern of the whole texts that name one of these, as `names` has it, or (not `cased`) in any case.

    What has another normal form than its letters and marks, such as wide letters, it finds in a text in NFKC alone.
    """
    forms = {form for name in called for text in (name, plain(name)) for form in (text, normalize("NFKD", text))}
    return rf"(?{'' if cased else 'iu'}sU).*(?:{'|'.join(_whole(form) for form in sorted(forms) if form)}).*"


def _whole(name: str) -> str:
    """A Java pattern of a name, whatever white space and invisible characters stand between its characters."""
    spelt = f"[{_UNSEEN}]*".join(rf"[\s{_UNSEEN}]+" if char.isspace() else rf"\x{{{ord(char):x}}}" for char in name)
    before, after = (_LETTER if spaced(char) else "" for char in (name[0], name[-1]))
    return (f"(?<!{before})" if before else "") + spelt + r"(?!\p{M})" + (f"(?!{after})" if after else "")


def _texts(name: str, value: Any) -> Iterator[str]:
    if name in JSON_FIELDS and isinstance(value, str):
        with suppress(ValueError):  # a damaged node is read as it is
            value = json.loads(value)
        if name == "trajectory" and isinstance(value, list):  # the names of its fields are nobody's words
            value = [list(step.values()) if isinstance(step, dict) else step for step in value]
    elif isinstance(value, int | float):
        return
    yield from _strings(value)


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield str(value)
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _strings(key)
            yield from _strings(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _strings(inner)
