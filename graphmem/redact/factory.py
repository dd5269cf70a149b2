"""The redactor that the settings ask for."""

from __future__ import annotations

from graphmem.redact.protocol import Redactor
from graphmem.redact.rules import RuleRedactor
from graphmem.settings import Settings


def make_redactor(settings: Settings) -> Redactor | None:
    """The redactor of these settings, nothing loaded yet; None when redaction is off."""
    chosen = settings.redaction
    if chosen.mode == "off":
        return None
    return RuleRedactor(chosen.phone_regions, chosen.leave)
