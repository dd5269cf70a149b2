"""Verbs that measure how well recall works, and set it by what was measured."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from graphmem import correct as correcting
from graphmem import measure as measuring
from graphmem import report as reporting
from graphmem.measure import Calibration, Chosen, Judged, Judgement, Metrics, Rollback, Target, Version
from graphmem.recall import Recall
from graphmem.redact import clean
from graphmem.report import Report
from graphmem.steps import Stage
from graphmem.verbs.base import Base


class Measuring(Base):
    """calibrate, rollback, parameters, metrics, report, judge."""

    def calibrate(self, *, domain: str = "", false_hit_rate: float = 0.05, by: str = "caller") -> Stage[Calibration]:
        """Set θ for a domain so that false hits per query asked stay below a target, and fit its weights.

        It rests on the recalls of the client's own scope with a word on their first memory (`feedback`, `judge`), and
        holds for recalls like these; without a domain on all of them. The parameters are a new version, active at once.
        Raises InvalidInput, with nothing changed, when there are too few such recalls or no θ keeps the target.
        """
        target = self._clean(Target(domain=domain, false_hit_rate=false_hit_rate, by=by))
        yield from self._prepared()
        return (yield from measuring.calibrate(target, self.scope, self.settings.recall, self._model, self.clock()))

    def rollback(self, *, domain: str = "", version: int | None = None) -> Stage[Rollback]:
        """Make an earlier version of a domain's parameters the active one: the one before, unless told which.

        Version 0 is none: recall goes by the settings. Nothing is deleted. Raises InvalidInput when none is active,
        NotFound for a version that is not there.
        """
        chosen = self._clean(Chosen(domain=domain, version=version))
        yield from self._prepared()
        return (yield from measuring.rollback(chosen, self.scope))

    def parameters(self, *, domain: str = "") -> Stage[tuple[Version, ...]]:
        """All versions of a domain's parameters in the client's own scope, newest first."""
        chosen = self._clean(Chosen(domain=domain))
        yield from self._prepared()
        return (yield from measuring.parameters(chosen.domain, self.scope))

    def metrics(self, *, domain: str | None = None) -> Stage[Metrics]:
        """Decisions and false hits by domain, what became of novel contexts, and failure modes that recur."""
        chosen = None if domain is None else self._clean(Chosen(domain=domain)).domain
        yield from self._prepared()
        return (yield from measuring.metrics(chosen, self.scope, self.clock()))

    def report(self) -> Stage[Report]:
        """How this memory works and what it has come to: the learning curve, decisions, corrections, skills, speed.

        Recalls are those of the client's own scope that left a receipt, memories those that it sees; texts are redacted
        once more, since memories may be older than their redaction, and secure memories are not quoted.
        """
        yield from self._prepared()
        told = yield from reporting.report(self.scope, self.clock())
        return clean(self.redactor, told, known=True)[0]

    def judge(
        self,
        recall: Recall | Mapping[str, Any] | str | bytes,
        *,
        relevant: Iterable[str] = (),
        irrelevant: Iterable[str] = (),
    ) -> Stage[Judged]:
        """Say which memories a person finds relevant to what a recall asked, and which not.

        `recall` is the Recall, its JSON, or the id of a written receipt; the latest word on a memory counts. Nobody is
        credited or blamed. Raises NotFound for an id that is not there, InvalidInput when one is named as both.
        """
        about = correcting.reference(recall, self.redactor)
        said = self._clean(Judgement(relevant=relevant, irrelevant=irrelevant))
        yield from self._prepared()
        days = self.settings.receipt_days
        return (yield from measuring.judge(about, said, self.scope, self.clock(), days, self._model))
