from graphmem.agent.decide import by_evidence, by_number, case_of, cases, redirect

TASK = (
    "Look at the gauge. If the gauge is above 50.0 bars, press the red knob. "
    "If the gauge is below 50.0 bars, press the blue knob."
)
LAMP = "If the lamp is lit, press the red knob. If the lamp is dark, press the blue knob."


def test_the_cases_of_a_task_are_told_apart() -> None:
    high, low = cases(TASK)
    assert (high.threshold, low.threshold) == ((1, 50.0), (-1, 50.0))
    assert cases("Press the red knob.") == ()


def test_an_action_belongs_to_the_case_that_asks_for_it() -> None:
    high, low = cases(TASK)
    assert case_of("press blue knob", (high, low)) is low
    assert case_of("press knob", (high, low)) is None


def test_a_measured_number_decides() -> None:
    both = cases(TASK)
    assert by_number(both, 70.0) is both[0]
    assert by_number(both, 20.0) is both[1]
    assert by_number(both, None) is None


def test_what_is_in_sight_decides_by_the_demonstrations_that_saw_it() -> None:
    lit, dark = cases(LAMP)
    past = [(lit, frozenset({"a lamp, lit", "a table"})), (dark, frozenset({"a lamp, dark", "a table"}))]
    assert by_evidence((lit, dark), past, frozenset({"a table", "a lamp, dark"})) is dark
    assert by_evidence((lit, dark), past, frozenset({"a table"})) is None


def test_the_action_of_another_case_is_made_from_the_one_that_was_done() -> None:
    lit, dark = cases(LAMP)
    assert redirect("press red knob", lit, dark) == "press blue knob"
