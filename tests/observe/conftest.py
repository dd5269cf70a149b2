"""What the application's tracing and logging get to see."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from opentelemetry import trace
from opentelemetry.sdk.trace import ReadableSpan, SpanProcessor, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter


class Kept:
    """The spans of graphmem that ended, as a tracing application gets them."""

    def __init__(self, exporter: InMemorySpanExporter) -> None:
        self._exporter = exporter

    @property
    def all(self) -> Sequence[ReadableSpan]:
        """In the order of their ends, those of other libraries left out."""
        return [one for one in self._exporter.get_finished_spans() if _ours(one)]

    def named(self, name: str) -> list[ReadableSpan]:
        """The spans of one name."""
        return [one for one in self.all if one.name == name]

    def tree(self, name: str) -> Any:
        """The last span of a name as (name, its children), in the order in which they began."""
        return self.under(self.named(name)[-1])

    def under(self, root: ReadableSpan) -> Any:
        """A span as (name, its children)."""
        assert root.context is not None
        spans = [one for one in self.all if one.parent is not None and one.parent.span_id == root.context.span_id]
        return root.name, [self.under(one) for one in sorted(spans, key=lambda one: one.start_time or 0)]


def _ours(span: ReadableSpan) -> bool:
    return span.instrumentation_scope is not None and span.instrumentation_scope.name in ("graphmem", "application")


class _Switched(SpanProcessor):
    """An application can choose its tracing once a process; here it is heard only while a test wants to."""

    def __init__(self) -> None:
        self.to: SimpleSpanProcessor | None = None

    def on_end(self, span: ReadableSpan) -> None:
        if self.to is not None:
            self.to.on_end(span)


_SWITCHED = _Switched()


@pytest.fixture(scope="session")
def tracing() -> None:
    """A process whose application traces."""
    provider = TracerProvider()
    provider.add_span_processor(_SWITCHED)
    trace.set_tracer_provider(provider)


@pytest.fixture
def spans(tracing: None) -> Iterator[Kept]:
    """The spans of this test."""
    exporter = InMemorySpanExporter()
    _SWITCHED.to = SimpleSpanProcessor(exporter)
    yield Kept(exporter)
    _SWITCHED.to = None


@pytest.fixture
def heard(caplog: pytest.LogCaptureFixture) -> Iterator[pytest.LogCaptureFixture]:
    """All that graphmem logs, in detail."""
    with caplog.at_level(logging.DEBUG, "graphmem"):
        yield caplog
