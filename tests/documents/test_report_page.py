"""The commands and the example of the page about reports, run as they stand there; and that it names what there is."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

from prometheus_client.parser import text_string_to_metric_families

from tests.documents.test_documents import ROOT, blocks, environment

__all__ = ["environment"]
PAGE = "docs/report.md"
SOMETIMES = {"graphmem_consolidation_lag_seconds"}
"""What is absent until something was reflected."""


def run(script: str, folder: Path, environment: dict[str, str]) -> str:
    ran = subprocess.run(
        ["sh", "-euc", script], cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=300
    )
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


def test_the_commands_write_what_the_page_says(environment: dict[str, str], tmp_path: Path, tenant: str) -> None:
    report, prometheus = blocks(PAGE, "sh")
    assert "the report is in report.html" in run(report, tmp_path, environment)
    page = (tmp_path / "report.html").read_text("utf-8")
    heads = re.findall(r"<h2[^>]*>(.*?)</h2>", page)
    named = re.findall(r"^\| ([A-Z][\w ]+?) \|", (ROOT / PAGE).read_text("utf-8"), re.MULTILINE)
    assert heads == ["At a glance", *named]
    told = json.loads((tmp_path / "report.json").read_text("utf-8"))
    assert (told["tenant"], told["attempts"][0]["ended"]["success"]) == (tenant, 1)
    run(prometheus, tmp_path, environment)
    assert not (tmp_path / "metrics.tmp").exists()
    families = text_string_to_metric_families((tmp_path / "graphmem.prom").read_text("utf-8"))
    found = {sample.name for family in families for sample in family.samples}
    rows = {*re.findall(r"^\| `(graphmem_\w+)` \|", (ROOT / PAGE).read_text("utf-8"), re.MULTILINE)}
    assert rows == found | SOMETIMES


def test_the_example_reads_the_figures(environment: dict[str, str], tenant: str, tmp_path: Path) -> None:
    run("graphmem record --task 'Oil the hinge' --outcome success", tmp_path, environment)
    (example,) = blocks(PAGE, "python")
    ran = subprocess.run(
        [sys.executable, "-W", "error", "-c", example.replace('tenant="acme"', f"tenant={tenant!r}")],
        env=environment, capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr
    attempt, rest = ran.stdout.splitlines()
    assert attempt.startswith("1 1.0 0.2")
    assert attempt.endswith(" 1.0")
    assert rest == "0 1"
