"""Verbs about rules: what people decide once for all like cases, and what outranks remembered examples."""

from __future__ import annotations

from collections.abc import Iterable

from graphmem import govern
from graphmem.govern import Rule, Ruled, RuleEnd, RuleFilter, RuleOrder, StoredRule
from graphmem.steps import Stage
from graphmem.verbs.base import Base


class Deciding(Base):
    """set_rule, rules, withdraw_rule."""

    def set_rule(
        self,
        name: str,
        text: str,
        *,
        by: str,
        domain: str = "",
        conditions: Iterable[str] = (),
        mentions: Iterable[str] = (),
        decision: str = "",
        share: bool = False,
    ) -> Stage[Ruled]:
        """Set a rule: its next version, in force from now on in the place of the one before, which is kept as it was.

        `conditions` are "key = value" and must all hold of the facts, of `mentions` one must stand in the text; where
        all of it holds the rule decides `decision`, without one it is policy for a model to read. A domain narrows it
        to questions of that domain. It belongs to the client's own scope, with `share` to what the tenant shares. What
        says the same as the version in force changes nothing, and the answer says so (`changed`). `text` is redacted;
        what it is known by, or holds by, is refused with a secret or personal data in it. Raises InvalidInput.
        """
        rule = Rule(name=name, text=text, domain=domain, conditions=conditions, mentions=mentions, decision=decision)
        order = RuleOrder(rule=rule, by=by)
        kept = self._clean(order)
        govern.decisive(rule, kept.rule)
        yield from self._prepared()
        return (yield from govern.set_rule(kept, self.scope.writes(share), self.clock()))

    def rules(self, *, domain: str | None = None, versions: bool = False) -> Stage[tuple[StoredRule, ...]]:
        """The rules in force that this client sees: a user's own before those that the tenant shares, by name.

        With `domain` those that hold for its questions: of that domain, and of none. Of one name that of a domain comes
        before that of none. `versions` lists those that were replaced or withdrawn too, the newest first.
        """
        wanted = self._clean(RuleFilter(domain=domain, versions=versions))
        yield from self._prepared()
        return (yield from govern.rules(wanted, self.scope))

    def withdraw_rule(self, name: str, *, by: str, domain: str = "", share: bool = False) -> Stage[Ruled]:
        """Put a rule of a domain (empty: of none) out of force; its versions stay to be looked at.

        To set it again makes its next version. What is withdrawn already stays so, and the answer says so (`changed`).
        What is shared is withdrawn with `share` alone. Raises NotFound, InvalidInput.
        """
        end = self._clean(RuleEnd(name=name, domain=domain, by=by))
        yield from self._prepared()
        return (yield from govern.withdraw_rule(end, self.scope.writes(share), self.scope, self.clock()))
