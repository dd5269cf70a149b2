"""The command behind ``scripts/evaluate scienceworld``."""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.table import Table

from graphmem.agent.agent import Agent
from graphmem.agent.planner_model import ModelPlanner
from graphmem.demo.pool import Pool
from graphmem.demo.proof import figures
from graphmem.demo.proof.bench import Bench, Hire, Tell
from graphmem.demo.proof.draws import Draw, Size, draw, meaning
from graphmem.demo.proof.page import page
from graphmem.demo.proof.proof import Proof, prove
from graphmem.demo.protocol import choose
from graphmem.demo.scienceworld import Simulator
from graphmem.errors import GraphmemError
from graphmem.measure.evaluate.command import embedding, server, writable
from graphmem.memory import Memory
from graphmem.server.java import find_java
from graphmem.settings import Settings, load_settings

NAME = "scienceworld"
RULES, MODEL = "rules", "openai"  # who plans


def main(client: type[Memory], arguments: Sequence[str] | None = None) -> int:
    """Play ScienceWorld in every condition; 0 when all went well, 2 with the reason when not."""
    said = _parser().parse_args(arguments)
    console = Console(stderr=True, highlight=False)
    start = time.monotonic()
    try:
        size = Size(said.variations, said.demonstrations, said.rounds, said.lives, said.actions, said.seed, said.split)
        here = load_settings()
        planner = "" if said.agent == RULES else ModelPlanner.configured(here).name
        writable(said.json, said.page)
        with Pool(find_java(here).executable, said.workers) as pool:
            tasks = choose(pool.tasks(), wanted(said.tasks), said.seed)
            for line in size.lines(tasks, planner):
                console.print(line)

            def tell(words: str) -> None:
                console.print(f"[{time.monotonic() - start:.0f} s] {words}", markup=False)

            known = dict(pool.map(Simulator.splits, tasks))
            draws = [draw(task, known[task], size) for task in tasks]
            with server(NAME) as settings:
                proof = _proof(client, settings, pool, size, draws, tell, said.agent)
        seconds = time.monotonic() - start
        said.json.write_text(figures.to_json(proof, size, seconds, said.agent), "utf-8")
        if said.page is not None:
            said.page.write_text(page(proof, size, tasks, planner), "utf-8")
        console.print(summary(proof, size))
        console.print(f"{len(proof.runs)} runs in {seconds / 60:.0f} minutes")
    except GraphmemError as error:
        console.print(f"error: {error}", markup=False, soft_wrap=True)
        return 2
    return 0


def summary(proof: Proof, size: Size) -> Table:
    """The mean scores of all conditions, with their intervals."""
    table = Table("condition", "what it is", "best", "final", "lost", title=f"mean scores, {size.split} variations")
    for name in proof.conditions():
        found = figures.scores(proof.of(name), size.seed)
        spread = [f"{one.value:.1f} ({one.low:.1f}-{one.high:.1f})" for one in (found.best, found.final)]
        table.add_row(name, meaning(name), *spread, str(found.lost))
    return table


def wanted(said: str | None) -> Sequence[str] | int | None:
    """The tasks that the option asks for: names, or how many; None for all."""
    if said is None:
        return None
    return int(said) if said.isdecimal() else [name.strip() for name in said.split(",") if name.strip()]


def _proof(
    client: type[Memory],
    settings: Settings,
    pool: Pool,
    size: Size,
    draws: Sequence[Draw],
    tell: Tell,
    agent: str,
) -> Proof:
    with client(NAME, settings=settings) as memory, client(f"{NAME}-empty", settings=settings) as nothing:
        return prove(Bench(pool, memory, nothing, size, draws, hired(agent, settings), tell), embedding(settings))


def hired(agent: str, settings: Settings) -> Hire:
    """How an agent is made: one that plans by `RULES`, or one by the language model of the settings (`MODEL`).

    Raises ConfigurationError where that is asked for and none is named.
    """
    if agent == RULES:
        return Agent
    planner = ModelPlanner.configured(settings)
    return lambda memory, domain, budget: Agent(memory, domain, budget, planner)


def _parser() -> argparse.ArgumentParser:
    size = Size()
    parser = argparse.ArgumentParser(
        prog=f"scripts/evaluate {NAME}",
        description="Play ScienceWorld with an empty memory, by replay, over a plain list, and with graphmem.",
    )
    parser.add_argument("--json", type=Path, required=True, help="where the figures go")
    parser.add_argument("--page", type=Path, help="where a readable page with the learning curve goes")
    parser.add_argument("--tasks", help="task names joined by commas, or how many to draw (all)")
    parser.add_argument("--split", choices=("test", "dev"), default=size.split, help="what is played (test)")
    for name, what in (
        ("variations", "variations of each task that are played"),
        ("demonstrations", "demonstrations of each task"),
        ("rounds", "rounds of its own life"),
        ("lives", "training episodes of each task in a round"),
        ("actions", "the most actions of a run"),
        ("seed", "of every draw"),
    ):
        value = getattr(size, name)
        parser.add_argument(f"--{name}", type=int, default=value, help=f"{what} ({value})")
    parser.add_argument("--workers", type=int, default=2, help="simulators side by side (2)")
    parser.add_argument("--agent", choices=(RULES, MODEL), default=RULES, help="who plans (rules)")
    return parser
