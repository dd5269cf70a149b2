"""The decision: may these memories be used? It reads relevances alone, never the score."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from graphmem.embed import Embedder, default_threshold
from graphmem.recall.models import Budget, Candidate, Decision, Evidence
from graphmem.recall.parameters import Parameters
from graphmem.settings import RecallSettings

FALLBACK_THRESHOLD = 0.5
CHECKS = (
    "before each step, what it should bring about is written down; after it, that is compared with what was seen",
    "the end is proven by evidence from outside the agent before the attempt is recorded as a success",
)


@dataclass(frozen=True, slots=True)
class Policy:
    """What is decided with; `vouched` is false when nobody chose θ, and then no memory is used unverified."""

    parameters: Parameters
    vouched: bool


@dataclass(frozen=True, slots=True)
class Verdict:
    """A decision and why."""

    decision: Decision
    reason: str


def policy(settings: RecallSettings, embedder: Embedder | None) -> Policy:
    """θ from the settings, else from the embedder, else a cautious one that only allows verification."""
    chosen = settings.threshold
    if chosen is None and embedder is not None:
        chosen = default_threshold(embedder)
    vouched = chosen is not None
    threshold = FALLBACK_THRESHOLD if chosen is None else chosen
    return Policy(Parameters(threshold=threshold, band=settings.band, weights=settings.weights), vouched)


def decide(candidates: Sequence[Candidate], evidence: Evidence, policy: Policy, lexical_only: bool) -> Verdict:
    """use from θ + δ, verify from θ, else novel; by words alone never more than verify."""
    if not candidates:
        return Verdict(Decision.NOVEL, "nothing like this is remembered in this scope")
    if lexical_only:
        return _by_words(candidates)
    threshold, band = policy.parameters.threshold, policy.parameters.band
    raised = evidence.bar - threshold
    best = f"best relevance {evidence.best:.2f}" + (
        f", less {raised:.2f} since the nearest disagree or it is crowded there," if raised > 0 else ""
    )
    if evidence.best < evidence.bar:
        return Verdict(Decision.NOVEL, f"{best} is below θ {threshold:.2f}")
    if not policy.vouched:
        return Verdict(Decision.VERIFY, f"{best} is enough, but no θ was chosen for this model")
    if evidence.best < evidence.bar + band:
        return Verdict(Decision.VERIFY, f"{best} is within δ of θ {threshold:.2f}")
    return Verdict(Decision.USE, f"{best} is above θ {threshold:.2f}")


def budget(decision: Decision, settings: RecallSettings) -> Budget | None:
    """The bounded zero-shot attempt that is granted when there is no memory to go by."""
    if decision in (Decision.NOVEL, Decision.POLICY_ONLY):
        return Budget(attempts=settings.zero_shot_attempts, checks=CHECKS)
    return None


def _by_words(candidates: Sequence[Candidate]) -> Verdict:
    if any(candidate.components.lexical > 0 for candidate in candidates):
        return Verdict(Decision.VERIFY, "found by words alone, without a vector of the query")
    return Verdict(Decision.NOVEL, "no word of this is remembered in this scope")
