"""The course of a problem: retrieve, augment, generate, validate, record, feedback, reflect. Once, for both agents."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from graphmem.agent.bounds import kept
from graphmem.agent.calls import Ask, Call, Course, Do
from graphmem.agent.course import learn, recalled
from graphmem.agent.events import Evaluated, Reflected, wrong
from graphmem.agent.problem import Answer, Augmented, Problem, Solution
from graphmem.agent.run import Run
from graphmem.models import Episode, Kind, Outcome, Step
from graphmem.recall import Decision, Hit, Request
from graphmem.recall.prompt import included
from graphmem.redact import Redactor
from graphmem.scope import new_id
from graphmem.text import shown

NEAR = 0.25  # how far the difficulty of what is preferred may be from that of the problem
AGENT = "deployed"  # stands in the metadata of what it records, with the domain of the agent, as `agent_domain`

Generate = Callable[[Augmented], Any]
"""Given a problem with experience, gives the answer: a text, or an `Answer` that also names the memories it used."""
Validate = Callable[[Problem, str], Any]
"""Given a problem and an answer, says whether it is right: True, False, or None where nobody can tell; or that and the
evidence for it."""


@dataclass(frozen=True, slots=True)
class Means:
    """What a problem is solved with; `DeployedAgent` says what each is."""

    domain: str
    generate: Generate
    validate: Validate | None
    k: int
    tokens: int
    reflect: bool
    redactor: Redactor | None


def solve(problem: Problem, means: Means) -> Course[Solution]:
    """Solve a problem and learn from it. Raises InvalidInput for a problem that cannot be recorded."""
    domain = problem.domain or means.domain
    requests = _requests(problem, domain, means.k)
    run = Run(requests[0].trace_id, problem.text, domain, problem.context, None, Decision.POLICY_ONLY)
    run.episode()  # what could not be recorded is refused before anything is done
    try:
        answers = yield Ask(lambda memory: memory.recall_many(requests))
        run = recalled(run, next((one for one in answers if one.hits), answers[-1]))
    except Exception as error:
        run = run.traced(wrong("recall", error, means.redactor))
    experience = run.recall.as_prompt(means.tokens) if run.recall is not None and run.recall.hits else ""
    asked = Augmented(problem, run.recall, experience)
    run, answer = yield Do(lambda call: _answered(run, asked, means, call))
    run = yield from learn(run, episode(run, problem, answer, means), means.reflect, means.redactor)
    run, reflections = yield from _reflected(run, means.redactor)
    return Solution(problem, answer.text if answer is not None else None, run, reflections)


def _requests(problem: Problem, domain: str, k: int) -> list[Request]:
    """What is retrieved: first what was as difficult and took the same techniques, then without regard to that."""
    wide = Request(
        text=problem.text,
        domain=domain or None,
        task_type=problem.task_type or None,
        toolchain=problem.toolchain or None,
        limit=k,
        trace_id=new_id(),
    )
    if not problem.techniques and problem.difficulty is None:
        return [wide]
    level = problem.difficulty
    near = None if level is None else (max(0.0, level - NEAR), min(1.0, level + NEAR))
    narrow = Request(**{**dict(wide), "techniques": problem.techniques, "difficulty": near})
    return [narrow, wide]


def _answered(run: Run, asked: Augmented, means: Means, call: Call) -> tuple[Run, Answer | None]:
    """The run with the answer and how it was validated."""
    try:
        said: object = call(means.generate, asked)
        answer = _checked(Answer(said) if isinstance(said, str) else said)
    except Exception as error:
        fault = wrong("generate", error, means.redactor)
        return _judged(run.traced(fault), Outcome.UNKNOWN, f"there is no answer: {fault.what}", ""), None
    run = replace(run, used=_used(included(run.recall, means.tokens) if run.recall is not None else (), answer))
    if means.validate is None:
        return _judged(run, Outcome.UNKNOWN, "nobody validated it", ""), answer
    try:
        outcome, evidence = _verdict(call(means.validate, asked.problem, answer.text), means.redactor)
    except Exception as error:
        fault = wrong("validate", error, means.redactor)
        return _judged(run.traced(fault), Outcome.UNKNOWN, f"nobody could validate it: {fault.what}", ""), answer
    return _judged(run, outcome, evidence, "validate" if outcome is not Outcome.UNKNOWN else ""), answer


def _checked(said: object) -> Answer:
    """The same answer, known to be one of texts."""
    if not isinstance(said, Answer):
        raise TypeError(f"the generator gave a {type(said).__name__}; it has to give a text or an Answer")
    used = said.used
    if not isinstance(used, tuple | list) or not all(
        isinstance(one, str) for one in (said.text, said.reasoning, *used)
    ):
        raise TypeError("the generator gave an Answer whose text, reasoning and used are not a text, a text and ids")
    return said


def _judged(run: Run, outcome: Outcome, evidence: str, by: str) -> Run:
    return replace(run, outcome=outcome, evidence=evidence).traced(Evaluated(1, outcome, evidence, by))


def _verdict(said: Any, redactor: Redactor | None) -> tuple[Outcome, str]:
    evidence = ""
    if isinstance(said, tuple) and len(said) == 2:
        said, evidence = said[0], "" if said[1] is None else kept(str(said[1]), redactor)
    if said is None:
        return Outcome.UNKNOWN, evidence or "the validator cannot tell"
    if not isinstance(said, bool):
        raise TypeError(f"the validator gave {shown(said)}; it has to give True, False or None")
    outcome = Outcome.SUCCESS if said else Outcome.FAIL
    return outcome, evidence or f"the validator {'accepts' if said else 'refuses'} the answer"


def _used(hits: Sequence[Hit], answer: Answer) -> tuple[str, ...]:
    """Of what it was shown, the memories that it went by: those the generator names, else the first that worked."""
    known = {hit.id for hit in hits}
    named = tuple(dict.fromkeys(one for one in answer.used if one in known))
    worked = (hit.id for hit in hits if not isinstance(hit.memory, Episode) or hit.memory.outcome is Outcome.SUCCESS)
    return named or tuple(list(worked)[:1])


def episode(run: Run, problem: Problem, answer: Answer | None, means: Means) -> Episode:
    """The episode of a problem that was solved, or was not."""
    steps: tuple[Step, ...] = ()
    if answer is not None:
        action, decision = (kept(text, means.redactor) for text in (answer.text, answer.reasoning))
        steps = (Step(action=action, observation=run.evidence, decision=decision),)
    plain = replace(run, steps=steps).episode()
    said = {"agent": AGENT, "agent_domain": means.domain, "cohort": cohort(run, problem)}
    reason = run.evidence if run.outcome is Outcome.FAIL else ""
    return Episode(
        **{
            **dict(plain),
            "ground_truth": kept(problem.truth, means.redactor),
            "failure_reason": reason,
            "metadata": {"decision": run.decision.value, "followed": list(run.used), **said},
        }
    )


def cohort(run: Run, problem: Problem) -> str:
    """The kind of problem that the monitor counts it among."""
    return problem.cohort or problem.task_type or run.domain


def _reflected(run: Run, redactor: Redactor | None) -> Course[tuple[Run, tuple[str, ...]]]:
    """The run, and the lessons that were derived from its episode; none where nothing was consolidated."""
    if not any(isinstance(event, Reflected) for event in run.trace):
        return run, ()
    try:
        told = yield Ask(lambda memory: memory.history(f"run-{run.trace_id}"))
        found: list[str] = []
        for name in _lessons(told):
            got = yield Ask(partial(_got, name))
            found.append(got.memory.insight)
        return run, tuple(found)
    except Exception as error:
        return run.traced(wrong("reflect", error, redactor)), ()


def _got(name: str, memory: Any) -> Any:
    return memory.get(name)


def _lessons(history: Any) -> Iterator[str]:
    return (one.id for one in history.results if one.kind is Kind.REFLECTION and one.hop == 1)
