"""Triage of email and tickets over a memory; sync and async."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeVar

from graphmem.agent.calls import Ask, Bridge, Course, Do, plainly
from graphmem.agent.triage.deciding import Means, audit, decide
from graphmem.agent.triage.message import Judged, Message, Policy
from graphmem.agent.triage.reviewing import Learnt, Progress, Reviewed, learn, review, word
from graphmem.agent.triage.trace import Decided, Denied
from graphmem.errors import InvalidInput
from graphmem.fields import DEFAULT_LIMIT
from graphmem.llm import Llm, check_llm
from graphmem.memory import AsyncMemory, Memory
from graphmem.redact import Redactor, check_redactor, make_redactor
from graphmem.steps import arun
from graphmem.steps import run as drive
from graphmem.text import has_words

T = TypeVar("T")
MOST = 20
"""The most examples that may be shown."""


class _Triage:
    """What both are made of."""

    def __init__(
        self,
        memory: Memory | AsyncMemory,
        *,
        domain: str = "email",
        policy: Policy | None = None,
        limit: int = DEFAULT_LIMIT,
        llm: Llm | None = None,
        redactor: Redactor | None = None,
    ) -> None:
        """Make a triage over a memory; nothing is asked of it yet.

        `domain` is what is triaged, such as "email" or "tickets"; examples and rules are those of it. `policy` is what
        holds where neither a rule nor examples decide (without one, a person is told). At most `limit` examples (1 to
        20, three are usual) are shown. With an `llm` that decides where no rule does; a message goes to it without what
        `redactor` (else that of the settings) takes out. Raises InvalidInput.
        """
        if not isinstance(domain, str) or not has_words(domain):
            raise InvalidInput("a triage needs a domain, such as 'email' or 'tickets'")
        if type(limit) is not int or not 1 <= limit <= MOST:
            raise InvalidInput(f"limit is a whole number from 1 to {MOST}, and not {limit!r:.60}")
        if policy is not None and not isinstance(policy, Policy):
            raise InvalidInput(f"policy is a Policy, and not a {type(policy).__name__}")
        self._means = Means(
            memory.scope,
            domain.strip(),
            policy if policy is not None else Policy(),
            limit,
            check_llm(llm) if llm is not None else None,
            check_redactor(redactor) if redactor is not None else make_redactor(memory.settings),
        )


class Triage(_Triage):
    """Triage for code that waits; may be shared by threads.

    triage = Triage(memory, domain="email", policy=Policy(default="notify"))
    decided = triage.decide(Message(id="m1", tenant="acme", subject="Budget", body="Can you approve it today?"))
    triage.review(decided.episode, route="respond", by="ada")
    """

    def __init__(self, memory: Memory, **given: Any) -> None:
        self.memory = memory
        super().__init__(memory, **given)

    def decide(self, message: Message, *, record: bool = True, audit: bool = False) -> Decided:
        """Decide what becomes of a message: by a rule, else the model, else reviewed examples, else the policy.

        The first rule in force that holds and decides outranks all. Examples count from the bar of the recall on, and
        only where three quarters of their relevance are for one route. While the memory is away the policy alone
        decides (`policy_only`), and the decision waits in the outbox. What is recorded is no evidence before `review`;
        with `record` false nothing is. `audit` also tells what the recall kept out (`trace.denied`). Raises ScopeError,
        with nothing read or recorded, for a message that does not name the tenant and the user of the client.
        """
        return self._driven(decide(message, self._means, record, audit))

    def audit(self, message: Message) -> tuple[Denied, ...]:
        """What a recall for this message would bring if it were not for the filter, by id and reason.

        Nobody's words but those that a person approved reach a decision, so this is asked apart, and its words are not
        told either. Raises ScopeError as `decide` does, StoreUnavailable.
        """
        return self._driven(audit(message, self._means))

    def review(
        self,
        id: str,  # noqa: A002 - the public name
        *,
        by: str,
        accepted: bool = False,
        route: str | None = None,
        reason: str = "",
        feedback_ref: str = "",
    ) -> Reviewed:
        """Give a person's word on a decision, by the id of its episode: it is accepted, or another route is right.

        Accepted, it is a success and an example from then on. Corrected, it is a failure that is recalled no more, and
        an episode with the right route takes its place. The latest word counts; said again, nothing changes.
        `feedback_ref` says where the word is kept, and never changes. Raises NotFound; InvalidInput for a memory that
        is no decision, for no word, and for accepting what was corrected before.
        """
        return self._driven(review(word(id, accepted, route, by, reason, feedback_ref)))

    def learn(self, judged: Iterable[Judged], *, by: str, progress: Progress | None = None) -> tuple[Learnt, ...]:
        """Take messages whose route a person (`by`) gave before, as accepted examples; the answers come in their order.

        The same message with the same route changes nothing; with another one it is told, and nothing is changed.
        `progress` is given how many are done. Stopped and run again, it goes on. Raises ScopeError as `decide` does,
        before anything is recorded.
        """
        return self._driven(learn(tuple(judged), by, self._means, progress))

    def _driven(self, course: Course[T]) -> T:
        return drive(course, self._answer)  # type: ignore[arg-type]  # it drives any generator, with its answers

    def _answer(self, step: Ask | Do) -> Any:
        return step.verb(self.memory) if isinstance(step, Ask) else step.work(plainly)


class AsyncTriage(_Triage):
    """Triage for code that awaits; a language model is asked in a thread."""

    def __init__(self, memory: AsyncMemory, **given: Any) -> None:
        self.memory = memory
        super().__init__(memory, **given)

    async def decide(self, message: Message, *, record: bool = True, audit: bool = False) -> Decided:
        """As `Triage.decide`."""
        return await self._driven(decide(message, self._means, record, audit))

    async def audit(self, message: Message) -> tuple[Denied, ...]:
        """As `Triage.audit`."""
        return await self._driven(audit(message, self._means))

    async def review(
        self,
        id: str,  # noqa: A002
        *,
        by: str,
        accepted: bool = False,
        route: str | None = None,
        reason: str = "",
        feedback_ref: str = "",
    ) -> Reviewed:
        """As `Triage.review`."""
        return await self._driven(review(word(id, accepted, route, by, reason, feedback_ref)))

    async def learn(self, judged: Iterable[Judged], *, by: str, progress: Progress | None = None) -> tuple[Learnt, ...]:
        """As `Triage.learn`."""
        return await self._driven(learn(tuple(judged), by, self._means, progress))

    async def _driven(self, course: Course[T]) -> T:
        bridge = Bridge()

        async def answer(step: Ask | Do) -> Any:
            return await (step.verb(self.memory) if isinstance(step, Ask) else bridge.aside(step.work))

        return await arun(course, answer)  # type: ignore[arg-type]
