"""What an operator sees of the inside: log records that carry a trace id, and spans where the application traces.

Both say what was done, how long it took and how it ended: names of verbs and statements, counts, members of closed
sets, types of errors. Neither says what was asked or kept: no text, no parameter, no message of an error.

Loggers are `graphmem` and its children (`verbs`, `store`, `embed`, `llm`, `outbox`, `jobs`, `wait`); no handler is
configured. Spans are OpenTelemetry's, by its semantic conventions for databases and for generative AI.
"""

from __future__ import annotations

from graphmem.telemetry.answers import Attributes
from graphmem.telemetry.records import NOBODY, ROOT, logger, trace, waiting
from graphmem.telemetry.spans import Told, span
from graphmem.telemetry.verbs import job, verb

__all__ = ["NOBODY", "ROOT", "Attributes", "Told", "job", "logger", "span", "trace", "verb", "waiting"]
