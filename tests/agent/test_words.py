import pytest

from graphmem.agent.align import align
from graphmem.agent.words import content, coverage, likeness, parse, phrases, refuses


def test_an_action_is_a_verb_and_the_phrases_between_its_prepositions() -> None:
    assert phrases("put the red books on a shelf in the hall") == ("red books", "shelf", "hall")
    assert parse("put the red books on a shelf") == ("put", (frozenset({"red", "book"}), frozenset({"shelf"})))


def test_function_words_and_plurals_do_not_count() -> None:
    assert content("The lamps of the glass house") == {"lamp", "glass", "house"}


def test_rare_words_weigh_more_in_what_is_seen_of_a_phrase() -> None:
    weights = {"old": 1.0, "lamp": 3.0}
    assert coverage(["old", "lamp"], frozenset({"lamp"}), lambda word: weights[word]) == pytest.approx(0.75)


def test_numbers_do_not_make_answers_unlike() -> None:
    assert likeness("it shows 10 degrees", "it shows 95 degrees") == 1.0
    assert likeness("it shows 10 degrees", "smoke rises") == 0.0


@pytest.mark.parametrize(
    ("answer", "refused"), [("It is already open.", True), ("You can't do that.", True), ("Done.", False)]
)
def test_a_refusal_is_heard(answer: str, refused: bool) -> None:
    assert refuses(answer) is refused


def test_differing_words_are_replaced_at_once_so_that_names_can_change_places() -> None:
    words = align("Compare (A, B) and name the taller.", "Compare (B, A) and name the taller.")
    assert words("stand A beside b") == "stand b beside a"


def test_names_of_different_length_are_aligned_and_their_first_words_stand_for_them() -> None:
    words = align("Weigh grey stone lion, then press the red knob.", "Weigh coin, then press the blue knob.")
    assert words("lift grey stone lion") == "lift coin"
    assert words("lift grey stone") == "lift coin"
    assert words("press Red Knob") == "press blue Knob"


def test_a_name_goes_on_within_its_sentence_alone() -> None:
    assert align("Polish the red lamp. Then rest.", "Polish the blue lamp. Then rest.").heads == (("red", "lamp"),)
    assert align("Polish the lamp. Then rest.", "Polish the sword. Then rest.").heads == (("lamp", ""),)


def test_passages_that_only_one_text_has_are_told() -> None:
    assert align("find a living thing", "find a non living thing").odd == ("non",)
    assert align("find a cup", "find a mug").odd == ()
