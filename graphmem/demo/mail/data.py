"""Sentences of mail, of which a person judged whether they ask for action (EmailIntentDataSet, ParakweetLabs)."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from random import Random

from graphmem.agent.triage import Judged, Message, Route
from graphmem.measure.evaluate.read import json_lines
from graphmem.scope import Scope
from graphmem.text import has_words

FOLDER = "email"
RELATIONSHIPS = ("manager", "colleague", "customer", "newsletter")
ASKING = ("please", "can you", "could you", "would you", "will you", "let me know", "let us know", "get back to me")
"""What a person would write down as the signs of a request."""


@dataclass(frozen=True, slots=True)
class Mail:
    """What is learnt, what is decided, and the same messages from somebody else."""

    train: tuple[Judged, ...]
    test: tuple[Judged, ...]
    others: tuple[Message, ...]

    @property
    def truth(self) -> tuple[Route, ...]:
        """The right routes of the messages."""
        return tuple(one.route for one in self.test)


def read(data: Path, scope: Scope, seed: int, most: int | None = None) -> Mail:
    """Read ``email/ask_train.jsonl`` and ``ask_test.jsonl``: what asks for action is answered, the rest ignored.

    Each message has a sender and a relationship that are drawn by the seed and say nothing of its route. `most` is the
    most messages that are decided, drawn too. Raises InvalidInput when a file is missing or is another one.
    """
    train, test = (_judged(data / FOLDER / f"ask_{part}.jsonl", part, scope, seed) for part in ("train", "test"))
    if most is not None and most < len(test):
        kept = sorted(Random(seed).sample(range(len(test)), most))  # noqa: S311 - a draw that can be repeated
        test = tuple(test[place] for place in kept)
    return Mail(train, test, tuple(_from_another(one.message, seed) for one in test))


def _judged(path: Path, part: str, scope: Scope, seed: int) -> tuple[Judged, ...]:
    random = Random(f"{part} {seed}")  # noqa: S311 - a draw that can be repeated
    found = []
    for number, line in enumerate(json_lines(path, ("text", "asks_for_action"))):
        sender, relationship = _sender(random)
        if not has_words(line["text"]):
            continue
        message = Message(
            id=f"{part}-{number}",
            tenant=scope.tenant,
            user=scope.user,
            sender=sender,
            relationship=relationship,
            body=line["text"],
            source_ref=f"{path.name}:{number + 1}",
        )
        found.append(Judged(message=message, route=Route.RESPOND if line["asks_for_action"] else Route.IGNORE))
    return tuple(found)


def _from_another(message: Message, seed: int) -> Message:
    """The same message from another sender, who is something else to the receiver."""
    random = Random(f"{message.id} {seed}")  # noqa: S311 - a draw that can be repeated
    sender, _ = _sender(random)
    relationship = random.choice([one for one in RELATIONSHIPS if one != message.relationship])
    return Message(**{**dict(message), "sender": sender, "relationship": relationship})


def _sender(random: Random) -> tuple[str, str]:
    return f"sender{random.randrange(200)}@example.org", random.choice(RELATIONSHIPS)
