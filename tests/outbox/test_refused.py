"""What the store refuses because of one entry concerns that entry alone; any other failure concerns none."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from graphmem.errors import AccessDenied, EmbeddingError, StoreError, StoreUnavailable
from graphmem.outbox import Means, deliver
from graphmem.steps import Aside, Count, Embed, Keep, Knock, Pending, Stage, Step, Write, run
from tests.outbox.test_file import ACME, box, entry


class RefusalError(Exception):
    """As the driver's: with the server's code."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def ready() -> Stage[None]:
    yield from ()


MEANS = Means("", 1.0, iter(map(str, range(10_000))).__next__, ready)


class Store:
    """Answers as a server would that cannot keep some ids."""

    def __init__(self, home: Path, error: StoreError, poison: set[str]) -> None:
        self.box, self.error, self.poison = box(home), error, poison
        self.kept: list[str] = []
        self.writes = 0

    def __call__(self, step: Step) -> Any:
        if isinstance(step, Aside):
            return self.box.answer(step)
        if isinstance(step, Knock):
            return None
        if isinstance(step, Embed):
            raise EmbeddingError("none here")
        assert isinstance(step, Write)
        self.writes += 1
        (rows,) = [call.parameters["rows"] for call in step.calls]
        if self.poison & {row["id"] for row in rows}:
            raise self.error
        self.kept += [row["id"] for row in rows]
        return [[{"position": row["position"], "result": "created", "status": "active"} for row in rows]]


def refused(code: str) -> StoreError:
    error = StoreError("refused the statement")
    error.__cause__ = RefusalError(code)
    return error


def test_one_that_cannot_be_kept_is_found_by_halves(tmp_path: Path) -> None:
    store = Store(tmp_path, refused("Neo.ClientError.Statement.TypeError"), {"e007", "e200"})
    ids = [f"e{n:03}" for n in range(256)]
    store.box.answer(Keep([entry(id_) for id_ in ids]))
    done = run(deliver(ACME, MEANS, 10_000, 0.0), store)
    assert (done.delivered, done.left) == (254, "")
    assert store.kept == [id_ for id_ in ids if id_ not in store.poison]
    assert [letter.id for letter in store.box.answer(Count(ACME)).letters] == sorted(store.poison)
    assert store.writes < 40


@pytest.mark.parametrize(
    "error",
    [
        refused("Neo.DatabaseError.Transaction.TransactionCommitFailed"),
        refused("Neo.ClientError.Statement.SyntaxError"),
        AccessDenied("may not write"),
        StoreUnavailable("gone"),
    ],
    ids=["disk full", "older server", "denied", "away"],
)
def test_what_says_nothing_about_an_entry_leaves_all_waiting(tmp_path: Path, error: StoreError) -> None:
    store = Store(tmp_path, error, {"b"})
    store.box.answer(Keep([entry("a"), entry("b"), entry("c")]))
    if isinstance(error, StoreUnavailable):
        done = run(deliver(ACME, MEANS, 10_000, 0.0), store)
        assert (done.left, done.away) == ("gone", error)
    else:
        with pytest.raises(type(error)) as caught:
            run(deliver(ACME, MEANS, 10_000, 0.0), store)
        assert caught.value is error
    assert [one.id for one in store.box.answer(Pending(ACME, most=9))] == ["a", "b", "c"]
    assert store.box.answer(Count(ACME)).dead == 0
