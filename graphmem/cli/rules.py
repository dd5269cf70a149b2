"""`graphmem rules`: what people decide once for all like cases; it outranks remembered examples."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from graphmem.cli.client import connect
from graphmem.cli.options import Domain, Json, Tenant, User
from graphmem.cli.output import print_json, say, say_columns

if TYPE_CHECKING:
    from graphmem.govern import Ruled, StoredRule

Name = Annotated[str, typer.Argument(metavar="NAME", help="What the rule is called.", show_default=False)]
OfDomain = Annotated[str, typer.Option("--domain", help="Field of work that it is for; else all.")]
Author = Annotated[str, typer.Option("--by", help="Who says so.", show_default=False)]
Share = Annotated[bool, typer.Option("--share", help="A rule that the whole tenant shares.")]


def register(app: typer.Typer) -> None:
    """Add the commands, as a group of their own that lists without one."""
    group = typer.Typer(invoke_without_command=True)
    group.callback()(rules)
    group.command("set")(set_rule)
    group.command()(withdraw)
    app.add_typer(group, name="rules")


def rules(
    context: typer.Context,
    domain: Domain = None,
    versions: Annotated[bool, typer.Option("--versions", help="Those that are not in force too.")] = False,
    tenant: Tenant = None,
    user: User = None,
    as_json: Json = False,
) -> None:
    """List the rules in force; 'set' makes the next version of one, 'withdraw' ends one.

    A user's own come before those that the tenant shares. With --domain,
    those of that domain and of none.
    """
    if context.invoked_subcommand is not None:
        _lists_alone(context.invoked_subcommand, domain, versions, as_json)
        return
    with connect(tenant, user) as memory:
        found = memory.rules(domain=domain, versions=versions)
    if as_json:
        print_json(found)
    elif not found:
        say("no rule is in force" if not versions else "there are no rules")
    else:
        say_columns([("name", "version", "domain", "of", "holds", "decides", "text"), *map(_row, found)])


def set_rule(
    name: Name,
    text: Annotated[str, typer.Option(help="The policy in words.", show_default=False)],
    by: Author,
    domain: OfDomain = "",
    condition: Annotated[
        list[str] | None, typer.Option(metavar="KEY=VALUE", help="A fact that must hold; may be given again.")
    ] = None,
    mention: Annotated[
        list[str] | None, typer.Option(metavar="WORD", help="One of these must be mentioned; may be given again.")
    ] = None,
    decision: Annotated[str, typer.Option(help="What it decides where it holds; else a model reads it.")] = "",
    share: Share = False,
    tenant: Tenant = None,
    user: User = None,
    as_json: Json = False,
) -> None:
    """Set a rule: its next version, in force from now on; what is in force and says the same stays.

    No version is ever rewritten: 'graphmem rules --versions' shows them all.
    """
    with connect(tenant, user) as memory:
        done = memory.set_rule(
            name,
            text,
            by=by,
            domain=domain,
            conditions=condition or (),
            mentions=mention or (),
            decision=decision,
            share=share,
        )
    _show(done, "is in force", as_json)


def withdraw(
    name: Name,
    by: Author,
    domain: OfDomain = "",
    share: Share = False,
    tenant: Tenant = None,
    user: User = None,
    as_json: Json = False,
) -> None:
    """Put a rule out of force; its versions stay, and 'set' makes the next one."""
    with connect(tenant, user) as memory:
        done = memory.withdraw_rule(name, by=by, domain=domain, share=share)
    _show(done, "is withdrawn", as_json)


def _lists_alone(name: str, domain: str | None, versions: bool, as_json: bool) -> None:
    """See that no option of the list stands before a subcommand, which would not get it. Raises a usage error."""
    given = {"--domain": domain is not None, "--versions": versions, "--json": as_json}
    for option, there in given.items():
        if there:
            raise typer.BadParameter(
                f"before '{name}' it would not count; give what is for '{name}' after it", param_hint=option
            )


def _show(done: Ruled, stands: str, as_json: bool) -> None:
    if as_json:
        print_json(done)
    else:
        say(f"{done.rule.name}, version {done.rule.version}, {stands}{'' if done.changed else ' already'}")


def _row(rule: StoredRule) -> tuple[str, ...]:
    mentioned = [" or ".join(rule.mentions)] if rule.mentions else []
    stands = "" if rule.active else ", withdrawn" if rule.withdrawn_at else ", replaced"
    return (
        rule.name,
        f"{rule.version}{stands}",
        rule.domain or "-",
        rule.user or "-",
        "; ".join([*rule.conditions, *mentioned]) or "always",
        rule.decision or "-",
        rule.text,
    )
