"""A scope in which every verb has left its traces."""

from __future__ import annotations

from typing import Any

from graphmem import Episode, Reflection, Skill
from tests.memories import NOW, won


def live(client: Any, name: str = "") -> None:
    """Record, recall, give feedback, correct, link, review, retire, pin and set rules; ids begin with `name`."""
    client.record_many(
        [
            won(f"{name}e1", "pump north:0.9", domain="plant"),
            won(f"{name}e2", "pump north:0.8"),
            Episode(id=f"{name}lost", task="pump north:0.7", outcome="fail", failure_reason="no power"),
            Episode(id=f"{name}open", task="pump north:0.6"),
            Episode(id=f"{name}secret", task="pump north:0.6", outcome="success", secure=True),
            Reflection(id=f"{name}r1", insight="pump north:0.7", sources=[f"{name}e1", f"{name}e2"]),
            Reflection(id=f"{name}r2", insight="do not pump north:0.7", sources=[f"{name}lost"]),
            Reflection(id=f"{name}rs", insight="hush north:0.2", sources=[f"{name}secret"]),
            Reflection(id=f"{name}free", insight="pump slowly north:0.5"),
            Skill(id=f"{name}s1", name="pump north:0.7", steps=["a"], sources=[f"{name}r1"]),
            Skill(id=f"{name}s2", name="pump north:0.6", steps=["a", "b"], version=2, sources=[f"{name}r1"]),
        ]
    )
    client.feedback(client.recall("pump north:1"), outcome="success", used=[f"{name}e1"], misled=[f"{name}e2"])
    client.feedback(client.recall("pump north:1"), outcome="fail", used=[f"{name}e1"])
    client.recall("lamp east:1", receipt=True)
    client.link(f"{name}r1", f"{name}r2", kind="contradicts")
    client.link(f"{name}e1", f"{name}e2", kind="duplicate")
    client.correct(wrong=f"{name}lost", right=f"{name}e1", reason="it worked", context="pumps north:0.95")
    client.correct(wrong=f"{name}e2", right=f"{name}e1", reason="better")
    client.review(f"{name}s1", approve=True, by="ada", reason="seen it")
    client.retire(f"{name}free", by="ada")
    client.pin(f"{name}e2")
    client.update(f"{name}e1", tags=["wet"], expires_at=NOW.replace(year=2999))
    client.set_rule(f"{name}valve", "Close the valve first.", by="ada")
    client.set_rule(f"{name}valve", "Close both valves first.", by="bob", domain="plant", mentions=["valve", "阀门"])
    client.set_rule(f"{name}valve", "Close the valves first.", by="bob", conditions=["state = wet"], decision="stop")
    client.set_rule(f"{name}lamp", "Größe\u2028 zählt.", by="ada")
    client.withdraw_rule(f"{name}lamp", by="ada")
