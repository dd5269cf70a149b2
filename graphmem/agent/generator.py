"""Answers of a language model to problems, with the experience that was retrieved as quoted data."""

from __future__ import annotations

from functools import cache
from importlib import resources
from typing import Any

from graphmem.agent.bounds import cut
from graphmem.agent.problem import Answer, Augmented
from graphmem.learn.model_data import data, marked
from graphmem.learn.model_reply import Reply, read
from graphmem.llm import Llm, Prompt, ask, check_llm
from graphmem.redact import Redactor, clean
from graphmem.text import has_words

VERSION = 1
"""The version of the prompt."""

ANSWER, REASONING, USED = 20_000, 1000, 10  # the most of each
_SCHEMA = {
    "type": "object",
    "properties": {
        "reasoning": {"type": "string", "maxLength": REASONING},
        "answer": {"type": "string", "maxLength": ANSWER},
        "used": {"type": "array", "maxItems": USED, "items": {"type": "string", "maxLength": 200}},
    },
    "required": ["reasoning", "answer", "used"],
    "additionalProperties": False,
}


@cache
def instructions() -> str:
    """Our own words to the model."""
    return resources.files("graphmem.agent").joinpath("prompts", f"solve-{VERSION}.md").read_text("utf-8")


class Generator:
    """A language model as the generator of a deployed agent; problems go to it redacted, if a redactor is given."""

    def __init__(self, llm: Llm, redactor: Redactor | None = None) -> None:
        self._llm = check_llm(llm)
        self._redactor = redactor

    def __call__(self, asked: Augmented) -> Answer:
        """The model's answer. Raises ReflectionError while it is away, and ValueError for what cannot be read."""
        problem = clean(self._redactor, asked.problem.text)[0]
        said = [marked("problem", problem), *([asked.experience] if asked.experience else [])]
        completion = ask(self._llm, Prompt(instructions(), data(said), "answer", _SCHEMA))
        found = read(completion, _form).items[0]
        used = found.get("used")
        return Answer(
            cut(found["answer"].strip(), ANSWER, self._redactor),
            tuple(one for one in used if isinstance(one, str))[:USED] if isinstance(used, list) else (),
            cut(found["reasoning"], REASONING, self._redactor) if isinstance(found.get("reasoning"), str) else "",
        )


def _form(found: Any) -> Reply | None:
    """An object with an answer that has words."""
    fits = isinstance(found, dict) and isinstance(found.get("answer"), str) and has_words(found["answer"])
    return Reply((found,)) if fits else None
