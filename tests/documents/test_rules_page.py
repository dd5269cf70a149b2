"""The commands and the example of the page about rules, run as they stand there."""

from __future__ import annotations

import json
import subprocess
import sys

from tests.documents.test_documents import blocks, environment

__all__ = ["environment"]
PAGE = "docs/rules.md"


def test_the_commands_of_the_page_leave_the_versions_that_it_says(environment: dict[str, str]) -> None:
    (script,) = blocks(PAGE, "sh")
    ran = subprocess.run(
        ["sh", "-euc", script], env=environment, capture_output=True, text=True, check=False, timeout=300
    )
    assert ran.returncode == 0, ran.stderr
    *shown, listed = ran.stdout.splitlines()
    versions = [(one["name"], one["version"], one["active"], one["withdrawn_by"]) for one in json.loads(listed)]
    assert versions == [
        ("managers", 1, False, "bob"),
        ("refunds", 1, True, ""),
        ("tone", 2, True, ""),
        ("tone", 1, False, ""),
    ]
    assert "tone, version 2, is in force" in shown
    assert "managers, version 1, is withdrawn" in shown
    assert any("refund or money back" in line and "notify" in line for line in shown)


def test_the_example_of_the_page_decides(environment: dict[str, str], tenant: str) -> None:
    (example,) = blocks(PAGE, "python")
    ran = subprocess.run(
        [sys.executable, "-W", "error", "-c", example.replace('tenant="acme"', f"tenant={tenant!r}")],
        env=environment, capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout == "refunds 1 notify\n"
