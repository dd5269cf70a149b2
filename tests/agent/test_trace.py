from graphmem.agent.atlas import Atlas
from graphmem.agent.script import compile_script
from graphmem.agent.trace import BEGIN, Diary, Moment, read
from graphmem.models import Episode
from tests.agent.office import Office, filing, tea


def lived(world: Office, *actions: str) -> Diary:
    diary = Diary()
    diary.note(BEGIN, world.reset())
    for action in actions:
        diary.note(action, world.act(action))
    return diary


def moments(world: Office, *actions: str) -> list[Moment]:
    return list(read(lived(world, *actions).steps))


def test_a_trajectory_is_read_back_as_it_was_lived() -> None:
    world = filing("invoice", "red tray", hidden=True)
    read_back = moments(world, "walk to archive", "unseal cabinet", "grab invoice")
    assert [moment.moved for moment in read_back] == [False, True, False, False]
    assert read_back[2].news == ("a cabinet, open", "a paper: invoice")
    assert read_back[3].taken == ("a paper: invoice",)
    assert read_back[3].place == "This is the archive"


def test_facts_say_where_things_were_seen_how_they_showed_and_the_way() -> None:
    atlas = Atlas()
    atlas.add(moments(filing("invoice", "red tray", hidden=True), "walk to archive", "unseal cabinet", "grab invoice"))
    (sighting,) = atlas.where(frozenset({"invoice"}))
    assert (sighting.place, sighting.reveal) == ("This is the archive", "unseal cabinet")
    assert atlas.route("This is the hall", "This is the archive") == ["walk to archive"]
    assert atlas.route("This is the archive", "This is the hall") is None
    assert atlas.take("letter") == "grab letter"


def test_a_script_leaves_moves_out_and_finds_what_is_repeated_until_an_answer() -> None:
    steps = lived(tea(3), "walk to study", "heat kettle", "heat kettle", "heat kettle", "pour kettle").steps
    script = compile_script("m", Episode(task="tea", trajectory=tuple(steps)), "tea")
    loop, pour = script.parts
    assert (loop.times, [moment.action for moment in loop.body]) == (3, ["heat kettle"])
    assert loop.cue == {"steam", "rise"}
    assert pour.first.action == "pour kettle"


def test_a_script_whose_actions_name_what_differs_fits_better() -> None:
    acted = lived(filing("invoice", "red tray"), "walk to archive", "grab invoice").steps
    passed = lived(filing("invoice", "red tray"), "walk to archive").steps
    task, new = filing("invoice", "red tray").task, filing("letter", "red tray").task
    fits = [compile_script("m", Episode(task=task, trajectory=tuple(steps)), new).fit for steps in (acted, passed)]
    assert fits[0] > fits[1]
