"""The verb for values under keys."""

from __future__ import annotations

from collections.abc import Sequence

from graphmem import keyed
from graphmem import recall as recalling
from graphmem.errors import InvalidInput
from graphmem.keyed import Answered, Delete, Desk, Find, Get, Namespaces, Operation, Put, Ranked
from graphmem.models import Kind
from graphmem.recall import Request
from graphmem.scope import new_id
from graphmem.steps import Stage
from graphmem.verbs.erasing import Erasing


class Shelving(Erasing):
    """keyed."""

    def keyed(self, operations: Sequence[Operation]) -> Stage[tuple[Answered, ...]]:
        """Get, find, put and delete values under a namespace and a key; the answers come in the operations' order.

        What reads is answered first, from what was there before; then of what puts or deletes under one key the last
        counts. All of it is looked at before anything is written. Each namespace begins with the client's scope: the
        tenant, then the user if it is a user's client, and only that very scope is read or written. A value whose
        outcome nobody named waits for `review`: it is got and its namespace is listed, but it is not found. Raises
        ScopeError outside the scope, InvalidInput for what cannot be kept, and StoreUnavailable while the store is
        away: nothing waits in the outbox.
        """
        asked = tuple(operations)
        if not all(isinstance(one, Get | Put | Delete | Find | Namespaces) for one in asked):
            raise InvalidInput("keyed takes Get, Put, Delete, Find and Namespaces of graphmem.keyed")
        for one in asked:
            keyed.checked(one, self.scope)
        last = {(one.namespace, one.key): place for place, one in enumerate(asked) if isinstance(one, Put | Delete)}
        puts = {
            place: keyed.ready(one, self.scope, self.redactor)
            for place, one in enumerate(asked)
            if isinstance(one, Put)
        }
        yield from self._prepared()
        desk = Desk(self.scope, self.clock(), self._model, new_id, self._nearest, lambda id_: self.erase(id=id_))
        answers = []
        for one in asked:
            answers.append((yield from self._looked(one, desk)))
        problem = yield from keyed.put([puts[place] for place in sorted(last.values()) if place in puts], desk)
        for place in sorted(last.values()):
            one = asked[place]
            if isinstance(one, Delete):
                yield from keyed.delete(one, desk)
            elif problem:
                answers[place] = Answered(problem=problem)
        return tuple(answers)

    def _looked(self, one: Operation, desk: Desk) -> Stage[Answered]:
        if isinstance(one, Get):
            found = yield from keyed.get(one, desk)
            return Answered(items=() if found is None else (found,))
        if isinstance(one, Find):
            return Answered(items=(yield from keyed.find(one, desk)))
        if isinstance(one, Namespaces):
            return Answered(namespaces=(yield from keyed.namespaces(one, desk)))
        return Answered()

    def _nearest(self, query: str, tag: str, most: int) -> Stage[Sequence[Ranked]]:
        """The memories with a tag that a question finds, nearest first, near enough to be hits or not; then by id."""
        rules = self.settings.recall
        wide = rules.model_copy(update={"shown": max(rules.shown, most)})
        asked = self._clean(Request(text=query, tags=(tag,), kind=Kind.EPISODE))
        setting = recalling.Setting(
            scope=self.scope,
            rules=wide,
            policy=recalling.policy(wide, self.embedder),
            model=self._model,
            now=self.clock(),
            ids=[new_id()],
        )
        (answer,) = yield from recalling.recall([asked.model_copy(update={"limit": most})], setting)
        words = answer.lexical_only
        near = sorted(answer.candidates, key=lambda one: (-(one.score if words else one.relevance), one.id))
        return [Ranked(one.id, None if words else one.relevance) for one in near]
