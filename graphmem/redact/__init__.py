"""Redaction: secrets and personal data are taken out before anything is stored, embedded or put into a prompt."""

from graphmem.redact.clean import clean, errors_redacted, noted, subject, told
from graphmem.redact.factory import make_redactor
from graphmem.redact.protocol import Redaction, Redactor, check_redactor, redacted

__all__ = [
    "Redaction",
    "Redactor",
    "check_redactor",
    "clean",
    "errors_redacted",
    "make_redactor",
    "noted",
    "redacted",
    "subject",
    "told",
]
