"""Tiny files in the layout of each data set, made up here."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

REPLIES = {
    "weather": (
        "will it rain tomorrow",
        "is it going to rain today",
        "what will the weather be",
        "rain or sun tomorrow",
    ),
    "alarm": ("wake me at seven", "set an alarm for seven", "wake me up early tomorrow", "alarm at six please"),
}
STRANGE = ("who painted the ceiling", "how do magnets work", "name a prime number", "why is the sky blue")


def write_lines(path: Path, lines: Iterable[dict[str, Any]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")


def clinc150(data: Path) -> None:
    folder = data / "clinc150"
    folder.mkdir(parents=True)
    pairs = [[text, intent] for intent, texts in REPLIES.items() for text in texts]
    test = [[f"{text} please now", intent] for text, intent in pairs]
    content = {"train": pairs, "test": test, "oos_test": [[text, "oos"] for text in STRANGE]}
    (folder / "data_full.json").write_text(json.dumps(content), "utf-8")
    (folder / "domains.json").write_text(json.dumps({"home": ["weather"], "utility": ["alarm"]}), "utf-8")


def runbooks(data: Path) -> None:
    folder = data / "runbooks"
    pages = {
        "one/DiskFull.md": "---\ntitle: Disk Full\n---\n# DiskFull\n\nNo space.\n\n## Mitigation\n\nDelete logs.\n",
        "two/ClockSkew.md": "# ClockSkew\n\nThe clock is wrong, see DiskFull.\n\n## Mitigation\n\nStart a daemon.\n",
        "two/_index.md": "# All of them\n",
    }
    for name, text in pages.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8")
    write_lines(
        folder / "alerts.jsonl",
        [
            {
                "alert": "DiskFull",
                "summary": "No space.",
                "description": "A volume is full.",
                "runbooks": ["one/DiskFull.md"],
            },
            {"alert": "Silent", "summary": None, "description": "Nobody answers.", "runbooks": []},
            {"alert": "Mute", "summary": None, "description": None, "runbooks": ["two/ClockSkew.md"]},
        ],
    )


def tau_bench(data: Path) -> None:
    openings = ("I want to cancel my flight", "Please book a flight to Rome", "My luggage is lost somewhere")
    write_lines(
        data / "tau-bench" / "airline_index.jsonl",
        [
            {
                "task_id": task,
                "trial": trial,
                "reward": float((task + trial) % 2),
                "instruction": "you are a secret",
                "first_user": f"{opening}{', please' * trial}",
                "tools": ["get_user_details"],
            }
            for task, opening in enumerate(openings)
            for trial in range(4)
        ],
    )


def attempt(
    run: str, trial: int, success: bool, memory: list[str], new: list[str], env: str = "env_1"
) -> dict[str, Any]:
    return {"run": run, "env": env, "trial": trial, "success": success, "memory_in": memory, "new_reflection": new}


def alfworld(data: Path) -> None:
    plate, clean = "I forgot to put the plate on the counter.", "I should clean the plate before it is put there."
    lamp = "I should have looked at the bowl under the lamp."
    write_lines(
        data / "reflexion" / "alfworld.jsonl",
        [
            attempt("base", 0, False, [], [plate]),
            attempt("base", 0, False, [], [lamp], env="env_2"),
            attempt("other", 0, False, [], [plate]),
            attempt("base", 1, True, [plate], []),
            attempt("base", 1, False, [lamp], [], env="env_2"),
            attempt("other", 1, False, [plate], [clean]),
            attempt("other", 2, False, [plate, clean], []),
        ],
    )


def solve(source: str, trial: int, outcome: str, thought: str) -> dict[str, Any]:
    question = "Which band is older?"
    trajectory = f"Question: {question}\nThought 1: Search first.\nAction 1: Search[a]\nObservation 1: Nothing.\n"
    trajectory += f"Thought 2: {thought}\nAction 2: Finish[a]\nObservation 2: Answer is {outcome}\nCorrect answer: b"
    return {"source": source, "trial": trial, "outcome": outcome, "question": question, "trajectory": trajectory}


def hotpotqa(data: Path) -> None:
    write_lines(
        data / "reflexion" / "hotpotqa.jsonl",
        [
            solve("plain", 1, "INCORRECT", "It is a."),
            solve("learner", 1, "INCORRECT", "It must be c."),
            solve("plain", 2, "INCORRECT", "It is a."),
            solve("learner", 2, "CORRECT", "It is b."),
            solve("plain", 3, "HALTED", "It may be d."),
            solve("learner", 3, "CORRECT", "It is b."),
        ],
    )


def email(data: Path) -> None:
    train = [
        (False, "We look forward to it."),
        (True, "Please send the report."),
        (True, "Please send the report."),
        (True, " "),
    ]
    for part, lines in (("train", train), ("test", [(True, "Could you send it?"), (False, "Thank you.")])):
        write_lines(
            data / "email" / f"ask_{part}.jsonl", [{"asks_for_action": asks, "text": text} for asks, text in lines]
        )
