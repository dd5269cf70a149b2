"""A real graph: it recalls, acts, records and says how it ended; its second run knows more than its first."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NotRequired, TypedDict

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, StateGraph
from langgraph.runtime import Runtime
from pydantic import BaseModel

from graphmem import AsyncMemory, Episode, Memory, Settings
from graphmem.adapters.langgraph import GraphmemStore, Memories, feedback_node, recall_node
from graphmem.embed import Embedder
from graphmem.errors import ConfigurationError, InvalidInput, NotFound
from graphmem.settings import load_settings

Connect = Callable[..., Memory]
TASK = "the nightly job says the disk is full"
FIX = "vacuum the staging schema"


class State(TypedDict):
    task: str
    memories: NotRequired[Memories]
    actions: NotRequired[list[str]]
    outcome: NotRequired[str]
    used: NotRequired[list[str]]
    count: NotRequired[int]


def graph(memory: Memory | AsyncMemory, tenant: str) -> Any:
    """Recall, act, keep a value in the store and an episode in the memory, say how it ended."""
    place = (tenant, "runs")

    def decide(state: State) -> State:
        known = FIX in state["memories"]["prompt"]
        actions = [FIX] if known else ["delete the logs", "restart the server", FIX]
        return {**state, "actions": actions, "outcome": "success", "used": state["memories"]["ids"]}

    def kept(state: State, before: Any) -> dict[str, Any]:
        return {"task": state["task"], "steps": state["actions"], "runs": 1 + (before.value["runs"] if before else 0)}

    def act(state: State, runtime: Runtime[None]) -> State:
        assert runtime.store is not None
        done = decide(state)
        value = kept(done, runtime.store.get(place, "last"))
        runtime.store.put(place, "last", {**value, "outcome": "success"})
        return {**done, "count": value["runs"]}

    async def aact(state: State, runtime: Runtime[None]) -> State:
        assert runtime.store is not None
        done = decide(state)
        value = kept(done, await runtime.store.aget(place, "last"))
        await runtime.store.aput(place, "last", {**value, "outcome": "success"})
        return {**done, "count": value["runs"]}

    built = StateGraph(State)
    built.add_node("recall", recall_node(memory, limit=5))
    built.add_node("act", act if isinstance(memory, Memory) else aact)
    built.add_node("feedback", feedback_node(memory, used="used"))
    for start, end in ((START, "recall"), ("recall", "act"), ("act", "feedback"), ("feedback", END)):
        built.add_edge(start, end)
    return built.compile(store=GraphmemStore(memory), checkpointer=InMemorySaver())


def told(first: dict[str, Any], second: dict[str, Any], memory: Memory, id_: str) -> None:
    """The second run gained from the first: it was told the way, took it, and the memory was credited."""
    assert first["memories"]["decision"] == "novel"
    assert first["memories"]["prompt"] == ""
    assert first["memories"]["budget"]["attempts"] >= 1
    assert second["memories"]["decision"] in ("use", "verify")
    assert (len(first["actions"]), second["actions"]) == (3, [FIX])
    assert second["used"] == [id_]
    assert (first["count"], second["count"]) == (1, 2)
    assert memory.get(id_).successes == 1
    for state in (first, second):
        assert json.loads(json.dumps(state)) == state, "any checkpointer can keep it"


def test_a_second_run_gains_from_the_first(memory: Memory, tenant: str) -> None:
    app = graph(memory, tenant)
    first = app.invoke({"task": TASK}, {"configurable": {"thread_id": "1"}})
    id_ = GraphmemStore(memory).memory_id((tenant, "runs"), "last")
    second = app.invoke({"task": TASK}, {"configurable": {"thread_id": "2"}})
    assert id_ is not None
    told(first, second, memory, id_)
    assert app.get_state({"configurable": {"thread_id": "2"}}).values == second


def test_a_second_run_gains_from_the_first_awaited(
    settings: Settings, embedder: Embedder, memory: Memory, tenant: str
) -> None:
    async def live() -> tuple[dict[str, Any], str | None, dict[str, Any]]:
        async with AsyncMemory(tenant, settings=settings, embedder=embedder) as client:
            app = graph(client, tenant)
            first = await app.ainvoke({"task": TASK}, {"configurable": {"thread_id": "1"}})
            id_ = await GraphmemStore(client).amemory_id((tenant, "runs"), "last")
            second = await app.ainvoke({"task": TASK}, {"configurable": {"thread_id": "2"}})
            assert (await app.aget_state({"configurable": {"thread_id": "2"}})).values == second
            return first, id_, second

    first, id_, second = asyncio.run(live())
    assert id_ is not None
    told(first, second, memory, id_)


def recalling(memory: Memory | AsyncMemory, state: type = State, **given: Any) -> Any:
    built = StateGraph(state)
    built.add_node("recall", recall_node(memory, **given))
    built.add_edge(START, "recall")
    built.add_edge("recall", END)
    return built.compile()


def test_either_memory_recalls_in_either_kind_of_graph(
    memory: Memory, settings: Settings, embedder: Embedder, tenant: str
) -> None:
    memory.record(Episode(id="e1", task=TASK, trajectory=[{"action": FIX}], outcome="success"))
    client = AsyncMemory(tenant, settings=settings, embedder=embedder)
    for one in (memory, client):
        app = recalling(one)
        answers = [app.invoke({"task": TASK}), asyncio.run(app.ainvoke({"task": TASK}))]
        with ThreadPoolExecutor(3) as pool:
            answers += pool.map(app.invoke, [{"task": TASK}] * 3)
        assert [answer["memories"]["ids"] for answer in answers] == [["e1"]] * 5
        assert all(FIX in answer["memories"]["prompt"] for answer in answers)
    asyncio.run(client.close())


async def test_a_sync_run_inside_a_loop_ends(settings: Settings, embedder: Embedder, tenant: str) -> None:
    async with AsyncMemory(tenant, settings=settings, embedder=embedder) as client:
        assert recalling(client).invoke({"task": TASK})["memories"]["decision"] == "novel"


def test_the_task_may_be_anywhere_and_filters_hold(memory: Memory) -> None:
    class Typed(BaseModel):
        messages: list[str]
        memories: dict[str, Any] | None = None
        found: dict[str, Any] | None = None

    memory.record(Episode(id="e1", task=TASK, outcome="success", domain="ops"))
    memory.record(Episode(id="e2", task=TASK + " again", outcome="success", domain="lab"))
    asked = {"task": lambda state: state.messages[-1], "into": "found", "domain": "lab"}
    answer = recalling(memory, Typed, **asked).invoke({"messages": ["hello", TASK]})
    assert answer["found"]["ids"] == ["e2"]
    assert recalling(memory, tokens=60).invoke({"task": TASK})["memories"]["prompt"].endswith("of 2 memories.")


@pytest.mark.parametrize(
    "given", [{"domian": "ops"}, {"limit": 0}, {"tokens": 0}, {"tokens": True}, {"kind": "mail"}, {"receipt": True}]
)
def test_a_wrong_filter_is_told_when_the_node_is_made(memory: Memory, given: dict[str, Any]) -> None:
    with pytest.raises(InvalidInput, match=next(iter(given))):
        recall_node(memory, **given)


def test_a_state_without_a_task_is_told(memory: Memory) -> None:
    class Other(TypedDict):
        question: str
        memories: NotRequired[Memories]

    with pytest.raises(InvalidInput, match="no 'task'"):
        recalling(memory, Other).invoke({"question": "?"})
    with pytest.raises(InvalidInput, match="a text, and not list"):
        recalling(memory, Other, task=lambda state: [state]).invoke({"question": "?"})
    with pytest.raises(InvalidInput, match="run that first"):
        feedback_node(memory, outcome=lambda state: "success").invoke({"memories": None})


def test_feedback_credits_and_blames_by_the_receipt_of_the_state(memory: Memory) -> None:
    for id_ in ("good", "bad"):
        memory.record(Episode(id=id_, task=f"{TASK} {id_}", outcome="success"))
    state = recall_node(memory).invoke({"task": TASK}) | {"outcome": "fail", "blamed": ["bad"]}
    node = feedback_node(memory, misled="blamed", used=lambda _: [], evidence=lambda _: "job 4711 failed")
    assert node.invoke(state) == {}
    assert "4711" in memory.history("bad").model_dump_json()
    assert "4711" not in memory.history("good").model_dump_json()
    with pytest.raises(NotFound):
        node.invoke({**state, "blamed": ["nobody"]})


def test_while_the_store_is_away_the_graph_goes_on(tmp_path: Path, embedder: Embedder) -> None:
    away = load_settings(home=tmp_path, neo4j={"uri": "bolt://127.0.0.1:9", "timeout": 1})

    async def awaited() -> Any:
        async with AsyncMemory("acme", settings=away, embedder=embedder) as client:
            state = await recalling(client).ainvoke({"task": TASK})
            assert await feedback_node(client).ainvoke({**state, "outcome": "success"}) == {}
            return state

    with Memory("acme", settings=away, embedder=embedder) as memory:
        called = recalling(memory).invoke({"task": TASK})
        assert feedback_node(memory).invoke({**called, "outcome": "success"}) == {}
    for state in (called, asyncio.run(awaited())):
        found = state["memories"]
        assert (found["decision"], found["prompt"], found["ids"], found["recall"]) == ("policy_only", "", [], "")
        assert "the memory is away" in found["reason"]
        assert found["budget"]["attempts"] >= 1


def test_without_langgraph_one_sentence_names_the_extra() -> None:
    program = (
        "import sys; sys.modules['langgraph.store.base'] = None\n"
        "import graphmem, graphmem.adapters\n"
        "from graphmem.errors import ConfigurationError\n"
        "try:\n    import graphmem.adapters.langgraph\n"
        "except ConfigurationError as error:\n    print(error)\n"
    )
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert "pip install 'graphmem[langgraph]'" in ran.stdout
    assert issubclass(ConfigurationError, Exception)


def test_importing_graphmem_does_not_import_langgraph() -> None:
    program = "import sys, graphmem, graphmem.memory, graphmem.adapters; print('langgraph' in sys.modules)"
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "False"
