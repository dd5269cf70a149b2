"""A recall as a picture: what is in it, and that no stored text runs in its page."""

from __future__ import annotations

import json
import subprocess
import sys
from datetime import UTC, datetime
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from graphmem import Decision, Episode, Recall, Reflection, Request
from graphmem.errors import InvalidInput
from graphmem.models import AnyItem
from graphmem.recall import Candidate, Components, Hit, Parameters
from graphmem.recall.picture import COLOURS, Picture

NOW = datetime(2026, 1, 1, tzinfo=UTC)
PARTS = Components(**dict.fromkeys(Components.model_fields, 0.5))
ATTACKS = (
    "<script>alert(1)</script>",
    "</script><script>alert(1)</script>",
    "<!--<script>alert(1)",
    '"}]}</head><img src=x onerror=alert(1)>',
    "<\u2028/script\u2029>",
)


def candidate(rank: int, **said: Any) -> Candidate:
    given = {
        "id": f"c{rank}", "kind": "episode", "user": "", "label": f"label {rank}", "rank": rank, "score": 0.51234,
        "relevance": 0.6, "hop": 0, "path": ("vector",), "replaces": None, "components": PARTS,
    }  # fmt: skip
    return Candidate(**{**given, **said})


def hit(found: Candidate, memory: AnyItem) -> Hit:
    return Hit(**dict(found), decision=Decision.USE, memory=memory)


def recalled(candidates: tuple[Candidate, ...], hits: tuple[Hit, ...] = (), question: str = "why?") -> Recall:
    return Recall(
        id="r", trace_id="r", request=Request(text=question), at=NOW, tenant="t", user="", decision=Decision.USE,
        reason="because", hits=hits, candidates=candidates, novelty=0.25,
        parameters=Parameters(threshold=0.5, band=0.05), context_hash="c",
    )  # fmt: skip


def edges(picture: Picture) -> set[tuple[str, str, str]]:
    """The edges by the captions of their ends."""
    names = {node.id: node.caption for node in picture.nodes}
    return {(names[edge.source], edge.caption, names[edge.target]) for edge in picture.relationships}


def test_question_hits_candidates_what_led_to_them_and_what_they_replace() -> None:
    found = (
        candidate(1, path=("vector", "text")),
        candidate(2, path=("c1", "similar", "between", "derives"), hop=2, kind="reflection"),
        candidate(3, replaces="wrong", path=("text",)),
        candidate(4, replaces="wronger", path=("c1", "similar"), hop=1),
        candidate(5, path=("filter",)),
    )
    first = hit(found[0], Episode(task="t", outcome="fail"))
    picture = recalled(found, (first, hit(found[1], Reflection(insight="i")))).visualize()
    assert edges(picture) == {
        ("why?", "vector + text", "label 1"),
        ("why?", "found", "label 1"),
        ("label 1", "similar", "between"),
        ("between", "derives", "label 2"),
        ("label 3", "replaces", "wrong"),
        ("why?", "text", "wrong"),
        ("label 4", "replaces", "wronger"),
        ("label 1", "similar", "wronger"),
        ("why?", "filter", "label 5"),
    }
    nodes = {node.caption: node for node in picture.nodes}
    assert len(nodes) == len(picture.nodes) == 9
    told = nodes["label 1"].properties
    assert (told["rank"], told["S"], told["relevance"], told["false_hit"]) == (1, 0.5123, 0.6, 0.5)
    assert (told["id"], told["kind"], told["decision"]) == ("c1", "episode", "use")
    kinds = {caption: node.properties["is"] for caption, node in nodes.items()}
    assert kinds == {
        "why?": "question", "label 1": "episode, fail", "label 2": "reflection", "between": "passed on the way",
        "label 3": "episode, not returned", "label 4": "episode, not returned", "label 5": "episode, not returned",
        "wrong": "passed on the way", "wronger": "passed on the way",
    }  # fmt: skip
    assert {caption: node.color.as_hex("long") for caption, node in nodes.items()} == {
        caption: COLOURS[kind].lower() for caption, kind in kinds.items()
    }
    assert len(set(COLOURS.values())) == len(COLOURS)
    assert nodes["label 1"].size > nodes["label 3"].size
    assert {entry.label for entry in picture.legend.nodes.entries} == set(kinds.values())


