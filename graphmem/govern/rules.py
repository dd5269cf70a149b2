"""Rules: what people decide once for all like cases, in versions that are never rewritten; they outrank examples."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from pydantic import Field, field_validator

from graphmem.errors import InvalidInput, NotFound, StoreError, StoreUnavailable
from graphmem.govern.mentions import folded, mentions
from graphmem.models import Input, Label, Labels, Value, Words
from graphmem.record.properties import requirement
from graphmem.scope import Scope, new_id
from graphmem.steps import Call, Read, Row, Stage, Write
from graphmem.store.catalogue import statement
from graphmem.text import Instant, has_words, normalise, shown

ATTEMPTS = 50  # each loss means that an erasure took the rule
SAID = ("text", "conditions", "mentions", "decision")
"""What a version of a rule says; name and domain are what it is known by."""


class Rule(Input):
    """A policy: its words, where it holds, and what it decides there.

    It is known by name and domain (empty: any). Each of `conditions` is "key = value" and must hold of the facts; of
    `mentions`, words or phrases, one must stand in the text; without either it holds always. Where all of it holds, it
    decides `decision`; without one it is policy for a model to read. Raises InvalidInput for a condition of another
    form, and for conditions that cannot hold together.
    """

    name: Label
    text: Words
    domain: Label = ""
    conditions: Labels = ()
    mentions: Labels = ()
    decision: Label = ""

    @field_validator("name")
    @classmethod
    def _named(cls, name: str) -> str:
        if not has_words(name):
            raise ValueError("must not be blank")
        return name

    @field_validator("conditions")
    @classmethod
    def _judged(cls, conditions: tuple[str, ...]) -> tuple[str, ...]:
        wanted: dict[str, str] = {}
        for condition in conditions:
            key, equals, value = requirement(condition).partition("=")
            if not equals:
                raise ValueError(f'{shown(condition)} is not "key = value", and nothing else can be judged')
            if wanted.setdefault(key, value) != value:
                raise ValueError(f"{shown(key)} cannot be two values at once")
        return conditions

    def holds(self, text: str, facts: Mapping[str, str]) -> bool:
        """Whether it holds of a text and of facts such as {"relationship": "manager"}; one that is not told holds not.

        All is compared in normal form, whatever its case; a mention stands in the text as whole words.
        """
        known = {(normalise(key).casefold(), normalise(value).casefold()) for key, value in facts.items()}
        if not all(_wanted(condition) in known for condition in self.conditions):
            return False
        said = folded(text)
        return not self.mentions or any(mentions(said, folded(one)) for one in self.mentions)


class StoredRule(Rule):
    """One version of a rule: whose it is (`user` is empty for what the tenant shares), who set it, and when.

    It is in force while `active`. `withdrawn_by` and `withdrawn_at` say who ended it, and when; one that a newer
    version replaced was not withdrawn.
    """

    version: int = Field(ge=1, lt=2**63)
    user: str
    by: str
    at: Instant
    active: bool
    withdrawn_by: str = ""
    withdrawn_at: Instant | None = None


class RuleOrder(Input):
    """A rule that is to be set, and who says so."""

    rule: Rule
    by: Words


class RuleEnd(Input):
    """Which rule is to be withdrawn, and who says so."""

    name: Label
    domain: Label = ""
    by: Words


class RuleFilter(Input):
    """Which rules to list: those for questions of a domain (None: all), in force or (`versions`) in all versions."""

    domain: Label | None = None
    versions: bool = Field(False, strict=True)


class Ruled(Value):
    """What became of a rule: the version in force, or withdrawn; `changed` is false when it stood so already."""

    rule: StoredRule
    changed: bool


def decisive(said: Rule, kept: Rule) -> None:
    """See that a rule, once it is redacted, is known and holds by the same words as before.

    Raises InvalidInput otherwise: without some of its words it would hold of other cases than it was made for.
    """
    for name in set(Rule.model_fields) - {"text"}:
        if getattr(said, name) != getattr(kept, name):
            raise InvalidInput(
                f"Rule.{name} holds what must not be kept (a secret or personal data), and a rule cannot go by what is "
                "redacted; say it in other words, or in its text"
            )


def set_rule(order: RuleOrder, scope: Scope, now: datetime) -> Stage[Ruled]:
    """Write the next version of a rule and put it in force; what is in force and says the same stays as it is.

    Raises StoreUnavailable when the rule was erased again and again meanwhile.
    """
    rule = order.rule
    said = {name: _plain(getattr(rule, name)) for name in SAID}
    owner = {"tenant": scope.tenant, "user": scope.user}
    given = {**_where(scope, rule.domain, rule.name), "write_id": new_id(), "said": said}
    add = Call(statement("govern/rule_set"), {**given, "properties": {**owner, "by": order.by, "at": now}})
    for _ in range(ATTEMPTS):
        answered = (yield Write([held(scope, rule.domain, rule.name), add]))[-1]
        if answered:
            return _ruled(answered[0])
    raise StoreUnavailable(f"rule {shown(rule.name)} was erased {ATTEMPTS} times meanwhile; try again")


def rules(wanted: RuleFilter, scope: Scope) -> Stage[tuple[StoredRule, ...]]:
    """The rules of this scope in a fixed order: a user's own, then what is shared; by name; that of a domain, then of
    none; the newest version first."""
    domains = None if wanted.domain is None else sorted({"", wanted.domain})
    given = {"scopes": scope.visible, "domains": domains, "versions": wanted.versions}
    rows = yield Read(Call(statement("govern/rule_list"), given))
    found = [stored_rule(row["node"]) for row in rows]
    return tuple(sorted(found, key=lambda one: (not one.user, one.name, not one.domain, one.domain, -one.version)))


def withdraw_rule(end: RuleEnd, scope: Scope, seen: Scope, now: datetime) -> Stage[Ruled]:
    """Put a rule out of force; its versions stay, and to set it again makes the next one.

    `scope` is where it is withdrawn, `seen` what the client sees. Raises NotFound, InvalidInput for a shared one from a
    user's client without `share`.
    """
    every = yield from rules(RuleFilter(versions=True), seen)
    named = [one for one in every if one.name == end.name]
    if not any((one.user, one.domain) == (scope.user, end.domain) for one in named):
        raise _missing(end, named)
    given = {**_where(scope, end.domain, end.name), "by": end.by, "now": now, "write_id": new_id()}
    call = Call(statement("govern/rule_withdraw"), given)
    answered = (yield Write([held(scope, end.domain, end.name), call]))[-1]
    if not answered:
        raise _missing(end, ())  # erased meanwhile
    return _ruled(answered[0])


def held(scope: Scope, domain: str, name: str) -> Call:
    """Lock all versions of a rule, as the first statement of a transaction that changes them."""
    owner = {"tenant": scope.tenant, "user": scope.user}
    return Call(statement("govern/rule_hold"), {**_where(scope, domain, name), **owner})


def stored_rule(node: Row) -> StoredRule:
    """A version of a rule, from its node. Raises StoreError when somebody changed the node into none."""
    try:
        return StoredRule(**{name: node[name] for name in StoredRule.model_fields if node.get(name) is not None})
    except InvalidInput as error:
        told = " ".join(str(error).split())[:200]
        raise StoreError(f"rule {node.get('name')} was damaged in the database; mend its node ({told})") from error


def _ruled(row: Row) -> Ruled:
    return Ruled(rule=stored_rule(row["node"]), changed=row["changed"])


def _missing(end: RuleEnd, named: list[StoredRule] | tuple[()]) -> InvalidInput | NotFound:
    told = f"rule {shown(end.name)}" + (f" of domain {shown(end.domain)}" if end.domain else " without a domain")
    if any(one.domain == end.domain for one in named):
        return InvalidInput(f"{told} is shared by the tenant; give share=True to withdraw it for everybody")
    domains = sorted({shown(one.domain) for one in named if one.domain})
    hint = f"; there is one of domain {', '.join(domains)}" if domains else ""
    return NotFound(f"no {told} in this scope{hint}; nothing was changed")


def _where(scope: Scope, domain: str, name: str) -> dict[str, Any]:
    return {"scope": scope.own, "domain": domain, "name": name}


def _wanted(condition: str) -> tuple[str, str]:
    """The fact that a condition wants; its key holds no equals sign, its value may."""
    key, _, value = requirement(condition).partition("=")
    return key, value


def _plain(value: object) -> object:
    return list(value) if isinstance(value, tuple) else value
