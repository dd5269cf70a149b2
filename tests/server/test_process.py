"""A server is known by its program and its folder: a stranger that names both is left alone."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from graphmem.server.halt import Ending, down
from graphmem.server.instance import instance_of
from graphmem.server.process import MAIN_CLASS, find, home_argument
from graphmem.settings import load_settings


def test_a_stranger_with_the_same_words_in_its_command_line_goes_on(tmp_path: Path) -> None:
    settings = load_settings(home=tmp_path, instance="stranger")
    words = [home_argument(instance_of(settings)), MAIN_CLASS]
    with subprocess.Popen([sys.executable, "-c", "input()", *words], stdin=subprocess.PIPE) as stranger:
        assert find(instance_of(settings)) is None
        assert down(settings) is Ending.WAS_DOWN
        assert stranger.poll() is None
        stranger.communicate(b"\n")
        assert stranger.returncode == 0
