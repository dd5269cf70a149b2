"""`graphmem recall`: what is remembered for a task."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from graphmem.cli.client import connect
from graphmem.cli.options import Domain, Json, OfKind, Tags, TaskType, Tenant, Toolchain, User, pairs
from graphmem.cli.output import note, print_json, say
from graphmem.fields import DEFAULT_LIMIT

if TYPE_CHECKING:
    from graphmem.recall import Recall


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(recall)


def recall(
    text: Annotated[str, typer.Argument(help="The task at hand, in plain words.", show_default=False)],
    kind: OfKind = None,
    domain: Domain = None,
    task_type: TaskType = None,
    toolchain: Toolchain = None,
    tags: Tags = None,
    techniques: Annotated[
        list[str] | None, typer.Option("--technique", help="A technique that it must have used; may be given again.")
    ] = None,
    difficulty: Annotated[
        tuple[float, float] | None, typer.Option(metavar="LOWEST HIGHEST", help="A range of difficulty, in 0 to 1.")
    ] = None,
    context: Annotated[
        list[str] | None, typer.Option(metavar="KEY=VALUE", help="What holds now, such as os=linux.")
    ] = None,
    limit: Annotated[int, typer.Option(min=1, max=100, help="The most memories to give back.")] = DEFAULT_LIMIT,
    include_secure: Annotated[
        bool, typer.Option("--include-secure", help="Find secure memories too; else they are never recalled.")
    ] = False,
    reviewed: Annotated[bool, typer.Option("--reviewed", help="Nothing but what a person approved.")] = False,
    explain: Annotated[
        bool, typer.Option("--explain", help="Show the ranking with every component of the score.")
    ] = False,
    prompt: Annotated[bool, typer.Option("--prompt", help="Print quoted evidence for a prompt's data part.")] = False,
    tokens: Annotated[
        int | None, typer.Option(min=1, help="The most tokens of that, at four characters each.", show_default=False)
    ] = None,
    html: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Also write it as a picture to look at in a browser.")
    ] = None,
    tenant: Tenant = None,
    user: User = None,
    as_json: Json = False,
) -> None:
    """Ask for the memories that fit a task; when none does, the answer is 'novel'.

    A receipt is written at once: `graphmem feedback` takes its id.
    """
    if explain + prompt + as_json > 1:
        raise typer.BadParameter("--explain, --prompt and --json exclude each other")
    if tokens is not None and not prompt:
        raise typer.BadParameter("--tokens goes with --prompt")
    conditions = pairs(context, "--context")
    if html is not None:
        import_module("graphmem.recall.picture")  # so that a missing extra is told before anything is asked
    with connect(tenant, user) as memory:
        answer = memory.recall(
            text,
            kind=kind,
            domain=domain,
            task_type=task_type,
            toolchain=toolchain,
            tags=tags or (),
            techniques=techniques or (),
            difficulty=difficulty,
            context=conditions,
            include_secure=include_secure,
            reviewed=reviewed,
            limit=limit,
            receipt=True,
        )
    if as_json:
        print_json(answer)
    else:
        say(answer.as_prompt(tokens) if prompt else answer.explain() if explain else "\n".join(_summary(answer)))
        for warning in () if explain else answer.warnings:
            note(warning)
        if not prompt:
            say(f"recall {answer.id}")
    if html is not None:
        answer.visualize(html)
        note(f"the picture is in {html}")


def _summary(answer: Recall) -> Iterator[str]:
    yield f"{answer.decision.value}: {answer.reason}"
    for place, hit in enumerate(answer.hits, 1):
        outcome = getattr(hit.memory, "outcome", None)
        yield f"{place}. {' '.join(hit.label.split())}"
        yield f"   {hit.kind.value} {hit.id}, {f'{outcome.value}, ' if outcome else ''}relevance {hit.relevance:.2f}"
    if answer.budget is not None:
        yield f"at most {answer.budget.attempts} attempts without memory, and in each:"
        yield from (f"- {check}" for check in answer.budget.checks)
