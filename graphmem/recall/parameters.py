"""What a recall decides and ranks with: calibrated for a scope and domain, else taken from the settings."""

from __future__ import annotations

from pydantic import Field, ValidationError

from graphmem.errors import StoreError
from graphmem.models import Value
from graphmem.settings import Weights
from graphmem.steps import Row


class Parameters(Value):
    """One version of the parameters; version 0 is what the settings and the embedder say.

    A recall is answered when confidence = best − agreement · (best − agreed) − contrast · max(0, surroundings −
    reference) is at or above `threshold` (θ), all on the scale of relevances:

    - `best`, the greatest relevance; `agreed`, the mean of the three greatest;
    - `surroundings`, half the mean relevance of ranks 21 to 40 and half the mean cosine of the three nearest memories
      to those 20 of the first 40 that are nearest to each: how crowded it is around the question and around its
      answers. After the cross-domain similarity local scaling of Conneau et al. 2018, "Word translation without
      parallel data".

    Agreement and contrast are at least 0, so they can only lower the confidence. Where there is less company than they
    were calibrated on (fewer than three candidates, or than forty), θ is at least that of the settings. `weights` are
    those of S; None, in a stored version to which none were fitted, stands for the settings'.
    """

    version: int = 0
    domain: str = ""
    threshold: float = Field(ge=0)
    band: float = Field(ge=0)
    agreement: float = Field(0.0, ge=0)
    contrast: float = Field(0.0, ge=0)
    reference: float = 0.0
    weights: Weights | None = None

    @classmethod
    def stored(cls, node: Row) -> Parameters:
        """The version that a node of the graph holds. Raises StoreError when somebody has changed it into none."""
        weights = {name: node.get(f"weight_{name}") for name in Weights.model_fields}
        plain = {name: node.get(name) for name in cls.model_fields if name != "weights"}
        try:
            return cls(**plain, weights=None if None in weights.values() else Weights.model_validate(weights))
        except ValidationError as error:
            field = ".".join(map(str, error.errors()[0]["loc"]))
            raise StoreError(
                f"version {node.get('version')} of the parameters of domain {node.get('domain')!r} is damaged at "
                f"{field}; roll back to another version, or calibrate again"
            ) from error

    def properties(self) -> dict[str, object]:
        """What a node of the graph holds of this; its version is given by the graph."""
        weights = self.weights.model_dump() if self.weights is not None else {}
        plain = self.model_dump(exclude={"version", "weights"})
        return plain | {f"weight_{name}": value for name, value in weights.items()}
