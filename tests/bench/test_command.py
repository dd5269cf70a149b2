"""The whole benchmark, small: real servers, every measurement, the file, the picture."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from graphmem import AsyncMemory, Memory
from graphmem.bench import main
from graphmem.bench.indexes import SETTINGS
from graphmem.bench.result import BARS


@pytest.mark.evaluation
def test_a_small_run_measures_every_ratio(tmp_path: Path) -> None:
    file, picture = tmp_path / "run.json", tmp_path / "run.svg"
    sizes = ["--sizes", "300", "600", "--rounds", "4", "--warm", "1", "--turns", "2", "--heap", "512m", "--indexes"]
    assert main(Memory, AsyncMemory, [*sizes, "--json", str(file), "--plot", str(picture)]) == 0
    found = json.loads(file.read_text())
    assert set(BARS) <= set(found["ratios"])
    assert all(one["low"] <= one["value"] <= one["high"] for one in found["ratios"].values())
    assert found["ratios"]["index_recall"]["value"] > 0.9
    assert {name for name in found["ratios"] if name.startswith("index, ")} == {
        f"index, {name}: {what} of {limit}" for name in SETTINGS for what in ("recall", "time") for limit in (10, 80)
    }
    assert found["ratios"]["index, exact vectors: recall of 80"]["value"] > 0.98
    assert picture.read_text().startswith("<?xml")


def test_an_earlier_run_that_is_none_is_told_before_anything_starts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "no.json"
    path.write_text("no")
    assert main(Memory, AsyncMemory, ["--compare", str(path), "--home", str(tmp_path / "home")]) == 2
    assert "no.json" in capsys.readouterr().err
    assert not (tmp_path / "home").exists()
