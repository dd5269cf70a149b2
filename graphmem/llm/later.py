"""A client that is made at its first use, since OpenAI's takes long to import."""

from __future__ import annotations

import json
from collections.abc import Callable
from threading import Lock
from typing import TYPE_CHECKING, Any, Protocol

from graphmem.endpoints import Endpoint

if TYPE_CHECKING:
    import openai

    from graphmem.llm.client import Client

QUOTED = 300  # characters of an endpoint's own words that an error repeats


class Raw(Protocol):
    """An answer as it came over the wire."""

    @property
    def content(self) -> bytes: ...


class CallFailed(Exception):  # noqa: N818 - named for what it says
    """An endpoint gave no answer; `status` is that of HTTP, None where there was none. The key is never shown.

    `otherwise` says that the last request wanted to be asked in another form, and none was left for that.
    """

    def __init__(self, said: str, status: int | None = None, otherwise: bool = False) -> None:
        super().__init__(said)
        self.status = status
        self.otherwise = otherwise


class AskOtherwise(Exception):  # noqa: N818 - named for what it says
    """Raised by a request that was refused for its form, from the refusal: the next one takes another form."""


def without_key(said: str, key: str) -> str:
    """A text in which "[key]" stands for a key, be it as it is or as JSON or Python write it between quotes."""
    for form in written(key):
        said = said.replace(form, "[key]")
    return said


def written(key: str) -> list[str]:
    """How a key can stand in a text, the longest form first: as it is, in Python, in JSON with or without ``\\/``."""
    quoted = json.dumps(key)[1:-1]
    forms = {key, repr(key)[1:-1], quoted, quoted.replace("/", "\\/")} if key else set()
    return sorted(forms, key=len, reverse=True)


class Later:
    """One endpoint, not connected before it is asked; `connect` makes the client, with a clock of its own in tests."""

    def __init__(self, endpoint: Endpoint, connect: Callable[[Endpoint], Client] | None = None) -> None:
        self._endpoint = endpoint
        self._connect = connect
        self._guard = Lock()
        self._client: Client | None = None

    def json(self, request: Callable[[openai.OpenAI], Raw]) -> Any:
        """The JSON that `request` brings, asked again as `Client.json` does. Raises CallFailed."""
        from graphmem.llm.client import Client

        with self._guard:
            if self._client is None:
                self._client = (self._connect or Client)(self._endpoint)
        return self._client.json(request)

    def quoted(self, body: object) -> str:
        """The beginning of an answer that cannot be used, for an error; a key of any length is taken out before."""
        key = self._endpoint.api_key
        said = json.dumps(body, ensure_ascii=False)
        return (without_key(said, key.get_secret_value()) if key else said)[:QUOTED]
