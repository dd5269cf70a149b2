"""ScienceWorld as a world to act in: its simulator runs in a Java process, one task at a time.

ScienceWorld (Wang et al., EMNLP 2022, Apache-2.0) comes as a jar inside the package `scienceworld`.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from graphmem.agent.world import View
from graphmem.errors import ConfigurationError

SIMPLIFICATION = "easy"
_UNKNOWN = ("No known action matches", "Unknown action.")


class Simulator:
    """One Java process with the simulator; a context manager that ends the process."""

    def __init__(self, java: Path) -> None:
        try:
            from py4j.java_gateway import GatewayParameters, JavaGateway, launch_gateway
            from scienceworld.constants import BASEPATH, JAR_PATH
        except ImportError as error:
            raise ConfigurationError(
                "the demo needs the ScienceWorld environment; run: pip install 'graphmem[demo]'"
            ) from error
        port, self._process = launch_gateway(
            classpath=JAR_PATH,
            cwd=BASEPATH,
            java_path=str(java),
            javaopts=["-XX:+UseSerialGC"],  # several simulators share few cores
            die_on_exit=True,
            create_new_process_group=True,  # an interrupt is ours to handle
            return_proc=True,
        )
        parameters = GatewayParameters(port=port, auto_field=True, auto_convert=True)
        self._gateway = JavaGateway(gateway_parameters=parameters)
        self.api: Any = self._gateway.jvm.scienceworld.runtime.pythonapi.PythonInterface()

    def tasks(self) -> list[str]:
        """The names of all kinds of tasks, in the simulator's order."""
        return [str(name) for name in self.api.getTaskNames()]

    def splits(self, task: str) -> dict[str, list[int]]:
        """The official variations of a task: `train`, `dev` and `test`."""
        self.api.load(task, 0, SIMPLIFICATION, False)
        return {
            "train": list(self.api.getVariationsTrain()),
            "dev": list(self.api.getVariationsDev()),
            "test": list(self.api.getVariationsTest()),
        }

    def gold(self, task: str, variation: int) -> list[str]:
        """A sequence of actions that solves a training variation."""
        self.api.load(task, variation, SIMPLIFICATION, True)
        return [str(action) for action in self.api.getGoldActionSequence()]

    def close(self) -> None:
        """End the process."""
        self._gateway.shutdown()
        process = self._process
        process.stdin.close()  # the process ends when nobody is at the other end
        try:
            process.wait(timeout=5)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class ScienceWorld:
    """One variation of a task, of at most `actions` actions.

    `best` and `score` are for whoever judges the run, in points from -100 to 100; no view shows them.
    """

    def __init__(self, simulator: Simulator, task: str, variation: int, actions: int) -> None:
        self._api = simulator.api
        self._api.load(task, variation, SIMPLIFICATION, False)
        self._limit = actions
        self._taken = 0
        self.score = 0
        self.best = 0
        self.task = str(self._api.getTaskDescription())

    def reset(self) -> View:
        """Begin anew; the score of the run begins anew, too."""
        self._api.reset()
        self._taken = self.score = self.best = 0
        return self._view(str(self._api.step("look around")))

    def act(self, action: str) -> View:
        """Do something; an action that the simulator does not know costs nothing."""
        observation = str(self._api.step(action))
        if observation.startswith(_UNKNOWN):
            return View(observation, "", understood=False)
        self._taken += 1
        return self._view(observation)

    def valid_actions(self) -> Sequence[str]:
        """All actions that the simulator lists now."""
        listed = json.loads(self._api.getValidActionObjectCombinationsJSON())
        return [entry["action"] for entry in listed["validActions"]]

    @property
    def taken(self) -> int:
        """How many actions were done in this run; those that the simulator does not know are none."""
        return self._taken

    @property
    def solved(self) -> bool:
        """Whether the whole score was reached."""
        return self.best >= 100

    def _view(self, observation: str) -> View:
        self.score = round(100 * self._api.getScore())
        self.best = max(self.best, self.score)
        return View(
            observation,
            str(self._api.freeActionLook()),
            str(self._api.freeActionInventory()),
            done=bool(self._api.getCompleted()) or self.score < 0 or self._taken >= self._limit,
        )
