"""A language model behind the OpenAI protocol (chat completions), wherever it runs."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from graphmem.endpoints import Endpoint
from graphmem.errors import ReflectionError
from graphmem.llm.later import AskOtherwise, CallFailed, Later, Raw
from graphmem.llm.protocol import Completion, Prompt

if TYPE_CHECKING:
    import openai

    from graphmem.llm.client import Client

_BOUNDS = ("maxItems", "maxLength", "minItems", "minLength")
_REFUSED = (400, 422)  # what endpoints answer to a response_format that they do not know
# What they say then; other faults with these statuses, like a prompt that is too long, hold for every form.
_ABOUT_FORM = re.compile(
    r"(?<![a-z])format|responseformat|schema|grammar|structured|\bstrict\b|unsupported|not (?:\w+ )?support|"
    + "|".join(_BOUNDS),
    re.IGNORECASE,
)
_PLAIN = (
    "Answer with one JSON object and nothing else: no prose, no Markdown. It must be valid against this JSON schema:\n"
)


class _Part(BaseModel):
    text: str = ""


class _Message(BaseModel):
    content: str | list[_Part] | None = None
    refusal: str | None = None


class _Choice(BaseModel):
    message: _Message
    finish_reason: str | None = None


class _Usage(BaseModel):
    prompt_tokens: int = 0
    completion_tokens: int = 0


class _Body(BaseModel):
    model_config = ConfigDict(hide_input_in_errors=True)  # it may hold the key

    choices: list[_Choice] = Field(min_length=1)
    model: str | None = None
    usage: _Usage | None = None


class OpenAiLlm:
    """One model at one endpoint.

    The schema goes along as ``response_format``. Endpoints differ in what they know of it, so one that refuses it is
    asked without the bounds of texts and lists, then in plain words; what worked is remembered for the next prompt. All
    of this counts as requests for one answer: where they do not suffice, the next prompt goes on from there.
    """

    def __init__(self, endpoint: Endpoint, connect: Callable[[Endpoint], Client] | None = None) -> None:
        """Nothing is connected yet. `connect` makes the client, one with a clock of its own in tests."""
        self._endpoint = endpoint
        self._client = Later(endpoint, connect)
        self._form = 0

    @property
    def name(self) -> str:
        """The model's name at the endpoint."""
        return self._endpoint.model

    def complete(self, prompt: Prompt) -> Completion:
        """The model's answer. Raises ReflectionError when it gives none, with the endpoint's words."""
        form = self._form

        def request(sdk: openai.OpenAI) -> Raw:
            from openai import APIStatusError

            nonlocal form
            asked: Any = _FORMS[form](prompt)
            try:
                return sdk.chat.completions.with_raw_response.create(model=self.name, **asked)
            except APIStatusError as error:
                if form + 1 == len(_FORMS) or not _refuses_form(error):
                    raise
                form += 1
                raise AskOtherwise from error

        try:
            body = self._client.json(request)
        except CallFailed as error:
            if error.otherwise:
                self._form = form
            raise ReflectionError(f"language model '{self.name}' gave no answer: {error}") from error
        self._form = form
        return self._read(body)

    def _read(self, body: object) -> Completion:
        try:
            read = _Body.model_validate(body)
        except ValidationError as error:
            raise ReflectionError(
                f"language model '{self.name}' at {self._endpoint.base_url} answered no completion: "
                f"{self._client.quoted(body)}"
            ) from error
        first, usage = read.choices[0], read.usage or _Usage()
        content = first.message.content or ""
        return Completion(
            text=content if isinstance(content, str) else "".join(part.text for part in content),
            model=read.model or self.name,
            finish=first.finish_reason or "stop",
            refusal=first.message.refusal or "",
            prompt_tokens=usage.prompt_tokens,
            completion_tokens=usage.completion_tokens,
        )


def _refuses_form(error: openai.APIStatusError) -> bool:
    return error.status_code in _REFUSED and _ABOUT_FORM.search(f"{error.message} {error.body}") is not None


def _messages(system: str, data: str) -> dict[str, Any]:
    return {"messages": [{"role": "system", "content": system}, {"role": "user", "content": data}]}


def _structured(prompt: Prompt, schema: Mapping[str, Any]) -> dict[str, Any]:
    wanted = {"name": prompt.schema_name, "strict": True, "schema": schema}
    return _messages(prompt.system, prompt.data) | {"response_format": {"type": "json_schema", "json_schema": wanted}}


def _bounded(prompt: Prompt) -> dict[str, Any]:
    return _structured(prompt, prompt.schema)


def _unbounded(prompt: Prompt) -> dict[str, Any]:
    return _structured(prompt, _without_bounds(prompt.schema))


def _plain(prompt: Prompt) -> dict[str, Any]:
    return _messages(f"{prompt.system}\n\n{_PLAIN}{json.dumps(prompt.schema)}", prompt.data)


def _without_bounds(part: Any) -> Any:
    if isinstance(part, Mapping):
        return {key: _without_bounds(value) for key, value in part.items() if key not in _BOUNDS}
    return [_without_bounds(value) for value in part] if isinstance(part, list) else part


_FORMS = (_bounded, _unbounded, _plain)
