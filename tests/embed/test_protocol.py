from __future__ import annotations

import math
from types import SimpleNamespace
from typing import Any

import pytest

from graphmem.embed import Embedder, check_embedder, default_threshold, make_embedder, token_limit
from graphmem.embed.local import LocalEmbedder
from graphmem.errors import ConfigurationError
from graphmem.settings import load_settings
from tests.embedders import AwayEmbedder, ConstantEmbedder, HashEmbedder, StrictEmbedder, TableEmbedder


def embedder(**changes: Any) -> Any:
    return SimpleNamespace(**{"name": "n", "dimensions": 3, "embed": lambda texts, kind: []} | changes)


@pytest.mark.parametrize(
    "good",
    [
        HashEmbedder(),
        TableEmbedder({"a": [1.0]}),
        ConstantEmbedder([1.0]),
        AwayEmbedder(),
        StrictEmbedder(),
        embedder(),
        embedder(dimensions=4096),
        embedder(threshold=0, max_tokens=8),
    ],
)
def test_any_object_with_the_three_parts_is_an_embedder(good: Embedder) -> None:
    assert check_embedder(good) is good


@pytest.mark.parametrize(
    ("bad", "says"),
    [
        (object(), "object is no embedder: give it name and dimensions and embed"),
        (SimpleNamespace(name="n", dimensions=3), "give it embed"),
        (embedder(name=" "), "name is ' '"),
        (embedder(dimensions=0), "dimensions of embedder 'n' is 0"),
        (embedder(dimensions=4097), "4097"),
        (embedder(dimensions=3.0), "3.0"),
        (embedder(dimensions=True), "True"),
        (embedder(threshold=1.2), "threshold of embedder 'n' is 1.2"),
        (embedder(threshold=math.nan), "nan"),
        (embedder(threshold="0.5"), "'0.5'"),
        (embedder(max_tokens=0), "max_tokens of embedder 'n' is 0"),
        (embedder(max_tokens=None), "None"),
    ],
)
def test_what_is_no_usable_embedder_is_refused_by_name(bad: object, says: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        check_embedder(bad)
    assert says in str(caught.value)


def test_optional_attributes_have_defaults() -> None:
    assert default_threshold(embedder()) is None
    assert default_threshold(embedder(threshold=1)) == 1.0
    assert token_limit(embedder()) == 512
    assert token_limit(embedder(max_tokens=8191)) == 8191


def test_the_settings_choose_the_embedder() -> None:
    local = make_embedder(load_settings())
    assert isinstance(local, LocalEmbedder)
    assert check_embedder(local).name == load_settings().embedding.model
    assert make_embedder(load_settings(embedding={"model": "none"})) is None


def test_an_unknown_model_is_refused_with_the_choices() -> None:
    with pytest.raises(ConfigurationError, match=r"'nomic'; the choices are 'bge-small-en-v1\.5' and 'none'"):
        make_embedder(load_settings(embedding={"model": "nomic"}))
