"""`graphmem review`, `retire`, `pin`, `history`, `retention` and `check`: govern what is remembered."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from graphmem.cli.client import connect
from graphmem.cli.options import By, Id, Json, Tenant, User
from graphmem.cli.output import note, print_json, say, say_columns
from graphmem.fields import Outcome

if TYPE_CHECKING:
    from graphmem.govern import Retention, Reviewed, Standings, Waiting

Share = Annotated[bool, typer.Option("--share", help="A memory that the whole tenant shares.")]
Everything = Annotated[bool, typer.Option("--everything", help="The tenant with all its users.")]
Reason = Annotated[str, typer.Option(help="Why.")]


def register(app: typer.Typer) -> None:
    """Add the commands."""
    for command in (review, retire, pin, history, retention, check):
        app.command()(command)


def review(
    id: Annotated[str | None, typer.Argument(metavar="[ID]", help="Id of a memory; else what waits.")] = None,  # noqa: A002
    approve: Annotated[bool, typer.Option("--approve", help="It may be used: it becomes active.")] = False,
    reject: Annotated[bool, typer.Option("--reject", help="It may not be used: it is retired.")] = False,
    by: Annotated[str | None, typer.Option(help="Who says so; needed for a verdict.")] = None,
    reason: Reason = "",
    outcome: Annotated[
        Outcome | None, typer.Option(help="How an episode ended that nobody knew the end of.", show_default=False)
    ] = None,
    evidence: Annotated[str, typer.Option(help="What proved that outcome, and by whom.")] = "",
    feedback_ref: Annotated[str, typer.Option(help="Where that word came from, such as a ticket.")] = "",
    share: Share = False,
    limit: Annotated[int, typer.Option(min=1, max=1000, help="The most to list.")] = 50,
    tenant: Tenant = None,
    user: User = None,
    as_json: Json = False,
) -> None:
    """List what waits for a person, or give a verdict on one memory.

    An approval is a person's vouching for a skill or lesson; it also brings
    back what was retired or quarantined. Either verdict settles the open
    contradictions of the memory. With an outcome, an episode that nobody
    knew the end of ends.
    """
    if id is None:
        if approve or reject or by:
            raise typer.BadParameter("name the memory that the verdict is about")
        with connect(tenant, user) as memory:
            waiting = memory.reviews(limit=limit)
        _show_waiting(waiting, as_json)
        return
    if approve == reject:
        raise typer.BadParameter("give either --approve or --reject")
    if by is None:
        raise typer.BadParameter("give --by: a verdict needs its author")
    with connect(tenant, user) as memory:
        done = memory.review(
            id,
            approve=approve,
            by=by,
            reason=reason,
            outcome=outcome,
            evidence=evidence,
            feedback_ref=feedback_ref,
            share=share,
        )
    _show_reviewed(done, as_json)


def retire(
    id: Id,  # noqa: A002
    by: By = "caller",
    reason: Reason = "",
    share: Share = False,
    tenant: Tenant = None,
    user: User = None,
    as_json: Json = False,
) -> None:
    """Recall a memory no more; it is kept, and 'review --approve' brings it back."""
    with connect(tenant, user) as memory:
        done = memory.retire(id, by=by, reason=reason, share=share)
    if as_json:
        print_json(done)
    else:
        say(_stands(done))


def pin(
    id: Id,  # noqa: A002
    off: Annotated[bool, typer.Option("--off", help="Take the pin away.")] = False,
    by: By = "caller",
    share: Share = False,
    tenant: Tenant = None,
    user: User = None,
    as_json: Json = False,
) -> None:
    """Spare a memory from being archived."""
    with connect(tenant, user) as memory:
        stored = memory.pin(id, not off, by=by, share=share)
    if as_json:
        print_json(stored)
    else:
        say(f"{stored.id} is {'pinned' if stored.memory.pinned else 'not pinned'}")


def history(id: Id, tenant: Tenant = None, user: User = None, as_json: Json = False) -> None:  # noqa: A002
    """Show where a memory comes from, what came of it, who corrected it, how it was used."""
    with connect(tenant, user) as memory:
        known = memory.history(id)
    if as_json:
        print_json(known)
    else:
        say(known.explain())


def retention(
    apply: Annotated[bool, typer.Option("--apply", help="Do it; else it is only told.")] = False,
    budget: Annotated[
        int | None, typer.Option(min=0, help="The most memories that a scope keeps in use; else the setting.")
    ] = None,
    everything: Everything = False,
    tenant: Tenant = None,
    user: User = None,
    as_json: Json = False,
) -> None:
    """Delete what has expired and archive what is of little use; without --apply, show what that would be.

    Archived is retired: kept, and recalled no more. Pinned memories are
    never archived.
    """
    with connect(tenant, user) as memory:
        done = memory.retention(budget=budget, apply=apply, everything=everything)
    if as_json:
        print_json(done)
    else:
        _show_retention(done)


def check(everything: Everything = False, tenant: Tenant = None, user: User = None, as_json: Json = False) -> None:
    """Prove that what is kept is in order; ends with 1 if something breaks a rule."""
    with connect(tenant, user) as memory:
        found = memory.check(everything=everything)
    if as_json:
        print_json(found)
    elif not found:
        say("all is in order")
    else:
        say_columns((one.rule, one.id, one.user or "-", one.what) for one in found)
        for rule, remedy in dict.fromkeys((one.rule, one.remedy) for one in found):
            note(f"{rule}: {remedy}")
    if found:
        raise typer.Exit(1)


def _show_waiting(waiting: tuple[Waiting, ...], as_json: bool) -> None:
    if as_json:
        print_json(waiting)
    elif not waiting:
        say("nothing waits for a person")
    else:
        say_columns((one.why.value, one.kind.value, one.id, one.reason, one.label) for one in waiting)


def _show_reviewed(done: Reviewed, as_json: bool) -> None:
    if as_json:
        print_json(done)
        return
    say(f"{done.verdict} by {done.by}: {_stands(done)}")
    for name, ids in (("settled with", done.settled), ("supersedes", done.superseded)):
        if ids:
            say(f"  {name}  {', '.join(ids)}")


def _stands(done: Standings) -> str:
    was = f", it was {done.before.value}" if done.changed else " already"
    return f"{done.id} is {done.status.value}{was}"


def _show_retention(done: Retention) -> None:
    did = "were" if done.applied else "would be"
    say(f"{done.expired} expired memories and {done.receipts} expired receipts {did} deleted")
    if done.superseded:
        say(f"{done.superseded} memories that they corrected {did} superseded")
    if done.jobs:
        say(f"{done.jobs} old jobs {did} deleted")
    say(f"{done.faded} faded and {done.excess} beyond the budget, of {done.living} in use, {did} archived")
    if done.least:
        say_columns((one.kind.value, one.id, f"{one.weight:.4g}", one.why, one.label) for one in done.least)
