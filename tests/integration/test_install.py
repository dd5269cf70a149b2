"""The wheel is whole, and works from a directory that is not the repository."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

ROOT = Path(__file__).parents[2]
STORY = """
import graphmem
from graphmem.server.lock import read_lock
from graphmem.store.catalogue import names, statement
assert graphmem.__file__.startswith({folder!r}), graphmem.__file__
print(len([statement(name) for name in names()]), len(read_lock().artifacts))
"""


def test_the_wheel_carries_statements_lock_and_types(tmp_path: Path) -> None:
    subprocess.run(
        [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "-w", tmp_path, ROOT],
        check=True, timeout=300, cwd=tmp_path,
    )  # fmt: skip
    (wheel,) = tmp_path.glob("graphmem-*.whl")
    with zipfile.ZipFile(wheel) as archive:
        packed = {name for name in archive.namelist() if name.startswith("graphmem/")}
        archive.extractall(tmp_path / "site")
    wanted = {f"graphmem/cypher/{path.relative_to(ROOT / 'cypher')}" for path in (ROOT / "cypher").rglob("*.cypher")}
    assert wanted <= packed
    assert {f"graphmem/report/templates/{name}" for name in ("page.html", "style.css")} <= packed
    assert {"graphmem/py.typed", "graphmem/server/artifacts.lock"} <= packed
    assert not [name for name in packed if name.endswith(".jar") or "test" in name]

    ran = subprocess.run(
        [sys.executable, "-I", "-c", f"import sys; sys.path.insert(0, {str(tmp_path / 'site')!r})\n"
         + STORY.format(folder=str(tmp_path / "site"))],
        capture_output=True, text=True, check=False, cwd=tmp_path, env={"PATH": os.environ["PATH"]}, timeout=60,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr
    statements, artifacts = map(int, ran.stdout.split())
    assert statements == len(wanted)
    assert artifacts > 300
