"""The vectors of the questions asked last: one that is asked again is not embedded again."""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Sequence
from threading import Lock

from graphmem.embed.protocol import Embedder, TextKind
from graphmem.embed.vectors import Embedded, embed_texts

MOST = 256


class Known:
    """What one client asked; may be shared by threads.

    A vector follows from the text and the model alone, so nothing that is recorded, corrected or erased makes it wrong.
    Of the texts only digests are kept, and only in this process.
    """

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._guard = Lock()
        self._kept: OrderedDict[tuple[int, bytes], Embedded] = OrderedDict()

    def embed(self, embedder: Embedder, texts: Sequence[str], kind: TextKind) -> list[Embedded]:
        """As `embed_texts`; a question that got a whole vector is kept until `most` others were asked since."""
        if kind != "query":
            return embed_texts(embedder, texts, kind)
        keys = [(id(embedder), _digest(text)) for text in texts]
        with self._guard:
            known = {key: self._kept[key] for key in keys if key in self._kept}
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in known}
        if missing:
            known |= zip(missing, embed_texts(embedder, list(missing.values()), kind), strict=True)
        with self._guard:
            for key, one in known.items():
                if one.whole:
                    self._kept[key] = one
                    self._kept.move_to_end(key)
            while len(self._kept) > self._most:
                self._kept.popitem(last=False)
        return [known[key] for key in keys]


def _digest(text: str) -> bytes:
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
