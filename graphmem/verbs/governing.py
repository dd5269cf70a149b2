"""Verbs by which people govern memories: judge them, let go of them, ask where they come from, prove all in order."""

from __future__ import annotations

from graphmem import govern
from graphmem.govern import (
    Finding,
    History,
    Order,
    Page,
    Pin,
    Retention,
    Retirement,
    Reviewed,
    Standings,
    Verdict,
    Waiting,
)
from graphmem.models import Stored
from graphmem.steps import Stage
from graphmem.verbs.base import Base


class Governing(Base):
    """review, reviews, retire, pin, history, retention, check."""

    def review(
        self,
        id: str,  # noqa: A002 - the public name
        *,
        approve: bool,
        by: str,
        reason: str = "",
        outcome: str | None = None,
        evidence: str = "",
        feedback_ref: str = "",
        share: bool = False,
    ) -> Stage[Reviewed]:
        """Give a person's verdict on a memory: approved it is active, rejected it is retired; the latest counts.

        Approval is a person's vouching: a candidate needs no more evidence, what is quarantined or retired comes back,
        an older active version of a skill is superseded and corrected, an episode that could not be reflected is tried
        anew. Either verdict settles the open contradictions of the memory. An episode of unknown outcome needs an
        `outcome` (success, fail or mixed) with its verdict, which ends it: with what proved it (`evidence`) and where
        that word came from (`feedback_ref`, which never changes). Said again, nothing changes. What is shared is judged
        with `share` alone. Raises NotFound; InvalidInput for an episode of unknown outcome, or of another one, for what
        was superseded, and while a newer version of the skill is active.
        """
        ended = {"outcome": outcome, "evidence": evidence, "feedback_ref": feedback_ref}
        said = self._clean(Verdict(id=id, approve=approve, by=by, reason=reason, **ended))
        yield from self._prepared()
        return (yield from govern.review(said, self.scope.writes(share), self.clock()))

    def reviews(self, *, limit: int = 50) -> Stage[tuple[Waiting, ...]]:
        """What waits for a person, at most `limit` (1 to 1000), with the reason, the longest waiting first of each.

        Skills that are candidates, quarantined memories, pairs that contradict each other, and episodes that could not
        be reflected.
        """
        page = Page(limit=limit)
        yield from self._prepared()
        return (yield from govern.reviews(page, self.scope, self.clock()))

    def retire(
        self,
        id: str,  # noqa: A002
        *,
        by: str = "caller",
        reason: str = "",
        share: bool = False,
    ) -> Stage[Standings]:
        """Take a memory out of recall; it stays to be looked at, and `review(approve=True)` brings it back.

        What is shared is retired with `share` alone. Raises NotFound, InvalidInput.
        """
        said = self._clean(Retirement(id=id, by=by, reason=reason))
        yield from self._prepared()
        return (yield from govern.retire(said, self.scope.writes(share), self.clock()))

    def pin(
        self,
        id: str,  # noqa: A002
        pinned: bool = True,
        *,
        by: str = "caller",
        share: bool = False,
    ) -> Stage[Stored]:
        """Spare a memory from being archived, or (`pinned` false) no longer; its own `expires_at` still counts.

        What is shared is pinned with `share` alone. Raises NotFound, InvalidInput.
        """
        said = self._clean(Pin(id=id, pinned=pinned, by=by))
        yield from self._prepared()
        return (yield from govern.pin(said, self.scope.writes(share), self.clock()))

    def history(self, id: str) -> Stage[History]:  # noqa: A002
        """Where a memory comes from, what came of it, who corrected it, how it was used, what was done to it.

        Only what this client sees is told. Raises NotFound when the memory is not in this scope, or has expired.
        """
        yield from self._prepared()
        return (yield from govern.history(id, self.scope, self.clock()))

    def retention(
        self, *, budget: int | None = None, apply: bool = False, everything: bool = False
    ) -> Stage[Retention]:
        """Delete what has expired and archive what is of little use, or (without `apply`) tell what that would be.

        It works on the client's own scope; with `everything`, a client of the tenant works on all its users too.
        `budget` is the most memories that each scope keeps in use, else the setting. It works in batches: stopped and
        run again, it goes on; run twice, the second time finds nothing. A run that applies leaves a Job.
        """
        order = Order(budget=budget, apply=apply, everything=everything)
        yield from self._prepared()
        rules = self.settings.retention
        return (yield from govern.retention(order, self.scope, rules, self.clock(), self._dimensions, self.clock))

    def check(self, *, everything: bool = False) -> Stage[tuple[Finding, ...]]:
        """Prove that the client's own scope is in order: nothing, or each memory that breaks a rule, and what to do.

        With `everything`, a client of the tenant checks all its users too. Nothing is changed.
        """
        yield from self._prepared()
        return (yield from govern.check(self.scope, everything, self._model, self._dimensions))
