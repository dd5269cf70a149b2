from graphmem.agent.compare import choice, listed, named, taken
from graphmem.agent.script import Script, compile_script
from graphmem.models import Episode, Step

VERBS = frozenset({"find", "press"})


def shown(task: str, *steps: tuple[str, str]) -> Script:
    lived = tuple(Step(action=action, observation=answer) for action, answer in steps)
    return compile_script("m", Episode(task=task, trajectory=lived), task)


HEAVIER = shown(
    "Find the heavier of the two stones (red, grey). Press the button of it.",
    ("weigh the red stone", "The scale shows 12 grams."),
    ("weigh the grey stone", "The scale shows 30 grams."),
    ("press the grey button", "It clicks."),
)


def test_the_things_that_a_task_lists_are_told_apart() -> None:
    assert listed("Find the heavier of the two stones (red, dark grey).") == ("red", "dark grey")
    assert listed("Find the heavier stone (there is one).") == ()
    assert named("weigh the dark grey stone", ("red", "dark grey")) == "dark grey"
    assert named("weigh the red and the dark grey stone", ("red", "dark grey")) == ""


def test_a_demonstration_says_whether_more_or_less_was_wanted() -> None:
    lighter = shown(
        "Find the lighter of the two stones (red, grey). Press the button of it.",
        ("weigh the red stone", "The scale shows 12 grams."),
        ("weigh the grey stone", "The scale shows 30 grams."),
        ("press the red button", "It clicks."),
    )
    assert (taken(HEAVIER, VERBS), taken(lighter, VERBS)) == (1, -1)


def test_what_was_read_decides_and_not_the_place_in_the_list() -> None:
    task = "Find the heavier of the two stones (blue, white). Press the button of it."
    read = [
        ("weigh the blue stone", "The scale shows 50 grams."),
        ("weigh the white stone", "The scale shows 9 grams."),
    ]
    assert choice(task, read, [HEAVIER], VERBS) == "blue"
    assert choice(task, read[:1], [HEAVIER], VERBS) == ""
    assert choice(task, read, [], VERBS) == ""


def test_readings_are_compared_after_equally_many_looks() -> None:
    task = "Find the faster of the two snails (Tom, Tim). Press the button of it."
    slow = [("look at snail Tom", f"Tom is {way} % on its way.") for way in (1, 2, 3, 40)]
    fast = [("look at snail Tim", f"Tim is {way} % on its way.") for way in (5, 10)]
    faster = shown(task, *slow, *fast, ("press the button of Tim", "It clicks."))
    assert taken(faster, VERBS) == 1
    assert choice(task, [*slow, *fast], [faster], VERBS) == "tim"
