"""A real validator: queries are run on a database with a table whose name is a keyword of SQL."""

from __future__ import annotations

import sqlite3

from graphmem.agent import Augmented, Problem

NAMES = ("Ada", "Bo", "Cy", "Di", "Ed", "Flo", "Gus", "Hal", "Ida", "Jo")
WAYS = (
    "SELECT count(*) FROM order WHERE customer = '{}'",
    "SELECT count(*) FROM orders WHERE customer = '{}'",
    "SELECT count(*) FROM 'order' WHERE buyer = '{}'",
    "SELECT count(*) FROM \"order\" WHERE customer = '{}'",
)


def problem(name: str, **fields: object) -> Problem:
    """The problem to count somebody's orders."""
    return Problem(f"Write an SQL query that counts the orders of {name} in the table order", **fields)  # type: ignore[arg-type]


def generate(asked: Augmented) -> str:
    """What worked in the experience, with another name; else the first way that has not failed there."""
    name = asked.problem.text.split(" of ")[1].split()[0]
    worked, _, failed = asked.experience.partition("What failed")
    for way in WAYS:
        if any(_quoted(way.format(other)) in worked for other in NAMES):
            return way.format(name)
    return next((w for w in WAYS if not any(_quoted(w.format(o)) in failed for o in NAMES)), WAYS[0]).format(name)


def validate(problem: Problem, answer: str) -> tuple[bool, str]:
    """Whether the query runs and counts two orders."""
    with sqlite3.connect(":memory:") as shop:
        shop.execute('CREATE TABLE "order" (customer TEXT)')
        name = problem.text.split(" of ")[1].split()[0]
        shop.executemany('INSERT INTO "order" VALUES (?)', [(name,), (name,), ("nobody",)])
        try:
            rows = shop.execute(answer).fetchall()
        except sqlite3.Error as error:
            return False, f"sqlite says: {error}"
    shop.close()
    return rows == [(2,)], f"the query gives {rows}"


def _quoted(text: str) -> str:
    return text.replace('"', '\\"')
