"""A real Chromium for the tests that look at pages: the system's own, headless, with a fresh profile each time.

A test file takes the fixtures by importing them: `from tests.browser import context, shots`. Where there is no Chromium
such tests are skipped with one reason; where the environment says that it is CI they fail.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, sync_playwright

NAMES = ("chromium", "chromium-browser", "google-chrome")
MISSING = "there is no Chromium (looked for chromium, chromium-browser, google-chrome): apt-get install chromium"
FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
SLOW = 180_000
"""Milliseconds that a page may take for anything: two cores are shared by a server and a browser."""


def chromium() -> str:
    """The path of the system's Chromium; without one the test is skipped, and fails where CI is set."""
    found = next((path for name in NAMES if (path := shutil.which(name))), None)
    if found is None and os.environ.get("CI"):
        pytest.fail(MISSING)
    if found is None:
        pytest.skip(MISSING)
    return found


@contextmanager
def browsing(profile: Path, **options: Any) -> Iterator[BrowserContext]:
    """A browser with a profile in that (fresh) folder, closed afterwards; options go to Playwright's context.

    One at a time, and for a module at the longest: while one is open, its event loop runs in this thread, and no other.
    """
    executable = chromium()
    with sync_playwright() as playwright:
        made = playwright.chromium.launch_persistent_context(
            profile, **{"executable_path": executable, "args": FLAGS, "headless": True, **options}
        )
        made.set_default_timeout(SLOW)
        try:
            yield made
        finally:
            made.close()


@pytest.fixture
def context(tmp_path: Path) -> Iterator[BrowserContext]:
    """A fresh browser for one test; `context.new_page()` makes pages."""
    with browsing(tmp_path / "profile", viewport={"width": 1280, "height": 900}) as made:
        yield made


@pytest.fixture
def shots(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """The folder for this test's screenshots: under GRAPHMEM_TEST_SHOTS if that is set, else the test's own."""
    kept = os.environ.get("GRAPHMEM_TEST_SHOTS")
    folder = Path(kept) / re.sub(r"\W+", "-", request.node.name).strip("-") if kept else tmp_path / "shots"
    folder.mkdir(parents=True, exist_ok=True)
    return folder
