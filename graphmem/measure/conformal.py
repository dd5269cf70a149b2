"""θ by conformal risk control: false hits stay below a target, with a guarantee for finitely many labels.

The loss of a recall is 1 when it is answered and its first memory is not right, else 0; it falls as θ rises, so the
lowest θ with (n · R̂(θ) + 1) / (n + 1) ≤ α keeps the expected loss of the next recall of this kind at or below α.
After Angelopoulos, Bates, Fisch, Lei and Schuster 2022, "Conformal risk control". What the confidence is made of is
chosen on other recalls than those that θ is taken from, as the guarantee needs.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from graphmem.errors import InvalidInput
from graphmem.measure.ranking import auroc
from graphmem.measure.split import split
from graphmem.models import Value

AGREEMENTS = (0.0, 0.25, 0.5, 0.75, 1.0)
CONTRASTS = (0.0, 0.25, 0.5, 0.75)
SIMPLEST_FIRST = sorted(((a, c) for a in AGREEMENTS for c in CONTRASTS), key=lambda pair: (sum(pair), pair))
LOW = 0.05  # the quantile of the surroundings from which on they count as crowded
FLOOR = 50  # fewer labels than this would leave the threshold to chance, whatever the target
JUST_ABOVE = 1e-9  # more than the rounding of a confidence, less than any difference that matters
ALIKE = 1e-12


class Labelled(Value):
    """A recall of which it is known whether its first memory was `right`: its best ranked hit, or, without hits, its
    best ranked candidate.

    `best`, `agreed` and `surroundings` are those of `Parameters`, on the scale of relevances.
    """

    id: str
    best: float
    agreed: float
    surroundings: float
    right: bool

    def confidence(self, agreement: float, contrast: float, reference: float) -> float:
        """The confidence of this recall, by the rule of `Parameters`."""
        crowded = max(0.0, self.surroundings - reference)
        return self.best - agreement * (self.best - self.agreed) - contrast * crowded


class Fit(Value):
    """A threshold and what its confidence is made of, on how many recalls each was chosen, and how it does on these.

    `false_hits` and `right_answers` are shares of the recalls that θ was taken from: answered wrongly, answered well.
    """

    agreement: float
    contrast: float
    reference: float
    threshold: float
    chosen_on: int
    fitted_on: int
    false_hits: float
    right_answers: float


def minimum(rate: float) -> int:
    """How many labelled recalls a target needs: with fewer than 1/α − 1 for θ, no θ but infinity could be certified."""
    needed = math.ceil(1 / rate - 1 - 1e-9)
    return max(FLOOR, needed + (needed - 1) // 2)  # of which a third chooses, and the rest is enough for θ


def fit(labelled: Sequence[Labelled], rate: float) -> Fit:
    """Choose agreement, contrast and reference on a third of the recalls, θ on the others; the order does not matter.

    `rate` is α in (0, 1), the expected false hits per query asked. Raises InvalidInput when there are too few recalls,
    or when the first memory was so often wrong that nothing could be answered.
    """
    least = minimum(rate)
    if len(labelled) < least:
        raise InvalidInput(
            f"{len(labelled)} labelled recalls are too few to keep false hits at {rate:g}: {least} are needed; "
            "collect more with feedback or judge"
        )
    choosing, rest = split(labelled)
    agreement, contrast, reference = _chosen(choosing)
    confidences = [(one.confidence(agreement, contrast, reference), one.right) for one in rest]
    lowest = max(0.0, threshold(confidences, rate))  # θ is on the scale of relevances
    answered = [right for confidence, right in confidences if confidence >= lowest]
    if not any(answered):
        raise InvalidInput(
            f"false hits cannot be kept at {rate:g} by any threshold that answers: of {len(rest)} labelled recalls "
            "the most confident ones were wrong; correct what misled, or allow more false hits"
        )
    return Fit(
        agreement=agreement,
        contrast=contrast,
        reference=reference,
        threshold=lowest,
        chosen_on=len(choosing),
        fitted_on=len(rest),
        false_hits=answered.count(False) / len(rest),
        right_answers=answered.count(True) / len(rest),
    )


def threshold(confidences: Sequence[tuple[float, bool]], rate: float) -> float:
    """The lowest θ that keeps false hits at `rate`, for confidences and whether the first memory was right.

    The confidences may be on any scale. θ is never below the least of them: nothing is known of recalls that are less
    confident than any labelled one. Infinity when there are fewer than 1/α − 1.
    """
    allowed = math.floor(rate * (len(confidences) + 1) + 1e-9) - 1
    if allowed < 0:
        return math.inf
    wrong = sorted((confidence for confidence, right in confidences if not right), reverse=True)
    lowest = min(confidence for confidence, _ in confidences)
    if allowed >= len(wrong):
        return lowest
    return max(lowest, wrong[allowed] + JUST_ABOVE, math.nextafter(wrong[allowed], math.inf))


def _chosen(labelled: Sequence[Labelled]) -> tuple[float, float, float]:
    """Agreement, contrast and reference whose confidence best tells right from wrong; the smallest of equally good."""
    surroundings = sorted(one.surroundings for one in labelled)
    reference = surroundings[int(LOW * (len(surroundings) - 1))]
    best, chosen = 0.0, SIMPLEST_FIRST[0]
    for agreement, contrast in SIMPLEST_FIRST:
        scored = [(one.confidence(agreement, contrast, reference), one.right) for one in labelled]
        area = auroc([score for score, right in scored if right], [score for score, right in scored if not right])
        if area > best + ALIKE:  # never of NaN, when all are right or all are wrong
            best, chosen = area, (agreement, contrast)
    return *chosen, reference
