from graphmem.demo.play import Run
from graphmem.demo.protocol import Condition, Protocol, choose, draw, plan
from graphmem.demo.result import collect

SPLITS = {"train": list(range(10)), "dev": [10, 11], "test": [12, 13, 14]}


def test_the_draw_depends_on_the_seed_alone() -> None:
    assert plan("a", SPLITS, Protocol(seed=1)) == plan("a", SPLITS, Protocol(seed=1))
    assert len({plan("a", SPLITS, Protocol(seed=seed)) for seed in range(10)}) > 1


def test_what_is_shown_lived_and_tested_never_overlaps_and_keeps_to_its_split() -> None:
    for seed in range(20):
        drawn = plan("a", SPLITS, Protocol(variations=2, demonstrations=3, lives=4, seed=seed))
        assert {*drawn.demonstrations, *drawn.lives} <= set(SPLITS["train"])
        assert not set(drawn.demonstrations) & set(drawn.lives)
        assert set(drawn.tests) <= set(SPLITS["test"])
        assert (len(drawn.demonstrations), len(drawn.lives), len(drawn.tests)) == (3, 4, 2)


def test_a_small_split_is_used_up_and_no_more() -> None:
    drawn = plan("a", {"train": [1, 2, 3, 4], "test": [5]}, Protocol(variations=2, demonstrations=3, lives=2))
    assert (len(drawn.demonstrations), len(drawn.lives), drawn.tests) == (3, 1, (5,))


def test_tasks_are_drawn_by_the_seed_and_stay_in_order() -> None:
    names = [f"task-{i}" for i in range(9)]
    assert len(draw(names, 4, 0)) == 4
    assert list(draw(names, 4, 0)) == [name for name in names if name in draw(names, 4, 0)]
    assert draw(names, 20, 0) == tuple(names)
    assert choose(names, 4, 0) == draw(names, 4, 0)
    assert choose(names, None, 0) == tuple(names)
    assert choose(names, ["task-3", "task-1"], 0) == ("task-1", "task-3")


def test_scores_are_means_of_the_best_of_every_run() -> None:
    runs = [
        Run(Condition.MEMORY, "a", 1, 100, 0),
        Run(Condition.MEMORY, "b", 2, 50, 50),
        Run(Condition.EMPTY, "a", 1, 10, 0),
    ]
    result = collect(runs)
    assert result.as_json() == {"variations": 2, "scores": {"empty": 10.0, "memory": 75.0}}
    assert result.finals()[Condition.MEMORY] == 25.0
    assert result.tasks()["b"][Condition.MEMORY] == 50.0
