"""What two sequences of words have in common, in a time that their length bounds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

LONGEST = 400  # words that are compared with each other: the time grows with the square of their number, or worse


@dataclass(frozen=True, slots=True)
class Matching:
    """The `ratio` in [0, 1] of what is common, in order; and the passages that differ, as `SequenceMatcher` has them.

    `whole` is false where too much differs to be compared: the ratio then counts the beginning and the end alone, and
    there are no passages.
    """

    ratio: float
    differing: tuple[tuple[str, int, int, int, int], ...]
    whole: bool = True


def matching(old: Sequence[str], new: Sequence[str]) -> Matching:
    """Compare two sequences. Of long ones, what both begin and end with is set aside first."""
    head = tail = 0
    if max(len(old), len(new)) > LONGEST:
        shorter = min(len(old), len(new))
        head = next((at for at in range(shorter) if old[at] != new[at]), shorter)
        tail = next((at for at in range(shorter - head) if old[-1 - at] != new[-1 - at]), shorter - head)
    before, after = old[head : len(old) - tail], new[head : len(new) - tail]
    all_words = max(1, len(old) + len(new))
    if max(len(before), len(after)) > LONGEST:
        return Matching(2 * (head + tail) / all_words, (), whole=False)
    matcher = SequenceMatcher(None, before, after, autojunk=False)
    differing = tuple(
        (tag, a + head, b + head, c + head, d + head) for tag, a, b, c, d in matcher.get_opcodes() if tag != "equal"
    )
    if not head and not tail:
        return Matching(matcher.ratio(), differing)
    common = head + tail + sum(block.size for block in matcher.get_matching_blocks())
    return Matching(2 * common / all_words, differing)
