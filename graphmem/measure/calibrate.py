"""The verbs `calibrate`, `rollback` and `parameters`: θ and weights of a domain, in versions, one of them active."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from pydantic import Field

from graphmem.errors import ConfigurationError, InvalidInput, NotFound
from graphmem.measure.conformal import Fit, fit
from graphmem.measure.receipts import receipts
from graphmem.measure.weights import Trial, fit_weights
from graphmem.models import Input, Label, Text, Value
from graphmem.recall import Parameters
from graphmem.scope import Scope, new_id
from graphmem.settings import RecallSettings
from graphmem.steps import Call, Read, Row, Stage, Write
from graphmem.store.catalogue import statement
from graphmem.text import Instant


class Chosen(Input):
    """Whose parameters: a domain's, or (empty) those for every question of the scope without parameters of its own."""

    domain: Label
    version: int | None = Field(None, ge=0)


class Target(Input):
    """What to calibrate: a domain (empty: all recalls of the scope), and the false hits allowed per query asked."""

    domain: Label
    false_hit_rate: float = Field(ge=0.0001, lt=1)
    by: Text


class Version(Value):
    """One version of a domain's parameters: when and by whom, from how many labelled recalls, for which target.

    `replaced` is the version that was active before it, to which a rollback from it leads; 0 is none.
    """

    parameters: Parameters
    active: bool
    replaced: int
    at: Instant
    by: str
    embedding_model: str
    false_hit_rate: float
    labelled: int


class Calibration(Value):
    """What was written: the parameters that are active now, and what they rest on.

    `fit` tells on how many of the `labelled` recalls each part was chosen, and how it does there; `trial` whether
    weights were accepted, and why.
    """

    domain: str
    version: int
    parameters: Parameters
    false_hit_rate: float
    labelled: int
    fit: Fit
    trial: Trial
    warnings: tuple[str, ...] = ()


class Rollback(Value):
    """Which version was active and which is now; 0 is none: recall goes by the settings."""

    domain: str
    before: int
    version: int
    parameters: Parameters | None


def calibrate(target: Target, scope: Scope, rules: RecallSettings, model: str, now: datetime) -> Stage[Calibration]:
    """Fit θ and the weights to the labelled recalls of a domain, and make them its active parameters.

    A recall is labelled by a word on its first memory: its best ranked hit, or, without hits, its best ranked
    candidate. Weights that are not accepted leave those that were in force. Raises InvalidInput, with nothing written,
    when there are too few labelled recalls or no θ keeps the target, ConfigurationError without an embedding model.

    The fitting is done by whoever drives this stage, and takes seconds for tens of thousands of recalls: an event loop
    that must not wait that long lets `Memory.calibrate` run in a thread.
    """
    if not model:
        raise ConfigurationError(
            "no embedding model is in use, so no recall is decided by relevance; nothing to calibrate"
        )
    said = yield from receipts(scope, target.domain or None, model, now)
    labelled = [one.labelled for one in said if one.labelled is not None]
    fitted = fit([one for one in labelled if one is not None], target.false_hit_rate)
    versions = yield from parameters(target.domain, scope)
    active = next((one.parameters for one in versions if one.active), None)
    trial = fit_weights([one.comparison for one in said], (active and active.weights) or rules.weights, rules.weights)
    chosen = Parameters(
        domain=target.domain,
        threshold=fitted.threshold,
        band=rules.band,
        agreement=fitted.agreement,
        contrast=fitted.contrast,
        reference=fitted.reference,
        weights=trial.weights or (active.weights if active else None),
    )
    given = {**_where(scope, target.domain), "write_id": new_id()}
    properties = _properties(chosen, target, scope, model, len(labelled), now)
    add = Call(statement("measure/calibrate"), {**given, "properties": properties})
    version = (yield Write([_hold(scope, target.domain), add]))[-1][0]["version"]
    return Calibration(
        domain=target.domain,
        version=version,
        parameters=chosen.model_copy(update={"version": version}),
        false_hit_rate=target.false_hit_rate,
        labelled=len(labelled),
        fit=fitted,
        trial=trial,
        warnings=_outranked(rules),
    )


def parameters(domain: str, scope: Scope) -> Stage[tuple[Version, ...]]:
    """All versions of a domain's parameters in the client's own scope, newest first."""
    rows = yield Read(Call(statement("measure/parameters"), _where(scope, domain)))
    return tuple(_version(row["node"]) for row in rows)


def rollback(chosen: Chosen, scope: Scope) -> Stage[Rollback]:
    """Make another version the active one: the one that the active one replaced, unless told which; 0 is none.

    Nothing is deleted, so a later version can be given as well. Raises InvalidInput when there is nothing to go back
    from, NotFound for a version that is not there.
    """
    domain, version = chosen.domain, chosen.version
    versions = {one.parameters.version: one for one in (yield from parameters(domain, scope))}
    before = next((number for number, one in versions.items() if one.active), 0)
    named = f"domain {domain!r}" if domain else "this scope"
    if version is None and not before:
        raise InvalidInput(f"no parameters are active for {named}; nothing to go back from")
    wanted = versions[before].replaced if version is None else version
    if wanted and wanted not in versions:
        listed = ", ".join(map(str, sorted(versions))) or "none"
        raise NotFound(f"no version {wanted} of the parameters for {named}; there are: {listed}")
    if wanted != before:
        activate = Call(statement("measure/activate"), {**_where(scope, domain), "version": wanted})
        yield Write([_hold(scope, domain), activate])
    return Rollback(
        domain=domain,
        before=before,
        version=wanted,
        parameters=versions[wanted].parameters if wanted else None,
    )


def _where(scope: Scope, domain: str) -> dict[str, Any]:
    return {"scope": scope.own, "domain": domain}


def _hold(scope: Scope, domain: str) -> Call:
    owner = {"tenant": scope.tenant, "user": scope.user}
    return Call(statement("measure/hold"), {**_where(scope, domain), **owner})


def _properties(
    chosen: Parameters, target: Target, scope: Scope, model: str, labelled: int, now: datetime
) -> dict[str, Any]:
    return {
        **chosen.properties(),
        "tenant": scope.tenant,
        "user": scope.user,
        "at": now,
        "by": target.by,
        "embedding_model": model,
        "false_hit_rate": target.false_hit_rate,
        "labelled": labelled,
    }


def _version(node: Row) -> Version:
    about = {name: node[name] for name in Version.model_fields if name != "parameters"}
    return Version(**about, parameters=Parameters.stored(node))


def _outranked(rules: RecallSettings) -> tuple[str, ...]:
    told = []
    if rules.threshold is not None:
        told.append("GRAPHMEM_RECALL__THRESHOLD is set, and outranks what was calibrated")
    if "weights" in rules.model_fields_set:
        told.append("GRAPHMEM_RECALL__WEIGHTS are set, and outrank those that are fitted")
    return tuple(told)
