"""What a deployed agent is asked, what its generator is given, and what came of it."""

from __future__ import annotations

from dataclasses import dataclass

from graphmem.agent.run import Run
from graphmem.agent.task import Context
from graphmem.errors import InvalidInput
from graphmem.learn.model_data import marked
from graphmem.models import Episode, Outcome
from graphmem.recall import Recall
from graphmem.text import has_words


@dataclass(frozen=True, slots=True)
class Problem:
    """One problem, and where it belongs.

    `domain` (else the agent's), `task_type` and `toolchain` filter what is retrieved. What was as difficult (in [0, 1],
    within 0.25) and needed the same `techniques` is preferred, where they are given. `cohort` names the kind of problem
    for the monitor (else the task type, else the domain). `truth` is the right answer, if it is known: it is recorded,
    and neither shown to the generator nor compared to anything. What is recorded of a `secure` problem is shown to no
    model afterwards; the problem itself goes to the generator, since the caller chose it. Raises InvalidInput for a
    text without words, and for what could not be recorded.
    """

    text: str
    domain: str = ""
    task_type: str = ""
    toolchain: str = ""
    techniques: tuple[str, ...] = ()
    difficulty: float | None = None
    tags: tuple[str, ...] = ()
    cohort: str = ""
    truth: str = ""
    subject: str = ""
    secure: bool = False

    def __post_init__(self) -> None:
        if not isinstance(self.text, str) or not has_words(self.text):
            raise InvalidInput("a problem needs words")
        if not isinstance(self.cohort, str):
            raise InvalidInput(f"cohort is the name of a kind of problem, and not a {type(self.cohort).__name__}")
        Episode(
            task=self.text,
            domain=self.domain,
            task_type=self.task_type,
            toolchain=self.toolchain,
            techniques=self.techniques,
            difficulty=self.difficulty,
            tags=self.tags,
            ground_truth=self.truth,
            subject=self.subject,
            secure=self.secure,
            metadata={"cohort": self.cohort},
        )

    @property
    def context(self) -> Context:
        """Where it belongs, as a run of the loop has it."""
        return Context(
            task_type=self.task_type,
            toolchain=self.toolchain,
            tags=self.tags,
            techniques=self.techniques,
            difficulty=self.difficulty,
            subject=self.subject,
            secure=self.secure,
        )


@dataclass(frozen=True, slots=True)
class Augmented:
    """A problem with the experience that was retrieved for it: quoted evidence, successes first, then failures.

    It is data of a prompt, never a part of the system role. `experience` is empty where nothing fits.
    """

    problem: Problem
    recall: Recall | None
    experience: str

    @property
    def text(self) -> str:
        """Both as one text: the problem, marked and quoted, and the experience below it."""
        return "\n".join(part for part in (marked("problem", self.problem.text), self.experience) if part)


@dataclass(frozen=True, slots=True)
class Answer:
    """What a generator answers: the answer, which memories it went by (ids of hits), and why."""

    text: str
    used: tuple[str, ...] = ()
    reasoning: str = ""


@dataclass(frozen=True, slots=True)
class Solution:
    """What came of a problem: the answer, how it was validated, and the run behind it with its trace.

    `answer` is None where the generator failed. The outcome is a success only if the validator said so.
    `reflections` are the lessons that were learnt from this very problem.
    """

    problem: Problem
    answer: str | None
    run: Run
    reflections: tuple[str, ...] = ()

    @property
    def outcome(self) -> Outcome:
        """How it ended: success or fail as validated, else unknown."""
        return self.run.outcome

    @property
    def evidence(self) -> str:
        """What the validator said of it."""
        return self.run.evidence
