"""Sections of the settings: what is redacted, how experience is consolidated, when a skill is trusted, what is kept."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, PlainValidator, StringConstraints

from graphmem.endpoints import Section

RedactedKind = Literal["secret", "email", "phone", "card", "iban", "ssn"]
Region = Annotated[str, StringConstraints(pattern=r"^[A-Z]{2}$")]


class RedactionSettings(Section):
    """What is taken out of every text before it is stored, embedded or put into a prompt."""

    mode: Literal["on", "off"] = Field("on", description="'off' keeps every text as it is")
    phone_regions: tuple[Region, ...] = Field(
        ("US",), max_length=20, description="regions (ISO 3166) whose phone numbers are found without a country code"
    )
    leave: tuple[RedactedKind, ...] = Field(
        (), description="kinds that are left alone: secret, email, phone, card, iban, ssn"
    )


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


class CentralitySettings(Section):
    """How much a link of each kind counts for the degree of a memory, and when betweenness is estimated.

    Two memories are linked once, by the greatest weight of the kinds that link them.
    """

    derives: float = Field(
        1.0,
        ge=0,
        le=1000,
        description="episode to lesson: what was learnt of a memory shows best what it is worth; 0: no link",
    )
    generalizes: float = Field(
        1.0, ge=0, le=1000, description="lesson to skill: evidence, as much as derives; 0: no link"
    )
    corrects: float = Field(
        0.5,
        ge=0,
        le=1000,
        description="right to wrong: it ties two memories, but is no evidence for either; 0: no link",
    )
    relates: float = Field(
        0.5, ge=0, le=1000, description="similar, duplicate and the like: many, and cheap to come by; 0: no link"
    )
    exact_up_to: int = Field(
        2000, ge=0, le=1_000_000, description="memories up to which betweenness is exact; beyond them it is estimated"
    )
    samples: int = Field(
        256, ge=1, le=1_000_000, description="memories from which it is estimated, by a fixed seed; more are slower"
    )

    def by_type(self) -> dict[str, float]:
        """The weights by the type of the edge."""
        return {
            "DERIVES": self.derives,
            "GENERALIZES": self.generalizes,
            "CORRECTS": self.corrects,
            "RELATES": self.relates,
        }


LONGEST = 31_536_000  # seconds: a year


def _interval(said: object) -> float | str:
    if said == "off":
        return "off"
    try:
        seconds = float(str(said))
    except ValueError:
        seconds = 0.0
    if not 1 <= seconds <= LONGEST:
        raise ValueError(f"it must be a number of seconds from 1 to {LONGEST}, or 'off'")
    return seconds


Interval = Annotated[float | Literal["off"], PlainValidator(_interval)]


class ScheduleSettings(Section):
    """How often `graphmem jobs schedule` runs each job: seconds from one start to the next, or "off"."""

    flush: Interval = Field(
        60.0, description="delivery of what waits in this computer's outbox; free when nothing waits"
    )
    consolidation: Interval = Field(300.0, description="episodes to lessons and skills; free when nothing waits")
    centrality: Interval = Field(3600.0, description="only a reading of the graph while nothing changed in it")
    retention: Interval = Field(86_400.0, description="deletes and archives: weights change by days, not by hours")


class OutboxSettings(Section):
    """What is kept in a local file while the store is away, to be delivered when it is back."""

    enabled: bool = Field(True, description="without it, what is written while the store is away fails")
    path: Path | None = Field(None, description="the file; outbox.sqlite in the home folder if not given")
    entries: int = Field(100_000, ge=1, description="the most writes that the file holds, dead letters included")
    bytes: int = Field(1_000_000_000, ge=65_536, description="the most bytes that they take")
    per_call: int = Field(
        1024, ge=1, description="the most waiting writes that a call delivers before its own work; flush delivers all"
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
        description="days after its end for which a job is kept that consolidated, archived, ranked or erased",
    )
