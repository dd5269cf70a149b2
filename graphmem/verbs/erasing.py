"""The verb by which memories are gone for good."""

from __future__ import annotations

from graphmem import erase as erasing
from graphmem.erase import Erased, Target
from graphmem.redact import subject as pseudonym
from graphmem.steps import Progress, Stage
from graphmem.verbs.base import Base


class Erasing(Base):
    """erase."""

    def erase(
        self,
        *,
        id: str | None = None,  # noqa: A002 - the public name
        subject: str | None = None,
        everything: bool = False,
        progress: Progress = lambda doing, done, whole: None,
    ) -> Stage[Erased]:
        """Erase one memory, all memories about a subject, or everything, for good; exactly one of the three is given.

        `id` names a memory of the client's own scope. `subject` is compared exactly, as it was recorded; a client of a
        user erases what is that user's own, a client of the tenant erases in what is shared and in all its users' own.
        With them go their links and vectors, the receipts of recalls that returned them, that they misled or that have
        their trace, entries of the local outbox that name them, and what was learnt: a lesson or skill is erased too
        when no evidence of it remains, or when it carries words that only the erased said; what remains of its evidence
        then awaits consolidation anew. What stays no longer names or counts them. What they corrected everywhere is
        superseded. What rules say of a subject goes too. `everything` erases all memories, receipts, parameters, rules
        and jobs of a user, and nothing that the tenant shares, or, by a client of the tenant, the whole tenant with all
        its users.

        It works in transactions of bounded size: stopped and run again, it goes on. The answer, and the Job that an
        erasure by id or subject leaves, hold counts only. `progress` is told how much is done. Raises InvalidInput
        unless exactly one of the three is given, and for a shared memory from a user's client; NotFound, with nothing
        written, when nothing has that id or subject, as after an erasure.
        """
        target = Target(id=id, subject=subject, everything=everything)
        if target.subject is not None:
            target = Target(subject=pseudonym(self.redactor, target.subject))
        yield from self._schema()  # what waits in the outbox is not delivered, but erased there
        order = erasing.Order(
            scope=self.scope,
            rules=self.settings.consolidation,
            dimensions=self._dimensions,
            clock=self.clock,
            progress=progress,
        )
        return (yield from erasing.erase(target, order))
