"""The tools in the OpenAI Agents SDK: its runner, over a local endpoint that speaks the protocol."""

from __future__ import annotations

import json
import re
import uuid
from collections.abc import Iterator
from typing import Any

import pytest
from agents import Agent, FunctionTool, OpenAIChatCompletionsModel, Runner, RunResult, set_tracing_disabled
from agents.strict_schema import ensure_strict_json_schema
from openai import AsyncOpenAI

from graphmem import AsyncMemory, Memory, Settings
from graphmem.adapters.openai_agents import strict, tools
from graphmem.adapters.table import TOOLS
from graphmem.embed import Embedder
from tests.endpoint import Answer, Asked, Endpoint, said
from tests.memories import won


@pytest.fixture(autouse=True)
def _untraced() -> Iterator[None]:
    set_tracing_disabled(True)
    yield
    set_tracing_disabled(False)


def calling(*calls: tuple[str, dict[str, Any]]) -> Answer:
    """A completion in which the model calls tools."""
    answer = said(None, finish="tool_calls")
    answer.body["choices"][0]["message"]["tool_calls"] = [
        {"id": uuid.uuid4().hex, "type": "function", "function": {"name": name, "arguments": json.dumps(given)}}
        for name, given in calls
    ]
    return answer


def results(asked: Asked) -> list[str]:
    """What the tools of the last turn said."""
    messages = asked.body["messages"]
    last = max(n for n, message in enumerate(messages) if message["role"] == "assistant")
    return [message["content"] for message in messages[last + 1 :]]


async def run(memory: Memory | AsyncMemory, endpoint: Endpoint) -> RunResult:
    async with AsyncOpenAI(base_url=f"{endpoint.address}/v1", api_key="none") as client:
        agent = Agent(
            name="ops",
            instructions="Recall first.",
            tools=list(tools(memory)),
            model=OpenAIChatCompletionsModel(model="served-1", openai_client=client),
        )
        return await Runner.run(agent, "Descale the boiler")


@pytest.mark.parametrize("kind", ["sync", "async"])
async def test_an_agent_recalls_records_and_gives_feedback(
    kind: str, memory: Memory, settings: Settings, embedder: Embedder
) -> None:
    memory.record(won("good"))

    def script(asked: Asked) -> Answer:
        turn = sum(message["role"] == "assistant" for message in asked.body["messages"])
        if turn == 0:
            nothing = dict.fromkeys(("tenant", "kind", "domain", "context", "tags", "limit", "reviewed"))
            return calling(("graphmem_recall", {**nothing, "text": "descale the boiler"}))
        if turn == 1:
            (recalled,) = results(asked)
            (recall_id,) = re.findall(r"^recall_id: (\S+)$", recalled, re.MULTILINE)
            told = {"recall_id": recall_id, "outcome": "success", "used": ["good"]}
            kept = {"id": "new", "task": "Descale it again", "outcome": "success", "metadata": '{"a": 1}'}
            return calling(
                ("graphmem_feedback", told), ("graphmem_record", kept), ("graphmem_recall", {"text": "x", "limit": 99})
            )
        return said(f"done: {results(asked)[2]}")

    async with AsyncMemory(memory.scope.tenant, settings=settings, embedder=embedder) as client:
        with Endpoint(script) as endpoint:
            ran = await run(memory if kind == "sync" else client, endpoint)
    assert ran.final_output == "done: Error: limit: Input should be less than or equal to 20"
    assert memory.get("good").successes == 1
    assert memory.get("new").memory.metadata == {"a": 1}
    first, second, *_ = endpoint.chats
    assert '<memory id="good" kind="episode"' in results(second)[0]
    assert "good" not in second.system, "what is recalled stands in no system role"
    offered = {tool["function"]["name"]: tool["function"] for tool in first.body["tools"]}
    assert {*offered} == {tool.name for tool in TOOLS}
    assert all(function["strict"] for function in offered.values())


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_every_schema_is_strict(tool: Any, memory: Memory) -> None:
    (made,) = [one for one in tools(memory) if one.name == tool.name]
    assert isinstance(made, FunctionTool)
    assert made.strict_json_schema

    def closed(part: dict[str, Any]) -> None:
        assert not {"minLength", "maxLength", "pattern"} & {*part}
        if part.get("type") == "object":
            assert part["additionalProperties"] is False
            assert part["required"] == list(part["properties"])
        for inner in (*part.get("properties", {}).values(), *part.get("anyOf", ())):
            closed(inner)
        if "items" in part:
            closed(part["items"])

    closed(made.params_json_schema)
    needed = {*tool.schema["required"]} if "required" in tool.schema else set()
    for name, field in made.params_json_schema["properties"].items():
        assert field["description"]
        forms = {form.get("type") for form in (field, *field.get("anyOf", ()))}
        assert ("null" in forms) == (name not in needed), name
    assert ensure_strict_json_schema(strict(tool.schema)) == made.params_json_schema


async def test_while_the_store_is_away_the_run_goes_on(tenant: str, settings: Settings, embedder: Embedder) -> None:
    away = settings.model_copy(
        update={"neo4j": settings.neo4j.model_copy(update={"uri": "bolt://127.0.0.1:1", "timeout": 1.0})}
    )
    script = [calling(("graphmem_get", {"id": "e"}), ("graphmem_recall", {"text": "x"})), said("went on")]
    with Memory(tenant, settings=away, embedder=embedder) as memory, Endpoint(script) as endpoint:
        ran = await run(memory, endpoint)
    assert ran.final_output == "went on"
    got, recalled = results(endpoint.chats[1])
    assert got.startswith("Error: nothing answers at")
    assert "policy_only" in recalled
