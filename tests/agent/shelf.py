"""A real program under test: a converter that is strict about its flags, run as a subprocess."""

from __future__ import annotations

import shlex
import subprocess
import sys
from pathlib import Path

from graphmem.agent import Acted, Run, Task
from graphmem.models import Outcome

PROGRAM = """
import csv, json, pathlib, sys

args = sys.argv[1:]
if len(args) != 4 or args[0] != "--to" or args[2] != "--from":
    sys.exit("usage: the target format comes first")
if args[1] != "jsonl":
    sys.exit(f"unknown format {args[1]!r}")
source = pathlib.Path(args[3])
rows = list(csv.DictReader(source.open()))
source.with_suffix(".jsonl").write_text("".join(json.dumps(row) + "\\n" for row in rows))
print(f"{len(rows)} rows of {source.name} converted")
"""


class Converter:
    """A folder with the program and files to convert; it counts how often the program was run."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.runs: list[str] = []
        self.status = 0
        (folder / "convert.py").write_text(PROGRAM)

    def act(self, action: str) -> str:
        """Run the program as an action says."""
        self.runs.append(action)
        command = [sys.executable, *shlex.split(action)[1:]]
        done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, check=False)
        self.status = done.returncode
        return done.stdout + done.stderr

    def gate(self, step: Acted) -> tuple[bool, str]:
        """Whether the latest run ended well."""
        return self.status == 0, f"exit status {self.status}: {step.observation.strip()}"

    def evaluate(self, run: Run) -> tuple[Outcome, str]:
        """Whether the file that the task names is there, and whole."""
        target = self.folder / f"{run.task.split()[1].removesuffix('.csv')}.jsonl"
        lines = target.read_text().splitlines() if target.exists() else []
        return (Outcome.SUCCESS if len(lines) == 2 else Outcome.FAIL), f"{len(lines)} lines in {target.name}"

    def task(self, name: str) -> Task:
        """The task to convert a file, with the ways in which one might try it; the last one is right."""
        (self.folder / f"{name}.csv").write_text("a,b\n1,2\n3,4\n")
        (self.folder / f"{name}.jsonl").unlink(missing_ok=True)
        ways = [
            f"python convert.py {name}.csv --to jsonl",
            f"python convert.py --from {name}.csv --to jsonl",
            f"python convert.py --to json --from {name}.csv",
            f"python convert.py {name}.csv jsonl",
            f"python convert.py --to jsonl --from {name}.csv",
        ]
        return Task(f"Convert {name}.csv to JSON lines with convert.py", act=self.act, options=ways)
