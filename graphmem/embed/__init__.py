"""Text becomes vectors: what an embedder is, the offline model, how texts are put to either safely."""

from graphmem.embed.factory import make_embedder
from graphmem.embed.known import Known
from graphmem.embed.protocol import Embedder, Vectors, check_embedder, default_threshold, token_limit
from graphmem.embed.vectors import Embedded, embed_texts

__all__ = [
    "Embedded",
    "Embedder",
    "Known",
    "Vectors",
    "check_embedder",
    "default_threshold",
    "embed_texts",
    "make_embedder",
    "token_limit",
]
