"""What a model may give to each tool: closed, bounded, every field described.

The descriptions are read by models. A field that is absent and one that is null are the same.
"""

from __future__ import annotations

import json
from typing import Annotated

from pydantic import AfterValidator, ConfigDict, Field, JsonValue

from graphmem.fields import Identifier, Kind, Label, Outcome, Status, Text, Value, When, Words
from graphmem.text import has_words

MOST = 20  # memories of one answer, labels and ids of one call
METADATA = 16_000  # characters of its JSON


def _named(text: str) -> str:
    if not has_words(text):
        raise ValueError("must not be blank; leave it out instead")
    return text


def _small(value: dict[str, JsonValue]) -> dict[str, JsonValue]:
    if len(json.dumps(value, ensure_ascii=False)) > METADATA:
        raise ValueError(f"must have at most {METADATA} characters as JSON")
    return value


Name = Annotated[Label, Field(min_length=1), AfterValidator(_named)]
Names = Annotated[list[Name], Field(max_length=MOST)]
Ids = Annotated[list[Identifier], Field(max_length=MOST)]
Question = Annotated[Words, Field(min_length=1, max_length=8_000)]
Told = Annotated[Text, Field(max_length=8_000)]
Extra = Annotated[dict[str, JsonValue], Field(max_length=50), AfterValidator(_small)]
OfKind = Annotated[Kind, Field(strict=False)]
Ended = Annotated[Outcome, Field(strict=False)]
Standing = Annotated[Status, Field(strict=False)]
Limit = Annotated[int, Field(ge=1, le=MOST)]

_DOMAIN = "Only memories of this field of work, such as 'devops'."
_TASK_TYPE = "Only memories of this sort of task, such as 'incident'."
_TAGS = "Only memories that carry all of these labels."


class Arguments(Value):
    """What every tool takes. Raises ValidationError for a field that it does not know."""

    model_config = ConfigDict(strict=True)

    tenant: Annotated[str, Field(max_length=200)] | None = Field(
        None, description="Leave it out: these tools belong to one tenant, and no other can be named."
    )


class RecallArguments(Arguments):
    """A question to the memory, with filters; an absent one filters nothing."""

    text: Question = Field(description="The task at hand, in plain words, as you would tell it to a colleague.")
    kind: OfKind | None = Field(None, description="Only this kind: attempts, lessons, or skills.")
    domain: Name | None = Field(None, description=_DOMAIN)
    task_type: Name | None = Field(None, description=_TASK_TYPE)
    toolchain: Name | None = Field(None, description="Only memories of these tools, such as 'kubernetes'.")
    tags: Names | None = Field(None, description=_TAGS)
    techniques: Names | None = Field(None, description="Only attempts that used all of these techniques.")
    context: Annotated[dict[Name, Told], Field(max_length=MOST)] | None = Field(
        None, description='What holds now, such as {"os": "linux"}; memories that need something else are left out.'
    )
    reviewed: bool | None = Field(None, description="True: only memories that a person approved.")
    limit: Limit | None = Field(None, description="The most memories to give back; 3 if left out.")


class Step(Value):
    """One step of an attempt."""

    model_config = ConfigDict(strict=True)

    action: Question = Field(description="What was done.")
    observation: Told | None = Field(None, description="What was seen.")
    decision: Told | None = Field(None, description="Why, if that mattered.")


class RecordArguments(Arguments):
    """An attempt, and how it ended."""

    task: Question = Field(description="What was to be done, in plain words.")
    outcome: Ended | None = Field(
        None, description="How it ended. Leave it out or say unknown unless something proved it."
    )
    evidence: Told | None = Field(None, description="What proved the outcome: a test, an answer, a person's word.")
    summary: Told | None = Field(None, description="What happened, in a few sentences.")
    trajectory: Annotated[list[Step], Field(max_length=200)] | None = Field(
        None, description="The steps that were taken, in order."
    )
    failure_reason: Told | None = Field(None, description="Why it failed, if it did.")
    title: Told | None = Field(None, description="A short name.")
    domain: Name | None = Field(None, description="The field of work, such as 'devops'.")
    task_type: Name | None = Field(None, description="The sort of task, such as 'incident'.")
    toolchain: Name | None = Field(None, description="The tools at hand, such as 'kubernetes'.")
    tags: Names | None = Field(None, description="Labels by which it can be filtered.")
    techniques: Names | None = Field(None, description="Techniques that were used.")
    source_ref: Told | None = Field(None, description="Where this comes from: a ticket, a message, a run.")
    metadata: Extra | None = Field(None, description="Any JSON object to keep beside it.")
    id: Identifier | None = Field(
        None, description="An id of yours, without spaces, so that saying it twice records it once; else a new one."
    )


class FeedbackArguments(Arguments):
    """What a recall led to."""

    recall_id: Identifier = Field(description="The recall_id that the recall gave.")
    outcome: Ended = Field(description="How the attempt after it ended.")
    used: Ids | None = Field(None, description="Ids of the memories that were used and helped.")
    misled: Ids | None = Field(None, description="Ids of the memories that misled.")
    evidence: Told | None = Field(None, description="What proved the outcome.")
    reason: Told | None = Field(None, description="Why they misled.")


class CorrectArguments(Arguments):
    """Which memory is right where another is wrong."""

    wrong: Identifier = Field(description="Id of the memory that is wrong.")
    right: Identifier = Field(description="Id of the memory that takes its place; record it first.")
    reason: Question = Field(description="What was wrong.")
    context: Question | None = Field(
        None, description="Only for tasks like this one, in plain words; everywhere if left out."
    )


class IdArguments(Arguments):
    """One memory."""

    id: Identifier = Field(description="Id of the memory.")


class ListArguments(Arguments):
    """Which memories to list; an absent filter filters nothing."""

    kind: OfKind | None = Field(None, description="Only this kind: attempts, lessons, or skills.")
    status: Standing | None = Field(None, description="Only in this status; active ones can be recalled.")
    outcome: Ended | None = Field(None, description="Only attempts that ended so.")
    domain: Name | None = Field(None, description=_DOMAIN)
    task_type: Name | None = Field(None, description=_TASK_TYPE)
    tags: Names | None = Field(None, description=_TAGS)
    since: When | None = Field(None, description="Only what happened from then on; ISO-8601, UTC without a zone.")
    until: When | None = Field(None, description="Only what happened before then; ISO-8601, UTC without a zone.")
    skip: Annotated[int, Field(ge=0, le=10_000_000)] | None = Field(None, description="Pass over so many.")
    limit: Limit | None = Field(None, description="The most memories to list; 20 if left out.")
