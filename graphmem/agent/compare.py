"""Comparing: of the things that a task lists, the one that came out as the demonstrations' choice did.

"Find the heavier of the two stones (red, grey)": a demonstration tried both, read numbers, and took the one whose were
greater. So the numbers that are read in this run say which one to take, whatever the demonstration's was called.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from graphmem.agent.script import Script
from graphmem.agent.words import NUMBER, tokens

Step = tuple[str, str]  # an action, and what answered


def listed(task: str) -> tuple[str, ...]:
    """The names that a task lists in parentheses; none when it lists fewer than two."""
    found = [re.split(r",|\bor\b|\band\b", inner) for inner in re.findall(r"\(([^()]+)\)", task)]
    names = next((tuple(" ".join(tokens(name)) for name in names) for names in found if len(names) > 1), ())
    return tuple(name for name in names if name)


def named(action: str, names: Iterable[str]) -> str:
    """The only one of the names that an action says; empty when it says none or several."""
    words = f" {' '.join(tokens(action))} "
    said = [name for name in names if f" {name} " in words]
    return said[0] if len(said) == 1 else ""


def taken(script: Script, verbs: frozenset[str]) -> int:
    """Whether a demonstration took the thing with the greater numbers (1) or the smaller ones (-1); 0 if that is open.

    What it took is what its last action of those `verbs` names.
    """
    names = listed(script.task)
    last = [
        named(one.action, names) for one in script.lived if tokens(one.action)[:1] and tokens(one.action)[0] in verbs
    ]
    chosen = last[-1] if last else ""
    if not chosen:
        return 0
    read = _last(_numbers(((one.action, one.observation) for one in script.lived), names), names)
    signs = {(read[chosen] > other) - (read[chosen] < other) for name, other in read.items() if name != chosen}
    return signs.pop() if len(signs) == 1 else 0


def choice(task: str, steps: Iterable[Step], scripts: Iterable[Script], verbs: frozenset[str]) -> str:
    """The listed thing that is to be taken, by what was read in this run; empty when that cannot be told."""
    names = listed(task)
    if not names:
        return ""
    read = _last(_numbers(steps, names), names)
    sign = sum(taken(script, verbs) for script in scripts)
    return max(read, key=lambda name: read[name] * sign) if read and sign and len(set(read.values())) > 1 else ""


def _numbers(steps: Iterable[Step], names: Sequence[str]) -> Mapping[str, list[float]]:
    """What was read of each thing, in order: the last number of each answer to an action that names it alone."""
    found: dict[str, list[float]] = {}
    for action, observation in steps:
        numbers = NUMBER.findall(observation.split("\n\n", 1)[0])
        name = named(action, names)
        if name and numbers:
            found.setdefault(name, []).append(float(numbers[-1]))
    return found


def _last(read: Mapping[str, list[float]], names: Sequence[str]) -> Mapping[str, float]:
    """The numbers that were read after equally many looks at each, the most that all had; nothing if one had none."""
    if any(name not in read for name in names):
        return {}
    looks = min(map(len, read.values()), default=0)
    return {name: numbers[looks - 1] for name, numbers in read.items()}
