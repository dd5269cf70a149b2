"""The redactor of graphmem: rules for secrets and personal data, and nothing that guesses."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from graphmem.redact.protocol import Redaction

if TYPE_CHECKING:
    from graphmem.redact.spans import Span

PASSES = 5  # a marker may uncover what stands beside it


class RuleRedactor:
    """Finds what has a form of its own: keys and tokens, what is assigned to a password, mail addresses, phone, card
    and account numbers. Each is replaced by its kind in square brackets, ``[email]``.

    It takes time in proportion to the text, whatever the text is.
    """

    def __init__(self, regions: Iterable[str] = ("US",), leave: Iterable[str] = ()) -> None:
        """Phone numbers without a country code are found as they are written in `regions` (ISO 3166).

        Kinds to `leave` alone are secret, email, phone, card, iban and ssn.
        """
        self._regions = tuple(regions)
        self._leave = frozenset(leave)

    @property
    def name(self) -> str:
        """What it is called in messages."""
        return "rules"

    def redact(self, text: str) -> Redaction:
        """The text with a marker in the place of each thing that was found."""
        found: list[str] = []
        for _ in range(PASSES):
            spans = self._spans(text)
            if not spans:
                break
            text = _marked(text, spans)
            found += [span.kind for span in spans]
        return Redaction(text, tuple(found))

    def _spans(self, text: str) -> list[Span]:
        # Imported here: making the patterns takes longer than importing all the rest.
        from graphmem.redact import assigned, personal, tokens
        from graphmem.redact.spans import fold, merged

        folded = fold(text)
        spans: list[Span] = []
        if "secret" not in self._leave:
            spans += tokens.spans(folded.text)
            spans += assigned.spans(folded.text)
        spans += personal.spans(folded.text, self._regions)
        return merged(folded.back(span) for span in spans if span.kind not in self._leave)


def _marked(text: str, spans: list[Span]) -> str:
    parts, after = [], 0
    for span in spans:
        parts += [text[after : span.start], f"[{span.kind}]"]
        after = span.end
    return "".join([*parts, text[after:]])
