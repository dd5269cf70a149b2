"""A client that is closed says so in every verb, and leaves no warning behind."""

from __future__ import annotations

import gc
import io
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest

from graphmem import Memory, Settings, Skill
from graphmem.embed import Embedder
from graphmem.errors import StoreUnavailable
from tests.angles import Angles


@pytest.fixture
def angles(embedder: Embedder) -> Angles:
    return Angles(embedder.name)


def skill(n: int) -> Skill:
    return Skill(id=f"s{n}", name=f"skill {n} north:0.9", steps=["go"], approved_by="ada")


VERBS: dict[str, Callable[[Any], Any]] = {
    "init": lambda client: client.init(),
    "record": lambda client: client.record(skill(1)),
    "record_many": lambda client: client.record_many([skill(1)]),
    "recall": lambda client: client.recall("north:1"),
    "recall_many": lambda client: client.recall_many([]),
    "feedback": lambda client: client.feedback("receipt", outcome="fail"),
    "correct": lambda client: client.correct(wrong="a", right="b", reason="r"),
    "get": lambda client: client.get("s0"),
    "list": lambda client: client.list(),
    "update": lambda client: client.update("s0", tags=["x"]),
    "link": lambda client: client.link("a", "b"),
    "keyed": lambda client: client.keyed([]),
    "reembed": lambda client: client.reembed(),
    "judge": lambda client: client.judge("receipt", relevant=["s0"]),
    "calibrate": lambda client: client.calibrate(),
    "parameters": lambda client: client.parameters(),
    "rollback": lambda client: client.rollback(),
    "metrics": lambda client: client.metrics(),
    "report": lambda client: client.report(),
    "consolidate": lambda client: client.consolidate(),
    "review": lambda client: client.review("s0", approve=True, by="ada"),
    "reviews": lambda client: client.reviews(),
    "retire": lambda client: client.retire("s0"),
    "pin": lambda client: client.pin("s0"),
    "history": lambda client: client.history("s0"),
    "retention": lambda client: client.retention(apply=True),
    "check": lambda client: client.check(),
    "set_rule": lambda client: client.set_rule("refunds", "A person decides.", by="ada"),
    "rules": lambda client: client.rules(),
    "withdraw_rule": lambda client: client.withdraw_rule("refunds", by="ada"),
    "erase": lambda client: client.erase(everything=True),
    "flush": lambda client: client.flush(),
    "waiting": lambda client: client.waiting(),
    "export": lambda client: client.export(io.BytesIO()),
    "load": lambda client: client.load(io.BytesIO()),
}


@pytest.mark.parametrize("used", [True, False], ids=["used", "fresh"])
def test_after_close_every_verb_says_so(client: Any, used: bool) -> None:
    if used:
        client.record(skill(0))
    client.close()
    client.close()
    for name, verb in VERBS.items():
        with pytest.raises(StoreUnavailable, match="closed") as caught:
            verb(client)
        assert "\n" not in str(caught.value), name
    gc.collect()


def test_every_verb_is_tried_after_close() -> None:
    verbs = {name for name in vars(Memory) if not name.startswith("_")} - {"close"}
    assert verbs == set(VERBS)


QUIET = """
import asyncio, logging, sys
logging.basicConfig(level=logging.ERROR)  # the debug mode of asyncio also logs what was slow
from graphmem import AsyncMemory, Memory
from graphmem.settings import load_settings
from tests.angles import Angles

settings = load_settings(home=sys.argv[1], instance="tests")
given = {"settings": settings, "embedder": Angles(sys.argv[3])}
client = AsyncMemory(sys.argv[2], **given)

async def of(verb):
    return await verb

async def first():
    await asyncio.gather(*(client.record({"task": f"pump {n} north:0.9", "outcome": "success"}) for n in range(8)))
    task = asyncio.ensure_future(client.recall("north:1"))
    await asyncio.sleep(0.002)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    with Memory(sys.argv[2], **given) as memory:
        print(len(memory.recall("north:1", limit=10).hits))

asyncio.run(first())
print(len(asyncio.run(of(client.list()))))
asyncio.run(client.close())
"""


def test_no_warning_is_left_behind(settings: Settings, tenant: str, embedder: Embedder, request: Any) -> None:
    command = [sys.executable, "-X", "dev", "-W", "error", "-c", QUIET, str(settings.home), tenant, embedder.name]
    done = subprocess.run(command, capture_output=True, text=True, cwd=request.config.rootpath, timeout=60)
    assert (done.returncode, done.stdout.split(), done.stderr) == (0, ["8", "8"], "")
