"""What a redactor is: any object with a name and one method that takes out what must not be kept."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from graphmem.errors import ConfigurationError, RedactionError

PROBE = "nothing to take out"


@dataclass(frozen=True, slots=True)
class Redaction:
    """A text without what was taken out of it, and the kind of each thing that was ("email", "secret", …)."""

    text: str
    found: tuple[str, ...] = ()


@runtime_checkable
class Redactor(Protocol):
    """Takes secrets and personal data out of texts, and leaves everything else as it is.

    What it returns must pass through it unchanged: a text may be redacted more than once.
    """

    @property
    def name(self) -> str:
        """What it is called in messages."""
        ...

    def redact(self, text: str) -> Redaction:
        """The text with a marker in the place of each thing that was found. It may be called from several threads."""
        ...


def check_redactor(redactor: object) -> Redactor:
    """The same object, known to be a redactor. Raises ConfigurationError that names what is missing or unusable."""
    kind = type(redactor).__name__
    if not isinstance(redactor, Redactor):
        missing = [part for part in ("name", "redact") if not hasattr(redactor, part)]
        raise ConfigurationError(f"{kind} is no redactor: give it {' and '.join(missing)}")
    name: object = redactor.name
    if not isinstance(name, str) or not name.strip():
        raise ConfigurationError(f"{kind}.name is {name!r}; give a name")
    try:
        redacted(redactor, PROBE)
    except RedactionError as error:
        raise ConfigurationError(f"{error} (it was tried on a text of ours)") from None
    return redactor


def redacted(redactor: Redactor, text: str) -> Redaction:
    """What a redactor makes of a text. Raises RedactionError, without a word of the text, when it gives none.

    Its own error is not kept as the cause, since that may quote the text.
    """
    try:
        result: object = redactor.redact(text)
    except Exception as error:
        raise RedactionError(f"redactor '{redactor.name}' failed ({type(error).__name__}); nothing was kept") from None
    if (
        not isinstance(result, Redaction)
        or not isinstance(result.text, str)
        or not isinstance(result.found, tuple)
        or not all(isinstance(kind, str) for kind in result.found)
    ):
        raise RedactionError(
            f"redactor '{redactor.name}' returned a {type(result).__name__} that is no Redaction of a text and the "
            "kinds found; nothing was kept"
        )
    return result
