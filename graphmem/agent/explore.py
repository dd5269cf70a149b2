"""Acting without any memory: what sounds like the task first, nothing twice."""

from __future__ import annotations

from collections.abc import Sequence

from graphmem.agent.body import Body
from graphmem.agent.words import content, parse, tokens

_ASKED_EVERY = 5  # actions between two looks at what is possible, unless the place changed


def explore(body: Body, attempts: int) -> None:
    """Try at most `attempts` actions that share words with the task; verbs that the task itself asks for come last.

    Of actions that sound equally well, those with words that were not tried yet come first.
    """
    verbs = frozenset(tokens(body.world.task))
    tried: set[str] = set()
    words: set[str] = set()
    options: list[str] = []
    for turn in range(attempts):
        if body.over:
            return
        place = body.view.place
        if turn % _ASKED_EVERY == 0 or not options:
            options = [action for action in body.valid_actions() if action not in tried]

        if not options:
            return
        action = _most_promising(options, body.vital, words, verbs)
        options.remove(action)
        tried.add(action)
        words |= content(action)
        if body.act(action, "nothing is remembered: tried out") and body.view.place != place:
            options = []


def _most_promising(options: Sequence[str], vital: frozenset[str], words: set[str], verbs: frozenset[str]) -> str:
    def promise(action: str) -> tuple[float, str]:
        meant = content(action)
        return 2.0 * (parse(action)[0] in verbs) - len(meant & vital) - 0.5 * len(meant - words), action

    return min(options, key=promise)
