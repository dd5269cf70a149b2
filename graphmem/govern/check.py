"""The verb `check`: proof that what a scope keeps is in order, or what breaks which rule."""

from __future__ import annotations

from graphmem.govern.tokens import tokens
from graphmem.models import Value
from graphmem.scope import Scope
from graphmem.steps import Call, Read, Stage
from graphmem.store.catalogue import statement

MOST = 1000  # findings of each statement
AWAITS = {"episode": ["reflection", "dead"], "reflection": ["grouping", "distilling"], "skill": []}
"""What a memory of a kind may wait for."""

_BY_HAND = "somebody changed the database by hand; mend the node"
REMEDIES = {
    "owner": f"its scope is not that of its tenant and user: {_BY_HAND}, or erase it",
    "recallable": "retire it and approve it again, which sets recallable and recall_key anew",
    "recall_key": "retire it and approve it again, which sets recallable and recall_key anew",
    "authority": "review it: a verdict sets authority anew; else it is 1 only where approved_by vouches for one's own",
    "outcome": "retire it; an episode whose outcome is unknown is in audit, and nothing else is",
    "status": f"{_BY_HAND}: its status is none of the six",
    "awaits": "remove its property awaits, or set it to what the memory's kind may wait for; then consolidate",
    "vector": "remove its embedding and embedding_model, then run 'graphmem reembed'",
    "expiry": "update it with expires_at",
    "filters": f"{_BY_HAND}: an absent label is an empty text, never null",
    "counters": "give the latest feedback on it again, which counts anew",
    "labels": "take the foreign label or link away; Memory and its kind are all that a memory carries",
    "leak": "delete the link at once, and find out who wrote it; recall does not follow it",
    "kinds": "delete the link: episodes derive reflections, reflections generalize to skills, receipts return memories",
    "narrow": "retire it: what is derived of one user's memory belongs to that user alone",
    "secure": "retire it, or set secure on it: the mark of a source passes on",
    "source": "retire it, or record it again under another id with sources that are there",
    "reflected": "remove its reflected_at, set awaits to 'reflection', then consolidate",
    "superseded": "retire it, or correct it by the skill that took its place",
    "versions": "retire one of the versions",
    "corrections": "make the correction again",
    "rules": f"withdraw the rule and set it again; else {_BY_HAND}",
    "unversioned": f"no version of a rule: {_BY_HAND} (give it the number after the rule's last), or erase everything",
}
"""By rule, what to do about what breaks it."""


class Finding(Value):
    """A rule that is broken: by which memory (or other node) of which user (empty: shared), how, and what to do."""

    rule: str
    id: str
    user: str
    what: str
    remedy: str


def check(scope: Scope, everything: bool, model: str, dimensions: int) -> Stage[tuple[Finding, ...]]:
    """What breaks a rule in the client's own scope, or in all of a tenant, at most a thousand times for each statement.

    Vectors are of `model`, in so many dimensions; without a model they are not looked at. Raises InvalidInput when a
    user's client asks for everything.
    """
    scopes = yield from tokens(scope, everything)
    given = {"scopes": scopes, "most": MOST}
    own = {"model": model, "dimensions": dimensions if model else None, "awaits": AWAITS}
    found = yield from _owners(scopes)
    user = None if everything else scope.user
    for name, rule, more in (
        ("memories", "", own),
        ("counters", "counters", {}),
        ("edges", "", {}),
        ("derived", "", {}),
        ("corrections", "corrections", {}),
        ("labels", "labels", {}),
        ("rules", "", {"tenant": scope.tenant, "user": user}),
    ):
        rows = yield Read(Call(statement(f"govern/check_{name}"), {**given, **more}))
        found += [_finding(rule or row["rule"], row["user"], row["id"], row["found"]) for row in rows]
    return tuple(sorted(found, key=lambda one: (one.rule, one.user, one.id, one.what)))


def _owners(scopes: list[str]) -> Stage[list[Finding]]:
    rows = yield Read(Call(statement("govern/check_owners"), {"scopes": scopes}))
    return [
        _finding("owner", row["user"], row["id"], f"{row['number']} {row['what']} say that they are another's")
        for row in rows
        if row["tenant"] is None or row["user"] is None or Scope(row["tenant"], row["user"]).own != row["scope"]
    ]


def _finding(rule: str, user: str | None, id_: str, what: str) -> Finding:
    return Finding(rule=rule, id=id_, user=user or "", what=what, remedy=REMEDIES[rule])
