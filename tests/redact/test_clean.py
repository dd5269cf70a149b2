"""Redaction of whole values, the pseudonym of a subject, and redactors of the caller's own."""

from __future__ import annotations

import traceback
from typing import Any

import pytest

from graphmem import Episode, Memory, Reflection, Request, Settings, Skill, Step
from graphmem.correct import Ruling
from graphmem.errors import ConfigurationError, InvalidInput, RedactionError
from graphmem.record import Accepted, accepted, sorted_out
from graphmem.redact import Redaction, check_redactor, clean, noted, subject, told
from graphmem.redact.rules import RuleRedactor

RULES = RuleRedactor()
MAIL = "ann.lee@example.com"


def every(text: str) -> Episode:
    """An episode that says a text in each field of a caller's own words."""
    return Episode(
        id="e1", title=text, domain=text, task_type=text, toolchain=text, tags=[text], subject=text, source_ref=text,
        feedback_ref=text, trace_id=text, metadata={text: {"deep": [text, {text: None}]}, "n": 1}, task=text,
        summary=text, trajectory=[Step(action=text, observation=text, decision=text)], outcome="fail",
        outcome_evidence=text, failure_reason=text, techniques=[text], ground_truth=text, difficulty=0.5,
    )  # fmt: skip


def test_every_text_of_a_memory_is_redacted_and_the_rest_stays() -> None:
    kept, found = clean(RULES, every(f"by {MAIL}"))
    assert isinstance(kept, Episode)
    assert MAIL not in kept.model_dump_json()
    assert kept.subject == subject(RULES, f"by {MAIL}")
    assert kept.model_copy(update={"subject": ""}) == every("by [email]").model_copy(update={"subject": ""})
    assert noted(found) == ("email:20", "subject:1")
    assert clean(RULES, kept) == (kept, ())


@pytest.mark.parametrize(
    "item",
    [
        Reflection(insight=MAIL, conditions=[MAIL], failure_mode=MAIL, guardrails=[MAIL], sources=["e1"]),
        Skill(name=MAIL, steps=[MAIL], preconditions=[MAIL], quality_notes=MAIL, approved_by=MAIL, sources=["r1"]),
        Request(text=MAIL, domain=MAIL, tags=[MAIL], techniques=[MAIL], context={MAIL: MAIL}, trace_id=MAIL),
        Ruling(wrong="a", right="b", reason=MAIL, context=MAIL, by=MAIL),
    ],
)
def test_every_kind_of_value_keeps_its_type(item: Any) -> None:
    kept, found = clean(RULES, item)
    assert type(kept) is type(item)
    assert MAIL not in kept.model_dump_json()
    assert found.count("email") == len(found) > 2


def test_without_a_redactor_and_without_anything_to_take_out_nothing_is_made_anew() -> None:
    said, plain = every(MAIL), every("plain")
    assert clean(None, said) == (said, ())
    assert clean(RULES, plain)[0] is plain


def test_whatever_can_be_iterated_is_walked() -> None:
    kept, found = clean(RULES, (text for text in ["a@example.com", "plain"]))
    assert kept == ("[email]", "plain")  # type: ignore[comparison-overlap]
    assert found == ("email",)
    assert clean(RULES, {1: b"a@example.com"}.values())[0] == (b"a@example.com",)  # type: ignore[comparison-overlap]


def test_keys_that_become_one_are_told_apart() -> None:
    kept, _ = clean(RULES, {"a@example.com": 1, "b@example.com": 2, "c@example.com": 3})
    assert kept == {"[email]": 1, "[email] 2": 2, "[email] 3": 3}


@pytest.mark.parametrize(
    "value",
    [
        Episode(id=MAIL, task="x"),
        Reflection(insight="x", sources=["e1", MAIL]),
        Ruling(wrong=MAIL, right="b", reason="x", context=None, by="x"),
    ],
)
def test_an_id_is_refused_and_not_repeated(value: Any) -> None:
    with pytest.raises(InvalidInput, match=r"an id holds what must not be kept \(email\)") as raised:
        clean(RULES, value)
    assert MAIL not in "".join(traceback.format_exception(raised.value))
    assert clean(RULES, value, known=True)[0] == value


def test_in_a_batch_the_item_is_told_by_its_place_alone() -> None:
    good, faults = sorted_out([{"id": MAIL, "task": "x"}, {"task": f"ask {MAIL}"}], 7, RULES)
    assert good == [Accepted(Episode(task="ask [email]"), ("email:1",))]
    fault = faults[0]
    assert fault is not None
    assert fault.id == "[email]"
    assert fault.problem.startswith("item 7: Episode.id: an id holds")


