"""Triage of mail, measured: do reviewed examples decide better than the policy alone, and is nothing else recalled."""

from graphmem.demo.mail.command import main

__all__ = ["main"]
