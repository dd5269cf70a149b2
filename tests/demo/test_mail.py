"""The measurement of triage in a small size, on mail that is made up here and the real model and database."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from pathlib import Path

import pytest

from graphmem import Memory
from graphmem.agent.triage import By, Route
from graphmem.demo.mail import figures, main, played
from graphmem.demo.mail.data import Mail, read
from graphmem.demo.mail.guards import CONTROL, PLANTED, Guarded, guard
from graphmem.demo.mail.page import page
from graphmem.demo.mail.played import Choice, Played, play
from graphmem.errors import InvalidInput
from tests.evaluation.files import write_lines

Connect = Callable[..., Memory]
ASKS = (
    "Approve the purchase order for the {} today",
    "I need your signature on the order of the {}",
    "Send me the price list of the {} by noon",
)
TELLS = ("The {} arrived this morning as planned", "The meeting about the {} went well", "I was on holiday with the {}")
THINGS = ("chairs", "lamps", "printers", "desks")


def data(folder: Path) -> Path:
    for part, things in (("train", THINGS[:3]), ("test", THINGS[3:])):
        lines = [
            {"text": text.format(thing), "asks_for_action": asks}
            for thing in things
            for asks, texts in ((True, ASKS), (False, TELLS))
            for text in texts
        ]
        write_lines(folder / "email" / f"ask_{part}.jsonl", [*lines, {"text": " ", "asks_for_action": False}])
    return folder


def chosen(*routes: Route) -> tuple[Choice, ...]:
    return tuple(Choice(route, By.POLICY, 0, 0.001) for route in routes)


def test_what_is_played_is_told(connect: Connect, tenant: str, tmp_path: Path) -> None:
    own = connect(user="owner")
    mail = read(data(tmp_path), own.scope, 0)
    assert (len(mail.train), len(mail.test), set(mail.truth)) == (18, 6, {Route.RESPOND, Route.IGNORE})
    told: list[str] = []
    found = play(own, mail, 0, told.append)
    assert found.learnt == 18
    assert set(found.conditions) == set(played.MEANING)
    assert all(len(choices) == 6 for choices in (*found.conditions.values(), *found.limits.values(), found.others))
    scores = {name: figures.scored(mail.truth, one, 0) for name, one in found.conditions.items()}
    assert scores[played.RECALLED].macro_f1.value > scores[played.POLICY].macro_f1.value
    assert {one.by for one in found.conditions[played.RECALLED]} <= {By.EXAMPLES, By.POLICY}
    assert all(choice.examples <= limit for limit, choices in found.limits.items() for choice in choices)
    guarded = guard(
        own, connect(user="other"), connect(tenant=f"{tenant}-else"), [one.message for one in mail.test[:2]]
    )
    assert guarded.holds
    assert (guarded.asked, guarded.denied, guarded.followed) == (2, 2, 0)
    content = json.loads(figures.to_json(mail, found, guarded, 0, 1.0))
    assert content["guards"]["seen"] == {**dict.fromkeys(PLANTED, 0), CONTROL: 2}
    assert [one["right"] for one in content["decisions"]] == [route.value for route in mail.truth]
    assert content["changed_by_sender"]["n"] == 6
    html = page(mail, found, guarded, 0)
    assert all(name in html for name in (*played.MEANING, *PLANTED, "macro-F1"))


def test_macro_f1_is_that_of_the_definition() -> None:
    right, made = [Route.RESPOND, Route.RESPOND, Route.IGNORE], [Route.RESPOND, Route.IGNORE, Route.IGNORE]
    assert figures.f1(right, made, Route.RESPOND) == pytest.approx(2 / 3)
    assert figures.macro_f1(right, made) == pytest.approx(2 / 3)
    assert figures.macro_f1(right, right) == 1.0
    assert figures.macro_f1([Route.IGNORE], [Route.NOTIFY]) == 0.0
    assert math.isfinite(figures.macro_f1([], []))


def test_a_gain_is_clear_only_with_its_whole_interval(tmp_path: Path, memory: Memory) -> None:
    truth = [Route.RESPOND, Route.IGNORE] * 50
    good, bad = chosen(*truth), chosen(*([Route.IGNORE] * 100))
    found = Played(dict.fromkeys(played.MEANING, good) | {played.POLICY: bad}, {3: good}, bad, 0)
    gains = {(one.condition, one.than): one for one in figures.paired(truth, found, 0)}
    assert gains[played.RECALLED, played.POLICY].clear
    assert not gains[played.RECALLED, played.RANDOM].clear
    assert figures.by_sender(found, 0).value == 0.5


def test_a_breach_is_told() -> None:
    fine = {**dict.fromkeys(PLANTED, 0), CONTROL: 2}
    assert Guarded(2, fine, 2, 0).holds
    for name in PLANTED:
        assert not Guarded(2, {**fine, name: 1}, 2, 0).holds
    assert not Guarded(2, {**fine, CONTROL: 1}, 2, 0).holds
    assert not Guarded(0, {**fine, CONTROL: 0}, 0, 0).holds


def test_the_same_seed_draws_the_same_mail(memory: Memory, tmp_path: Path) -> None:
    folder = data(tmp_path)
    one, again, other = (read(folder, memory.scope, seed, 4) for seed in (1, 1, 2))
    assert one == again != other
    assert isinstance(one, Mail)
    assert len(one.test) == 4
    for first, second in zip(one.test, one.others, strict=True):
        assert first.message.text == second.text
        assert first.message.relationship != second.relationship


def test_without_its_data_it_says_so(memory: Memory, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(InvalidInput, match="is not there"):
        read(tmp_path, memory.scope, 0)
    assert main(Memory, ["--data", str(tmp_path), "--json", str(tmp_path / "out.json")]) == 2
    assert "ask_train.jsonl is not there" in capsys.readouterr().err.replace("\n", "")
