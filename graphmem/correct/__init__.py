"""Feedback and corrections: what a recall led to, and which memory is right instead."""

from graphmem.correct.correction import Correction, Ruling, correct
from graphmem.correct.feedback import UNKNOWN, Feedback, Verdict, check, feedback, unwritten
from graphmem.correct.receipt import Filed, Reference, receipt, reference, write_receipt

__all__ = [
    "UNKNOWN",
    "Correction",
    "Feedback",
    "Filed",
    "Reference",
    "Ruling",
    "Verdict",
    "check",
    "correct",
    "feedback",
    "receipt",
    "reference",
    "unwritten",
    "write_receipt",
]
