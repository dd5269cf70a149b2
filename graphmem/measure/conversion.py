"""What became of contexts in which nothing was known at first: from a zero-shot attempt to memories that answer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from statistics import median

from graphmem.models import Outcome, Value
from graphmem.recall import Decision
from graphmem.text import Instant

DAY = 86_400.0


class Asked(Value):
    """One recall in a context: when, how it was decided, and how the attempt after it ended."""

    at: Instant
    decision: Decision
    outcome: Outcome


class Context(Value):
    """The recalls of one context, in their order, and since when each of its first two episodes is known."""

    asked: tuple[Asked, ...]
    known: tuple[Instant, ...]


class Attempts(Value):
    """How zero-shot attempts ended; `unknown` counts those of which nothing was said."""

    success: int = 0
    mixed: int = 0
    fail: int = 0
    unknown: int = 0


class Conversion(Value):
    """Contexts followed from their first novel recall on.

    Of the `contexts`, so many were `asked_again`, with exactly one episode known before (`one_shot`) or with more
    (`few_shot`; a context may pass through both), and so many were `converted`: a later recall was answered. `days` is
    the median time from the first novel recall to that one. `zero_shot` tells how the attempts after novel recalls
    ended.
    """

    contexts: int = 0
    asked_again: int = 0
    one_shot: int = 0
    few_shot: int = 0
    converted: int = 0
    days: float | None = None
    zero_shot: Attempts = Attempts()


def conversion(contexts: Sequence[Context]) -> Conversion:
    """Follow contexts; those without a novel recall are passed over."""
    followed = [one for one in map(_since_novel, contexts) if one.asked]
    later = [(one.asked[0], one.asked[1:], one.known) for one in followed]
    shots = [[sum(at < again.at for at in known) for again in rest] for _, rest, known in later]
    waits = [
        (answers[0].at - first.at).total_seconds() / DAY
        for first, rest, _ in later
        if (answers := [again for again in rest if again.decision is not Decision.NOVEL])
    ]
    ended = Counter(asked.outcome.value for one in followed for asked in one.asked if asked.decision is Decision.NOVEL)
    return Conversion(
        contexts=len(followed),
        asked_again=sum(bool(rest) for _, rest, _ in later),
        one_shot=sum(1 in counts for counts in shots),
        few_shot=sum(max(counts, default=0) > 1 for counts in shots),
        converted=len(waits),
        days=median(waits) if waits else None,
        zero_shot=Attempts(**ended),
    )


def _since_novel(context: Context) -> Context:
    start = next((n for n, one in enumerate(context.asked) if one.decision is Decision.NOVEL), len(context.asked))
    return context.model_copy(update={"asked": context.asked[start:]})
