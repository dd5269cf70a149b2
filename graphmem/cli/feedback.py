"""`graphmem feedback` and `graphmem correct`: what a recall led to, and which memory is right instead."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from graphmem.cli.client import connect
from graphmem.cli.options import By, Json, Tenant, User
from graphmem.cli.output import note, print_json, say
from graphmem.errors import NotFound
from graphmem.models import Outcome
from graphmem.source import STDIN, json_text

if TYPE_CHECKING:
    from graphmem.recall import Recall


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command()(feedback)
    app.command()(correct)


def feedback(
    recall: Annotated[
        str,
        typer.Argument(
            metavar="RECALL", help="A recall's id, a file with its JSON, or '-' for that on stdin.", show_default=False
        ),
    ],
    outcome: Annotated[Outcome, typer.Option(help="How the attempt ended.", show_default=False)],
    used: Annotated[
        list[str] | None, typer.Option(metavar="ID", help="A memory that was used; may be given again.")
    ] = None,
    misled: Annotated[
        list[str] | None, typer.Option(metavar="ID", help="A memory that misled; may be given again.")
    ] = None,
    evidence: Annotated[str, typer.Option(help="What proves the outcome.")] = "",
    reason: Annotated[str, typer.Option(help="Why a memory misled.")] = "",
    tenant: Tenant = None,
    user: User = None,
    as_json: Json = False,
) -> None:
    """Say how the attempt after a recall ended, which memories helped and which misled.

    Only memories that are named are credited or blamed. The latest word
    on a recall counts.
    """
    about = _about(recall)
    with connect(tenant, user) as memory:
        try:
            answer = memory.feedback(
                about, outcome=outcome, used=used or (), misled=misled or (), evidence=evidence, reason=reason
            )
        except NotFound as error:
            if isinstance(about, str) and str(error).startswith(f"no receipt {about} "):
                raise NotFound(f"{error}; there is no file of that name either") from error
            raise
    _warn(answer.warnings)
    if as_json:
        print_json(answer)
        return
    queued = "queued: " if answer.queued else ""
    say(f"{queued}recall {answer.recall_id} ended with {answer.outcome.value}")
    for name, ids in (("used", answer.used), ("misled", answer.misled)):
        if ids:
            say(f"  {name}  {', '.join(ids)}")


def correct(
    wrong: Annotated[str, typer.Option(metavar="ID", help="The memory that is wrong.", show_default=False)],
    right: Annotated[str, typer.Option(metavar="ID", help="The memory that takes its place.", show_default=False)],
    reason: Annotated[str, typer.Option(help="What was wrong.", show_default=False)],
    context: Annotated[str | None, typer.Option(help="Only for tasks like this one; else everywhere.")] = None,
    by: By = "caller",
    tenant: Tenant = None,
    user: User = None,
    as_json: Json = False,
) -> None:
    """Say that one memory is right where another is wrong; recall follows at once."""
    with connect(tenant, user) as memory:
        answer = memory.correct(wrong=wrong, right=right, reason=reason, context=context, by=by)
    _warn(answer.warnings)
    if as_json:
        print_json(answer)
        return
    say(
        f"{answer.right} takes the place of {answer.wrong}{' everywhere' if answer.everywhere else ' in contexts like'}"
    )
    for text in () if answer.everywhere else answer.contexts:
        say(f"  {text}")


def _about(recall: str) -> str | Recall:
    if recall != STDIN and not Path(recall).is_file():
        return recall
    from graphmem.recall import Recall

    value = json_text(recall)
    return Recall.from_json(value if isinstance(value, dict) else {})


def _warn(warnings: tuple[str, ...]) -> None:
    for warning in warnings:
        note(warning)