@pytest.mark.parametrize(
    "given",
    [
        {"task": " ", MAIL: 1},
        {"task": "x", "kind": MAIL},
        {"task": "x", "outcome": MAIL},
        {"task": "x", "occurred_at": MAIL},
        {"task": "x", "difficulty": MAIL},
        {"task": "x", "domain": MAIL * 20},
        {"task": "x", "id": f"{MAIL} "},
    ],
)
def test_what_is_refused_is_not_repeated(given: dict[str, Any]) -> None:
    _, (fault,) = sorted_out([given], 0, RULES)
    assert fault is not None
    assert MAIL not in fault.problem
    with pytest.raises(InvalidInput) as raised:
        accepted(given, RULES)
    causes = [raised.value.__cause__, raised.value.__context__ if raised.value.__cause__ is None else None]
    assert all(MAIL not in str(cause) for cause in causes if cause and not raised.value.__suppress_context__)


def test_a_label_that_becomes_too_long_is_refused() -> None:
    label = "x " * 95 + "a@bc.io"
    assert len(label) == 197
    kept, _ = clean(RULES, Episode(task="x", tags=[label]))
    assert kept.tags[0].endswith("[email]")
    with pytest.raises(InvalidInput, match=r"Episode\.domain: .* at most 200"):
        clean(RULES, Episode(task="x", domain="a@b.io " * 28))


def test_a_subject_is_itself_or_a_stable_pseudonym() -> None:
    assert subject(RULES, "Ann Lee") == "Ann Lee"
    assert subject(None, MAIL) == MAIL
    name = subject(RULES, MAIL)
    assert name == subject(RULES, MAIL.upper()) == subject(RULES, f" {MAIL} ")
    assert name != subject(RULES, "bob@example.com")
    assert subject(RULES, name) == name


def test_notes_count_on() -> None:
    assert noted(["email", "card", "email"]) == ("card:1", "email:2")
    assert noted(["email"], ["card:2", "email:3", "what:x"]) == ("card:2", "email:4")


class Own:
    """A redactor of the caller's own."""

    def __init__(self, result: object = None, error: Exception | None = None, name: str = "own") -> None:
        self.name = name
        self._result = result
        self._error = error

    def redact(self, text: str) -> Any:
        if self._error:
            raise self._error
        return (
            self._result
            if self._result is not None
            else Redaction(text.replace("Ann", "[name]"), ("name",) * text.count("Ann"))
        )


def test_a_redactor_of_the_callers_own_is_used() -> None:
    kept, found = clean(Own(), Episode(task="Ask Ann"))
    assert (kept.task, set(found)) == ("Ask [name]", {"name"})


@pytest.mark.parametrize(
    "redactor",
    [object(), Own(name=" "), Own("text"), Own(Redaction(1)), Own(Redaction("x", [])), Own(Redaction("x", (1,)))],  # type: ignore[arg-type]
)
def test_what_is_no_redactor_is_refused(redactor: object) -> None:
    with pytest.raises(ConfigurationError):
        check_redactor(redactor)


def test_a_redactor_that_fails_tells_nothing_of_the_text() -> None:
    failing = Own(error=ValueError(f"cannot read {MAIL}"))
    with pytest.raises(RedactionError, match=r"redactor 'own' failed \(ValueError\); nothing was kept") as raised:
        clean(failing, Episode(task=MAIL))
    assert MAIL not in "".join(traceback.format_exception(raised.value))
    assert MAIL not in told(failing, f"about {MAIL}")
    with pytest.raises(ConfigurationError, match="failed"):
        Memory("t", settings=Settings(neo4j={"uri": "bolt://localhost:1"}), redactor=failing)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["password", "api_key", "DB_PASSWORD", "client_secret"])
def test_a_value_is_known_by_the_name_that_a_mapping_gives_it(name: str) -> None:
    secret = "hunter22x" + "q8Zr71"
    given = Episode(task="t", metadata={name: secret, "inner": [{name: secret}], "note": "the boiler"})
    kept, found = clean(RuleRedactor(), given)
    assert secret not in kept.model_dump_json()
    assert kept.metadata["note"] == "the boiler"
    assert found == ("secret", "secret")
    assert clean(RuleRedactor(), kept) == (kept, ())


@pytest.mark.parametrize("value", ["", "none", "[secret]", "***", "required", "${DB_PASSWORD}"])
def test_a_name_alone_makes_no_secret(value: str) -> None:
    given = Episode(task="t", metadata={"password": value, "retries": 3, "token_limit": "4096"})
    assert clean(RuleRedactor(), given) == (given, ())
