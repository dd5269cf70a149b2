"""Verbs that ask for memories, and say what came of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from graphmem import correct as correcting
from graphmem import recall as recalling
from graphmem.correct import Correction, Feedback, Ruling, Verdict
from graphmem.errors import GraphmemError, InvalidInput, StoreUnavailable
from graphmem.fields import DEFAULT_LIMIT
from graphmem.models import Outcome, chosen
from graphmem.outbox import of_feedback
from graphmem.recall import Decision, Recall, Request
from graphmem.scope import new_id
from graphmem.steps import Stage
from graphmem.telemetry import logger, trace
from graphmem.verbs.base import Base

_LOG = logger("verbs")
UNSEEN = "writes that wait in the outbox are not recalled yet"


class Recalling(Base):
    """recall, recall_many, feedback, correct."""

    def recall(
        self,
        text: str,
        *,
        kind: str | None = None,
        domain: str | None = None,
        task_type: str | None = None,
        toolchain: str | None = None,
        tags: Sequence[str] = (),
        techniques: Sequence[str] = (),
        difficulty: tuple[float, float] | None = None,
        context: Mapping[str, str] | None = None,
        limit: int = DEFAULT_LIMIT,
        trace_id: str = "",
        include_secure: bool = False,
        reviewed: bool = False,
        receipt: bool = False,
    ) -> Stage[Recall]:
        """The memories that fit a task, or the news that none does.

        `kind`, `domain`, `task_type` and `toolchain` filter, `tags` and `techniques` must all be there, `difficulty` is
        a range (lowest, highest) in [0, 1], and `context` excludes memories whose conditions it contradicts. Secure
        memories are found with `include_secure` alone; with `reviewed`, what no person approved does not exist. With
        `receipt`, and whenever the answer is novel, a receipt is written at once. Raises InvalidInput for a blank text
        or a limit outside 1 to 100. While the store is away the decision is `policy_only`.
        """
        request = Request(
            text=text,
            kind=kind,
            domain=domain,
            task_type=task_type,
            toolchain=toolchain,
            tags=tags,
            techniques=techniques,
            difficulty=difficulty,
            context=context or {},
            limit=limit,
            trace_id=trace_id,
            include_secure=include_secure,
            reviewed=reviewed,
        )
        (answer,) = yield from self.recall_many([request])
        if receipt or answer.decision is Decision.NOVEL:
            return (yield from self._with_receipt(answer))
        return answer

    def recall_many(self, requests: Sequence[Request]) -> Stage[tuple[Recall, ...]]:
        """Answer several questions in one round trip, in their order; no receipts are written."""
        if not all(isinstance(request, Request) for request in requests):
            raise InvalidInput("recall_many takes Requests; make them with graphmem.Request")
        requests = self._clean(tuple(requests))
        rules = self.settings.recall
        setting = recalling.Setting(
            scope=self.scope,
            rules=rules,
            policy=recalling.policy(rules, self.embedder),
            model=self._model,
            now=self.clock(),
            ids=[new_id() for _ in requests],
        )
        if not requests:
            return ()
        if len(requests) == 1:
            trace(requests[0].trace_id or setting.ids[0])
        try:
            left = yield from self._prepared()
            answers = yield from recalling.recall(requests, setting)
            return tuple(one.warned(f"{UNSEEN}: {left}") for one in answers) if left else answers
        except StoreUnavailable as error:
            _LOG.warning("the store is away: a recall is answered policy_only")
            pairs = zip(requests, setting.ids, strict=True)
            return tuple(recalling.unavailable(*pair, setting, error) for pair in pairs)

    def feedback(
        self,
        recall: Recall | Mapping[str, Any] | str | bytes,
        *,
        outcome: str,
        used: Iterable[str] = (),
        misled: Iterable[str] = (),
        evidence: str = "",
        reason: str = "",
    ) -> Stage[Feedback]:
        """Say how the attempt behind a recall ended, which memories were used, and which misled.

        `recall` is the Recall, its JSON, or the id of a written receipt; the latest word on it counts. Only memories
        that are named are credited or blamed. Raises NotFound for an id that is not there, with nothing written. While
        the store is away it waits in the local outbox (`queued`, with a warning), and nothing is known of the ids;
        raises OutboxError when it cannot.
        """
        about = correcting.reference(recall, self.redactor)
        verdict = Verdict(
            outcome=chosen(Outcome, outcome, "outcome"),
            used=used,
            misled=misled,
            evidence=evidence,
            reason=reason or evidence,
        )
        verdict = self._clean(verdict)
        trace(about.answer.trace_id if about.answer is not None else "")
        correcting.check(about, verdict, self.scope)
        now = self.clock()
        answer, why = yield from self._in_order(
            correcting.feedback(about, verdict, self.scope, now, self.settings.receipt_days, self._model),
            lambda: [of_feedback(about, verdict, self.scope, now)],
        )
        return answer or correcting.unwritten(about, verdict, why)

    def correct(
        self, *, wrong: str, right: str, reason: str, context: str | None = None, by: str = "caller"
    ) -> Stage[Correction]:
        """Say that one memory is right where another is wrong: in contexts like `context`, or everywhere.

        From then on recall gives the right one in the place of the wrong one. Raises NotFound when either is not
        there, InvalidInput when they are the same or there is no reason.
        """
        ruling = self._clean(Ruling(wrong=wrong, right=right, reason=reason, context=context, by=by))
        yield from self._prepared()
        days = self.settings.receipt_days
        return (yield from correcting.correct(ruling, self.scope, self.clock(), days, self._model))

    def _with_receipt(self, answer: Recall) -> Stage[Recall]:
        if answer.decision is Decision.POLICY_ONLY:
            return answer.warned("no receipt was written: the memory is away")
        try:
            yield from correcting.write_receipt(answer, self.scope, self.clock(), self.settings.receipt_days)
        except GraphmemError as error:
            _LOG.warning("no receipt of a recall was written (%s)", type(error).__name__)
            return answer.warned(f"no receipt was written: {error}")
        return answer
