"""`graphmem record`: one memory from options, or any number from a file."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from graphmem.cli.client import connect
from graphmem.cli.options import Domain, ExpiresAt, Json, Metadata, Tags, TaskType, Tenant, Toolchain, User
from graphmem.cli.output import note, print_json, say
from graphmem.models import Kind, Outcome

HOW = ("file", "share", "tenant", "user", "as_json")  # these say how to record, all others what
MANY = "may be given again."


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(record)


def record(
    context: typer.Context,
    file: Annotated[
        str | None, typer.Option("--file", "-f", help="JSON or JSON Lines, each record with its kind; '-' is stdin.")
    ] = None,
    kind: Annotated[Kind, typer.Option(help="What is recorded.")] = Kind.EPISODE,
    id: Annotated[str | None, typer.Option(help="An id of yours; else a new one.")] = None,  # noqa: A002
    title: Annotated[str | None, typer.Option(help="A short name.")] = None,
    task: Annotated[str | None, typer.Option(help="Episode: what was to be done.")] = None,
    outcome: Annotated[Outcome | None, typer.Option(help="Episode: how it ended; else unknown.")] = None,
    summary: Annotated[str | None, typer.Option(help="Episode: what happened.")] = None,
    outcome_evidence: Annotated[
        str | None, typer.Option("--evidence", help="Episode: what proved the outcome.")
    ] = None,
    failure_reason: Annotated[str | None, typer.Option(help="Episode: why it failed.")] = None,
    techniques: Annotated[list[str] | None, typer.Option("--technique", help=f"Episode: a technique; {MANY}")] = None,
    insight: Annotated[str | None, typer.Option(help="Reflection: the lesson.")] = None,
    conditions: Annotated[
        list[str] | None, typer.Option("--condition", help=f"Reflection: 'key = value' or words; {MANY}")
    ] = None,
    name: Annotated[str | None, typer.Option(help="Skill: its name.")] = None,
    steps: Annotated[list[str] | None, typer.Option("--step", help=f"Skill: a step; {MANY}")] = None,
    preconditions: Annotated[
        list[str] | None, typer.Option("--precondition", help=f"Skill: 'key = value' or words; {MANY}")
    ] = None,
    approved_by: Annotated[str | None, typer.Option(help="Skill: who vouches for it.")] = None,
    sources: Annotated[
        list[str] | None, typer.Option("--source", help=f"Reflection, skill: an id it was learnt from; {MANY}")
    ] = None,
    domain: Domain = None,
    task_type: TaskType = None,
    toolchain: Toolchain = None,
    tags: Tags = None,
    subject: Annotated[str | None, typer.Option(help="The person it is about.")] = None,
    occurred_at: Annotated[str | None, typer.Option(metavar="TIME", help="When it happened; ISO-8601.")] = None,
    expires_at: ExpiresAt = None,
    source_ref: Annotated[str | None, typer.Option(help="Where it comes from.")] = None,
    secure: Annotated[bool, typer.Option("--secure", help="Keep it, and never recall it.")] = False,
    metadata: Metadata = None,
    share: Annotated[
        bool, typer.Option("--share", help="Record for the whole tenant, not for the user alone.")
    ] = False,
    tenant: Tenant = None,
    user: User = None,
    as_json: Json = False,
) -> None:
    """Record what was tried and how it ended, or a lesson or skill.

    The same id with the same content changes nothing. With --file every
    good record is stored and every other one is told with its line; then
    the command ends with 1. A trajectory is given in a file only. While the
    store is away, what is recorded waits in the outbox (graphmem flush).
    """
    given = _given(context)
    if file is not None and given:
        raise typer.BadParameter("a file's records say everything themselves; give no other field", param_hint="--file")
    if file is None and not given:
        raise typer.BadParameter("give --task (or --insight, --name and --step), or --file")
    with connect(tenant, user) as memory:
        if file is not None:
            from graphmem.cli.bulk import record_file

            if not record_file(memory, file, share, as_json):
                raise typer.Exit(1)
            return
        answer = memory.record({**given, "kind": kind.value}, share=share)
    if as_json:
        print_json(answer)
    else:
        say(f"{answer.result.value} {kind.value} {answer.id} ({answer.status or 'not stored yet'})")
    if answer.problem:
        note(answer.problem)


def _given(context: typer.Context) -> dict[str, Any]:
    """The fields of a memory that were given: their options carry the fields' names."""
    return {
        name: value
        for name, value in context.params.items()
        if name not in HOW and name != "kind" and value not in (None, False, [], ())
    }
