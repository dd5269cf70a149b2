"""The verb `metrics`: how recalls were decided and how often wrongly, what became of the new, what goes wrong again."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from graphmem.measure.conversion import Context, Conversion, conversion
from graphmem.measure.patterns import Failure, Pattern, patterns
from graphmem.measure.receipts import MOST, Receipt, receipts
from graphmem.measure.stock import Lag, Stock, lag, stock
from graphmem.models import Value
from graphmem.recall import Decision
from graphmem.scope import Scope
from graphmem.steps import Call, Read, Row, Stage
from graphmem.store.catalogue import statement

CONTEXTS = 1_000  # those that are followed: the most recently asked
FAILURES = 10_000  # those that are grouped: the newest
K = 3  # as many memories as a recall returns unless told otherwise, and as `graphmem judge` shows
ANSWERED = (Decision.USE.value, Decision.VERIFY.value)


class DomainMetrics(Value):
    """The recalls of one domain (empty: those asked without one) that left a receipt, by decision.

    `labelled` are those of which it is known whether their first memory was right: the best ranked hit, or, where
    nothing was a hit, the best ranked candidate. `false_hits` are those of them that were answered and wrong,
    `false_hit_rate` their share of the labelled ones (None without any). `judged` counts the memories among the first 3
    of a recall of which a person said whether they are relevant, `precision_at_3` is the share of them that is (in
    [0, 1], None without any).
    """

    domain: str
    asked: int
    use: int
    verify: int
    novel: int
    policy_only: int = 0
    labelled: int
    false_hits: int
    false_hit_rate: float | None
    judged: int
    precision_at_3: float | None


class Metrics(Value):
    """What was measured in the client's own scope, from receipts that have not expired.

    `conversion` follows at most the 1,000 contexts asked last, through the newest 100,000 recalls; `patterns` are the
    most frequent failure modes among the last 10,000 failures. Failures and episodes are those that the client sees.
    `stock` is what the scope keeps, and `lag` what of it waits to be reflected, whatever the domain.
    """

    domains: tuple[DomainMetrics, ...]
    conversion: Conversion
    patterns: tuple[Pattern, ...]
    stock: tuple[Stock, ...] = ()
    lag: Lag = Lag()


def metrics(domain: str | None, scope: Scope, now: datetime) -> Stage[Metrics]:
    """Measure one domain, or all of them."""
    given = {"scope": scope.own, "domain": domain, "now": now}
    seen = {**given, "scopes": scope.visible}
    counts = yield Read(Call(statement("measure/decisions"), given))
    said = yield from receipts(scope, domain, None, now)
    contexts = yield Read(Call(statement("measure/contexts"), {**seen, "looked": MOST, "most": CONTEXTS}))
    failures = yield Read(Call(statement("measure/failures"), {**seen, "most": FAILURES}))
    return Metrics(
        domains=tuple(_domain(name, counts, said) for name in sorted({row["domain"] for row in counts})),
        conversion=conversion([Context.model_validate(dict(row)) for row in contexts]),
        patterns=patterns([Failure.model_validate(dict(row)) for row in failures]),
        stock=(yield from stock(scope, now)),
        lag=(yield from lag(scope, now)),
    )


def _domain(name: str, counts: Sequence[Row], said: Sequence[Receipt]) -> DomainMetrics:
    asked = {row["decision"]: row["asked"] for row in counts if row["domain"] == name}
    labelled = [one for one in said if one.domain == name and one.label is not None]
    judged = [
        word.relevant
        for one in said
        if one.domain == name
        for word in one.words
        if word.relevant is not None and word.rank is not None and word.rank <= K
    ]
    false_hits = sum(one.decision in ANSWERED and not one.label for one in labelled)
    return DomainMetrics(
        domain=name,
        asked=sum(asked.values()),
        use=asked.get(Decision.USE.value, 0),
        verify=asked.get(Decision.VERIFY.value, 0),
        novel=asked.get(Decision.NOVEL.value, 0),
        policy_only=asked.get(Decision.POLICY_ONLY.value, 0),
        labelled=len(labelled),
        false_hits=false_hits,
        false_hit_rate=false_hits / len(labelled) if labelled else None,
        judged=len(judged),
        precision_at_3=sum(judged) / len(judged) if judged else None,
    )
