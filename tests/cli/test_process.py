"""The command as a process: its start, its help, its streams."""

from __future__ import annotations

import subprocess
import sys
from importlib.metadata import distributions

import pytest
import typer.main

from graphmem.cli import app
from tests.cli.shell import COMMAND, ROOT, Inside, Shell, clean, strict

COMMANDS = sorted(typer.main.get_command(app).commands)  # type: ignore[attr-defined]  # an app of several is a group
HEAVY = ("neo4j", "apscheduler", "openai", "pandas", "numpy", "onnxruntime", "graphdatascience", "requests")


def test_the_commands() -> None:
    wanted = "init record recall feedback correct get list update link up down status doctor demo"
    assert set(wanted.split()) <= set(COMMANDS)


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_has_help_and_is_in_the_readme(command: str) -> None:
    ran = Inside(clean())(command, "--help")
    assert ran.code == 0
    assert f"graphmem {command}" in ran.out
    assert f"`graphmem {command}`" in (ROOT / "README.md").read_text("utf-8")


def test_help_and_version_load_nothing_heavy() -> None:
    for arguments in (["--help"], ["record", "--help"], ["--version"]):
        program = (
            "import sys\nfrom graphmem.cli import main\n"
            f"sys.argv = ['graphmem', *{arguments!r}]\n"
            "try:\n    main()\nexcept SystemExit as end:\n    assert end.code == 0\n"
            f"loaded = sorted({HEAVY!r} & sys.modules.keys())\nassert not loaded, loaded\n"
        ).replace(repr(HEAVY), repr(set(HEAVY)))
        ran = subprocess.run([sys.executable, "-c", program], env=clean(), capture_output=True, check=False, cwd=ROOT)
        assert ran.returncode == 0, ran.stderr.decode()


def test_version_and_no_arguments() -> None:
    ran = Shell(clean())("--version")
    assert ran.code == 0
    installed = {found.metadata["Name"]: found.version for found in distributions()}
    assert ran.out.startswith(
        f"graphmem {installed['graphmem']}\n" if "graphmem" in installed else "graphmem, run from"
    )
    bare = Inside(clean())()
    assert "Usage: graphmem" in bare.out + bare.err
    assert "Traceback" not in bare.err


def test_data_on_stdout_and_all_else_on_stderr(shell: Shell) -> None:
    env = shell.env | {"GRAPHMEM_EMBEDDING__MODEL": "none", "PYTHONWARNINGS": "always", "PYTHONIOENCODING": "latin-1"}
    ran = Shell(env)("record", "--id", "é日", "--task", "naïve", "--outcome", "success", "--json")
    assert strict(ran.out)["id"] == "é日"
    assert "stored without a vector" in ran.err
    assert "\x1b" not in ran.err


def test_a_reader_that_goes_away_is_no_fault(shell: Shell) -> None:
    running = subprocess.Popen(
        [*COMMAND, "list", "--json"], env=shell.env, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert running.stdout is not None
    assert running.stderr is not None
    running.stdout.close()
    with running.stderr as stream:
        err = stream.read()
    assert running.wait(60) != 0
    assert err == b""
