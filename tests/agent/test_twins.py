from graphmem.agent.twins import names, twin

THEN = (
    "a desk. On the desk is: a red lamp, which is off, a green cable, a grey cable",
    "a blue box (containing nothing)",
)
NOW = ("a desk. On the desk is: a red lamp, which is off, a green cable, a white cable, a black cable",)


def test_names_of_things_are_what_stands_between_marks() -> None:
    assert names(THEN) == [("red", "lamp"), ("green", "cable"), ("grey", "cable"), ("blue", "box")]


def test_a_thing_of_the_same_form_stands_for_one_that_is_not_there() -> None:
    assert twin("grey cable end 1", THEN, NOW, taken=(), avoided=("green cable end 2",)) == (
        ("grey cable", "white cable"),
    )


def test_what_is_there_needs_no_twin_and_another_kind_of_thing_is_none() -> None:
    assert twin("green cable end 1", THEN, NOW, (), ()) == ()
    assert twin("blue box", THEN, NOW, (), ()) == ()


def test_two_things_never_get_the_same_twin() -> None:
    assert twin("grey cable", THEN, NOW, taken=("white cable",), avoided=("green cable",)) == (
        ("grey cable", "black cable"),
    )


def test_what_the_demonstration_uses_itself_is_taken_last() -> None:
    assert twin("grey cable", THEN, NOW[:1], ("white cable", "black cable"), ("green cable end 1",)) == (
        ("grey cable", "green cable"),
    )