def test_ones_own_and_a_shared_memory_of_one_id_are_two() -> None:
    found = (candidate(1, id="same"), candidate(2, id="same", user="ann"), candidate(3, path=("same", "causes"), hop=1))
    picture = recalled(found).visualize()
    assert edges(picture) >= {("label 2", "causes", "label 3"), ("why?", "vector", "label 1")}
    assert len(picture.nodes) == 4


def test_an_answer_without_candidates_is_its_question() -> None:
    (node,) = recalled(()).visualize().nodes
    assert node.properties["is"] == "question"


class Page(HTMLParser):
    """The elements of a page, and the texts of its scripts."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.scripts: list[str] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag == "script":
            self.scripts.append("")

    def handle_data(self, data: str) -> None:
        if self.scripts and self.tags[-1][0] == "script":
            self.scripts[-1] += data


@pytest.mark.parametrize("attack", ATTACKS)
def test_stored_text_runs_nothing_in_the_page(attack: str, tmp_path: Path) -> None:
    def page(text: str, name: str) -> Page:
        found = candidate(1, label=text, id="x" if text == "harmless" else text.replace(" ", ""), replaces="y")
        recall = recalled((found,), (hit(found, Episode(task=text, outcome="success")),), text)
        recall.visualize(tmp_path / name)
        return Page((tmp_path / name).read_text("utf-8"))

    plain, attacked = page("harmless", "plain.html"), page(attack, "attacked.html")
    assert attacked.tags == [(tag, attacked.tags[n][1]) for n, (tag, _) in enumerate(plain.tags)]
    inert = [n for n, (_, said) in enumerate(attacked.tags) if said.get("type") == "application/json"]
    assert len(inert) == 1
    scripts = [said for tag, said in attacked.tags if tag == "script"]
    place = next(n for n, said in enumerate(scripts) if said.get("type") == "application/json")
    data = json.loads(attacked.scripts[place])
    assert attack in {node["properties"].get("label") for node in data["nodes"]}
    assert not [text for n, text in enumerate(attacked.scripts) if n != place and "alert(1)" in text]


def test_a_page_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    target = tmp_path / "recall.html"
    recall = recalled((candidate(1),))
    picture = recall.visualize(str(target))
    assert "label 1" in target.read_text("utf-8")
    assert "label 1" in picture._repr_html_()
    recalled((candidate(1, label="another"),)).visualize(target)
    assert "label 1" not in target.read_text("utf-8")
    (tmp_path / "taken").mkdir()
    for refused in (tmp_path / "taken", tmp_path / "nowhere" / "x.html", target / "x.html", "", "a\0b"):
        with pytest.raises(InvalidInput, match="cannot be written") as told:
            recall.visualize(refused)
        assert ".tmp" not in str(told.value).replace(str(tmp_path), "")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["recall.html", "taken"]


def test_without_the_extra_it_is_said_how_to_install_it() -> None:
    program = (
        "import sys; sys.modules['neo4j_viz'] = None\n"
        "from graphmem.errors import ConfigurationError\n"
        "from graphmem.recall.models import Recall\n"
        "for _ in range(2):\n"
        "    try: Recall.visualize(None)\n"
        "    except ConfigurationError as error: print(error)"
    )
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert ran.stdout.splitlines() == ["neo4j-viz is not installed; run: pip install 'graphmem[viz]'"] * 2


def test_asking_for_no_picture_loads_none() -> None:
    program = "import sys, graphmem.recall, graphmem.memory; print({'neo4j_viz', 'IPython'} & set(sys.modules))"
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "set()"
