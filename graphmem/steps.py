"""The core: a stage is a generator that yields what it needs and returns a value.

A stage never waits and never talks to anything; a runner answers what it yields. So every stage exists once, is
driven the same by `Memory` and `AsyncMemory`, and is tested by sending it rows.

    def touch(id: str) -> Stage[int]:
        rows = yield Read(statement, {"id": id})
        return len(rows)

A `Write` is a list of statements run as one managed transaction and retried as a unit; its answer is a list of
row lists. Nothing is embedded or completed inside it. A step that fails is thrown into the generator, which may
handle it.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Generator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeVar

if TYPE_CHECKING:
    from graphmem.llm import Prompt

T = TypeVar("T")
Row = Mapping[str, Any]
Rows = list[Row]


class Query(Protocol):
    """What a runner must know of a statement."""

    @property
    def name(self) -> str: ...
    @property
    def text(self) -> str: ...
    @property
    def mode(self) -> str: ...


@dataclass(frozen=True, slots=True)
class Call:
    """One statement with its parameters."""

    statement: Query
    parameters: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Read:
    """Ask for the rows of one reading statement: one round trip."""

    call: Call


@dataclass(frozen=True, slots=True)
class Write:
    """Ask for one transaction of statements: the rows of each."""

    calls: Sequence[Call]


@dataclass(frozen=True, slots=True)
class Alone:
    """Ask for one statement outside managed transactions: a schema change, or one with transactions of its own."""

    call: Call


@dataclass(frozen=True, slots=True)
class Embed:
    """Ask for the vectors of texts, in their order."""

    texts: Sequence[str]
    kind: Literal["query", "document"]


@dataclass(frozen=True, slots=True)
class Complete:
    """Ask for a language model's completion of a prompt."""

    prompt: Prompt


Step = Read | Write | Alone | Embed | Complete
Stage = Generator[Step, Any, T]
Progress = Callable[[str, int, int], object]
"""Called with what is being done, and how much of how much is done; the whole is 0 where nobody knows it."""
Answer = Callable[[Step], Any]
AsyncAnswer = Callable[[Step], Awaitable[Any]]


def run(stage: Stage[T], answer: Answer) -> T:
    """Drive a stage to its value, answering each step."""
    try:
        step = next(stage)
        while True:
            try:
                value = answer(step)
            except Exception as error:
                step = stage.throw(error)
            else:
                step = stage.send(value)
    except StopIteration as done:
        return done.value  # type: ignore[no-any-return]  # a generator's return value is untyped here
    finally:
        stage.close()


async def arun(stage: Stage[T], answer: AsyncAnswer) -> T:
    """Drive a stage to its value, awaiting the answer of each step."""
    try:
        step = next(stage)
        while True:
            try:
                value = await answer(step)
            except Exception as error:
                step = stage.throw(error)
            else:
                step = stage.send(value)
    except StopIteration as done:
        return done.value  # type: ignore[no-any-return]
    finally:
        stage.close()
