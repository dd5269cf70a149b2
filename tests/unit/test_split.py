"""Labels that are set apart: the same ones in any order, none twice."""

from __future__ import annotations

from dataclasses import dataclass

from hypothesis import given
from hypothesis import strategies as st

from graphmem.measure.split import split


@dataclass(frozen=True)
class One:
    id: str


def test_the_parts_do_not_depend_on_the_order() -> None:
    items = [One(f"r{n}") for n in range(100)]
    third, rest = split(items)
    assert (len(third), len(rest)) == (33, 67)
    assert split(items[::-1]) == (third, rest)
    assert [one.id for one in third] != [f"r{n}" for n in range(33)]  # nor are they the first ones


@given(st.sets(st.text(min_size=1, max_size=4), max_size=40))
def test_everything_is_in_one_part(ids: set[str]) -> None:
    third, rest = split([One(id_) for id_ in ids])
    assert len(third) == len(ids) // 3
    assert sorted(one.id for one in [*third, *rest]) == sorted(ids)
