"""Looking at memories, judging and changing them, letting go of them, proving that all is in order."""

from graphmem.govern.check import Finding, check
from graphmem.govern.history import History, history
from graphmem.govern.retention import Order, Pin, Retention, pin, retention
from graphmem.govern.review import Page, Retirement, Reviewed, Standings, Verdict, Waiting, retire, review, reviews
from graphmem.govern.rules import (
    Rule,
    Ruled,
    RuleEnd,
    RuleFilter,
    RuleOrder,
    StoredRule,
    decisive,
    rules,
    set_rule,
    withdraw_rule,
)
from graphmem.govern.stage import Filters, get, listed, update
from graphmem.govern.status import Event

__all__ = [
    "Event",
    "Filters",
    "Finding",
    "History",
    "Order",
    "Page",
    "Pin",
    "Retention",
    "Retirement",
    "Reviewed",
    "Rule",
    "RuleEnd",
    "RuleFilter",
    "RuleOrder",
    "Ruled",
    "Standings",
    "StoredRule",
    "Verdict",
    "Waiting",
    "check",
    "decisive",
    "get",
    "history",
    "listed",
    "pin",
    "retention",
    "retire",
    "review",
    "reviews",
    "rules",
    "set_rule",
    "update",
    "withdraw_rule",
]
