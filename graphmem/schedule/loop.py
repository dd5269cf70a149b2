"""The jobs, once or for as long as it is left running: the only module that uses the scheduler's library."""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import UTC, datetime
from threading import Event, Lock

from apscheduler.executors.pool import ThreadPoolExecutor
from apscheduler.schedulers.background import BackgroundScheduler
from apscheduler.triggers.interval import IntervalTrigger

from graphmem.errors import StoreUnavailable
from graphmem.schedule.models import JobName, Run, RunState
from graphmem.schedule.plan import Plan

SECONDS_BETWEEN_KNOCKS = 5.0


def once(plan: Plan, tell: Callable[[Run], object]) -> bool:
    """Run each job that is not switched off once, one after the other; whether none failed.

    Raises StoreUnavailable, with the jobs after it not run, when nobody answers.
    """
    fine = True
    for name in plan.jobs:
        for run in plan.runs(name):
            tell(run)
            fine = fine and run.state is not RunState.FAILED
    return fine


def forever(plan: Plan, stop: Event, tell: Callable[[Run], object], note: Callable[[str], object]) -> None:
    """Run each job at once and then at its interval, until `stop` is set and the running steps have ended.

    A job runs once at a time, jobs of different names side by side; a time that comes while the job still runs is let
    go. What fails is told, and tried at its next time. While nobody answers, that is noted once, and all jobs wait.
    `tell` and `note` are called by one thread at a time; what they raise ends it, and is raised.
    """
    watch = _Watch(plan, stop, tell, note)
    scheduler = BackgroundScheduler(
        timezone=UTC,
        logger=logging.getLogger("graphmem.schedule"),
        executors={"default": ThreadPoolExecutor(len(JobName))},
        job_defaults={"max_instances": 1, "coalesce": True, "misfire_grace_time": None},
    )
    now = datetime.now(UTC)
    for name, seconds in plan.jobs.items():
        scheduler.add_job(
            watch.run, IntervalTrigger(seconds=seconds, timezone=UTC), args=(name,), id=name.value, next_run_time=now
        )
    scheduler.start()
    try:
        stop.wait()
        if watch.fault is None:
            with watch.telling:
                note("stopping, once the running steps have ended")
    finally:
        stop.set()
        scheduler.shutdown(wait=True)
    if watch.fault is not None:
        raise watch.fault


class _Watch:
    """Runs jobs in the scheduler's threads, and tells of them one at a time."""

    def __init__(self, plan: Plan, stop: Event, tell: Callable[[Run], object], note: Callable[[str], object]) -> None:
        self._plan = plan
        self._stop = stop
        self._tell = tell
        self._note = note
        self.telling = Lock()
        self.fault: BaseException | None = None
        self._away = False

    def run(self, name: JobName) -> None:
        """Do a job; while nobody answers, wait and begin it anew. What cannot be told ends the schedule."""
        try:
            self._run(name)
        except BaseException as error:  # the library would write it to its own logger, and go on mute
            self.fault = self.fault or error
            self._stop.set()

    def _run(self, name: JobName) -> None:
        while not self._stop.is_set():
            try:
                for run in self._plan.runs(name):
                    if run.reached:
                        self._back()
                    with self.telling:
                        self._tell(run)
                    if self._stop.is_set():
                        return
                return
            except StoreUnavailable as error:
                self._gone(error)
                self._stop.wait(SECONDS_BETWEEN_KNOCKS)

    def _gone(self, error: StoreUnavailable) -> None:
        with self.telling:
            if not self._away:
                self._note(f"{error}; waiting for it")
            self._away = True

    def _back(self) -> None:
        with self.telling:
            if self._away:
                self._note("the database answers again")
            self._away = False
