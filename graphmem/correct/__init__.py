"""Feedback and corrections: what a recall led to, and which memory is right instead."""

from graphmem.correct.correction import Correction, Ruling, correct
from graphmem.correct.feedback import (
    Feedback,
    Reference,
    Verdict,
    feedback,
    reference,
    write_receipt,
)

__all__ = [
    "Correction",
    "Feedback",
    "Reference",
    "Ruling",
    "Verdict",
    "correct",
    "feedback",
    "reference",
    "write_receipt",
]
