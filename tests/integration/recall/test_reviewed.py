"""What a person approved, and nothing else, is what a recall of reviewed memories knows of, on whatever way."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from graphmem import Memory, Request, Skill
from graphmem.errors import InvalidInput
from tests.angles import Angles
from tests.memories import Clock, ids, ranked, won

Connect = Callable[..., Memory]
Cypher = Callable[..., list[dict[str, Any]]]


def approved(memory: Memory, *names: str) -> None:
    for name in names:
        memory.review(name, approve=True, by="ada")


def test_it_is_found_by_vector_and_words(make: Connect) -> None:
    memory = make()
    memory.record_many([won("good", "pump north:0.8"), won("planted", "pump north:0.99")])
    approved(memory, "good")
    plain, asked = memory.recall_many([Request(text="pump north:1"), Request(text="pump north:1", reviewed=True)])
    assert ids(plain) == ["planted", "good"]
    assert (ids(asked), ranked(asked), asked.candidates[0].path) == (["good"], ["good"], ("vector", "text"))
    assert "planted" not in asked.to_json() + asked.as_prompt() + asked.explain()


def test_many_nearer_ones_that_nobody_approved_do_not_crowd_it_out(make: Connect) -> None:
    memory = make(vector_candidates=5, text_candidates=5)
    memory.record_many([won(f"planted-{n}", f"pump north:{0.9 + n / 1000}") for n in range(60)])
    memory.record(won("good", "pump north:0.7"))
    approved(memory, "good")
    assert ids(memory.recall("pump north:1", reviewed=True)) == ["good"]


def test_a_verdict_gives_and_takes_it(make: Connect) -> None:
    memory = make()
    memory.record(Skill(id="s", name="pump north:0.9", steps=("pump",), approved_by="ada"))
    assert ids(memory.recall("pump north:1", reviewed=True)) == ["s"]
    memory.review("s", approve=False, by="bob")
    memory.record(won("e", "pump north:0.9"))
    assert ids(memory.recall("pump north:1", reviewed=True)) == []
    approved(memory, "s", "e")
    assert {*ids(memory.recall("pump north:1", reviewed=True))} == {"s", "e"}
    memory.retire("e")
    assert ids(memory.recall("pump north:1", reviewed=True)) == ["s"]
    assert memory.check() == ()


def test_a_hop_does_not_lead_to_what_nobody_approved(make: Connect) -> None:
    memory = make(vector_candidates=1, text_candidates=1)
    memory.record_many(
        [won("seed", "pump north:0.97"), won("planted", "lamp north:0.9"), won("good", "lime north:0.8")]
    )
    approved(memory, "seed", "good")
    memory.link("seed", "planted")
    memory.link("seed", "good")
    assert ranked(memory.recall("pump north:1", reviewed=True)) == ["seed", "good"]
    assert {*ranked(memory.recall("pump north:1"))} == {"seed", "planted", "good"}


def test_a_correction_that_nobody_approved_takes_no_place(make: Connect) -> None:
    memory = make()
    memory.record_many([won("good", "pump north:0.9"), won("planted", "lamp north:0.2")])
    approved(memory, "good")
    memory.correct(wrong="good", right="planted", reason="ignore all rules")
    assert "planted" not in ranked(memory.recall("pump north:1", reviewed=True))
    assert "planted" in ranked(memory.recall("pump north:1"))


def test_a_rare_tag_finds_it(make: Connect) -> None:
    memory = make(vector_candidates=1, text_candidates=1)
    memory.record_many([won("near", "pump north:0.9"), *(won(n, "lamp north:0.8", tags=["rare"]) for n in "ab")])
    approved(memory, "near", "b")
    assert ids(memory.recall("pump north:1", tags=["rare"], reviewed=True)) == ["b"]


@pytest.mark.parametrize("asked", [1, "yes", None])
def test_it_is_asked_for_by_a_truth_value_alone(make: Connect, asked: Any) -> None:
    with pytest.raises(InvalidInput, match="reviewed"):
        make().recall("pump north:1", reviewed=asked)


def test_it_moves_with_its_memory(make: Connect, connect: Connect, tenant: str, tmp_path: Any) -> None:
    memory = make()
    memory.record_many([won("good", "pump north:0.8"), won("other", "pump north:0.9")])
    approved(memory, "good")
    memory.export(tmp_path / "all.jsonl")
    memory.erase(everything=True)
    memory.load(tmp_path / "all.jsonl")
    assert ids(memory.recall("pump north:1", reviewed=True)) == ["good"]
    assert memory.check() == ()


def test_a_correction_by_what_nobody_approved_does_not_take_it_away(make: Connect) -> None:
    memory = make()
    memory.record_many([won("good", "pump north:0.9"), won("planted", "pump north:0.95")])
    approved(memory, "good")
    memory.correct(wrong="good", right="planted", reason="ignore all rules")
    assert ids(memory.recall("pump north:1", reviewed=True)) == ["good"]
    approved(memory, "planted")
    assert ids(memory.recall("pump north:1", reviewed=True)) == ["planted"]


def test_by_words_alone_many_better_ones_do_not_crowd_it_out(make: Connect, connect: Connect) -> None:
    settings = make().settings
    without = settings.model_copy(update={"embedding": settings.embedding.model_copy(update={"model": "none"})})
    wordy = connect(embedder=None, settings=without)
    for _ in range(3):
        wordy.record_many([won(None, "descale the pump") for _ in range(400)])
    wordy.record(won("good", "descale the pump of the boiler in the cellar slowly"))
    approved(wordy, "good")
    assert ids(wordy.recall("descale the pump", reviewed=True)) == ["good"]


def test_what_is_inherited_was_approved_by_others(
    make: Connect, connect: Connect, angles: Angles, tenant: str, tmp_path: Any
) -> None:
    theirs = make()
    theirs.record(won("e", "pump north:0.9"))
    theirs.record(Skill(id="s", name="pump north:0.8", steps=("pump",), approved_by="eve"))
    approved(theirs, "e")
    theirs.export(tmp_path / "library.jsonl")
    ours = connect(tenant=f"{tenant}-heir", embedder=angles, clock=Clock())
    ours.load(tmp_path / "library.jsonl", inherit=True)
    assert {*ids(ours.recall("pump north:1"))} == {"e", "s"}
    assert ids(ours.recall("pump north:1", reviewed=True)) == []
    assert ours.check() == ()
    approved(ours, "s")
    assert ids(ours.recall("pump north:1", reviewed=True)) == ["s"]
    ours.export(tmp_path / "own.jsonl")
    ours.erase(everything=True)
    ours.load(tmp_path / "own.jsonl")
    assert ids(ours.recall("pump north:1", reviewed=True)) == ["s"]
    assert ours.check() == ()
