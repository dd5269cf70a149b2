"""The whole benchmark, small: real servers, every measurement, the file, the picture."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from graphmem import AsyncMemory, Memory
from graphmem.bench import main
from graphmem.bench.indexes import LIMITS, SETTINGS
from graphmem.bench.result import BARS
from graphmem.settings import Settings


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
        f"index, {name}: {what} of {limit}" for name in SETTINGS for what in ("recall", "time") for limit in LIMITS
    }
    assert found["ratios"][f"index, exact vectors: recall of {LIMITS[-1]}"]["value"] > 0.98
    assert picture.read_text().startswith("<?xml")


def test_an_earlier_run_that_is_none_is_told_before_anything_starts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "no.json"
    path.write_text("no")
    assert main(Memory, AsyncMemory, ["--compare", str(path), "--home", str(tmp_path / "home")]) == 2
    assert "no.json" in capsys.readouterr().err
    assert not (tmp_path / "home").exists()


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--sizes", "0"], "0 is not a whole number from 100 on"),
        (["--sizes", "1000", "-5"], "-5"),
        (["--rounds", "0"], "0 is not a whole number from 1 on"),
        (["--turns", "two"], "two is not a whole number from 1 on"),
        (["--plot", "run.gif"], "run.gif does not end with .svg or .png"),
    ],
)
def test_arguments_that_measure_nothing_are_told_before_anything_starts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], told: str
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(Memory, AsyncMemory, [*arguments, "--home", str(tmp_path / "home")])
    assert ended.value.code == 2
    assert told in capsys.readouterr().err
    assert not (tmp_path / "home").exists()


def test_a_file_that_cannot_be_written_is_told_before_anything_starts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").touch()
    for option in ("--json", "--plot"):
        path = tmp_path / "file" / "run.svg"
        assert main(Memory, AsyncMemory, [option, str(path), "--home", str(tmp_path / "home")]) == 2
        assert "cannot be written" in capsys.readouterr().err
    assert not (tmp_path / "home").exists()


@pytest.mark.parametrize(
    ("sent", "when"), [(signal.SIGTERM, "searches and recalls"), (signal.SIGINT, "starting a server")]
)
def test_who_is_stopped_stops_its_servers(tmp_path: Path, settings: Settings, sent: signal.Signals, when: str) -> None:
    """A benchmark that is ended in its middle leaves no server and no folder."""
    code = "import sys; from graphmem import *; from graphmem.bench import main; sys.exit(main(Memory, AsyncMemory))"
    arguments = ["--sizes", "300", "--heap", "512m"]
    around = {**os.environ, "TMPDIR": str(tmp_path), "GRAPHMEM_CACHE": str(settings.cache)}
    with subprocess.Popen(
        [sys.executable, "-c", code, *arguments], env=around, stderr=subprocess.PIPE, text=True
    ) as run:
        assert run.stderr is not None
        lines = iter(run.stderr.readline, "")
        assert any(when in line for line in lines)
        time.sleep(2)  # in the middle of it
        run.send_signal(sent)
        rest = "".join(lines)
        assert run.wait(120) == 130, rest
    assert "stopped" in rest
    assert list(tmp_path.iterdir()) == []
    assert not [one for one in psutil.process_iter(["cmdline"]) if str(tmp_path) in " ".join(one.info["cmdline"] or [])]
