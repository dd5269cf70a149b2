"""`graphmem triage …`: decide what becomes of messages, and take a person's word on it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from graphmem.cli.client import connect
from graphmem.cli.options import Json, Tenant, User
from graphmem.cli.output import note, print_json, say
from graphmem.errors import ConfigurationError, InvalidInput
from graphmem.source import entries

if TYPE_CHECKING:
    from pydantic import BaseModel

    from graphmem.agent.triage import Decided, Judged, Learnt, Message, Policy
    from graphmem.llm import Llm
    from graphmem.memory import Memory

T = TypeVar("T")
PROGRESS_SECONDS = 2.0
AT_ONCE = 256  # messages that are learnt before their answers are shown
RULES, MODEL = "rules", "openai"

File = Annotated[str, typer.Argument(metavar="FILE", help="JSON Lines, a message each; '-' is stdin.")]
Who = Annotated[str, typer.Option("--by", help="Who says so.", show_default=False)]
Of = Annotated[str, typer.Option("--domain", help="What is triaged, such as 'tickets'.")]


def register(app: typer.Typer) -> None:
    """Add the commands, as a group of their own."""
    triage = typer.Typer(help="Respond, notify or ignore.", no_args_is_help=True)
    triage.callback()(group)
    for command in (decide, review, learn):
        triage.command()(command)
    app.add_typer(triage, name="triage")


def group() -> None:
    """Respond, notify or ignore: by rules, by what a person accepted before, and by a policy."""


def decide(
    file: File,
    domain: Of = "email",
    policy: Annotated[Path | None, typer.Option(help="A text file: the policy for a language model.")] = None,
    default: Annotated[str, typer.Option(help="The route where nothing else decides.")] = "notify",
    agent: Annotated[str, typer.Option(help="Who decides where no rule does: 'rules', or a model ('openai').")] = RULES,
    limit: Annotated[int, typer.Option(min=1, max=20, help="The most examples.")] = 3,
    trace: Annotated[bool, typer.Option("--trace", help="Show on what each decision stands.")] = False,
    audit: Annotated[
        bool, typer.Option("--audit", help="Also tell what the recall kept out; implies --trace.")
    ] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Record nothing.")] = False,
    tenant: Tenant = None,
    user: User = None,
    as_json: Json = False,
) -> None:
    """Decide what becomes of the messages of a file, one after the other.

    A message has id, tenant (and user), sender, relationship, subject,
    body, at, facts, source_ref. What was decided is recorded, and is no
    evidence before a person has reviewed it. Bad lines are told, the
    others go on; then the command ends with 1.
    """
    from graphmem.agent.triage import Triage

    if agent not in (RULES, MODEL):
        raise typer.BadParameter(f"{agent!r} is neither '{RULES}' nor '{MODEL}'", param_hint="--agent")
    chosen = _policy(policy, default)
    with connect(tenant, user) as memory:
        llm = _model(memory) if agent == MODEL else None
        triage = Triage(memory, domain=domain, policy=chosen, limit=limit, llm=llm)

        def one(value: object) -> Decided:
            return triage.decide(_message(value), record=not dry_run, audit=audit)

        with _Report(as_json) as report:
            for entry in entries(file):
                done = report.tried(entry.place, lambda: one(entry.value), entry.problem)  # noqa: B023 - called at once
                if done is not None:
                    report.tell(done, str(done.trace) if trace or audit else _line(done))
    if report.bad:
        raise typer.Exit(1)


def review(
    id: Annotated[str, typer.Argument(metavar="ID", help="Id of the episode of a decision.")],  # noqa: A002
    by: Who,
    accept: Annotated[bool, typer.Option("--accept", help="The decision was right.")] = False,
    route: Annotated[str | None, typer.Option(help="The route that is right instead.")] = None,
    reason: Annotated[str, typer.Option(help="Why.")] = "",
    feedback_ref: Annotated[str, typer.Option(help="Where this word is kept; it never changes.")] = "",
    tenant: Tenant = None,
    user: User = None,
    as_json: Json = False,
) -> None:
    """Accept a decision, or say which route is right: from then on it is evidence."""
    from graphmem.agent.triage import Triage

    if accept == (route is not None):
        raise typer.BadParameter("give either --accept or --route")
    with connect(tenant, user) as memory:
        given: dict[str, Any] = {"accepted": accept, "route": route, "reason": reason, "feedback_ref": feedback_ref}
        done = Triage(memory).review(id, by=by, **given)
    if as_json:
        print_json(done)
    else:
        already = "" if done.changed else ", as it was already"
        say(f"{done.accepted} is accepted: {done.accepted_route.value}{already}")
        if done.accepted != done.id:
            note(f"it takes the place of {done.id}")


def learn(
    file: File,
    by: Who,
    domain: Of = "email",
    tenant: Tenant = None,
    user: User = None,
    as_json: Json = False,
) -> None:
    """Take messages whose route a person gave before as accepted examples.

    Each line is a message with its route, and reasoning and feedback_ref
    if there are any. Learnt again, nothing changes.
    """
    from graphmem.agent.triage import Triage

    with connect(tenant, user) as memory:
        triage = Triage(memory, domain=domain)
        with _Report(as_json) as report:
            read = (report.tried(one.place, lambda: _judged(one.value, memory), one.problem) for one in entries(file))  # noqa: B023
            for batch in _batches(one for one in read if one is not None):
                for done in triage.learn(batch, by=by):
                    if done.problem:
                        report.fault(f"message {done.message}: {done.problem}")
                    report.tell(done, _learnt(done))
    if report.bad:
        raise typer.Exit(1)


class _Report:
    """What became of the messages: a JSON array or lines on stdout, faults and progress on stderr."""

    def __init__(self, as_json: bool) -> None:
        self.done = self.bad = 0
        self._as_json = as_json
        self._told_at = time.monotonic()

    def __enter__(self) -> _Report:
        if self._as_json:
            typer.echo("[", nl=False)
        return self

    def __exit__(self, *_: object) -> None:
        if self._as_json:
            typer.echo("\n]")

    def tried(self, place: str, work: Callable[[], T], problem: str) -> T | None:
        """What came of one line; None, and told, where it is no good. What says nothing about the line is raised."""
        try:
            if problem:
                raise InvalidInput(problem)
            return work()
        except InvalidInput as error:
            self.fault(f"{place}: {error}")
            return None

    def fault(self, words: str) -> None:
        """Tell what is no good."""
        self.bad += 1
        note(words)

    def tell(self, value: BaseModel, line: str) -> None:
        """Tell what became of one message, and now and then how far it is."""
        if self._as_json:
            typer.echo((",\n" if self.done else "\n") + value.model_dump_json(), nl=False)
        else:
            say(line)
        self.done += 1
        if time.monotonic() - self._told_at >= PROGRESS_SECONDS:
            note(f"{self.done} messages done so far")
            self._told_at = time.monotonic()


def _message(value: object) -> Message:
    from graphmem.agent.triage import Message

    if not isinstance(value, dict):
        raise InvalidInput('a message is a JSON object such as {"id": "m1", "tenant": "acme", "body": "…"}')
    return Message(**value)


def _judged(value: object, memory: Memory) -> Judged:
    from graphmem.agent.triage import Judged

    if not isinstance(value, dict) or "route" not in value:
        raise InvalidInput("what is learnt is a message with its route: respond, notify or ignore")
    said = {name: value[name] for name in ("route", "reasoning", "feedback_ref") if name in value}
    message = _message({name: inner for name, inner in value.items() if name not in said})
    message.within(memory.scope)
    return Judged(message=message, **said)


def _policy(path: Path | None, default: str) -> Policy:
    from graphmem.agent.triage import Policy, Route
    from graphmem.fields import chosen

    route = chosen(Route, default, "--default")
    if path is None:
        return Policy(default=route)
    try:
        return Policy(text=path.read_text("utf-8"), default=route)
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidInput(f"{path} cannot be read as a policy ({error}); give a text file in UTF-8") from error


def _model(memory: Memory) -> Llm:
    from graphmem.llm import make_llm

    llm = make_llm(memory.settings)
    if llm is None:
        raise ConfigurationError("no language model is in use: set GRAPHMEM_LLM__MODEL, or leave out --agent")
    return llm


def _batches(judged: Iterator[Judged]) -> Iterator[Sequence[Judged]]:
    while batch := list(islice(judged, AT_ONCE)):
        yield batch


def _line(done: Decided) -> str:
    return f"{done.trace.message}  {done.route.value}  {done.by.value}  {done.episode or '-'}  {done.reasoning}"


def _learnt(done: Learnt) -> str:
    told = "is no example" if done.problem else "is learnt" if done.changed else "was learnt already"
    return f"{done.message}  {done.id}  {told}"
