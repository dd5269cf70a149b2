"""What users said of an erased memory that the tenant shared, and who signed with an erased name."""

from __future__ import annotations

from collections.abc import Callable

from graphmem import Episode, Memory, Skill
from tests.erase.conftest import spoken


def test_what_users_said_of_a_shared_memory_goes_with_it(make: Callable[..., Memory], texts: Callable[[], str]) -> None:
    shared, user = make(), make(user="u1")
    shared.record(Episode(id="shf1", task="restart the queue north:0.9", outcome="success", subject="Frieda Wexworth"))
    user.record(Episode(id="uo1", task="bake a cake east:0.9", outcome="success"))
    user.record(Episode(id="uo2", task="bake a pie east:0.8", outcome="success"))
    user.review("uo1", approve=True, by="boss", reason="unlike shf1 of Frieda Wexworth")
    user.feedback(user.recall("east:1"), outcome="success", used=["uo1"], evidence="as in shf1 of Frieda Wexworth")
    user.correct(wrong="uo2", right="uo1", reason="shf1 said so")
    assert spoken(texts(), ("shf1", "wexworth")) == ["shf1", "wexworth"]
    shared.erase(subject="Frieda Wexworth")
    assert spoken(texts(), ("shf1", "wexworth")) == []
    assert user.get("uo1").successes == 1
    assert shared.check(everything=True) == ()


def test_an_erased_name_signs_nothing_any_more(make: Callable[..., Memory], texts: Callable[[], str]) -> None:
    memory = make()
    memory.record(Episode(id="gone", task="go north:0.9", outcome="success", subject="Hilda Kranz"))
    memory.record(Episode(id="o1", task="go east:0.9", outcome="success"))
    memory.record(Episode(id="o2", task="go east:0.8", outcome="success"))
    memory.review("o1", approve=True, by="Hilda Kranz", reason="seen by her")
    memory.review("o2", approve=True, by="ada", reason="seen by ada")
    memory.link("o1", "o2", by="Hilda Kranz")
    memory.correct(wrong="o2", right="o1", reason="it is newer", by="Hilda Kranz")
    memory.record(Skill(id="s1", name="tea", steps=["boil", "pour"], approved_by="Hilda Kranz"))
    memory.erase(subject="Hilda Kranz")
    assert spoken(texts(), ("hilda", "kranz")) == []
    assert "seen by ada" in texts()
    assert [event.by for event in memory.history("o2").events if event.what == "approved"] == ["ada"]
    assert memory.get("s1").memory.approved_by == "erased"  # type: ignore[union-attr]
    again = Skill(id="s1", name="tea", steps=["boil", "pour"], approved_by="erased")
    assert memory.record(again).result == "unchanged", "its digest is that of what it says now"
    assert memory.check() == ()
