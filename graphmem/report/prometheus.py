"""Metrics in the text format that Prometheus reads."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from graphmem.measure import Metrics
from graphmem.recall import Decision
from graphmem.scope import Scope

OWNER = ("tenant", "user")
WAITED = "How long the median of the episodes reflected last had waited, in seconds."


class _Measured(Collector):
    def __init__(self, scope: Scope, metrics: Metrics, waiting: int, dead: int, now: datetime) -> None:
        self._own = [scope.tenant, scope.user]
        self._metrics, self._waiting, self._dead, self._now = metrics, waiting, dead, now

    def collect(self) -> Iterator[Metric]:
        """Every metric with its samples."""
        yield from self._counted()
        stock = GaugeMetricFamily("graphmem_memories", "Memories kept.", labels=[*OWNER, "kind", "status"])
        for one in self._metrics.stock:
            stock.add_metric([*self._own, one.kind.value, one.status.value], one.memories)
        yield stock
        lag, conversion = self._metrics.lag, self._metrics.conversion
        yield self._gauge("graphmem_waiting_episodes", "Episodes that wait to be reflected.", lag.waiting)
        yield self._gauge("graphmem_dead_episodes", "Episodes that were tried too often.", lag.dead)
        if lag.oldest is not None:
            age = (self._now - lag.oldest).total_seconds()
            yield self._gauge("graphmem_oldest_waiting_seconds", "Since when the oldest of them waits.", age)
        if lag.waited is not None:
            yield self._gauge("graphmem_consolidation_lag_seconds", WAITED, lag.waited.median)
        yield self._gauge("graphmem_novel_contexts", "Contexts in which nothing was known once.", conversion.contexts)
        yield self._gauge("graphmem_converted_contexts", "Those of them answered since.", conversion.converted)
        yield self._gauge("graphmem_outbox_waiting", "Writes in the outbox of this computer.", self._waiting)
        yield self._gauge("graphmem_outbox_dead", "Writes there that the store refused for good.", self._dead)

    def _counted(self) -> Iterator[Metric]:
        asked = CounterMetricFamily(
            "graphmem_recalls", "Recalls that left a receipt.", labels=[*OWNER, "domain", "decision"]
        )
        labelled = CounterMetricFamily(
            "graphmem_labelled_recalls", "Recalls with a word on their first memory.", labels=[*OWNER, "domain"]
        )
        wrong = CounterMetricFamily("graphmem_false_hits", "Those answered wrongly.", labels=[*OWNER, "domain"])
        for one in self._metrics.domains:
            for decision in Decision:
                asked.add_metric([*self._own, one.domain, decision.value], getattr(one, decision.value))
            labelled.add_metric([*self._own, one.domain], one.labelled)
            wrong.add_metric([*self._own, one.domain], one.false_hits)
        yield from (asked, labelled, wrong)

    def _gauge(self, name: str, about: str, value: float) -> Metric:
        family = GaugeMetricFamily(name, about, labels=OWNER)
        family.add_metric(self._own, value)
        return family


def exposition(scope: Scope, metrics: Metrics, waiting: int, dead: int, now: datetime) -> str:
    """What was measured in a scope, and how many writes wait or are dead letters in its outbox, as Prometheus reads it.

    Every sample is labelled with the tenant and the user (empty: what the tenant shares). Counters count what is kept:
    when receipts expire they fall, which Prometheus takes for a restart.
    """
    registry = CollectorRegistry()
    registry.register(_Measured(scope, metrics, waiting, dead, now))
    return generate_latest(registry).decode("utf-8")
