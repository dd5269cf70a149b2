"""The decision: may these memories be used? It reads relevances alone, never the score."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from graphmem.embed import Embedder, default_threshold
from graphmem.recall.models import Budget, Candidate, Decision
from graphmem.settings import RecallSettings

FALLBACK_THRESHOLD = 0.5
CHECKS = (
    "before each step, what it should bring about is written down; after it, that is compared with what was seen",
    "the end is proven by evidence from outside the agent before the attempt is recorded as a success",
)


@dataclass(frozen=True, slots=True)
class Policy:
    """θ and δ of one recall; `vouched` is false when nobody chose θ, and then no memory is used unverified."""

    threshold: float
    band: float
    vouched: bool


@dataclass(frozen=True, slots=True)
class Verdict:
    """A decision, why, and the greatest relevance seen."""

    decision: Decision
    reason: str
    best: float


def policy(settings: RecallSettings, embedder: Embedder | None) -> Policy:
    """θ from the settings, else from the embedder, else a cautious one that only allows verification."""
    chosen = settings.threshold
    if chosen is None and embedder is not None:
        chosen = default_threshold(embedder)
    if chosen is None:
        return Policy(FALLBACK_THRESHOLD, settings.band, vouched=False)
    return Policy(chosen, settings.band, vouched=True)


def decide(candidates: Sequence[Candidate], policy: Policy, lexical_only: bool) -> Verdict:
    """use from θ + δ, verify from θ, else novel; by words alone never more than verify."""
    best = min(1.0, max((candidate.relevance for candidate in candidates), default=0.0))
    if not candidates:
        return Verdict(Decision.NOVEL, "nothing like this is remembered in this scope", best)
    if lexical_only:
        return _by_words(candidates, best)
    if best < policy.threshold:
        return Verdict(Decision.NOVEL, f"best relevance {best:.2f} is below θ {policy.threshold:.2f}", best)
    if not policy.vouched:
        return Verdict(Decision.VERIFY, f"best relevance {best:.2f}, but no θ was chosen for this model", best)
    if best < policy.threshold + policy.band:
        return Verdict(Decision.VERIFY, f"best relevance {best:.2f} is within δ of θ {policy.threshold:.2f}", best)
    return Verdict(Decision.USE, f"best relevance {best:.2f} is above θ {policy.threshold:.2f}", best)


def budget(decision: Decision, settings: RecallSettings) -> Budget | None:
    """The bounded zero-shot attempt that is granted when there is no memory to go by."""
    if decision in (Decision.NOVEL, Decision.POLICY_ONLY):
        return Budget(attempts=settings.zero_shot_attempts, checks=CHECKS)
    return None


def _by_words(candidates: Sequence[Candidate], best: float) -> Verdict:
    if any(candidate.components.lexical > 0 for candidate in candidates):
        return Verdict(Decision.VERIFY, "found by words alone, without a vector of the query", best)
    return Verdict(Decision.NOVEL, "no word of this is remembered in this scope", best)
