"""`graphmem consolidate`: from episodes to lessons and skills, once or for as long as it is left running."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Annotated

import typer

from graphmem.cli.client import connect
from graphmem.cli.jobs import reporting
from graphmem.cli.options import Json, Tenant, User
from graphmem.cli.output import note, print_json, say, say_columns
from graphmem.errors import StoreUnavailable

if TYPE_CHECKING:
    from graphmem.learn import Consolidation


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(consolidate)


def consolidate(
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what rules would make of it; write nothing.")] = False,
    watch: Annotated[bool, typer.Option("--watch", help="Go on until it is stopped, looking again and again.")] = False,
    every: Annotated[
        float, typer.Option(min=0.1, metavar="SECONDS", help="With --watch: pause between two runs.", show_default=True)
    ] = 30.0,
    tenant: Tenant = None,
    user: User = None,
    as_json: Json = False,
) -> None:
    """Turn episodes into lessons and skills, and promote the skills that are proven.

    Without a user for what the tenant shares; with one for that user's own
    episodes. Any number of these may run at once, and be killed at any moment.
    """
    if watch and dry_run:
        raise typer.BadParameter("--watch and --dry-run exclude each other")
    with connect(tenant, user) as memory:
        while True:
            try:
                with reporting() as progress:
                    done = memory.consolidate(dry_run=dry_run, progress=progress)
            except StoreUnavailable as error:
                if not watch:
                    raise
                note(f"{error}; trying again in {every:g} s")
                time.sleep(every)
                continue
            for warning in done.warnings:
                note(warning)
            if as_json:
                print_json(done)
            elif done.episodes or done.decided or not watch:
                _show(done)
            if not watch:
                return
            time.sleep(every)


def _show(done: Consolidation) -> None:
    if done.dry_run:
        say(f"{done.episodes} episodes would become {done.lessons} lessons; nothing was written")
        say_columns([[draft.insight[:100], ", ".join(draft.sources[:5])] for draft in done.drafts])
    else:
        say(
            f"{done.episodes} episodes reflected: {done.lessons} new lessons, {done.repeated} that were known, "
            f"{done.skills} skills"
        )
    if done.decided:
        say_columns([[one.id, one.change, one.reason] for one in done.decided])
    if done.failed:
        say(f"{done.failed} given back for later, {done.dead} of them tried too often (graphmem review)")
    if done.usage.requests:
        used = done.usage
        say(f"{used.requests} requests, {used.prompt_tokens} + {used.completion_tokens} tokens, cost {done.cost:g}")
    left = done.queue
    lag = "" if left.lag_p50 is None else f"; lag {left.lag_p50:.0f} s (p50), {left.lag_p95:.0f} s (p95)"
    say(f"waiting: {left.waiting} episodes, {left.grouping + left.distilling} lessons, {left.dead} dead letters{lag}")
