"""The benchmark's own parts: its data, its ratios, its file."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from graphmem import Memory
from graphmem.bench.data import DIMENSIONS, Data
from graphmem.bench.peer import Peer
from graphmem.bench.result import BARS, Result, read
from graphmem.bench.timing import interleaved, percentile, ratio
from graphmem.errors import InvalidInput
from graphmem.measure.bootstrap import Estimate
from graphmem.settings import Connection


def test_the_tenants_have_the_sizes_that_are_measured() -> None:
    sizes = Counter(Data(10_000).tenants)
    assert sizes["small"] == 1_000
    assert sizes["big"] == 5_000
    assert {sizes[name] for name in sizes if name.startswith("other")} <= set(range(195, 206))
    assert Counter(Data(1_000).tenants) == {"small": 1_000}


def test_the_data_is_a_function_of_size_and_seed() -> None:
    one, same, other = Data(2_000), Data(2_000), Data(2_000, seed=1)
    assert [one.text(place) for place in range(50)] == [same.text(place) for place in range(50)]
    assert (one.vectors == same.vectors).all()
    assert one.text(7) != other.text(7)
    assert one.questions("big") == same.questions("big")


def test_vectors_are_unit_and_cluster() -> None:
    data = Data(2_000)
    assert data.vectors.shape == (2_000, DIMENSIONS)
    assert [float(v @ v) for v in data.vectors[:20]] == pytest.approx([1.0] * 20, abs=1e-5)
    weights = [weight for _, _, weight in data.links("small")]
    assert 0.6 < sum(weights) / len(weights) < 0.8


def test_a_question_has_its_nearest_by_definition() -> None:
    data = Data(1_200)
    question = data.questions("big")[0]
    places = data.places("big")
    cosines = {f"m{p}": sum(map(float.__mul__, map(float, data.vectors[p]), question.vector)) for p in places}
    best = sorted(cosines, key=lambda id_: -cosines[id_])[:3]
    assert data.exact("big", question, None, 3) == best
    kept = data.exact("big", question, "ops", 5)
    assert {data.item(int(id_[1:])).domain for id_ in kept} == {"ops"}


def test_every_action_has_its_turn_and_the_warm_ones_do_not_count() -> None:
    seen: list[tuple[str, int]] = []
    taken = interleaved({"a": lambda n: seen.append(("a", n)), "b": lambda n: seen.append(("b", n))}, 3, warm=2)
    assert {name: len(column) for name, column in taken.items()} == {"a": 3, "b": 3}
    assert seen == [(name, n) for n in range(5) for name in ("ab" if n % 2 == 0 else "ba")]


def test_a_ratio_is_that_of_medians_and_lies_in_its_interval() -> None:
    found = ratio([3.0, 2.0, 4.0, 100.0, 3.0], [1.0, 1.0, 2.0, 1.0, 1.0])
    assert found.value == 3.0
    assert found.low <= found.value <= found.high
    assert percentile([1, 2, 3, 4, 5], 0.95) == 5


def test_the_file_of_a_run_reads_back_and_is_compared(tmp_path: Path) -> None:
    run = Result({"load": Estimate(0.9, 0.85, 0.95, 5), "recall_big": Estimate(2.0, 1.9, math.nan, 5)}, {"x ms": 3.0})
    path = tmp_path / "run.json"
    path.write_text(run.to_json())
    assert json.loads(path.read_text())["ratios"]["load"] == {"value": 0.9, "low": 0.85, "high": 0.95}
    back = read(path)
    assert back.ratios["load"].value == 0.9
    assert math.isnan(back.ratios["recall_big"].high)
    lines = list(Result({"load": Estimate(0.7, 0.6, 0.8, 5), **run.ratios}).lines(back))
    assert any("recall_big" in line and "NOT MET" in line and "before 2.000" in line for line in lines)
    assert set(run.ratios) <= set(BARS)


@pytest.mark.parametrize("text", ["", "[]", '{"ratios": {"load": 3}}', '{"ratios": {"load": {"value": "x"}}}'])
def test_a_file_that_is_no_run_is_told(tmp_path: Path, text: str) -> None:
    path = tmp_path / "run.json"
    path.write_text(text)
    with pytest.raises(InvalidInput, match=r"run\.json"):
        read(path)
    with pytest.raises(InvalidInput, match=r"gone\.json"):
        read(tmp_path / "gone.json")


def test_graphmem_as_one_of_several_stores(
    monkeypatch: pytest.MonkeyPatch, at: Connection, tenant: str, cypher: Callable[..., list[dict[str, Any]]]
) -> None:
    data = Data(40)
    (model,) = [row["m"] for row in cypher("MATCH (s:Store) RETURN s.embedding_model AS m")] or [""]
    monkeypatch.setattr("graphmem.bench.peer._Given.name", model)
    assert at.password is not None
    password = at.password.get_secret_value()
    peer = Peer(Memory, at.uri, lambda text: data.vectors[int(text.split()[1])].tolist(), password)
    peer.setup()
    try:
        whose = [tenant if place % 2 else f"{tenant}-b" for place in range(40)]
        peer.add([{"id": f"m{p}", "tenant": whose[p], "text": data.text(p)} for p in range(40)])
        found = peer.search(tenant, data.text(3), 5)
        assert found[0] == "m3"
        assert len(found) == 5
        assert {whose[int(id_[1:])] for id_ in found} == {tenant}
    finally:
        peer.close()
