"""Reports: what a scope's memory has come to, as values, as one page, and as metrics for Prometheus."""

from graphmem.report.models import Report
from graphmem.report.stage import report

__all__ = ["Report", "report"]
