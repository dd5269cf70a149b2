"""Sections of the settings: how experience is consolidated, when a skill is trusted, and what is kept."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from graphmem.endpoints import Section


class ConsolidationSettings(Section):
    """How episodes become lessons and skills, and on how much evidence a skill becomes active."""

    batch: int = Field(32, ge=1, le=1000, description="episodes whose tasks a worker claims at a time")
    lease_seconds: float = Field(
        600.0,
        gt=0,
        le=604_800,
        description="seconds after which the work of a silent worker returns; longer than one answer of a model",
    )
    retry_seconds: float = Field(
        60.0, ge=0, le=604_800, description="seconds until what could not be reflected is tried again"
    )
    tries: int = Field(5, ge=1, le=1000, description="how often an episode is tried before it is a dead letter")
    similarity: float = Field(0.85, ge=0, le=1, description="from this cosine on lessons are of one group")
    duplicate: float = Field(0.97, ge=0, le=1, description="from this cosine on lessons are linked as duplicates")
    support_min: int = Field(3, ge=1, description="distinct successful attempts that a skill needs to become active")
    rate_min: float = Field(
        0.4, ge=0, le=1, description="what the lower Wilson bound of its success rate must reach for that"
    )
    demote_uses: int = Field(3, ge=1, description="distinct failed uses that a skill needs to be taken out of use")
    demote_below: float = Field(
        0.6, ge=0, le=1, description="what the upper Wilson bound of its success rate in use must be below for that"
    )


class ByKind(Section):
    """A number for each kind of memory."""

    episode: float = Field(gt=0)
    reflection: float = Field(gt=0)
    skill: float = Field(gt=0)


class RetentionSettings(Section):
    """Which memories are archived: weight = base · 0.5 ^ (age / half-life) · (1 + successes) / (1 + failures).

    They are read by each run of retention, so a change holds for old memories from the next run on.
    """

    base: ByKind = Field(
        ByKind(episode=1, reflection=2, skill=4), description="the weight of a new memory that was not used yet"
    )
    half_life_days: ByKind = Field(
        ByKind(episode=90, reflection=180, skill=365), description="age in days at which half of the weight is left"
    )
    domains: dict[str, Annotated[float, Field(gt=0)]] = Field(
        {}, description="""by domain, a factor to the half-lives, as JSON: {"news": 0.1}"""
    )
    least: float = Field(0.05, ge=0, description="memories whose weight is below this are archived")
    budget: int | None = Field(
        None,
        ge=0,
        description="the most memories that a scope keeps in use; the lightest are archived; no limit if not set",
    )
    job_days: float = Field(
        90,
        ge=0,
        le=36_500,
        description="days after its end for which a job is kept that consolidated, archived or ranked",
    )
