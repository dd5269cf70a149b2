"""What a language model is: any object with a name and one method."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from graphmem.errors import ConfigurationError


@dataclass(frozen=True, slots=True)
class Prompt:
    """What a model is asked.

    `system` holds graphmem's own instructions and nothing else; `data` is what was stored, marked and quoted, and
    belongs into the user's message. The answer is to be one JSON object of `schema`, which is called `schema_name`.
    """

    system: str
    data: str
    schema_name: str
    schema: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Completion:
    """What a model answered: as it came, not yet read or checked.

    `finish` is why it ended (``stop``, ``length`` when it was cut off, ``content_filter``), `refusal` its words if it
    refused. Tokens are 0 where the endpoint does not tell.
    """

    text: str
    model: str
    finish: str = "stop"
    refusal: str = ""
    prompt_tokens: int = 0
    completion_tokens: int = 0


@runtime_checkable
class Llm(Protocol):
    """Answers prompts."""

    @property
    def name(self) -> str:
        """The model; it stands on what is derived from its answers."""
        ...

    def complete(self, prompt: Prompt) -> Completion:
        """Its answer; it may be called from several threads. Any exception means that there is none."""
        ...


def check_llm(llm: object) -> Llm:
    """The same object, known to be a language model. Raises ConfigurationError that names what is missing."""
    kind = type(llm).__name__
    if not isinstance(llm, Llm):
        missing = [part for part in ("name", "complete") if not hasattr(llm, part)]
        raise ConfigurationError(f"{kind} is no language model: give it {' and '.join(missing)}")
    name: object = llm.name
    if not isinstance(name, str) or not name.strip():
        raise ConfigurationError(f"{kind}.name is {name!r}; give the model's name")
    return llm
