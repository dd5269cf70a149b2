"""A piece of work as a span and as a log record, whoever wants either; nothing, in no time, where nobody does."""

from __future__ import annotations

import logging
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any, TypeAlias

from graphmem.telemetry.answers import Attributes
from graphmem.telemetry.records import ROOT

if TYPE_CHECKING:
    from opentelemetry.trace import Tracer

Told: TypeAlias = Callable[[Attributes], object]


@contextmanager
def span(
    name: str,
    log: logging.Logger,
    attributes: Attributes,
    *,
    client: bool = False,
    ended: int = logging.DEBUG,
) -> Iterator[Told]:
    """A piece of work as a span, if the application traces, and as a record when it has ended, at the level `ended`.

    It yields what takes further attributes. `client` marks a call of another process. What is raised is told by its
    type alone, and its status code if a server gave one.
    """
    otel = _tracing()
    tracer = _tracer(otel) if otel is not None else None
    logged = log.isEnabledFor(ended)
    if tracer is None and not logged:
        yield ignored
        return
    found: dict[str, Any] = {}
    began = time.perf_counter()
    try:
        if tracer is None or otel is None:
            yield found.update
        else:
            kind = otel.SpanKind.CLIENT if client else otel.SpanKind.INTERNAL
            with tracer.start_as_current_span(
                name, kind=kind, attributes=attributes, record_exception=False, set_status_on_exception=False
            ) as live:
                try:
                    yield found.update
                except BaseException as error:
                    found |= _fault(error)
                    live.set_status(otel.Status(otel.StatusCode.ERROR))
                    raise
                finally:
                    live.set_attributes(found)
    except BaseException as error:
        if logged:
            log.log(ended, "%s failed after %.1f ms: %s", name, _since(began), _fault(error)["error.type"])
        raise
    if logged:
        told = "".join(f" {key.removeprefix(f'{ROOT}.')}={value}" for key, value in found.items())
        log.log(ended, "%s ended after %.1f ms%s", name, _since(began), told)


def ignored(attributes: Attributes) -> None:
    """Take what nobody wants to know."""


def _tracing() -> Any:
    """OpenTelemetry's module if the application has said where spans go, else None."""
    # Who has, has imported it; graphmem never does, since that takes longer than a recall.
    otel = sys.modules.get("opentelemetry.trace")
    if otel is None or not hasattr(otel, "use_span"):  # or another thread is just importing it
        return None
    return None if isinstance(otel.get_tracer_provider(), otel.ProxyTracerProvider) else otel


@cache
def _tracer(otel: Any) -> Tracer:
    try:
        number = version(ROOT)
    except PackageNotFoundError:
        number = None
    tracer: Tracer = otel.get_tracer(ROOT, number)
    return tracer


def _fault(error: BaseException) -> dict[str, str]:
    code = getattr(error, "code", None)
    if isinstance(code, str) and code.startswith("Neo."):
        return {"error.type": code, "db.response.status_code": code}
    return {"error.type": type(error).__name__}


def _since(began: float) -> float:
    return (time.perf_counter() - began) * 1000
