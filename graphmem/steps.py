"""The core: a stage is a generator that yields what it needs and returns a value.

A stage never waits and never talks to anything; a runner answers what it yields. So every stage exists once, is
driven the same by `Memory` and `AsyncMemory`, and is tested by sending it rows.

    def touch(id: str) -> Stage[int]:
        rows = yield Read(statement, {"id": id})
        return len(rows)

A `Write` is a list of statements run as one managed transaction and retried as a unit; its answer is a list of
row lists. Nothing is embedded or completed inside it. A step that fails is thrown into the generator, which may
handle it.

What is asked of the local outbox (`Aside`) is a step too, so no stage touches its file.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Generator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeVar

if TYPE_CHECKING:
    from graphmem.llm import Prompt
    from graphmem.outbox import Entry
    from graphmem.scope import Scope

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


@dataclass(frozen=True, slots=True)
class Knock:
    """Ask whether the store answers, once and without retries: nothing, or StoreUnavailable thrown."""


@dataclass(frozen=True, slots=True)
class Keep:
    """Ask the outbox to keep writes, all of them or none, behind those that it has. Raises OutboxError."""

    entries: Sequence[Entry]


@dataclass(frozen=True, slots=True)
class Turn:
    """Ask to be the one who delivers: a context to leave when done, or None where another did not end in time.

    `patience` is how many seconds to wait for the other.
    """

    patience: float


@dataclass(frozen=True, slots=True)
class Pending:
    """Ask for the oldest entries that wait of a client's scope, in their order; dead letters do not wait."""

    scope: Scope
    most: int = 1


@dataclass(frozen=True, slots=True)
class Settle:
    """Tell the outbox, by the entries' numbers, what was delivered, and why others never can be."""

    delivered: Sequence[int]
    dead: Mapping[int, str]


@dataclass(frozen=True, slots=True)
class Revive:
    """Ask that dead letters wait again, in their old places, or (`drop`) are gone: the count.

    They are those of the client's scope, or with `everything` of all of its tenant.
    """

    scope: Scope
    everything: bool = False
    drop: bool = False


@dataclass(frozen=True, slots=True)
class Count:
    """Ask what waits for this store, and which are dead letters; whose as in `Revive`."""

    scope: Scope
    everything: bool = False


@dataclass(frozen=True, slots=True)
class Forget:
    """Ask that entries are gone from the outbox for good, bytes and all, dead letters too: the count.

    `scope` is the client's: a user's client reaches what goes to that user's own memories, a tenant's client what any
    of its users wrote. Gone are, with `everything`, all of these; else records of a subject among `subjects`, of one of
    the `memories` (the token of its scope, and its id) or learnt from one, and feedback that names one of them, whose
    recall found one or has one of the `traces`, or whose words say one of the `names` (ids, subjects). It waits until
    nobody delivers. Raises OutboxError.
    """

    scope: Scope
    memories: Collection[tuple[str, str]] = ()
    subjects: Collection[str] = ()
    traces: Collection[str] = ()
    names: Collection[str] = ()
    everything: bool = False


Aside = Keep | Turn | Pending | Settle | Revive | Count | Forget
"""What the outbox answers."""
Step = Read | Write | Alone | Knock | Embed | Complete | Aside
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
