"""The command behind ``scripts/evaluate triage``."""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.table import Table

from graphmem.demo.mail import figures
from graphmem.demo.mail.data import Mail, read
from graphmem.demo.mail.guards import CONTROL, PLANTED, Guarded, guard
from graphmem.demo.mail.page import page
from graphmem.demo.mail.played import MEANING, Played, play
from graphmem.errors import GraphmemError
from graphmem.measure.bootstrap import Estimate
from graphmem.measure.evaluate.command import embedding, server, writable
from graphmem.memory import Memory
from graphmem.scope import Scope

NAME = "triage"
OWN = Scope(NAME, "owner")
GUARDED = 50
"""Messages for which memories are planted."""


def main(client: type[Memory], arguments: Sequence[str] | None = None) -> int:
    """Measure triage on mail; 0 when all went well, 2 with the reason when not."""
    said = _parser().parse_args(arguments)
    console = Console(stderr=True, highlight=False)
    start = time.monotonic()

    def tell(words: str) -> None:
        console.print(f"[{time.monotonic() - start:.0f} s] {words}", markup=False)

    try:
        writable(said.json, said.page)
        mail = read(said.data, OWN, said.seed, said.messages)
        with server(NAME) as settings:
            model = embedding(settings)

            def connect(tenant: str, user: str) -> Memory:
                return client(tenant, user, settings=settings, embedder=model)

            with (
                connect(OWN.tenant, OWN.user) as own,
                connect(OWN.tenant, "somebody") as user,
                connect("elsewhere", OWN.user) as tenant,
            ):
                found = play(own, mail, said.seed, tell)
                guarded = guard(own, user, tenant, [one.message for one in mail.test[:GUARDED]])
        said.json.write_text(figures.to_json(mail, found, guarded, said.seed, time.monotonic() - start), "utf-8")
        if said.page is not None:
            said.page.write_text(page(mail, found, guarded, said.seed), "utf-8")
        for table in summary(mail, found, guarded, said.seed):
            console.print(table)
    except GraphmemError as error:
        console.print(f"error: {error}", markup=False, soft_wrap=True)
        return 2
    return 0


def summary(mail: Mail, found: Played, guarded: Guarded, seed: int) -> tuple[Table, ...]:
    """What was found, as tables for a terminal."""
    conditions = Table("condition", "what it is", "macro-F1", title=f"{len(mail.test)} messages")
    for name, choices in found.conditions.items():
        conditions.add_row(name, MEANING[name], _shown(figures.scored(mail.truth, choices, seed).macro_f1))
    pairs = Table("condition", "than", "macro-F1 gained")
    for one in figures.paired(mail.truth, found, seed):
        pairs.add_row(one.condition, one.than, _shown(one.gain))
    limits = Table("examples", "macro-F1", "median ms", "95 % within ms")
    for limit, choices in found.limits.items():
        scored = figures.scored(mail.truth, choices, seed)
        limits.add_row(str(limit), _shown(scored.macro_f1), f"{scored.median_ms:.1f}", f"{scored.p95_ms:.1f}")
    limits.caption = f"only the sender changes {_shown(figures.by_sender(found, seed))} of the decisions"
    guards = Table("planted", f"recalled, of {guarded.asked}")
    for name in (*PLANTED, CONTROL):
        guards.add_row(name, str(guarded.seen[name]))
    guards.caption = "it holds" if guarded.holds else "IT DOES NOT HOLD"
    return conditions, pairs, limits, guards


def _shown(one: Estimate) -> str:
    return f"{one.value:.3f} ({one.low:.3f} to {one.high:.3f})"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog=f"scripts/evaluate {NAME}",
        description="Triage of mail: the policy alone, random and recalled examples, on data of your own copy.",
    )
    parser.add_argument("--data", type=Path, required=True, help="the folder of the data sets' folders")
    parser.add_argument("--json", type=Path, required=True, help="where the figures go")
    parser.add_argument("--page", type=Path, help="where a readable page goes")
    parser.add_argument("--messages", type=int, help="the most messages that are decided (all)")
    parser.add_argument("--seed", type=int, default=0, help="of every draw (0)")
    return parser
