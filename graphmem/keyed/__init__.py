"""Keyed values: any JSON object under a namespace and a key, as frameworks keep them, each version of it an episode."""

from graphmem.keyed.models import Answered, Delete, Find, Get, Kept, Match, Namespaces, Operation, Put
from graphmem.keyed.stage import Desk, Ranked, checked, delete, find, get, namespaces, put, ready

__all__ = [
    "Answered",
    "Delete",
    "Desk",
    "Find",
    "Get",
    "Kept",
    "Match",
    "Namespaces",
    "Operation",
    "Put",
    "Ranked",
    "checked",
    "delete",
    "find",
    "get",
    "namespaces",
    "put",
    "ready",
]
