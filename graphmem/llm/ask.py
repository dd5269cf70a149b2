"""A prompt put to any language model, so that what goes wrong is told in one way."""

from __future__ import annotations

from graphmem.errors import ConfigurationError, GraphmemError, ReflectionError
from graphmem.llm.protocol import Completion, Llm, Prompt


def ask(llm: Llm | None, prompt: Prompt) -> Completion:
    """The model's answer.

    Raises ConfigurationError without a model, ReflectionError, with its cause, when the model is away.
    """
    if llm is None:
        raise ConfigurationError("no language model is in use: set GRAPHMEM_LLM__MODEL, or give one as Memory(llm=…)")
    try:
        completion: object = llm.complete(prompt)
    except GraphmemError:
        raise
    except Exception as error:  # a model of the caller's may raise anything
        raise ReflectionError(
            f"language model '{llm.name}' gave no answer ({type(error).__name__}: {error})"
        ) from error
    if not isinstance(completion, Completion):
        raise ReflectionError(f"language model '{llm.name}' returned a {type(completion).__name__}, no Completion")
    return completion
