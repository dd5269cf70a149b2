from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.embed.local import LocalEmbedder
from graphmem.embed.windows import MOST_WINDOWS, estimate_tokens, windows
from graphmem.text import normalise

PROSE = "The pump lost pressure, so the operator closed valve 7 and called the second shift. "


@given(st.text(), st.integers(8, 60), st.integers(1, 6))
def test_windows_are_the_beginning_of_the_text_and_fit(text: str, limit: int, most: int) -> None:
    pieces = windows(text, limit, most)
    assert text.startswith("".join(pieces))
    assert len(pieces) <= most
    assert len(pieces) == most or "".join(pieces) == text
    assert all(piece and estimate_tokens(piece) <= limit for piece in pieces)


def test_a_text_that_fits_is_one_window() -> None:
    assert windows(PROSE, 512) == (PROSE,)


def test_no_word_is_cut_in_two() -> None:
    pieces = windows(PROSE * 200, 100)
    assert len(pieces) == MOST_WINDOWS
    assert all(piece.endswith(" ") for piece in pieces)


def test_text_without_blanks_is_cut_where_the_budget_ends() -> None:
    first, second = windows("会議" * 300, 512, most=2)
    assert len(first) == len(second) == int(510 / 1.8)


def test_one_blank_near_the_start_does_not_waste_the_window() -> None:
    first, *_ = windows("x " + "会" * 1000, 512)
    assert len(first) > 200


@pytest.mark.parametrize(
    "text",
    [
        PROSE,
        "THE PUMP LOST PRESSURE. ",
        "def run(self, x): return self.session[x]['ids'] + 1\n",
        "昨日の会議は大阪で行いました。",
        "下周三在杭州开评审会，请准备材料。",
        "내일 회의는 서울에서 합니다 ",
        "Вчера совещание прошло в Москве. ",
        "عُقد الاجتماع أمس في القاهرة ",
        "2026-01-05T10:22:01Z pod-7f3a9c01d2 restarted 3 times, exit code 137\n",
        "Zm9vYmFyQmF6UXV4MTIz/+Kd9aQpX ",
    ],
)
def test_the_estimate_is_on_the_safe_side_of_the_real_tokenizer(local: LocalEmbedder, text: str) -> None:
    local.embed(["load"])
    assert local._model is not None
    tokenizer = local._model.tokenizer
    piece = windows(normalise(text * 200), local.max_tokens)[0]
    ids = tokenizer.encode(piece, add_special_tokens=True).ids
    assert len(ids) < local.max_tokens, "the tokenizer had to cut the window"
