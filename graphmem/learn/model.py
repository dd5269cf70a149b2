"""Lessons and practices that a language model proposes.

The instructions are files in ``prompts/``, with their version in the name; only they stand in the system's role. What
was stored goes into the user's message, quoted and marked, and the answer is checked as any stranger's would be.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import resources
from typing import Any

from graphmem.errors import ReflectionError
from graphmem.learn import model_schema
from graphmem.learn.drafts import Case, Distilled, Group, Lesson, Reflected, Tie, Usage
from graphmem.learn.model_check import Checker
from graphmem.learn.model_data import data, of_case, of_group, parts
from graphmem.learn.model_reply import Reply, Unreadable, lessons, practice, read
from graphmem.llm import Completion, Prompt
from graphmem.steps import Complete, Stage

VERSION = 1
"""The version of the prompts, which change together."""

_ASKED = 3  # times, before what cannot be read is given up
_CHARACTERS = 4  # of a token, by estimate


@cache
def instructions(task: str) -> str:
    """Our own words for a task, ``reflect`` or ``distil``."""
    return resources.files("graphmem.learn").joinpath("prompts", f"{task}-{VERSION}.md").read_text("utf-8")


class ModelReflector:
    """A reflector on a language model, which answers its `Complete` steps."""

    def __init__(self, model: str, tokens: int = 12_000) -> None:
        """`model` is the model's name, `tokens` the most tokens of memories in one prompt, at four characters each."""
        self._model = model
        self._characters = tokens * _CHARACTERS

    @property
    def name(self) -> str:
        """The model, and the version of the prompts that it is given."""
        return f"{self._model}/reflect-{VERSION}"

    def reflect(self, case: Case) -> Stage[Reflected]:
        """The lessons that the model draws from a case; of a large one, part by part.

        Raises ReflectionError when the model gives nothing that can be read in three answers.
        """
        drawn: list[Lesson] = []
        ties: list[Tie] = []
        warnings: list[str] = []
        usage = Usage()
        for part in parts(case, self._characters):
            records = of_case(part, self._characters)
            reply, used = yield from self._asked("reflect", records, model_schema.REFLECT, lessons)
            checker = Checker(
                attempts=(attempt.id for attempt in (*part.new, *part.known)),
                known=(known.id for known in part.lessons),
            )
            more, linked = checker.lessons(reply.items)
            ties += (tie.model_copy(update={"lesson": tie.lesson + len(drawn)}) for tie in linked)
            drawn += more
            warnings += checker.warnings
            usage += used
        return Reflected(lessons=tuple(drawn), ties=tuple(ties), warnings=tuple(warnings), usage=usage)

    def distil(self, group: Group) -> Stage[Distilled]:
        """The practice that the model finds in a group, or none and why. Raises as `reflect` does."""
        records = of_group(group, self._characters)
        reply, usage = yield from self._asked("distil", records, model_schema.DISTIL, practice)
        checker = Checker(attempts=(), known=())
        if not reply.items:
            reason = checker.reason(reply.reason) or "the model found no practice in common"
            return Distilled(practice=None, reason=reason, warnings=checker.warnings, usage=usage)
        found = checker.practice(reply.items[0])
        return Distilled(practice=found, warnings=checker.warnings, usage=usage)

    def _asked(
        self, task: str, records: list[str], schema: model_schema.Schema, form: Callable[[Any], Reply | None]
    ) -> Stage[tuple[Reply, Usage]]:
        usage, fault = Usage(), ""
        for _ in range(_ASKED):
            prompt = Prompt(instructions(task), data(records, fault), task, schema)
            completion: Completion = yield Complete(prompt)
            usage += Usage(
                requests=1,
                prompt_tokens=completion.prompt_tokens,
                completion_tokens=completion.completion_tokens,
            )
            try:
                return read(completion, form), usage
            except Unreadable as error:
                fault = str(error)
        raise ReflectionError(
            f"model '{self._model}' gave nothing that can be read in {_ASKED} answers ({usage.prompt_tokens} + "
            f"{usage.completion_tokens} tokens); the last one: {fault}",
            (usage.requests, usage.prompt_tokens, usage.completion_tokens),
        )
